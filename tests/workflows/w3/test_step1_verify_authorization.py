"""Step 1 of W3: verify the authorization."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w3 import step1_verify_authorization
from tests.workflows.steps import before, without


def test_every_planned_action_is_covered() -> None:
    outcome = step1_verify_authorization.run(*before("w3", 1))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.opened and outcome.facts.boundary


def test_without_a_record_the_run_stops() -> None:
    bundle, facts = before("w3", 1)
    outcome = step1_verify_authorization.run(without(bundle, EvidenceType.AUTHORIZATION_RECORD), facts)
    assert (outcome.state, outcome.code) == (StepState.STOP, "W3-F1")
    assert not outcome.facts.opened
