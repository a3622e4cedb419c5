"""Step 6 of W1: validate both directions."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step6_validate_directions
from tests.workflows.steps import before, without


def test_checks_with_a_retained_result_are_executed() -> None:
    outcome = step6_validate_directions.run(*before("w1", 6))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.checks.executed and outcome.facts.checks.proposed


def test_without_retained_results_every_check_is_proposed() -> None:
    bundle, facts = before("w1", 6)
    bundle = without(bundle, EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL)
    outcome = step6_validate_directions.run(bundle, facts)
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert not outcome.facts.checks.executed and outcome.facts.checks.proposed
