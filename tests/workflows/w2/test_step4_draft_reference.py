"""Step 4 of W2: draft the reference."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step4_draft_reference
from tests.workflows.steps import before


def test_there_is_an_entry_for_every_operation() -> None:
    outcome = step4_draft_reference.run(*before("w2", 4))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert [each.operation.id for each in outcome.facts.entries] == [each.id for each in outcome.facts.operations]


def test_a_claim_without_a_cell_of_the_matrix_stops() -> None:
    bundle, facts = before("w2", 4)
    outcome = step4_draft_reference.run(bundle, replace(facts, matrix=()))
    assert (outcome.state, outcome.code) == (StepState.STOP, "W2-F5")
