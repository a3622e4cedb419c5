"""What one instance breaks of a schema, as a tree: every violation with its place, unions with what each branch lacks.

Reads the 2020-12 schemas of `to_json_schema` lazily: a reference is followed only where the instance goes, so that a
small instance is judged in a large contract without building a validator of it. Patterns, formats and multiples are
asked of the validator, so that both mean the same. `validators` answers yes or no by a library; `second_validator` is
the independent one that `evreview replay` asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Any, Final, NamedTuple

from evreview.core.frozen import frozen
from evreview.core.json_text import same
from evreview.core.vocabulary import Json
from evreview.schema.formats import disputed, unusable
from evreview.schema.validators import Unusable, validator

# The keywords that judge a value by itself, sorted out once per schema node: which value breaks which keyword.


SchemaNode = dict[str, Any]
Breaks = Callable[[Any], bool]
ByValidator = Callable[[str, Json, Json], bool]

_NUMBERS: Final[frozenset[type]] = frozenset({int, float})
_BOUNDS: Final[tuple[tuple[str, Callable[[Any, Any], bool]], ...]] = (
    ("minimum", lambda bound, value: not value >= bound),
    ("maximum", lambda bound, value: not value <= bound),
    ("exclusiveMinimum", lambda bound, value: not value > bound),
    ("exclusiveMaximum", lambda bound, value: not value < bound),
)
_SIZES: Final[tuple[tuple[frozenset[type], str, str], ...]] = (
    (frozenset({str}), "minLength", "maxLength"),
    (frozenset({list}), "minItems", "maxItems"),
    (frozenset({dict}), "minProperties", "maxProperties"),
)
_ASKED: Final[tuple[tuple[str, frozenset[type]], ...]] = (
    ("pattern", frozenset({str})),
    ("format", frozenset({str})),
    ("multipleOf", _NUMBERS),
)
_NAMED: Final[dict[str, tuple[type, ...]]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "string": (str,),
    "object": (dict,),
    "array": (list,),
    "number": (int, float),
    "integer": (int,),
}
_KINDS: Final = frozenset({type(None), bool, str, dict, list, int, float})


class Undecided(ValueError):
    """A part that nobody could read has a say, or the schema never ends."""


class Assertion(NamedTuple):
    """One keyword: the types that it is about, None for all, and whether a value of them breaks it."""

    kinds: frozenset[type] | None
    keyword: str
    breaks: Breaks


def assertions(node: SchemaNode, by_validator: ByValidator) -> Iterator[Assertion]:
    """What a node says of a value itself, in the order in which violations are told.

    A keyword that can't be used raises when a value is held against it, not here.

    Args:
        node: the schema node.
        by_validator: whether a value meets a keyword with an argument, as the validator says.
    """
    if "type" in node:
        yield Assertion(None, "type", _type(node["type"]))
    if "const" in node:
        yield Assertion(None, "const", partial(_differs, node["const"]))
    if isinstance(node.get("enum"), list):
        yield Assertion(None, "enum", partial(_unlisted, node["enum"]))
    for name, breaks in _BOUNDS:
        if isinstance(node.get(name), (int, float)):
            yield Assertion(_NUMBERS, name, partial(breaks, node[name]))
    for kinds, low, high in _SIZES:
        if isinstance(node.get(low), (int, float)):
            yield Assertion(kinds, low, partial(_shorter, node[low]))
        if isinstance(node.get(high), (int, float)):
            yield Assertion(kinds, high, partial(_longer, node[high]))
    for name, kinds in _ASKED:
        if name in node:
            yield Assertion(kinds, name, partial(_refused, by_validator, name, node[name]))


def _shorter(bound: float, value: Any) -> bool:
    return len(value) < bound


def _longer(bound: float, value: Any) -> bool:
    return len(value) > bound


def _refused(by_validator: ByValidator, keyword: str, said: Json, value: Json) -> bool:
    met = by_validator(keyword, said, value)
    if isinstance(said, str) and (
        unusable(said) if keyword == "pattern" else keyword == "format" and disputed(said, str(value), admitted=met)
    ):
        raise Undecided
    return not met


def _differs(const: Json, value: Json) -> bool:
    return not same(value, const)


def _unlisted(values: list[Json], value: Json) -> bool:
    """Whether a value is none of many; what is the same is equal too, but true equals 1."""
    if value not in values:
        return True
    at = values.index(value)
    return not (same(value, values[at]) or any(same(value, one) for one in values[at + 1 :]))


def _type(said: Json) -> Breaks:
    names = said if isinstance(said, list) else [said]
    if not all(isinstance(name, str) and name in _NAMED for name in names):
        return partial(_unnamed, names)
    kinds = frozenset(kind for name in names for kind in _NAMED[name])  # type: ignore[index]
    return partial(_mistyped, kinds, "integer" in names)


def _mistyped(kinds: frozenset[type], whole: bool, value: Any) -> bool:
    kind = type(value)
    return kind not in kinds and not (whole and kind is float and value.is_integer())


def _unnamed(names: list[Json], value: Json) -> bool:
    """The same where a name is no type: nothing is said unless a type before it fits."""
    for name in names:
        if not isinstance(name, str) or name not in _NAMED:
            raise Undecided
        if not _mistyped(frozenset(_NAMED[name]), name == "integer", value):
            return False
    return True


_DEEP: Final = 120
_STEPS: Final = 12_000
"""How many nodes are held against one instance before nothing is said."""
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a schema with keywords of the wrong type makes of judging: then nothing is said."""
_DEFINITION: Final = "#/$defs/"
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if"})
_CONTAINERS: Final = frozenset({dict, list})
_PLAIN: Final = frozenset({"required", "properties"})
_OF_MEMBERS: Final = frozenset(
    {"dependentRequired", "dependentSchemas", "propertyNames", "patternProperties"}
    | {"additionalProperties", "unevaluatedProperties"}
)
At = tuple[str | int, ...]
Node = dict[str, Any]
Definition = Callable[[str], Json | None]


