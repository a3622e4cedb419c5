"""Words that contradict a typed field, in several spellings, and the words beside them that do not."""

from __future__ import annotations

import pytest

from evreview.evidence.contradictions import (
    failing,
    objection,
    opposed,
    other_environment,
    other_state,
    undone,
    unmoved,
    unwritten,
)


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


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("58 passed, 3 failed", True),
        ("=== 3 failed, 58 passed in 1.20s ===", True),
        ("Tests run: 61, Failures: 3, Errors: 0", True),
        ("test result: FAILED. 58 passed; 3 failed; 0 ignored", True),
        ("61 examples, 3 failures", True),
        ("Failed: 3, Passed: 58", True),
        ("58 passing\n3 failing", True),
        ("Ran 61 tests in 2s\n\nFAILED (failures=3)", True),
        ("--- FAIL: TestRead (0.00s)", True),
        ("not ok 3 - GET /v1/orders", True),
        ("60 passed, 1 error", True),
        ("61 passed\nprocess exited with code 1", True),
        ("61 passed", False),
        ("61 passed, 0 failed", False),
        ("Tests run: 61, Failures: 0, Errors: 0, Skipped: 2", False),
        ("60 passed, 1 xfailed, 12 deselected", False),
        ("Ran 61 tests in 2s\n\nOK (expected failures=2)", False),
        ("the parser takes 404 errors as problem documents", False),
        ("3 failed logins are answered with 401", False),
        ("61 passed\nexit status 0", False),
        ("", False),
    ],
)
def test_an_output_that_says_that_something_failed(output: str, found: bool) -> None:
    assert bool(failing(output)) is found


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("planned", True),
        ("migration planned for January", True),
        ("not yet migrated", True),
        ("in progress", True),
        ("partly migrated", True),
        ("rolled back on 2026-11-18", True),
        ("still on /v1", True),
        ("to be switched in December", True),
        ("adopted", False),
        ("migrated; clean-up of the old parser planned", False),
        ("approved", False),
        ("tested", False),
        ("switched, done", False),
        ("", False),
    ],
)
def test_a_status_of_a_client_that_has_not_moved(status: str, found: bool) -> None:
    assert bool(unmoved(status)) is found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("The rollback failed after two minutes.", True),
        ("The drill was broken off by the operator.", True),
        ("The switch back could not complete.", True),
        ("Failed: the route table was locked.", True),
        ("Not yet carried out.", True),
        ("All requests were answered by 1.4 after 40 seconds; no request failed.", False),
        ("The old table was back in a minute. Requests that failed meanwhile were sent again.", False),
        ("When the failure rate rose, the drill went back as planned.", False),
        ("The return was not noticed by any client.", False),
        ("", False),
    ],
)
def test_a_drill_whose_text_says_that_it_did_not_work(words: str, found: bool) -> None:
    assert bool(undone(words)) is found


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ("objected", True),
        ("blocked", True),
        ("refused by the owner", True),
        ("migration rejected", True),
        ("the owner objects", True),
        ("identified, waiting", False),
        ("no objection", False),
        ("objection withdrawn", False),
        ("unblocked", False),
        ("not blocked", False),
        ("migrated", False),
    ],
)
def test_a_status_by_which_the_owner_says_no(status: str, found: bool) -> None:
    assert bool(opposed(status)) is found
