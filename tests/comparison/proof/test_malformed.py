"""A keyword whose value nobody can read decides nothing: no proof, no witness, and it is listed with its place."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.rules.rule import Slot
from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.schema.reader import malformed
from tests.pipeline import compared, edited

TEXT: dict[str, Json] = {"type": "string"}
COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")

PAIRS: list[tuple[Any, Any]] = [
    *[({"type": kind}, TEXT) for kind in ("strin", ["string", "strin"], [], {})],
    *[({keyword: "3"}, {keyword: 3}) for keyword in (*COUNTS, *NUMBERS)],
    *[({keyword: "3"}, {}) for keyword in (*COUNTS, *NUMBERS)],
    *[({keyword: -1}, {}) for keyword in (*COUNTS, "multipleOf")],
    *[({keyword: 3}, {}) for keyword in ("pattern", "format", "contains", "$ref", "required", "enum")],
    *[({keyword: "a"}, {}) for keyword in ("items", "not", "propertyNames", "unevaluatedProperties", "required")],
    *[({keyword: []}, {}) for keyword in ("properties", "patternProperties", "dependentSchemas", "anyOf", "oneOf")],
    *[({keyword: {}}, {}) for keyword in ("allOf", "prefixItems", "enum")],
    *[({keyword: ["a", TEXT]}, {keyword: [TEXT]}) for keyword in ("allOf", "anyOf", "oneOf")],
    ({"uniqueItems": "true"}, {"uniqueItems": True}),
    ({"additionalProperties": "false"}, {"additionalProperties": False}),
    ({"properties": {"a": "string"}}, {"properties": {"a": TEXT}}),
    ({"properties": {"a": "string"}}, {"properties": {"a": "integer"}}),
    ({"dependentRequired": {"a": "b"}}, {"dependentRequired": {"a": ["b"]}}),
    ({"if": "a", "then": TEXT}, {"if": True, "then": TEXT}),
    ({"type": "object"}, {"type": "object", "properties": {"a": {"type": "strin"}}}),
]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("slot", [Slot.REQUEST_BODY, Slot.RESPONSE_BODY])
def test_it_decides_nothing(slot: Slot, pair: tuple[Json, Json]) -> None:
    for released, candidate in (pair, pair[::-1]):
        comparison = edited(slot, released, candidate)
        assert all(row.judgement.verdict is Verdict.UNKNOWN for row in comparison.rows)
        assert all(row.proof.status is ProofStatus.UNPROVEN for row in comparison.rows)
        assert comparison.unread
        assert comparison.summary["breaking"] == "unknown"


def test_it_is_listed_with_its_place() -> None:
    (item,) = edited(Slot.REQUEST_BODY, {"properties": {"a": {"type": "strin"}}}, {"properties": {"a": TEXT}}).unread
    assert item.place.pointer.endswith("/properties/a/type")


def test_alike_on_both_sides_it_leaves_other_rows_alone() -> None:
    comparison = edited(
        Slot.REQUEST_BODY, {**TEXT, "pattern": 3, "maxLength": 3}, {**TEXT, "pattern": 3, "maxLength": 5}
    )
    assert [row.judgement.verdict for row in comparison.rows] == [Verdict.COMPATIBLE]


def old_document(schema: Json) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    operation = {"requestBody": {"content": content}, "responses": {"204": {"description": "x"}}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


def test_a_type_of_another_version_is_unread() -> None:
    comparison = compared(old_document({"type": "file"}), old_document(TEXT))
    assert [row.judgement.verdict for row in comparison.rows] == [Verdict.UNKNOWN]
    assert comparison.unread


@pytest.mark.parametrize(
    ("dialect", "node"),
    [
        (SchemaDialect.SWAGGER_2, {"type": "file", "required": True}),
        (SchemaDialect.OPENAPI_3_0, {"minimum": 1, "exclusiveMinimum": True, "nullable": True, "items": [TEXT]}),
        (SchemaDialect.OPENAPI_3_1, {"type": ["string", "null"], "minLength": 1.0, "not": True, "enum": []}),
    ],
)
def test_what_a_version_allows_is_read(dialect: SchemaDialect, node: Any) -> None:
    assert not list(malformed(node, dialect))
