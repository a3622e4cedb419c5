"""A schema that nobody could read says nothing: no proof, no witness, no verdict rests on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.schema.subsumption.result import UndecidedReason
from tests.pipeline import compared, edited

NOPE: Json = {"$ref": "#/components/schemas/Nope"}
TEXT: Json = {"type": "string"}
SHORT: Json = {"type": "string", "maxLength": 3}
BODIES = [Slot.REQUEST_BODY, Slot.RESPONSE_BODY]

AROUND: dict[str, Callable[[Json], Json]] = {
    "body": lambda schema: schema,
    "property": lambda schema: {"type": "object", "properties": {"a": schema}},
    "items": lambda schema: {"type": "array", "items": schema},
    "map": lambda schema: {"type": "object", "additionalProperties": schema},
    "allOf": lambda schema: {"allOf": [schema, {"maxLength": 9}]},
    "anyOf": lambda schema: {"anyOf": [schema, {"type": "integer"}]},
    "oneOf": lambda schema: {"oneOf": [schema, {"type": "integer"}]},
    "not": lambda schema: {"not": schema},
}


def openly_unknown(row: JudgedRow) -> bool:
    return row.judgement.verdict is Verdict.UNKNOWN and row.proof.status is ProofStatus.UNPROVEN


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("slot", BODIES)
@pytest.mark.parametrize("there", [True, False])
def test_a_reference_that_leads_nowhere_decides_nothing(slot: Slot, around: str, there: bool) -> None:
    made = AROUND[around]
    pair = (made(NOPE), made(TEXT)) if there else (made(TEXT), made(NOPE))
    comparison = edited(slot, *pair)
    assert comparison.rows and comparison.unread
    assert all(openly_unknown(row) and row.proof.reason == UndecidedReason.GAP for row in comparison.rows)
    assert comparison.summary["breaking"] == "unknown"


def chain(target: Json) -> Json:
    content: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/a": {
                "post": {
                    "requestBody": {"content": content},
                    "responses": {"200": {"description": "x", "content": content}},
                }
            }
        },
        "components": {"schemas": {"A": {"$ref": "#/components/schemas/B"}, "B": target}},
    }


@pytest.mark.parametrize("unread", [NOPE, {"$ref": "#/components/schemas/A"}, {"$dynamicRef": "#nowhere"}])
def test_a_chain_that_ends_nowhere_decides_nothing(unread: Json) -> None:
    for pair in ((chain(unread), chain(TEXT)), (chain(TEXT), chain(unread))):
        comparison = compared(*pair)
        assert {row.proof.status for row in comparison.rows} <= {ProofStatus.UNPROVEN, ProofStatus.NOT_APPLICABLE}
        assert {row.judgement.verdict for row in comparison.rows} == {Verdict.UNKNOWN}


@pytest.mark.parametrize("slot", BODIES)
@pytest.mark.parametrize("there", [True, False])
def test_an_optional_member_that_nobody_can_read_decides_nothing(slot: Slot, there: bool) -> None:
    without: Json = {"type": "object", "properties": {"b": TEXT}}
    with_it: Json = {"type": "object", "properties": {"b": TEXT, "a": NOPE}}
    comparison = edited(slot, *((without, with_it) if there else (with_it, without)))
    assert comparison.rows and all(map(openly_unknown, comparison.rows))


@pytest.mark.parametrize(
    ("slot", "verdict", "status"),
    [
        (Slot.REQUEST_BODY, Verdict.BREAKING, ProofStatus.WITNESSED),
        (Slot.RESPONSE_BODY, Verdict.COMPATIBLE, ProofStatus.PROVED),
    ],
)
@pytest.mark.parametrize("beside", [(NOPE, NOPE), (NOPE, TEXT)])
def test_rows_beside_an_unread_part_keep_their_proof(
    slot: Slot, verdict: Verdict, status: ProofStatus, beside: tuple[Json, Json]
) -> None:
    old, new = beside
    comparison = edited(
        slot,
        {"type": "object", "properties": {"a": old, "b": TEXT}},
        {"type": "object", "properties": {"a": new, "b": SHORT}},
    )
    row = next(row for row in comparison.rows if row.delta.facet == "maxLength")
    assert (row.judgement.verdict, row.proof.status) == (verdict, status)


def test_a_witness_never_passes_through_an_unread_part() -> None:
    """What the unread member admits is not known, so no message that has to carry it is known to be admitted."""
    sides: list[Json] = [
        {"type": "object", "required": ["a"], "properties": {"a": NOPE, "b": kind}} for kind in (TEXT, SHORT)
    ]
    (row,) = edited(Slot.REQUEST_BODY, *sides).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.UNPROVEN)


def test_a_part_left_as_unread_as_it_was_keeps_what_holds_for_any_schema() -> None:
    sides: list[Json] = [{"allOf": [NOPE, {"type": "string", "maxLength": most}]} for most in (3, 5)]
    (wider,) = edited(Slot.REQUEST_BODY, *sides).rows
    assert (wider.judgement.verdict, wider.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
    (narrower,) = edited(Slot.RESPONSE_BODY, *sides).rows
    assert openly_unknown(narrower)
