"""Verdicts by position: what is read may widen, what is written may narrow; no rule means unknown."""

from __future__ import annotations

import pytest

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import (
    ABSENT,
    Address,
    Aspect,
    Change,
    ContractKind,
    DeltaId,
    Direction,
    Json,
    Role,
    Tristate,
    Verdict,
)
from evreview.kinds.registry import spec_of
from tests.pipeline import edited

JSON: Json = {"application/json": {"schema": {"type": "object"}}}
PROBLEM: Json = {"application/problem+json": {"schema": {"type": "object"}}}


def delta(facet: str, direction: Direction | None = Direction.READ) -> Delta:
    return Delta(
        id=DeltaId("D-000000000001"),
        kind=ContractKind.OPENAPI,
        operation="GET /things",
        operations=("GET /things",),
        address=Address("GET /things > query limit"),
        role=Role.REQUEST,
        direction=direction,
        in_error=False,
        element=ElementKind.SCHEMA,
        aspect=Aspect.TYPES,
        change=Change.CHANGED,
        facet=facet,
        released=1,
        candidate=2,
        released_place=None,
        candidate_place=None,
    )


@pytest.mark.parametrize(
    ("direction", "accepts", "emits"),
    [
        (Direction.READ, Tristate.UNKNOWN, Tristate.NOT_APPLICABLE),
        (Direction.WRITTEN, Tristate.NOT_APPLICABLE, Tristate.UNKNOWN),
        (None, Tristate.UNKNOWN, Tristate.UNKNOWN),
    ],
)
@pytest.mark.req("W1S-011")
def test_no_rule_means_unknown_never_compatible(
    direction: Direction | None, accepts: Tristate, emits: Tristate
) -> None:
    row = delta("a-keyword-of-tomorrow", direction)
    found = spec_of(row.kind).classify(row)
    assert (found.rule, found.verdict) == (None, Verdict.UNKNOWN)
    assert (found.accepts_old_requests, found.emits_old_compatible) == (accepts, emits)
    assert found.why


LIMITED: Json = {"type": "string", "maxLength": 3}
FREE: Json = {"type": "string"}


@pytest.mark.parametrize(
    ("slot", "released", "candidate", "accepts", "emits"),
    [
        (Slot.REQUEST_FIELD, FREE, LIMITED, "no", "n/a"),
        (Slot.REQUEST_FIELD, LIMITED, FREE, "yes", "n/a"),
        (Slot.PARAMETER_SCHEMA, FREE, LIMITED, "no", "n/a"),
        (Slot.PARAMETER_SCHEMA, LIMITED, FREE, "yes", "n/a"),
        (Slot.RESPONSE_FIELD, FREE, LIMITED, "n/a", "yes"),
        (Slot.RESPONSE_FIELD, LIMITED, FREE, "n/a", "no"),
        (Slot.HEADER_SCHEMA, LIMITED, FREE, "n/a", "no"),
        (Slot.WEBHOOK_FIELD, FREE, LIMITED, "n/a", "yes"),
        (Slot.WEBHOOK_FIELD, LIMITED, FREE, "n/a", "no"),
    ],
)
@pytest.mark.req("W1L-018", "W1L-019")
def test_both_producer_questions_are_answered(
    slot: Slot, released: Json, candidate: Json, accepts: str, emits: str
) -> None:
    (row,) = edited(slot, released, candidate).rows
    found = row.judgement
    assert (found.accepts_old_requests.value, found.emits_old_compatible.value) == (accepts, emits)


def in_error_body(field: Json) -> Json:
    return {"type": "object", "properties": {"code": field}, "required": ["code"]}


@pytest.mark.parametrize(
    ("slot", "released", "candidate", "rule"),
    [
        (Slot.ERROR_CONTENT, PROBLEM, JSON, "error-content-type-changed"),
        (
            Slot.ERROR_BODY,
            in_error_body({"type": "string"}),
            in_error_body({"type": "integer"}),
            "response-type-changed",
        ),
        (Slot.ERROR_BODY, in_error_body({"type": "string"}), {"type": "object"}, "response-required-field-removed"),
        (Slot.RESPONSES, {"404": {"description": "none"}}, {"410": {"description": "none"}}, "error-status-removed"),
    ],
)
@pytest.mark.req("ER-001", "W1L-020")
def test_errors_are_wire_behaviour_while_success_stays(slot: Slot, released: Json, candidate: Json, rule: str) -> None:
    comparison = edited(slot, released, candidate)
    assert rule in [row.judgement.rule for row in comparison.rows if row.judgement.verdict is not Verdict.COMPATIBLE]
    assert all(row.delta.in_error for row in comparison.rows)


