"""Applications and routers that are given to what no supplied file defines: it may add guards, hooks or routes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.asgi.apps import Site, holder_of, is_one_of_routes, site_of
from evreview.codefacts.constants import constant
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.model import Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, calls_in
from evreview.codefacts.names import Definition, External, Modules, Resolved, remembered
from evreview.core.vocabulary import ABSENT

PASSIVE: Final = frozenset(
    {
        # servers, adapters and clients
        "a2wsgi", "aiohttp", "aiohttp_cors", "aiohttp_jinja2", "aiohttp_session", "aiohttp_swagger",
        "asgi_lifespan", "asgiref", "daphne", "gevent", "granian", "gunicorn", "httpx",
        "hypercorn", "mangum", "serverless_wsgi", "uvicorn", "waitress", "werkzeug",
        # the frameworks themselves
        "fastapi", "flask", "starlette",
        # storage, forms, documents, traces
        "apscheduler", "ddtrace", "elasticapm", "fastapi_pagination", "flasgger", "flask_admin", "flask_apscheduler",
        "flask_babel", "flask_bcrypt", "flask_caching", "flask_compress", "flask_cors", "flask_debugtoolbar",
        "flask_limiter", "flask_mail", "flask_marshmallow", "flask_migrate", "flask_mongoengine", "flask_moment",
        "flask_pymongo", "flask_redis", "flask_sock", "flask_socketio", "flask_sqlalchemy", "flask_wtf", "newrelic",
        "opentelemetry", "prometheus_fastapi_instrumentator", "prometheus_flask_exporter", "sentry_sdk", "slowapi",
        "starlette_exporter", "tortoise", "whitenoise",
        # who is signed in: asked by decorators, or by what a view calls
        "flask_httpauth", "flask_jwt_extended", "flask_login", "flask_principal",
        "builtins", "logging", "typing",
    }
)  # fmt: skip
"""Packages that get applications and ask no caller of a route by themselves."""
_SUPPLY: Final = "Supply the file that defines it."
_MADE: Final = frozenset({"lifespan"})
"""Arguments of an application that are called with it."""
Handed = tuple[str, UnsupportedCode]
"""A family of frameworks, and what its application is given to."""


def handed_over(modules: Modules) -> Iterator[Handed]:
    """What gets an application or a router, and stands in no supplied file."""
    site, apps = site_of(modules), Apps(modules)
    for scope, statement in modules.statements():
        for call in _calls(statement):
            family = _family(modules, site, apps, scope, call)
            if family and _is_unknown(modules, scope, call.func):
                word = ast.unparse(call.func)[:100]
                found = f"`{word}`, which is given the application or a router, and which no supplied file defines"
                yield family, UnsupportedCode(scope.spot(call), found, _SUPPLY, part=UnreadPart.ROUTER)
    for holder in site.holders.values():
        for name in sorted(_MADE & holder.words.keys()):
            if _is_unknown(modules, holder.scope, holder.words[name]):
                found = f"the `{name}` of the application, which no supplied file defines"
                yield "asgi", UnsupportedCode(holder.scope.spot(holder.call), found, _SUPPLY)


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a simple statement."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return) and statement.value is not None:
        value = statement.value
        if isinstance(value, ast.Call | ast.Await):
            yield from calls_in(value)


def _family(modules: Modules, site: Site, apps: Apps, scope: Scope, call: ast.Call) -> str:
    """The family of the application or router among the arguments, "" for none or for a method of one."""
    given = [*call.args, *(word.value for word in call.keywords)]
    named = [one for one in given if isinstance(one, ast.Name | ast.Attribute)]
    own = call.func.value if isinstance(call.func, ast.Attribute) else None
    for one in named:
        asgi = holder_of(modules, site, scope, one) is not None or is_one_of_routes(scope, one)
        if asgi and (own is None or holder_of(modules, site, scope, own) is None):
            return "asgi"
        if _is_aiohttp(modules, scope, one) and (own is None or not _is_aiohttp(modules, scope, own)):
            return "aiohttp"
        if not asgi and apps.holder(scope, one) is not None and (own is None or apps.holder(scope, own) is None):
            return "flask"
    return ""


def _is_aiohttp(modules: Modules, scope: Scope, one: ast.expr) -> bool:
    """True for an application of aiohttp, and for its router."""
    inner = one.value if isinstance(one, ast.Attribute) and one.attr == "router" else one
    found = modules.resolve(scope, inner)
    return isinstance(found, Definition) and modules.is_a(modules.class_of(found), ("aiohttp",), "Application")


def _is_unknown(modules: Modules, scope: Scope, called: ast.expr) -> bool:
    """True for what nobody supplied, but for packages that are known to ask no caller."""
    found: Resolved = modules.resolve(scope, called)
    if isinstance(found, Definition):
        return False
    base: ast.expr = called
    while found is None and isinstance(base, ast.Attribute):  # a method of an object that something else made
        base = base.value
        at = modules.resolve(scope, base)
        found = modules.class_of(at) if isinstance(at, Definition) else at
    return not isinstance(found, Definition) and _package(found) not in PASSIVE


def _package(found: Resolved) -> str:
    return found.name.partition(".")[0] if isinstance(found, External) else ""


# What code sets on an application or its class from outside: `app.dispatch_request = guarded`, `setattr(app, …)`.


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """One setting: on which object, under which name, what; the name is "" where it is not constant."""

    scope: Scope
    holder: ast.expr
    name: str
    value: ast.expr
    spot: Spot


def set_from_outside(modules: Modules, names: Collection[str]) -> tuple[Set, ...]:
    """Each place where one of the names is set on an object other than `self`."""
    return remembered(modules, f"set from outside: {sorted(names)}", lambda: tuple(_each(modules, names)))


def _each(modules: Modules, names: Collection[str]) -> Iterator[Set]:
    for scope, statement in modules.statements():
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Attribute) and target.attr in names and not _is_self(target.value):
                        yield Set(scope, target.value, target.attr, value, scope.spot(statement))
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[holder, key, value])):
                name = constant(modules, scope, key)
                told = name if isinstance(name, str) and name is not ABSENT else ""
                if (not told or told in names) and not _is_self(holder):
                    yield Set(scope, holder, told, value, scope.spot(statement))


def _is_self(holder: ast.expr) -> bool:
    return isinstance(holder, ast.Name) and holder.id == "self"
