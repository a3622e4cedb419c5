"""What one instance breaks of a schema, as a tree: every violation with its place, unions with what each branch lacks.

Reads the 2020-12 schemas of `json_schema.Source` lazily: a reference is followed only where the instance goes, so that
a small instance is judged in a large contract without building a validator of it. Patterns, formats and multiples are
asked of the validator, so that both mean the same. `validate` answers yes or no by a library; `second` is the
independent validator that `evreview replay` asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from evreview.shapes.same import same
from evreview.shapes.validate import Unusable, validator
from evreview.vocab import Json

_DEEP: Final = 120
_STEPS: Final = 12_000
"""How many nodes are held against one instance before nothing is said."""
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a schema with keywords of the wrong type makes of judging: then nothing is said."""
_DEFINITION: Final = "#/$defs/"
_BOUNDS: Final[tuple[tuple[str, Callable[[Any, Any], bool]], ...]] = (
    ("minimum", lambda value, bound: value >= bound),
    ("maximum", lambda value, bound: value <= bound),
    ("exclusiveMinimum", lambda value, bound: value > bound),
    ("exclusiveMaximum", lambda value, bound: value < bound),
)
_SIZES: Final = (
    (str, "minLength", "maxLength"),
    (list, "minItems", "maxItems"),
    (dict, "minProperties", "maxProperties"),
)
_ASKED: Final = (("pattern", str), ("format", str), ("multipleOf", (int, float)))
At = tuple[str | int, ...]
Node = dict[str, Any]
Definition = Callable[[str], Json | None]


class Undecided(ValueError):
    """A part that nobody could read has a say, or the schema never ends."""


class Trace(NamedTuple):
    """How a schema node was reached: from which node, by which keyword and name, at which instance."""

    above: Trace | None
    node: Json
    keyword: str
    name: str
    at: At


@dataclass(frozen=True, slots=True)
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


