"""Schema nodes as interned forms: what each demands, as constraints, and which members it evaluates.

A constraint is a tuple; what it speaks about comes first. It concerns one type of value or all of them; a value that
is of no concern satisfies it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import orjson

from evreview.core.frozen import frozen
from evreview.core.json_text import list_or_empty, spelled
from evreview.core.vocabulary import Json
from evreview.schema.discriminators import token
from evreview.schema.formats import NOT_TEXT, PLAIN, asserted, matches
from evreview.schema.reader import LISTED, MAPPED, SINGLE
from evreview.schema.to_json_schema import references

if TYPE_CHECKING:
    from evreview.schema.subsumption.constraint_set import ConstraintSet


# Which members a schema evaluates, and what has to hold for each of them (JSON Schema 2020-12 Core, section 11.3).
#
# A member is evaluated when some schema that looks at the same object and holds names it. What holds in every value of
# the node evaluates always; a branch, a condition or a dependent schema evaluates where it holds.


_DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")
_ALL: Final = ("additionalProperties", "unevaluatedProperties")
_LISTED: Final = ("items", "unevaluatedItems")
_MOST: Final = 400
ALL_ITEMS: Final = -1


@frozen
class EvaluatedProperties:
    """What a node evaluates.

    Attributes:
        names: the members, each with the conditions of which one has to hold; `SchemaPool.anything` always does.
        patterns: of names, each with such conditions.
        everything: the conditions under each of which all members are evaluated.
    """

    names: dict[str, list[InternedSchema]] = field(default_factory=dict)
    patterns: dict[str, list[InternedSchema]] = field(default_factory=dict)
    everything: list[InternedSchema] = field(default_factory=list)


def evaluated_by(form: InternedSchema, node: Mapping[str, Json]) -> EvaluatedProperties | None:
    """What a node evaluates beside its `unevaluatedProperties`.

    None where a schema is not known and no other one evaluates all.
    """
    walk = _Members(form.pool)
    own = {key: value for key, value in node.items() if key != "unevaluatedProperties"}
    known = walk.read(form.child(own), form.pool.anything, ())
    return walk.found if known or form.pool.anything in walk.found.everything else None


def items_evaluated(form: InternedSchema, node: Mapping[str, Json]) -> int | None:
    """How many first items a node evaluates beside its `unevaluatedItems`, `ALL_ITEMS` for every one.

    None where a branch or the values of the items decide, or where a schema is not known, and nothing evaluates all.
    """
    walk = _Items(form.pool)
    own = {key: value for key, value in node.items() if key != "unevaluatedItems"}
    known = walk.read(form.child(own), form.pool.anything, ())
    if walk.everything:
        return ALL_ITEMS
    return walk.longest if known else None


class _Walk(ABC):
    """The schemas in place of one node, each with what has to hold for it to evaluate anything."""

    def __init__(self, pool: SchemaPool) -> None:
        self._pool = pool
        self._left = _MOST

    def read(self, form: InternedSchema, when: InternedSchema, passed: tuple[InternedSchema, ...]) -> bool:
        """Notes what a schema evaluates under a condition; False where that can't be said."""
        node = form.node
        self._left -= 1
        if not isinstance(node, (dict, Mapping)):
            return True
        if self._left < 0 or form in passed or any(keyword in node for keyword in _DYNAMIC):
            return False
        said = self._note(node, when)
        if said is True:
            return True
        # What is not known in one place does not matter where another one evaluates all: each is read.
        known = [
            below is not None and self.read(below, self._both(when, more), (*passed, form))
            for below, more in self._in_place(form, node)
        ]
        return said is None and all(known)

    def _in_place(
        self, form: InternedSchema, node: Mapping[str, Any]
    ) -> Iterator[tuple[InternedSchema | None, InternedSchema]]:
        """The schemas in place below a node, each with what has to hold for it to count; None for an unread one."""
        pool, always = self._pool, self._pool.anything
        ref = node.get("$ref")
        if isinstance(ref, str):
            name = ref.removeprefix("#/$defs/")
            yield pool.target(pool.name_side(form.side, name), name), always
        for branch in _list_under(node, "allOf"):
            yield form.child(branch), always
        for branch in (*_list_under(node, "anyOf"), *_list_under(node, "oneOf")):
            yield form.child(branch), form.child(branch)
        if "if" in node:
            met = form.child(node["if"])
            yield met, met
            yield form.child(node.get("then", True)), met
            yield form.child(node.get("else", True)), pool.of(("not", met))
        for name, branch in _mapping(node, "dependentSchemas").items():
            yield form.child(branch), pool.of(("required", name))

    def _both(self, one: InternedSchema, other: InternedSchema) -> InternedSchema:
        always = self._pool.anything
        if one is always or other is always:
            return other if one is always else one
        return self._pool.of(("all", one), ("all", other))

    @abstractmethod
    def _note(self, node: Mapping[str, Json], when: InternedSchema) -> bool | None:
        """Notes what a node itself evaluates: True where that is all, False where it can't be said, None otherwise."""


