"""The uses of a row on both sides: every way from the position of a message down to the schema pair that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import dialect_of
from evreview.comparison.delta import Delta
from evreview.comparison.elements import Root
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.child_edges import ChildEdges
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import Contract, ElementKind, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow, steps_of
from evreview.core.vocabulary import ABSENT, Absent, Change, Direction, Json
from evreview.messages.contract_examples import ContractExamples
from evreview.schema.evaluator import Evaluator
from evreview.schema.to_json_schema import Source, closed, references
from evreview.schema.value_generator import ARRAYS, MemberSlot, ValueGenerator
from evreview.schema.view import Branch, Key, Part, Sub, branch_of, read_step

# The name of the member that a row is about, as its places or its address tell it.


OWED: Final = "required"


def property_name(step: str) -> str:
    """The name behind a step, as `property_step` wrote it."""
    return "" if step == '""' else read_step(step)


def addressed_name(delta: Delta) -> str:
    """The name that the last step of a row's address shows."""
    return property_name(delta.address.rpartition(" > ")[2])


def field_name(delta: Delta) -> str | None:
    """The name of the member that a row about a field concerns, None when no place tells it."""
    if delta.facet == OWED:
        # What is owed need not be declared, and then the places are the object's.
        return addressed_name(delta)
    places = (delta.released_place, delta.candidate_place)
    for place in places[::-1] if delta.change is Change.ADDED else places:
        path = (steps_of(place.pointer) or ()) if place is not None else ()
        if len(path) > 1 and path[-2] == "properties":
            return path[-1]
    return None


# The two schema nodes that a row stands in, their value sets, and where both stand in whole messages.


_MEMBER: Final = re.compile(r"/properties/[^/]*\Z")
_BRANCH: Final = re.compile(r"/(?:allOf|anyOf|oneOf|prefixItems)/\d+\Z|/patternProperties/[^/]*\Z")
_MANY: Final = 150
Pair = tuple[ValueSet, ValueSet]


@frozen
class SourcePair:
    """Both contracts' value sets in one direction."""

    released: Source
    candidate: Source


class RowPositions:
    """Finds the nodes of rows in two contracts."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._contracts = (released, candidate)
        self._dialects = (dialect_of(released), dialect_of(candidate))
        self._sides: dict[Direction | None, SourcePair] = {}

    def sides(self, direction: Direction | None) -> SourcePair:
        """Both sources in the given direction."""
        if direction not in self._sides:
            self._sides[direction] = SourcePair(*(Source(contract, direction) for contract in self._contracts))
        return self._sides[direction]

    def documents(self) -> tuple[tuple[Mapping[str, Json], SchemaDialect], tuple[Mapping[str, Json], SchemaDialect]]:
        """The documents of both contracts and the dialects of their schemas."""
        (old, new), (one, other) = self._contracts, self._dialects
        return (old.documents, one), (new.documents, other)

    @cached_property
    def edges(self) -> tuple[ChildEdges, ChildEdges]:
        """The steps below the nodes of both contracts."""
        old, new = (
            ChildEdges(Resolver(contract.documents), dialect)
            for contract, dialect in zip(self._contracts, self._dialects, strict=True)
        )
        return old, new

    def full(self, pair: Pair, direction: Direction) -> tuple[Json, Json] | None:
        """Both nodes as self-contained schemas, each with its own definitions; None when too much hangs together."""
        sides = self.sides(direction)
        found = [
            closed(source.schema(value), source.definition)
            for source, value in zip((sides.released, sides.candidate), pair, strict=True)
        ]
        sizes = [len(schema.get("$defs", ())) if isinstance(schema, dict) else 0 for schema in found]
        return (found[0], found[1]) if max(sizes) <= _MANY else None

    def written(self, place: Place, direction: Direction | None, *, released: bool) -> Json | None:
        """The schema at a place of one contract, None when no schema is written there."""
        at = 0 if released else 1
        sides = self.sides(direction)
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
            node = follow(contract.documents.get(place.file), place.pointer) if place is not None else ABSENT
            if place is None or not isinstance(node, (dict, bool)):
                return None
            found.append(ValueSet(place, node, dialect))
        return found[0], found[1]

    def whole(self, pair: Pair, direction: Direction | None) -> tuple[Json, Json] | None:
        """Both nodes as self-contained schemas in which components of the same name are the released ones.

        What changed inside a shared component is a row of its own. None when too much hangs together.
        """
        sides = self.sides(direction)
        found = []
        for schema in (sides.released.schema(pair[0]), sides.candidate.schema(pair[1])):
            whole = self._closed(schema, sides)
            if whole is None:
                return None
            found.append(whole)
        return found[0], found[1]

    def _closed(self, schema: Json, sides: SourcePair) -> Json | None:
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

    def _target(self, name: str, sides: SourcePair) -> Json | None:
        released = sides.released.definition(name)
        if released is not None:
            return released
        place = sides.candidate.place(name)
        if place is not None:
            node = follow(self._contracts[0].documents.get(place.file), place.pointer)
            if not isinstance(node, Absent):
                return sides.released.schema(ValueSet(place, node, self._dialects[0]))
        return sides.candidate.definition(name)


def direction_of(delta: Delta) -> Direction | None:
    """The direction of the message that a row stands in; below `not` it is not the row's own."""
    reversed = delta.facts.get(comparison_delta.UNDER_NOT) is True and delta.direction is not None
    return delta.direction.reversed if reversed and delta.direction is not None else delta.direction


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


