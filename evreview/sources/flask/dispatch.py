"""What an application does itself around each request: methods of its class, and what is set in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import is_function
from evreview.codefacts.flask.routes import PACKAGES, Apps
from evreview.codefacts.handlers import Dialect, Found, Written, read_gate
from evreview.codefacts.model import Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.replaced import set_from_outside
from evreview.sources.resolved import Definition, External, Resolved

_BEFORE: Final = ("__call__", "wsgi_app", "full_dispatch_request", "preprocess_request", "dispatch_request")
_AFTER: Final = ("process_response", "finalize_request", "handle_user_exception", "ensure_sync")
_APPLICATIONS: Final = ("Flask", "APIFlask", "OpenAPI")
_BASES: Final = (*PACKAGES, "builtins", "abc", "typing")
_SUPPLY: Final = "Supply what defines it, or declare with quotes what it answers."
Around = Definition | UnreadCode
"""A function that runs around each request, or one that is not followed."""


def around_requests(modules: Modules, apps: Apps) -> tuple[Around, ...]:
    """Everything that applications of the supplied files run around each request beside Flask's own code."""
    return (*_of_classes(modules), *_set_later(modules, apps))


def read_around(modules: Modules, dialect: Dialect, around: Around, found: Found) -> None:
    """Adds what one of them does on the way to a route."""
    if isinstance(around, UnreadCode):
        found.unread.append(around)
    else:
        read_gate(modules, dialect, [around], Written(around.qualname, around.scope.spot(around.node)), found)


def _of_classes(modules: Modules) -> Iterator[Around]:
    for scope, statement in modules.statements():
        cls = Definition(statement, scope, statement.name, statement) if isinstance(statement, ast.ClassDef) else None
        if cls is None or not modules.is_a(cls, PACKAGES, *_APPLICATIONS):
            continue
        spot = scope.spot(statement)
        for name in (*_BEFORE, *_AFTER):
            method = modules.member(cls, name)
            if isinstance(method, Definition):
                yield _one(method, name, spot)
        for base in modules.ancestry(cls):
            if not isinstance(base, Definition) and not (isinstance(base, External) and base.package in _BASES):
                word = base.name if isinstance(base, External) else "a base that can't be told"
                yield UnreadCode(spot, f"`{word}`, a base of the application", _SUPPLY)


def _one(found: Resolved, name: str, spot: Spot) -> Around:
    if isinstance(found, Definition) and is_function(found) and name in _BEFORE:
        return found
    return UnreadCode(spot, f"the application's own `{name or 'method'}`", _SUPPLY)


def _set_later(modules: Modules, apps: Apps) -> Iterator[Around]:
    for one in set_from_outside(modules, (*_BEFORE, *_AFTER)):
        if one.name != "wsgi_app" and _is_application(modules, apps, (one.scope, one.holder), bool(one.name)):
            yield _one(modules.resolve(one.scope, one.value), one.name, one.spot)


def _is_application(modules: Modules, apps: Apps, at: tuple[Scope, ast.expr], named: bool) -> bool:
    """True for an application, its class, and what nobody can tell if the name is that of a method of Flask."""
    scope, holder = at
    made = apps.holder(scope, holder)
    if made is not None:
        return not apps.is_blueprint(made)
    found = modules.resolve(scope, holder)
    if isinstance(found, External) and found.of(PACKAGES, *_APPLICATIONS):
        return True
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        return modules.is_a(found, PACKAGES, *_APPLICATIONS)
    return named and (found is None or isinstance(found.node if isinstance(found, Definition) else None, ast.arg))
