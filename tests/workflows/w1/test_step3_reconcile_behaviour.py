"""Step 3 of W1: reconcile implementation and observed behaviour."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step3_reconcile_behaviour
from tests.workflows.steps import before, without


def test_no_source_contradicts_the_candidate() -> None:
    outcome = step3_reconcile_behaviour.run(*before("w1", 3))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    found = outcome.facts.reconciliation
    assert found.sources and not found.contradictions


def test_it_remains_without_an_implementation_diff() -> None:
    bundle, facts = before("w1", 3)
    outcome = step3_reconcile_behaviour.run(without(bundle, EvidenceType.IMPLEMENTATION_DIFF), facts)
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert outcome.reasons
