"""[I/O] Runs inside a sandbox and nowhere else: asks an application of the evidence for its routes, and prints them.

It is handed to the sandbox as text and knows nothing of evreview. It imports the application that it is told, so that
the application's own code runs, and writes one JSON document to the file that it is told. Only the standard library and
what the application itself brings.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

CONVERTER = re.compile(r"\{([^{}:]*)(?::[^{}]*)?\}")
RULE = re.compile(r"<(?:[^<>:]*:)?([^<>]*)>")
MOST = 50
AUTOMATIC = {"HEAD", "OPTIONS"}
VERBS = ("get", "post", "put", "patch", "delete")


def located(what: Any) -> dict[str, Any]:
    """Module, qualified name, file and line of a function, class or instance."""
    target = what if inspect.isfunction(what) or inspect.ismethod(what) or inspect.isclass(what) else type(what)
    code = getattr(target, "__code__", None)
    module = sys.modules.get(getattr(target, "__module__", "") or "")
    file = code.co_filename if code is not None else getattr(module, "__file__", "") or ""
    return {
        "module": getattr(target, "__module__", "") or "",
        "name": getattr(target, "__qualname__", "") or type(what).__name__,
        "file": own(file),
        "line": code.co_firstlineno if code is not None else 0,
    }


def own(file: str) -> str:
    """The path within the work folder, "" for a file elsewhere."""
    here = str(Path.cwd()) + os.sep
    return file[len(here) :] if file.startswith(here) else ""


def before(kind: str, what: Any, **more: Any) -> dict[str, Any]:
    """Something that runs before a handler."""
    return {"kind": kind, **located(what), **more}


def layers(handler: Any) -> tuple[Any, list[dict[str, Any]]]:
    """The innermost function of a handler, and the wrappers around it that say what they wrap."""
    found: list[dict[str, Any]] = []
    while hasattr(handler, "__wrapped__") and len(found) < 20:
        code = getattr(handler, "__code__", None)
        named = getattr(code, "co_qualname", getattr(handler, "__qualname__", ""))
        file = code.co_filename if code is not None else ""
        found.append(
            {
                "kind": "decorator",
                "module": getattr(handler, "__globals__", {}).get("__name__", ""),
                "name": named,
                "file": own(file),
                "line": code.co_firstlineno if code is not None else 0,
            }
        )
        handler = handler.__wrapped__
    return handler, found


def entry(method: str, path: str, handler: Any, around: list[dict[str, Any]], slash: Any = False) -> dict[str, Any]:
    """One route and method as the table has it."""
    inner, wrappers = layers(handler)
    said = {"method": method, "path": path or "/", "handler": located(inner), "before": [*around, *wrappers]}
    return {**said, "either_slash": bool(slash)}


# FastAPI and Starlette


def asgi(app: Any, prefix: str = "", around: Any = ()) -> list[dict[str, Any]]:
    """The routes of a FastAPI or Starlette application, those of mounts and included routers with it."""
    kept = [*around, *(before("middleware", one.cls) for one in getattr(app, "user_middleware", []))]
    found: list[dict[str, Any]] = []
    for route in (each for one in getattr(app, "routes", []) for each in expanded(one)):
        path = prefix + CONVERTER.sub(r"{\1}", getattr(route, "path", "") or "")
        own = [*kept, *wrapped(getattr(route, "app", None), getattr(route, "endpoint", None))]
        if not hasattr(route, "endpoint"):
            inner = unwrapped(getattr(route, "app", None))
            own = [*kept, *wrapped(getattr(route, "app", None), inner)]
            if hasattr(inner, "routes"):
                found += asgi(inner, path, own)
            else:
                found.append(entry("*", path + "/{path}", inner if inner is not None else route, own))
            continue
        own += dependencies(getattr(route, "dependant", None))
        methods = sorted(set(getattr(route, "methods", None) or ()) - AUTOMATIC)
        if inspect.isclass(route.endpoint):
            given = [(verb.upper(), getattr(route.endpoint, verb)) for verb in VERBS if hasattr(route.endpoint, verb)]
            found += [entry(method, path, handler, own) for method, handler in given]
        elif methods:
            found += [entry(method, path, route.endpoint, own) for method in methods]
    return found


def expanded(route: Any) -> list[Any]:
    """The routes of an included router, where FastAPI keeps it as one; any other route itself."""
    if hasattr(route, "effective_candidates"):
        return [each for one in route.effective_candidates() for each in expanded(one)]
    if not hasattr(route, "endpoint") and getattr(route, "starlette_route", None) is not None:
        return [route.starlette_route]
    return [route]


def unwrapped(app: Any) -> Any:
    """The application within what wraps it."""
    seen = 0
    while app is not None and not hasattr(app, "routes") and hasattr(app, "app") and seen < MOST:
        app, seen = app.app, seen + 1
    return app


def wrapped(app: Any, inner: Any) -> list[dict[str, Any]]:
    """The middleware that stands around one route or mount."""
    found: list[dict[str, Any]] = []
    while (
        app is not None and app is not inner and hasattr(app, "app") and not hasattr(app, "routes") and len(found) < 50
    ):
        found.append(before("middleware", app))
        app = app.app
    return found


def dependencies(dependant: Any) -> list[dict[str, Any]]:
    """What FastAPI runs before a handler, in its order."""
    found: list[dict[str, Any]] = []
    for one in getattr(dependant, "dependencies", None) or ():
        call = getattr(one, "call", None)
        scheme = scheme_of(call)
        found += dependencies(one)
        found.append(before("security" if scheme else "dependency", call, **scheme))
    return found


def scheme_of(call: Any) -> dict[str, Any]:
    """What a security scheme of FastAPI asks for: type, and the scheme, or place and name."""
    model = getattr(call, "model", None)
    kind = getattr(getattr(model, "type_", None), "value", None)
    if kind is None:
        return {}
    if kind == "apiKey":
        place = getattr(getattr(model, "in_", None), "value", "")
        word = f"apiKey {place} {getattr(model, 'name', '')}"
    elif kind == "http":
        word = f"http {str(getattr(model, 'scheme', '')).lower()}"
    else:
        word = kind
    return {"scheme": word, "refuses": getattr(call, "auto_error", True) is True}


# Flask


def flask(app: Any) -> list[dict[str, Any]]:
    """The rules of a Flask application, with the hooks of each."""
    outer = []
    stack = getattr(app, "wsgi_app", None)
    if stack is not None and not inspect.ismethod(stack):
        outer.append(before("middleware", stack))
    found: list[dict[str, Any]] = []
    for rule in app.url_map.iter_rules():
        names = rule.endpoint.split(".")[:-1]
        scopes = [None, *(".".join(names[: cut + 1]) for cut in range(len(names)))]
        hooks = [before("hook", one) for scope in scopes for one in app.before_request_funcs.get(scope, [])]
        view = app.view_functions.get(rule.endpoint)
        methods = sorted(set(rule.methods or ()) - AUTOMATIC)
        for method in methods if view is not None else ():
            around = [*outer, *hooks]
            handler = view
            cls = getattr(view, "view_class", None)
            if cls is not None:
                handler = getattr(cls, method.lower(), getattr(cls, "dispatch_request", view))
                around += [before("decorator", one) for one in getattr(cls, "decorators", ())]
                own = getattr(cls, "dispatch_request", None)
                if own is not None and not str(getattr(own, "__module__", "")).startswith("flask"):
                    around.append(before("hook", own))
            path = RULE.sub(lambda found: "{" + found.group(1) + "}", rule.rule)
            found.append(entry(method, path, handler, around, rule.strict_slashes is False))
    return found


# Django


def django(_: Any) -> list[dict[str, Any]]:
    """The URL patterns of the settings that are in force."""
    settings = importlib.import_module("django.conf").settings
    import_string = importlib.import_module("django.utils.module_loading").import_string
    outer = [before("middleware", import_string(name)) for name in settings.MIDDLEWARE]
    return list(patterns(importlib.import_module("django.urls").get_resolver().url_patterns, "", outer))


def patterns(given: Any, prefix: str, outer: list[dict[str, Any]]) -> Any:
    """The patterns of one resolver, those of included ones with it."""
    for one in given:
        raw = str(getattr(one.pattern, "_route", None) or getattr(one.pattern, "_regex", ""))
        path = prefix + RULE.sub(lambda found: "{" + found.group(1) + "}", raw)
        if hasattr(one, "url_patterns"):
            yield from patterns(one.url_patterns, path, outer)
            continue
        view, around = layers(one.callback)
        cls = getattr(view, "view_class", None) or getattr(view, "cls", None)
        around = [*outer, *around]
        for name in ("authentication_classes", "permission_classes"):
            around += [before(name.partition("_")[0], each) for each in getattr(cls, name, ())]
        actions = getattr(view, "actions", None) or {verb: verb for verb in VERBS if cls and hasattr(cls, verb)}
        for verb, name in actions.items():
            yield entry(verb.upper(), f"/{path}", getattr(cls, name), around)
        if cls is None:
            yield entry("*", f"/{path}", view, around)


# aiohttp


def aiohttp(app: Any, prefix: str = "", around: Any = ()) -> list[dict[str, Any]]:
    """The routes of an aiohttp application and of the applications below it."""
    if inspect.isawaitable(app):
        import asyncio

        app = asyncio.new_event_loop().run_until_complete(app)
    found: list[dict[str, Any]] = []
    kept = [*around, *(before("middleware", one) for one in app.middlewares)]
    for resource in app.router.resources():
        inner = getattr(resource, "_app", None)
        if inner is not None:
            found += aiohttp(inner, prefix, kept)
            continue
        for route in resource:
            path = CONVERTER.sub(r"{\1}", resource.canonical)
            handler = route.handler
            if inspect.isclass(handler):
                given = [(verb.upper(), getattr(handler, verb)) for verb in VERBS if hasattr(handler, verb)]
            else:
                given = [(route.method, handler)] if route.method not in AUTOMATIC else []
            found += [entry(method, prefix + path, one, kept) for method, one in given]
    return found


READERS = {"fastapi": asgi, "starlette": asgi, "flask": flask, "django": django, "aiohttp": aiohttp}


def application(framework: str, named: str) -> Any:
    """The application that `module:name` is, or that `module:name()` makes; of Django the settings' module says all."""
    sys.path.insert(0, str(Path.cwd()))
    module, _, name = named.partition(":")
    if framework == "django":
        os.environ["DJANGO_SETTINGS_MODULE"] = module
        importlib.import_module("django").setup()
        return None
    found = importlib.import_module(module)
    for part in name.removesuffix("()").split("."):
        found = getattr(found, part)
    return found() if name.endswith("()") else found  # type: ignore[operator]


def main() -> None:
    """Framework, application and file are the three arguments."""
    framework, named, file = sys.argv[1:4]
    app = application(framework, named)
    routes = READERS[framework](app)
    version = metadata.version(framework)
    said = {"framework": framework, "version": version, "application": named, "routes": routes}
    Path(file).write_text(json.dumps(said), encoding="utf-8")


if __name__ == "__main__":
    main()
