"""Every rule matches its example and leaves its counter-examples alone."""

from __future__ import annotations

import re

import pytest

from evreview.core.quoted_text import plain
from evreview.redaction.redactor import Redactor
from evreview.workflows.w3.access_control.units import LeadRule
from evreview.workflows.w3.leads.catalogue import RULES, page
from tests.workflows.w3.leads.sources import leads

EACH = pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
COUNTERS = [
    pytest.param(rule, source, id=f"{rule.id}-{number}")
    for rule in RULES
    for number, source in enumerate(rule.counter_examples)
]


@EACH
@pytest.mark.req("W3G-012")
def test_a_rule_matches_its_example_once(rule: LeadRule) -> None:
    found = leads(rule.example, rule.id)
    assert len(found) == 1
    assert found[0].spot is not None
    assert found[0].citations


@pytest.mark.parametrize(("rule", "source"), COUNTERS)
@pytest.mark.req("W3X-012")
def test_a_rule_leaves_its_look_alikes_alone(rule: LeadRule, source: str) -> None:
    assert leads(source, rule.id) == ()


@EACH
def test_a_rule_says_all_that_a_candidate_needs(rule: LeadRule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
    assert all([rule.title, rule.why, rule.attacker, rule.impact, rule.verify, rule.counter_examples])


@pytest.mark.req("W3F-006")
def test_no_rule_claims_more_than_a_suspicion() -> None:
    for rule in RULES:
        words = " ".join([rule.title, rule.why, rule.attacker, rule.impact, rule.verify]).lower()
        assert not re.search(r"exploit|vulnerab|confirmed|proves|certainly", words), rule.id


def test_ids_are_used_once() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.req("W3G-004")
def test_the_page_holds_no_secret() -> None:
    assert [
        finding for finding in Redactor().leaks(page()) if str(finding.kind) in ("secret", "token", "credential")
    ] == []


def test_a_lead_tells_no_value_of_its_secret() -> None:
    rule = next(rule for rule in RULES if rule.id == "secret-in-source")
    (found,) = leads(rule.example, rule.id)
    secret = rule.example.split('"')[1]
    assert secret not in plain(found.says)
    assert secret not in repr(found)
