"""Rows about scalars that travel as text, through the whole comparison."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.proof.outcome import ProofReason
from evreview.core.vocabulary import Json, ProofMethod, ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.pipeline import compared, contract

INTEGER, STRING, BOOLEAN = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
KINDS = ("query", "path", "header", "cookie", "form", "response header")


def _document(kind: str, schema: Json, **facets: Json) -> Json:
    operation: dict[str, Any] = {"responses": {"200": {"description": ""}}}
    if kind == "response header":
        operation["responses"]["200"]["headers"] = {"X-P": {"schema": schema, "required": True}}
    elif kind in ("form", "json"):
        name = {"form": "application/x-www-form-urlencoded", "json": "application/json"}[kind]
        content = {name: {"schema": {"type": "object", "properties": {"p": schema}}, **facets}}
        operation["requestBody"] = {"required": True, "content": content}
    else:
        operation["parameters"] = [{"in": kind, "name": "p", "required": True, "schema": schema, **facets}]
    path = "/a/{p}" if kind == "path" else "/a"
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {path: {"post": operation}}}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        (INTEGER, STRING),
        ({"type": "string", "enum": ["1", "2"]}, {"type": "integer", "enum": [1, 2]}),
        (BOOLEAN, {"type": "string", "enum": ["true", "false"]}),
        ({"type": "integer", "format": "int64"}, STRING),
        ({"type": "integer", "format": "int32", "minimum": 1}, {"type": "string", "pattern": "^[0-9]+$"}),
        ({"type": "number", "format": "double"}, STRING),
        ({"type": "array", "items": {"type": "integer", "format": "int64"}}, {"type": "array", "items": STRING}),
    ],
)
def test_texts_that_are_all_expected(kind: str, sender: Json, receiver: Json) -> None:
    """The same texts under another type break nobody, and the row stays."""
    sides = (receiver, sender) if kind == "response header" else (sender, receiver)
    released, candidate = (_document(kind, side) for side in sides)
    for found in (compared(released, candidate), compare(contract(released), contract(candidate), witnesses=False)):
        assert found.rows
        for row in found.rows:
            assert row.judgement.verdict is Verdict.COMPATIBLE
            assert (row.proof.status, row.proof.method) == (ProofStatus.PROVED, ProofMethod.ENCODING)
            assert "as text on the wire" in row.proof.reason and "overrules" in row.judgement.why


def _read(text: str, receiver: Any) -> bool:
    """Whether a validator takes the text, or the JSON value that it spells, for one of the receiver's."""
    try:
        spelled = [json.loads(text)]
    except ValueError:
        spelled = []
    return any(Draft202012Validator(receiver).is_valid(value) for value in (text, *spelled))


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        ({"type": "string", "enum": ["2", "b"]}, INTEGER),
        ({"type": "string", "enum": ["1", "2", "3", "4", "5", "10", "zzz"]}, {"type": "number"}),
        ({"type": "string", "enum": ["10", "2", "1", "0"]}, {"type": "integer", "minimum": 1}),
        ({"type": "string", "enum": ["1", "2", "x", "false"]}, {"type": ["boolean", "number"]}),
        ({"type": "integer", "minimum": 1, "maximum": 99}, {"type": "string", "enum": ["true", "1"]}),
        ({"type": "string", "maxLength": 4, "pattern": "^[0-9]+$"}, {"type": "integer", "maximum": 99}),
        ({"type": "number"}, {"type": "string", "maxLength": 4}),
        ({"type": "string", "pattern": "^[1-9][0-9]*$"}, {"type": "integer", "maximum": 2**31 - 1}),
        ({"type": ["boolean", "integer"]}, INTEGER),
        (STRING, {"type": "integer", "format": "int64"}),
        ({"type": "integer", "format": "int32"}, {"type": "string", "pattern": "^[0-9]+$"}),
        ({"type": "integer", "format": "int64"}, {"type": "string", "maxLength": 4}),
    ],
)
def test_a_text_that_only_one_side_reads_is_shown(kind: str, sender: Json, receiver: Json) -> None:
    """The first value that differs may be read alike: then another one is shown."""
    sides = (receiver, sender) if kind == "response header" else (sender, receiver)
    for row in compared(*(_document(kind, side) for side in sides)).rows:
        assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
        assert isinstance(row.proof.witness, dict)
        value: Any = row.proof.witness["value"]
        value = value["p"] if isinstance(value, dict) else value
        assert Draft202012Validator(sender).is_valid(value)
        assert not _read(value if isinstance(value, str) else json.dumps(value), receiver)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sender", "receiver", "safe"),
    [
        ({"type": ["integer", "null"]}, {"type": ["string", "null"]}, True),
        ({"enum": [1, None]}, {"enum": ["1", "2", None]}, True),
        ({"type": ["integer", "null"]}, STRING, False),
        ({"allOf": [INTEGER]}, {"allOf": [STRING]}, True),
        ({"allOf": [INTEGER, {"type": ["integer", "null"]}]}, {"allOf": [STRING]}, False),
    ],
)
def test_null_that_both_sides_take(kind: str, sender: Json, receiver: Json, safe: bool) -> None:
    """However null is written, nobody but both of them has to know."""
    sides = (receiver, sender) if kind == "response header" else (sender, receiver)
    rows = compared(*(_document(kind, side) for side in sides)).rows
    assert all(row.judgement.verdict is Verdict.COMPATIBLE for row in rows) is safe


