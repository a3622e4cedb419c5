"""Lookups that may fail without a `raise` in sight, where a registered handler answers for the error."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.codefacts.control_flow import Event
from evreview.codefacts.model import UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.resolved import Definition, External

ERRORS: Final = ("builtins.KeyError", "builtins.IndexError", "builtins.LookupError")
"""What a lookup that finds nothing raises, and what stands above that."""
_CATCHING: Final = frozenset({"KeyError", "IndexError", "LookupError", "Exception", "BaseException"})
_INNER: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_ADVICE: Final = "Declare with a quote whether the error reaches the handler."


def failing_lookups(
    modules: Modules, function: Definition, events: Iterable[Event], statuses: Iterable[int | None]
) -> Iterator[UnreadCode]:
    """The first lookup of a function, and of each function that it calls, that nothing around it catches.

    Args:
        statuses: what the handlers of such errors answer; empty where there is none.
    """
    answered = frozenset(statuses)
    if not answered:
        return
    own = modules.body(function)
    scopes = {
        id(one.node): one for one in [*([own] if own is not None else []), *(each.frame.scope for each in events)]
    }
    for scope in scopes.values():
        if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = next(_lookups(modules, scope, scope.node.body), None)
            if found is not None:
                text = f"the lookup `{ast.unparse(found)[:80]}`, whose error a handler answers"
                told = () if None in answered else tuple(sorted(one for one in answered if one is not None))
                yield UnreadCode(scope.spot(found), text, _ADVICE, statuses=told)


def _lookups(modules: Modules, scope: Scope, body: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in body:
        if isinstance(node, _INNER):
            continue
        if isinstance(node, ast.Try) and any(_catches(one) for one in node.handlers):
            yield from _lookups(modules, scope, [*node.handlers, *node.orelse, *node.finalbody])
            continue
        if _may_fail(modules, scope, node) and isinstance(node, ast.expr):
            yield node
        inner = [node.value] if isinstance(node, ast.AnnAssign) and node.value else ast.iter_child_nodes(node)
        yield from _lookups(modules, scope, inner)


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or ast.unparse(one).rpartition(".")[2] in _CATCHING for one in kinds)


def _may_fail(modules: Modules, scope: Scope, node: ast.AST) -> bool:
    """`x[key]` read or deleted, and `x.pop(key)`; types and what is written out aside."""
    match node:
        case ast.Subscript(value=holder, slice=key, ctx=ast.Load() | ast.Del()):
            written = isinstance(holder, ast.Dict | ast.List | ast.Tuple | ast.Constant)
            plain = isinstance(key, ast.Slice) or (written and isinstance(key, ast.Constant))
            return not plain and not isinstance(modules.resolve(scope, holder), External)
        case ast.Call(func=ast.Attribute(attr="pop"), args=[_], keywords=[]):
            return True
    return False
