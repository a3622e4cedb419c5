"""Step 4 of W1: classify producer compatibility."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step4_classify_producer
from tests.workflows.steps import before, without


def test_every_row_has_both_directions() -> None:
    outcome = step4_classify_producer.run(*before("w1", 4))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.classified
    assert all(row.judgement.rule is not None for row in outcome.facts.comparison.rows)


def test_it_remains_without_a_policy() -> None:
    bundle, facts = before("w1", 4)
    outcome = step4_classify_producer.run(without(bundle, EvidenceType.POLICY), facts)
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert outcome.reasons
