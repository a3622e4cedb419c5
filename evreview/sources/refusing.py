"""Whether lines of code refuse anybody: they raise, abort or answer with an error or a redirect, or call what does."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from evreview.codefacts.constants import constant, whole
from evreview.codefacts.modules import Module, Scope
from evreview.codefacts.names import Modules
from evreview.sources.handed_on import asks_for, kept
from evreview.sources.reached import Reached
from evreview.sources.resolved import Definition

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS: Final = (*_FUNCTIONS, ast.ClassDef, ast.If, ast.Match, ast.Try, ast.With, ast.AsyncWith, ast.For, ast.While)
_ABORTING: Final = frozenset({"abort", "redirect", "RedirectResponse", "HttpResponseForbidden", "redirect_to_login"})
_REFUSED: Final = 300
_WIDE: Final = frozenset({"Exception", "BaseException", "HTTPException"})


class Refusals:
    """Asks lines whether they refuse."""

    def __init__(self, modules: Modules, reached: Reached) -> None:
        self._modules = modules
        self._reached = reached
        self._by_item: dict[str, Module] = {module.source.item: module for module in modules.all}
        self._caught = frozenset(
            id(node) for _, one in modules.statements() for node in (*_caught(one), *_dropped(one))
        )

    def at(self, item: str, first: int, last: int) -> bool:
        """True when the smallest block around the lines refuses, or what the lines themselves call."""
        module = self._by_item.get(item)
        if module is None:
            return False
        scope, block = self._around(module, first, last)
        if block is not None and self._refuses(scope, block):
            return True
        calls = [
            (at, node)
            for at, statement in self._modules.statements(self._modules.scope(module))
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and first <= node.lineno and (node.end_lineno or node.lineno) <= last
        ]
        return any(self._called(at, call) for at, call in calls)

    def kept(self, item: str, first: int, last: int) -> frozenset[str]:
        """The values of the request that the smallest function around the lines sets, which refuse nobody."""
        module = self._by_item.get(item)
        block = self._around(module, first, last, _FUNCTIONS)[1] if module is not None else None
        return kept(block) if block is not None else frozenset()

    def asks(self, found: Iterable[Definition], names: Collection[str]) -> bool:
        """True when one of these functions refuses callers and asks for one of the request's values."""
        return any(
            isinstance(one.node, _FUNCTIONS) and asks_for(one.node, names) and self._refuses(one.scope, one.node)
            for one in found
        )

    def _around(
        self, module: Module, first: int, last: int, blocks: tuple[type[ast.stmt], ...] = _BLOCKS
    ) -> tuple[Scope, ast.stmt | None]:
        """The smallest block that has all of the lines, with the scope that it stands in."""
        found: tuple[Scope, ast.stmt | None] = (self._modules.scope(module), None)
        size = 10**9
        for scope, statement in self._modules.statements(self._modules.scope(module)):
            end = statement.end_lineno or statement.lineno
            begin = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
            if isinstance(statement, blocks) and begin <= first and last <= end and end - begin <= size:
                found, size = (scope, statement), end - begin
        return found

    def _refuses(self, scope: Scope, block: ast.stmt) -> bool:
        return any(self._node_refuses(scope, node) for node in ast.walk(block))

    def _node_refuses(self, scope: Scope, node: ast.AST) -> bool:
        if id(node) in self._caught:
            return False
        if isinstance(node, ast.Raise):
            return node.exc is not None
        if not isinstance(node, ast.Call):
            return False
        return _name(node.func) in _ABORTING or any(_error(self._modules, scope, one) for one in _statuses(node))

    def _called(self, scope: Scope, call: ast.Call) -> bool:
        found = self._modules.called(scope, call)
        if not isinstance(found, Definition) or not isinstance(found.node, _FUNCTIONS):
            return False
        return any(
            self._refuses(one.scope, one.node)
            for one in self._reached.definitions(found)
            if isinstance(one.node, _FUNCTIONS)
        )


def _caught(statement: ast.stmt) -> Iterator[ast.AST]:
    """The raises and aborts that a handler around them takes without refusing itself: they refuse nobody."""
    if not isinstance(statement, ast.Try) or not any(swallows(one) for one in statement.handlers):
        return
    for node in (node for part in statement.body for node in ast.walk(part)):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _name(node.func) == "abort"):
            yield from ast.walk(node)


def _dropped(statement: ast.stmt) -> Iterator[ast.AST]:
    """An answer that is made and given to nobody: `JSONResponse({}, status_code=401)` as a statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=function) as call) if _name(function)[:1].isupper():
            yield from ast.walk(call)


def swallows(handler: ast.ExceptHandler) -> bool:
    """True for a handler of every exception, or of every refusal, that refuses nobody itself."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    wide = not kinds or any(_name(kind) in _WIDE for kind in kinds)
    inside = [node for part in handler.body for node in ast.walk(part)]
    calls = [node for node in inside if isinstance(node, ast.Call)]
    refused = any(isinstance(node, ast.Raise) for node in inside) or any(
        _name(call.func) in _ABORTING or any(True for _ in _statuses(call)) for call in calls
    )
    return wide and not refused


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _statuses(call: ast.Call) -> Iterator[ast.expr]:
    yield from (word.value for word in call.keywords if word.arg in ("status_code", "status"))
    yield from call.args[:2] if call.args and isinstance(call.args[-1], ast.Constant) else ()


def _error(modules: Modules, scope: Scope, node: ast.expr) -> bool:
    status = whole(constant(modules, scope, node))
    return status is not None and _REFUSED <= status <= 599
