"""Encodings of fields that a form does not describe at its top: in branches, by patterns, or by name only."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from tests.pipeline import compared

TEXT: Json = {"type": "string"}
TEXTS: Json = {"type": "array", "items": TEXT}
MEDIA_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"]
NOT_EXPLODED: Json = {"n": {"explode": False}}


def of(schema: Json) -> Json:
    return {"type": "object", "properties": {"n": schema}}


def form(media_type: str, schema: Json, encoding: Json = None, *, answer: bool = False) -> Json:
    content: Json = {media_type: {"schema": schema, **({"encoding": encoding} if encoding else {})}}
    body: dict[str, Json] = {} if answer else {"requestBody": {"content": content}}
    response: Json = {"description": "", **({"content": content} if answer else {})}
    operation: Json = {**body, "responses": {"200": response}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "a", "version": "1"},
        "paths": {"/x": {"post": operation}},
        "components": {
            "schemas": {"F": of(TEXTS), "Sub": {"allOf": [{"$ref": "#/components/schemas/Top"}, of(TEXTS)]}}
            | {"Top": {"type": "object", "properties": {"k": TEXT}, "discriminator": {"propertyName": "k"}}}
        },
    }


DESCRIBED: dict[str, Json] = {
    "anyOf": {"anyOf": [of(TEXTS), {"type": "object", "properties": {"m": TEXT}}]},
    "oneOf": {"oneOf": [of(TEXTS), {"type": "object", "properties": {"m": TEXT}}]},
    "a reference": {"oneOf": [{"$ref": "#/components/schemas/F"}]},
    "a branch of allOf": {"allOf": [{"anyOf": [of(TEXTS), {"type": "object"}]}]},
    "then": {"type": "object", "if": {"required": ["k"]}, "then": of(TEXTS)},
    "dependentSchemas": {"type": "object", "dependentSchemas": {"k": of(TEXTS)}},
    "not": {"type": "object", "not": of(TEXTS)},
    "a pattern": {"type": "object", "patternProperties": {"^n": TEXTS}},
    "further members": {"type": "object", "additionalProperties": TEXTS},
    "unevaluated ones": {"type": "object", "unevaluatedProperties": TEXTS},
    "openness that is written": {"type": "object", "additionalProperties": True},
    "required": {"type": "object", "required": ["n"]},
    "dependentRequired": {"type": "object", "dependentRequired": {"k": ["n"]}},
    "enum": {"enum": [{"n": ["a", "b"]}]},
    "const": {"const": {"n": ["a", "b"]}},
    "a subtype": {"$ref": "#/components/schemas/Top"},
    "what leads nowhere": {"anyOf": [{"$ref": "#/components/schemas/Gone"}, {"type": "object"}]},
}


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize("schema", DESCRIBED.values(), ids=DESCRIBED)
def test_an_encoding_that_comes_or_goes_is_judged_by_what_it_says(media_type: str, schema: Json) -> None:
    for answer in (False, True):
        pair = form(media_type, schema, answer=answer), form(media_type, schema, NOT_EXPLODED, answer=answer)
        for released, candidate in (pair, pair[::-1]):
            (row,) = compared(released, candidate).rows
            assert (row.delta.facet, row.judgement.verdict) == ("explode", "breaking")


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [of(TEXT), {"type": "object", "properties": {"m": TEXT}}]},
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "patternProperties": {"^n": {"type": "integer"}}},
    ],
)
def test_single_values_are_written_one_usage_path_wherever_they_are_described(media_type: str, schema: Json) -> None:
    pair = form(media_type, schema), form(media_type, schema, NOT_EXPLODED)
    assert [compared(*each).rows for each in (pair, pair[::-1])] == [(), ()]


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"m": TEXTS}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^x": TEXTS}},
        {"anyOf": [{"type": "object", "properties": {"m": TEXT}}, {"type": "object", "required": ["k"]}]},
    ],
)
def test_an_encoding_of_a_field_that_nothing_describes_changes_no_message(media_type: str, schema: Json) -> None:
    pair = form(media_type, schema), form(media_type, schema, NOT_EXPLODED)
    for released, candidate in (pair, pair[::-1]):
        (row,) = compared(released, candidate).rows
        assert (row.delta.facet, row.judgement.verdict) == ("", "compatible")
