"""What applications run around their handlers: middleware in its order, functions before requests, error handlers."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.aiohttp.routes import Table
from evreview.codefacts.asgi.apps import Holder, Site, reaches, site_of
from evreview.codefacts.asgi.guards import BY_FUNCTION
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import decorators, keyword, value_at
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.model import Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.asgi.registrations import registrations
from evreview.sources.resolved import Definition, External, Resolved

Framework = Literal["asgi", "flask", "django", "aiohttp"]
Kind = Literal["middleware", "before request", "dependency", "error handler"]
_PATHS: Final = frozenset(
    {"path", "raw_path", "full_path", "url", "endpoint", "url_rule", "blueprint", "path_info", "resolver_match",
     "match_info", "PATH_INFO", "rel_url", "view_name", "route"}
)  # fmt: skip
"""What requests hold that tells the route."""
_SETTINGS: Final = "MIDDLEWARE"
_Written = tuple[ast.expr, ast.Call | None]
_About = tuple[str, Kind, Spot]
"""Application, kind, and the lines that register it."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """One thing that runs around the handlers of an application.

    Attributes:
        framework: `asgi`, `flask`, `django` or `aiohttp`.
        application: the call or list that makes or configures it, in the code's own words.
        kind: what it is.
        place: 1 runs first; 0 where no order exists.
        name: in the code's own words.
        spot: the lines that register it.
        definition: what it is, None when no supplied file defines it.
        handles: of an error handler, the status or class that it answers.
        whole: it runs for every route of its application, not only for those of one blueprint.
    """

    application: str
    kind: Kind
    place: int
    name: str
    spot: Spot
    definition: Definition | None
    handles: str = ""
    whole: bool = True
    framework: Framework = "asgi"

    @property
    def by_path(self) -> bool:
        """True when a condition in it looks at the request's path, so that it need not act on every route."""
        return self.definition is not None and looks_at_path(self.definition.node)


def looks_at_path(node: ast.AST) -> bool:
    """True when a condition in the code looks at what tells the route."""
    named = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign | ast.NamedExpr | ast.AnnAssign) and one.value and _mentions_path(one.value, ())
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    }
    tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If | ast.IfExp | ast.While)]
    subjects = [one.subject for one in ast.walk(node) if isinstance(one, ast.Match)]
    return any(_mentions_path(one, named) for one in (*tests, *subjects))


def _mentions_path(node: ast.AST, named: Collection[str]) -> bool:
    for one in ast.walk(node):
        match one:
            case ast.Attribute(attr=attr) if attr in _PATHS:
                return True
            case ast.Subscript(slice=ast.Constant(value=str(key))) if key in _PATHS:
                return True
            case ast.Name(id=name) if name in named:
                return True
            case _:
                continue
    return False


def around(modules: Modules) -> tuple[Around, ...]:
    """Everything around the handlers of every application, by application and in the order in which it runs."""
    found: list[tuple[Framework, Iterable[Around]]] = [
        ("asgi", _asgi(modules)),
        ("flask", _flask(modules)),
        ("django", _django_middleware(modules)),
        ("aiohttp", _aiohttp(modules)),
    ]
    return tuple(replace(one, framework=name) for name, several in found for one in several)


def applications(modules: Modules) -> dict[int, frozenset[str]]:
    """Of each handler that is registered on a FastAPI or Starlette router, by identity, the applications around it."""
    site = site_of(modules)
    found: dict[int, set[str]] = {}
    for reach in reaches(modules, site):
        names = {_name(holder) for holder in reach.outer if holder.is_app}
        for use in site.uses:
            for one in registrations(modules, use, []) if use.holder is reach.holder else ():
                found.setdefault(id(one.handler.node), set()).update(names)
    return {handler: frozenset(names) for handler, names in found.items()}


# FastAPI and Starlette: what is added last runs first, what is listed first runs first of the list.


def _asgi(modules: Modules) -> Iterator[Around]:
    site = site_of(modules)
    for app in site.holders.values():
        if app.is_app:
            yield from _placed([*reversed([*_added(modules, site, app)]), *_listed(modules, app)])
            yield from _dependencies(modules, app)
            yield from _handlers(modules, site, app)


def _placed(found: Sequence[Around]) -> Iterator[Around]:
    return (replace(one, place=place) for place, one in enumerate(found, 1))


def _name(holder: Holder) -> str:
    """The name that the application is bound to, or its class and line."""
    names = [name for name, bound in holder.scope.names.items() if any(one.node is holder.call for one in bound)]
    what = holder.scope.inner_name(names[0]) if names else f"{holder.kind} of line {holder.call.lineno}"
    return f"{what} in {holder.scope.module.source.path}"


def _added(modules: Modules, site: Site, app: Holder) -> Iterator[Around]:
    for use in site.uses:
        if use.holder is not app:
            continue
        if use.name == "middleware" and use.function is not None:
            spot = use.scope.spot(use.call)
            yield Around(_name(app), "middleware", 0, use.function.qualname, spot, use.function)
        elif use.name == "add_middleware" and use.call.args:
            about: _About = (_name(app), "middleware", use.scope.spot(use.call))
            yield _one(modules, use.scope, _function_of(modules, use.scope, use.call), about)


def _listed(modules: Modules, app: Holder) -> Iterator[Around]:
    given = app.words.get("middleware")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    for part in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        if isinstance(part, ast.Call) and part.args:
            about: _About = (_name(app), "middleware", scope.spot(part))
            yield _one(modules, scope, _function_of(modules, scope, part), about)


