"""`--no-witnesses`: the same rows and containment, no search, and every row that would need one says so."""

from __future__ import annotations

from typing import NoReturn

import pytest

from evreview.compare import compare
from evreview.ledger.delta import Delta
from evreview.proof.outcome import NOT_ASKED
from evreview.proof.witnesses import Witnesses
from evreview.vocab import ProofStatus, Verdict
from tests.ledger import pairs

RELEASED = pairs.document({"/a": pairs.get({"type": "integer"}), "/gone": pairs.get({"type": "string"})})
CANDIDATE = pairs.document({"/a": pairs.get({"type": ["integer", "string"]})}, version="3.1.0")


def test_what_containment_leaves_open_is_unproven_and_says_why() -> None:
    comparison = compare(pairs.contract(RELEASED), pairs.contract(CANDIDATE), witnesses=False)
    assert {row.proof.status for row in comparison.breaking} == {ProofStatus.UNPROVEN}
    assert {row.proof.reason for row in comparison.breaking} == {NOT_ASKED}
    assert comparison.summary["witnesses"] == "not asked for"


def test_the_rows_are_those_of_a_whole_comparison() -> None:
    contracts = pairs.contract(RELEASED), pairs.contract(CANDIDATE)
    short, whole = compare(*contracts, witnesses=False), compare(*contracts)
    assert [row.delta for row in short.rows] == [row.delta for row in whole.rows]
    assert "witnesses" not in whole.summary
    assert any(row.proof.status is ProofStatus.WITNESSED for row in whole.breaking)


def test_containment_is_proved_all_the_same() -> None:
    def narrowed(limit: int) -> pairs.Doc:
        return pairs.document({"/a": pairs.get({"type": "string", "maxLength": limit})})

    (row,) = compare(pairs.contract(narrowed(9)), pairs.contract(narrowed(5)), witnesses=False).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.COMPATIBLE, ProofStatus.PROVED)


def test_no_value_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Overlapping branches leave containment open, and the rule can't speak for them."""

    def branches(most: int) -> pairs.Doc:
        inner = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": most}}}
        return pairs.document({"/a": pairs.get({"oneOf": [inner, {"type": "object", "minProperties": 1}]})})

    def searched(self: Witnesses, delta: Delta) -> NoReturn:
        raise AssertionError(delta.address)

    monkeypatch.setattr(Witnesses, "found", searched)
    (row,) = compare(pairs.contract(branches(9)), pairs.contract(branches(5)), witnesses=False).rows
    assert (row.judgement.verdict, row.proof.status) == (Verdict.UNKNOWN, ProofStatus.UNPROVEN)
