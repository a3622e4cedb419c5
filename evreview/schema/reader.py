"""Reads one written schema node into a `SchemaView`, without following references and without merging `allOf`.

And which keywords there are, which of a node nobody can read, and where `nullable` has no effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any, Final, NamedTuple

from evreview.contract.model import Place, SchemaDialect
from evreview.core.json_text import Inexact, spelled, whole
from evreview.core.vocabulary import Json
from evreview.schema.regular_languages import is_readable
from evreview.schema.view import ALL_TYPES, NOTHING, Additional, Bound, Discriminator, Part, SchemaView, Sub

# The JSON Schema keywords that decide which values are admitted, by the shape of what stands below them. Data only.


COPIED: Final = (
    "type",
    "format",
    "enum",
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "dependentRequired",
)
"""Keywords whose value holds no schema."""

SINGLE: Final = (
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
)
"""Keywords whose value is one schema."""

UNEVALUATED: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""Keywords that judge the members and items which nothing in place names."""

MAPPED: Final = ("properties", "patternProperties", "dependentSchemas")
"""Keywords whose value maps names to schemas."""

LISTED: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords whose value is a list of schemas."""

ASSERTED_FORMATS: Final = frozenset(
    {
        "date",
        "date-time",
        "time",
        "duration",
        "email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    }
)
"""String formats that are read as constraints: those of JSON Schema Validation 2020-12, section 7.3.

The two validators tell different strings of `idn-email` and `uri-template`; these, and all others, are names whose
values nobody here knows.
"""

BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "float": (-3.4028234663852886e38, 3.4028234663852886e38),
    "double": (-1.7976931348623157e308, 1.7976931348623157e308),
}
"""Number formats of the OpenAPI format registry, as the bounds they stand for."""


_Read = Callable[[Mapping[str, Json], Place, str], object]

OLD_OPENAPI: Final = frozenset({SchemaDialect.SWAGGER_2, SchemaDialect.OPENAPI_3_0})
REF_ALONE: Final = OLD_OPENAPI | {SchemaDialect.DRAFT_4, SchemaDialect.DRAFT_6, SchemaDialect.DRAFT_7}

# Scalar keywords, and the value with which each says nothing (None: every value says something).
SCALARS: Final[Mapping[str, Json]] = {
    "multipleOf": None,
    "minLength": 0,
    "maxLength": None,
    "pattern": None,
    "format": None,
    "minItems": 0,
    "maxItems": None,
    "uniqueItems": False,
    "minContains": 1,
    "maxContains": None,
    "minProperties": 0,
    "maxProperties": None,
    "readOnly": False,
    "writeOnly": False,
    "deprecated": False,
    "default": None,
    "contentEncoding": None,
    "contentMediaType": None,
    "contentSchema": None,
    "collectionFormat": "csv",
    "xml": None,
    "$dynamicRef": None,
    "$recursiveRef": None,
    "x-extensible-enum": None,
}
_READ_ELSEWHERE: Final = frozenset(
    {"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "properties", "required"}
    | {"additionalProperties", "patternProperties", "propertyNames", "items", "prefixItems", "additionalItems", "not"}
    | {"contains", "unevaluatedProperties", "unevaluatedItems", "allOf", "anyOf", "oneOf", "if", "then", "else"}
    | {"dependentSchemas", "dependentRequired", "dependencies", "discriminator", "$ref", "$defs", "definitions"}
)
_KNOWN: Final = frozenset({*SCALARS, *_READ_ELSEWHERE, "nullable", "x-nullable"})
_BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_SCALARS_AND_REF: Final = frozenset({*SCALARS, "$ref"})
_COMPOSING: Final = frozenset(
    {"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
)
_IN_PLACE: Final = re.compile(r"(?:/allOf/\d+)+\Z")
_REST: Final = ("additionalProperties", "unevaluatedProperties")
ANNOTATIONS: Final = frozenset(
    {"title", "description", "summary", "example", "examples", "externalDocs", "$comment", "$schema", "$id", "$anchor"}
)


def is_annotation(keyword: str) -> bool:
    """True for what never reaches the wire: no keyword of the format, or one that only people read."""
    return keyword not in _KNOWN


def written_type(node: Mapping[str, Json]) -> Json:
    """What a node says of types, None for nothing; YAML's null without quotes is the name of the type."""
    if "type" not in node:
        return None
    said = node["type"]
    if isinstance(said, list) and None in said:
        return ["null" if name is None else name for name in said]
    return "null" if said is None else said


