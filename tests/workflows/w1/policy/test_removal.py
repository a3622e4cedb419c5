"""A removal needs its notice and privacy-safe zero-use evidence; each lack is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.vocabulary import Aspect, Change, EvidenceId
from evreview.evidence.records.compatibility import DeprecationNotice, UsageMetrics
from evreview.evidence.records.review import Removal
from evreview.workflows.w1.policy.removal import RemovalEvidence, RemovalJudgement, removals_frame
from evreview.workflows.w1.policy.removal import judge_removal as judged
from evreview.workflows.w1.usage_evidence import usable_metrics, zero_use
from tests.rows import OK, ORDER, cited, row, specification_policy

AS_OF = "2026-11-20"
LEGACY = row(f"{OK} > legacyReference", aspect=Aspect.FIELDS, change=Change.REMOVED)
ZERO = {
    "element": "GET /v1/orders/{id} legacyReference",
    "since": "2026-10-20",
    "until": "2026-11-19",
    "uses": 0,
    "consumers": "all",
}
CONTROLS = {
    "environment": "production",
    "aggregation": "daily",
    "retention": "90 days",
    "privacy_controls": "counts only",
}


def metrics(*counts: dict[str, Any], **controls: Any) -> Any:
    record = UsageMetrics.model_validate({**CONTROLS, **controls, "counts": [ZERO | one for one in counts]})
    return cited(record, "E10")


def asked(**given: Any) -> Removal:
    return Removal.model_validate(
        {"address": "legacyReference", "notice_given": "2026-10-21", "notice_evidence": "E11"} | given
    )


def notice(**given: Any) -> DeprecationNotice:
    said = {"surface": "the API", "elements": ["legacyReference"], "state": "sent", "given": "2026-10-21"}
    said |= {"api_version": "1.4.0", "sent_to": ["the owner of every client"]}
    return DeprecationNotice.model_validate(said | given)


def judge_removal(removal: Removal, as_of: str, rows: Any, evidence: RemovalEvidence) -> RemovalJudgement:
    """The judgement with the notice that was sent on the day that the request names, unless another one is given."""
    own = notice(given=removal.notice_given, elements=[removal.address])
    notices = evidence.notices or {EvidenceId("E11"): own}
    return judged(removal, as_of, rows, replace(evidence, notices=notices, surface="the API", release="1.4.0"))


@pytest.mark.req("W1Y-007", "W1G-007", "W1D-008")
@pytest.mark.parametrize(
    ("removal", "usage", "missing"),
    [
        pytest.param({}, [metrics({})], [], id="30-days"),
        pytest.param({"notice_given": "2026-10-22"}, [metrics({})], ["notice-window"], id="29-days"),
        pytest.param({"notice_given": "2026-10-20"}, [metrics({})], [], id="31-days"),
        pytest.param({"notice_given": None}, [metrics({})], ["notice-date"], id="no-date"),
        pytest.param({"notice_evidence": None}, [metrics({})], ["notice-evidence"], id="no-notice-item"),
        pytest.param({}, [], ["zero-use"], id="no-metrics"),
        pytest.param({}, [metrics({"uses": 1})], ["zero-use"], id="used"),
        pytest.param({}, [metrics({"consumers": "known"})], ["zero-use"], id="known-consumers-only"),
        pytest.param({}, [metrics({}, privacy_controls=None)], ["zero-use"], id="no-privacy-controls"),
        pytest.param({}, [metrics({}, aggregation=None)], ["zero-use"], id="no-aggregation"),
        pytest.param({}, [metrics({}, retention=None)], ["zero-use"], id="no-retention"),
        pytest.param({}, [metrics({}, privacy_controls="none")], ["zero-use"], id="controls-none"),
        pytest.param({}, [metrics({}, retention="not documented yet")], ["zero-use"], id="retention-unknown"),
        pytest.param(
            {}, [metrics({}, aggregation="raw log, a line per call with e-mail")], ["zero-use"], id="personal-data"
        ),
        pytest.param({}, [metrics({}, aggregation="daily; no user ids")], [], id="no-personal-data"),
        pytest.param({}, [metrics({"element": "GET /v1/orders/{id} other"})], ["zero-use"], id="other-field"),
        pytest.param({}, [metrics({"until": "2026-11-21"})], ["zero-use"], id="counted-after-the-review"),
        pytest.param({"address": "nothing"}, [metrics({})], ["element", "zero-use"], id="no-such-element"),
    ],
)
def test_conditions(removal: Any, usage: Any, missing: list[str]) -> None:
    evidence = RemovalEvidence(policy=specification_policy(), metrics=tuple(usage))
    found = judge_removal(asked(**removal), AS_OF, [LEGACY], evidence)
    assert [condition.code for condition in found.missing] == missing
    assert found.permitted is (not missing)


@pytest.mark.req("W1D-004", "W1E-012")
def test_nothing_is_removed_while_an_owner_is_unknown() -> None:
    evidence = RemovalEvidence(policy=specification_policy(), metrics=(metrics({}),), owners_unknown=True)
    found = judge_removal(asked(), AS_OF, [LEGACY], evidence)
    assert ([condition.code for condition in found.missing], found.permitted) == (["client-owners"], False)


def test_a_notice_of_a_later_day_has_no_days_behind_it() -> None:
    evidence = RemovalEvidence(policy=specification_policy(), metrics=(metrics({}),))
    found = judge_removal(asked(notice_given="2026-11-25"), AS_OF, [LEGACY], evidence)
    assert found.notice_days is not None and found.notice_days < 0
    assert not any("-" in condition.text for condition in found.missing if condition.code == "notice-window")


def counted(*periods: tuple[str, str]) -> list[Any]:
    return [metrics(*({"since": since, "until": until} for since, until in periods))]


@pytest.mark.req("W1Y-007", "W1D-008", "W1G-007")
@pytest.mark.parametrize(
    ("usage", "uncounted"),
    [
        pytest.param(counted(("2026-10-21", "2026-11-19")), None, id="30-days-to-yesterday"),
        pytest.param(counted(("2026-10-22", "2026-11-20")), None, id="30-days-to-today"),
        pytest.param(counted(("2026-10-22", "2026-11-19")), "2026-10-21", id="29-days"),
        pytest.param(counted(("2026-10-20", "2026-11-18")), "2026-11-19", id="ends-early"),
        pytest.param(counted(("2025-01-01", "2025-01-01")), "2026-10-21 to 2026-11-19", id="long-ago"),
        pytest.param(counted(("2025-01-01", "2026-10-31")), "2026-11-01 to 2026-11-19", id="stopped-counting"),
        pytest.param(counted(("2026-10-01", "2026-11-04"), ("2026-11-05", "2026-11-19")), None, id="two-counts"),
        pytest.param(counted(("2026-10-01", "2026-11-03"), ("2026-11-06", "2026-11-19")), "2026-11-04", id="gap"),
        pytest.param([metrics({}, {"uses": 2, "since": "2026-10-01", "until": "2026-10-21"})], "2 uses", id="used"),
    ],
)
def test_zero_use_covers_the_notice_period(usage: Any, uncounted: str | None) -> None:
    """Thirty days up to the review, the review's own day or the one before it included; the lack is named."""
    evidence = RemovalEvidence(policy=specification_policy(), metrics=tuple(usage))
    found = judge_removal(asked(), AS_OF, [LEGACY], evidence)
    assert [one.code for one in found.missing] == ([] if uncounted is None else ["zero-use"])
    assert (uncounted or "") in " ".join(one.text for one in found.missing)


