"""Members and items that travel as texts: where each one that is sent is expected, the row is safe."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Json, ProofMethod, ProofStatus, Verdict
from tests.comparison.proof.test_wire import BOOLEAN, INTEGER, STRING, _document, _listing
from tests.pipeline import compared

NUMBER: Json = {"type": "number"}
FIELDS = ("form", "multipart")
Place = tuple[str, dict[str, Json]]
OBJECTS: tuple[Place, ...] = (
    ("query", {"style": "form", "explode": True}),
    ("query", {"style": "form", "explode": False}),
    ("query", {"style": "deepObject", "explode": True}),
    ("cookie", {"style": "form", "explode": True}),
    ("path", {"style": "simple", "explode": True}),
    ("path", {"style": "simple", "explode": False}),
    ("path", {"style": "label", "explode": True}),
    ("path", {"style": "label", "explode": False}),
    ("path", {"style": "matrix", "explode": True}),
    ("path", {"style": "matrix", "explode": False}),
    ("header", {"style": "simple", "explode": False}),
)
ESCAPED = OBJECTS[0], OBJECTS[2], OBJECTS[3]
"""Where a text may hold any sign."""


def _object(member: Json, **more: Json) -> Json:
    return {"type": "object", "properties": {"n": member}, **more}


def _list(item: Json, **more: Json) -> Json:
    return {"type": "array", "items": item, **more}


Said = set[tuple[Verdict, ProofStatus, ProofMethod | None]]


def _said(released: Json, candidate: Json) -> Said:
    return {(row.judgement.verdict, row.proof.status, row.proof.method) for row in compared(released, candidate).rows}


def _rows(place: Place, released: Json, candidate: Json) -> Said:
    return _said(*(_listing(place[0], schema, **place[1]) for schema in (released, candidate)))


AS_TEXT = (Verdict.COMPATIBLE, ProofStatus.PROVED, ProofMethod.ENCODING)


@pytest.mark.parametrize("place", OBJECTS)
@pytest.mark.parametrize("around", [_object, lambda one: {"type": "object", "additionalProperties": one}])
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [(INTEGER, STRING), (BOOLEAN, STRING), ({**STRING, "enum": ["1"]}, INTEGER), (INTEGER, {**STRING, "minLength": 1})],
)
def test_members_that_are_all_expected(place: Place, around: Any, sender: Json, receiver: Json) -> None:
    found = _rows(place, around(sender), around(receiver))
    assert AS_TEXT in found
    assert {verdict for verdict, _, _ in found} == {Verdict.COMPATIBLE}


@pytest.mark.parametrize("place", OBJECTS)
@pytest.mark.parametrize(("sender", "receiver"), [(STRING, INTEGER), (INTEGER, {**STRING, "maxLength": 2})])
def test_members_that_are_not_all_expected(place: Place, sender: Json, receiver: Json) -> None:
    found = _rows(place, _object(sender), _object(receiver))
    assert Verdict.BREAKING in {verdict for verdict, _, _ in found}
    assert AS_TEXT not in found


@pytest.mark.parametrize("place", OBJECTS)
def test_texts_that_signs_may_part(place: Place) -> None:
    """Only where signs in a text are escaped are all texts safe."""
    sender: Json = {"enum": ["a,b", 1]}
    receiver: Json = {"enum": ["a,b", "1"]}
    assert (AS_TEXT in _rows(place, _object(sender), _object(receiver))) is (place in ESCAPED)


@pytest.mark.parametrize("style", ["label", "simple"])
def test_points_part_labels(style: str) -> None:
    place: Place = ("path", {"style": style, "explode": True})
    assert (AS_TEXT in _rows(place, _object(NUMBER), _object(STRING))) is (style == "simple")
    assert (AS_TEXT in _rows(place, _list(NUMBER), _list(STRING))) is (style == "simple")


@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize(
    ("sender", "receiver"), [(INTEGER, STRING), (NUMBER, STRING), ({**STRING, "enum": ["1", "2"]}, {"enum": [1, 2]})]
)
def test_lists_of_a_form(kind: str, sender: Json, receiver: Json) -> None:
    """Each item is a field or part of its own."""
    found = _rows((kind, {}), _list(sender, minItems=1), _list(receiver))
    assert AS_TEXT in found
    assert {verdict for verdict, _, _ in found} == {Verdict.COMPATIBLE}


@pytest.mark.parametrize("kind", FIELDS)
def test_only_a_field_s_own_encoding_counts(kind: str) -> None:
    for name, safe in (("p", False), ("other", True)):
        place: Place = (kind, {"encoding": {name: {"contentType": "application/json"}}})
        assert (AS_TEXT in _rows(place, INTEGER, STRING)) is safe


LOOKING: dict[str, dict[str, Json]] = {
    "enum": {"enum": [{"n": 1}]},
    "not": {"not": {"properties": {"n": STRING}, "required": ["n"]}},
    "allOf": {"allOf": [{"properties": {"n": INTEGER}}]},
    "anyOf": {"anyOf": [{"properties": {"n": INTEGER}}, {"required": ["z"]}]},
    "patternProperties": {"patternProperties": {"^n": INTEGER}},
}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("more", LOOKING.values(), ids=LOOKING)
@pytest.mark.parametrize("place", [*ESCAPED, ("form", None)])
def test_what_else_looks_at_a_member(place: Any, more: dict[str, Json]) -> None:
    """Whoever expects the object refuses the text that its member alone would be expected with."""
    sides = _object(INTEGER, **more), _object(STRING, **more)
    found = _rows(place, *sides) if place[0] != "form" else _said(*map(_form, sides))
    assert found
    assert AS_TEXT not in found


def _form(schema: Json, **components: Json) -> Json:
    document: Any = _document("form", STRING)
    document["paths"]["/a"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"] = schema
    return {**document, "components": {"schemas": components}}


SHARED: Json = {"$ref": "#/components/schemas/C"}
FORM: Json = {"$ref": "#/components/schemas/F"}
NESTED: dict[str, Json] = {
    "a member of an object": {"type": "object", "properties": {"n": SHARED, "o": _object(SHARED)}},
    "an item of a list in a list": {"type": "object", "properties": {"n": SHARED, "l": _list(_list(SHARED))}},
    "a member below the form itself": {"type": "object", "properties": {"n": SHARED, "f": FORM}},
}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("schema", NESTED.values(), ids=NESTED)
def test_a_component_that_is_a_field_and_stands_deeper_too(schema: Json) -> None:
    """How a nested value is written nobody says; in JSON the types differ."""
    rows = compared(*(_form(FORM, C=side, F=schema) for side in (INTEGER, STRING))).rows
    assert rows
    assert {row.judgement.verdict for row in rows} != {Verdict.COMPATIBLE}


@pytest.mark.parametrize("place", [("query", {}), ("form", {})])
@pytest.mark.parametrize(
    ("item", "safe"), [(INTEGER, True), ({"type": ["integer", "string"]}, False), ({"enum": [1, "1"]}, False)]
)
def test_items_that_may_be_one_text(place: Place, item: Json, safe: bool) -> None:
    """Of 1 and "1", which differ, whoever expects two different texts gets one twice."""
    found = _rows(place, _list(item, uniqueItems=True), _list(STRING, uniqueItems=True))
    assert ({verdict for verdict, _, _ in found} == {Verdict.COMPATIBLE}) is safe


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("place", [("query", {}), ("form", {}), ("header", {})])
@pytest.mark.parametrize(
    ("item", "read", "safe"),
    [
        ({"enum": ["1", "1.0"]}, NUMBER, False),
        ({**STRING, "pattern": "^-?[0-9]$"}, NUMBER, False),
        ({"enum": ["1", "1.0"]}, {"type": ["number", "boolean"]}, False),
        ({"enum": ["1", "2"]}, INTEGER, True),
        ({"enum": ["true", "1"]}, {"enum": [True, 1]}, True),
        (BOOLEAN, STRING, True),
    ],
)
def test_texts_that_are_read_as_one_value(place: Place, item: Json, read: Json, safe: bool) -> None:
    """1 and 1.0 are one number: of a list whose items differ it makes one that repeats itself."""
    found = _rows(place, _list(item, uniqueItems=True), _list(read, uniqueItems=True))
    assert ({verdict for verdict, _, _ in found} == {Verdict.COMPATIBLE}) is safe
