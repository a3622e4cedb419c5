"""Step 4 of W3: develop bounded abuse cases."""

from __future__ import annotations

from evreview.core.vocabulary import StepState
from evreview.workflows.w3 import step4_develop_abuse_cases
from tests.workflows.steps import before


def test_every_boundary_is_covered() -> None:
    outcome = step4_develop_abuse_cases.run(*before("w3", 4))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.cases and not outcome.facts.uncovered


def test_every_lead_names_the_line_that_raised_it() -> None:
    outcome = step4_develop_abuse_cases.run(*before("w3", 4))
    assert outcome.facts.leads and all(each.citations for each in outcome.facts.leads)
