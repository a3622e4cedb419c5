"""Step 3 of W2: reconcile contract, handler, validator and tests."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step3_reconcile_contract
from tests.workflows.steps import before


def test_open_discrepancies_withhold_and_the_run_goes_on() -> None:
    outcome = step3_reconcile_contract.run(*before("w2", 3))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "W2-F3")
    assert len(outcome.reasons) == len(outcome.facts.open_discrepancies) == 8


def test_only_operations_of_the_scope_are_compared() -> None:
    bundle, facts = before("w2", 3)
    first = facts.operations[:1]
    outcome = step3_reconcile_contract.run(bundle, replace(facts, operations=first))
    assert {each.operation for each in outcome.facts.discrepancies} == {first[0].id}
