"""The value sets of two schema nodes compared in the direction of a message; each comparison is made once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from evreview.comparison.proof.position import RowPositions
from evreview.contract.model import SchemaDialect, ValueSet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json, Tristate
from evreview.schema.evaluator import Evaluator
from evreview.schema.subsumption.relation import StatedSchemas, Subsumption, SubsumptionChecker
from evreview.schema.to_json_schema import Source
from evreview.schema.view import Part, Sub
from evreview.schema.wire_text import text_of
from evreview.schema.written_values import ReadingSide, Written, chosen, objects_of, one_case, without_objects

Schemas = tuple[Json, Json]


class Sets:
    """Compares what two contracts admit; the side that sends is the left one."""

    def __init__(self, positions: RowPositions) -> None:
        self._positions = positions
        self._engines: dict[tuple[Direction, bool, bool], SubsumptionChecker] = {}
        self._joined: dict[tuple[int, ...], tuple[Sub, Json]] = {}
        self._met: dict[tuple[int, int], tuple[Json, Json, Json]] = {}

    def of_nodes(self, pair: tuple[ValueSet, ValueSet], direction: Direction) -> Schemas:
        """The schemas of two nodes, released first."""
        sides = self._positions.sides(direction)
        return sides.released.schema(pair[0]), sides.candidate.schema(pair[1])

    def of_subs(self, pair: tuple[Sub, Sub], direction: Direction) -> Schemas:
        """The schemas of two positions, all the nodes that meet there taken together, released first."""
        sides = self._positions.sides(direction)
        (_, old), (_, new) = self._positions.documents()
        return self._all_of(pair[0], sides.released, old), self._all_of(pair[1], sides.candidate, new)

    def both(self, one: Json, other: Json) -> Json:
        """The schema of the values of two schemas of one side."""
        key = (id(one), id(other))
        if key not in self._met:
            self._met[key] = (one, other, {"allOf": [one, other]})
        return self._met[key][2]

    def _all_of(self, sub: Sub, source: Source, dialect: SchemaDialect) -> Json:
        def converted(part: Part) -> Json:
            return source.schema(ValueSet(part.place, part.node, dialect))

        if len(sub.parts) == 1:
            return converted(sub.parts[0])
        key = (id(source), *sub.key)
        if key not in self._joined:
            self._joined[key] = (sub, {"allOf": [converted(part) for part in sub.parts]})
        return self._joined[key][1]

    def contained(self, schemas: Schemas, direction: Direction, *, shared: bool = False) -> Subsumption:
        """The same as `safe`, quicker, and without a value."""
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=shared, back=False).contained(sent, expected)

    def safe(self, schemas: Schemas, direction: Direction, *, shared: bool = False) -> Subsumption:
        """Whether all that is sent is expected.

        Args:
            schemas: released first.
            shared: True to take components of one name for the same: what changed inside them has rows of its own.
        """
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=shared, back=False).decide(sent, expected)

    def alike(self, schemas: Schemas, direction: Direction, *, shared: bool = False) -> bool:
        """True when both schemas are written alike, whatever the order of their keywords."""
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=shared, back=False).alike(sent, expected)

    def member(self, schemas: Schemas, direction: Direction, name: str) -> Subsumption:
        """Whether every member of a name that is sent is one that is expected."""
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=False, back=False).member(sent, expected, name)

    def owed(self, schemas: Schemas, direction: Direction, name: str) -> bool:
        """False when neither side demands a member of a name in this direction, in whatever branch."""
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=False, back=False).owed(sent, expected, name)

    def mentions(self, schemas: Schemas, direction: Direction, slots: Iterable[tuple[str, str]], name: str) -> bool:
        """True when any schema of the sending side may mention a name that looks at the value below some members."""
        sent = schemas[0] if direction is Direction.READ else schemas[1]
        found = self._engine(direction, shared=False, back=False).mentioned(sent, slots)
        return found is None or name in found

    def described(self, schemas: Schemas, direction: Direction, slots: Iterable[tuple[str, str]], own: Schemas) -> bool:
        """True when the sending side may describe the value below some members by more than the value's own schema."""
        at = 0 if direction is Direction.READ else 1
        return self._engine(direction, shared=False, back=False).described(schemas[at], slots, own[at])

    def carried(
        self, above: tuple[Schemas, StatedSchemas], direction: Direction, slot: tuple[str, str] | None, own: Schemas
    ) -> StatedSchemas:
        """What the sending side says of a value below, beside the value's own schema."""
        at = 0 if direction is Direction.READ else 1
        engine = self._engine(direction, shared=False, back=False)
        return engine.carried(above[0][at], above[1], slot, own[at])

    def told(self, told: StatedSchemas, direction: Direction, name: str) -> bool:
        """True when what is told of a value may declare a member of a name."""
        return self._engine(direction, shared=False, back=False).told(told, name)

    def strays(
        self, direction: Direction, sent: Json, expected: Json, value: Json, *, free: bool = False
    ) -> frozenset[tuple[str | int, ...]]:
        """The ways to those members of a value that only the expecting side declares, and nobody sends.

        Args:
            sent, expected: the schemas of both sides.
            value: what is sent.
            free: True to count the members of objects that say that others may come, or declare none, too.
        """
        return self._engine(direction, shared=False, back=False).strays(sent, expected, value, free=free)

    def equal(self, schemas: Schemas, direction: Direction, *, shared: bool = False) -> bool:
        """True when both schemas surely admit the same, undeclared members counted in."""
        found = self.contained(schemas, direction, shared=shared)
        if found.answer is not Tristate.YES or found.assumed:
            return False
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        return self._engine(direction, shared=shared, back=True).contained(expected, sent).answer is Tristate.YES

    def _engine(self, direction: Direction, *, shared: bool, back: bool) -> SubsumptionChecker:
        key = (direction, shared, back)
        if key not in self._engines:
            sides = self._positions.sides(direction)
            forth = (direction is Direction.READ) is not back
            left, right = (sides.released, sides.candidate) if forth else (sides.candidate, sides.released)
            self._engines[key] = SubsumptionChecker(left.definition, right.definition, shared=shared, declared=not back)
        return self._engines[key]


