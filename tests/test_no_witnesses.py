"""`--no-witnesses`: the same rows and containment, no search, and every row that would need one says so."""

from __future__ import annotations

from evreview.comparison.proof.outcome import ProofReason
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from tests.comparison import pairs

RELEASED = pairs.document({"/a": pairs.get({"type": "integer"}), "/gone": pairs.get({"type": "string"})})
CANDIDATE = pairs.document({"/a": pairs.get({"type": ["integer", "string"]})}, version="3.1.0")


def test_what_containment_leaves_open_is_unproven_and_says_why() -> None:
    comparison = compare(pairs.contract(RELEASED), pairs.contract(CANDIDATE), witnesses=False)
    assert {row.proof.status for row in comparison.breaking} == {ProofStatus.UNPROVEN}
    assert {row.proof.reason for row in comparison.breaking} == {ProofReason.NOT_ASKED}
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
