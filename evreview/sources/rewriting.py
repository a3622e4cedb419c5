"""Hooks that change the status of answers which somebody else made: what a route sends is then not what it says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.calls import decorators, last_name
from evreview.codefacts.control_flow import own_nodes
from evreview.codefacts.middleware import around
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

_STATUS: Final = frozenset({"status_code", "status"})
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_AFTER: Final = frozenset({"after_request", "after_app_request"})
_MAKING: Final = ("jsonify", "make_response", "Response")
"""What such a hook answers with instead of what it is given."""
FOUND: Final = "a hook that changes the status of answers"


def rewriting(modules: Modules) -> tuple[tuple[str, UnreadCode], ...]:
    """Each framework with a place at which a hook around its handlers changes the status of their answers."""
    found = [
        (one.framework, UnreadCode(scope.spot(node), FOUND, "Declare the responses with quotes."))
        for one in around(modules)
        if one.kind == "middleware" and one.definition is not None
        for function in _functions(modules, one.definition)
        for scope, node in _changes(modules, function)
    ]
    return tuple(dict.fromkeys(found))


def _functions(modules: Modules, definition: Definition) -> Iterator[Definition]:
    """The function, or the methods of the class, and the functions within these."""
    if isinstance(definition.node, _FUNCTIONS):
        yield definition
    scope = modules.body(definition)
    for inner, statement in modules.statements(scope) if scope is not None else ():
        if isinstance(statement, _FUNCTIONS):
            yield Definition(statement, inner, statement.name, statement)


def _changes(modules: Modules, function: Definition) -> Iterator[tuple[Scope, ast.AST]]:
    scope = modules.body(function)
    marks = {last_name(name) for name, _ in decorators(function.node)}
    for node in own_nodes(function.node) if scope is not None else ():
        match node:
            case ast.Assign(targets=targets):
                changed = any(_is_status(modules, scope, target) for target in targets)
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                changed = _is_status(modules, scope, target)
            case ast.Return(value=ast.Call() as call) if marks & _AFTER:
                made = modules.called(scope, call) if scope is not None else None
                changed = isinstance(made, External) and made.of(("flask", "werkzeug"), *_MAKING)
            case ast.Call(func=ast.Attribute(attr="set_status", value=holder)):
                changed = not _made_here(modules, scope, holder)
            case _:
                changed = False
        if changed and scope is not None:
            yield scope, node


def _is_status(modules: Modules, scope: Scope | None, target: ast.expr) -> bool:
    match target:
        case ast.Attribute(attr=name, value=holder) if name in _STATUS:
            return not _made_here(modules, scope, holder)
        case ast.Subscript(slice=ast.Constant(value="status"), value=holder):
            return not _made_here(modules, scope, holder)
        case _:
            return False


def _made_here(modules: Modules, scope: Scope | None, holder: ast.expr) -> bool:
    """True for an answer that the hook makes itself, for `self`, and for what a request carries."""
    root = holder
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in ("self", "request", "span"):
        return True
    found = modules.resolve(scope, holder) if scope is not None else None
    if not isinstance(found, Definition) or not isinstance(found.node, ast.Call):
        return isinstance(found, Definition) and isinstance(found.node, ast.Dict)
    return isinstance(modules.called(found.scope, found.node), External)