@pytest.mark.parametrize("kind", KINDS)
def test_digits_beyond_a_format(kind: str) -> None:
    sent: Json = {"type": "string", "pattern": "^[1-9][0-9]*$"}
    expected: Json = {"type": "integer", "format": "int32"}
    sides = (expected, sent) if kind == "response header" else (sent, expected)
    (row,) = compared(*(_document(kind, side) for side in sides)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert "2147483648" in str(row.proof.witness)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("sender", "receiver"), [(STRING, INTEGER), (BOOLEAN, {"type": "string", "enum": ["yes", "no"]})]
)
def test_texts_that_are_not_all_expected(kind: str, sender: Json, receiver: Json) -> None:
    sides = (receiver, sender) if kind == "response header" else (sender, receiver)
    found = compared(*(_document(kind, side) for side in sides))
    assert {row.judgement.verdict for row in found.rows} == {Verdict.BREAKING}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shortest", [1, 2])
def test_a_segment_of_a_path_is_never_empty(kind: str, shortest: int) -> None:
    sides = STRING, {**STRING, "minLength": shortest}
    released, candidate = (_document(kind, side) for side in (sides[::-1] if kind == "response header" else sides))
    [row] = compared(released, candidate).rows
    safe = kind == "path" and shortest == 1
    assert row.judgement.verdict is (Verdict.COMPATIBLE if safe else Verdict.BREAKING)
    assert row.proof.status is (ProofStatus.PROVED if safe else ProofStatus.WITNESSED)


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize(
    ("path", "style", "filled"),
    [
        ("/a/{p}", "simple", True),
        ("/a/{p}/b/{r}", "simple", True),
        ("/b/{r}/{p}", "simple", True),
        ("/v{p}", "simple", False),
        ("/{r}/v{p}", "simple", False),
        ("/a/{p}.json", "simple", False),
        ("/a/{p}{r}", "simple", False),
        ("/a/{p}", "matrix", False),
        ("/a/{p}", "label", False),
    ],
)
def test_a_variable_that_may_be_empty(path: str, style: str, filled: bool) -> None:
    """Only a whole segment that is written as it is would be missing; `;p=` is one (RFC 6570, section 3.2.7)."""
    sides = []
    for schema in (STRING, {**STRING, "minLength": 1}):
        document: Any = _document("path", schema, style=style)
        (item,) = document["paths"].values()
        rest = {"name": "r", "in": "path", "required": True, "schema": STRING}
        item["post"]["parameters"] += [rest] if "{r}" in path else []
        sides.append({**document, "paths": {path: item}})
    (row,) = compared(*sides).rows
    assert (row.proof.status is ProofStatus.PROVED) is filled


@pytest.mark.parametrize(
    ("kind", "facets"),
    [
        ("json", {}),
        ("form", {"encoding": {"p": {"contentType": "application/json"}}}),
        ("query", {"style": "deepObject"}),
    ],
)
def test_where_text_does_not_speak(kind: str, facets: dict[str, Json]) -> None:
    """JSON tells a number from a string; a field with an encoding of its own is left to its rule."""
    found = compared(_document(kind, INTEGER, **facets), _document(kind, STRING, **facets))
    assert {row.judgement.verdict for row in found.rows} == {Verdict.BREAKING}