_VISITS: Final = 3
"""How often one pair is passed; more ways through it differ further up."""
_STEPS: Final = 4000
_ROOTS: Final = 3
Leg = tuple[SchemaPair, Link]
_Legs = tuple["_Legs | None", Leg] | None


@frozen
class UsagePath:
    """One use: the position, and the links from its pair down to the row's."""

    root: Root
    legs: tuple[Leg, ...]
    pair: SchemaPair


class UsagePaths:
    """Walks the ledger's pair graph upwards."""

    def __init__(self, ledger: Ledger) -> None:
        self._pairs = ledger.pairs
        self.roots = ledger.roots

    def pairs(self, delta: Delta) -> tuple[SchemaPair, ...]:
        """The schema pairs that show a row."""
        return self._pairs.get(delta.id, ())

    def roots_above(self, delta: Delta) -> list[Root]:
        """Every position of a message in the row's direction that carries it, in the ledger's order.

        None for a row below a subtype that a discriminator selects: no value set of a whole position knows of it.
        """
        found, selected = self._above(delta)
        return [] if selected else sorted(found.values(), key=lambda root: self._ranks[id(root)])

    def selected(self, delta: Delta) -> bool:
        """True for a row with a use below a subtype that a discriminator selects by name alone."""
        return self._above(delta)[1]

    def directions(self, delta: Delta) -> frozenset[Direction]:
        """The directions of all messages that lead to the pairs of a row, whatever its own direction is."""
        waiting = list(self.pairs(delta))
        seen = {id(pair) for pair in waiting}
        found: set[Direction] = set()
        for pair in waiting:
            said = (root.position.released.direction for root in self.tops.get(id(pair), ()))
            found.update(direction for direction in said if direction is not None)
            above = [user for user, _ in self.users.get(id(pair), ()) if id(user) not in seen]
            seen.update(map(id, above))
            waiting += above
        return frozenset(found)

    def _above(self, delta: Delta) -> tuple[dict[int, Root], bool]:
        seen = {id(pair) for pair in self.pairs(delta)}
        waiting = list(self.pairs(delta))
        found: dict[int, Root] = {}
        selected = False
        while waiting:
            pair = waiting.pop()
            found.update((id(root), root) for root in self.tops.get(id(pair), ()) if carries(root, delta))
            for above, _ in self.users.get(id(pair), ()):
                selected = selected or above.selects
                if id(above) not in seen:
                    seen.add(id(above))
                    waiting.append(above)
        return found, selected

    def to(self, delta: Delta, skipped: list[SchemaPair] | None = None) -> Iterator[UsagePath]:
        """The uses of a row in messages of its role, the simplest first, those of its own operation before others.

        Args:
            skipped: takes the pairs that were not passed once more, so that uses may be missing.
        """
        heap: list[tuple[int, tuple[str, ...], int, SchemaPair, _Legs]] = []
        for at, pair in enumerate(self.pairs(delta)):
            heappush(heap, (0, (), at, pair, None))
        visits: dict[int, int] = {}
        count = len(heap)
        while heap:
            cost, steps, _, pair, legs = heappop(heap)
            visits[id(pair)] = visits.get(id(pair), 0) + 1
            if visits[id(pair)] > _VISITS or count >= _STEPS:
                if skipped is not None:
                    skipped.append(pair)
                continue
            yield from self._here(delta, pair, legs)
            for above, link in self.users.get(id(pair), ()):
                if above.selects:
                    continue  # validators don't follow a discriminator: no value would be refused for this row
                count += 1
                heappush(heap, (cost + _price(link), (link.step, *steps), count, above, (legs, (above, link))))

    def _here(self, delta: Delta, pair: SchemaPair, legs: _Legs) -> Iterator[UsagePath]:
        usage_path = tuple(_downward(legs))
        end = usage_path[-1][1].target if usage_path else pair
        reversed = sum(link.reverses for _, link in usage_path) % 2 == 1
        if reversed is not (delta.facts.get(comparison_delta.UNDER_NOT) is True):
            return
        found = [root for root in self.tops.get(id(pair), ()) if is_use(root, delta, reversed=reversed)]
        found.sort(
            key=lambda root: (
                root.position.operation != delta.operation,
                root.position.operation,
                len(root.position.steps),
                root.position.steps,
            )
        )
        yield from (UsagePath(root, usage_path, end) for root in found[:_ROOTS])

    @cached_property
    def _ranks(self) -> Mapping[int, int]:
        return {id(root): at for at, root in enumerate(self.roots)}

    @cached_property
    def tops(self) -> Mapping[int, list[Root]]:
        """The positions that a pair is at the top of, by identity of the pair."""
        found: dict[int, list[Root]] = {}
        for root in self.roots:
            found.setdefault(id(root.pair), []).append(root)
        return found

    @cached_property
    def users(self) -> Mapping[int, list[Leg]]:
        """The links that lead to a pair, with the pair that each starts at, by identity."""
        found: dict[int, list[Leg]] = {}
        waiting = [root.pair for root in self.roots]
        seen = {id(pair) for pair in waiting}
        while waiting:
            pair = waiting.pop()
            for link in pair.links:
                found.setdefault(id(link.target), []).append((pair, link))
                if id(link.target) not in seen:
                    seen.add(id(link.target))
                    waiting.append(link.target)
        return found