def says_nullable(node: Json, dialect: SchemaDialect) -> bool:
    """True when an older OpenAPI node carries its own spelling of nullability."""
    if dialect not in OLD_OPENAPI or not isinstance(node, (dict, Mapping)):
        return False
    return node.get("nullable") is True or node.get("x-nullable") is True


def extends_null(node: Json, dialect: SchemaDialect) -> bool:
    """True for `x-nullable`, which no standard defines: everybody who writes it means that null is possible."""
    return says_nullable(node, dialect) and isinstance(node, (dict, Mapping)) and node.get("x-nullable") is True


def read_node(part: Part, dialect: SchemaDialect) -> SchemaView:
    """The view of one node; `all_of`, `any_of` and `one_of` as written."""
    node, place = part
    if node is False:
        return NOTHING
    if not isinstance(node, dict):
        return SchemaView()
    types, null, enum = _values(node, dialect)
    fields: dict[str, Any] = {}
    annotations: dict[str, Json] = {}
    for keyword in node:
        if keyword in _MEMBERS:
            for slot, read in _MEMBERS[keyword]:
                fields[slot] = read(node, place, keyword)
        elif keyword not in _KNOWN:
            annotations[keyword] = node[keyword]
    if not _BOUNDS.isdisjoint(node):
        fields["minimum"], fields["maximum"] = _bounds(node, types)
    return SchemaView(
        never=types == frozenset() and not null,
        types=types,
        null=null,
        enum=enum,
        keywords=_keywords(node),
        annotations=annotations,
        **fields,
    )


def _keywords(node: Mapping[str, Json]) -> dict[str, Json]:
    """The scalar keywords that say something, in the order of `SCALARS`, and a reference."""
    if _SCALARS_AND_REF.isdisjoint(node):
        return {}
    keywords = {name: node[name] for name, non_wire in SCALARS.items() if name in node and _says(node[name], non_wire)}
    if isinstance(node.get("$ref"), str):
        keywords["$ref"] = node["$ref"]
    return keywords


def _says(value: Json, non_wire: Json) -> bool:
    return non_wire is None or value is None or value != non_wire


def _values(
    node: Mapping[str, Json], dialect: SchemaDialect
) -> tuple[frozenset[str] | None, bool, tuple[Json, ...] | None]:
    types, null = _types(written_type(node))
    lenient = extends_null(node, dialect)
    null = null or lenient or (says_nullable(node, dialect) and types is not None)
    values = listed_values(node)
    if values is None:
        return types, null, None
    enum = _unique(value for value in values if value is not None)
    null = lenient or (null and any(value is None for value in values))
    return (types if types is not None else frozenset(json_type(value) for value in enum)), null, enum


def listed_values(node: Mapping[str, Json]) -> list[Json] | None:
    """The values that `enum` and `const` leave, None when neither lists any."""
    listed = node.get("enum")
    if "const" not in node:
        return listed if isinstance(listed, list) else None
    const = node["const"]
    kept = not isinstance(listed, list) or any(_kind(const) == _kind(value) and const == value for value in listed)
    return [const] if kept else []


def _kind(value: Json) -> str:
    """A number is one value, however it is written; true and 1 are two."""
    return "number" if json_type(value) == "integer" else json_type(value)


