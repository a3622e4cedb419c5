"""The keywords that judge a value by itself, sorted out once per schema node: which value breaks which keyword."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from evreview.core.json_values import same
from evreview.core.vocabulary import Json
from evreview.schema.formats import disputed, unusable

Node = dict[str, Any]
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


def assertions(node: Node, by_validator: ByValidator) -> Iterator[Assertion]:
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
