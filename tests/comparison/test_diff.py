"""One edit gives one row of its aspect, in both directions of the edit."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.delta import FACTS
from evreview.core.vocabulary import ABSENT, Aspect, Change, Direction, Role
from tests.comparison import pairs

ORDERS = "paths|/orders|get"
ORDER = "components|schemas|Order"

Expected = tuple[Aspect, Change, str]

# path of the edit, new value (... removes), and the one row expected
EDITS: list[tuple[str, Any, Expected]] = [
    ("paths|/orders|delete", {"responses": {"204": {"description": "-"}}}, (Aspect.METHODS, Change.ADDED, "")),
    ("paths|/orders|post", ..., (Aspect.METHODS, Change.REMOVED, "")),
    (f"{ORDERS}|responses|206", {"description": "part"}, (Aspect.STATUS_CODES, Change.ADDED, "")),
    (
        f"{ORDERS}|responses|200|content|text/csv",
        {"schema": {"type": "string"}},
        (Aspect.CONTENT_TYPES, Change.ADDED, ""),
    ),
    (f"{ORDERS}|responses|200|headers|X-Rate", ..., (Aspect.HEADERS, Change.REMOVED, "")),
    (f"{ORDERS}|parameters|1", ..., (Aspect.ORDERING, Change.REMOVED, "")),
    (f"{ORDERS}|parameters|0", ..., (Aspect.PAGINATION, Change.REMOVED, "")),
    ("paths|/orders|post|parameters|0", ..., (Aspect.IDEMPOTENCY, Change.REMOVED, "")),
    ("components|schemas|Error|properties|detail", ..., (Aspect.ERRORS, Change.REMOVED, "")),
    ("components|schemas|Error|properties|hint", {"type": "string"}, (Aspect.ERRORS, Change.ADDED, "")),
]


@pytest.mark.req("W1L-002", "W1L-004", "W1L-005", "W1L-012", "W1L-013", "W1L-014", "W1L-015", "W1L-016")
@pytest.mark.parametrize(("path", "value", "expected"), EDITS)
def test_one_edit_is_one_row(path: str, value: Any, expected: Expected) -> None:
    ledger = pairs.diff(pairs.base(), pairs.edited(path, value))
    assert [(row.aspect, row.change, row.facet) for row in ledger.deltas] == [expected]
    assert not ledger.noise


@pytest.mark.req("W1L-003")
def test_a_moved_version_segment_is_one_row_and_its_operations_are_compared_inside() -> None:
    candidate = pairs.base()
    candidate["paths"]["/v2/ping"] = candidate["paths"].pop("/v1/ping")
    candidate["paths"]["/v2/ping"]["get"]["responses"]["200"] = {"description": "pong"}
    ledger = pairs.diff(pairs.base(), candidate)
    found = [(row.aspect, row.change, row.released, row.candidate, row.operations) for row in ledger.deltas]
    assert (Aspect.VERSION_SELECTORS, Change.CHANGED, "/v1", "/v2", ("GET /v1/ping",)) in found
    assert [row[0] for row in found if row[0] is not Aspect.VERSION_SELECTORS] == [Aspect.STATUS_CODES]


# one field's schema before and after, and the one row expected
FIELD_EDITS: list[tuple[Any, Any, Expected]] = [
    ({"type": "string"}, {"type": "string", "nullable": True}, (Aspect.NULLABILITY, Change.CHANGED, "nullable")),
    (
        {"type": "string", "default": "a"},
        {"type": "string", "default": "b"},
        (Aspect.DEFAULTS, Change.CHANGED, "default"),
    ),
    ({"type": "integer", "default": 1}, {"type": "integer"}, (Aspect.DEFAULTS, Change.REMOVED, "default")),
    (
        {"type": "integer", "minimum": 1},
        {"type": "integer", "minimum": 2},
        (Aspect.NUMERIC_RANGES, Change.CHANGED, "minimum"),
    ),
    ({"type": "number"}, {"type": "number", "maximum": 2}, (Aspect.NUMERIC_RANGES, Change.ADDED, "maximum")),
    (
        {"type": "number", "minimum": 1, "exclusiveMinimum": True},
        {"type": "number", "minimum": 2, "exclusiveMinimum": True},
        (Aspect.NUMERIC_RANGES, Change.CHANGED, "exclusiveMinimum"),
    ),
    (
        {"type": "number", "multipleOf": 2},
        {"type": "number", "multipleOf": 3},
        (Aspect.NUMERIC_RANGES, Change.CHANGED, "multipleOf"),
    ),
    ({"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["a", "b"]}, (Aspect.ENUMS, Change.ADDED, "enum")),
    ({"type": "string", "enum": ["a", "b"]}, {"type": "string", "enum": ["b"]}, (Aspect.ENUMS, Change.REMOVED, "enum")),
    ({"type": "string", "enum": ["a"]}, {"type": "string"}, (Aspect.ENUMS, Change.REMOVED, "enum")),
    ({"type": "string", "minLength": 3}, {"type": "integer", "minimum": 3}, (Aspect.TYPES, Change.CHANGED, "type")),
    (
        {"type": "string", "format": "date"},
        {"type": "string", "format": "uuid"},
        (Aspect.FORMATS, Change.CHANGED, "format"),
    ),
    ({"type": "string", "pattern": "^a"}, {"type": "string"}, (Aspect.PATTERNS, Change.REMOVED, "pattern")),
    ({"type": "string"}, {"type": "string", "maxLength": 9}, (Aspect.LENGTHS, Change.ADDED, "maxLength")),
    (
        {"type": "array", "items": {}},
        {"type": "array", "items": {"type": "string"}},
        (Aspect.TYPES, Change.ADDED, "type"),
    ),
    (
        {"type": "array", "items": {}},
        {"type": "array", "items": {}, "uniqueItems": True},
        (Aspect.CONTENT_MODEL, Change.ADDED, "uniqueItems"),
    ),
    (
        {"type": "object"},
        {"type": "object", "additionalProperties": False},
        (Aspect.CONTENT_MODEL, Change.CHANGED, "additionalProperties"),
    ),
    (
        {"type": "string"},
        {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "object"}]},
        (Aspect.COMPOSITION, Change.CHANGED, "oneOf"),
    ),
    ({"type": "string"}, {"type": "string", "readOnly": True}, (Aspect.ACCESS, Change.ADDED, "readOnly")),
    ({"type": "string"}, {"type": "string", "deprecated": True}, (Aspect.DEPRECATION, Change.ADDED, "deprecated")),
    ({"type": "string"}, {"type": "string", "not": {"enum": ["x"]}}, (Aspect.COMPOSITION, Change.ADDED, "not")),
]


@pytest.mark.req("W1L-008", "W1L-009", "W1L-010", "W1L-011")
@pytest.mark.parametrize(("before", "after", "expected"), FIELD_EDITS)
def test_one_edit_of_a_field_is_one_row(before: Any, after: Any, expected: Expected) -> None:
    ledger = pairs.diff(pairs.in_field(before), pairs.in_field(after))
    assert [(row.aspect, row.change, row.facet) for row in ledger.deltas] == [expected]
    assert ledger.deltas[0].direction is Direction.READ
    assert set(ledger.deltas[0].facts) <= set(FACTS)


@pytest.mark.req("W1L-006", "W1L-007")
@pytest.mark.parametrize(
    ("after", "aspect", "change", "required"),
    [
        ({**pairs.OBJECT, "required": ["a", "b"]}, Aspect.REQUIREDNESS, Change.CHANGED, None),
        ({**pairs.OBJECT, "required": []}, Aspect.REQUIREDNESS, Change.CHANGED, None),
        ({"type": "object", "properties": {"b": {"type": "string"}}}, Aspect.FIELDS, Change.REMOVED, True),
        ({**pairs.OBJECT, "properties": {"a": {"type": "string"}}}, Aspect.FIELDS, Change.REMOVED, False),
        (
            {**pairs.OBJECT, "required": ["a", "c"], "properties": {**pairs.OBJECT["properties"], "c": {}}},
            Aspect.FIELDS,
            Change.ADDED,
            True,
        ),
    ],
)
def test_a_field_and_its_requiredness_are_one_row(
    after: Any, aspect: Aspect, change: Change, required: bool | None
) -> None:
    rows = pairs.diff(
        pairs.document({"/a": pairs.post(pairs.OBJECT)}), pairs.document({"/a": pairs.post(after)})
    ).deltas
    assert [(row.aspect, row.change) for row in rows] == [(aspect, change)]
    assert required is None or rows[0].facts["required"] is required


def test_an_enum_that_gains_and_loses_is_two_rows_with_both_whole_enums() -> None:
    rows = pairs.diff(pairs.in_field({"enum": ["a", "b"]}), pairs.in_field({"enum": ["c", "b"]})).deltas
    assert {(row.change, row.aspect) for row in rows} == {(Change.ADDED, Aspect.ENUMS), (Change.REMOVED, Aspect.ENUMS)}
    assert {(str(row.released), str(row.candidate)) for row in rows} == {("['a', 'b']", "['b', 'c']")}
    assert all(row.facts["added_values"] == ["c"] and row.facts["removed_values"] == ["a"] for row in rows)


@pytest.mark.req("W1L-017")
def test_the_unchanged_success_schema_stands_beside_a_changed_error() -> None:
    ledger = pairs.diff(pairs.base(), pairs.edited("components|schemas|Error|properties|detail"))
    found = [(context.delta_id, context.address) for context in ledger.contexts]
    assert found == [(ledger.deltas[0].id, "GET /orders > response 200 > application/json")]


@pytest.mark.req("W1L-017")
def test_a_changed_success_schema_is_no_context() -> None:
    candidate = pairs.edited("components|schemas|Error|properties|detail")
    candidate["components"]["schemas"]["Order"]["properties"]["more"] = {"type": "string"}
    ledger = pairs.diff(pairs.base(), candidate)
    assert ledger.contexts == ()


def test_not_turns_the_direction() -> None:
    rows = pairs.diff(
        pairs.in_field({"not": {"type": "string", "maxLength": 3}}),
        pairs.in_field({"not": {"type": "string", "maxLength": 4}}),
    ).deltas
    assert [(row.facet, row.direction, row.facts["under_not"]) for row in rows] == [
        ("maxLength", Direction.WRITTEN, True)
    ]


def test_callbacks_and_webhooks_are_written_by_the_producer() -> None:
    def made(schema: Any) -> Any:
        callback = {"onDone": {"{$request.body#/url}": pairs.post(schema)}}
        path = {"post": {**pairs.post({"type": "object"})["post"], "callbacks": callback}}
        return pairs.document({"/jobs": path}, version="3.1.0", webhooks={"done": pairs.post(schema)})

    rows = pairs.diff(made({"type": "string"}), made({"type": "string", "maxLength": 3})).deltas
    assert {(row.role, row.direction) for row in rows} == {
        (Role.CALLBACK, Direction.WRITTEN),
        (Role.WEBHOOK, Direction.WRITTEN),
    }


def test_a_range_that_covers_a_removed_content_type_or_status_is_a_fact() -> None:
    before = pairs.document({"/a": pairs.get({"type": "string"})})
    ranged = pairs.edited(
        "paths|/a|get|responses|200|content", {"application/*": {"schema": {"type": "string"}}}, start=before
    )
    assert [row.facts["covered_by"] for row in pairs.diff(before, ranged).deltas] == ["application/*"]
    responses = {"2XX": before["paths"]["/a"]["get"]["responses"]["200"]}
    ranged = pairs.edited("paths|/a|get|responses", responses, start=before)
    found = [(row.change, row.facet, row.facts["covered_by"]) for row in pairs.diff(before, ranged).deltas]
    assert found == [(Change.CHANGED, "status", "2XX")]


def test_a_field_that_never_travels_in_this_direction_says_so() -> None:
    def made(inner: Any) -> Any:
        return pairs.document(
            {"/a": pairs.post({"properties": {"r": {"type": "object", "readOnly": True, "properties": inner}}})}
        )

    rows = pairs.diff(made({"x": {"type": "string"}}), made({})).deltas
    assert [row.facts.get("outside_direction") for row in rows] == [True]


def test_forms_on_the_missing_side_are_missing() -> None:
    row = pairs.diff(pairs.base(), pairs.edited("paths|/orders|post")).deltas[0]
    assert row.candidate is ABSENT
    assert row.facts["only_one"] is False


SCHEMES = {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}, "h": {"type": "http", "scheme": "bearer"}}


def _secured(schemes: Any, demands: Any) -> Any:
    made = pairs.document({"/a": pairs.get({"type": "string"})}, security=demands)
    made["components"]["securitySchemes"] = schemes
    return made


def test_a_scheme_that_moves_is_one_row_and_its_declarations_are_noise() -> None:
    moved = {**SCHEMES, "k": {"type": "apiKey", "in": "query", "name": "X-Key"}}
    ledger = pairs.diff(_secured(SCHEMES, [{"k": []}, {"h": []}]), _secured(moved, [{"k": []}, {"h": []}]))
    assert [(row.aspect, row.facet) for row in ledger.deltas] == [(Aspect.SECURITY, "requirements")]
    assert ledger.deltas[0].facts["alternatives_removed"] == [{"apiKey header x-key": []}]
    assert [noise.delta.aspect for noise in ledger.noise] == [Aspect.SECURITY, Aspect.SECURITY]
    assert [context.address for context in ledger.contexts] == ["security scheme http bearer"]


@pytest.mark.req("W1L-003")
def test_a_version_in_the_base_path_is_one_row_for_every_operation() -> None:
    made = [pairs.document({"/a": pairs.get({})}, servers=[{"url": f"https://api.example/v{at}"}]) for at in (1, 2)]
    [row] = pairs.diff(*made).deltas
    assert (row.aspect, row.released, row.candidate, row.operations) == (
        Aspect.VERSION_SELECTORS,
        "/v1",
        "/v2",
        ("GET /a",),
    )


def test_a_parameter_that_turns_to_content_is_one_row() -> None:
    content = {"name": "limit", "in": "query", "content": {"application/json": {"schema": {"type": "integer"}}}}
    rows = pairs.diff(pairs.base(), pairs.edited("paths|/orders|get|parameters|0", content)).deltas
    assert [(row.facet, row.facts["base_aspect"]) for row in rows] == [("content", "serialisation")]


def test_a_parameter_of_the_path_is_one_row_for_its_operations() -> None:
    query = [{"name": "q", "in": "query", "schema": {"type": "string"}}]
    [row] = pairs.diff(pairs.base(), pairs.edited("paths|/orders|parameters", query)).deltas
    assert row.operations == ("GET /orders", "POST /orders")
