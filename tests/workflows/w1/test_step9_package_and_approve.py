"""Step 9 of W1: package and approve."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import Ask, StepState
from evreview.workflows.w1 import step9_package_and_approve
from tests.workflows.steps import before


def test_it_remains_while_an_approval_is_open() -> None:
    outcome = step9_package_and_approve.run(*before("w1", 9))
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert outcome.reasons and outcome.facts.findings


def test_an_assessment_waits_for_nobody() -> None:
    bundle, facts = before("w1", 9)
    request = bundle.request.model_copy(update={"asks": (Ask.ASSESS,)})
    outcome = step9_package_and_approve.run(replace(bundle, request=request), facts)
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.findings
