"""What a function gives that is used as a decorator: the function itself, one that calls it alike, or another head."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.contracts.readers.python_branches import flat

ITSELF: Final = "the function itself"
ALIKE: Final = "a function that calls it alike"
_MAX_DEPTH: Final = 3
_WRAPS: Final = ("wraps", "update_wrapper")

_THROUGH: Final = re.compile(r"def \(\w+(?:: [^)]*)?\) giving (.*)")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_transparent(given: str) -> bool:
    """True where a decorated function takes the calls that it takes without the decorator."""
    through = _THROUGH.fullmatch(given)
    return (through[1] if through is not None else given) in (ITSELF, ALIKE)


def wrappers_of(tree: ast.Module) -> Mapping[str, str]:
    """What the functions of a file give that may decorate others, by name; those that give plain values have none."""
    found: dict[str, str] = {}
    for statement, _ in flat(tree.body):
        if isinstance(statement, ast.FunctionDef) and (given := _given(statement, 0)):
            found[statement.name] = given
        elif isinstance(statement, ast.ClassDef):
            called = (one for one in statement.body if isinstance(one, ast.FunctionDef) and one.name == "__call__")
            found |= {f"{statement.name}.__call__": given for one in called if (given := _given(one, 0, skip=1))}
    return found


def _given(function: _Function, depth: int, *, skip: int = 0) -> str:
    """What a call gives, "" for what is no function of its own, and not made of its argument.

    Args:
        function: the function.
        depth: functions around it.
        skip: 1 for a method, which gets its instance by itself.
    """
    arguments = [each.arg for each in (*function.args.posonlyargs, *function.args.args)][skip:]
    inner = {one.name: one for one, _ in flat(function.body) if isinstance(one, _Function)}
    returned = [node for node in _returned(function.body) if node is not None] if arguments or inner else []
    if not inner and not any(_is_made_of(node, arguments[:1]) for node in returned):
        return ""
    return " or ".join(sorted({_value(node, (function, arguments), inner, depth) for node in returned}))


def _is_made_of(node: ast.expr, names: Sequence[str]) -> bool:
    """True for the argument itself, and for a call that gets it."""
    given = node.args if isinstance(node, ast.Call) else [node]
    return any(isinstance(each, ast.Name) and each.id in names for each in given)


def _value(node: ast.expr, around: tuple[_Function, Sequence[str]], inner: Mapping[str, _Function], depth: int) -> str:
    function, arguments = around
    if isinstance(node, ast.Call) and len(node.args) in (1, 2) and ast.unparse(node.func).endswith(_WRAPS):
        node = node.args[0]
    if isinstance(node, ast.Call) and len(node.args) == 2 and ast.unparse(node.func).endswith("cast"):
        node = node.args[1]
    if isinstance(node, ast.Name) and node.id in inner:
        return _head(inner[node.id], function, depth)
    return ITSELF if isinstance(node, ast.Name) and node.id in arguments[:1] else ast.unparse(node)


def _head(inner: _Function, around: _Function, depth: int) -> str:
    """The head of a function that a decorator makes, and what it gives where it is a decorator itself."""
    called = {each.arg for each in (*around.args.posonlyargs, *around.args.args, *around.args.kwonlyargs)}
    if isinstance(inner, ast.FunctionDef) and _passes_on(inner, called):
        return ALIKE
    coloured = "async " if isinstance(inner, ast.AsyncFunctionDef) else ""
    more = _given(inner, depth + 1) if depth < _MAX_DEPTH else ""
    return f"{coloured}def ({ast.unparse(inner.args)}){f' giving {more}' if more else ''}"


def _passes_on(inner: ast.FunctionDef, called: set[str]) -> bool:
    """True for `(*args, **kwargs)` that goes to the decorated function as it came, whatever is done besides."""
    args = inner.args
    if args.vararg is None or args.kwarg is None or args.args or args.posonlyargs or args.kwonlyargs:
        return False
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(inner)):
        return False
    calls = [
        each
        for each in ast.walk(inner)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in called
    ]
    alike = f"(*{args.vararg.arg}, **{args.kwarg.arg})"
    changed = any(_changes(each, {args.vararg.arg, args.kwarg.arg}) for each in ast.walk(inner))
    return (
        bool(calls) and not changed and all(ast.unparse(each) == f"{ast.unparse(each.func)}{alike}" for each in calls)
    )


def _changes(node: ast.AST, names: set[str]) -> bool:
    """True for what puts other values into a name, or works on it by subscript or method."""
    if isinstance(node, ast.Name):
        return node.id in names and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id in names and not isinstance(node.ctx, ast.Load)
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id in names
        and called.attr in ("pop", "update", "setdefault", "clear", "popitem")
    )


def _returned(body: Sequence[ast.stmt]) -> Iterator[ast.expr | None]:
    return (statement.value for statement, _ in flat(body) if isinstance(statement, ast.Return))
