"""Step 6 of W3: validate safely."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w3 import step6_validate_safely
from tests.workflows.steps import before, without


def test_retained_results_are_executed_and_the_rest_is_proposed() -> None:
    outcome = step6_validate_safely.run(*before("w3", 6))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.results and outcome.facts.proposed


def test_without_retained_results_nothing_is_executed() -> None:
    bundle, facts = before("w3", 6)
    bundle = without(bundle, EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL)
    outcome = step6_validate_safely.run(bundle, facts)
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert not outcome.facts.results and outcome.facts.proposed
