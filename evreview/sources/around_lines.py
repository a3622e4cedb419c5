"""Where a node stands: what it is part of, and the conditions that decide whether it runs at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from evreview.codefacts.modules import Scope, type_checking
from evreview.codefacts.names import Modules

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parents(modules: Modules, scope: Scope) -> dict[int, ast.AST]:
    """Of each node of the scope's module, by identity, the node that it is part of; found once per module."""
    key = f"parents {id(scope.module.tree)}"
    known = modules.memo.get(key)
    if isinstance(known, dict):
        return known
    found = {id(child): node for node in ast.walk(scope.module.tree) for child in ast.iter_child_nodes(node)}
    modules.memo[key] = found
    return found


def conditions(modules: Modules, scope: Scope, node: ast.AST) -> Iterator[ast.AST]:
    """The blocks of the function or module around a node that may leave it out, innermost first."""
    above = parents(modules, scope)
    inner: ast.AST = node
    at = above.get(id(node))
    while at is not None and not isinstance(at, (*_FUNCTIONS, ast.Module)):
        match at:
            case ast.If(test=test, body=body) if type_checking(test) and inner in body:
                pass
            case ast.If() | ast.Match() | ast.ExceptHandler() | ast.While():
                yield at
            case _:
                pass
        inner, at = at, above.get(id(at))
