"""Step 6 of W2: verify examples."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step6_verify_examples
from tests.workflows.steps import before


def test_what_no_test_covers_is_marked_and_a_test_is_proposed() -> None:
    outcome = step6_verify_examples.run(*before("w2", 6))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "W2-F4")
    assert len(outcome.facts.unverified) == len(outcome.facts.proposed_tests) == 1
    assert any(row.status == "executed" for row in outcome.facts.report)


def test_without_retained_runs_nothing_is_executed() -> None:
    bundle, facts = before("w2", 6)
    outcome = step6_verify_examples.run(bundle, replace(facts, runs=()))
    assert outcome.facts.report and all(row.status != "executed" for row in outcome.facts.report)
