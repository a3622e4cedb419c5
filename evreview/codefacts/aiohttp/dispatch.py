"""What the class of an aiohttp application does itself around each request, and what is set in its place."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.aiohttp.routes import PACKAGE, applications_of
from evreview.codefacts.application_changes import set_from_outside
from evreview.codefacts.calls import is_function
from evreview.codefacts.handlers import Dialect, RouteFacts, Written, read_gate
from evreview.codefacts.model import Spot, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules, Resolved

_HANDLES: Final = "_handle"
_MAKES: Final = (
    "_make_handler",
    "make_handler",
    "_make_request",
    "_prepare_middleware",
    "_build_middlewares",
    "__call__",
)
_BASES: Final = (*PACKAGE, "builtins", "abc", "typing")
_SUPPLY: Final = "Supply what defines it, or declare with quotes what it answers."


def read_dispatch(modules: Modules, dialect: Dialect, app: Definition, found: RouteFacts) -> None:
    """Adds what an application that was made runs around each request beside aiohttp's own code."""
    cls = modules.class_of(app)
    if isinstance(cls, Definition):
        _of_class(modules, dialect, (cls, app.scope.spot(app.node)), found)
    for one in set_from_outside(modules, (_HANDLES, *_MAKES)):
        if _is_it(modules, app, (one.scope, one.holder), bool(one.name)):
            _one(modules, dialect, (modules.resolve(one.scope, one.value), one.name, one.spot), found)


def _of_class(modules: Modules, dialect: Dialect, at: tuple[Definition, Spot], found: RouteFacts) -> None:
    cls, spot = at
    for name in (_HANDLES, *_MAKES):
        method = modules.member(cls, name)
        if isinstance(method, Definition):
            _one(modules, dialect, (method, name, spot), found)
    made = modules.member(cls, "__init__")
    if isinstance(made, Definition) and any(_is_list(node) for node in ast.walk(made.node)):
        found.unread.append(
            UnsupportedCode(
                spot, "middlewares that the application's class adds itself", _SUPPLY, part=UnreadPart.MIDDLEWARE
            )
        )
    for base in modules.ancestry(cls):
        if not isinstance(base, Definition) and not (isinstance(base, External) and base.package in _BASES):
            word = base.name if isinstance(base, External) else "a base that can't be told"
            found.unread.append(UnsupportedCode(spot, f"`{word}`, a base of the application", _SUPPLY))


def _is_list(node: ast.AST) -> bool:
    """True for `middlewares=[…]` and `self.middlewares`."""
    word = node.arg if isinstance(node, ast.keyword) else node.attr if isinstance(node, ast.Attribute) else ""
    return word in ("middlewares", "_middlewares", "on_response_prepare")


def _one(modules: Modules, dialect: Dialect, at: tuple[Resolved, str, Spot], found: RouteFacts) -> None:
    function, name, spot = at
    if isinstance(function, Definition) and is_function(function) and name == _HANDLES:
        read_gate(modules, dialect, [function], Written(function.qualname, spot), found)
    else:
        found.unread.append(UnsupportedCode(spot, f"the application's own `{name or 'method'}`", _SUPPLY))


def _is_it(modules: Modules, app: Definition, at: tuple[Scope, ast.expr], named: bool) -> bool:
    """True for the application, for a class of applications, and for what nobody can tell if it has aiohttp's name."""
    scope, holder = at
    found = modules.resolve(scope, holder)
    if isinstance(found, External):
        return found.of(PACKAGE, "Application")
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        return modules.is_a(found, PACKAGE, "Application")
    each = applications_of(modules, scope, holder)
    if each is not None:
        return any(one.node is app.node for one, _ in each)
    return named and (found is None or isinstance(found.node if isinstance(found, Definition) else None, ast.arg))
