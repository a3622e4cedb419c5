"""Words that contradict a typed field, in several spellings, and the words beside them that do not."""

from __future__ import annotations

import pytest

from evreview.evidence.contradiction import objection, other_environment, other_state, unwritten


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("daily counts of the staging environment", True),
        ("hourly counts in the QA cluster, summed", True),
        ("counts of a pre-production gateway", True),
        ("requests replayed from last month", True),
        ("counted in the integration test system", True),
        ("load test traffic of one week", True),
        ("counted on the developers' laptops", True),
        ("sandbox tenants only", True),
        ("daily counts of responses, summed over all consumers", False),
        ("daily counts of the staging environment, where no client is connected", True),
        ("daily counts of the staging environment with duplicates removed", True),
        ("counts of the load-test environment, in which nobody else calls", True),
        ("responses of the QA cluster whose bots are excluded", True),
        ("hourly counts in production, staging excluded", False),
        ("daily counts; staging is excluded", False),
        ("hourly counts; requests of the QA cluster are not counted", False),
        ("daily counts over all consumers, synthetic load tests removed", False),
        ("daily counts, replays filtered out", False),
        ("daily counts; the test environments have counters of their own", False),
        ("counts at the production gateway; the staging gateway counts too", False),
        ("hourly counts in production, excluding staging", False),
        ("daily counts at the gateway, without test traffic", False),
        ("counts of Finance integrations and the shop", False),
        ("counts per week, latest values kept", False),
    ],
)
def test_another_environment(words: str, found: bool) -> None:
    assert bool(other_environment(words)) is found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tacit agreement of the team", True),
        ("verbal go-ahead, to be written down later", True),
        ("no one has objected for a week", True),
        ("nothing in writing yet", True),
        ("agreed in a meeting", True),
        ("told over lunch", True),
        ("consent was assumed from silence", True),
        ("the security owner's signed request queue", False),
        ("signed minutes of the meeting of 16 November", False),
        ("e-mail of the security owner, confirmed by phone call", False),
        ("ticket SEC-17 in the security portal", False),
        ("registered letter", False),
    ],
)
def test_a_consent_that_is_not_written(words: str, found: bool) -> None:
    assert bool(unwritten(words)) is found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("rejected", True),
        ("Approval pending", True),
        ("not yet approved", True),
        ("not approved", True),
        ("unapproved", True),
        ("draft; the release manager looks at it next week", True),
        ("rejected by the release manager", True),
        ("state: withdrawn", True),
        ("approved", False),
        ("approved; the earlier draft was rejected", False),
        ("approved on 2026-11-16, requested on 2026-11-14", False),
        ("routes and signal approved; traffic change pending", False),
        ("signal approved; no deployment approved", False),
        ("approved by the release manager on 2026-11-16", False),
    ],
)
def test_a_state_that_a_text_starts_with(words: str, found: bool) -> None:
    assert bool(other_state(words)) is found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("objects to the removal", True),
        ("we cannot move before March", True),
        ("not agreed", True),
        ("still reads the field every night", True),
        ("refused", True),
        ("must stay until 2027", True),
        ("moved to id", False),
        ("no objection", False),
        ("does not object", False),
        ("accepted; reads id since 2.4.0", False),
        ("objection withdrawn", False),
    ],
)
def test_an_objection_is_no_consent(words: str, found: bool) -> None:
    assert bool(objection(words)) is found