_PRICES: Final[Mapping[Branch | None, int]] = {Branch.ALL_OF: 2, Branch.ANY_OF: 2, Branch.ONE_OF: 3}


def _price(link: Link) -> int:
    """Simple messages first: unions, conditions and `not` are passed only where nothing else leads to the row."""
    step = link.step
    if not step:
        return 0
    if link.reverses or step in ("if", "then", "else"):
        return 6
    return _PRICES.get(branch_of(step), 1)


def _downward(legs: _Legs) -> Iterator[Leg]:
    while legs is not None:
        below, leg = legs
        yield leg
        legs = below


def is_use(root: Root, delta: Delta, *, reversed: bool) -> bool:
    """True when a row is about messages of a position; `reversed`: an odd number of `not` lies between both."""
    element = root.position.released
    direction = element.direction.reversed if reversed and element.direction is not None else element.direction
    return element.role is delta.role and direction is delta.direction and element.in_error is delta.in_error


def carries(root: Root, delta: Delta) -> bool:
    """True for a position of the messages that a row is about."""
    element = root.position.released
    return (
        element.role is delta.role and element.direction is direction_of(delta) and element.in_error is delta.in_error
    )


# One way down to a row, seen from one contract: what judges each value on the way, and which member leads on.


_MEMBERS: Final[Mapping[str, str]] = {
    "[]": "items",
    "[contains]": "contains",
    "[unevaluated]": "unevaluatedItems",
    "{*}": "additionalProperties",
    "{unevaluated}": "unevaluatedProperties",
    "{names}": "propertyNames",
}
_AT: Final = re.compile(r"\[(\d+)\]\Z")
_REVERSING: Final = frozenset({"not", "if", "then", "else"})