@pytest.mark.parametrize(
    ("slot", "released", "candidate", "verdict"),
    [
        (
            Slot.PARAMETER_SCHEMA,
            {"type": "integer", "default": 10},
            {"type": "integer", "default": 50},
            Verdict.BREAKING,
        ),
        (Slot.PARAMETER_SCHEMA, {"type": "integer", "default": 10}, {"type": "integer"}, Verdict.BREAKING),
        (Slot.PARAMETER_SCHEMA, {"type": "integer"}, {"type": "integer", "default": 10}, Verdict.UNKNOWN),
        (Slot.RESPONSE_FIELD, {"type": "integer", "default": 10}, {"type": "integer", "default": 50}, Verdict.BREAKING),
    ],
)
@pytest.mark.req("W1L-020")
def test_defaults_are_wire_behaviour(slot: Slot, released: Json, candidate: Json, verdict: Verdict) -> None:
    (row,) = edited(slot, released, candidate).rows
    assert (row.delta.aspect, row.judgement.verdict) == (Aspect.DEFAULTS, verdict)


SECURE: Json = [{"key": []}]
BOTH: Json = [{"key": [], "login": ["read"]}]
EITHER: Json = [{"key": []}, {"login": ["read"]}]
WIDE: Json = [{"login": ["read", "write"]}]
READER: Json = [{"login": ["read"]}]


@pytest.mark.parametrize(
    ("released", "candidate", "verdict"),
    [
        (ABSENT, SECURE, Verdict.BREAKING),
        (SECURE, ABSENT, Verdict.COMPATIBLE),
        (EITHER, BOTH, Verdict.BREAKING),
        (BOTH, EITHER, Verdict.COMPATIBLE),
        (EITHER, SECURE, Verdict.BREAKING),
        (READER, WIDE, Verdict.BREAKING),
        (WIDE, READER, Verdict.COMPATIBLE),
    ],
)
def test_security_is_a_choice_between_demands(released: Json, candidate: Json, verdict: Verdict) -> None:
    (row,) = edited(Slot.OPERATION_SECURITY, released, candidate).rows
    assert row.judgement.verdict is verdict


@pytest.mark.parametrize(
    ("slot", "released", "candidate", "expected"),
    [
        (Slot.RESPONSE_FIELD, ["x", "y"], ["x"], ("response-enum-value-removed", "breaking", "n/a", "no")),
        (Slot.RESPONSE_FIELD, ["x"], ["x", "y"], ("response-enum-value-added", "compatible", "n/a", "yes")),
        (Slot.REQUEST_FIELD, ["x", "y"], ["x"], ("request-enum-value-removed", "compatible", "yes", "n/a")),
        (Slot.REQUEST_FIELD, ["x"], ["x", "y"], ("request-enum-value-added", "breaking", "no", "n/a")),
    ],
)
def test_below_not_the_direction_stays_and_the_sense_turns(
    slot: Slot, released: Json, candidate: Json, expected: tuple[str, ...]
) -> None:
    before, after = ({"type": "string", "not": {"enum": values}} for values in (released, candidate))
    (row,) = edited(slot, before, after).rows
    said = spec_of(row.delta.kind).classify(row.delta)
    assert (said.rule, said.verdict, said.accepts_old_requests, said.emits_old_compatible) == expected


@pytest.mark.parametrize(
    ("bounds", "rule"),
    [
        ((2**53 + 1, 2**53), "request-maximum-lowered"),
        ((2**53, 2**53 + 1), "request-maximum-raised"),
    ],
)
def test_bounds_are_compared_to_the_last_digit(bounds: tuple[int, int], rule: str) -> None:
    released, candidate = ({"type": "integer", "maximum": bound} for bound in bounds)
    assert [row.judgement.rule for row in edited(Slot.REQUEST_FIELD, released, candidate).rows] == [rule]