class _Members(_Walk):
    """Which members are evaluated."""

    def __init__(self, pool: SchemaPool) -> None:
        super().__init__(pool)
        self.found = EvaluatedProperties()

    def _note(self, node: Mapping[str, Json], when: InternedSchema) -> bool | None:
        if any(keyword in node for keyword in _ALL):
            self.found.everything.append(when)
            return True
        for keyword, told in (("properties", self.found.names), ("patternProperties", self.found.patterns)):
            for name in _mapping(node, keyword):
                told.setdefault(name, []).append(when)
        return None


class _Items(_Walk):
    """Which items are evaluated: a start of the array, or all of them."""

    def __init__(self, pool: SchemaPool) -> None:
        super().__init__(pool)
        self.longest = 0
        self.everything = False

    def _note(self, node: Mapping[str, Json], when: InternedSchema) -> bool | None:
        first = len(_list_under(node, "prefixItems"))
        rest = any(keyword in node for keyword in _LISTED)
        if rest and when is self._pool.anything:
            self.everything = True
            return True
        self.longest = max(self.longest, first)
        doubtful = "contains" in node or (bool(first or rest) and when is not self._pool.anything)
        return False if doubtful else None


def _mapping(node: Mapping[str, Any], keyword: str) -> Mapping[str, Json]:
    found = node.get(keyword)
    return found if isinstance(found, (dict, Mapping)) else {}


def _list_under(node: Mapping[str, Any], keyword: str) -> list[Json]:
    found = node.get(keyword)
    return found if isinstance(found, list) else []


Constraint = tuple[Any, ...]
TYPES: Final = ("null", "boolean", "number", "string", "array", "object")
UNREAD: Final = "-unread-"
_CONCERNS: Final[Mapping[str, str]] = {
    "free": "",
    "beside": "",
    **dict.fromkeys(("min", "max", "step"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), "string"),
    **dict.fromkeys(("items", "minItems", "maxItems", "unique", "contains"), "array"),
    **dict.fromkeys(
        ("members", "required", "minProperties", "maxProperties", "names", "dependent", "dependentSchema"), "object"
    ),
}
_PATTERNS: Final = 3
"""How many expressions may bind names in some values only; each set of them is a demand."""
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")


class ListedValues:
    """Listed values, each under its token."""

    __slots__ = ("by_token", "key")

    def __init__(self, values: Iterable[Json]) -> None:
        self.by_token = {token(value): value for value in values}
        self.key = ("values", tuple(self.by_token))


class Members:
    """What an object says of its members: by name, by pattern, and of all others (None when it does not say)."""

    __slots__ = ("key", "names", "patterns", "rest")

    def __init__(
        self, names: dict[str, InternedSchema], patterns: dict[str, InternedSchema], rest: InternedSchema | None
    ) -> None:
        self.names, self.patterns, self.rest = names, patterns, rest
        self.key = (
            "members",
            tuple(sorted(names.items(), key=_first)),
            tuple(sorted(patterns.items(), key=_first)),
            rest,
        )