@pytest.mark.parametrize("days", [0, 1, 3_000_000])
def test_any_number_of_days(days: int) -> None:
    conditions = {"text": "t", "notice_days": days, "zero_use_evidence": True}
    evidence = RemovalEvidence(policy=specification_policy(removal=conditions), metrics=(metrics({}),))
    codes = {one.code for one in judge_removal(asked(), AS_OF, [LEGACY], evidence).missing}
    assert codes == ({"notice-window", "zero-use"} if days > 31 else set())


@pytest.mark.req("W1Y-007")
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, []),
        ({"api_version": "1.4.0"}, []),
        ({"elements": ["GET /v1/orders/{}"]}, []),
        ({"given": "2026-11-19"}, ["notice-date"]),
        ({"given": None}, ["notice-date"]),
        ({"state": "draft"}, ["notice-evidence"]),
        ({"state": "withdrawn"}, ["notice-evidence"]),
        ({"surface": "Billing API 3"}, ["notice-evidence"]),
        ({"api_version": "1.3.0"}, ["notice-evidence"]),
        ({"api_version": None}, ["notice-evidence"]),
        ({"sent_to": []}, ["notice-evidence"]),
        ({"sent_to": [], "text": "Sent to everybody on 2026-10-21"}, ["notice-evidence"]),
        ({"sent_to": ["release notes"]}, []),
        ({"sent_to": ["Orders API owner"]}, ["notice-evidence"]),
        ({"sent_to": ["orders api  Owner", "Release manager"]}, ["notice-evidence"]),
        ({"sent_to": ["the Orders API team"]}, ["notice-evidence"]),
        ({"sent_to": ["Orders API developers"]}, ["notice-evidence"]),
        ({"sent_to": ["our own stand-up"]}, ["notice-evidence"]),
        ({"sent_to": ["internal mailing list"]}, ["notice-evidence"]),
        ({"sent_to": ["Orders API owner", "Finance owner"]}, []),
        ({"sent_to": ["Operations owner"]}, []),
        ({"sent_to": ["Orders API changelog"]}, []),
        ({"sent_to": ["every client, our own included"]}, []),
        ({"sent_to": ["Finance integrations team"]}, []),
        ({"text": "No draft; nothing was withdrawn"}, []),
        ({"elements": ["sortOrder"]}, ["notice-evidence"]),
        ({"elements": []}, ["notice-evidence"]),
        (None, ["notice-evidence"]),
    ],
)
def test_the_notice_is_one_that_was_sent_about_this_element(given: dict[str, Any] | None, missing: list[str]) -> None:
    notices = {EvidenceId("E10" if given is None else "E11"): notice(**given or {})}
    evidence = RemovalEvidence(
        policy=specification_policy(),
        metrics=(metrics({}),),
        notices=notices,
        provider=frozenset({"Orders API owner", "Release manager", "Operations owner"}),
        owners=frozenset({"Finance owner", "Operations owner"}),
    )
    found = judge_removal(asked(), AS_OF, [LEGACY], evidence)
    assert [one.code for one in found.missing] == missing


