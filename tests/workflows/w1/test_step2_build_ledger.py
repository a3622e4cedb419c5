"""Step 2 of W1: build the wire-difference ledger."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w1 import step2_build_ledger
from tests.workflows.steps import before


def test_every_difference_is_a_row_with_an_id_of_its_own() -> None:
    outcome = step2_build_ledger.run(*before("w1", 2))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    ids = [row.delta.id for row in outcome.facts.comparison.rows]
    assert len(set(ids)) == len(ids) == 10


def test_a_contract_compared_with_itself_has_no_row() -> None:
    bundle, facts = before("w1", 2)
    outcome = step2_build_ledger.run(bundle, replace(facts, candidate=facts.released))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert not outcome.facts.comparison.rows