def test_one_schema_as_text_and_as_json() -> None:
    """A component of both a parameter and a JSON body is no text everywhere."""
    made = []
    for side in (INTEGER, STRING):
        document: Any = _document("query", {"$ref": "#/components/schemas/P"})
        body = {"application/json": {"schema": {"$ref": "#/components/schemas/P"}}}
        document["paths"]["/a"]["post"]["requestBody"] = {"required": True, "content": body}
        made.append({**document, "components": {"schemas": {"P": side}}})
    assert {row.judgement.verdict for row in compared(*made).rows} == {Verdict.BREAKING}


def _text(schema: Json) -> Json:
    body: Json = {"required": True, "content": {"text/plain": {"schema": schema}}}
    operation: Json = {"requestBody": body, "responses": {"204": {"description": ""}}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


@pytest.mark.parametrize(
    ("sent", "read", "verdict"),
    [
        (INTEGER, STRING, Verdict.COMPATIBLE),
        (STRING, INTEGER, Verdict.BREAKING),
        (INTEGER, {**STRING, "maxLength": 2}, Verdict.BREAKING),
        (STRING, {"type": "array", "items": STRING}, Verdict.BREAKING),
        ({"type": "array", "items": STRING, "minItems": 1, "maxItems": 1}, STRING, Verdict.BREAKING),
    ],
)
def test_a_body_of_plain_text_has_no_types(sent: Json, read: Json, verdict: Verdict) -> None:
    """RFC 2046, section 4.1: text of no further structure, neither types nor lists."""
    assert {row.judgement.verdict for row in compared(_text(sent), _text(read)).rows} == {verdict}


SEVERAL = ("query", "cookie", "form", "multipart")
PLAIN: Any = {"type": "string"}


def _listing(kind: str, schema: Json, **facets: Json) -> Json:
    if kind != "multipart":
        return _document(kind, schema, **facets)
    media: Json = {"schema": {"type": "object", "properties": {"p": schema}}, **facets}
    operation: Json = {
        "requestBody": {"content": {"multipart/form-data": media}},
        "responses": {"204": {"description": ""}},
    }
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


@pytest.mark.parametrize("kind", SEVERAL)
@pytest.mark.parametrize(
    ("one", "several"),
    [
        (PLAIN, {"type": "array", "items": PLAIN}),
        (INTEGER, {"type": "array", "items": PLAIN, "minItems": 1, "uniqueItems": True}),
        ({**PLAIN, "format": "binary"}, {"type": "array", "items": {**PLAIN, "format": "binary"}}),
        ({**PLAIN, "enum": ["a"]}, {"type": "array", "items": {**PLAIN, "enum": ["a", "b"]}, "maxItems": 3}),
    ],
)
def test_one_value_is_a_list_of_one(kind: str, one: Json, several: Json) -> None:
    """RFC 6570, section 3.2.8: exploded, each item of a list is written as a single value is."""
    (row,) = compared(_listing(kind, one), _listing(kind, several)).rows
    assert (row.judgement.verdict, row.proof.method) == (Verdict.COMPATIBLE, ProofMethod.ENCODING)


@pytest.mark.parametrize(
    ("kind", "several", "facets"),
    [
        *((kind, {"type": "array", "items": PLAIN, "minItems": 2}, {}) for kind in SEVERAL),
        *((kind, {"type": "array", "items": PLAIN, "maxItems": 0}, {}) for kind in SEVERAL),
        *((kind, {"type": "array", "items": INTEGER}, {}) for kind in SEVERAL),
        *((kind, {"type": "array", "items": PLAIN, "contains": {"const": "a"}}, {}) for kind in SEVERAL),
        *(
            (kind, {"type": "array", "items": {**PLAIN, "maxLength": 3}}, {"explode": False})
            for kind in ("query", "cookie")
        ),
        *((kind, {"type": "array", "items": {**PLAIN, "maxLength": 3}}, {}) for kind in ("path", "header")),
    ],
)
def test_one_value_is_no_list_of_one(kind: str, several: Json, facets: Any) -> None:
    rows = compared(_listing(kind, PLAIN, **facets), _listing(kind, several, **facets)).rows
    assert {(row.judgement.verdict, row.proof.status) for row in rows} == {(Verdict.BREAKING, ProofStatus.WITNESSED)}


@pytest.mark.parametrize(
    ("one", "item", "safe"),
    [
        (PLAIN, PLAIN, False),
        (INTEGER, INTEGER, True),
        ({**PLAIN, "enum": ["a", "b"]}, {**PLAIN, "enum": ["a", "b", "c"]}, True),
        ({**PLAIN, "pattern": "^[a-z]+$"}, {**PLAIN, "minLength": 1}, True),
        ({**PLAIN, "enum": ["a,b"]}, {**PLAIN, "enum": ["a,b"]}, False),
        ({**PLAIN, "minLength": 1}, {**PLAIN, "minLength": 1}, False),
    ],
)
@pytest.mark.parametrize("kind", ["query", "path", "header"])
def test_a_text_is_a_list_of_what_its_commas_part(kind: str, one: Json, item: Json, safe: bool) -> None:
    """RFC 6570, section 3.2.1: a list that is not exploded is written with commas between its items."""
    facets: Any = {"explode": False} if kind == "query" else {}
    sides = (_document(kind, schema, **facets) for schema in (one, {"type": "array", "items": item}))
    (row,) = compared(*sides).rows
    assert (row.judgement.verdict is Verdict.COMPATIBLE) is safe
    assert (row.proof.status is ProofStatus.PROVED) is safe


@pytest.mark.parametrize(
    ("one", "several"),
    [
        (PLAIN, {"type": "array", "items": PLAIN}),
        ({**PLAIN, "maxLength": 5}, {"type": "array", "items": {**PLAIN, "maxLength": 5}, "uniqueItems": True}),
        (PLAIN, {"type": "array", "items": PLAIN, "maxItems": 1}),
    ],
)
@pytest.mark.parametrize("kind", ["query", "path"])
def test_a_comma_that_may_be_escaped_decides_nothing(kind: str, one: Json, several: Json) -> None:
    """OpenAPI 3.0.4 and 3.1.1, appendix E: not everybody escapes a delimiter in a value, or parts before unescaping."""
    facets: Any = {"explode": False} if kind == "query" else {}
    (row,) = compared(*(_document(kind, schema, **facets) for schema in (one, several))).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.UNKNOWN, ProofStatus.UNPROVEN)
    assert row.proof.reason == ProofReason.PARTED


