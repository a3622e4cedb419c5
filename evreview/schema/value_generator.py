"""Small values that a schema really admits, by construction and asked of the evaluator; the same on every machine.

They carry a value in question through the schemas around it. `boundary_values` only guesses, and aims at the border.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import ge, gt, le, lt
from typing import Any, Final, Generic, NamedTuple, TypeVar

from evreview.core.frozen import frozen
from evreview.core.json_text import same
from evreview.core.vocabulary import Json
from evreview.schema.boundary_values import matching, numbers, texts
from evreview.schema.evaluator import Evaluator
from evreview.schema.views import Definition, Node, alternatives, conjuncts, types_of

# Makings that need each other: what was made once, and what failed only because other makings were under way.


Made = TypeVar("Made")
Key = str | int | frozenset["Key"]


@frozen
class _Failure:
    """What could not be made.

    Attributes:
        subject: kept so that nothing else gets its identity.
        awaited: what was under way and stood in the way; all of it still is.
        least: from how many makings inside each other on this holds, 0 when there was room enough.
    """

    subject: object
    awaited: frozenset[Key]
    least: int


class GenerationAttempts(Generic[Made]):
    """Makes each thing once, at most `deepest` inside each other.

    A failure holds while all that it ran into is under way: who asks again meanwhile is told at once. Trying every
    order of n things that lead to each other would take n! makings; this takes no more than a power of n.
    """

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._made: dict[Key, tuple[object, Made]] = {}
        self._failed: dict[Key, _Failure] = {}
        self._waiting: dict[Key, list[Key]] = {}
        self._open: set[Key] = set()
        self._met: set[Key] = set()
        self._short = False

    def of(self, key: Key, subject: object, make: Callable[[], Made | None]) -> Made | None:
        """What `make` returned for the key; None when it can't be made, or not while what is under way is.

        Args:
            key: names what is to be made.
            subject: what an identity as key stands for.
            make: makes it, and asks here for its parts.
        """
        made = self._made.get(key)
        if made is not None:
            return made[1]
        failed = self._failed.get(key)
        if failed is not None and len(self._open) >= failed.least:
            self._met |= failed.awaited
            self._short = self._short or failed.least > 0
        elif key in self._open:
            self._met.add(key)
        elif len(self._open) >= self._deepest:
            self._short = True
        else:
            return self._attempted(key, subject, make)
        return None

    def _attempted(self, key: Key, subject: object, make: Callable[[], Made | None]) -> Made | None:
        met, short = self._met, self._short
        self._met, self._short = set(), False
        self._open.add(key)
        try:
            found = make()
        finally:
            self._open.discard(key)
            mine, self._met = self._met - {key}, met
            too_deep, self._short = self._short, short
        waiting = self._waiting.pop(key, ())
        if found is not None:
            self._made[key] = (subject, found)
            for other in waiting:
                self._failed.pop(other, None)
            return found
        failure = _Failure(subject, frozenset(mine), len(self._open) if too_deep else 0)
        self._fail(key, failure)
        for other in waiting:
            self._hand_on(other, key, failure)
        self._met |= mine
        self._short = self._short or too_deep
        return None

    def _hand_on(self, other: Key, key: Key, failure: _Failure) -> None:
        """What awaited a making that failed now awaits what that one ran into."""
        known = self._failed.get(other)
        if known is not None and key in known.awaited:
            awaited = (known.awaited - {key}) | failure.awaited
            self._fail(other, _Failure(known.subject, awaited, max(known.least, failure.least)))

    def _fail(self, key: Key, failure: _Failure) -> None:
        self._failed[key] = failure
        for awaited in failure.awaited:
            self._waiting.setdefault(awaited, []).append(key)


# Items that are made once, when somebody first asks for them, and then again and again for nothing.


T = TypeVar("T")


class Remembered(Generic[T]):
    """The items of an iterator, which is asked for one more only when all known ones were taken.

    What the iterator raises is raised again at the same place.
    """

    def __init__(self, made: Iterator[T]) -> None:
        self._rest = made
        self._known: list[T] = []
        self._failed: Exception | None = None

    def __iter__(self) -> Iterator[T]:
        at = 0
        while True:
            if at == len(self._known) and not self._more():
                return
            yield self._known[at]
            at += 1

    def _more(self) -> bool:
        if self._failed is not None:
            raise self._failed
        try:
            self._known.append(next(self._rest))
        except StopIteration:
            return False
        except Exception as error:
            self._failed = error
            raise
        return True


_DEEP: Final = 24
_BASES: Final = 10
_PER_TYPE: Final = 16
_CALLED: Final = 2
_OPTIONAL: Final = 12
_LONGEST: Final = 4096
_MANY: Final = 1100
_STEPS: Final = 1_000_000
"""How many schema nodes may be held against parts of values, by one builder."""
_FIRST: Final = ("a",)
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_REFUSED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "minimum": lt,
    "maximum": gt,
    "exclusiveMinimum": le,
    "exclusiveMaximum": ge,
}
_OWING: Final = frozenset({"required", "minProperties", "minItems", "contains"})
_REST: Final = frozenset({"additionalProperties", "unevaluatedProperties"})
ARRAYS: Final = frozenset({"items", "prefixItems", "contains", "unevaluatedItems"})


class MemberSlot(NamedTuple):
    """A member of a value: the keyword that describes it, and its name, index or pattern."""

    keyword: str
    name: str


class ValueGenerator:
    """Makes values of schemas whose references `definition` looks up; `evaluator` says what is admitted.

    Parts that are remembered are judged apart from it, so that its allowance changes nothing that is remembered.
    `texts`: True where values travel as text, which null has none of: what is null only is then the last resort.
    """

    def __init__(self, definition: Definition, evaluator: Evaluator, *, texts: bool = False) -> None:
        self._cost = _cost_as_text if texts else _cost
        self._definition = definition
        self._evaluator = evaluator
        self._apart = Evaluator(definition)
        self._attempts: GenerationAttempts[tuple[Json]] = GenerationAttempts(_DEEP)
        self._nodes: dict[tuple[int, int], tuple[Json, Json, Remembered[Node]]] = {}
        self._bases: dict[tuple[int, str], tuple[Node, Remembered[dict[str, Json]]]] = {}
        self._options: dict[int, tuple[Json, list[Json]]] = {}

    def smallest(self, schema: Json) -> tuple[Json] | None:
        """A small value that the schema admits as a 1-tuple, None when none was found."""
        return self._attempts.of(_key(schema), schema, lambda: self._first(schema))

    @property
    def exhausted(self) -> bool:
        """True when no more values are made as parts of others, because those so far took too many steps."""
        return self._apart.spent > _STEPS

    def values(self, schema: Json) -> Iterator[tuple[Json]]:
        """Values that the schema admits: for each way to meet it and each type the first few."""
        return self._values(schema, self._evaluator)

    def _first(self, schema: Json) -> tuple[Json] | None:
        return None if self.exhausted else next(self._values(schema, self._apart, cheapest=True), None)

    def _values(self, schema: Json, evaluator: Evaluator, *, cheapest: bool = False) -> Iterator[tuple[Json]]:
        """Values that the schema admits, way by way, the cheapest way first if so asked."""
        try:
            for node in sorted(self._ways(schema), key=self._cost) if cheapest else self._ways(schema):
                for value in self._of(node):
                    if evaluator.admits(schema, value) is True:
                        yield (value,)
        except _MALFORMED:
            return

    def member(self, schema: Json, name: str) -> Json | None:
        """What an object schema says of a member, None when it says nothing of it."""
        for node in self._ways(schema):
            said = node.get("properties", {}).get(name, node.get("additionalProperties"))
            if said is not None:
                return said  # type: ignore[no-any-return]
        return None

    def declared(self, schema: Json) -> list[str]:
        """The names that an object schema describes, those of its branches too, the shortest first."""
        try:
            names = {name for node in self._ways(schema) for name in node.get("properties", {})}
        except _MALFORMED:
            return []
        return sorted(names, key=lambda name: (len(name), name))

    def around(self, schema: Json, slot: MemberSlot, value: Json, also: Json = True) -> Iterator[Json]:
        """Values that the schema admits and that hold `value` as a member.

        Args:
            schema: what the whole has to meet.
            slot: the member.
            value: what the member shall be.
            also: a branch of the schema that the whole has to meet.
        """
        try:
            # What owes least beside the branch is what the branch by itself describes, and no other one of a union.
            nodes = sorted(self._ways(schema, also), key=lambda node: len(node.get("required", ())))
            made = (each for node in nodes for each in islice(self._holding(node, slot, value), _BASES))
            wholes = (each for each in made if self._evaluator.admits(schema, each) is True)
            yield from islice(wholes, 1)
            if slot.keyword in _REST:
                yield from self._called(schema, nodes, value)
            yield from wholes
        except _MALFORMED:
            return

    def _called(self, schema: Json, nodes: Sequence[Node], value: Json) -> Iterator[Json]:
        """Values with the member under a name that some ways to meet the schema describe, and others don't."""
        described = [set(node.get("properties", {})) for node in nodes]
        names = set().union(*described) - (described[0].intersection(*described) if described else set())
        for name in sorted(names, key=lambda name: (len(name), name))[:_CALLED]:
            made = (
                each for node in nodes for each in islice(self._holding(node, MemberSlot("properties", name), value), 1)
            )
            yield from islice((each for each in made if self._evaluator.admits(schema, each) is True), 1)

    def _ways(self, schema: Json, also: Json = None) -> Remembered[Node]:
        """The plain nodes of a schema, or of two of them together."""
        key = (id(schema), id(also))
        if key not in self._nodes:
            whole = schema if also is None else {"allOf": [also, schema]}
            self._nodes[key] = (schema, also, Remembered(alternatives(whole, self._definition)))
        return self._nodes[key][2]

    def _of(self, node: Node) -> Iterator[Json]:
        if "enum" in node:
            yield from node["enum"]
            return
        for name in types_of(node):
            yield from islice(self._typed(name, node), _PER_TYPE)

    def _typed(self, name: str, node: Node) -> Iterator[Json]:
        match name:
            case "null":
                yield None
            case "boolean":
                yield from (False, True)
            case "integer" | "number":
                # Those outside the bounds would use up what is tried before the bounds are reached.
                yield from (value for value in numbers(node, {}, whole=name == "integer") if _inside(node, value))
            case "string":
                if "pattern" not in node and "format" not in node:
                    yield from _FIRST
                yield from texts(node, {}, _LONGEST)
            case "array":
                yield from self._arrays(node)
            case _:
                yield from self._objects(node, ())

    def _holding(self, node: Node, slot: MemberSlot, value: Json) -> Iterator[Json]:
        types = types_of(node)
        if slot.keyword in ARRAYS:
            yield from self._array_with(node, slot, value) if "array" in types else ()
        elif "object" in types:
            for name in self._names(node, slot, value):
                for base in self._objects_but(node, name):
                    held = value
                    if slot.keyword == "propertyNames":
                        rest = node.get("additionalProperties", True)
                        member = self.smallest(node.get("properties", {}).get(name, rest))
                        held = member[0] if member else 0
                    yield {**base, name: held}

    def _names(self, node: Node, slot: MemberSlot, value: Json) -> Sequence[str]:
        match slot.keyword:
            case "properties":
                return [slot.name]
            case "patternProperties":
                return matching(slot.name)[:3]
            case "propertyNames":
                return [value] if isinstance(value, str) else []
        asked = node.get("propertyNames")
        names = (
            [name for (name,) in islice(self._values(asked, self._apart), 3) if isinstance(name, str)] if asked else []
        )
        return [name for name in (*names, "x", "x1", "extra") if name not in node.get("properties", {})][:3]

    def _objects_but(self, node: Node, name: str) -> Remembered[dict[str, Json]]:
        """Objects of a node without one member: many values take its place."""
        key = (id(node), name)
        if key not in self._bases:
            self._bases[key] = (node, Remembered(self._objects(node, (name,))))
        return self._bases[key][1]

    def _objects(self, node: Node, without: Sequence[str]) -> Iterator[dict[str, Json]]:
        """Objects with what is required, then with more; members in `without` are somebody else's."""
        base: dict[str, Json] = {}
        for name in node.get("required", ()):
            if name not in without and not self._put(base, node, name):
                return
        for name in [*base, *without]:
            for other in node.get("dependentRequired", {}).get(name, ()):
                if other not in without and other not in base:
                    self._put(base, node, other)
        few = int(node.get("minProperties", 0)) - len(without)
        taken = {*base, *without}
        optional = list(islice((name for name in node.get("properties", {}) if name not in taken), _OPTIONAL))
        others = (name for name in node.get("properties", {}) if name not in taken)
        spare = chain(others, self._spare_names(node, min(few, _MANY)))
        while len(base) < few and (name := next(spare, None)) is not None:
            self._put(base, node, name)
        yield base
        for name in list(base)[:_OPTIONAL]:
            said = node.get("properties", {}).get(name)
            for other in self._listed(said):
                yield {**base, name: other}
        full = dict(base)
        for name in optional:
            more = dict(base)
            if name not in base and self._put(more, node, name):
                full[name] = more[name]
                yield more
        yield full
        yield from self._conditional(node, base)

    def _conditional(self, node: Node, base: dict[str, Json]) -> Iterator[dict[str, Json]]:
        """The object with what a condition asks for as well, on either outcome."""
        for keyword in ("then", "else"):
            said = node.get(keyword)
            more = dict(base)
            for name in said.get("required", ()) if isinstance(said, dict) else ():
                if name not in more:
                    self._put(more, node, name)
            if len(more) > len(base):
                yield more

    def _spare_names(self, node: Node, count: int) -> Iterator[str]:
        """Names for members that no property describes."""
        asked = node.get("propertyNames", True)
        if asked is not True:
            yield from (name for (name,) in islice(self._values(asked, self._apart), count) if isinstance(name, str))
        for spelled in (lambda at: f"x{at}", lambda at: "x" * (at + 1)):
            names = map(spelled, range(count))
            yield from (name for name in names if asked is True or self._apart.admits(asked, name) is True)

    def _listed(self, schema: Json) -> list[Json]:
        """The values of an enumeration, those of other schemas aside."""
        if schema is None:
            return []
        if id(schema) not in self._options:
            node = next(alternatives(schema, self._definition), {})
            self._options[id(schema)] = (schema, list(node.get("enum", ()))[1:_OPTIONAL])
        return self._options[id(schema)][1]

    def _put(self, base: dict[str, Json], node: Node, name: str) -> bool:
        rest = node.get("additionalProperties", True)
        found = self.smallest(node.get("properties", {}).get(name, rest))
        if found is not None:
            base[name] = found[0]
        return found is not None

    def _arrays(self, node: Node) -> Iterator[list[Json]]:
        prefix = self._prefix(node, len(node.get("prefixItems", ())))
        few = min(int(node.get("minItems", 0)), _MANY)
        held = self.smallest(node["contains"]) if "contains" in node else None
        head = [held[0]] * min(int(node.get("minContains", 1)), _MANY) if held is not None else []
        yield self._filled(node, head, few)
        if prefix:
            yield self._filled(node, prefix, few)
        yield self._filled(node, head, max(few, len(head) + 1))

    def _array_with(self, node: Node, slot: MemberSlot, value: Json) -> Iterator[list[Json]]:
        few = min(int(node.get("minItems", 0)), _MANY)
        at = int(slot.name) if slot.keyword == "prefixItems" else 0
        head = self._prefix(node, at if at else len(node.get("prefixItems", ())) if slot.keyword == "items" else 0)
        yield self._filled(node, [*head, value], few)
        if "contains" in node and slot.keyword != "contains":
            held = self.smallest(node["contains"])
            if held is not None:
                yield self._filled(node, [*head, value, held[0]], few)

    def _prefix(self, node: Node, size: int) -> list[Json]:
        found = [self.smallest(schema) for schema in node.get("prefixItems", ())[:size]]
        return [one[0] for one in found if one is not None]

    def _filled(self, node: Node, head: list[Json], size: int) -> list[Json]:
        """`head` and items that fit, up to a size; different ones where they have to be."""
        made = list(head)
        if len(made) >= size:
            return made
        items = node.get("items", node.get("unevaluatedItems", True))
        if node.get("uniqueItems") is True:
            for value in self._different(items, size):
                if len(made) < size and not any(same(value, other) for other in made):
                    made.append(value)
            return made
        found = self.smallest(items) or self.smallest(node.get("contains", False))
        return made + [found[0]] * (size - len(made)) if found is not None else made

    def _different(self, items: Json, count: int) -> Iterator[Json]:
        """Items, more than so many of them where numbers or plain texts fit."""
        yield from (value for (value,) in islice(self._values(items, self._apart), count * 2))
        spare: Iterator[Json] = chain(range(count * 2), (f"{_FIRST[0]}{at}" for at in range(count)))
        yield from (value for value in spare if self._apart.admits(items, value) is True)


def _cost(node: Node) -> int:
    """More for a way that can't be met without making members or items: null beside a reference needs none."""
    return int("enum" not in node and not _OWING.isdisjoint(node))


def _cost_as_text(node: Node) -> int:
    return 2 if node.get("type") == ["null"] else _cost(node)


def _inside(node: Node, value: Any) -> bool:
    """False for a number that the plain bounds of a node refuse."""
    bounds = [(node.get(keyword), refused) for keyword, refused in _REFUSED.items()]
    return not any(isinstance(bound, (int, float)) and refused(value, bound) for bound, refused in bounds)


def _key(schema: Any) -> Key:
    if isinstance(schema, dict):
        parts = conjuncts(schema)
        if len(parts) > 1:
            return frozenset(map(_key, parts))
        ref = schema.get("$ref")
        return ref if isinstance(ref, str) and len(schema) == 1 else id(schema)
    return repr(schema)
