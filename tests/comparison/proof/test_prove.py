"""Verdicts about values are computed: proved, witnessed, or openly unproven; the proof wins over the rule."""

from __future__ import annotations

import pytest

from evreview.comparison.compare import EQUIVALENT
from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofMethod, ProofStatus, Verdict
from tests.pipeline import compared, edited

TEXT: Json = {"type": "string"}
FIELD = (Slot.REQUEST_FIELD, Slot.RESPONSE_FIELD)
BODY = (Slot.REQUEST_BODY, Slot.RESPONSE_BODY)
A: Json = {"type": "object", "required": ["a"], "properties": {"a": TEXT}}
B: Json = {"properties": {"b": {"type": "integer"}}}
INLINED: Json = {"type": "object", "required": ["a"], "properties": {"a": TEXT, "b": {"type": "integer"}}}

EQUIVALENTS: list[tuple[str, Json, Json]] = [
    ("enum as oneOf of const", {"enum": [1, 2]}, {"oneOf": [{"const": 1}, {"const": 2}]}),
    ("allOf inlined", {"allOf": [A, B]}, INLINED),
    ("null as a branch", {"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ("a pattern that matches everything", TEXT, {"type": "string", "pattern": ".*"}),
    ("types as alternatives", {"type": ["string", "integer"]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
]


@pytest.mark.parametrize("slot", FIELD)
@pytest.mark.parametrize(("name", "left", "right"), EQUIVALENTS, ids=[case[0] for case in EQUIVALENTS])
def test_equivalent_rewrites_are_noise_both_usage_paths(name: str, left: Json, right: Json, slot: Slot) -> None:
    for released, candidate in ((left, right), (right, left)):
        comparison = edited(slot, released, candidate)
        assert [row.judgement.rule for row in comparison.rows] == []
        assert comparison.noise and comparison.summary["breaking"] is False


def test_a_computed_equivalence_says_so() -> None:
    comparison = edited(Slot.REQUEST_FIELD, TEXT, {"type": "string", "pattern": ".*"})
    assert [noise.reason for noise in comparison.noise] == [EQUIVALENT]


# schema that admits less, schema that admits more, a value between them
WIDER: list[tuple[str, Json, Json]] = [
    ("enum value", {"enum": ["a"]}, {"enum": ["a", "b"]}),
    ("maximum", {"type": "integer", "maximum": 3}, {"type": "integer", "maximum": 4}),
    ("maximum gone", {"type": "integer", "maximum": 3}, {"type": "integer"}),
    ("exclusive to plain", {"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0}),
    ("pattern gone", {"type": "string", "pattern": "^a$"}, TEXT),
    ("multiple", {"type": "integer", "multipleOf": 4}, {"type": "integer", "multipleOf": 2}),
    ("items", {"type": "array", "maxItems": 2}, {"type": "array", "maxItems": 3}),
    ("unique", {"type": "array", "uniqueItems": True}, {"type": "array"}),
    ("members", {"type": "object", "minProperties": 2}, {"type": "object"}),
    ("null", TEXT, {"type": ["string", "null"]}),
    ("type", {"type": "integer"}, {"type": "number"}),
    ("not", {"type": "string", "not": {"enum": ["x"]}}, TEXT),
    ("not, inside", {"type": "string", "not": {"enum": ["x", "y"]}}, {"type": "string", "not": {"enum": ["x"]}}),
    ("known format gone", {"type": "string", "format": "date"}, TEXT),
    ("number format", {"type": "integer", "format": "int32"}, {"type": "integer", "format": "int64"}),
    (
        "closed",
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": False},
        {"type": "object", "properties": {"a": TEXT}},
    ),
    (
        "branch",
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "integer"}]},
    ),
    ("array items", {"type": "array", "items": {"type": "integer"}}, {"type": "array", "items": {"type": "number"}}),
    ("dependent", {"type": "object", "dependentRequired": {"a": ["b"]}}, {"type": "object"}),
    ("contains", {"type": "array", "contains": {"type": "integer"}}, {"type": "array"}),
]


@pytest.mark.parametrize(("name", "narrow", "wide"), WIDER, ids=[case[0] for case in WIDER])
@pytest.mark.req("W1L-018", "W1L-019")
def test_reversing_the_pair_mirrors_the_verdict(name: str, narrow: Json, wide: Json) -> None:
    expected = {
        (Slot.REQUEST_FIELD, True): Verdict.COMPATIBLE,
        (Slot.REQUEST_FIELD, False): Verdict.BREAKING,
        (Slot.RESPONSE_FIELD, True): Verdict.BREAKING,
        (Slot.RESPONSE_FIELD, False): Verdict.COMPATIBLE,
    }
    for (slot, widens), verdict in expected.items():
        comparison = edited(slot, narrow, wide) if widens else edited(slot, wide, narrow)
        assert {row.judgement.verdict for row in comparison.rows} == {verdict}, (slot, widens)
        wanted = ProofStatus.PROVED if verdict is Verdict.COMPATIBLE else ProofStatus.WITNESSED
        assert {row.proof.status for row in comparison.rows} == {wanted}, (slot, widens)


def test_a_witness_names_both_sides_and_validates() -> None:
    (row,) = edited(Slot.REQUEST_FIELD, TEXT, {"type": "string", "maxLength": 3}).rows
    assert row.proof.method is ProofMethod.VALIDATION
    witness = row.proof.witness
    assert isinstance(witness, dict) and {"message", "violation"} <= witness.keys()
    stated = {key: witness[key] for key in ("value", "accepted_by", "refused_by")}
    assert stated == {"value": {"subject": "aaaa"}, "accepted_by": "released", "refused_by": "candidate"}


def test_an_unknown_format_is_openly_unproven() -> None:
    (row,) = edited(Slot.REQUEST_FIELD, TEXT, {"type": "string", "format": "colour"}).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.UNPROVEN)
    assert row.proof.reason


def test_rows_about_no_values_are_left_to_the_rule() -> None:
    (row,) = edited(Slot.OPERATION_SECURITY, [{"key": []}], [{}]).rows
    assert (row.proof.status, row.proof.method) == (ProofStatus.NOT_APPLICABLE, ProofMethod.RULE)


def test_a_proof_overrules_its_rule_and_says_so() -> None:
    """The enumeration demands what minLength demanded: letting go of minLength admits nothing new."""
    comparison = edited(Slot.RESPONSE_FIELD, {"type": "string", "minLength": 1}, {"type": "string", "enum": ["ab"]})
    row = next(row for row in comparison.rows if row.judgement.rule == "response-min-length-removed")
    assert (row.judgement.verdict, row.judgement.emits_old_compatible.value) == (Verdict.COMPATIBLE, "yes")
    assert "the rule by itself says breaking" in row.proof.reason


def body(schema: Json, components: Json) -> Json:
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/a": {
                "post": {
                    "requestBody": {"content": {"application/json": {"schema": schema}}},
                    "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}},
                }
            }
        },
        "components": {"schemas": components},
    }


def tree(kind: str) -> Json:
    return {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": kind},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        },
    }


def test_recursive_components_are_decided_by_a_witness() -> None:
    ref: Json = {"$ref": "#/components/schemas/Tree"}
    comparison = compared(body(ref, {"Tree": tree("string")}), body(ref, {"Tree": tree("integer")}))
    assert {row.judgement.verdict for row in comparison.rows} == {Verdict.BREAKING}
    assert {row.proof.status for row in comparison.rows} == {ProofStatus.WITNESSED}


def test_members_around_the_row_stand_in_the_witness() -> None:
    released: Json = {
        "type": "object",
        "required": ["id"],
        "properties": {"id": {"type": "string", "minLength": 2}, "x": TEXT},
    }
    candidate: Json = {**released, "required": ["id", "x"]}  # type: ignore[dict-item]
    (row,) = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["value"] == {"id": "aa"}
