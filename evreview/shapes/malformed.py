"""Keywords of a schema node whose value no reader understands. What they say is unknown, so nothing rests on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from evreview.contract.model import SchemaDialect
from evreview.core.json_text import Inexact, spelled
from evreview.core.vocabulary import Json
from evreview.shapes.keywords import LISTED, MAPPED, SINGLE
from evreview.shapes.patterns import is_readable

_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_COUNTS: Final = ("Length", "Items", "Properties", "Contains")
TUPLES: Final = frozenset(SchemaDialect) - {SchemaDialect.OPENAPI_3_1, SchemaDialect.DRAFT_2020_12}
"""The dialects in which `items` may be a list, of the schemas of the first places."""
DEPENDING: Final = frozenset(
    {SchemaDialect.DRAFT_4, SchemaDialect.DRAFT_6, SchemaDialect.DRAFT_7, SchemaDialect.ANY_DRAFT}
)
"""The dialects in which `dependencies` is a keyword."""
EXPRESSIONS: Final = ("pattern", "patternProperties")
_ADVICE: Final = "write what the version of the contract allows there"


class Malformed(NamedTuple):
    """A keyword, or one member below it, that can't be read."""

    steps: tuple[str | int, ...]
    value: Json

    @property
    def found(self) -> str:
        """What was met, for a reader."""
        if not _kept(self.value):
            return f"{self.steps[0]}: {spelled(self.value)} has more digits than a double keeps"
        if self.steps[0] in EXPRESSIONS and not _is_wrong(self.value):
            return f"{self.steps[0]}: no regular expression that is known here"
        return f"{self.steps[0]}: no such value is known there"

    @property
    def advice(self) -> str:
        """What the author can do."""
        if self.steps[0] in EXPRESSIONS and not _is_wrong(self.value):
            return "correct the expression, as ECMA-262 spells one"
        return _ADVICE if _kept(self.value) else "write it with fewer digits, or as a whole number"


def malformed(node: Mapping[str, Json], dialect: SchemaDialect) -> Iterator[Malformed]:
    """The parts of one node that can't be read, none below them. Spellings of other dialects that are read are fine."""
    for keyword, value in node.items():
        check = _CHECKS.get(keyword)
        if check is None:
            continue
        if (not check(value) and not _tolerated(keyword, value, dialect)) or _foreign(keyword, value, dialect):
            yield Malformed((keyword,), value)
        elif keyword in MAPPED and isinstance(value, (dict, Mapping)):
            yield from (Malformed((keyword, name), sub) for name, sub in value.items() if not _schema(sub))
        elif keyword in LISTED and isinstance(value, list):
            yield from (Malformed((keyword, at), sub) for at, sub in enumerate(value) if not _schema(sub))


def _foreign(keyword: str, value: Json, dialect: SchemaDialect) -> bool:
    """True for a list of items where `prefixItems` took its place."""
    return keyword == "items" and isinstance(value, list) and dialect not in TUPLES


def _tolerated(keyword: str, value: Json, dialect: SchemaDialect) -> bool:
    """Swagger 2.0 describes parameters and files in the place of a schema; `dependencies` is a word of older drafts."""
    if keyword == "dependencies" and dialect not in DEPENDING:
        return True
    if dialect is not SchemaDialect.SWAGGER_2:
        return False
    return (keyword == "type" and value == "file") or (keyword == "required" and isinstance(value, bool))


def _schema(value: Json) -> bool:
    return isinstance(value, (dict, bool))


def _types(value: Json) -> bool:
    """True for names of types; YAML's null without quotes is read as the name, for nothing else can be meant."""
    if value is None or isinstance(value, str):
        return value is None or value in _TYPES
    return isinstance(value, list) and bool(value) and all(name is None or _named(name) for name in value)


def _named(name: Json) -> bool:
    return isinstance(name, str) and name in _TYPES


def _kept(value: Json) -> bool:
    """False for a number, or a list with one, whose digits are not all known."""
    if isinstance(value, list):
        return all(_kept(member) for member in value)
    return not isinstance(value, Inexact)


def _number(value: Json) -> bool:
    return _kept(value) and isinstance(value, (int, float)) and not isinstance(value, bool)


def _positive(value: Json) -> bool:
    return _kept(value) and isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0


def _count(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 and value == value // 1


def _exclusive(value: Json) -> bool:
    return _kept(value) and isinstance(value, (int, float))


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _expression(value: Json) -> bool:
    return isinstance(value, str) and is_readable(value)


def _by_expression(value: Json) -> bool:
    return isinstance(value, (dict, Mapping)) and all(is_readable(name) for name in value)


def _is_wrong(value: Json) -> bool:
    """True for what is no expression at all, whatever it holds."""
    return not isinstance(value, (str, dict, Mapping))


def _flag(value: Json) -> bool:
    return isinstance(value, bool)


def _values(value: Json) -> bool:
    return isinstance(value, list) and _kept(value)


def _list(value: Json) -> bool:
    return isinstance(value, list)


def _choices(value: Json) -> bool:
    return isinstance(value, list) and bool(value)


def _mapping(value: Json) -> bool:
    return isinstance(value, (dict, Mapping))


def _names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _owed(value: Json) -> bool:
    return isinstance(value, (dict, Mapping)) and all(_names(names) for names in value.values())


def _depending(value: Json) -> bool:
    return isinstance(value, (dict, Mapping)) and all(_names(one) or _schema(one) for one in value.values())


def _items(value: Json) -> bool:
    return all(_schema(item) for item in value) if isinstance(value, list) else _schema(value)


_CHECKS: Final[Mapping[str, Callable[[Json], bool]]] = {
    **dict.fromkeys(SINGLE, _schema),
    **dict.fromkeys(MAPPED, _mapping),
    **dict.fromkeys(("allOf", "prefixItems"), _list),
    **dict.fromkeys(("anyOf", "oneOf"), _choices),
    **{f"{end}{what}": _count for end in ("min", "max") for what in _COUNTS},
    **dict.fromkeys(("minimum", "maximum"), _number),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _exclusive),
    **dict.fromkeys(("format", "$ref"), _text),
    **dict.fromkeys(("uniqueItems", "nullable", "x-nullable", "readOnly", "writeOnly"), _flag),
    "pattern": _expression,
    "patternProperties": _by_expression,
    "type": _types,
    "enum": _values,
    "const": _kept,
    "items": _items,
    "multipleOf": _positive,
    "required": _names,
    "dependentRequired": _owed,
    "dependencies": _depending,
}
