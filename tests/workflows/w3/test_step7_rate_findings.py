"""Step 7 of W3: rate findings and assign dispositions."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceType, StepState, Unrated
from evreview.workflows.w3 import step7_rate_findings
from tests.workflows.steps import before, without


def test_severity_comes_from_the_rubric() -> None:
    outcome = step7_rate_findings.run(*before("w3", 7))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert [each.severity for each in outcome.facts.findings] == ["High", "Medium", "Medium", "Medium"]


def test_without_a_rubric_no_severity_is_invented() -> None:
    bundle, facts = before("w3", 7)
    outcome = step7_rate_findings.run(without(bundle, EvidenceType.POLICY), facts)
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.findings and all(isinstance(each.severity, Unrated) for each in outcome.facts.findings)
