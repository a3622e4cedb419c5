"""Parts of forms whose content type follows from their schema: OpenAPI 3.0.3, section 4.7.15, and 3.1.0, 4.8.15."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import ProofStatus
from tests.pipeline import compared

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
TEXT: Any = {"type": "string"}
FILE: Any = {"type": "string", "format": "binary"}
OLD, NEW = "3.0.3", "3.1.0"


def _list(items: Any) -> Any:
    return {"type": "array", "items": items}


def _form(schema: Any) -> Any:
    return {"type": "object", "properties": {"n": schema}}


def _document(version: str, content: Any, *, answer: bool = False) -> Any:
    response = {"description": "", **({"content": content} if answer else {})}
    operation = {"responses": {"200": response}, **({} if answer else {"requestBody": {"content": content}})}
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


def _swagger(kind: str) -> Any:
    field = {"name": "n", "in": "formData", "type": kind}
    operation = {"consumes": [MULTIPART], "parameters": [field], "responses": {"204": {"description": ""}}}
    return {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


def _said(released: Any, candidate: Any) -> list[tuple[str, ProofStatus]]:
    return [(row.judgement.verdict.value, row.proof.status) for row in compared(released, candidate).rows]


@pytest.mark.parametrize("media_type", [MULTIPART, "multipart/mixed"])
@pytest.mark.parametrize(
    ("version", "before", "after"),
    [
        (OLD, _form(FILE), _form(TEXT)),
        (OLD, _form(_list(FILE)), _form(_list(TEXT))),
        (OLD, {"type": "object", "additionalProperties": FILE}, {"type": "object", "additionalProperties": TEXT}),
        (
            OLD,
            {"anyOf": [_form(FILE), _form({"type": "integer"})]},
            {"anyOf": [_form(TEXT), _form({"type": "integer"})]},
        ),
        (NEW, _form(TEXT), _form({})),
        (NEW, _form(_list(TEXT)), _form(_list({}))),
    ],
)
def test_another_content_type_that_nobody_writes_is_not_proved(
    media_type: str, version: str, before: Any, after: Any
) -> None:
    content = [{media_type: {"schema": schema}} for schema in (before, after)]
    request = _said(*(_document(version, each) for each in content))
    answer = _said(*(_document(version, each, answer=True) for each in reversed(content)))
    assert request == answer == [("unknown", ProofStatus.UNPROVEN)]


def test_a_file_of_2_0_that_becomes_a_text_is_not_proved() -> None:
    assert _said(_swagger("file"), _swagger("string")) == [("unknown", ProofStatus.UNPROVEN)]


def test_a_component_that_is_a_part_somewhere_is_not_proved() -> None:
    pair = []
    for schema in (FILE, TEXT):
        named = {"schema": {"$ref": "#/components/schemas/F"}}
        document = _document(OLD, {URLENCODED: named, MULTIPART: named})
        pair.append({**document, "components": {"schemas": {"F": _form(schema)}}})
    assert _said(*pair) == [("unknown", ProofStatus.UNPROVEN)]


@pytest.mark.parametrize(
    ("version", "media_type", "before", "after", "stated"),
    [
        (OLD, MULTIPART, FILE, TEXT, "text/plain"),  # written, and the same
        (OLD, URLENCODED, FILE, TEXT, ""),  # no parts
        (OLD, "application/json", FILE, TEXT, ""),
        (OLD, MULTIPART, {"type": "integer"}, TEXT, ""),  # text both
        (
            OLD,
            MULTIPART,
            {"type": "object", "properties": {"k": FILE}},
            {"type": "object", "properties": {"k": TEXT}},
            "",
        ),
        (OLD, MULTIPART, {"type": "string", "format": "byte"}, TEXT, ""),
    ],
)
def test_a_part_that_keeps_its_content_type_is_decided_by_its_values(
    version: str, media_type: str, before: Any, after: Any, stated: str
) -> None:
    encoding = {"encoding": {"n": {"contentType": stated}}} if stated else {}
    content = [{media_type: {"schema": _form(schema), **encoding}} for schema in (before, after)]
    assert _said(*(_document(version, each) for each in content)) == [("compatible", ProofStatus.PROVED)]


def test_a_content_type_that_is_written_on_both_sides_has_a_row_of_its_own() -> None:
    pair = [
        _document(OLD, {MULTIPART: {"schema": _form(schema), "encoding": {"n": {"contentType": stated}}}})
        for schema, stated in ((FILE, "application/octet-stream"), (TEXT, "text/plain"))
    ]
    assert sorted(verdict for verdict, _ in _said(*pair)) == ["breaking", "compatible"]


def test_a_content_type_that_is_written_on_one_side_meets_the_implied_one() -> None:
    content = {"schema": _form(FILE), "encoding": {"n": {"contentType": "application/octet-stream"}}}
    pair = _document(OLD, {MULTIPART: content}), _document(OLD, {MULTIPART: {"schema": _form(TEXT)}})
    assert {verdict for verdict, _ in _said(*pair)} == {"unknown"}


def test_a_file_of_3_0_and_of_3_1_are_one() -> None:
    pair = _document(OLD, {MULTIPART: {"schema": _form(FILE)}}), _document(NEW, {MULTIPART: {"schema": _form({})}})
    assert _said(*pair) == []


OWED: Any = {"required": ["n"]}
OTHER: Any = {"type": "object", "properties": {"m": {"type": "integer"}}, "required": ["m"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Another schema describes the part, and no row stands in it.
        ({"type": "object", "additionalProperties": FILE}, {**_form(TEXT), "additionalProperties": FILE}),
        ({**_form(FILE), "additionalProperties": TEXT}, {"type": "object", "additionalProperties": TEXT}),
        ({**_form(FILE), **OWED}, {"anyOf": [{**_form(TEXT), **OWED}, OTHER]}),
        # A choice has the types of its branches.
        (_form({"anyOf": [FILE, {"type": "integer"}]}), _form({"type": ["integer", "string"]})),
        (_form({"type": "integer"}), _form({"anyOf": [FILE, _list(FILE)]})),
    ],
)
def test_a_part_that_another_schema_describes_is_not_proved(before: Any, after: Any) -> None:
    content = [{MULTIPART: {"schema": schema}} for schema in (before, after)]
    assert {verdict for verdict, _ in _said(*(_document(OLD, each) for each in content))} <= {"unknown", "breaking"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (_form({"type": "integer"}), _form({"anyOf": [TEXT, {"type": "object"}]})),
        (_form(FILE), _form({"anyOf": [FILE, _list(FILE)]})),
        ({**_form(FILE), **OWED}, {"anyOf": [{**_form(FILE), **OWED}, OTHER]}),
        ({"type": "object", "additionalProperties": FILE}, {**_form(FILE), "additionalProperties": FILE}),
        (_form({"type": "integer"}), {"type": "object", "properties": {"n": {"type": "integer"}, "m": FILE}}),
    ],
)
def test_a_part_whose_type_is_among_the_expected_ones_is_decided_by_its_values(before: Any, after: Any) -> None:
    content = [{MULTIPART: {"schema": schema}} for schema in (before, after)]
    assert {verdict for verdict, _ in _said(*(_document(OLD, each) for each in content))} <= {"compatible"}
