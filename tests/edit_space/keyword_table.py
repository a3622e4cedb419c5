"""The table of keywords, in the order in which the standards define them."""

from __future__ import annotations

from typing import Any, Final

from tests.edit_space.forms import ALL, LATEST, OLD, THREE, Form
from tests.edit_space.keywords import Forms, Keyword
from tests.edit_space.values import LISTS, MAPS, MIXED, NUMBERS, TEXTS

NUMBER: Final = {"type": "number"}
INTEGER: Final = {"type": "integer"}
STRING: Final = {"type": "string"}
ARRAY: Final = {"type": "array", "items": {}}
LIST: Final = {"type": "array", "items": STRING}
OBJECT: Final = {"type": "object"}
A_STRING: Final = {"properties": {"a": STRING}}
A_NUMBER: Final = {"properties": {"a": INTEGER}}
RECORD: Final = {"type": "object", "properties": {"a": STRING, "b": STRING}}


def of(keyword: str, base: dict[str, Any], *found: Any, samples: tuple[Any, ...], forms: Forms = ALL) -> Keyword:
    """A keyword that is absent or has one of some values."""
    return Keyword(keyword, base, ({}, *({keyword: value} for value in found)), samples, forms)


NUMERIC: Final = (
    of("minimum", NUMBER, 1, 3, samples=NUMBERS),
    of("maximum", NUMBER, 3, 5, samples=NUMBERS),
    of("multipleOf", NUMBER, 2, 3, 4, 0.5, samples=NUMBERS),
    of("exclusiveMinimum", NUMBER, 1, 3, samples=NUMBERS, forms=LATEST),
    of("exclusiveMaximum", NUMBER, 3, 5, samples=NUMBERS, forms=LATEST),
    of("exclusiveMinimum", {**NUMBER, "minimum": 3}, False, True, samples=NUMBERS, forms=OLD),
    of("exclusiveMaximum", {**NUMBER, "maximum": 3}, False, True, samples=NUMBERS, forms=OLD),
    Keyword("minimum (or exclusive)", NUMBER, ({"minimum": 3}, {"exclusiveMinimum": 3}), NUMBERS, LATEST),
    Keyword("maximum (or exclusive)", NUMBER, ({"maximum": 3}, {"exclusiveMaximum": 3}), NUMBERS, LATEST),
    Keyword("minimum (of integers)", INTEGER, ({"minimum": 1}, {"minimum": 0.5}, {"minimum": 2}), NUMBERS),
    of("format", INTEGER, "int32", "int64", samples=NUMBERS),
)
STRINGS: Final = (
    of("minLength", STRING, 0, 1, 3, samples=TEXTS),
    of("maxLength", STRING, 3, 5, samples=TEXTS),
    of("pattern", STRING, "^a", "^[ab]", "^b", "^a[^\\n]*", samples=TEXTS),
    of("format", STRING, "date", "date-time", "uuid", samples=TEXTS),
    of("enum", STRING, ["a"], ["a", "b"], ["b", "c"], samples=TEXTS),
    of("enum", INTEGER, [1], [1, 2], [2, 3], samples=NUMBERS),
    of("const", STRING, "a", "b", samples=TEXTS, forms=LATEST),
    Keyword("enum (or const)", STRING, ({"enum": ["a"]}, {"const": "a"}, {"enum": ["a", "b"]}), TEXTS, LATEST),
    Keyword(
        "enum (or oneOf of const)",
        STRING,
        ({"enum": ["a", "b"]}, {"oneOf": [{"const": "a"}, {"const": "b"}]}, {"anyOf": [{"const": "a"}]}),
        TEXTS,
        LATEST,
    ),
)
_TYPES: Final = (
    {}, STRING, INTEGER, NUMBER, {"type": "boolean"}, {"type": "array", "items": {}}, OBJECT,
)  # fmt: skip
TYPES: Final = (
    Keyword("type", {}, _TYPES, (*MIXED, True, False)),
    Keyword(
        "type (list)",
        {},
        (
            STRING,
            {"type": ["string", "null"]},
            {"type": ["string", "integer"]},
            {"type": ["string"]},
            {"type": "null"},
            {"anyOf": [STRING, {"type": "null"}]},
        ),
        MIXED,
        LATEST,
    ),
    of("nullable", STRING, False, True, samples=(None, *TEXTS), forms=frozenset({Form.V30})),
    of("nullable", {}, True, samples=MIXED, forms=frozenset({Form.V30})),
    of("nullable", {**STRING, "enum": ["a", None]}, True, samples=(None, *TEXTS), forms=frozenset({Form.V30})),
    of("x-nullable", STRING, False, True, samples=(None, *TEXTS), forms=frozenset({Form.V20})),
    Keyword("boolean schema", {}, ({}, True, False, STRING), MIXED, LATEST),
)
ARRAYS: Final = (
    of("minItems", ARRAY, 0, 1, 3, samples=LISTS),
    of("maxItems", ARRAY, 1, 3, samples=LISTS),
    of("uniqueItems", ARRAY, False, True, samples=LISTS),
    Keyword(
        "items", {"type": "array"}, ({"items": STRING}, {"items": INTEGER}, {"items": NUMBER}, {"items": {}}), LISTS
    ),
    of("items", {"type": "array"}, True, False, STRING, samples=LISTS, forms=LATEST),
    of(
        "prefixItems",
        ARRAY,
        [STRING],
        [STRING, INTEGER],
        [{"type": ["string", "integer"]}],
        samples=LISTS,
        forms=LATEST,
    ),
    of("items", {"type": "array", "prefixItems": [STRING]}, INTEGER, False, samples=LISTS, forms=LATEST),
    of("contains", ARRAY, STRING, {"const": "a"}, INTEGER, samples=LISTS, forms=LATEST),
    of("minContains", {**ARRAY, "contains": STRING}, 0, 1, 2, samples=LISTS, forms=LATEST),
    of("maxContains", {**ARRAY, "contains": STRING}, 1, 2, samples=LISTS, forms=LATEST),
    of("contains", {**ARRAY, "maxContains": 1}, STRING, {"const": "a"}, samples=LISTS, forms=LATEST),
    of(
        "unevaluatedItems",
        {"type": "array", "prefixItems": [STRING]},
        True,
        False,
        INTEGER,
        samples=LISTS,
        forms=LATEST,
    ),
)
OBJECTS: Final = (
    of("minProperties", OBJECT, 0, 1, 2, samples=MAPS),
    of("maxProperties", OBJECT, 1, 2, samples=MAPS),
    of("minProperties", RECORD, 1, 2, samples=MAPS),
    of("maxProperties", RECORD, 1, samples=MAPS),
    of("required", RECORD, ["a"], ["a", "b"], ["b"], samples=MAPS),
    of("properties", OBJECT, {"a": STRING}, {"a": INTEGER}, {"a": STRING, "b": STRING}, {"a": {}}, samples=MAPS),
    of(
        "properties",
        {**OBJECT, "additionalProperties": False},
        {"a": STRING},
        {"a": INTEGER},
        {"a": STRING, "b": STRING},
        samples=MAPS,
    ),
    of("properties", {**OBJECT, "required": ["a"]}, {"a": STRING}, {"b": STRING}, samples=MAPS),
    of("additionalProperties", RECORD, True, False, STRING, INTEGER, {}, samples=MAPS),
    of("additionalProperties", OBJECT, True, False, STRING, INTEGER, samples=MAPS),
    of("patternProperties", OBJECT, {"^n_": INTEGER}, {"^n_": STRING}, {"^[nm]_": INTEGER}, samples=MAPS, forms=LATEST),
    of("propertyNames", OBJECT, {"maxLength": 1}, {"pattern": "^a"}, {"maxLength": 3}, samples=MAPS, forms=LATEST),
    of("dependentRequired", RECORD, {"a": ["b"]}, {"a": ["b", "c"]}, {"b": ["a"]}, samples=MAPS, forms=LATEST),
    of(
        "dependentSchemas",
        RECORD,
        {"a": {"required": ["b"]}},
        {"a": {"minProperties": 3}},
        {"a": {"required": ["b", "c"]}},
        samples=MAPS,
        forms=LATEST,
    ),
    of("unevaluatedProperties", RECORD, True, False, STRING, samples=MAPS, forms=LATEST),
    of("unevaluatedProperties", {"allOf": [A_STRING]}, True, False, INTEGER, samples=MAPS, forms=LATEST),
)
_ONES: Final = ([A_STRING, {"required": ["b"]}], [A_STRING, {"required": ["b"]}, {"required": ["c"]}], [A_STRING])
_KINDS: Final = ([STRING, INTEGER], [STRING], [STRING, INTEGER, {"type": "boolean"}], [NUMBER, STRING])
COMPOSED: Final = (
    of("allOf", OBJECT, *_ONES, samples=MAPS),
    of("allOf", {}, [STRING], [STRING, {"maxLength": 3}], [{"maxLength": 3}], samples=MIXED),
    Keyword(
        "allOf (or inline)", {}, ({"type": "string", "maxLength": 3}, {"allOf": [STRING, {"maxLength": 3}]}), TEXTS
    ),
    of("anyOf", {}, *_KINDS, samples=MIXED, forms=THREE),
    of("anyOf", OBJECT, *_ONES, samples=MAPS, forms=THREE),
    of("oneOf", {}, *_KINDS, samples=MIXED, forms=THREE),
    of("oneOf", OBJECT, *_ONES, samples=MAPS, forms=THREE),
    Keyword("oneOf (or anyOf)", OBJECT, ({"anyOf": _ONES[0]}, {"oneOf": _ONES[0]}, {"allOf": _ONES[0]}), MAPS, THREE),
    Keyword("oneOf (disjoint, or anyOf)", {}, ({"anyOf": _KINDS[0]}, {"oneOf": _KINDS[0]}), MIXED, THREE),
    of("not", STRING, {"enum": ["a"]}, {"enum": ["a", "b"]}, {"maxLength": 2}, samples=TEXTS, forms=THREE),
    of("not", RECORD, {"required": ["a"]}, {"required": ["a", "b"]}, samples=MAPS, forms=THREE),
    of("not", OBJECT, A_STRING, {"properties": {"a": STRING, "b": STRING}}, samples=MAPS, forms=THREE),
    Keyword(
        "if",
        RECORD,
        (
            {},
            {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
            {"if": {"required": ["a"]}, "else": {"required": ["b"]}},
            {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
            {"if": {"required": ["b"]}, "then": {"required": ["a"]}},
            {"if": {"required": ["a"]}, "then": {"required": ["b", "c"]}},
        ),
        MAPS,
        LATEST,
    ),
)
_MARKED: Final = ({}, {"readOnly": True}, {"writeOnly": True}, {"readOnly": False})


def _marked(*required: str) -> Keyword:
    demanded = {"required": list(required)} if required else {}
    states = tuple({"properties": {"a": {**STRING, **mark}, "b": STRING}, **demanded} for mark in _MARKED)
    return Keyword("readOnly, writeOnly" + (" (required)" if required else ""), OBJECT, states, MAPS, THREE)


def _tagged(**mapping: str) -> dict[str, Any]:
    named = {name: f"#/components/schemas/{target}" for name, target in mapping.items()}
    return {"discriminator": {"propertyName": "k", **({"mapping": named} if named else {})}}


_BRANCHES: Final = {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}
DESCRIBED: Final = (
    _marked(),
    _marked("a"),
    Keyword(
        "discriminator",
        _BRANCHES,
        ({}, _tagged(cat="Cat", dog="Dog"), _tagged(cat="Cat"), _tagged(cat="Dog", dog="Cat"), _tagged()),
        MAPS,
        THREE,
    ),
)
ANNOTATED: Final = (
    *(
        Keyword(name, STRING, ({}, *({name: value} for value in found)), TEXTS, forms)
        for name, found, forms in (
            ("title", ("A", "B"), ALL),
            ("description", ("one", "two"), ALL),
            ("example", ("a", "b"), ALL),
            ("examples", (["a"], ["b"]), LATEST),
            ("externalDocs", ({"url": "http://a.example"},), ALL),
            ("deprecated", (False, True), THREE),
            ("$comment", ("one", "two"), LATEST),
            ("x-internal", (True,), ALL),
        )
    ),
)
SHARED: Final = {
    "Cat": {"type": "object", "required": ["k", "a"], "properties": {"k": STRING, "a": INTEGER}},
    "Dog": {"type": "object", "required": ["k", "b"], "properties": {"k": STRING, "b": INTEGER}},
}
KEYWORDS: Final = (*NUMERIC, *STRINGS, *TYPES, *ARRAYS, *OBJECTS, *COMPOSED, *DESCRIBED, *ANNOTATED)
