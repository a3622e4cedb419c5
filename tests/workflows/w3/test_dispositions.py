"""Dispositions: only as recorded, if they count; what holds the deployment, and the order of the register."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Acceptance, Authorization, Remediation, RemediationPlan
from evreview.evidence.records.test_runs import TestRecord
from evreview.workflows.w3.model import ControlCandidate, Disposition, Reach, SecurityFinding, Standing, State
from evreview.workflows.w3.registers import findings_frame
from evreview.workflows.w3.validation import MISSING_NEGATIVE_TEST
from tests.workflows.w3.made import CANDIDATE, OWNER, REVISION, bundle, candidate
from tests.workflows.w3.rated import BASE, UNKNOWN, rated, run

ENTRY = {
    "kind": "disposition", "subject": CANDIDATE.id, "role": OWNER, "decision": "so decided",
    "at": "2026-11-18T10:00:00+00:00", "of": CANDIDATE.slice,
}  # fmt: skip
ACCEPTED = ENTRY | {"state": "accepted", "until": "2027-01-31"}
ACCEPTANCE = {
    "id": "AC1", "finding": CANDIDATE.id, "compensating_controls": ["the gateway refuses outsiders"],
    "accountable_owner": "Head of support", "expires": "2027-01-31", "revalidate_on": "2026-12-31", "evidence": ["E4"],
}  # fmt: skip


def disposed(
    entry: dict[str, Any], acceptance: dict[str, Any] | None = ACCEPTANCE, lacks: tuple[str, ...] = ()
) -> SecurityFinding:
    parts = list(BASE)
    if acceptance is not None:
        parts.append((EvidenceType.EXECUTION_AND_APPROVAL, Acceptance.model_validate(acceptance)))
        parts.append((EvidenceType.CONFIGURATION_EXCERPT, "allow 192.0.2.0/24; deny all;"))
    (found,) = rated(bundle(parts, [entry]), lacks=lacks)
    return found


@pytest.mark.req("W3D-008", "W3D-009", "W3D-010", "W3D-011", "W3D-012")
def test_the_four_dispositions_and_what_they_hold() -> None:
    assert [str(each) for each in Disposition] == [
        "blocking", "open", "accepted with an expiry", "closed by evidence",
    ]  # fmt: skip
    assert disposed(ENTRY | {"state": "blocking"}).blocks
    opened = disposed(ENTRY | {"state": "open"})
    assert opened.disposition is Disposition.OPEN and opened.blocks  # High stays unresolved
    accepted = disposed(ACCEPTED)
    assert accepted.disposition is Disposition.ACCEPTED and not accepted.blocks
    assert "2027-01-31" in plain(accepted.disposition_why) and "2026-12-31" in plain(accepted.disposition_why)


@pytest.mark.req("W3D-010", "W3A-005", "W3A-006")
@pytest.mark.parametrize(
    ("entry", "acceptance", "lacks", "named"),
    [
        ({"until": None}, {}, (), "no day until"),
        ({"until": "2026-11-19"}, {}, (), "expired on 2026-11-19"),
        ({}, None, (), "no acceptance record"),
        ({}, {"compensating_controls": []}, (), "compensating control"),
        ({}, {"accountable_owner": None}, (), "accountable owner"),
        ({}, {"expires": None}, (), "no expiry"),
        ({}, {"expires": "2026-11-19"}, (), "expired on 2026-11-19"),
        ({}, {"expires": "2026-12-31"}, (), "longer than"),
        ({}, {"revalidate_on": None}, (), "revalidation date"),
        ({}, {"revalidate_on": "2026-11-19"}, (), "due on"),
        ({}, {"revalidate_on": "2027-02-01"}, (), "after its expiry"),
        ({}, {"evidence": []}, (), "no item that shows"),
        ({}, {"evidence": ["E2"]}, (), "can't show"),
        ({}, {"evidence": ["E3"]}, (), "can't show"),
        ({}, {"evidence": ["E9"]}, (), "no item of the evidence"),
        ({}, {}, ("Release manager has not answered",), "Release manager"),
        ({"of": "6" * 64}, {}, (), "has changed"),
        ({"role": "Somebody"}, {}, (), "security owner is"),
        ({"at": "2026-11-21T10:00:00+00:00"}, {}, (), "after the review's date"),
        ({"state": None}, {}, (), "four states"),
    ],
)
def test_an_acceptance_that_lacks_something_does_not_count_and_says_why(
    entry: dict[str, Any], acceptance: dict[str, Any] | None, lacks: tuple[str, ...], named: str
) -> None:
    record = None if acceptance is None else {k: v for k, v in (ACCEPTANCE | acceptance).items() if v is not None}
    values = {name: value for name, value in (ACCEPTED | entry).items() if value is not None}
    found = disposed(values, record, lacks)
    assert found.disposition is Disposition.BLOCKING and found.blocks
    assert "does not count" in plain(found.disposition_why) and named in plain(found.disposition_why)


def test_an_acceptance_holds_on_its_last_day() -> None:
    assert disposed(ACCEPTED | {"until": "2026-11-20"}).disposition is Disposition.ACCEPTED


CLOSED = ENTRY | {"state": "closed by evidence", "evidence": ["E3"]}
CHECK = {
    "id": "T1", "what": "refused", "command": "pytest", "revision": REVISION, "fixture": "f", "result": "passed",
    "deltas": [CANDIDATE.id],
}  # fmt: skip


def closed(entry: dict[str, Any], check: dict[str, Any]) -> SecurityFinding:
    record = TestRecord.model_validate({"checks": [check]})
    (found,) = rated(bundle([*BASE, (EvidenceType.TEST_RECORD, record)], [CLOSED | entry]))
    return found


@pytest.mark.req("W3D-011")
def test_a_finding_closed_by_evidence_is_resolved_and_cites_it() -> None:
    found = closed({}, CHECK)
    assert found.disposition is Disposition.CLOSED and not found.blocks
    assert "E3" in map(str, found.citations)


@pytest.mark.req("W3D-011")
@pytest.mark.parametrize(
    ("entry", "check", "named"),
    [
        ({"evidence": []}, {}, "no evidence"),
        ({"evidence": ["E9"]}, {}, "no item"),
        ({"evidence": ["E2"]}, {}, "can't close"),
        ({"of": "6" * 64}, {}, "has changed"),
        ({}, {"result": "failed"}, "not passed"),
        ({}, {"fixture": None}, "without revision"),
        ({}, {"deltas": []}, "no result that names the finding"),
        ({}, {"operation": "GET /other"}, "no result that names the finding"),
    ],
)
def test_a_closing_that_lacks_something_does_not_count(
    entry: dict[str, Any], check: dict[str, Any], named: str
) -> None:
    found = closed(entry, {name: value for name, value in (CHECK | check).items() if value is not None})
    assert found.disposition is Disposition.BLOCKING and named in plain(found.disposition_why)


@pytest.mark.req("W3D-010", "W3D-011")
@pytest.mark.parametrize("authorized_by", [OWNER, None])
def test_without_a_named_owner_the_one_who_authorized_the_review_is_it(authorized_by: str | None) -> None:
    known = Authorization.model_validate({"approving_role": authorized_by} if authorized_by else {})
    record = TestRecord.model_validate({"checks": [CHECK]})
    parts = [*BASE, (EvidenceType.TEST_RECORD, record), (EvidenceType.AUTHORIZATION_RECORD, known)]
    for role, closes in ((OWNER, bool(authorized_by)), ("Intern", False)):
        (found,) = rated(bundle(parts, [CLOSED | {"role": role}], roles={}))
        assert (found.disposition is Disposition.CLOSED) is closes


@pytest.mark.req("W3D-011")
@pytest.mark.parametrize("place", ["own lines", "challenged place"])
def test_what_a_finding_was_judged_by_does_not_close_it(place: str) -> None:
    on = (Citation(EvidenceId("E3")),)
    looked = ControlCandidate(place=("wiring",), standing=Standing.ABSENT, why=("none",), citations=on)
    about = candidate(citations=on) if place == "own lines" else candidate(challenges=(looked,))
    made = bundle([*BASE, (EvidenceType.SOURCE_EXCERPT, "if header:")], [CLOSED])
    (found,) = rated(made, [about])
    assert found.disposition is Disposition.BLOCKING and "judged by" in plain(found.disposition_why)
    (other,) = rated(made)
    assert other.disposition is Disposition.BLOCKING and "retains a result" in plain(other.disposition_why)
    assert "judged by" not in plain(other.disposition_why)


@pytest.mark.req("W3D-011", "W3R-006")
def test_the_negative_test_of_its_remediation_closes_a_finding() -> None:
    asked = Remediation.model_validate(
        {"id": "R", "finding": CANDIDATE.id, "control_change": "Take the role from the principal",
         "negative_tests": [{"name": "test_refused", "asserts": "403"}]}
    )  # fmt: skip
    plan = RemediationPlan(remediations=(asked,))
    elsewhere = [{"test": "t::test_refused", "operation": "GET /other"}]
    for closes, retained in (
        (True, run()), (False, run("failed")), (False, run(asserts=[])), (False, run(asserts=elsewhere)),
    ):  # fmt: skip
        parts = [*BASE, (EvidenceType.EXECUTION_AND_APPROVAL, plan), *retained]
        (found,) = rated(bundle(parts, [CLOSED | {"evidence": ["E4"]}]))
        assert (found.disposition is Disposition.CLOSED) is closes


def test_a_refuted_candidate_is_no_finding() -> None:
    assert rated(bundle(BASE), [candidate(state=State.REFUTED)]) == ()


@pytest.mark.req("W3F-019")
def test_the_register_is_ordered_by_disposition_severity_confidence_and_id() -> None:
    low = {"area": Area.LOGGING}
    given = [
        candidate(id="S-000000000005", **low, validated=False, reach=Reach.UNKNOWN, challenges=(UNKNOWN,)),
        candidate(id="S-000000000003", **low),
        candidate(id="S-000000000004", **low),
        candidate(id="S-000000000002", kind=MISSING_NEGATIVE_TEST),
        candidate(id="S-000000000001"),
        candidate(id="S-000000000000", **low),
    ]
    entry = ENTRY | {"subject": "S-000000000004", "state": "blocking"}
    made = bundle(BASE, [entry])
    expected = ["S-000000000001", "S-000000000002", "S-000000000004", "S-000000000000", "S-000000000003",
                "S-000000000005"]  # fmt: skip
    for order in (given, given[::-1]):
        assert list(findings_frame(rated(made, order))["finding"]) == expected
