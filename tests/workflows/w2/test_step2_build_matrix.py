"""Step 2 of W2: build the operation evidence matrix."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step2_build_matrix
from tests.workflows.steps import before


def test_every_concern_of_every_operation_has_a_cell() -> None:
    outcome = step2_build_matrix.run(*before("w2", 2))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert {cell.operation for cell in outcome.facts.matrix} == {each.id for each in outcome.facts.operations}


def test_without_sources_handlers_are_unmapped() -> None:
    bundle, facts = before("w2", 2)
    outcome = step2_build_matrix.run(bundle, replace(facts, sources=()))
    assert (outcome.state, outcome.code) == (StepState.STOP, "")
    assert outcome.reasons
