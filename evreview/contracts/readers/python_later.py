"""Attributes that a function sets on what stands outside of it (`Template.render = wrap(Template.render)`).

Whether and when the function runs no text tells, so what such a name stands for is open.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contracts.readers.python_parsed import Class
from evreview.kinds.python.names import Found, Names

_SETS: Final = re.compile(r"^[ \t]+(?!self\.)[A-Za-z_][\w.]*\.\w+[ \t]*=(?!=)|\bsetattr\(", re.M)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def set_later(tree: ast.Module, code: str, called: str, *, package: bool) -> frozenset[str]:
    """The attributes that functions of a file set on names that are not their own, as dotted paths.

    Args:
        tree, code: the file.
        called: its dotted path.
        package: it is an `__init__`.
    """
    if _SETS.search(code) is None:
        return frozenset()
    base = called if package else called.rpartition(".")[0]
    return frozenset(name for body in _functions(tree) for name in _of(body, base))


def on_classes(names: Names) -> Mapping[str, frozenset[str]]:
    """What functions of a library set on its classes, by the class's path."""
    found: dict[str, frozenset[str]] = {}
    for module in names.modules.values():
        for path in module.later:
            owner, _, name = path.rpartition(".")
            cls = names.named(names.find(names.scope(module, owner)))
            if isinstance(cls, Found) and isinstance(cls.member, Class):
                found[cls.path] = found.get(cls.path, frozenset()) | {name}
    return found


def _functions(tree: ast.Module) -> Iterator[_Function]:
    """The outermost functions, methods included."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Function):
            yield node
        elif not isinstance(node, ast.expr):
            waiting.extend(ast.iter_child_nodes(node))


def _of(function: _Function, base: str) -> Iterator[str]:
    """What one function sets, the functions in it included; names that it binds itself are its own."""
    sets: list[tuple[str, str]] = []
    own: set[str] = set()
    imported: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
            case ast.ImportFrom():
                imported |= _imported(node, base)
            case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()):
                sets.append((_dotted(owner), name))
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[owner, ast.Constant(value=str(name)), *_]):
                sets.append((_dotted(owner), name))
    for holder, name in sets:
        first, sign, rest = holder.partition(".")
        if first and first not in own:
            yield f"{imported.get(first, first)}{sign}{rest}.{name}"


def _imported(node: ast.ImportFrom, base: str) -> Mapping[str, str]:
    """The names that an import inside of a function binds, as absolute paths."""
    steps = base.split(".")
    above = ".".join(steps[: len(steps) - node.level + 1]) if node.level else ""
    start = ".".join(part for part in (above, node.module) if part)
    return {each.asname or each.name: f"{start}.{each.name}" if start else each.name for each in node.names}


def _dotted(node: ast.expr) -> str:
    """The dotted name that an expression is, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    around = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{around}.{node.attr}" if around and isinstance(node, ast.Attribute) else ""
