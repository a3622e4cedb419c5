"""OpenAPI's own way from 3.0 to 3.1 for files: bodies and parts of octets, with `binary`, an empty schema or none."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Role, Verdict
from tests.pipeline import compared

BINARY: Any = {"type": "string", "format": "binary"}
MARKED: Any = {"type": "string", "contentMediaType": "application/octet-stream"}
PICTURE: Any = {"type": "string", "contentMediaType": "image/png"}
NONE: Any = None
STREAM, PNG, PARTS = "application/octet-stream", "image/png", "multipart/form-data"


def _content(version: str, name: str, schema: Any, encoded: str = "") -> Any:
    media: Any = {} if schema is NONE else {"schema": schema}
    if name == PARTS:
        media = {"schema": {"type": "object", "properties": {"f": schema}, "required": ["f"]}}
        media |= {"encoding": {"f": {"contentType": encoded}}} if encoded else {}
    content = {"content": {name: media}}
    operation = {"requestBody": {"required": True, **content}, "responses": {"200": {"description": "", **content}}}
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


OLD, NEW = "3.0.3", "3.1.0"


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (_content(OLD, STREAM, BINARY), _content(NEW, STREAM, NONE)),
        (_content(OLD, STREAM, BINARY), _content(NEW, STREAM, {})),
        (_content(OLD, PNG, BINARY), _content(NEW, PNG, NONE)),
        (_content(NEW, PNG, MARKED), _content(NEW, PNG, True)),
        (_content(OLD, PARTS, BINARY), _content(NEW, PARTS, {})),
        (_content(OLD, PARTS, BINARY), _content(NEW, PARTS, {}, STREAM)),
        (_content(OLD, PARTS, BINARY, "image/png, image/jpeg"), _content(NEW, PARTS, {}, "image/png, image/jpeg")),
        (_content(OLD, PNG, BINARY), _content(NEW, PNG, PICTURE)),
        (_content(OLD, PNG, BINARY), _content(NEW, PNG, {"contentMediaType": "image/png"})),
        (_content(NEW, PNG, PICTURE), _content(NEW, PNG, NONE)),
        (_content(NEW, STREAM, PICTURE | {"format": "binary"}), _content(NEW, STREAM, PICTURE)),
        (_content(OLD, PARTS, BINARY, PNG), _content(NEW, PARTS, PICTURE, PNG)),
        (_content(NEW, PARTS, {}, PNG), _content(NEW, PARTS, PICTURE, PNG)),
        (
            _content(OLD, PARTS, {"type": "array", "items": BINARY}),
            _content(NEW, PARTS, {"type": "array", "items": {}}),
        ),
    ],
)
def test_octets_are_octets_however_they_are_written(released: Any, candidate: Any) -> None:
    for found in (compared(released, candidate), compared(candidate, released)):
        assert found.rows == ()
        assert NoiseReason.OCTETS in {noise.reason for noise in found.noise}


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        # texts, trees and ranges that hold them
        (_content(OLD, "application/json", BINARY), _content(NEW, "application/json", NONE)),
        (_content(OLD, "text/csv", BINARY), _content(NEW, "text/csv", NONE)),
        (_content(OLD, "image/svg+xml", BINARY), _content(NEW, "image/svg+xml", NONE)),
        (_content(OLD, "application/*", BINARY), _content(NEW, "application/*", NONE)),
        # a length counts, and so does a part that is no octets, or whose type nobody says
        (_content(OLD, STREAM, {**BINARY, "maxLength": 9}), _content(NEW, STREAM, NONE)),
        (_content(OLD, STREAM, {"type": "string"}), _content(NEW, STREAM, NONE)),
        (_content(OLD, PARTS, BINARY), _content(NEW, PARTS, {}, "application/json")),
        (_content(OLD, PARTS, {"type": "string"}), _content(NEW, PARTS, {}, STREAM)),
        (_content(OLD, PARTS, BINARY), _content(OLD, PARTS, {})),
        # a part whose type only its schema names, an encoded one, a text in a tree
        (_content(OLD, PARTS, BINARY), _content(NEW, PARTS, PICTURE)),
        (_content(OLD, PNG, BINARY), _content(NEW, PNG, PICTURE | {"contentEncoding": "base64"})),
        (_content(OLD, PNG, BINARY), _content(NEW, PNG, PICTURE | {"maxLength": 9})),
        (_content(OLD, "application/json", BINARY), _content(NEW, "application/json", PICTURE)),
    ],
)
def test_what_is_more_than_octets_stays_a_row(released: Any, candidate: Any) -> None:
    for found in (compared(released, candidate), compared(candidate, released)):
        assert found.rows
        assert NoiseReason.OCTETS not in {noise.reason for noise in found.noise}


def test_a_component_that_is_a_json_member_too_stays_a_row() -> None:
    def document(version: str, schema: Any) -> Any:
        made = _content(version, PARTS, {"$ref": "#/components/schemas/F"}, STREAM)
        ref: Any = {"type": "object", "properties": {"g": {"$ref": "#/components/schemas/F"}}}
        made["paths"]["/b"] = {
            "post": {"requestBody": {"content": {"application/json": {"schema": ref}}}, "responses": {}}
        }
        return made | {"components": {"schemas": {"F": schema}}}

    assert compared(document(OLD, BINARY), document(NEW, {})).rows


OTHER: Any = {"type": "string", "contentMediaType": "image/jpeg"}


@pytest.mark.parametrize(
    ("media", "encoded", "named"),
    [
        ("text/csv", "", True),
        ("image/svg+xml", "", True),
        (PARTS, "text/csv", True),
        (PARTS, "", False),
        ("text/*", "", False),
        ("application/json", "", False),
        ("application/vnd.a+json", "", False),
        (PARTS, "text/csv, text/plain", True),
        (PARTS, "text/csv, application/json", False),
        (PARTS, "text/*", False),
    ],
)
def test_a_media_type_that_is_named_around_a_schema_is_named_there(media: str, encoded: str, named: bool) -> None:
    for before in ({"type": "string"}, OTHER):
        found = compared(_content(NEW, media, before, encoded), _content(NEW, media, PICTURE, encoded))
        assert (found.rows == ()) is named
        assert (NoiseReason.NAMED_AROUND in {noise.reason for noise in found.noise}) is named


@pytest.mark.parametrize("schema", [PICTURE, MARKED, {"contentMediaType": "image/png"}])
def test_octets_that_were_encoded_are_others(schema: Any) -> None:
    encoded = {"type": "string", "format": "byte"}
    for found in (
        compared(_content(OLD, PNG, encoded), _content(NEW, PNG, schema)),
        compared(_content(NEW, PNG, schema), _content(OLD, PNG, encoded)),
    ):
        sides = {row.delta.role for row in found.rows if row.judgement.verdict is Verdict.BREAKING}
        assert sides == {Role.REQUEST, Role.RESPONSE}
