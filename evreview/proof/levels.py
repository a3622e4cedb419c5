"""One way down to a row, seen from one contract: what judges each value on the way, and which member leads on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evreview.comparison.proof.position import Way
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import Place, SchemaDialect, ValueSet
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Json
from evreview.messages.contract_examples import ContractExamples
from evreview.proof.names import property_name
from evreview.schema.evaluator import Evaluator
from evreview.schema.to_json_schema import Source
from evreview.schema.value_generator import ARRAYS, Builder, Hole
from evreview.schema.view import Key, Part, Sub

_MEMBERS: Final[Mapping[str, str]] = {
    "[]": "items",
    "[contains]": "contains",
    "[unevaluated]": "unevaluatedItems",
    "{*}": "additionalProperties",
    "{unevaluated}": "unevaluatedProperties",
    "{names}": "propertyNames",
}
_AT: Final = re.compile(r"\[(\d+)\]\Z")
_ONE_OF: Final = "oneOf("
_TURNING: Final = frozenset({"not", "if", "then", "else"})


@dataclass(frozen=True, slots=True)
class Level:
    """What judges one value: the schemas that hold in place, outermost first, and the member that leads on."""

    subs: tuple[Sub, ...]
    hole: Hole | None
    turning: bool


class Side:
    """One contract in one direction, ready to make values and to judge them."""

    def __init__(self, source: Source, documents: Mapping[str, Json], dialect: SchemaDialect) -> None:
        self.source = source
        self.evaluator = Evaluator(source.definition)
        self.builder = Builder(source.definition, self.evaluator)
        self.examples = ContractExamples(documents)
        self._documents = documents
        self._dialect = dialect
        self._schemas: dict[Key, tuple[Sub, Json]] = {}
        self._as_text: Side | None = None

    @property
    def as_text(self) -> Side:
        """The same side, making values that are to travel as text."""
        if self._as_text is None:
            made = self._as_text = copy(self)
            made.builder = Builder(self.source.definition, self.evaluator, texts=True)
        return self._as_text

    @property
    def exhausted(self) -> bool:
        """True when no more values are made as parts of others."""
        return self.builder.exhausted or (self._as_text is not None and self._as_text.builder.exhausted)

    def schema(self, sub: Sub) -> Json:
        """The schema of a position of the pair graph."""
        if sub.key not in self._schemas:
            parts = [self._of(part) for part in sub.parts]
            self._schemas[sub.key] = (sub, parts[0] if len(parts) == 1 else {"allOf": parts})
        return self._schemas[sub.key][1]

    def written(self, place: Place) -> Json | None:
        """The schema that is written at a place, None when there is none."""
        node = follow(self._documents.get(place.file), place.pointer)
        return self.source.schema(ValueSet(place, node, self._dialect)) if isinstance(node, (dict, bool)) else None

    def _of(self, part: Part) -> Json:
        node = follow(self._documents.get(part.place.file), part.place.pointer)
        # A reference with siblings is read as `allOf`; here it is wanted as written.
        respelled = isinstance(node, dict) and isinstance(part.node, dict) and "$ref" in node.keys() - part.node.keys()
        if isinstance(node, (dict, bool)) and (node is part.node or respelled):
            return self.source.schema(ValueSet(part.place, node, self._dialect))
        return self.source.convert(ValueSet(part.place, part.node, self._dialect))


def levels_of(way: Way, *, candidate: bool) -> tuple[Level, ...]:
    """The levels of a way from the position down; the last one holds the row."""
    found: list[Level] = []
    subs: list[Sub] = []
    turning = False

    def side(pair: SchemaPair) -> Sub:
        return pair.candidate if candidate else pair.released

    for pair, link in way.legs:
        subs.append(side(pair))
        hole = hole_of(link)
        if hole is None:
            turning = turning or turns(link)
        else:
            found.append(Level(tuple(subs), hole, turning))
            subs, turning = [], False
    return (*found, Level((*subs, side(way.pair)), None, turning))


def conditions(schemas: Sequence[Json]) -> Iterator[Json]:
    """What a value has to meet for the `then` and `else` among schemas that hold in place to judge it."""
    for outer, inner in pairwise(schemas):
        if isinstance(outer, dict) and "if" in outer:
            if outer.get("then") == inner:
                yield outer["if"]
            elif outer.get("else") == inner:
                yield {"not": outer["if"]}


def turns(link: Link) -> bool:
    """True for a step after which more below may mean less above."""
    return link.flips or link.step.startswith(_ONE_OF) or (link.required is None and link.step in _TURNING)


def hole_of(link: Link) -> Hole | None:
    """The member that a step leads into, None for a step that judges the same value."""
    step = link.step
    if link.required is not None:
        return Hole("properties", property_name(step))
    if step in _MEMBERS:
        return Hole(_MEMBERS[step], "")
    if step.startswith("{~"):
        return Hole("patternProperties", step[2:-1])
    at = _AT.match(step)
    return Hole("prefixItems", at[1]) if at is not None else None


def parts_at(value: Json, holes: Sequence[Hole]) -> list[Json]:
    """The members of a value that stand where the holes lead."""
    found = [value]
    for hole in holes:
        found = [part for one in found for part in _parts(one, hole)]
    return found


def _parts(value: Json, hole: Hole) -> list[Json]:
    if hole.keyword in ARRAYS:
        items = value if isinstance(value, list) else []
        at = int(hole.name) if hole.keyword == "prefixItems" else None
        return items if at is None else items[at : at + 1]
    if not isinstance(value, dict):
        return []
    if hole.keyword == "properties":
        return [value[hole.name]] if hole.name in value else []
    return list(value) if hole.keyword == "propertyNames" else list(value.values())
