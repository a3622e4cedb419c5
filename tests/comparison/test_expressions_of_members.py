"""Members that another expression finds: one row for one edit, decided by the whole schema; two edits are two rows."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from tests.pipeline import edited

NUMBER: Json = {"type": "integer"}
SLOTS = {"request": Slot.REQUEST_BODY, "response": Slot.RESPONSE_BODY}


def found_by(*expressions: str, closed: bool = True, value: Json = NUMBER) -> Json:
    rest: dict[str, Json] = {"additionalProperties": False} if closed else {}
    return {"type": "object", "patternProperties": dict.fromkeys(expressions, value), **rest}


@pytest.mark.parametrize("side", SLOTS)
@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("pair", [("^x", "^xy"), ("^xy", "^x"), ("^x", "^y")], ids=" to ".join)
def test_one_expression_for_another_is_one_row(side: str, closed: bool, pair: tuple[str, str]) -> None:
    released, candidate = (found_by(each, closed=closed) for each in pair)
    (row,) = edited(SLOTS[side], released, candidate).rows
    assert row.judgement.rule == f"{side}-pattern-properties-changed"
    sent, expected = (released, candidate) if side == "request" else (candidate, released)
    if row.judgement.verdict is Verdict.BREAKING:
        assert row.proof.found is not None
        assert Draft202012Validator(sent).is_valid(row.proof.found.value)  # type: ignore[arg-type]
        assert not Draft202012Validator(expected).is_valid(row.proof.found.value)  # type: ignore[arg-type]
        return
    assert row.proof.status is ProofStatus.PROVED
    values = [{name: value} for name in ("x", "xy", "y", "a") for value in (1, "s")]
    assert all(
        Draft202012Validator(expected).is_valid(value)  # type: ignore[arg-type]
        for value in values
        if Draft202012Validator(sent).is_valid(value)  # type: ignore[arg-type]
    )


def test_two_expressions_of_one_language_are_noise() -> None:
    comparison = edited(Slot.REQUEST_BODY, found_by("^x+"), found_by("^x"))
    assert comparison.rows == ()
    assert [noise.delta.facet for noise in comparison.noise] == ["patternProperties"]


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (found_by("^x"), found_by("^xy", value={"type": "number"})),
        (found_by("^x"), found_by("^y", "^z")),
        (found_by("^x", "^y"), found_by("^z")),
    ],
    ids=["another schema", "two for one", "one for two"],
)
def test_more_than_another_expression_is_more_than_one_row(released: Json, candidate: Json) -> None:
    rows = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert {row.delta.change.value for row in rows} == {"added", "removed"}