class Trace(NamedTuple):
    """How a schema node was reached: from which node, by which keyword and name, at which instance."""

    above: Trace | None
    node: Json
    keyword: str
    name: str
    at: At


@frozen
class Violation:
    """One thing that an instance breaks.

    Attributes:
        at: the way to the value in the instance.
        keyword: the keyword that refuses it.
        name: the member that a `required` misses or that a closed object refuses, "" for others.
        trace: the schema node that holds the keyword, and the way to it.
        branches: of a union, what each branch refuses.
        fitting: of a `oneOf`, the branches that admit the value, when more than one does.
    """

    at: At
    keyword: str
    name: str
    trace: Trace
    branches: tuple[tuple[Violation, ...], ...] = ()
    fitting: tuple[int, ...] = ()


class _Broken(NamedTuple):
    """A keyword of a node that refuses a value, and of a union what each branch refuses."""

    keyword: str
    name: str = ""
    branches: tuple[_Within, ...] = ()
    fitting: tuple[int, ...] = ()


class _Within(NamedTuple):
    """What a node refuses that another one leads to: by which keyword and name, and whether it judges a member."""

    keyword: str
    name: str | int
    member: bool
    node: Json
    found: _Refused


_Refused = list["_Broken | _Within"]


class _Plan(NamedTuple):
    """One schema node, sorted out: what it says of a value itself, and what other keywords there are.

    `plain`: nothing but `required` and `properties` speaks about members.
    """

    node: Node
    ref: str | None
    own: tuple[Assertion, ...]
    composed: bool
    members: bool
    plain: bool


class _Tagged(NamedTuple):
    """The branches of a union by the constant that they ask of one member.

    Attributes:
        member: its name.
        by_constant: the places of the branches that ask for a constant.
        others: the places of those that ask for none.
    """

    member: str
    by_constant: Mapping[str, tuple[int, ...]]
    others: tuple[int, ...]


_MANY_BRANCHES: Final = 4
"""From so many on, a union is asked for its constants before its branches are tried one by one."""