# Whether what peers write who know the contracts is expected, where the letter of open objects decides nothing.
#
# Sent is what one way of each choice names, and what the letter admits too; expected is what the letter admits.


_STEPS: Final = 4_000
"""Questions per decision: a choice that is compared way by way asks more than one compared by the letter."""
_BRANCHES: Final = 32
_PAIRS: Final = 1_000
"""How many ways of both sides are held against each other at most."""


class Meant:
    """Compares what is written, each question once."""

    def __init__(self, positions: RowPositions) -> None:
        self._positions = positions
        self._sides: dict[Direction, tuple[Written, Written]] = {}
        self._engines: dict[Direction, SubsumptionChecker] = {}
        self._known: dict[tuple[int, int, Direction], tuple[Schemas, bool]] = {}
        self._closed: dict[Direction, tuple[Written, Evaluator]] = {}
        self._own: dict[Direction, SubsumptionChecker] = {}

    def contained(self, schemas: Schemas, direction: Direction) -> bool:
        """True when all that is written on the side that sends is expected; asks nothing where no choice is made.

        Args:
            schemas: released first.
        """
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        key = (id(sent), id(expected), direction)
        if key not in self._known:
            self._known[key] = (schemas, self._contained(sent, expected, direction))
        return self._known[key][1]

    def _contained(self, sent: Json, expected: Json, direction: Direction) -> bool:
        mine, theirs = self._pair(direction)
        alternatives, cases = mine.alternatives(sent), theirs.alternatives(expected)
        if alternatives is None or cases is None or max(len(alternatives), len(cases)) < 2:
            return False
        engine = self._engine(direction)
        for usage_path in mine.each(sent, ReadingSide(theirs, expected)):
            sends = {"allOf": [usage_path, sent]}
            if engine.contained(sends, expected).answer is Tristate.YES or self._refused(usage_path, sent, direction):
                continue
            return False
        return True

    def _refused(self, usage_path: Json, sent: Json, direction: Direction) -> bool:
        """True when the letter refuses all of one way to write a schema, for it meets two branches of a `oneOf`."""
        mine, _ = self._pair(direction)
        if direction not in self._own:
            self._own[direction] = SubsumptionChecker(mine.definition, mine.definition, steps=_STEPS)
        for branches in chosen(sent, mine.definition, "oneOf"):
            found = (self._own[direction].contained(usage_path, branch) for branch in branches[:_BRANCHES])
            if sum(each.answer is Tristate.YES and not each.assumed for each in found) > 1:
                return True
        return False

    def served(self, schemas: Schemas, direction: Direction, part: Json = None) -> bool:
        """True when each kind of message that is sent has its own case on the side that expects it.

        A branch that only takes a message because its objects are open, and names other members, is no case of it.

        Args:
            schemas: released first.
            part: a branch of the side that sends, None for all that is sent.
        """
        sent, expected = schemas if direction is Direction.READ else schemas[::-1]
        mine, theirs = self._pair(direction)
        alternatives, cases = mine.alternatives(sent if part is None else part), theirs.alternatives(expected)
        if alternatives is None or cases is None or len(alternatives) * len(cases) > _PAIRS:
            return False
        engine = self._engine(direction)
        plain = [node for usage_path in alternatives if (node := without_objects(usage_path)) is not None]
        others: Json = {"anyOf": list(cases)}
        if not all(engine.contained(node, others).answer is Tristate.YES for node in plain):
            return False
        takers = objects_of(cases)
        return all(
            any(
                one_case(usage_path, case) and engine.contained(usage_path, case).answer is Tristate.YES
                for case in takers
            )
            and not self._twice(usage_path, expected, direction)
            for usage_path in objects_of(alternatives)
        )

    def _twice(self, usage_path: Json, expected: Json, direction: Direction) -> bool:
        """True when all of one way to write a message meets two branches of a `oneOf` that expects it."""
        engine, (_, theirs) = self._engine(direction), self._pair(direction)
        for branches in chosen(expected, theirs.definition, "oneOf", within=True):
            found = (engine.contained(usage_path, branch) for branch in branches[:_BRANCHES])
            if sum(each.answer is Tristate.YES for each in found) > 1:
                return True
        return False

    def writes(self, direction: Direction, sent: Json, value: Json) -> bool:
        """True when a value has the members of one way to meet the schema that it is sent by, and no others."""
        if direction not in self._closed:
            sides = self._positions.sides(direction)
            source = sides.released if direction is Direction.READ else sides.candidate
            written = Written(source.definition, closed=True)
            self._closed[direction] = (written, Evaluator(written.definition))
        written, evaluator = self._closed[direction]
        return evaluator.admits(written.one_of(sent), value) is not False

    def _pair(self, direction: Direction) -> tuple[Written, Written]:
        """What is written on the side that sends, and on the one that expects."""
        if direction not in self._sides:
            sides = self._positions.sides(direction)
            both = Written(sides.released.definition), Written(sides.candidate.definition)
            self._sides[direction] = both if direction is Direction.READ else both[::-1]
        return self._sides[direction]

    def _engine(self, direction: Direction) -> SubsumptionChecker:
        if direction not in self._engines:
            mine, theirs = self._pair(direction)
            self._engines[direction] = SubsumptionChecker(mine.definition, theirs.definition, steps=_STEPS)
        return self._engines[direction]


