"""Decisions on the caller's word are found in every framework, and sound ones are left alone."""

from __future__ import annotations

import pytest

from evreview.core.quoted_text import plain
from tests.workflows.w3.leads.address_rows import ADDRESS_NEGATIVE, ADDRESS_POSITIVE
from tests.workflows.w3.leads.decision_forms import FORMS_POSITIVE
from tests.workflows.w3.leads.decision_hooks import HOOKS_NEGATIVE, HOOKS_POSITIVE
from tests.workflows.w3.leads.decision_negative import NEGATIVE as PLAIN_NEGATIVE
from tests.workflows.w3.leads.decision_positive import POSITIVE as PLAIN_POSITIVE
from tests.workflows.w3.leads.sources import leads

POSITIVE = PLAIN_POSITIVE | FORMS_POSITIVE | HOOKS_POSITIVE
NEGATIVE = PLAIN_NEGATIVE | HOOKS_NEGATIVE
RULE = "caller-controlled-decision"
ADDRESS = "client-address-decision"


@pytest.mark.parametrize("name", POSITIVE)
@pytest.mark.req("W3X-012")
def test_a_decision_on_the_callers_word_is_found(name: str) -> None:
    found = leads(POSITIVE[name], RULE)
    assert found
    assert all(lead.route for lead in found)


@pytest.mark.parametrize("name", NEGATIVE)
@pytest.mark.req("W3X-012")
def test_a_decision_on_a_principal_is_left_alone(name: str) -> None:
    assert [plain(lead.says) for lead in leads(NEGATIVE[name]) if lead.rule in (RULE, ADDRESS)] == []


@pytest.mark.parametrize("name", ADDRESS_POSITIVE)
def test_a_decision_on_an_address_is_found(name: str) -> None:
    assert len(leads(ADDRESS_POSITIVE[name], ADDRESS)) == 1


@pytest.mark.parametrize("name", ADDRESS_NEGATIVE)
def test_other_uses_of_an_address_are_left_alone(name: str) -> None:
    assert leads(ADDRESS_NEGATIVE[name], ADDRESS) == ()
