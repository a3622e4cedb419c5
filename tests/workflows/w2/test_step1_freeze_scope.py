"""Step 1 of W2: freeze the publication scope."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w2 import step1_freeze_scope
from tests.workflows.steps import before, without


def test_every_operation_of_the_scope_resolves() -> None:
    outcome = step1_freeze_scope.run(*before("w2", 1))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert len(outcome.facts.operations) == 3


def test_without_a_contract_the_run_stops() -> None:
    bundle, facts = before("w2", 1)
    outcome = step1_freeze_scope.run(without(bundle, EvidenceType.CONTRACT), facts)
    assert (outcome.state, outcome.code) == (StepState.STOP, "")
    assert outcome.reasons
