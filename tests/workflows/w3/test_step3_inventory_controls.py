"""Step 3 of W3: inventory controls and attack surfaces."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState
from evreview.workflows.w3 import step3_inventory_controls
from tests.workflows.steps import before, without


def test_every_area_has_a_standing_on_every_route() -> None:
    outcome = step3_inventory_controls.run(*before("w3", 3))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.inventory.cells


def test_an_incomplete_inventory_stops() -> None:
    bundle, facts = before("w3", 3)
    outcome = step3_inventory_controls.run(without(bundle, EvidenceType.TEST_INVENTORY), facts)
    assert (outcome.state, outcome.code) == (StepState.STOP, "W3-F2")
    assert outcome.facts.inventory.gaps