def _function_of(modules: Modules, scope: Scope, call: ast.Call) -> ast.expr:
    """The class that is added, or the function that it is given to run."""
    found = modules.resolve(scope, call.args[0])
    given = keyword(call, "dispatch") if isinstance(found, External) and found.last == BY_FUNCTION else None
    return call.args[0] if given is None else given


def _dependencies(modules: Modules, app: Holder) -> Iterator[Around]:
    given = app.words.get("dependencies")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    calls = [part for part in parts if isinstance(part, ast.Call) and part.args]
    for place, part in enumerate(calls, 1):
        yield replace(_one(modules, scope, part.args[0], (_name(app), "dependency", scope.spot(part))), place=place)


def _handlers(modules: Modules, site: Site, app: Holder) -> Iterator[Around]:
    for use in site.uses:
        if use.holder is not app or not use.call.args:
            continue
        spot, handled = use.scope.spot(use.call), ast.unparse(use.call.args[0])[:100]
        if use.name == "exception_handler" and use.function is not None:
            yield Around(_name(app), "error handler", 0, use.function.qualname, spot, use.function, handled)
        elif use.name == "add_exception_handler" and len(use.call.args) > 1:
            one = _one(modules, use.scope, use.call.args[1], (_name(app), "error handler", spot))
            yield replace(one, handles=handled)
    given = app.words.get("exception_handlers")
    found = modules.resolve(app.scope, given)
    scope, node = (found.scope, found.node) if isinstance(found, Definition) else (app.scope, given)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                one = _one(modules, scope, value, (_name(app), "error handler", scope.spot(value)))
                yield replace(one, handles=ast.unparse(key)[:100])


def _one(modules: Modules, scope: Scope, written: ast.expr, about: _About) -> Around:
    found: Resolved = modules.resolve(scope, written.func if isinstance(written, ast.Call) else written)
    application, kind, spot = about
    definition = found if isinstance(found, Definition) else None
    name = found.name if isinstance(found, External) else ast.unparse(written)[:100]
    return Around(application, kind, 0, name, spot, definition)


# Flask: functions before requests run as registered, those of the application first.


def _flask(modules: Modules) -> Iterator[Around]:
    apps = Apps(modules)
    before: list[Around] = []
    for scope, statement in modules.statements():
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for name, call in decorators(statement):
            one = _flask_one(apps, scope, statement, (name, call))
            if one is not None and one.kind == "error handler":
                yield one
            elif one is not None:
                before.append(one)
    yield from _placed(sorted(before, key=lambda one: not one.whole))


def _flask_one(
    apps: Apps,
    scope: Scope,
    statement: ast.FunctionDef | ast.AsyncFunctionDef,
    written: tuple[ast.expr, ast.Call | None],
) -> Around | None:
    name, call = written
    if not isinstance(name, ast.Attribute):
        return None
    holder = apps.holder(scope, name.value)
    kinds: dict[str, Kind] = {
        "before_request": "before request", "before_app_request": "before request",
        "errorhandler": "error handler", "app_errorhandler": "error handler", "after_request": "middleware",
        "after_app_request": "middleware",
    }  # fmt: skip
    kind = kinds.get(name.attr)
    if holder is None or kind is None:
        return None
    handled = ast.unparse(call.args[0])[:100] if call is not None and call.args else ""
    application = f"{ast.unparse(name.value)[:60]} in {scope.module.source.path}"
    definition = Definition(statement, scope, statement.name, statement)
    whole = "_app_" in name.attr or name.attr.startswith("app_") or not apps.is_blueprint(holder)
    return Around(application, kind, 0, definition.qualname, scope.spot(statement), definition, handled, whole)


# Django: the setting lists dotted names, the first runs first.


def _django_middleware(modules: Modules) -> Iterator[Around]:
    for scope, statement in modules.statements():
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) or scope.kind != "module":
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not any(isinstance(target, ast.Name) and target.id == _SETTINGS for target in targets):
            continue
        for place, (at, part, _) in enumerate(parts_of(modules, scope, statement.value).parts, 1):
            named = constant(modules, at, part)
            if isinstance(named, str) and named is not MISSING:
                application = f"{_SETTINGS} in {scope.module.source.path}"
                found = _dotted(modules, named)
                yield Around(application, "middleware", place, named, at.spot(part), found)


def untold_settings(modules: Modules) -> Iterator[Spot]:
    """Lists of middleware in the settings of Django that can't be told whole."""
    for scope, statement in modules.statements():
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        value = getattr(statement, "value", None)
        named = isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) and any(
            isinstance(target, ast.Name) and target.id == _SETTINGS for target in targets
        )
        listed = parts_of(modules, scope, value) if named and scope.kind == "module" else None
        if listed is not None and (
            not listed.whole or any(constant(modules, at, part) is MISSING for at, part, _ in listed.parts)
        ):
            yield scope.spot(statement)


def _dotted(modules: Modules, name: str) -> Definition | None:
    module, _, last = name.rpartition(".")
    found = modules.find(module, last) if module else None
    return found if isinstance(found, Definition) else None


# aiohttp: the list's first runs first.


def _aiohttp(modules: Modules) -> Iterator[Around]:
    table = Table(modules)
    for app in table.apps.values():
        given = keyword(app.node, "middlewares") if isinstance(app.node, ast.Call) else None
        frame, listed = value_at(modules, Frame(app.scope), given)
        application = f"{app.name or 'application'} in {app.scope.module.source.path}"
        parts: Iterable[ast.expr] = listed.elts if isinstance(listed, ast.List | ast.Tuple) else ()
        about = [(part, frame.scope.spot(part)) for part in parts]
        yield from _placed(
            [_one(modules, frame.scope, part, (application, "middleware", spot)) for part, spot in about]
        )
