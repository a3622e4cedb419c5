"""Which bindings of a name may hold where it is used: of those written before it, the last sure one and later ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.modules import Binding, Scope
from evreview.codefacts.names import out_of_classes


def bindings(frame: Frame, name: ast.Name) -> Iterator[tuple[Frame, Binding]]:
    """Every binding that may hold, with the frame in which its value is to be read."""
    at: Scope | None = frame.scope
    while at is not None and name.id not in at.names:
        at = at.parent if at.kind != "class" else out_of_classes(at)
    if at is None:
        return
    found: Sequence[Binding] = at.names[name.id]
    if at is frame.scope and at.kind == "function":
        found = _live(found, name.lineno)
    where = frame if at is frame.scope else replace(frame, scope=at)
    for binding in found:
        yield where, binding


def only_value(frame: Frame, name: ast.Name) -> tuple[Frame, ast.expr] | None:
    """The expression that a name certainly stands for, None when several may hold or it is none."""
    found = list(bindings(frame, name))
    if len(found) == 1 and isinstance(found[0][1].node, ast.expr):
        return found[0][0], found[0][1].node
    return None


def _live(found: Sequence[Binding], line: int) -> Sequence[Binding]:
    before = [binding for binding in found if _end(binding) < line] or list(found)
    sure = [
        place
        for place, binding in enumerate(before)
        if binding.sure and not isinstance(binding.statement, ast.AugAssign)
    ]
    return before[sure[-1] :] if sure else before


def _end(binding: Binding) -> int:
    statement = binding.statement
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return statement.end_lineno or statement.lineno
    return int(getattr(statement, "lineno", 0))
