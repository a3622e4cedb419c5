"""What runs around one route: its code without the branches that this route never takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.middleware import Around, looks_at_path
from evreview.codefacts.model import Spot, Told
from evreview.codefacts.names import Definition, Modules
from evreview.codefacts.route_branches import told_apart

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """One thing around a route.

    Attributes:
        one: what it is.
        by_path: a condition that is left in it looks at what tells the route.
        left: the lines of it that may run for the route, None where it has no branch that the route decides.
    """

    one: Around
    by_path: bool
    left: frozenset[int] | None = None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The lines that register it, and its own."""
        definition = self.one.definition
        return (self.one.spot, *([definition.scope.spot(definition.statement)] if definition else []))

    def left_of(self, item: str, first: int, last: int) -> tuple[int, ...] | None:
        """Of lines within its code those that may run for the route; None where it decides nothing of them."""
        if self.left is None or not any(
            spot.item == item and spot.first <= first and last <= spot.last for spot in self.spots[1:]
        ):
            return None
        return tuple(line for line in range(first, last + 1) if line in self.left)


def decided(modules: Modules, one: Around, told: Told | None) -> Decided:
    """What it is for a route that `told` tells from others; as written where nothing does."""
    if told is None or one.definition is None:
        return Decided(one, one.by_path)
    whole = tuple(_functions(modules, one.definition))
    short = tuple(told_apart(modules, function, told) for function in whole)
    if all(cut is function for cut, function in zip(short, whole, strict=True)):
        return Decided(one, one.by_path)
    lines = (line for function in short for line in _lines(function.node))
    return Decided(one, any(looks_at_path(function.node) for function in short), frozenset(lines))


def _functions(modules: Modules, definition: Definition) -> Iterator[Definition]:
    """The function itself; of a class its methods."""
    scope = modules.body(definition)
    if isinstance(definition.node, ast.ClassDef) and scope is not None:
        own = (one for one in definition.node.body if isinstance(one, _FUNCTIONS))
        yield from (Definition(one, scope, one.name, one) for one in own)
    else:
        yield definition


def _lines(function: ast.AST) -> Iterator[int]:
    """The lines of simple statements and of the conditions of others; the lines of blocks are those of their parts."""
    for statement in getattr(function, "body", []):
        for node in ast.walk(statement):
            block = isinstance(node, ast.Pass) or hasattr(node, "body")
            if isinstance(node, ast.expr) or (isinstance(node, ast.stmt) and not block):
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
