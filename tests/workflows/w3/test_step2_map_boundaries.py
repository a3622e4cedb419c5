"""Step 2 of W3: map assets and trust boundaries."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w3 import step2_map_boundaries
from tests.workflows.steps import before, without


def test_paths_lead_from_entry_points_to_assets() -> None:
    outcome = step2_map_boundaries.run(*before("w3", 2))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.trust.paths


def test_it_remains_without_a_trust_model() -> None:
    bundle, facts = before("w3", 2)
    outcome = step2_map_boundaries.run(without(bundle, EvidenceType.DATA_FLOW), facts)
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert outcome.facts.trust.missing and not outcome.facts.trust.paths
