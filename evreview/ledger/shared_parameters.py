"""Parameters that went or came with their component: what its operations lose or gain is one edit, and one row.

OpenAPI 3.1, section 4.8.12 Parameter Object: "A unique parameter is defined by a combination of a name and location."
A component with another one is another parameter wherever it is referred to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import is_shared, is_the_paths
from evreview.comparison.delta_ids import Anchor
from evreview.comparison.elements import ElementDifference, Position
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Change, ContractKind, Json

_IN_OPERATIONS: Final = ("/paths/", "/webhooks/")
_OWN: Final = frozenset(
    {fact.REQUIRED, fact.IN, fact.HAS_DEFAULT, fact.TYPE, fact.DEPRECATED, fact.SUNSET, fact.HOLDS, fact.ONLY_ONE}
)
"""What a parameter says by itself, and what no rule asks of one."""
_Use = tuple[object, ...]


def with_components(
    rows: Sequence[ElementDifference], positions: Iterable[Position], released: Contract, candidate: Contract
) -> list[ElementDifference]:
    """The rows, those of parameters that several operations lose or gain by one edit of a component at home there.

    Operations in which a rule would ask for something else have rows of their own, at paths that share one too.

    Args:
        rows: what differs in elements.
        positions: the pairs of elements.
        released, candidate: the contracts.
    """
    listed = [row for row in rows if row.about.kind is ElementKind.PARAMETER and not row.difference.facet]
    if released.kind is not ContractKind.OPENAPI or len(listed) < 2:
        return list(rows)
    edits = _Edits(positions, (released, candidate))
    groups: dict[_Use, dict[bytes, list[ElementDifference]]] = {}
    for row in listed:
        if row.position.anchor is not None or edits.is_of_component(row):
            groups.setdefault(_use(row), {}).setdefault(canonical(asked(row)), []).append(row)
    made: dict[int, ElementDifference] = {}
    for alike in groups.values():
        for group in alike.values():
            made |= _at_home(group, apart=len(alike) > 1)
    return [made.get(id(row), row) for row in rows]


def asked(row: ElementDifference) -> dict[str, Json]:
    """What rules ask of the operation that a row stands in: one that loses or gains a parameter, or proves more."""
    if row.about.kind is ElementKind.SECURITY:
        return {name: value for name, value in row.difference.facts.items() if name == fact.SENT_BEFORE}
    if row.about.kind is not ElementKind.PARAMETER or row.difference.facet:
        return {}
    return {name: value for name, value in row.difference.facts.items() if name not in _OWN}


class _Edits:
    """Which components were edited: what both sides still have in some operation, and what both of them write."""

    def __init__(self, positions: Iterable[Position], contracts: tuple[Contract, Contract]) -> None:
        self._contracts = contracts
        self._kept = {
            (side, element.place, element.key)
            for position in positions
            if position.released.kind is ElementKind.PARAMETER
            for side, element in enumerate((position.released, position.candidate))
        }

    def is_of_component(self, row: ElementDifference) -> bool:
        """False where the component stays as it is, so that the operation was edited, and where messages judge it."""
        side = _side(row)
        if not _is_elsewhere(row) or fact.SENT_IN in row.difference.facts:
            return False
        if any(child.kind is ElementKind.PARAMETER and self._is_at(child, row) for child in _theirs(row).children):
            return True
        kept = (side, row.about.place, row.about.key) in self._kept
        return not kept and not self._is_written(row)

    def _is_at(self, other: Element, row: ElementDifference) -> bool:
        """True for an element of the other side that is written where the row's one is."""
        return other.place == self._there(row)

    def _is_written(self, row: ElementDifference) -> bool:
        """True when the other side has the component, though no operation refers to it any more."""
        there = self._there(row)
        here = (self._contracts[_side(row)], row.about.place), (self._contracts[1 - _side(row)], there)
        own, other = (_identity(contract, place) for contract, place in here)
        return own == other

    def _there(self, row: ElementDifference) -> Place:
        """The place of the row's element in the files of the other side; those that both start at may differ."""
        place, side = row.about.place, _side(row)
        entries = [contract.root.place.file for contract in self._contracts]
        return Place(entries[1 - side], place.pointer) if place.file == entries[side] else place


def _identity(contract: Contract, place: Place) -> tuple[Json, Json] | None:
    """What makes the parameter at a place a unique one, None for none."""
    node = follow(contract.documents.get(place.file), place.pointer)
    return (node.get("in"), node.get("name")) if isinstance(node, Mapping) else None


def _side(row: ElementDifference) -> int:
    """0 for a parameter of the released contract, 1 for one of the candidate."""
    return 1 if row.difference.direction is Change.ADDED else 0


def _theirs(row: ElementDifference) -> Element:
    """The operation that lacks the parameter."""
    return (row.position.candidate, row.position.released)[_side(row)]


def _is_elsewhere(row: ElementDifference) -> bool:
    """True for a parameter that is written outside the operations and what stands beside them."""
    about, owner = row.about, (row.position.released, row.position.candidate)[_side(row)]
    if about.place.line is not None or about.place.pointer.startswith(_IN_OPERATIONS):
        return False
    return is_shared(owner, about) and not is_the_paths(owner, about)


def _use(row: ElementDifference) -> _Use:
    about, anchor = row.about, row.position.anchor
    home = about.place if anchor is None else anchor.written
    return _side(row), home, about.key, about.role, about.polarity, about.in_error


def _at_home(group: Sequence[ElementDifference], *, apart: bool) -> dict[int, ElementDifference]:
    """The rows, by their identity, anchored where they are written; none of a component that one operation alone uses.

    `apart`: rules ask for something else in other operations, so that what they ask for here tells the rows apart.
    """
    row = group[0]
    anchor = row.position.anchor
    if anchor is None and len({each.position.operation for each in group}) == 1:
        return {}
    home = Anchor(row.about, added=_side(row) == 1) if anchor is None else anchor
    if apart:
        home = home.below(*(f"{name} {value}" for name, value in sorted(asked(row).items())))
    alone = all(each.difference.facts.get(fact.ONLY_ONE) is True for each in group)
    return {
        id(each): replace(
            each,
            position=each.position._replace(anchor=home),
            difference=replace(each.difference, facts={**each.difference.facts, fact.ONLY_ONE: alone}),
        )
        for each in group
    }
