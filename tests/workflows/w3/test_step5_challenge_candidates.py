"""Step 5 of W3: challenge candidates."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.workflows.w3 import step5_challenge_candidates
from tests.workflows.steps import before


def test_candidates_keep_their_challenges() -> None:
    outcome = step5_challenge_candidates.run(*before("w3", 5))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert outcome.facts.challenged and all(each.citations for each in outcome.facts.challenged)


def test_without_leads_there_is_nothing_to_challenge() -> None:
    bundle, facts = before("w3", 5)
    outcome = step5_challenge_candidates.run(bundle, replace(facts, leads=()))
    assert (outcome.state, outcome.code) == (StepState.ADVANCE, "")
    assert not outcome.facts.challenged