@frozen
class ValueLevel:
    """What judges one value: the schemas that hold in place, outermost first, and the member that leads on."""

    subs: tuple[Sub, ...]
    slot: MemberSlot | None
    reversing: bool


class ValueSide:
    """One contract in one direction, ready to make values and to judge them."""

    def __init__(self, source: Source, documents: Mapping[str, Json], dialect: SchemaDialect) -> None:
        self.source = source
        self.evaluator = Evaluator(source.definition)
        self.builder = ValueGenerator(source.definition, self.evaluator)
        self.examples = ContractExamples(documents)
        self._documents = documents
        self._dialect = dialect
        self._schemas: dict[Key, tuple[Sub, Json]] = {}
        self._as_text: ValueSide | None = None

    @property
    def as_text(self) -> ValueSide:
        """The same side, making values that are to travel as text."""
        if self._as_text is None:
            made = self._as_text = copy(self)
            made.builder = ValueGenerator(self.source.definition, self.evaluator, texts=True)
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


def levels_of(usage_path: UsagePath, *, candidate: bool) -> tuple[ValueLevel, ...]:
    """The levels of a way from the position down; the last one holds the row."""
    found: list[ValueLevel] = []
    subs: list[Sub] = []
    reversing = False

    def side(pair: SchemaPair) -> Sub:
        return pair.candidate if candidate else pair.released

    for pair, link in usage_path.legs:
        subs.append(side(pair))
        slot = slot_of(link)
        if slot is None:
            reversing = reversing or turns(link)
        else:
            found.append(ValueLevel(tuple(subs), slot, reversing))
            subs, reversing = [], False
    return (*found, ValueLevel((*subs, side(usage_path.pair)), None, reversing))


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
    return link.reverses or branch_of(link.step) is Branch.ONE_OF or (link.required is None and link.step in _REVERSING)


def slot_of(link: Link) -> MemberSlot | None:
    """The member that a step leads into, None for a step that judges the same value."""
    step = link.step
    if link.required is not None:
        return MemberSlot("properties", property_name(step))
    if step in _MEMBERS:
        return MemberSlot(_MEMBERS[step], "")
    if step.startswith("{~"):
        return MemberSlot("patternProperties", step[2:-1])
    at = _AT.match(step)
    return MemberSlot("prefixItems", at[1]) if at is not None else None


def parts_at(value: Json, slots: Sequence[MemberSlot]) -> list[Json]:
    """The members of a value that stand where the holes lead."""
    found = [value]
    for slot in slots:
        found = [part for one in found for part in _parts(one, slot)]
    return found


def _parts(value: Json, slot: MemberSlot) -> list[Json]:
    if slot.keyword in ARRAYS:
        items = value if isinstance(value, list) else []
        at = int(slot.name) if slot.keyword == "prefixItems" else None
        return items if at is None else items[at : at + 1]
    if not isinstance(value, dict):
        return []
    if slot.keyword == "properties":
        return [value[slot.name]] if slot.name in value else []
    return list(value) if slot.keyword == "propertyNames" else list(value.values())
