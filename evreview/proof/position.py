"""The two schema nodes that a row stands in, and their value sets, small enough to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evreview.contracts.model import Contract, ElementKind, Place, ValueSet
from evreview.contracts.refs import look_up
from evreview.ledger.delta import Delta
from evreview.ledger.diff import dialect_of
from evreview.shapes.json_schema import Source, references
from evreview.vocab import Json, Polarity

_MEMBER: Final = re.compile(r"/properties/[^/]*\Z")
_BRANCH: Final = re.compile(r"/(?:allOf|anyOf|oneOf|prefixItems)/\d+\Z|/patternProperties/[^/]*\Z")
_MANY: Final = 150
Pair = tuple[ValueSet, ValueSet]


@dataclass(frozen=True, slots=True)
class Sides:
    """Both contracts' value sets in one direction."""

    released: Source
    candidate: Source


class Positions:
    """Finds the nodes of rows in two contracts."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._contracts = (released, candidate)
        self._dialects = (dialect_of(released), dialect_of(candidate))
        self._sides: dict[Polarity | None, Sides] = {}

    def sides(self, polarity: Polarity | None) -> Sides:
        """Both sources in the given direction."""
        if polarity not in self._sides:
            self._sides[polarity] = Sides(*(Source(contract, polarity) for contract in self._contracts))
        return self._sides[polarity]

    def nodes(self, delta: Delta) -> Pair | None:
        """The schema nodes that hold the difference on both sides, None when a place is missing."""
        places = (_node_place(delta, delta.released_place), _node_place(delta, delta.candidate_place))
        found = []
        for place, contract, dialect in zip(places, self._contracts, self._dialects, strict=True):
            node = look_up(contract.documents.get(place.file), place.pointer) if place is not None else None
            if place is None or node is None or not isinstance(node[0], (dict, bool)):
                return None
            found.append(ValueSet(place, node[0], dialect))
        return found[0], found[1]

    def whole(self, pair: Pair, polarity: Polarity | None) -> tuple[Json, Json] | None:
        """Both nodes as self-contained schemas in which components of the same name are the released ones.

        What changed inside a shared component is a row of its own. None when too much hangs together.
        """
        sides = self.sides(polarity)
        found = []
        for schema in (sides.released.schema(pair[0]), sides.candidate.schema(pair[1])):
            whole = self._closed(schema, sides)
            if whole is None:
                return None
            found.append(whole)
        return found[0], found[1]

    def _closed(self, schema: Json, sides: Sides) -> Json | None:
        if not isinstance(schema, dict):
            return schema
        found: dict[str, Json] = {}
        waiting = list(references(schema))
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            target = self._target(name, sides)
            found[name] = True if target is None else target
            waiting.extend(references(found[name]))
            if len(found) > _MANY:
                return None
        return {**schema, "$defs": dict(sorted(found.items()))} if found else schema

    def _target(self, name: str, sides: Sides) -> Json | None:
        released = sides.released.definition(name)
        if released is not None:
            return released
        place = sides.candidate.place(name)
        if place is not None:
            node = look_up(self._contracts[0].documents.get(place.file), place.pointer)
            if node is not None:
                return sides.released.schema(ValueSet(place, node[0], self._dialects[0]))
        return sides.candidate.definition(name)


def _node_place(delta: Delta, place: Place | None) -> Place | None:
    if place is None:
        return None
    if delta.element is ElementKind.PROPERTY:
        return Place(place.file, _MEMBER.sub("", place.pointer))
    pattern = _BRANCH if delta.facet in ("allOf", "anyOf", "oneOf", "prefixItems", "patternProperties") else None
    return Place(place.file, pattern.sub("", place.pointer)) if pattern else place
