"""Whether a handler uses who calls for more than a log."""

from __future__ import annotations

import ast
from typing import Final

from evreview.security.leads.units import Reading, Unit
from evreview.security.leads.views import VIEW_METHODS
from evreview.security.leads.words import PRIVILEGES, says

_QUIET: Final = frozenset({"debug", "info", "warning", "error", "exception", "log", "print", "bind"})


def asks(reading: Reading, unit: Unit) -> bool:
    """True when the handler, or what it calls, uses who calls for more than a log."""
    people = reading.principals
    units = [one for one in reading.units if one.route == unit.route and _may_ask(reading, one, unit)]
    for frame in (frame for one in units for frame in one.frames):
        idle = _idle_tests(reading.nodes(frame.scope.node))
        for node in reading.nodes(frame.scope.node):
            if id(node) in idle:
                continue
            match node:
                case ast.Compare() if people.within(frame, node):
                    return True
                case ast.Call(func=function) if _name(function) not in _QUIET:
                    given = [*node.args, *(word.value for word in node.keywords)]
                    if any(people.within(frame, one) for one in given):
                        return True
                    if isinstance(function, ast.Attribute) and people.within(frame, function.value):
                        return True
                case ast.If(test=test) if people.decides(frame, test):
                    return True
                case ast.Attribute(value=holder) if people.within(frame, holder) and _leads(node):
                    return True
    return False


def _idle_tests(nodes: tuple[ast.AST, ...]) -> frozenset[int]:
    """What stands in tests on which nothing hangs but a log."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.If) and not node.orelse and all(_is_log(one) for one in node.body):
            found |= {id(node), *(id(part) for part in ast.walk(node.test))}
    return frozenset(found)


def _is_log(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return _name(function) in _QUIET
    return False


def _may_ask(reading: Reading, one: Unit, handler: Unit) -> bool:
    """True for the handler, and for guards that know the object or decide by a right: others find out who calls."""
    if one is handler or one.function.name in VIEW_METHODS:
        return True
    for frame in one.frames:
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.Attribute | ast.Subscript) and _says_right(node):
                return True
            if isinstance(node, ast.Name) and any(at.place == "path" for at in reading.origins.of(frame, node)):
                return True
            if isinstance(node, ast.Attribute) and node.attr in ("path_params", "view_args", "match_info"):
                return True
    return False


def _says_right(node: ast.Attribute | ast.Subscript) -> bool:
    """`user.role` in a comparison or condition; what a principal is made of is no decision."""
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and says(node.attr, PRIVILEGES)


def _leads(node: ast.Attribute) -> bool:
    """`user.tickets`: what belongs to who calls."""
    return node.attr not in ("id", "name", "email", "username", "is_authenticated") and not node.attr.startswith("_")


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