class Items:
    """What an array says of its items: the first ones one by one, and all others."""

    __slots__ = ("key", "prefix", "rest")

    def __init__(self, prefix: tuple[InternedSchema, ...], rest: InternedSchema | None) -> None:
        self.prefix, self.rest = prefix, rest
        self.key = ("items", prefix, rest)

    def at(self, index: int) -> InternedSchema | None:
        """What the item at an index has to be, None when nothing is said."""
        return self.prefix[index] if index < len(self.prefix) else self.rest


def concerns(constraint: Constraint, kind: str) -> bool:
    """True when a constraint may refuse values of a type."""
    if constraint[0] == "types":
        return kind not in constraint[1] or (kind == "number" and bool(constraint[2]))
    if constraint[0] == "unevaluated":
        return kind == ("object" if constraint[2] == "unevaluatedProperties" else "array")
    if constraint[0] == "format":
        # What a format of numbers says of numbers stands beside it, as bounds.
        return kind == "string" or (kind == "number" and not asserted(constraint[1]) and constraint[1] not in NOT_TEXT)
    return _CONCERNS.get(constraint[0], kind) == kind


def constraints_of(form: InternedSchema) -> tuple[Constraint, ...]:
    """The constraints of one node."""
    node = form.node
    if not isinstance(node, (dict, Mapping)):
        return (("never",),) if node is False else ()
    found = [*_plain(form, node), *_composed(form, node), *_arrays(form, node), *_objects(form, node)]
    return tuple(dict.fromkeys(found))


def _plain(form: InternedSchema, node: Mapping[str, Json]) -> Iterator[Constraint]:
    kinds = node.get("type")
    if kinds is not None:
        names = {name for name in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(name, str)}
        whole = "integer" in names and "number" not in names
        yield "types", frozenset("number" if name == "integer" else name for name in names), whole
    for keyword in ("enum", "const"):
        if keyword in node:
            listed = node[keyword] if keyword == "enum" else [node[keyword]]
            if isinstance(listed, list):
                yield "enum", form.pool.interned(ListedValues(listed))
    yield from _numbers(node)
    for keyword in _COUNTS:
        count = node.get(keyword)
        if isinstance(count, (int, float)) and not isinstance(count, bool) and (keyword[1] == "a" or count > 0):
            yield keyword, int(count)
    if isinstance(node.get("pattern"), str):
        yield "pattern", node["pattern"]
    if isinstance(node.get("format"), str) and node["format"] not in PLAIN:
        yield "format", node["format"]


def _numbers(node: Mapping[str, Json]) -> Iterator[Constraint]:
    for keyword, kind, open_end in (
        ("minimum", "min", False),
        ("exclusiveMinimum", "min", True),
        ("maximum", "max", False),
        ("exclusiveMaximum", "max", True),
    ):
        bound = exact(node.get(keyword))
        if bound is not None:
            yield kind, bound, open_end
    step = exact(node.get("multipleOf"))
    if step is not None and step > 0:
        yield "step", step


