"""Step 7 of W2: review security and compatibility."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step7_review_security
from tests.workflows.steps import before


def test_every_check_has_a_disposition() -> None:
    outcome = step7_review_security.run(*before("w2", 7))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert len(outcome.facts.reviews) == 8 and all(each.disposition for each in outcome.facts.reviews)


def test_a_private_endpoint_stops() -> None:
    bundle, facts = before("w2", 7)
    record = facts.scope.record.model_copy(update={"base_url": "http://10.1.2.3:8080"})
    outcome = step7_review_security.run(bundle, replace(facts, scope=replace(facts.scope, record=record)))
    assert (outcome.state, outcome.code) == (StepState.STOP, "")
    assert [each.check for each in outcome.facts.reviews if each.stops] == ["redaction"]
