"""Rows decided by inclusion of the schemas they stand in: members more or less, whole nodes, whole positions."""

from __future__ import annotations

import pytest

from evreview.comparison.proof.outcome import CONTAINED_DECLARED
from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import edited

TEXT: Json = {"type": "string"}
BREAKING, COMPATIBLE = Verdict.BREAKING, Verdict.COMPATIBLE
PROVED, WITNESSED, UNPROVEN = ProofStatus.PROVED, ProofStatus.WITNESSED, ProofStatus.UNPROVEN


def members(**named: Json) -> dict[str, Json]:
    return {"type": "object", "properties": named}


def shut(**named: Json) -> Json:
    return {**members(**named), "additionalProperties": False}


def opened(**named: Json) -> Json:
    return {**members(**named), "additionalProperties": True}


def mapped(rest: str, **named: Json) -> Json:
    return {**members(**named), "additionalProperties": {"type": rest}}


# name, slot, released, candidate, verdict and proof of the row about the member
ROWS: list[tuple[str, Slot, Json, Json, Verdict, ProofStatus]] = [
    ("asked of nobody", Slot.REQUEST_BODY, members(a=TEXT), members(a=TEXT, b=TEXT), COMPATIBLE, PROVED),
    ("no longer sent", Slot.RESPONSE_BODY, members(a=TEXT, b=TEXT), members(a=TEXT), COMPATIBLE, PROVED),
    ("sent before it was known", Slot.REQUEST_BODY, opened(a=TEXT), opened(a=TEXT, b=TEXT), COMPATIBLE, UNPROVEN),
    ("a map of such members", Slot.REQUEST_BODY, mapped("string"), mapped("string", b=TEXT), COMPATIBLE, PROVED),
    ("a map of other members", Slot.REQUEST_BODY, mapped("integer"), mapped("integer", b=TEXT), BREAKING, WITNESSED),
    ("refused before", Slot.REQUEST_BODY, shut(a=TEXT), shut(a=TEXT, b=TEXT), COMPATIBLE, PROVED),
    ("sent to who refuses it", Slot.RESPONSE_BODY, shut(a=TEXT), shut(a=TEXT, b=TEXT), BREAKING, WITNESSED),
    ("deeper", Slot.RESPONSE_BODY, members(p=shut()), members(p=shut(b=TEXT)), BREAKING, WITNESSED),
    ("deeper, asked", Slot.REQUEST_BODY, members(p=shut()), members(p=shut(b=TEXT)), COMPATIBLE, PROVED),
]


@pytest.mark.parametrize("case", ROWS, ids=[row[0] for row in ROWS])
def test_members_more_or_less(case: tuple[str, Slot, Json, Json, Verdict, ProofStatus]) -> None:
    _, slot, released, candidate, verdict, status = case
    (row,) = edited(slot, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (verdict, status)


def test_a_row_beside_a_breaking_one_is_proved_by_itself() -> None:
    released, candidate = members(a=TEXT), {**members(a=TEXT, b=TEXT, c=TEXT), "required": ["c"]}
    rows = edited(Slot.REQUEST_BODY, released, candidate).rows
    found = {row.delta.address.rpartition(" ")[2]: (row.judgement.verdict, row.proof.status) for row in rows}
    assert found == {"b": (COMPATIBLE, PROVED), "c": (BREAKING, WITNESSED)}


def test_overlapping_branches_are_compared_as_a_whole() -> None:
    released: Json = {"oneOf": [{"type": "integer", "minimum": 5}, TEXT]}
    candidate: Json = {"oneOf": [{"type": "integer", "minimum": 3}, TEXT]}
    (row,) = edited(Slot.REQUEST_FIELD, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (COMPATIBLE, PROVED)
    (back,) = edited(Slot.REQUEST_FIELD, candidate, released).rows
    assert back.judgement.verdict is BREAKING


def test_a_branch_that_brings_nothing_new_is_safe() -> None:
    known: Json = {"type": "object", "properties": {"a": TEXT}}
    more: Json = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
    other: Json = {"type": "array", "items": TEXT}
    released: Json = {"anyOf": [known, other]}
    rows = edited(Slot.RESPONSE_BODY, released, {"anyOf": [known, other, more]}).rows
    assert {(row.judgement.verdict, row.proof.status) for row in rows} <= {(COMPATIBLE, PROVED)}
    (row,) = edited(Slot.RESPONSE_BODY, released, {"anyOf": [known, other, {"type": "boolean"}]}).rows
    assert (row.judgement.verdict, row.proof.status) == (BREAKING, WITNESSED)


def owing(name: str, **named: Json) -> Json:
    return {**members(**named), "required": [name]}


NUMBER: Json = {"type": "integer"}
A, B = owing("a", a=TEXT), owing("b", b=TEXT)
# name, slot, released, candidate: a row below a branch, where a branch beside it names the member, too
BESIDE: list[tuple[str, Slot, Json, Json]] = [
    ("any", Slot.REQUEST_BODY, {"anyOf": [A, B]}, {"anyOf": [owing("a", a=TEXT, b=NUMBER), B]}),
    ("one", Slot.RESPONSE_BODY, {"oneOf": [A, B]}, {"oneOf": [owing("a", a=TEXT, c=TEXT), B]}),
    (
        "deeper",
        Slot.REQUEST_BODY,
        {"anyOf": [members(p=A), members(p=B)]},
        {"anyOf": [members(p=owing("a", a=TEXT, b=NUMBER)), members(p=B)]},
    ),
    (
        "in an array",
        Slot.REQUEST_BODY,
        {"anyOf": [{"type": "array", "items": A}, {"type": "array", "items": B}]},
        {"anyOf": [{"type": "array", "items": owing("a", a=TEXT, b=NUMBER)}, {"type": "array", "items": B}]},
    ),
]


@pytest.mark.parametrize("case", BESIDE, ids=[row[0] for row in BESIDE])
def test_what_a_branch_beside_the_row_names_is_declared(case: tuple[str, Slot, Json, Json]) -> None:
    _, slot, released, candidate = case
    rows = edited(slot, released, candidate).rows
    assert all(row.proof.status is not PROVED or row.proof == CONTAINED_DECLARED for row in rows)


def test_a_name_that_no_branch_mentions_stays_undeclared() -> None:
    released, candidate = {"anyOf": [A, B]}, {"anyOf": [owing("a", a=TEXT, c=NUMBER), B]}
    (row,) = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (COMPATIBLE, PROVED)


@pytest.mark.parametrize("slot", [Slot.REQUEST_BODY, Slot.RESPONSE_BODY])
def test_a_password_is_any_string(slot: Slot) -> None:
    """OpenAPI's registry of formats: a hint to whoever shows the value."""
    hinted: Json = {"type": "string", "format": "password", "minLength": 1}
    for one, other in (({"type": "string"}, hinted), (hinted, {"type": "string"})):
        rows = edited(slot, one, other).rows
        assert [row.delta.facet for row in rows if row.judgement.verdict is not COMPATIBLE] in ([], ["minLength"])
        assert all(row.proof.status in (PROVED, WITNESSED) for row in rows)
