"""A range or `default` that takes over a status is shown by a message with that status."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.messages.contracts import contract, operation

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}


def answering(**schemas: Json) -> Any:
    said = {
        key.removeprefix("s"): {"description": "x", "content": {"application/json": {"schema": schema}}}
        for key, schema in schemas.items()
    }
    return operation(responses=said)


@pytest.mark.parametrize(
    ("released", "candidate", "status"),
    [
        (answering(s2XX=TEXT, default=NUMBER), answering(default=NUMBER), 200),
        (answering(s200=TEXT, default=NUMBER), answering(default=NUMBER), 200),
        (answering(s200=TEXT, s4XX=TEXT, default=NUMBER), answering(s200=TEXT, default=NUMBER), 400),
        (answering(s200=TEXT, s404=TEXT, s4XX=NUMBER), answering(s200=TEXT, s4XX=NUMBER), 404),
        (answering(s201=TEXT), answering(s2XX=NUMBER), 201),
    ],
)
def test_the_status_is_one_that_both_contracts_mean(released: Any, candidate: Any, status: int) -> None:
    sides = contract(released), contract(candidate)
    shown = [row for row in compare(*sides).rows if row.delta.facet == "type"]
    assert [row.judgement.verdict for row in shown] == [Verdict.BREAKING]
    assert shown[0].proof.status is ProofStatus.WITNESSED
    witness = shown[0].proof.witness
    assert isinstance(witness, dict) and witness["message"]["status"] == status
    assert replay(*sides, witness, CrossCheckValidator()).confirmed


CHARSET = "text/plain;charset=utf-8"


@pytest.mark.parametrize("order", [(CHARSET, "text/plain"), ("text/plain", CHARSET)])
def test_the_most_specific_key_is_applicable(order: tuple[str, str]) -> None:
    """OpenAPI 3.0.3, section 4.7.13.1: whichever of two keys stands first."""
    short = {CHARSET: {"schema": {**TEXT, "maxLength": 3}}, "text/plain": {"schema": TEXT}}
    one, both = ({"text/plain": {"schema": TEXT}}, {key: short[key] for key in order})
    old, new = (contract(operation("post", requestBody={"required": True, "content": each})) for each in (one, both))
    sides = old, new
    (row,) = (row for row in compare(*sides).rows if row.delta.facet == "maxLength")
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["message"]["content_type"] == CHARSET
    plain = {**row.proof.witness, "message": {**row.proof.witness["message"], "content_type": "text/plain"}}
    assert replay(*sides, row.proof.witness, CrossCheckValidator()).confirmed
    assert not replay(*sides, plain, CrossCheckValidator()).confirmed
