"""Unchanged elements that a row needs in order to be read: what stays while something beside it changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison.elements import ElementDiff, Position
from evreview.comparison.schema_pairs import SchemaGraph, leading_to_deltas
from evreview.comparison.wire_forms import Forms, element_form
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.vocabulary import Aspect, Change, Form, Role
from evreview.ledger.addresses import address
from evreview.ledger.delta import Context, Delta

SUCCESS_STAYS: Final = "the success response of this operation stays as it is; only the error response changes"
SIBLING_STAYS: Final = "another content type of the same message, unchanged"
ACCESS_STAYS: Final = "a way of access to the same operation that stays as it is"


def contexts_of(deltas: Sequence[Delta], found: ElementDiff, graph: SchemaGraph) -> tuple[Context, ...]:
    """The contexts of all deltas, in the order of the deltas."""
    touched = leading_to_deltas(graph.pairs)
    dirty = {root.position.steps for root in found.roots if id(root.pair) in touched}
    dirty |= {row.steps for row in found.rows if not row.difference.reason}
    by_operation: dict[str, list[Position]] = {}
    for position in found.positions:
        by_operation.setdefault(position.operation, []).append(position)
    names = Unchanged(dirty, by_operation, found.old.forms)
    return tuple(context for delta in deltas for context in names.of(delta))


class Unchanged:
    """Finds the unchanged elements beside a delta."""

    def __init__(self, dirty: set[tuple[str, ...]], positions: dict[str, list[Position]], forms: Forms) -> None:
        self._changed = {steps[:length] for steps in dirty for length in range(1, len(steps) + 1)}
        self._positions = positions
        self._forms = forms

    def of(self, delta: Delta) -> Iterable[Context]:
        """The contexts of one delta, sorted by address."""
        if delta.in_error and delta.role is Role.RESPONSE:
            yield from self._list(delta, self._success(delta.operation), SUCCESS_STAYS)
        if delta.aspect is Aspect.CONTENT_TYPES and delta.change is not Change.ADDED:
            yield from self._list(delta, self._siblings(delta), SIBLING_STAYS)
        if delta.element is ElementKind.SECURITY:
            yield from self._list(delta, self._access(delta), ACCESS_STAYS)

    def _list(self, delta: Delta, positions: Iterable[Position], why: str) -> Iterable[Context]:
        for position in sorted(positions, key=lambda position: position.steps):
            if position.steps not in self._changed:
                element = position.released
                yield Context(
                    delta_id=delta.id,
                    address=address(position.steps),
                    form=element_form(element, self._forms),
                    place=_place(element),
                    why=why,
                )

    def _success(self, operation: str) -> Iterable[Position]:
        wanted = (ElementKind.MEDIA_TYPE,)
        found = [
            position
            for position in self._positions.get(operation, ())
            if position.released.kind in wanted
            and position.released.role is Role.RESPONSE
            and not position.released.in_error
        ]
        return found or [
            position
            for position in self._positions.get(operation, ())
            if position.released.kind is ElementKind.RESPONSE and not position.released.in_error
        ]

    def _siblings(self, delta: Delta) -> Iterable[Position]:
        parent = delta.address.rpartition(" > ")[0]
        return [
            position
            for position in self._positions.get(delta.operation, ())
            if position.released.kind is ElementKind.MEDIA_TYPE and address(position.steps[:-1]) == parent
        ]

    def _access(self, delta: Delta) -> Iterable[Position]:
        """The declarations of the schemes that both forms demand."""
        kept = _schemes(delta.released) & _schemes(delta.candidate)
        return [
            position
            for position in self._positions.get("", ())
            if position.released.kind is ElementKind.SECURITY_SCHEME and position.released.key in kept
        ]


def _schemes(form: Form) -> set[str]:
    listed = form if isinstance(form, (list, tuple)) else ()
    return {name for alternative in listed if isinstance(alternative, dict) for name in alternative}


def _place(element: Element) -> Place:
    return element.value.place if element.value is not None else element.place