class _Known(NamedTuple):
    """What a node refuses of a value, wherever both stand; both are kept so that no other gets their identities."""

    node: Json
    value: Json
    found: _Refused
    steps: int
    depth: int


class Evaluator:
    """Judges instances by schemas whose references `definition` looks up.

    Under an allowance the same parts are judged again and again: what is known of them is remembered until the next
    one, and still counts all its steps. `spent`: the steps of everything that was ever asked. Where only yes or no is
    asked, judging ends at the first refusal, and what is known of a part says no more than that.
    """

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._asked: dict[tuple[str, str], Any] = {}
        self._plans: dict[int, _Plan] = {}
        self._tags: dict[int, tuple[Sequence[Json], _Tagged | None]] = {}
        self._known: dict[tuple[int, int, bool], _Known] = {}
        self._briefly = False
        self._left = self._deepest = self.spent = 0
        self._allowance: int | None = None

    def allow(self, steps: int) -> None:
        """Limits all that is asked from now on together; what comes after that many steps is not said."""
        self._allowance = steps
        self._known.clear()

    @property
    def left(self) -> int:
        """How many steps of the allowance are left, 0 without one."""
        return self._allowance or 0

    def admits(self, schema: Json, instance: Json) -> bool | None:
        """Whether the schema admits the instance; None when that can't be said."""
        found = self._judged(schema, instance, briefly=True)
        return None if found is None else not found

    def violations(self, schema: Json, instance: Json) -> tuple[Violation, ...] | None:
        """Everything that the instance breaks, () when it is admitted; None when that can't be said."""
        found = self._judged(schema, instance, briefly=False)
        return None if found is None else tuple(_told(found, schema, None, ()))

    def _judged(self, schema: Json, instance: Json, *, briefly: bool) -> _Refused | None:
        given = _STEPS if self._allowance is None else min(_STEPS, self._allowance)
        self._left, self._deepest, self._briefly = given, 0, briefly
        try:
            return self._all(schema, instance, 0)
        except _MALFORMED:
            return None
        finally:
            taken = given - max(0, self._left)
            self.spent += taken
            if self._allowance is not None:
                self._allowance -= taken

    def _all(self, node: Json, value: Json, depth: int) -> _Refused:
        """What a node refuses of a value, nothing when it admits it."""
        if not isinstance(node, dict):
            return [] if node is not False else [_Broken("schema")]
        known = self._known.get((id(node), id(value), self._briefly))
        if known is not None and known.steps <= self._left and depth + known.depth <= _DEEP:
            self._left -= known.steps
            if depth + known.depth > self._deepest:
                self._deepest = depth + known.depth
            return known.found
        given, before = self._left, self._deepest
        self._left -= 1
        if depth > _DEEP or self._left < 0:
            raise Undecided
        self._deepest = depth
        found = self._found(node, value, depth + 1)
        steps = given - self._left
        if self._allowance is not None and (steps > 1 or type(value) not in _CONTAINERS):
            self._known[id(node), id(value), self._briefly] = _Known(node, value, found, steps, self._deepest - depth)
        if before > self._deepest:
            self._deepest = before
        return found

    def _fits(self, node: Json, value: Json, depth: int) -> bool:
        """Whether a node admits a value, where nobody asks for more."""
        before, self._briefly = self._briefly, True
        fits = not self._all(node, value, depth)
        self._briefly = before
        return fits

    def _found(self, node: Node, value: Json, depth: int) -> _Refused:
        """What a node refuses of a value; its first part where that is enough."""
        parts = self._parts(node, value, depth)
        return list(islice(parts, 1)) if self._briefly else list(parts)

    def _parts(self, node: Node, value: Json, depth: int) -> Iterator[_Broken | _Within]:
        plan = self._plans.get(id(node)) or self._plan(node)
        if plan.ref is not None:
            target = self._definition(plan.ref)
            if target is None:
                raise Undecided
            if refused := self._all(target, value, depth):
                yield _Within("$ref", "", False, target, refused)
        kind = type(value)
        for kinds, keyword, breaks in plan.own:
            if (kinds is None or kind in kinds) and breaks(value):
                yield _Broken(keyword)
        if plan.composed:
            yield from self._composed(node, value, depth)
        if isinstance(value, dict):
            if plan.plain:
                yield from self._plain_members(node, value, depth)
            elif plan.members:
                yield from self._members(node, value, depth)
        elif isinstance(value, list):
            yield from self._elements(node, value, depth)

    def _plan(self, node: Node) -> _Plan:
        ref = node.get("$ref")
        made = _Plan(
            node,
            ref.removeprefix(_DEFINITION) if isinstance(ref, str) else None,
            tuple(assertions(node, self._by_validator)),
            not _COMPOSED.isdisjoint(node),
            not _OF_MEMBERS.isdisjoint(node),
            _OF_MEMBERS.isdisjoint(node) and not _PLAIN.isdisjoint(node),
        )
        self._plans[id(node)] = made
        return made

    def _by_validator(self, keyword: str, said: Json, value: Json) -> bool:
        key = (keyword, repr(said))
        if key not in self._asked:
            try:
                self._asked[key] = validator({keyword: said})
            except Unusable as error:
                raise Undecided from error
        return bool(self._asked[key].is_valid(value))

    def _inside(self, schema: Json, value: Json, depth: int, step: tuple[str, str]) -> Iterator[_Within]:
        """What a node refuses that judges the same value."""
        if refused := self._all(schema, value, depth):
            yield _Within(*step, False, schema, refused)

    def _below(self, schema: Json, value: Json, depth: int, step: tuple[str, str | int]) -> Iterator[_Within]:
        """What a node refuses that judges a member."""
        if refused := self._all(schema, value, depth):
            yield _Within(*step, True, schema, refused)

    def _branches(self, keyword: str, node: Node, refused: Sequence[_Refused]) -> tuple[_Within, ...]:
        branches = enumerate(zip(node[keyword], refused, strict=True))
        return tuple(_Within(keyword, str(at), False, one, found) for at, (one, found) in branches)

    def _composed(self, node: Node, value: Json, depth: int) -> Iterator[_Broken | _Within]:
        for at, branch in enumerate(node.get("allOf", ())):
            yield from self._inside(branch, value, depth, ("allOf", str(at)))
        if "anyOf" in node:
            tried = self._candidates(node["anyOf"], value) if self._briefly else node["anyOf"]
            broken = list(takewhile(bool, (self._all(one, value, depth) for one in tried)))
            if len(broken) == len(tried) and self._briefly:
                yield _Broken("anyOf")
            elif len(broken) == len(tried):
                yield _Broken("anyOf", branches=self._branches("anyOf", node, broken))
        if "oneOf" in node:
            yield from self._one_of(node, value, depth)
        if "not" in node and self._fits(node["not"], value, depth):
            yield _Broken("not")
        if "if" in node:
            chosen = "then" if self._fits(node["if"], value, depth) else "else"
            if chosen in node:
                yield from self._inside(node[chosen], value, depth, (chosen, ""))

    def _one_of(self, node: Node, value: Json, depth: int) -> Iterator[_Broken]:
        if self._briefly:
            fits = (one for one in self._candidates(node["oneOf"], value) if not self._all(one, value, depth))
            if len(list(islice(fits, 2))) != 1:
                yield _Broken("oneOf")
            return
        broken = [self._all(one, value, depth) for one in node["oneOf"]]
        fitting = tuple([at for at, one in enumerate(broken) if not one])
        if len(fitting) != 1:
            yield _Broken("oneOf", branches=() if fitting else self._branches("oneOf", node, broken), fitting=fitting)

    def _candidates(self, branches: Sequence[Json], value: Json) -> Sequence[Json]:
        """The branches that a value may fit: none whose constant is another than the value's."""
        if len(branches) < _MANY_BRANCHES or not isinstance(value, dict):
            return branches
        known = self._tags.get(id(branches))
        if known is None:
            known = self._tags[id(branches)] = branches, self._tagged(branches)
        tagged = known[1]
        if tagged is None or tagged.member not in value:
            return branches
        said = value[tagged.member]
        same_constant = tagged.by_constant.get(said, ()) if isinstance(said, str) else ()
        return [branches[at] for at in sorted((*same_constant, *tagged.others))]

    def _tagged(self, branches: Sequence[Json]) -> _Tagged | None:
        """The member of which most branches ask for a constant; None where it parts fewer than half of them."""
        asked = [self._constants(one) for one in branches]
        counts = Counter(name for constants in asked for name in constants)
        if not counts or counts.most_common(1)[0][1] * 2 < len(branches):
            return None
        member = counts.most_common(1)[0][0]
        places: dict[str, list[int]] = {}
        for at, constants in enumerate(asked):
            for constant in set(constants.get(member, ())):
                places.setdefault(constant, []).append(at)
        others = tuple(at for at, constants in enumerate(asked) if member not in constants)
        return _Tagged(member, {constant: tuple(found) for constant, found in places.items()}, others)

    def _constants(self, branch: Json) -> dict[str, list[str]]:
        """The texts that a branch allows for its members, of those for which it lists nothing but texts."""
        ref = branch.get("$ref") if isinstance(branch, dict) and "properties" not in branch else None
        target = self._definition(ref.removeprefix(_DEFINITION)) if isinstance(ref, str) else branch
        members = target.get("properties") if isinstance(target, dict) else None
        if not isinstance(members, dict):
            return {}
        listed = {
            name: [one["const"]] if "const" in one else one.get("enum")
            for name, one in members.items()
            if isinstance(one, dict)
        }
        return {
            name: values
            for name, values in listed.items()
            if isinstance(values, list) and values and all(isinstance(each, str) for each in values)
        }

    def _plain_members(self, node: Node, value: Mapping[str, Json], depth: int) -> Iterator[_Broken | _Within]:
        for name in node.get("required", ()):
            if name not in value:
                yield _Broken("required", name)
        members = node.get("properties", {})
        for name in sorted(members.keys() & value.keys()):
            if refused := self._all(members[name], value[name], depth):
                yield _Within("properties", name, True, members[name], refused)

    def _members(self, node: Node, value: Mapping[str, Json], depth: int) -> Iterator[_Broken | _Within]:
        for name in node.get("required", ()):
            if name not in value:
                yield _Broken("required", name)
        for name, owed in node.get("dependentRequired", {}).items():
            if name in value:
                yield from (_Broken("dependentRequired", other) for other in owed if other not in value)
        for name, schema in node.get("dependentSchemas", {}).items():
            if name in value:
                yield from self._inside(schema, value, depth, ("dependentSchemas", name))
        if "propertyNames" in node:
            for name in value:
                yield from self._below(node["propertyNames"], name, depth, ("propertyNames", name))
        known = set(node.get("properties", {}).keys() & value.keys())
        for name in sorted(known):
            schema = node["properties"][name]
            if refused := self._all(schema, value[name], depth):
                yield _Within("properties", name, True, schema, refused)
        for pattern, schema in node.get("patternProperties", {}).items():
            for name in value:
                if self._by_validator("pattern", pattern, name):
                    known.add(name)
                    yield from self._below(schema, value[name], depth, ("patternProperties", name))
        if "additionalProperties" in node:
            rest = {name: member for name, member in value.items() if name not in known}
            yield from self._rest(node, rest, depth, "additionalProperties")
        if node.get("unevaluatedProperties", True) is not True:
            seen = self._evaluated(node, value, depth)[0]
            rest = {name: member for name, member in value.items() if name not in seen}
            yield from self._rest(node, rest, depth, "unevaluatedProperties")

    def _rest(self, node: Node, rest: Mapping[str, Json], depth: int, keyword: str) -> Iterator[_Broken | _Within]:
        schema = node[keyword]
        for name, member in rest.items():
            if schema is False:
                yield _Broken(keyword, name)
            else:
                yield from self._below(schema, member, depth, (keyword, name))

    def _elements(self, node: Node, value: Sequence[Json], depth: int) -> Iterator[_Broken | _Within]:
        prefix = node.get("prefixItems", ())
        for at, (schema, item) in enumerate(zip(prefix, value, strict=False)):
            yield from self._below(schema, item, depth, ("prefixItems", at))
        if "items" in node:
            for at in range(len(prefix), len(value)):
                yield from self._below(node["items"], value[at], depth, ("items", at))
        if node.get("uniqueItems") is True and any(
            same(one, other) for at, one in enumerate(value) for other in value[:at]
        ):
            yield _Broken("uniqueItems")
        if "contains" in node:
            yield from self._contains(node, value, depth)
        if node.get("unevaluatedItems", True) is not True:
            seen = self._evaluated(node, value, depth)[1]
            for at, item in enumerate(value):
                if at not in seen:
                    yield from self._below(node["unevaluatedItems"], item, depth, ("unevaluatedItems", at))

    def _contains(self, node: Node, value: Sequence[Json], depth: int) -> Iterator[_Broken]:
        schema = node["contains"]
        broken = tuple(
            _Within("contains", at, True, schema, self._all(schema, item, depth)) for at, item in enumerate(value)
        )
        fitting = sum(not one.found for one in broken)
        if fitting < node.get("minContains", 1):
            yield _Broken("minContains" if "minContains" in node else "contains", branches=broken)
        if fitting > node.get("maxContains", fitting):
            yield _Broken("maxContains")

    def _evaluated(self, node: Json, value: Json, depth: int) -> tuple[set[str], set[int]]:
        """Members and items that the node itself, or what holds in place with it, has looked at."""
        names: set[str] = set()
        places: set[int] = set()
        if not isinstance(node, dict):
            return names, places
        if isinstance(value, dict):
            names |= node.get("properties", {}).keys() & value.keys()
            patterns = node.get("patternProperties", {})
            names |= {name for name in value for pattern in patterns if self._by_validator("pattern", pattern, name)}
            names |= set(value) if "additionalProperties" in node else set()
        elif isinstance(value, list):
            places |= set(range(len(node.get("prefixItems", ()))))
            places |= set(range(len(value))) if "items" in node else set()
            if "contains" in node:
                whole = enumerate(value)
                places |= {at for at, item in whole if self._fits(node["contains"], item, depth)}
        for inner in self._in_place(node, value, depth):
            if self._fits(inner, value, depth):
                more = self._evaluated(inner, value, depth + 1)
                own = inner if isinstance(inner, dict) else {}
                names |= set(value) if isinstance(value, dict) and "unevaluatedProperties" in own else more[0]
                places |= set(range(len(value))) if isinstance(value, list) and "unevaluatedItems" in own else more[1]
        return names, places

    def _in_place(self, node: Node, value: Json, depth: int) -> Iterator[Json]:
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield self._definition(ref.removeprefix(_DEFINITION))
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from node.get(keyword, ())
        if "if" in node:
            met = self._fits(node["if"], value, depth)
            yield node["if"]
            if ("then" if met else "else") in node:
                yield node["then" if met else "else"]
        if isinstance(value, dict):
            for name, schema in node.get("dependentSchemas", {}).items():
                if name in value:
                    yield schema


def _told(found: _Refused, node: Json, trace: Trace | None, at: At) -> Iterator[Violation]:
    """What a node refuses, with the way to it."""
    for one in found:
        if isinstance(one, _Within):
            yield from _told_within(one, node, trace, at)
        else:
            branches = tuple(tuple(_told_within(branch, node, trace, at)) for branch in one.branches)
            step = Trace(trace, node, one.keyword, one.name, at)
            yield Violation(at, one.keyword, one.name, step, branches, one.fitting)


def _told_within(one: _Within, node: Json, trace: Trace | None, at: At) -> Iterator[Violation]:
    step = Trace(trace, node, one.keyword, str(one.name), at)
    yield from _told(one.found, one.node, step, (*at, one.name) if one.member else at)
