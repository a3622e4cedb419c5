"""Schemas of OpenAPI 3.1 in a draft that the document or a component names: what it does not know decides nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline import compared

SEVEN = "http://json-schema.org/draft-07/schema#"
FOUR = "http://json-schema.org/draft-04/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def api(schema: Any, dialect: str | None = None, components: Any = None) -> Any:
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "a", "version": "1"},
        **({"jsonSchemaDialect": dialect} if dialect else {}),
        "paths": {"/x": {"post": {"requestBody": body, "responses": {"204": {"description": ""}}}}},
        "components": {"schemas": components or {}, "parameters": {"const": {"name": "if", "in": "query"}}},
    }


STARTS_TO_COUNT = {
    "minContains": (SEVEN, {"type": "array", "contains": {"type": "integer"}, "minContains": 2}, "minContains"),
    "dependentRequired": (SEVEN, {"type": "object", "dependentRequired": {"a": ["b"]}}, "dependentRequired"),
    "unevaluatedProperties": (SEVEN, {"type": "object", "unevaluatedProperties": False}, "unevaluatedProperties"),
    "prefixItems": (SEVEN, {"type": "array", "prefixItems": [{"type": "integer"}]}, "prefixItems"),
    "below": (SEVEN, {"type": "array", "items": {"dependentRequired": {"a": ["b"]}}}, "dependentRequired"),
    "if": (FOUR, {"if": {"type": "string"}, "then": {"maxLength": 1}}, "if"),
    "const": (FOUR, {"type": "string", "const": "a"}, "enum"),
}


@pytest.mark.parametrize("name", STARTS_TO_COUNT)
def test_what_a_draft_does_not_know_starts_to_count_without_it(name: str) -> None:
    dialect, schema, facet = STARTS_TO_COUNT[name]
    comparison = compared(api(schema, dialect), api(schema))
    assert [(row.delta.facet, row.judgement.verdict) for row in comparison.rows] == [(facet, "breaking")]
    assert "keywords of other drafts" in [noise.delta.facet for noise in comparison.noise]
    back = compared(api(schema), api(schema, dialect))
    assert [row.judgement.verdict for row in back.rows] == ["compatible"]


@pytest.mark.parametrize("name", STARTS_TO_COUNT)
def test_a_component_says_how_it_is_read(name: str) -> None:
    dialect, schema, facet = STARTS_TO_COUNT[name]
    ref = {"$ref": "#/components/schemas/A"}
    old, new = (api(ref, None, {"A": {**schema, **more}}) for more in ({"$schema": dialect}, {}))
    assert [row.delta.facet for row in compared(old, new).rows] == [facet]


def test_what_stands_beside_a_reference_starts_to_count() -> None:
    beside = {"$ref": "#/components/schemas/B", "minimum": 3}
    number = {"type": "integer"}
    ref = {"$ref": "#/components/schemas/A"}
    old, new = (api(ref, None, {"A": {"allOf": [beside], **more}, "B": number}) for more in ({"$schema": SEVEN}, {}))
    (row,) = compared(old, new).rows
    assert (row.delta.facet, row.judgement.verdict) == ("minimum", "breaking")


def test_properties_and_data_may_be_called_as_keywords() -> None:
    schema = {"type": "object", "properties": {"const": {"enum": [{"if": 1}]}}}
    for dialect in (FOUR, SEVEN, LATEST):
        assert compared(api(schema, dialect), api(schema)).rows == ()


def test_a_component_in_a_newer_draft_is_not_read() -> None:
    ref = {"$ref": "#/components/schemas/A"}
    old, new = (api(ref, SEVEN, {"A": {"const": 1, **more}}) for more in ({"$schema": FOUR}, {}))
    assert [each.place.pointer for each in compared(old, new).unread] == ["/components/schemas/A/$schema"]