# Lists and objects of which every item and member is judged by its own schema alone, read from schemas.


_OBJECT: Final = frozenset(
    {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
    }
)
"""What an expected object may be told besides its members; no other keyword looks into a member."""
_LIST: Final = frozenset({"type", "items", "minItems", "maxItems", "uniqueItems", "$defs", "title", "description"})
_DISTINCT: Final = frozenset({"string", "integer", "number", "boolean"})
"""Types whose different values have different texts."""
_MANY: Final = 10**9
_DEEPEST: Final = 8


@frozen
class PlainList:
    """What a schema says that describes a list and nothing more: its items, and how many there may be."""

    item: Json
    least: int
    most: int
    unique: bool


def plain_list(schema: Json) -> PlainList | None:
    """What a schema says that describes a list and nothing more, None for any other."""
    found, definitions = _resolved(schema)
    if not isinstance(found, Mapping) or found.get("type") != "array" or found.keys() - _LIST:
        return None
    least, most, item = found.get("minItems", 0), found.get("maxItems", _MANY), found.get("items", True)
    if not isinstance(least, int) or not isinstance(most, int):
        return None
    held = {**item, "$defs": dict(definitions)} if isinstance(item, Mapping) else item
    return PlainList(held, least, most, found.get("uniqueItems") is True)


