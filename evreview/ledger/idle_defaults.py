"""A default of what became required: nobody may leave it out any more, so the row of the demand says all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.elements import Position, Root
from evreview.comparison.noise import TOLD_BY_DEMAND
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import ElementKind

_FACET: Final = "default"
_OWED: Final = "required"
_NAMED: Final = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})


def tell_defaults(pairs: Sequence[SchemaPair], roots: Sequence[Root]) -> None:
    """Gives rows of defaults their reason where every way to them leads through a member that became required."""
    ways: dict[int, list[bool]] = {}
    for pair in pairs:
        demanded = _demanded(pair) if pair.links else frozenset()
        for link in pair.links:
            ways.setdefault(id(link.target), []).append(_is_demanded(link, demanded))
    for root in roots:
        ways.setdefault(id(root.pair), []).append(_became_required(root.position))
    for pair in pairs:
        if all(ways.get(id(pair), [False])):
            pair.differences = [
                replace(row, reason=TOLD_BY_DEMAND) if row.facet == _FACET and not row.steps and not row.reason else row
                for row in pair.differences
            ]


def _is_demanded(link: Link, demanded: frozenset[str]) -> bool:
    return link.required is False and link.step in demanded


def _demanded(pair: SchemaPair) -> frozenset[str]:
    """The steps to members of a pair, or of what its views merged, that a row says to be required now."""
    found, seen, waiting = set[str](), {id(pair)}, [pair]
    while waiting:
        at = waiting.pop()
        for row in at.differences:
            if row.facet == _OWED and row.candidate is True and not row.reason:
                found.update(row.steps[:1])
        for link in at.links:
            if not link.step and id(link.target) not in seen:
                seen.add(id(link.target))
                waiting.append(link.target)
    return frozenset(found)


def _became_required(position: Position) -> bool:
    old, new = position.released, position.candidate
    return old.kind in _NAMED and old.facet(_OWED) is not True and new.facet(_OWED) is True
