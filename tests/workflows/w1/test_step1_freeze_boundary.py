"""Step 1 of W1: freeze the comparison boundary."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step1_freeze_boundary
from tests.workflows.steps import before, without


def test_both_contracts_are_parsed_and_the_boundary_is_named() -> None:
    outcome = step1_freeze_boundary.run(*before("w1", 1))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.released is not None and outcome.facts.candidate is not None
    assert outcome.facts.boundary


def test_without_a_contract_the_run_stops() -> None:
    bundle, facts = before("w1", 1)
    outcome = step1_freeze_boundary.run(without(bundle, EvidenceType.CONTRACT), facts)
    assert (outcome.state, outcome.code) == (StepState.STOP, "W1-F1")
    assert len(outcome.reasons) == 2