@pytest.mark.req("W1I-009", "W1I-010")
def test_without_conditions_nothing_is_removed() -> None:
    for policy in (None, specification_policy(removal=None)):
        found = judge_removal(asked(), AS_OF, [LEGACY], RemovalEvidence(policy=policy, metrics=(metrics({}),)))
        assert [condition.code for condition in found.missing] == ["policy-conditions"]
        assert found.required_days is None


@pytest.mark.req("W1G-007")
def test_clients_that_wait() -> None:
    evidence = RemovalEvidence(policy=specification_policy(), metrics=(metrics({}),), waiting_clients=("shop",))
    found = judge_removal(asked(), AS_OF, [LEGACY], evidence)
    assert [condition.code for condition in found.missing] == ["client-evidence"]


def test_other_notice_periods_are_policy() -> None:
    conditions = {"text": "t", "notice_days": 31, "zero_use_evidence": False}
    evidence = RemovalEvidence(policy=specification_policy(removal=conditions))
    found = judge_removal(asked(), AS_OF, [LEGACY], evidence)
    assert [condition.code for condition in found.missing] == ["notice-window"]
    assert (found.notice_days, found.required_days) == (30, 31)
    frame = removals_frame([found])
    assert frame.loc[0, "notice_days"] == 30 and not frame.loc[0, "permitted"]


@pytest.mark.req("W1I-014")
@pytest.mark.parametrize("lacking", ["aggregation", "retention", "privacy_controls"])
def test_metrics_need_all_controls(lacking: str) -> None:
    usable, limitations = usable_metrics([metrics({}, **{lacking: None})])
    assert usable == ()
    assert len(limitations) == 1 and "E10" in limitations[0]
    assert usable_metrics([metrics({})])[1] == ()


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        pytest.param([{"element": "GET /v1/orders/{id}"}], True, id="whole-operation-unused"),
        pytest.param([{}, {"element": "GET /v1/orders/{id}", "uses": 9}], True, id="operation-used-field-not"),
        pytest.param([{}, {"uses": 3, "consumers": "known"}], False, id="contradicted"),
        pytest.param([{}, {"uses": 3, "since": "2026-01-01", "until": "2026-02-01"}], True, id="used-long-before"),
    ],
)
def test_zero_use(counts: Any, shown: bool) -> None:
    found = zero_use(LEGACY.delta.address, (ORDER,), [metrics(*counts)])
    assert found.shown is shown


@pytest.mark.req("W1D-008")
def test_a_shared_element_needs_zero_use_at_every_operation() -> None:
    reached = ("GET /v1/orders", ORDER)
    address = "GET /v1/orders > response 200 > application/json > items[] > legacyReference"
    lists = {"element": "GET /v1/orders items[].legacyReference"}
    assert not zero_use(address, reached, [metrics(lists)]).shown
    assert not zero_use(address, reached, [metrics({})]).shown
    both = zero_use(address, reached, [metrics(lists, {})])
    assert both.shown and len(both.citations) == 2
    assert zero_use(address, reached, [metrics({"element": "legacyReference"})]).shown
