"""Mass assignment is named in every spelling of it; what picks the members, or a signer whom one trusts, is not."""

from __future__ import annotations

import pytest

from tests.workflows.w3.leads.sources import leads
from tests.workflows.w3.leads.taken_rows import (
    HYPOTHESES,
    SIGNED_ALSO,
    SILENT,
    SUPPORTED,
    UNREAD_BETWEEN,
    UNREAD_CHECK,
    UNSIGNED,
)

_RULES = ("privilege-field-writable", "every-member-from-request")


def _found(code: str) -> list[tuple[str, bool]]:
    return [(lead.rule, not lead.lacks) for lead in leads(code) if lead.rule in _RULES and lead.symbol and lead.route]


@pytest.mark.parametrize("code", SUPPORTED.values(), ids=SUPPORTED)
def test_members_that_the_caller_names_are_supported(code: str) -> None:
    assert _found(code) == [("privilege-field-writable", True)]


@pytest.mark.parametrize("code", HYPOTHESES.values(), ids=HYPOTHESES)
def test_a_record_of_which_no_right_is_shown_is_a_hypothesis(code: str) -> None:
    assert _found(code) == [("every-member-from-request", False)]


@pytest.mark.parametrize("code", UNREAD_BETWEEN.values(), ids=UNREAD_BETWEEN)
def test_what_unread_code_lets_through_is_a_question(code: str) -> None:
    assert _found(code) == [("every-member-from-request", False)]


@pytest.mark.parametrize("code", UNREAD_CHECK.values(), ids=UNREAD_CHECK)
def test_a_check_that_was_not_read_leaves_a_question(code: str) -> None:
    assert _found(code) == [("privilege-field-writable", False)]


@pytest.mark.parametrize("code", SILENT.values(), ids=SILENT)
def test_members_that_the_service_picks_are_none(code: str) -> None:
    assert _found(code) == []


@pytest.mark.parametrize("code", SIGNED_ALSO.values(), ids=SIGNED_ALSO)
def test_what_a_signer_sends_is_no_supported_finding(code: str) -> None:
    assert _found(code) == [("privilege-field-writable", False)]
    assert [lead.rule for lead in leads(code) if not lead.lacks] == []


@pytest.mark.parametrize("code", UNSIGNED.values(), ids=UNSIGNED)
def test_the_same_without_a_signature_is_supported_and_names_the_webhook(code: str) -> None:
    supported = {lead.rule for lead in leads(code) if not lead.lacks}
    assert {"privilege-field-writable", "unsigned-webhook"} <= supported
