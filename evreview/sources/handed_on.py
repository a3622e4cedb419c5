"""What lines keep for later about the caller (`g.user = …`, `request.state.user = …`), and who asks for it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

_HOLDERS: Final = frozenset({"g", "state", "request", "req", "session", "scope"})
"""What a request's own values are kept on."""
_CONDITIONS: Final = (ast.If, ast.IfExp, ast.While, ast.Assert)


def kept(node: ast.AST) -> frozenset[str]:
    """The names of the request's values that code sets: `user` of `g.user = …` and of `request["user"] = …`."""
    return frozenset(name for target in _targets(node) for name in _name_on_holder(target))


def asks_for(node: ast.AST, names: Collection[str]) -> bool:
    """True when a condition of the code, or a name bound for it, reads one of these values."""
    bound = {
        target.id
        for one in ast.walk(node)
        if isinstance(one, ast.Assign | ast.NamedExpr | ast.AnnAssign) and one.value and _reads(one.value, names)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        if isinstance(target, ast.Name)
    }
    tests = [one.test for one in ast.walk(node) if isinstance(one, _CONDITIONS)]
    return any(_reads(test, names) or _mentions(test, bound) for test in tests)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    for one in ast.walk(node):
        if isinstance(one, ast.Assign):
            yield from one.targets
        elif isinstance(one, ast.AnnAssign | ast.AugAssign):
            yield one.target


def _name_on_holder(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Attribute(value=holder, attr=name) if _last(holder) in _HOLDERS:
            yield name
        case ast.Subscript(value=holder, slice=ast.Constant(value=str(name))) if _last(holder) in _HOLDERS:
            yield name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _name_on_holder(part)
        case _:
            return


def _reads(node: ast.AST, names: Collection[str]) -> bool:
    for one in ast.walk(node):
        match one:
            case ast.Attribute() | ast.Subscript() if any(name in names for name in _name_on_holder(one)):
                return True
            case ast.Call(func=ast.Attribute(value=holder, attr="get"), args=[ast.Constant(value=str(name)), *_]):
                if name in names and _last(holder) in _HOLDERS:
                    return True
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[holder, ast.Constant(value=str(name)), *_]):
                if name in names and _last(holder) in _HOLDERS:
                    return True
            case ast.Compare(left=ast.Constant(value=str(name)), comparators=[holder]):
                if name in names and _last(holder) in _HOLDERS:
                    return True
            case _:
                continue
    return False


def _mentions(node: ast.AST, names: Collection[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node))


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
