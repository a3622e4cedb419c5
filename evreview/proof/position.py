"""The two schema nodes that a row stands in, their value sets, and where both stand in whole messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import dialect_of
from evreview.comparison.proof.child_edges import Edges
from evreview.contract.model import Contract, ElementKind, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow, steps_of
from evreview.core.vocabulary import MISSING, Change, Json, Missing, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.names import OWED, addressed_name
from evreview.schema.to_json_schema import Source, closed, references

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

    def documents(self) -> tuple[tuple[Mapping[str, Json], SchemaDialect], tuple[Mapping[str, Json], SchemaDialect]]:
        """The documents of both contracts and the dialects of their schemas."""
        (old, new), (one, other) = self._contracts, self._dialects
        return (old.documents, one), (new.documents, other)

    @cached_property
    def edges(self) -> tuple[Edges, Edges]:
        """The steps below the nodes of both contracts."""
        old, new = (
            Edges(Resolver(contract.documents), dialect)
            for contract, dialect in zip(self._contracts, self._dialects, strict=True)
        )
        return old, new

    def full(self, pair: Pair, polarity: Polarity) -> tuple[Json, Json] | None:
        """Both nodes as self-contained schemas, each with its own definitions; None when too much hangs together."""
        sides = self.sides(polarity)
        found = [
            closed(source.schema(value), source.definition)
            for source, value in zip((sides.released, sides.candidate), pair, strict=True)
        ]
        sizes = [len(schema.get("$defs", ())) if isinstance(schema, dict) else 0 for schema in found]
        return (found[0], found[1]) if max(sizes) <= _MANY else None

    def written(self, place: Place, polarity: Polarity | None, *, released: bool) -> Json | None:
        """The schema at a place of one contract, None when no schema is written there."""
        at = 0 if released else 1
        sides = self.sides(polarity)
        node = follow(self._contracts[at].documents.get(place.file), place.pointer)
        if not isinstance(node, (dict, bool)):
            return None
        return (sides.released, sides.candidate)[at].schema(ValueSet(place, node, self._dialects[at]))

    def nodes(self, delta: Delta) -> Pair | None:
        """The schema nodes that hold the difference on both sides, None when a place is missing."""
        places = (
            _node_place(delta, delta.released_place, holds=delta.change is not Change.ADDED),
            _node_place(delta, delta.candidate_place, holds=delta.change is not Change.REMOVED),
        )
        found = []
        for place, contract, dialect in zip(places, self._contracts, self._dialects, strict=True):
            node = follow(contract.documents.get(place.file), place.pointer) if place is not None else MISSING
            if place is None or not isinstance(node, (dict, bool)):
                return None
            found.append(ValueSet(place, node, dialect))
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
            node = follow(self._contracts[0].documents.get(place.file), place.pointer)
            if not isinstance(node, Missing):
                return sides.released.schema(ValueSet(place, node, self._dialects[0]))
        return sides.candidate.definition(name)


def direction(delta: Delta) -> Polarity | None:
    """The polarity of the message that a row stands in; below `not` it is not the row's own."""
    flipped = delta.facts.get(comparison_delta.UNDER_NOT) is True and delta.polarity is not None
    return delta.polarity.flipped if flipped and delta.polarity is not None else delta.polarity


def _node_place(delta: Delta, place: Place | None, *, holds: bool) -> Place | None:
    """The node that a place of a row stands in; a side that does not hold the member is named by its object."""
    if place is None:
        return None
    if delta.element is ElementKind.PROPERTY and delta.facet == "" and not holds:
        return place
    if delta.element is ElementKind.PROPERTY:
        # What is owed but not declared is written at its object.
        named = delta.facet != OWED or (steps_of(place.pointer) or ("",))[-1] == addressed_name(delta)
        return Place(place.file, _MEMBER.sub("", place.pointer) if named else place.pointer)
    pattern = _BRANCH if delta.facet in ("allOf", "anyOf", "oneOf", "prefixItems", "patternProperties") else None
    return Place(place.file, pattern.sub("", place.pointer)) if pattern else place
