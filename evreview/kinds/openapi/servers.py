"""Servers that no call depends on, and servers that every operation names by itself: rows that say less, or one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.component_identity import element_step
from evreview.comparison.elements import ElementDifference, Position, is_of_document
from evreview.comparison.noise import NoiseReason
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Role

# Servers of a document that serve no operation on both sides: where they differ, no call changes.
#
# OpenAPI 3.1, sections 4.8.9 and 4.8.10: the `servers` of a path item or operation override those above it. What an
# operation calls that has servers of its own on one side only is compared there.


_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def served_by_none(positions: Iterable[Position], released: Contract, candidate: Contract) -> bool:
    """True when no operation that both contracts have takes the document's servers on both sides.

    Not where nothing is called or sent, nor where a scheme names a relative URL, which the servers complete: OpenAPI
    3.1, section 4.7.
    """
    if _has_relative_url(released) or _has_relative_url(candidate):
        return False
    called = [position for position in positions if _is_called(position.released)]
    if not called:
        return _sends_alone(released) and _sends_alone(candidate)
    return not any(_inherits(one.released) and _inherits(one.candidate) for one in called)


def without_servers(rows: Sequence[ElementDifference]) -> list[ElementDifference]:
    """The rows, those about the document's servers as noise."""
    return [
        replace(row, difference=replace(row.difference, reason=row.difference.reason or NoiseReason.UNUSED_SERVERS))
        if is_of_document(row.position, row.about)
        else row
        for row in rows
    ]


def _is_called(element: Element) -> bool:
    return element.kind is ElementKind.OPERATION and element.role is Role.REQUEST


def _sends_alone(contract: Contract) -> bool:
    """True for a contract of webhooks alone that say nothing of calls back, which go to their receivers' URLs."""
    found = [element for element in contract.root.children if element.kind is ElementKind.OPERATION]
    back = (child.kind is ElementKind.CALLBACK for operation in found for child in operation.children)
    return bool(found) and not any(map(_is_called, found)) and not any(back)


def _inherits(operation: Element) -> bool:
    return not any(child.kind is ElementKind.SERVER for child in operation.children)


def _has_relative_url(contract: Contract) -> bool:
    return any(
        isinstance(facet.value, str) and not _ABSOLUTE.match(facet.value)
        for element in contract.root.children
        if element.kind is ElementKind.SECURITY_SCHEME
        for facet in element.facets
        if facet.name.endswith("Url")
    )


# Servers that every operation names by itself: what differs in them is one edit, of the whole contract.


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
