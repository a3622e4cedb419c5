"""Members that moved between a schema and the branches that look at the same value: both sides declare them there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import Aspect
from evreview.ledger.node_pair import Side
from evreview.schema.reader import UNEVALUATED
from evreview.schema.view import Key, Sub

_BRANCHES: Final = ("allOf(", "anyOf(", "oneOf(", "if has ")
_ALONE: Final = frozenset({"", "if", "then", "else", "not"})
_BRANCHING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"})
_MOST: Final = 200


class MovedMembers:
    """Reads which members two positions declare in place, branches included."""

    def __init__(self, old: Side, new: Side) -> None:
        self._sides = (old, new)
        self._known: tuple[dict[Key, frozenset[str]], dict[Key, frozenset[str]]] = ({}, {})

    def of(self, pair: SchemaPair) -> frozenset[str]:
        """The members that both sides of a pair declare, in itself or in its branches."""
        return self._declared(0, pair.released) & self._declared(1, pair.candidate)

    def explain(self, pair: SchemaPair, at: SchemaPair) -> bool:
        """True when all members that a pair has more or less are declared on both sides of another one, above it."""
        names = _names(pair)
        return not names or names <= self.of(at)

    def _declared(self, side: int, sub: Sub) -> frozenset[str]:
        known = self._known[side]
        if sub.key not in known:
            known[sub.key] = self._read(self._sides[side], sub)
        return known[sub.key]

    def _read(self, side: Side, start: Sub) -> frozenset[str]:
        found: set[str] = set()
        waiting, seen = [start], {start.key}
        while waiting and len(seen) < _MOST:
            sub = waiting.pop()
            found |= side.views.view(sub).properties.keys()
            for edge in side.views.edges(sub) if _branches(sub) else ():
                below = side.views.resolve(edge.sub)
                # What `not` refuses is not declared.
                declares = not edge.name and not edge.flips and in_place(edge.step)
                if declares and below.key not in seen:
                    seen.add(below.key)
                    waiting.append(below)
        return frozenset(found)


def _branches(sub: Sub) -> bool:
    """True for a schema that anything else in place may stand in."""
    return len(sub.parts) > 1 or sub.writes(_BRANCHING)


def _names(pair: SchemaPair) -> set[str]:
    return {row.name for row in pair.differences if row.aspect is Aspect.FIELDS and not row.reason}


def moved_below(equal: Iterable[SchemaPair], moved: MovedMembers) -> Mapping[int, frozenset[str]]:
    """By id of each pair in place below one of the `equal` ones: the members that each of these declares twice."""
    found: dict[int, frozenset[str]] = {}
    for top in equal:
        names = moved.of(top)
        for pair in _in_place(top):
            found[id(pair)] = names & found.get(id(pair), names)
    return found


def below_judges(pairs: Iterable[SchemaPair]) -> frozenset[int]:
    """The ids of the pairs in place below one that judges what is left unevaluated."""
    found: set[int] = set()
    for pair in pairs:
        if pair.released.writes(UNEVALUATED) or pair.candidate.writes(UNEVALUATED):
            found.update(id(each) for each in _in_place(pair)[1:])
    return frozenset(found)


def _in_place(top: SchemaPair) -> Sequence[SchemaPair]:
    found = [top]
    seen = {id(top)}
    for pair in found:
        for link in pair.links:
            if link.required is None and in_place(link.step) and id(link.target) not in seen:
                seen.add(id(link.target))
                found.append(link.target)
    return found


def in_place(step: str) -> bool:
    """True for a step, to no field, that stays with the same value."""
    return step in _ALONE or step.startswith(_BRANCHES)