def stays_unique(given: PlainList | None, wanted: PlainList) -> bool:
    """True when a list that is sent surely has items that differ as they are read, or when nobody asks that."""
    if not wanted.unique:
        return True
    return given is not None and given.unique and _has_distinct_texts(given.item) and _reads_one_by_one(wanted.item)


def _reads_one_by_one(schema: Json) -> bool:
    """True when different texts are surely read as different values; the number 1 may be written 1.0."""
    item, _ = _resolved(schema)
    if not isinstance(item, Mapping) or item.keys() & {"anyOf", "oneOf", "allOf"}:
        return False
    listed, named = item.get("enum"), item.get("type")
    if isinstance(listed, list):
        return not any(isinstance(value, float) for value in listed)
    return isinstance(named, str) and named in _DISTINCT - {"number"}


def _has_distinct_texts(schema: Json) -> bool:
    item, _ = _resolved(schema)
    if not isinstance(item, Mapping):
        return False
    listed = item.get("enum")
    if isinstance(listed, list):
        texts = [text_of(value) for value in listed]
        return None not in texts and len(set(texts)) == len(texts)
    named = item.get("type")
    return isinstance(named, str) and named in _DISTINCT


def is_plain_object(whole: Json) -> bool:
    """True for an object, one of several nodes too, whose members are judged by their own schemas alone."""
    schema, definitions = _resolved(whole)
    if not isinstance(schema, Mapping):
        return False
    parts = schema.get("allOf")
    if schema.keys() - {"$defs"} != {"allOf"} or not isinstance(parts, (list, tuple)):
        return not schema.keys() - _OBJECT - {"$defs"}
    found = [_followed(part, definitions) for part in parts]
    return all(isinstance(one, Mapping) and not one.keys() - _OBJECT and _names_its_own(one) for one in found)


def _names_its_own(schema: Mapping[str, Json]) -> bool:
    """True when nothing is said of members that another node may name."""
    return not isinstance(schema.get("additionalProperties"), Mapping)


def _resolved(schema: Json) -> tuple[Json, Mapping[str, Json]]:
    """A self-contained schema with the reference that it is followed, and its definitions."""
    found = schema.get("$defs") if isinstance(schema, Mapping) else None
    definitions: Mapping[str, Json] = found if isinstance(found, Mapping) else {}
    return _followed(schema, definitions), definitions


def _followed(schema: Json, definitions: Mapping[str, Json]) -> Json:
    for _ in range(_DEEPEST):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(schema, Mapping) or not isinstance(ref, str) or schema.keys() - {"$ref", "$defs"}:
            break
        schema = definitions.get(ref.removeprefix("#/$defs/"))
    return schema
