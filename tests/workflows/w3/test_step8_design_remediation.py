"""Step 8 of W3: design remediation and verification."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w3 import step8_design_remediation
from tests.workflows.steps import before


def test_every_finding_that_is_not_closed_has_a_remediation() -> None:
    outcome = step8_design_remediation.run(*before("w3", 8))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.remedied and outcome.facts.remediation


def test_without_findings_there_is_nothing_to_repair() -> None:
    bundle, facts = before("w3", 8)
    outcome = step8_design_remediation.run(bundle, replace(facts, findings=()))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.remedied and not outcome.facts.remediation