def exact(value: Json) -> Fraction | None:
    """A number as it is written, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))
    except (InvalidOperation, ValueError, OverflowError):
        return None


def _composed(form: InternedSchema, node: Mapping[str, Json]) -> Iterator[Constraint]:
    ref = node.get("$ref")
    if isinstance(ref, str):
        name = ref.removeprefix("#/$defs/")
        yield ("gap", name) if name.startswith(UNREAD) else ("ref", form.pool.name_side(form.side, name), name)
    for member in list_or_empty(node.get("allOf")):
        yield "all", form.child(member)
    for keyword, kind in (("anyOf", "any"), ("oneOf", "one")):
        branches = list_or_empty(node.get(keyword))
        if branches:
            forms = tuple(form.child(branch) for branch in branches)
            if len(forms) == 1:
                yield "all", forms[0]
                continue
            if kind == "one" and forms.count(form.pool.anything) == 1:
                yield from (("not", other) for other in forms if other is not form.pool.anything)
                continue
            united = _united(forms, distinct=kind == "one")
            yield (kind, forms) if united is None else ("enum", form.pool.interned(united))
    if "not" in node:
        yield "not", form.child(node["not"])
    if "if" in node and ("then" in node or "else" in node):
        yield "if", form.child(node["if"]), form.child(node.get("then", True)), form.child(node.get("else", True))


def _united(forms: tuple[InternedSchema, ...], *, distinct: bool) -> ListedValues | None:
    """The values of branches that only list some, None where a branch says more or one value is listed twice."""
    found: dict[str, Json] = {}
    count = 0
    for form in forms:
        if len(form.constraints) != 1 or form.constraints[0][0] != "enum":
            return None
        found.update(form.constraints[0][1].by_token)
        count += len(form.constraints[0][1].by_token)
    return None if distinct and count != len(found) else ListedValues(found.values())


def _arrays(form: InternedSchema, node: Mapping[str, Json]) -> Iterator[Constraint]:
    prefix = tuple(form.child(item) for item in list_or_empty(node.get("prefixItems")))
    rest = form.child(node["items"]) if "items" in node and not isinstance(node["items"], list) else None
    if prefix or rest is not None:
        yield "items", form.pool.interned(Items(prefix, rest))
    if node.get("uniqueItems") is True:
        yield ("unique",)
    if "contains" in node:
        low, high = node.get("minContains", 1), node.get("maxContains")
        yield (
            "contains",
            form.child(node["contains"]),
            int(low) if isinstance(low, (int, float)) else 1,
            int(high) if isinstance(high, (int, float)) else None,
        )
    if "unevaluatedItems" in node and node["unevaluatedItems"] is not True:
        yield from _left_over(form, form.child(node["unevaluatedItems"]), items_evaluated(form, node))


def _left_over(form: InternedSchema, rest: InternedSchema, evaluated: int | None) -> Iterator[Constraint]:
    """`unevaluatedItems` said without it: as all other items, where no branch decides what was evaluated."""
    if evaluated is None:
        yield "unevaluated", form, "unevaluatedItems"
    elif evaluated != ALL_ITEMS:
        yield "items", form.pool.interned(Items((form.pool.anything,) * evaluated, rest))


def _objects(form: InternedSchema, node: Mapping[str, Json]) -> Iterator[Constraint]:
    names, patterns = _mapped(form, node, "properties"), _mapped(form, node, "patternProperties")
    rest = form.child(node["additionalProperties"]) if "additionalProperties" in node else None
    if names or patterns or rest is not None:
        yield "members", form.pool.interned(Members(names, patterns, rest))
    for name in list_or_empty(node.get("required")):
        yield "required", name
    if "propertyNames" in node:
        yield "names", form.child(node["propertyNames"])
    owed = node.get("dependentRequired")
    for name, more in owed.items() if isinstance(owed, (dict, Mapping)) else ():
        yield "dependent", name, frozenset(str(other) for other in list_or_empty(more))
    for name, sub in _mapped(form, node, "dependentSchemas").items():
        yield "dependentSchema", name, sub
    if "unevaluatedProperties" in node:
        yield from _unevaluated(form, form.child(node["unevaluatedProperties"]), evaluated_by(form, node))


def _unevaluated(form: InternedSchema, rest: InternedSchema, found: EvaluatedProperties | None) -> Iterator[Constraint]:
    """`unevaluatedProperties` said without it.

    All names and patterns that may be evaluated are declared, and `rest` holds for all others. What not every value
    evaluates brings a choice along: something that evaluates it holds, or `rest` does. Patterns may overlap, so that
    there is a choice for every set of them: something that evaluates one of them, or all others and `rest`.
    """
    pool = form.pool
    if found is not None and pool.anything in found.everything:
        return
    if rest is pool.anything:
        # All of them are admitted, as with `additionalProperties`: the openness is written.
        yield "members", pool.interned(Members({}, {}, rest))
        return
    names = {} if found is None else _sometimes(found.names, pool)
    patterns = {} if found is None else _sometimes(found.patterns, pool)
    if found is None or len(patterns) > _PATTERNS:
        yield "unevaluated", form, "unevaluatedProperties"
        return
    demanded: list[Constraint] = []
    for absent in (kept for count in range(len(patterns) + 1) for kept in combinations(patterns, count)):
        bound = {pattern: pool.anything for pattern in found.patterns if pattern not in absent}
        left = ("members", pool.interned(Members(dict.fromkeys(found.names, pool.anything), bound, rest)))
        some = dict.fromkeys(way for pattern in absent for way in patterns[pattern])
        demanded.append(("any", (*some, pool.of(left))) if absent else left)
    for name, ways in names.items():
        if (demand := _evaluated_or(name, list(ways), found, rest)) is None:
            yield "unevaluated", form, "unevaluatedProperties"
            return
        demanded += demand
    yield from [("any", (*found.everything, pool.of(*demanded)))] if found.everything else demanded


def _sometimes(told: Mapping[str, list[InternedSchema]], pool: SchemaPool) -> dict[str, list[InternedSchema]]:
    """What only some values evaluate, each with the conditions."""
    return {name: ways for name, ways in told.items() if pool.anything not in ways}


def _evaluated_or(
    name: str, ways: list[InternedSchema], found: EvaluatedProperties, rest: InternedSchema
) -> list[Constraint] | None:
    """That a member is evaluated one way or another, or meets `rest`; None where an expression can't be read."""
    pool = rest.pool
    said = {pattern: matches(pattern, name) for pattern in found.patterns}
    if None in said.values():
        return None
    ways += [way for pattern, matched in said.items() if matched for way in found.patterns[pattern]]
    if pool.anything in ways:
        return []
    alone = () if rest is pool.nothing else (pool.of(("members", pool.only(name, rest))),)
    return [("dependentSchema", name, _any_of(pool, (*ways, *alone)))]


