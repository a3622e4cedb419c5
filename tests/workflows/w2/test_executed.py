"""The same test in two runs is one test that ran twice, in two environments."""

from __future__ import annotations

from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Citation
from evreview.workflows.w2.facts import Reported
from evreview.workflows.w2.view_blocks import example_words, executed_words, numbered_runs, operation_words


def row(test: str, run: str, result: str = "passed", status: str = "executed") -> Reported:
    """One row of the execution report."""
    on = (Citation(EvidenceId("E7"), ":L1"), Citation(EvidenceId(run)))
    return Reported(
        operation="GET /orders", check=(UserText(test),), status=status, environment=f"env of {run}", result=result,
        citations=on,
    )  # fmt: skip


def test_one_run_is_counted_plainly() -> None:
    rows = [row("a", "E8"), row("b", "E8", "failed"), row("c", "E8", status="unexecuted")]
    assert executed_words(rows) == "2 retained checks executed"
    assert [plain(each) for each in operation_words(rows[:2], numbered_runs(rows))] == [
        "executed: 1 of 2 retained checks passed, run 1"
    ]


def test_tests_and_runs_are_counted_apart() -> None:
    rows = [row("a", "E8"), row("b", "E8"), row("a", "E13"), row("b", "E13", "failed")]
    assert executed_words(rows) == "2 retained checks executed, in 2 runs 4 times in all"
    (said,) = map(plain, operation_words(rows, numbered_runs(rows)))
    assert said == (
        "executed: 2 distinct checks in 2 runs: 2 of 2 retained checks passed, run 1; "
        "1 of 2 retained checks passed, run 2"
    )


def test_an_example_that_was_sent_is_no_check_that_did_not_pass() -> None:
    rows = [row("a", "E8"), row("example", "E13", "recorded: status 200")]
    runs = numbered_runs(rows)
    assert [plain(each) for each in operation_words(rows, runs)] == ["executed: 1 of 1 retained checks passed, run 1"]
    assert [plain(each) for each in example_words(rows, runs)] == ["executed: sent in run 2: recorded: status 200"]
