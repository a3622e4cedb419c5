"""A range or `default` that takes over a status is shown by a message with that status."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.compare import compare
from evreview.proof.messages.replay import replay
from evreview.shapes.second import SecondCheck
from evreview.vocab import Json, ProofStatus, Verdict
from tests.proof.messages.contracts import contract, operation

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
    assert replay(*sides, witness, SecondCheck()).confirmed