@pytest.mark.parametrize("kind", [*SEVERAL, "path", "header", "response header"])
@pytest.mark.parametrize(
    ("item", "one", "safe"),
    [(PLAIN, PLAIN, True), (INTEGER, PLAIN, True), (PLAIN, INTEGER, False), (PLAIN, {**PLAIN, "maxLength": 2}, False)],
)
def test_a_list_that_is_always_one_is_a_single_value(kind: str, item: Json, one: Json, safe: bool) -> None:
    sides: list[Json] = [{"type": "array", "items": item, "minItems": 1, "maxItems": 1}, one]
    rows = compared(*(_listing(kind, schema) for schema in (sides[::-1] if kind == "response header" else sides))).rows
    expected = (Verdict.COMPATIBLE, ProofStatus.PROVED) if safe else (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert {(row.judgement.verdict, row.proof.status) for row in rows} == {expected}


@pytest.mark.parametrize("item", [PLAIN, INTEGER])
@pytest.mark.parametrize("kind", SEVERAL)
def test_a_list_of_two_is_no_single_value(kind: str, item: Json) -> None:
    """Neither the empty list, which nothing writes, nor a list of one shows what is lost."""
    rows = compared(*(_listing(kind, schema) for schema in ({"type": "array", "items": item}, item))).rows
    assert {(row.judgement.verdict, row.proof.status) for row in rows} == {(Verdict.BREAKING, ProofStatus.WITNESSED)}


@pytest.mark.parametrize(
    ("sender", "receiver"), [(INTEGER, STRING), (BOOLEAN, {"type": "string", "enum": ["true", "false"]})]
)
def test_parts_are_texts_too(sender: Json, receiver: Json) -> None:
    (row,) = compared(_listing("multipart", sender), _listing("multipart", receiver)).rows
    assert (row.judgement.verdict, row.proof.method) == (Verdict.COMPATIBLE, ProofMethod.ENCODING)
    (row,) = compared(_listing("multipart", receiver), _listing("multipart", INTEGER)).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
