"""Step 8 of W1: design rollout, observation and rollback."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step8_design_rollout
from tests.workflows.steps import before, without


def test_every_material_change_has_a_control() -> None:
    outcome = step8_design_rollout.run(*before("w1", 8))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.controls and not any(each.missing for each in outcome.facts.controls)


def test_without_signals_traffic_stays_blocked() -> None:
    bundle, facts = before("w1", 8)
    outcome = step8_design_rollout.run(without(bundle, EvidenceType.ROLLOUT_RECORD), facts)
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert len(outcome.reasons) == len(outcome.facts.controls)