def _any_of(pool: SchemaPool, ways: tuple[InternedSchema, ...]) -> InternedSchema:
    ways = tuple(dict.fromkeys(ways))
    return ways[0] if len(ways) == 1 else pool.of(("any", ways))


def _mapped(form: InternedSchema, node: Mapping[str, Json], keyword: str) -> dict[str, InternedSchema]:
    found = node.get(keyword)
    return {name: form.child(sub) for name, sub in found.items()} if isinstance(found, (dict, Mapping)) else {}


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]


# Two nodes that say the same are one object, whichever contract they stand in.
#
# A form holds constraints, each a small tuple that speaks about one thing. References stay names; a name whose whole
# closure is written alike on both sides is one name.


Definition = Callable[[str], Json | None]
_BOTH: Final = -1
_SCHEMAS: Final = frozenset(SINGLE) | {"additionalItems"}


class InternedSchema:
    """One schema node. Identity is equality of meaning; constraints are read when first asked for."""

    __slots__ = ("_constraints", "node", "number", "pool", "side")

    def __init__(
        self, pool: SchemaPool, node: Json, side: int, constraints: tuple[Constraint, ...] | None = None
    ) -> None:
        self.pool = pool
        self.node = node
        self.side = side
        self._constraints = constraints
        self.number = pool.counted()

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What the node demands, keyword by keyword; all of them hold at once."""
        if self._constraints is None:
            self._constraints = constraints_of(self)
        return self._constraints

    def child(self, node: Json) -> InternedSchema:
        """The form of a node below this one."""
        return self.pool.form(node, self.side)


class SchemaPool:
    """Interns the nodes of two sources of definitions, the left one (0) and the right one (1).

    Args:
        left, right: the schema behind a name of a definition.
        shared: True when definitions of one name count as the same, whatever they say: then only what differs around
            them is looked at, and the left one is read.

    Attributes:
        gathered: what holds of a value that meets some forms, for `given.gather` alone.
    """

    def __init__(self, left: Definition, right: Definition, *, shared: bool = False) -> None:
        self._sides = (left, right)
        self._shared = shared
        self._forms: dict[Any, InternedSchema] = {}
        self._known: dict[tuple[int, int], tuple[Json, InternedSchema]] = {}
        self._same: dict[str, bool] = {}
        self._kept: dict[Any, Any] = {}
        self.gathered: dict[tuple[InternedSchema, ...], ConstraintSet] = {}
        self._count = 0
        self.anything = self._forms.setdefault(True, InternedSchema(self, True, _BOTH, ()))
        self.nothing = self._forms.setdefault(False, InternedSchema(self, False, _BOTH, (("never",),)))

    def form(self, node: Json, side: int) -> InternedSchema:
        """The form of a node of one side."""
        if not isinstance(node, dict):
            return self.nothing if node is False else self.anything
        if len(node) == 1 and (node.get("not") is True or node.get("not") == {}):
            return self.nothing  # what `false` says, in the words of older drafts
        known = self._known.get((id(node), side))
        if known is None:
            key = self._key(node, side)
            made = self._forms.get(key)
            if made is None:
                made = self._forms[key] = InternedSchema(self, node, side) if key else self.anything
            known = self._known[id(node), side] = (node, made)
        return known[1]

    def counted(self) -> int:
        """How many forms there were before."""
        self._count += 1
        return self._count

    def of(self, *constraints: Constraint) -> InternedSchema:
        """A form that demands just these constraints."""
        key = ("literals", constraints)
        if key not in self._forms:
            self._forms[key] = InternedSchema(self, {}, _BOTH, constraints)
        return self._forms[key]

    def typed(self, kind: str) -> InternedSchema:
        """The form of all values of a type."""
        return self.of(("types", frozenset({kind}), False))

    def among(self, values: Iterable[Json]) -> InternedSchema:
        """The form of some listed values."""
        return self.of(("enum", self.interned(ListedValues(values))))

    def only(self, name: str, form: InternedSchema) -> Members:
        """What is said of a member, and of no other."""
        made: Members = self.interned(Members({name: form}, {}, None))
        return made

    def target(self, side: int, name: str) -> InternedSchema | None:
        """The form behind a reference, None for one that leads nowhere."""
        at = max(side, 0)
        node = self._sides[at](name)
        if node is None and side == _BOTH:
            at, node = 1, self._sides[1](name)
        return None if node is None else self.form(node, at)

    def interned(self, made: Members | Items | ListedValues) -> Any:
        """The one object that stands for equal members or items."""
        return self._kept.setdefault(made.key, made)

    def name_side(self, side: int, name: str) -> int:
        """-1 for a name that means the same on both sides, else the side."""
        return _BOTH if side == _BOTH or self._alike(name) else side

    def _key(self, node: Mapping[str, Json], side: int) -> tuple[Any, ...]:
        found: list[Any] = []
        for keyword in sorted(node):
            value = node[keyword]
            if keyword == "$defs":
                continue
            if keyword == "$ref":
                name = str(value).removeprefix("#/$defs/")
                found.append((keyword, self.name_side(side, name), name))
            elif keyword in _SCHEMAS:
                found.append((keyword, self.form(value, side)))
            elif keyword in MAPPED and isinstance(value, (dict, Mapping)):
                found.append((keyword, *[(name, self.form(value[name], side)) for name in sorted(value)]))
            elif keyword in LISTED and isinstance(value, list):
                found.append((keyword, *[self.form(branch, side) for branch in value]))
            else:
                found.append((keyword, text_of(value)))
        return tuple(found)

    def _alike(self, name: str) -> bool:
        """True when a definition and all that it reaches are written alike on both sides; linear in what is reached."""
        if name not in self._same:
            self._compare(name)
        return self._same[name]

    def _compare(self, start: str) -> None:
        if self._shared:
            self._same[start] = True
            return
        above: dict[str, list[str]] = {}
        different: list[str] = []
        waiting, seen = [start], {start}
        while waiting:
            name = waiting.pop()
            if name in self._same:
                different += [] if self._same[name] else [name]
                continue
            left, right = self._sides[0](name), self._sides[1](name)
            if left is None or right is None or text_of(left) != text_of(right):
                different += [name] if left is not None or right is not None else []
                if left is None or right is None:
                    continue
            for below in dict.fromkeys(references(left)):
                above.setdefault(below, []).append(name)
                if below not in seen:
                    seen.add(below)
                    waiting.append(below)
        unlike = set(different)
        while different:
            for name in above.get(different.pop(), ()):
                if name not in unlike:
                    unlike.add(name)
                    different.append(name)
        for name in seen:
            self._same.setdefault(name, name not in unlike)


def text_of(value: Json) -> bytes:
    """One text per JSON value, whatever the order of keys."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):
        return json.dumps(spelled(value), sort_keys=True).encode()
