"""Step 9 of W2: deliver and reconcile."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w2 import step9_deliver_and_reconcile
from tests.workflows.steps import before


def test_it_remains_while_a_discrepancy_is_open() -> None:
    outcome = step9_deliver_and_reconcile.run(*before("w2", 9))
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert all(each.met for each in outcome.facts.criteria)


def test_nothing_is_handed_off_while_a_criterion_is_not_met() -> None:
    bundle, facts = before("w2", 9)
    outcome = step9_deliver_and_reconcile.run(bundle, replace(facts, report=()))
    assert (outcome.state, outcome.code) == (StepState.STOP, "")
    assert [each.criterion for each in outcome.facts.criteria if not each.met] == ["an execution report"]
