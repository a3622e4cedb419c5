"""What a file does when it is run by its name, beyond what an import of it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

_CALLED: Final = frozenset({"main", "exit", "SystemExit"})
"""What a file without the block calls where it is meant to be run."""


def is_script(tree: ast.Module) -> bool:
    """True for a file with a `__main__` block, or one that runs its main function without asking."""
    return any(_is_block(each) or _runs(each) for each in tree.body)


def _is_block(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If):
        return False
    does = any(not isinstance(each, ast.Pass) and not _is_text(each) for each in statement.body)
    return does and any(_asks(each) for each in ast.walk(statement.test))


def _asks(node: ast.AST) -> bool:
    """True for `__name__ == "__main__"`, in either order."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return False
    sides = (node.left, node.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _runs(statement: ast.stmt) -> bool:
    return any(_name(each.func) in _CALLED for each in _calls(statement))


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    made = statement.exc if isinstance(statement, ast.Raise) else getattr(statement, "value", None)
    if isinstance(statement, ast.Raise | ast.Expr) and isinstance(made, ast.Call):
        yield made


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
