"""Step 5 of W1: classify consumer compatibility."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w1 import step5_classify_consumer
from tests.workflows.steps import before, without


def test_every_listed_client_is_mapped_and_others_stay_unknown() -> None:
    outcome = step5_classify_consumer.run(*before("w1", 5))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert [row.client for row in outcome.facts.clients] == ["ledger-export", "storefront"]
    assert outcome.facts.unknown_consumers.open


def test_without_an_inventory_usage_is_unknown_and_the_run_goes_on() -> None:
    bundle, facts = before("w1", 5)
    outcome = step5_classify_consumer.run(without(bundle, EvidenceType.CLIENT_INVENTORY), facts)
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "W1-F3")
    assert not outcome.facts.clients
