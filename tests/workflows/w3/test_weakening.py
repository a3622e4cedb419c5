"""Decision rule 6: what weakens, removes or hides is refused and replaced by a design that keeps every control."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, Confidence, EvidenceType
from evreview.evidence.records.security import Remediation, RemediationPlan, SecurityInventory
from evreview.workflows.w3.model import Candidate, Disposition, SecurityFinding, State
from evreview.workflows.w3.registers import remediation_frame
from evreview.workflows.w3.supplied_remediation import (
    DESIGNS,
    NOT_SUPPLIED,
    WEAKENINGS,
    Harm,
    Weakening,
    found_in,
    plans_of,
    refusal,
    remediate,
)
from tests.workflows.w3.made import CANDIDATE, OWNER, bundle, candidate

INVENTORY = SecurityInventory.model_validate(
    {"controls": [{"id": name, "area": "authorization", "name": name} for name in ("C-ROLE", "C-AUDIT")]}
)
WHOLE: dict[str, Any] = {
    "id": "R1",
    "finding": "S-0123456789ab",
    "control_change": "Take the role from the verified principal",
    "owner_role": "Tickets team",
    "positive_tests": [{"name": "test_agent_reads", "asserts": "200"}],
    "negative_tests": [{"name": "test_caller_is_refused", "asserts": "403"}],
    "deployment_dependency": "none",
    "rollback": "deploy the release before",
    "exit_evidence": "the negative test's retained result",
}


def finding(about: Candidate = CANDIDATE, disposition: Disposition = Disposition.OPEN) -> SecurityFinding:
    return SecurityFinding(
        candidate=about, severity="High", severity_why=("rule",), confidence=Confidence.MEDIUM, confidence_why="why",
        disposition=disposition, disposition_why=("none",), recommendation=("change",), blocks=True,
        citations=about.citations,
    )  # fmt: skip


def row(about: Candidate = CANDIDATE, **changes: Any) -> Any:
    """The remediation row of a finding whose supplied remediation is the whole one with changes."""
    values = {name: value for name, value in (WHOLE | changes).items() if value is not None}
    plan = RemediationPlan(remediations=(Remediation.model_validate(values),))
    made = bundle([(EvidenceType.EXECUTION_AND_APPROVAL, plan), (EvidenceType.TEST_INVENTORY, INVENTORY)])
    plans = plans_of(made, lambda each: frozenset((each.id, *each.leads)))
    (found,) = remediate((finding(about),), made, plans)
    return found


@pytest.mark.parametrize("rule", WEAKENINGS, ids=lambda rule: rule.id)
def test_rules_find_their_example_and_leave_their_counter_example(rule: Weakening) -> None:
    assert rule in tuple(found_in(rule.example))
    assert tuple(found_in(rule.counter_example)) == ()


def test_rules_have_unique_ids_and_cover_every_harm() -> None:
    assert len({rule.id for rule in WEAKENINGS}) == len(WEAKENINGS)
    assert {rule.harm for rule in WEAKENINGS} == set(Harm)


@pytest.mark.parametrize("design", DESIGNS.values())
def test_designs_pass_their_own_rules(design: str) -> None:
    assert tuple(found_in(design)) == ()


@pytest.mark.req("W3R-001", "W3R-002", "W3R-003", "W3R-004", "W3R-005", "W3R-006", "W3R-007")
@pytest.mark.parametrize("about", ["S-0123456789ab", "L-0123456789ab"])
def test_a_whole_remediation_gives_a_whole_row(about: str) -> None:
    found = row(finding=about)
    assert found.complete and found.refused == () and found.finding == "S-0123456789ab"
    frame = remediation_frame((found,))
    (values,) = frame.drop(columns=["refused"]).to_dict("records")
    assert [name for name, value in values.items() if value == ""] == []
    assert NOT_SUPPLIED not in "".join(map(str, values.values()))


LEFT_OUT = {
    "owner_role": "owner_role", "positive_tests": "positive_tests", "negative_tests": "negative_tests",
    "deployment_dependency": "deployment", "rollback": "rollback", "exit_evidence": "exit_evidence",
}  # fmt: skip


@pytest.mark.req("W3R-003", "W3R-004", "W3R-005", "W3R-006", "W3R-007")
@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_not_supplied_says_so_and_whom_it_is_asked_of(name: str) -> None:
    found = row(**{name: None})
    asked = OWNER if name == "owner_role" else "Tickets team"
    assert plain(getattr(found, LEFT_OUT[name])) == f"{NOT_SUPPLIED}{asked}"
    assert not found.complete


@pytest.mark.req("W3D-006", "W3S-023")
@pytest.mark.parametrize("harm", ["authentication", "authorization", "auditability", "confidentiality"])
def test_a_remediation_that_weakens_is_refused_and_replaced(harm: str) -> None:
    stated = row(weakens=[harm])
    change = next(rule.example for rule in WEAKENINGS if rule.harm == harm)
    read = row(control_change=change)
    for found in (stated, read):
        assert harm in plain(found.refused) and not found.complete
        assert DESIGNS[Area.AUTHORIZATION] in plain(found.control_change)
        assert change not in plain(found.control_change)
        assert plain(found.rollback).startswith(NOT_SUPPLIED)


@pytest.mark.req("W3D-006", "W3S-023")
@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"removes": ["C-AUDIT"]}, "C-AUDIT"),
        ({"removes": ["C-ELSEWHERE"]}, "does not list"),
        ({"hides_symptom": True}, "hides the symptom"),
        ({"control_change": "Swallow the exception"}, "cause stays"),
    ],
)
def test_removing_another_control_or_hiding_the_effect_is_refused(changes: dict[str, Any], named: str) -> None:
    assert named in plain(row(**changes).refused)


def test_a_control_may_replace_itself() -> None:
    assert row(removes=["C-ROLE"]).refused == ()


def test_a_hypothesis_is_verified_before_it_is_remedied_and_a_closed_finding_needs_nothing() -> None:
    made = bundle()
    plans = plans_of(made, lambda each: frozenset((each.id,)))
    assert remediate((finding(candidate(state=State.HYPOTHESIS)),), made, plans) == ()
    assert remediate((finding(disposition=Disposition.CLOSED),), made, plans) == ()
    (found,) = remediate((finding(),), made, plans)
    assert not found.complete and plain(found.owner_role) == f"{NOT_SUPPLIED}{OWNER}"


def test_a_remediation_of_nothing_is_told() -> None:
    plan = RemediationPlan(remediations=(Remediation.model_validate(WHOLE | {"finding": "S-ffffffffffff"}),))
    made = bundle([(EvidenceType.EXECUTION_AND_APPROVAL, plan)])
    plans = plans_of(made, lambda each: frozenset((each.id,)))
    (left,) = plans.unjoined((CANDIDATE,))
    assert left[0].finding == "S-ffffffffffff" and str(left[1]) == "E1#/remediations/0"


TAKING_AWAY = (
    "The token-check dependency is taken out of the siblings.",
    "The desk's page replaces C-AUDIT by its own list.",
    "Set verify=False for the internal client so that the call works.",
    "Catch all exceptions and answer 200.",
    "Document that callers must not set the header.",
    "The header is signed with a key in the page's script.",
    "Widen the token lifetime to a year.",
    "Log the token to find misuse.",
    "Use a shared admin account for the desk.",
    "Accept tokens signed with alg none.",
    "Downgrade to HTTP behind the proxy.",
    "Store the password unhashed for the search.",
    "Stop validating the ticket id.",
    "Grant access when the directory service is down (fail open).",
)
HONEST = (
    "The route takes the principal of the verified token and asks its role; the header is no longer read.",
    "Remove the unauthenticated legacy route.",
    "Remove the query parameter that skips the check.",
    "Stop logging tokens.",
    "Drop support for tokens without an expiry.",
    "Disable TLS 1.0 and 1.1.",
    "Do not return 200 for failures.",
    "Bypass of the check through debug=1 is removed.",
    "Let the desk read notes only with a verified staff token.",
    "Remove the role header; remove trust in it.",
    "C-AUDIT records each refusal, and the header is no longer read.",
)


@pytest.mark.req("W3D-006")
@pytest.mark.parametrize("words", [*TAKING_AWAY, *HONEST])
def test_plain_sentences_are_told_apart(words: str) -> None:
    told = Remediation.model_validate(WHOLE | {"control_change": words})
    assert bool(refusal(told, "C-ROLE", frozenset({"C-ROLE", "C-AUDIT"}))) is (words in TAKING_AWAY)
