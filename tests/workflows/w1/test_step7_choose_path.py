"""Step 7 of W1: choose a supported path."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState, VersionPath
from evreview.workflows.w1 import step7_choose_path
from tests.workflows.steps import before, without


def test_the_path_rests_on_mechanisms_that_exist() -> None:
    outcome = step7_choose_path.run(*before("w1", 7))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.path.path is VersionPath.EXPLICIT_VERSION
    assert outcome.facts.path.citations


def test_a_plan_without_a_rollout_record_is_rejected() -> None:
    bundle, facts = before("w1", 7)
    outcome = step7_choose_path.run(without(bundle, EvidenceType.ROLLOUT_RECORD), facts)
    assert (outcome.state, outcome.code) == (StepState.STOP, "W1-F4")
