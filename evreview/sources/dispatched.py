"""Functions that a call runs and does not name: one of a dictionary's, or what it hands to another thread."""

from __future__ import annotations

import ast
from typing import Final

from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.sources.remembered import remembered
from evreview.sources.resolved import Definition, External

_THREADS: Final = frozenset(
    {"asyncio.to_thread", "anyio.to_thread.run_sync", "starlette.concurrency.run_in_threadpool",
     "fastapi.concurrency.run_in_threadpool", "asgiref.sync.sync_to_async", "trio.to_thread.run_sync"}
)  # fmt: skip
"""What calls its first argument with the others, in another thread."""


def handed_over(modules: Modules, scope: Scope, call: ast.Call) -> ast.Call | None:
    """The call that a call makes in another thread: `to_thread(load, name)`, `run_in_executor(None, load, name)`."""

    def made() -> ast.Call | None:
        found = modules.called(scope, call)
        given = call.args if isinstance(found, External) and found.name in _THREADS else []
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("run_in_executor", "submit"):
            given = call.args[1:] if call.func.attr == "run_in_executor" else call.args
        if not given or not isinstance(given[0], ast.Name | ast.Attribute):
            return None
        return ast.copy_location(ast.Call(func=given[0], args=given[1:], keywords=call.keywords), call)

    return remembered(modules, f"handed {id(call)}", made)


def chosen_from(modules: Modules, scope: Scope, function: ast.expr, hops: int = 3) -> tuple[Definition, ...]:
    """The supplied functions that a dictionary holds of which one is called: `WAYS[kind](…)`, `WAYS.get(kind)(…)`."""
    match function:
        case ast.Name() if hops > 0:
            found = modules.lookup(scope, function.id)
            if isinstance(found, Definition) and isinstance(found.node, ast.Call | ast.Subscript):
                return chosen_from(modules, found.scope, found.node, hops - 1)
        case ast.Subscript(value=held) | ast.Call(func=ast.Attribute(value=held, attr="get")):
            known = modules.resolve(scope, held)
            if isinstance(known, Definition) and isinstance(known.node, ast.Dict):
                named = [modules.resolve(known.scope, value) for value in known.node.values]
                return tuple(one for one in named if isinstance(one, Definition) and _is_function(one.node))
    return ()


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
