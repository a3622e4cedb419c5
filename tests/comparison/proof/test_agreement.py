"""Rows that are proved one by one are not believed where a value refutes their schema as a whole."""

from __future__ import annotations

import pytest

from evreview.comparison.proof.prove import Prover
from evreview.comparison.rules.example import expand
from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import diff_contracts
from tests.pipeline import contract, edited

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


LONG: Json = {"type": "string", "minLength": 5}
ASKED: Json = {"properties": {"c": {"const": "US"}}, "required": ["c"]}
ASKED_MORE: Json = {"properties": {"c": {"enum": ["US", "CA"]}}, "required": ["c"]}
OWED: Json = {"required": ["zip"]}


def _conditional(asked: Json) -> Json:
    return {"type": "object", "properties": {"c": TEXT, "zip": TEXT}, "if": asked, "then": OWED}


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (_conditional(ASKED_MORE), _conditional(ASKED)),
        (_conditional({"properties": {"c": {"const": "US"}}}), _conditional(ASKED)),
        ({"oneOf": [{"type": "string", "maxLength": 6}, LONG]}, {"oneOf": [{"type": "string", "maxLength": 4}, LONG]}),
        ({"type": "string", "not": {"minLength": 2}}, {"type": "string", "not": {"minLength": 3}}),
    ],
)
def test_what_is_reversed_round_is_judged_where_it_is_reversed(released: Json, candidate: Json) -> None:
    """The condition itself grows the other way: that it does refutes nothing."""
    (row,) = edited(Slot.REQUEST_BODY, released, candidate).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)
    (back,) = edited(Slot.REQUEST_BODY, candidate, released).rows
    assert (back.judgement.verdict, back.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
