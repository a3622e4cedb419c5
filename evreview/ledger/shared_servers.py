"""Servers that every operation names by itself: what differs in them is one edit, of the whole contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evreview.comparison.component_identity import element_step
from evreview.comparison.elements import ElementDifference, Position
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Role


def of_all_operations(rows: Sequence[ElementDifference], positions: Iterable[Position]) -> list[ElementDifference]:
    """The rows, with one of the document in place of equal ones about servers of every single operation.

    Args:
        rows: what differs in elements.
        positions: the pairs of elements, the document first.
    """
    listed = [row for row in rows if _is_of_operation(row)]
    if not listed:
        return list(rows)
    top, called = None, set()
    for position in positions:
        top = top or position
        if len(position.steps) == 1 and position.released.kind is ElementKind.OPERATION:
            called.add(position.operation)
    groups: dict[tuple[object, ...], list[ElementDifference]] = {}
    for row in listed:
        groups.setdefault(_edit(row), []).append(row)
    whole = [
        group for group in groups.values() if len(called) > 1 and {row.position.operation for row in group} == called
    ]
    if top is None or not whole:
        return list(rows)
    shared = {id(row) for group in whole for row in group}
    made = [replace(group[0], position=top, steps=(element_step(group[0].about),)) for group in whole]
    return [*made, *(row for row in rows if id(row) not in shared)]


def _is_of_operation(row: ElementDifference) -> bool:
    """True for a row about a server of an operation that clients call."""
    operation = row.position.released
    if row.about.kind is not ElementKind.SERVER or not row.position.operation:
        return False
    return len(row.steps) == 2 and Role.REQUEST in (operation.role, row.position.candidate.role)


def _edit(row: ElementDifference) -> tuple[object, ...]:
    what = row.difference
    forms = canonical(what.released), canonical(what.candidate)
    return row.about.key, what.aspect, what.direction, what.facet, *forms, what.reason
