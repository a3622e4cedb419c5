"""Openness that is written beside a shared component, or in a branch, counts for the component's own rows."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.proof.outcome import CONTAINED_DECLARED
from evreview.core.vocabulary import Direction, Json, ProofStatus, Verdict
from tests.pipeline import compared

TEXT: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
B: Json = {"$ref": "#/components/schemas/B"}
OPEN: Json = {"type": "object", "additionalProperties": True}
TYPED: Json = {"type": "object", "additionalProperties": INTEGER}
NARROW: Json = {"type": "object", "properties": {"a": INTEGER}}
WIDE: Json = {"type": "object", "properties": {"a": INTEGER, "b": TEXT}}
NAMED: Json = {"properties": {"b": {"type": "string", "maxLength": 3}}, "required": ["k"]}
INSTANCES: list[Json] = [{}, {"a": 0}, {"b": 0}, {"b": ""}, {"a": 0, "b": ""}, {"q": "", "b": 1}, {"k": "", "b": 1}]
# name, what stands around the component
AROUND: list[tuple[str, dict[str, Json]]] = [
    ("a typed branch", {"allOf": [B, TYPED]}),
    ("beside the branch", {"allOf": [B], **TYPED}),  # type: ignore[dict-item]
    ("a pattern", {"allOf": [B], "type": "object", "patternProperties": {"^[a-z]$": INTEGER}}),
    ("beside the reference", {"type": "object", "anyOf": [B], "additionalProperties": INTEGER}),
    ("a member that is owed", {"allOf": [B], "required": ["b"]}),
    ("a condition about the member", {"allOf": [B, {"if": {"required": ["b"]}, "then": {"required": ["q"]}}]}),
    ("a member that another brings along", {"allOf": [B], "required": ["q"], "dependentRequired": {"q": ["b"]}}),
    ("listed names", {"allOf": [B], "propertyNames": {"enum": ["a", "b"]}}),
    (
        "variants that name the member",
        {"allOf": [B], "oneOf": [{"properties": {"b": INTEGER}, "required": ["b"]}, NAMED]},
    ),
    ("unevaluated members", {"allOf": [B], "type": "object", "unevaluatedProperties": INTEGER}),
]
PLACES = ("body", "member", "item")


def _document(place: str, schema: Json, component: Json, version: str = "3.1.0") -> Json:
    placed: dict[str, Json] = {
        "body": schema,
        "member": {"type": "object", "properties": {"n": schema}},
        "item": {"type": "array", "items": schema},
    }
    content: Json = {"application/json": {"schema": placed[place]}}
    operation: Json = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
    }
    return {
        "openapi": version,
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": operation}},
        "components": {"schemas": {"B": component}},
    }


def _admits(schema: Json, component: Json, value: Json) -> bool:
    return Draft202012Validator({"allOf": [schema], "components": {"schemas": {"B": component}}}).is_valid(value)


def _against(schema: Json, sent: Json, expected: Json) -> list[Json]:
    """The instances that one side sends and the other refuses."""
    return [value for value in INSTANCES if _admits(schema, sent, value) and not _admits(schema, expected, value)]


def _agrees(row: JudgedRow, against: bool) -> bool:
    shown = (Verdict.BREAKING, ProofStatus.WITNESSED) if against else (Verdict.COMPATIBLE, ProofStatus.PROVED)
    return (row.judgement.verdict, row.proof.status) == shown


@pytest.mark.req("W1L-018", "W1L-019")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("name", "schema"), AROUND, ids=[case[0] for case in AROUND])
def test_what_is_open_beside_a_component(name: str, schema: dict[str, Json], place: str) -> None:
    for released, candidate in ((NARROW, WIDE), (WIDE, NARROW)):
        rows = compared(_document(place, schema, released), _document(place, schema, candidate)).rows
        assert {row.delta.direction for row in rows} == {Direction.READ, Direction.WRITTEN}
        for row in rows:
            sent, expected = (released, candidate) if row.delta.direction is Direction.READ else (candidate, released)
            assert _agrees(row, bool(_against(schema, sent, expected))), (row.delta.address, row.proof)


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [B, OPEN]},
        {"allOf": [OPEN, B]},
        {"allOf": [B, {"anyOf": [{"required": ["q"], **OPEN}, {"required": ["k"]}]}]},  # type: ignore[dict-item]
        {"allOf": [B], "if": {"required": ["k"]}, "then": OPEN},
    ],
)
def test_that_any_member_may_come_promises_none(schema: dict[str, Json]) -> None:
    """A member that the sender does not name is another one by the letter only."""
    for released, candidate in ((NARROW, WIDE), (WIDE, NARROW)):
        rows = compared(_document("body", schema, released), _document("body", schema, candidate)).rows
        assert rows
        assert all(row.judgement.verdict is not Verdict.BREAKING for row in rows)


def test_branches_beside_that_are_not_compared_leave_no_rule_to_speak() -> None:
    """Two branches meet every object unless `kind` is no text: only then, which nobody writes, the member is null."""
    either: Json = {"type": ["string", "null"]}
    branches: list[Json] = [
        {"type": "object", "properties": {"b": either, "kind": TEXT}},
        {"type": "object", "properties": {"b": either}},
    ]
    schema: Json = {"allOf": [B], "oneOf": branches}
    value: Json = {"b": None, "kind": 1}
    assert _admits(schema, NARROW, value)
    assert not _admits(schema, WIDE, value)
    rows = compared(_document("body", schema, NARROW), _document("body", schema, WIDE)).rows
    (row,) = (row for row in rows if row.delta.direction is Direction.READ)
    assert (row.judgement.verdict, row.proof) == (Verdict.COMPATIBLE, CONTAINED_DECLARED)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_one_open_use_among_silent_ones_is_found(version: str) -> None:
    schema: Json = {"type": "object", "properties": {"one": B, "two": {"allOf": [B, TYPED]}, "three": B}}
    rows = compared(*(_document("body", schema, side, version) for side in (NARROW, WIDE))).rows
    (row,) = (row for row in rows if row.delta.direction is Direction.READ)
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["value"] == {"two": {"b": 0}}


def test_a_closed_branch_beside_opens_nothing() -> None:
    """Values of the silent branch carry declared members only, whatever the other branch refuses."""
    shut: Json = {"type": "object", "properties": {"k": TEXT}, "required": ["k"], "additionalProperties": False}
    schema: Json = {"oneOf": [{"allOf": [B], "required": ["a"]}, shut]}
    rows = compared(*(_document("body", schema, side) for side in (NARROW, WIDE))).rows
    assert all(row.judgement.verdict is Verdict.COMPATIBLE for row in rows)


# a neighbour without which no message is whole; nothing here compares or makes the last one
FULL: list[tuple[str, Json, bool]] = [
    ("an open bound", {"type": "integer", "exclusiveMinimum": 17}, True),
    ("an open bound from above", {"type": "number", "exclusiveMaximum": -40.5}, True),
    ("a look ahead", {"type": "string", "pattern": "^(?=.*[a-z])(?=.*[0-9]).{8,}$"}, True),
    ("a format and its end", {"type": "string", "format": "email", "pattern": "@example\\.test$"}, True),
    ("a look back", {"type": "string", "pattern": "^(?=(..)).\\1(?<!a)(?<!b)!{3}$"}, False),
]


@pytest.mark.parametrize(("name", "neighbour", "found"), FULL, ids=[case[0] for case in FULL])
def test_a_member_that_a_typed_map_refuses_is_never_compatible(name: str, neighbour: Json, found: bool) -> None:
    held: dict[str, Json] = {"type": "object", "additionalProperties": TEXT}
    sides = (held, {**held, "properties": {"c": INTEGER}})
    bodies: list[Json] = [
        {"type": "object", "properties": {"m": side, "k": neighbour}, "required": ["m", "k"]} for side in sides
    ]
    rows = compared(*(_document("body", body, True) for body in bodies)).rows
    assert len(rows) == 2
    for row in rows:
        expected = (Verdict.BREAKING, ProofStatus.WITNESSED) if found else (Verdict.UNKNOWN, ProofStatus.UNPROVEN)
        assert (row.judgement.verdict, row.proof.status) == expected
