"""Rows that are proved one by one are not believed where a value refutes their schema as a whole."""

from __future__ import annotations

import pytest

from evreview.ledger.diff import diff_contracts
from evreview.proof.prove import Prover
from evreview.rules.example import expand
from evreview.rules.rule import Slot
from evreview.vocab import Json
from tests.pipeline import contract

TEXT: Json = {"type": "string"}
SHORT: Json = {"type": "string", "maxLength": 3}
NUMBER: Json = {"type": "integer"}


@pytest.mark.parametrize(
    ("released", "candidate", "refuted"),
    [(TEXT, SHORT, True), (TEXT, NUMBER, True), (SHORT, TEXT, False), (TEXT, {"type": ["string", "integer"]}, False)],
)
def test_a_wrong_proof_is_taken_back(released: Json, candidate: Json, refuted: bool) -> None:
    slot = Slot.REQUEST_BODY
    ledger = diff_contracts(contract(expand(slot, released)), contract(expand(slot, candidate)))
    everything = {delta.id for delta in ledger.deltas}
    claimed = [(delta, True) for delta in ledger.deltas]
    assert everything
    assert Prover(ledger).contradicted(claimed) == (everything if refuted else set())
    assert Prover(ledger).contradicted([(delta, False) for delta in ledger.deltas]) == set()