class Evaluator:
    """Judges instances by schemas whose references `definition` looks up."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._asked: dict[tuple[str, str], Any] = {}
        self._left = 0
        self._allowance: int | None = None

    def allow(self, steps: int) -> None:
        """Limits all that is asked from now on together; what comes after that many steps is not said."""
        self._allowance = steps

    @property
    def left(self) -> int:
        """How many steps of the allowance are left, 0 without one."""
        return self._allowance or 0

    def admits(self, schema: Json, instance: Json) -> bool | None:
        """Whether the schema admits the instance; None when that can't be said."""
        found = self.violations(schema, instance)
        return None if found is None else not found

    def violations(self, schema: Json, instance: Json) -> tuple[Violation, ...] | None:
        """Everything that the instance breaks, () when it is admitted; None when that can't be said."""
        given = _STEPS if self._allowance is None else min(_STEPS, self._allowance)
        self._left = given
        try:
            return tuple(self._all(_Here(schema, instance, (), None)))
        except _MALFORMED:
            return None
        finally:
            if self._allowance is not None:
                self._allowance -= given - max(0, self._left)

    def _all(self, here: _Here) -> list[Violation]:
        node = here.schema
        if not isinstance(node, dict):
            return [] if node is not False else [here.broken("schema")]
        self._left -= 1
        if here.depth > _DEEP or self._left < 0:
            raise Undecided
        found: list[Violation] = []
        ref = node.get("$ref")
        if isinstance(ref, str):
            target = self._definition(ref.removeprefix(_DEFINITION))
            if target is None:
                raise Undecided
            found += self._all(here.inside(target, "$ref"))
        found += self._simple(here, node)
        found += self._composed(here, node)
        if isinstance(here.instance, dict):
            found += self._members(here, node, here.instance)
        elif isinstance(here.instance, list):
            found += self._elements(here, node, here.instance)
        return found

    def _simple(self, here: _Here, node: Node) -> Iterator[Violation]:
        value = here.instance
        if "type" in node and not _typed(value, node["type"]):
            yield here.broken("type")
        if "const" in node and not same(value, node["const"]):
            yield here.broken("const")
        if isinstance(node.get("enum"), list) and not _listed(value, node["enum"]):
            yield here.broken("enum")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield from (
                here.broken(name)
                for name, holds in _BOUNDS
                if isinstance(node.get(name), (int, float)) and not holds(value, node[name])
            )
        for kind, low, high in _SIZES:
            if isinstance(value, kind):
                size = len(value)
                if isinstance(node.get(low), (int, float)) and size < node[low]:
                    yield here.broken(low)
                if isinstance(node.get(high), (int, float)) and size > node[high]:
                    yield here.broken(high)
        for name, kinds in _ASKED:
            if name in node and isinstance(value, kinds) and not self._by_validator(name, node[name], value):
                yield here.broken(name)

    def _by_validator(self, keyword: str, said: Json, value: Json) -> bool:
        key = (keyword, repr(said))
        if key not in self._asked:
            try:
                self._asked[key] = validator({keyword: said})
            except Unusable as error:
                raise Undecided from error
        return bool(self._asked[key].is_valid(value))

    def _composed(self, here: _Here, node: Node) -> Iterator[Violation]:
        for at, branch in enumerate(node.get("allOf", ())):
            yield from self._all(here.inside(branch, "allOf", str(at)))
        if "anyOf" in node:
            broken = [self._all(here.inside(one, "anyOf", str(at))) for at, one in enumerate(node["anyOf"])]
            if all(broken):
                yield here.broken("anyOf", branches=broken)
        if "oneOf" in node:
            broken = [self._all(here.inside(one, "oneOf", str(at))) for at, one in enumerate(node["oneOf"])]
            fitting = tuple(at for at, one in enumerate(broken) if not one)
            if len(fitting) != 1:
                yield here.broken("oneOf", branches=() if fitting else broken, fitting=fitting)
        if "not" in node and not self._all(here.inside(node["not"], "not")):
            yield here.broken("not")
        if "if" in node:
            chosen = "else" if self._all(here.inside(node["if"], "if")) else "then"
            if chosen in node:
                yield from self._all(here.inside(node[chosen], chosen))

    def _members(self, here: _Here, node: Node, value: Mapping[str, Json]) -> Iterator[Violation]:
        yield from (here.broken("required", name) for name in node.get("required", ()) if name not in value)
        for name, owed in node.get("dependentRequired", {}).items():
            if name in value:
                yield from (here.broken("dependentRequired", other) for other in owed if other not in value)
        for name, schema in node.get("dependentSchemas", {}).items():
            if name in value:
                yield from self._all(here.inside(schema, "dependentSchemas", name))
        if "propertyNames" in node:
            for name in value:
                yield from self._all(here.below(node["propertyNames"], "propertyNames", name, name))
        known = set()
        for name in node.get("properties", {}).keys() & value.keys():
            known.add(name)
        for name in sorted(known):
            yield from self._all(here.below(node["properties"][name], "properties", name, value[name]))
        for pattern, schema in node.get("patternProperties", {}).items():
            for name in value:
                if self._by_validator("pattern", pattern, name):
                    known.add(name)
                    yield from self._all(here.below(schema, "patternProperties", name, value[name]))
        if "additionalProperties" in node:
            yield from self._rest(here, "additionalProperties", [name for name in value if name not in known])
        if node.get("unevaluatedProperties", True) is not True:
            seen = self._evaluated(here)[0]
            yield from self._rest(here, "unevaluatedProperties", [name for name in value if name not in seen])

    def _rest(self, here: _Here, keyword: str, names: Sequence[str]) -> Iterator[Violation]:
        schema, value = here.schema[keyword], here.instance  # type: ignore[index,call-overload]
        for name in names:
            if schema is False:
                yield here.broken(keyword, name)
            else:
                yield from self._all(here.below(schema, keyword, name, value[name]))  # type: ignore[index,call-overload]

    def _elements(self, here: _Here, node: Node, value: Sequence[Json]) -> Iterator[Violation]:
        prefix = node.get("prefixItems", ())
        for at, (schema, item) in enumerate(zip(prefix, value, strict=False)):
            yield from self._all(here.below(schema, "prefixItems", at, item))
        if "items" in node:
            for at in range(len(prefix), len(value)):
                yield from self._all(here.below(node["items"], "items", at, value[at]))
        if node.get("uniqueItems") is True and any(
            same(one, other) for at, one in enumerate(value) for other in value[:at]
        ):
            yield here.broken("uniqueItems")
        if "contains" in node:
            yield from self._contains(here, node, value)
        if node.get("unevaluatedItems", True) is not True:
            seen = self._evaluated(here)[1]
            for at, item in enumerate(value):
                if at not in seen:
                    yield from self._all(here.below(node["unevaluatedItems"], "unevaluatedItems", at, item))

    def _contains(self, here: _Here, node: Node, value: Sequence[Json]) -> Iterator[Violation]:
        broken = [self._all(here.below(node["contains"], "contains", at, item)) for at, item in enumerate(value)]
        fitting = sum(not one for one in broken)
        if fitting < node.get("minContains", 1):
            yield here.broken("minContains" if "minContains" in node else "contains", branches=broken)
        if fitting > node.get("maxContains", fitting):
            yield here.broken("maxContains")

    def _evaluated(self, here: _Here) -> tuple[set[str], set[int]]:
        """Members and items that the node itself, or what holds in place with it, has looked at."""
        names: set[str] = set()
        places: set[int] = set()
        node, value = here.schema, here.instance
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
                places |= {
                    at for at, item in whole if not self._all(here.below(node["contains"], "contains", at, item))
                }
        for inner in self._in_place(here, node):
            if not self._all(inner):
                more = self._evaluated(inner)
                own = inner.schema if isinstance(inner.schema, dict) else {}
                names |= set(value) if isinstance(value, dict) and "unevaluatedProperties" in own else more[0]
                places |= set(range(len(value))) if isinstance(value, list) and "unevaluatedItems" in own else more[1]
        return names, places

    def _in_place(self, here: _Here, node: Node) -> Iterator[_Here]:
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield here.inside(self._definition(ref.removeprefix(_DEFINITION)), "$ref")
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from (here.inside(one, keyword, str(at)) for at, one in enumerate(node.get(keyword, ())))
        if "if" in node:
            condition = here.inside(node["if"], "if")
            met = not self._all(condition)
            yield condition
            if ("then" if met else "else") in node:
                yield here.inside(node["then" if met else "else"], "then" if met else "else")
        value = here.instance
        if isinstance(value, dict):
            for name, schema in node.get("dependentSchemas", {}).items():
                if name in value:
                    yield here.inside(schema, "dependentSchemas", name)


