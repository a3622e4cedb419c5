"""A typed map describes every member, so naming one of them is compared with what the map said of it."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Realism, Tristate, Verdict
from evreview.schema.subsumption.relation import include
from tests.pipeline import edited

MAP: Json = {"type": "object", "additionalProperties": {"type": "string"}}
REQUEST, RESPONSE = Slot.REQUEST_BODY, Slot.RESPONSE_BODY
INTEGER: Json = {"type": "integer"}
SHORT: Json = {"type": "string", "maxLength": 3}
TEXT: Json = {"type": "string"}


def named(schema: Json, **more: Json) -> Json:
    return {"type": "object", "additionalProperties": {"type": "string"}, "properties": {"k": schema}, **more}


# slot, released, candidate, the witness or None where the change is proved compatible
CASES: list[tuple[Slot, Json, Json, Json]] = [
    (REQUEST, MAP, named(INTEGER), {"k": ""}),
    (REQUEST, named(INTEGER), MAP, {"k": 0}),
    (REQUEST, MAP, named(SHORT), {"k": "aaaa"}),
    (REQUEST, named(SHORT), MAP, None),
    (REQUEST, MAP, named(TEXT), None),
    (REQUEST, named(TEXT), MAP, None),
    (REQUEST, MAP, named(TEXT, required=["k"]), {}),
    (RESPONSE, MAP, named(INTEGER), {"k": 0}),
    (RESPONSE, named(INTEGER), MAP, {"k": ""}),
    (RESPONSE, MAP, named(SHORT), None),
    (RESPONSE, named(SHORT), MAP, {"k": "aaaa"}),
    (RESPONSE, MAP, named(TEXT), None),
    (RESPONSE, named(TEXT), MAP, None),
]


@pytest.mark.parametrize(("slot", "released", "candidate", "witness"), CASES)
@pytest.mark.req("W1L-018", "W1L-019")
def test_a_member_of_a_typed_map(slot: Slot, released: Json, candidate: Json, witness: Json) -> None:
    (row,) = edited(slot, released, candidate).rows
    if witness is None:
        assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
    else:
        assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
        assert isinstance(row.proof.witness, dict)
        assert row.proof.witness["value"] == witness


def test_what_neither_a_value_nor_containment_decides_is_unknown() -> None:
    """Nothing here compares expressions that name properties of characters."""
    loose: Json = {"type": "object", "additionalProperties": {"type": "string", "pattern": "^\\p{Lu}"}}
    named_too: Json = {**loose, "properties": {"k": {"type": "string", "pattern": "^\\p{L}"}}}  # type: ignore[dict-item]
    (row,) = edited(REQUEST, loose, named_too).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.UNKNOWN, ProofStatus.UNPROVEN)


@pytest.mark.parametrize("schema", [INTEGER, SHORT])
def test_whether_a_free_form_object_carries_a_member_is_not_known(schema: Json) -> None:
    bare: Json = {"type": "object"}
    (row,) = edited(REQUEST, bare, {"type": "object", "properties": {"k": schema}}).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.UNKNOWN, ProofStatus.UNPROVEN)
    assert row.proof.realism is Realism.FREE_FORM


DESCRIBED: Json = {"properties": {"c": TEXT}}
HAS_A: Json = {"required": ["a"]}
# what describes a member `c` under a condition
CONDITIONS: list[dict[str, Json]] = [
    {"dependentSchemas": {"a": DESCRIBED}},
    {"if": HAS_A, "then": DESCRIBED},
    {"if": {"minProperties": 2}, "then": {"properties": {"c": {"dependentSchemas": {"a": DESCRIBED}}}}},
    {"not": {"allOf": [HAS_A, {"not": DESCRIBED}]}},
    {"if": {"not": HAS_A}, "else": DESCRIBED},
    {"anyOf": [{"not": HAS_A}, DESCRIBED]},
]


@pytest.mark.parametrize("bare", [{}, {"type": "object"}], ids=["anything", "an object"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_free_form_object_carries_what_a_condition_describes(
    bare: dict[str, Json], condition: dict[str, Json]
) -> None:
    described: dict[str, Json] = {**bare, **condition}
    found = include(bare, described, declared=True)
    assert found.answer is Tristate.NO
    for witness in found.witness:
        assert Draft202012Validator(bare).is_valid(witness)
        assert not Draft202012Validator(described).is_valid(witness)


@pytest.mark.parametrize("condition", CONDITIONS[:2])
def test_an_object_that_declares_members_carries_those_alone(condition: dict[str, Json]) -> None:
    said: dict[str, Json] = {"type": "object", "properties": {"b": TEXT}}
    found = include(said, {**said, **condition}, declared=True)
    assert (found.answer, found.assumed) == (Tristate.YES, True)
