"""Step 9 of W3: package, redact and obtain disclosure approval."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w3 import step9_obtain_disclosure_approval
from tests.workflows.steps import before


def test_the_authorized_team_may_read_it() -> None:
    outcome = step9_obtain_disclosure_approval.run(*before("w3", 9))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert len(outcome.facts.gates) == 3


def test_it_remains_while_somebody_outside_the_team_waits() -> None:
    bundle, facts = before("w3", 9)
    request = bundle.request.model_copy(update={"recipients": ("press office",)})
    outcome = step9_obtain_disclosure_approval.run(replace(bundle, request=request), facts)
    assert (outcome.state, outcome.code) == (StepState.REMAIN, "")
    assert outcome.reasons