@dataclass(frozen=True, slots=True)
class _Here:
    """One schema node held against one value."""

    schema: Json
    instance: Json
    at: At
    trace: Trace | None
    depth: int = field(default=0)

    def inside(self, schema: Json, keyword: str, name: str = "") -> _Here:
        """A node that judges the same value."""
        return _Here(
            schema, self.instance, self.at, Trace(self.trace, self.schema, keyword, name, self.at), self.depth + 1
        )

    def below(self, schema: Json, keyword: str, name: str | int, value: Json) -> _Here:
        """A node that judges a member."""
        trace = Trace(self.trace, self.schema, keyword, str(name), self.at)
        return _Here(schema, value, (*self.at, name), trace, self.depth + 1)

    def broken(
        self,
        keyword: str,
        name: str = "",
        *,
        branches: Sequence[Sequence[Violation]] = (),
        fitting: tuple[int, ...] = (),
    ) -> Violation:
        """The violation of a keyword of this node."""
        trace = Trace(self.trace, self.schema, keyword, name, self.at)
        return Violation(self.at, keyword, name, trace, tuple(tuple(one) for one in branches), fitting)


def _listed(value: Json, values: list[Json]) -> bool:
    """Whether a value is one of many; what is the same is equal too, but true equals 1."""
    if value not in values:
        return False
    at = values.index(value)
    return same(value, values[at]) or any(same(value, one) for one in values[at + 1 :])


def _typed(value: Json, said: Json) -> bool:
    names = said if isinstance(said, list) else [said]
    return any(_is(value, name) for name in names)


def _is(value: Json, name: Json) -> bool:
    match name:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "integer":
            return not isinstance(value, bool) and (
                isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            )
    raise Undecided