def only_null(node: Json) -> bool:
    """True for a node that says of itself that null is all it admits; older spellings of nullability may be beside."""
    if not isinstance(node, (dict, Mapping)) or any(keyword in _COMPOSING for keyword in node):
        return False
    written, values = written_type(node), listed_values(node)
    if values is not None and any(value is not None for value in values):
        return False
    if values == []:
        return False
    names = [written] if isinstance(written, str) else written
    if names is None:
        return values is not None
    if not isinstance(names, list):
        return False
    nullable = "null" in names or node.get("nullable") is True or node.get("x-nullable") is True
    return nullable and (values is not None or names == ["null"])


def _types(written: Json) -> tuple[frozenset[str] | None, bool]:
    if written is None:
        return None, True
    names = {written} if isinstance(written, str) else set(_names(written))
    types = names - {"null"}
    if "number" in types:
        types -= {"integer"}
    if types >= ALL_TYPES - {"integer"} and "null" in names:
        return None, True
    return frozenset(types), "null" in names


def json_type(value: Json) -> str:
    """The JSON Schema type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (int, float)):
        return "integer" if isinstance(value, int) or value.is_integer() else "number"
    return "object" if isinstance(value, (dict, Mapping)) else "array"


def _unique(values: object) -> tuple[Json, ...]:
    found: dict[str, Json] = {}
    for value in values:  # type: ignore[attr-defined]
        found.setdefault(f"{json_type(value)}:{value!r}", value)
    return tuple(found.values())


def _bounds(node: Mapping[str, Json], types: frozenset[str] | None) -> tuple[Bound | None, Bound | None]:
    whole = types == frozenset({"integer"})
    low = tighter(_bound(node, "minimum"), _bound(node, "exclusiveMinimum"), lower=True)
    high = tighter(_bound(node, "maximum"), _bound(node, "exclusiveMaximum"), lower=False)
    if whole and low is not None:
        low = Bound(floor(low.value) + 1 if low.exclusive else ceil(low.value))
    if whole and high is not None:
        high = Bound(ceil(high.value) - 1 if high.exclusive else floor(high.value))
    return low, high


def _bound(node: Mapping[str, Json], keyword: str) -> Bound | None:
    value = node.get(keyword)
    if isinstance(value, (bool, Inexact)) or not isinstance(value, (int, float)) or abs(value) == float("inf"):
        return None
    flag = node.get("exclusive" + keyword[0].upper() + keyword[1:])
    number = whole(value) if isinstance(value, int) or value.is_integer() else value
    return Bound(number, flag is True or keyword.startswith("exclusive"))


def tighter(left: Bound | None, right: Bound | None, *, lower: bool) -> Bound | None:
    """The stricter of two bounds."""
    if left is None or right is None:
        return left or right
    if left.value == right.value:
        return left if left.exclusive else right
    return left if (left.value > right.value) is lower else right


def _schema(node: Json, place: Place) -> Sub:
    return Sub((Part(node, place),))


def _is_schema(node: Json) -> bool:
    return isinstance(node, (dict, bool))


def _one(node: Mapping[str, Json], place: Place, keyword: str) -> Sub | None:
    member = node.get(keyword)
    return _schema(member, place.child(keyword)) if _is_schema(member) else None


def _additional(node: Mapping[str, Json], place: Place, keyword: str) -> Additional:
    member = node.get(keyword)
    if isinstance(member, bool):
        return member
    if not isinstance(member, dict) or not member:
        return True
    if keyword in _REST and all(is_annotation(name) for name in member):
        return True
    return _schema(member, place.child(keyword))


def _mapping(node: Mapping[str, Json], place: Place, keyword: str) -> dict[str, Sub]:
    members = node.get(keyword)
    if not isinstance(members, (dict, Mapping)):
        return {}
    below = place.child(keyword)
    return {name: _schema(member, below.child(name)) for name, member in members.items() if _is_schema(member)}


def _list(node: Mapping[str, Json], place: Place, keyword: str) -> tuple[Sub, ...]:
    members = node.get(keyword)
    if not isinstance(members, list):
        return ()
    return tuple(_schema(member, place.child(keyword, at)) for at, member in enumerate(members) if _is_schema(member))


def _items(node: Mapping[str, Json], place: Place) -> Additional:
    keyword = "additionalItems" if isinstance(node.get("items"), list) else "items"
    return _additional(node, place, keyword)


def _prefix(node: Mapping[str, Json], place: Place) -> tuple[Sub, ...]:
    return _list(node, place, "items" if isinstance(node.get("items"), list) else "prefixItems")


def _names(value: Json) -> frozenset[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return frozenset()
    return frozenset(name for name in value if isinstance(name, str))


def _conditional(node: Mapping[str, Json], place: Place) -> dict[str, Sub]:
    found = {keyword: _one(node, place, keyword) for keyword in ("if", "then", "else")}
    # Without consequence it still evaluates members, which matters where the rest is judged.
    non_wire = found["then"] is None and found["else"] is None and UNEVALUATED.isdisjoint(node)
    if found["if"] is None or non_wire:
        return {}
    return {keyword: sub for keyword, sub in found.items() if sub is not None}


def _dependent_schemas(node: Mapping[str, Json], place: Place) -> dict[str, Sub]:
    return _mapping(node, place, "dependentSchemas") | _mapping(node, place, "dependencies")


def _dependent_required(node: Mapping[str, Json]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for keyword in ("dependencies", "dependentRequired"):
        members = node.get(keyword)
        if isinstance(members, (dict, Mapping)):
            found |= {name: _names(listed) for name, listed in members.items() if isinstance(listed, list) and listed}
    return found


def discriminator_of(node: Mapping[str, Json], place: Place) -> Discriminator | None:
    """What a node says of the member that tells its branches or subtypes apart; None when it says nothing."""
    written = node.get("discriminator")
    whole = Place(place.file, _IN_PLACE.sub("", place.pointer))
    base = None if "oneOf" in node or "anyOf" in node else whole
    if isinstance(written, str):
        return Discriminator(written, written=base)
    name = written.get("propertyName") if isinstance(written, (dict, Mapping)) else None
    if not isinstance(written, (dict, Mapping)) or not isinstance(name, str):
        return None
    mapping = written.get("mapping")
    explicit = (
        {value: ref for value, ref in mapping.items() if isinstance(ref, str)}
        if isinstance(mapping, (dict, Mapping))
        else {}
    )
    taken = {ref.rsplit("/", 1)[-1] for ref in explicit.values()}
    refs = [member.get("$ref") for keyword in ("oneOf", "anyOf") for member in _raw_list(node.get(keyword))]
    implicit = {ref.rsplit("/", 1)[-1]: ref for ref in refs if isinstance(ref, str)}
    return Discriminator(name, {name: ref for name, ref in implicit.items() if name not in taken} | explicit, base)


def _raw_list(value: Json) -> list[Mapping[str, Json]]:
    return [member for member in value if isinstance(member, (dict, Mapping))] if isinstance(value, list) else []


def _alone(read: Callable[[Mapping[str, Json]], object]) -> _Read:
    return lambda node, place, keyword: read(node)


def _together(read: Callable[[Mapping[str, Json], Place], object]) -> _Read:
    return lambda node, place, keyword: read(node, place)


_ITEMS: Final = (("items", _together(_items)), ("prefix", _together(_prefix)))
_IF: Final = (("conditional", _together(_conditional)),)
_DEPENDENT: Final = (("dependent_schemas", _together(_dependent_schemas)),)
_OWED: Final = (("dependent_required", _alone(_dependent_required)),)

# Keyword -> the slots of the view that it fills, each with its reader. Only what a node holds is looked at.
_MEMBERS: Final[Mapping[str, tuple[tuple[str, _Read], ...]]] = {
    "required": (("required", _alone(lambda node: _names(node["required"]))),),
    "properties": (("properties", _mapping),),
    "patternProperties": (("patterns", _mapping),),
    "additionalProperties": (("additional", _additional),),
    "unevaluatedProperties": (("unevaluated_properties", _additional),),
    "unevaluatedItems": (("unevaluated_items", _additional),),
    "propertyNames": (("property_names", _one),),
    "contains": (("contains", _one),),
    "not": (("negated", _one),),
    "allOf": (("all_of", _list),),
    "anyOf": (("any_of", _list),),
    "oneOf": (("one_of", _list),),
    "discriminator": (("discriminator", _together(discriminator_of)),),
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), _ITEMS),
    **dict.fromkeys(("if", "then", "else"), _IF),
    "dependentSchemas": _DEPENDENT,
    "dependencies": (*_DEPENDENT, *_OWED),
    "dependentRequired": _OWED,
}


# Keywords of a schema node whose value no reader understands. What they say is unknown, so nothing rests on them.


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
            yield from (Malformed((keyword, name), sub) for name, sub in value.items() if not _is_schema(sub))
        elif keyword in LISTED and isinstance(value, list):
            yield from (Malformed((keyword, at), sub) for at, sub in enumerate(value) if not _is_schema(sub))


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


def _valid_types(value: Json) -> bool:
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


def _valid_values(value: Json) -> bool:
    return isinstance(value, list) and _kept(value)


def _valid_list(value: Json) -> bool:
    return isinstance(value, list)


def _choices(value: Json) -> bool:
    return isinstance(value, list) and bool(value)


def _valid_mapping(value: Json) -> bool:
    return isinstance(value, (dict, Mapping))


def _valid_names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _owed(value: Json) -> bool:
    return isinstance(value, (dict, Mapping)) and all(_valid_names(names) for names in value.values())


def _depending(value: Json) -> bool:
    return isinstance(value, (dict, Mapping)) and all(_valid_names(one) or _is_schema(one) for one in value.values())


def _valid_items(value: Json) -> bool:
    return all(_is_schema(item) for item in value) if isinstance(value, list) else _is_schema(value)


_CHECKS: Final[Mapping[str, Callable[[Json], bool]]] = {
    **dict.fromkeys(SINGLE, _is_schema),
    **dict.fromkeys(MAPPED, _valid_mapping),
    **dict.fromkeys(("allOf", "prefixItems"), _valid_list),
    **dict.fromkeys(("anyOf", "oneOf"), _choices),
    **{f"{end}{what}": _count for end in ("min", "max") for what in _COUNTS},
    **dict.fromkeys(("minimum", "maximum"), _number),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _exclusive),
    **dict.fromkeys(("format", "$ref"), _text),
    **dict.fromkeys(("uniqueItems", "nullable", "x-nullable", "readOnly", "writeOnly"), _flag),
    "pattern": _expression,
    "patternProperties": _by_expression,
    "type": _valid_types,
    "enum": _valid_values,
    "const": _kept,
    "items": _valid_items,
    "multipleOf": _positive,
    "required": _valid_names,
    "dependentRequired": _owed,
    "dependencies": _depending,
}


# `nullable` where it has no effect: authors and generators write it there to say that null may come.


def marks_nullable(node: Json, dialect: SchemaDialect) -> bool:
    """True when a node of any OpenAPI says `nullable`, whether its version gives that an effect or not."""
    if dialect is SchemaDialect.OPENAPI_3_1:
        return isinstance(node, (dict, Mapping)) and node.get("nullable") is True
    return says_nullable(node, dialect)


def non_wire_nullable(node: Json, dialect: SchemaDialect) -> bool:
    """True when `nullable` stands where it has no effect: OpenAPI 3.0.3 (section 4.7.24.1), and anywhere in 3.1.

    It adds null to the `type` of the same schema object only, and an `enum` without null still refuses null.
    OpenAPI 3.1 has no such keyword: null is a type.
    """
    if dialect is SchemaDialect.OPENAPI_3_1:
        return marks_nullable(node, dialect)
    if not says_nullable(node, dialect) or not isinstance(node, (dict, Mapping)) or extends_null(node, dialect):
        return False
    listed = node.get("enum")
    return "type" not in node or (isinstance(listed, list) and not any(value is None for value in listed))
