"""Severity only from the rubric, confidence only from the table, dispositions only as recorded, if they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from evreview.evidence.cited import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.authorization import Authorization
from evreview.evidence.records.candidates import Acceptance, Remediation, RemediationPlan
from evreview.evidence.records.controls import SecurityInventory
from evreview.evidence.records.execution import TestRecord
from evreview.evidence.records.rubric import SeverityRubric
from evreview.evidence.records.runs import TestRun
from evreview.evidence.records.trust import TrustModel
from evreview.prose import plain
from evreview.security.mapped import TestRow
from evreview.security.model import (
    Candidate,
    Challenge,
    Disposition,
    Inventory,
    InventoryGap,
    Reach,
    SecurityFinding,
    Standing,
    State,
)
from evreview.security.rating.confidence import CONFIDENCE, Completeness, Validation, confidence
from evreview.security.rating.rate import Grounds, findings_frame, rate
from evreview.security.rating.results import local_results
from evreview.security.rating.severity import NO_RULE
from evreview.security.rating.unverified import KIND, unverified_controls
from evreview.security.rating.validate import OF_ABSENCE, validate
from evreview.security.remediation.plans import plans_of
from evreview.vocab import Area, Confidence, EvidenceId, EvidenceType
from tests.security.made import CANDIDATE, OWNER, REVISION, Part, bundle, candidate

MODEL = TrustModel.model_validate(
    {
        "actors": [{"id": "P-CALLER", "name": "a caller", "position": "allowed network"}],
        "assets": [{"id": "A-TICKETS", "name": "tickets", "classification": "customer-confidential"}],
        "attacker_positions": ["P-CALLER"],
    }
)
NO_PRINCIPAL = {
    "id": "R-1",
    "text": "A caller on an allowed network obtaining customer-confidential data is High and blocks deployment.",
    "when": {
        "areas": ["authorization"], "classifications": ["customer-confidential"], "attackers": ["allowed network"],
        "states": ["supported"],
    },
    "severity": "High",
    "blocks_deployment": True,
}  # fmt: skip
UNTESTED = {
    "id": "R-2",
    "text": "A missing negative regression test is Medium while the control is unverified.",
    "when": {"kinds": [KIND], "verified": False},
    "severity": "Medium",
}
ANY = {"id": "R-3", "text": "Anything else is Low.", "severity": "Low"}
RUBRIC = SeverityRubric.model_validate(
    {"policy_version": "1", "severities": ["High", "Medium", "Low"], "rules": [ANY, UNTESTED, NO_PRINCIPAL]}
)
BASE: tuple[Part, ...] = ((EvidenceType.DATA_FLOW, MODEL), (EvidenceType.POLICY, RUBRIC))


def rated(
    made: Bundle, about: Sequence[Candidate] = (CANDIDATE,), lacks: tuple[str, ...] = ()
) -> tuple[SecurityFinding, ...]:
    grounds = Grounds(
        bundle=made,
        rubric=first_of(made, SeverityRubric),
        results=local_results(made, REVISION),
        plans=plans_of(made, lambda each: frozenset((each.id,))),
        approved=lambda finding, digest: lacks,
    )
    return rate(about, grounds)


@pytest.mark.req("W3Y-001", "W3S-020", "W3I-026")
def test_the_gravest_rule_that_applies_is_quoted_and_cited() -> None:
    (found,) = rated(bundle(BASE))
    assert (found.severity, plain(found.severity_why)) == ("High", NO_PRINCIPAL["text"])
    assert "E2#/rules/2" in map(str, found.citations)
    assert found.disposition is Disposition.BLOCKING and found.blocks


@pytest.mark.parametrize(
    "changes",
    [{"asset": "A-OTHER"}, {"attacker": ""}, {"area": Area.LOGGING}, {"state": State.HYPOTHESIS}],
    ids=lambda each: next(iter(each)),
)
def test_a_condition_that_does_not_hold_leaves_the_next_rule(changes: dict[str, Any]) -> None:
    (found,) = rated(bundle(BASE), [candidate(**changes)])
    assert found.severity == "Low" and found.disposition is Disposition.OPEN and not found.blocks


@pytest.mark.req("W3D-007")
@pytest.mark.parametrize("named", [[], ["Medium"]])
def test_what_is_called_high_holds_whatever_the_rubric_names(named: list[str]) -> None:
    rule = {name: value for name, value in NO_PRINCIPAL.items() if name != "blocks_deployment"}
    values = {"policy_version": "1", "severities": ["HIGH", "Medium"], "rules": [rule | {"severity": "HIGH"}]}
    rubric = SeverityRubric.model_validate(values | {"holds_deployment": named})
    (found,) = rated(bundle([BASE[0], (EvidenceType.POLICY, rubric)]))
    assert found.disposition is Disposition.OPEN and found.blocks


@pytest.mark.req("W3F-018", "W3S-021")
def test_without_a_rubric_nothing_is_rated_and_the_impact_stays() -> None:
    (found,) = rated(bundle())
    assert found.severity == "not rated (no rubric)"
    assert plain(found.candidate.impact_inferred) and not found.blocks


@pytest.mark.req("W3F-018")
def test_a_rubric_without_a_fitting_rule_rates_nothing() -> None:
    rubric = RUBRIC.model_copy(update={"rules": RUBRIC.rules[1:]})
    (found,) = rated(bundle([(EvidenceType.POLICY, rubric)]), [candidate(area=Area.LOGGING)])
    assert found.severity == NO_RULE


INVENTORY = SecurityInventory.model_validate(
    {
        "controls": [
            {
                "id": "C-ROLE", "area": "authorization", "name": "role", "assets": ["A-TICKETS"],
                "negative_tests": [{"item": "E3", "test": "test_refused", "run": "E5"}],
            }
        ]
    }
)  # fmt: skip
LACKING = Inventory(
    cells=(),
    gaps=(
        InventoryGap(
            control="C-ROLE", area=Area.AUTHORIZATION, lacks="negative tests", request=("a test",), citations=(),
            decides=False,
        ),
    ),
)  # fmt: skip


@pytest.mark.req("W3Y-002")
def test_a_control_without_negative_test_is_medium_while_it_is_unverified() -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY)])
    (about,) = unverified_controls(LACKING, made)
    (found,) = rated(made, [about])
    assert (found.severity, found.candidate.state) == ("Medium", State.HYPOTHESIS)
    assert plain(found.severity_why) == UNTESTED["text"]
    tested = rated(bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run()]), [about])
    assert tested[0].severity == "Low"


def test_a_gap_that_decides_or_a_control_that_is_not_sensitive_gives_no_finding() -> None:
    made = bundle([(EvidenceType.TEST_INVENTORY, INVENTORY)])
    assert unverified_controls(replace(LACKING, gaps=(replace(LACKING.gaps[0], decides=True),)), made) == ()
    plain_one = INVENTORY.controls[0].model_copy(update={"sensitive": False})
    made = bundle([(EvidenceType.TEST_INVENTORY, INVENTORY.model_copy(update={"controls": (plain_one,)}))])
    assert unverified_controls(LACKING, made) == ()


def run(result: str = "passed", **changes: Any) -> tuple[Part, ...]:
    """A retained run of the negative test: its output, then its record, which names the output as E4."""
    failed = "" if result == "passed" else '<failure message="got 200"/>'
    output = f'<testsuite><testcase classname="t" name="test_refused">{failed}</testcase></testsuite>'
    record = {
        "output": "E4", "format": "junit", "command": "pytest -q", "revision": REVISION, "isolated": True,
        "environment": "one process, no network", "exit_status": 0 if result == "passed" else 1,
        "asserts": [{"test": "t::test_refused", "operation": "GET /tickets/{id}"}],
    }  # fmt: skip
    values = {name: value for name, value in (record | changes).items() if value is not None}
    return ((EvidenceType.TEST_RECORD, output), (EvidenceType.TEST_RECORD, TestRun.model_validate(values)))


def validated(**changes: Any) -> bool:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run(**({"result": "failed"} | changes))])
    results = local_results(made, REVISION)
    (found,) = validate((CANDIDATE,), (frozenset((CANDIDATE.id,)),), results, made)
    return found.validated


@pytest.mark.req("W3I-027")
@pytest.mark.parametrize(
    "changes",
    [
        {"revision": None}, {"revision": "0f" * 20}, {"environment": None}, {"isolated": None}, {"isolated": False},
        {"command": None}, {"exit_status": None}, {"exit_status": 0}, {"output_sha256": "ab" * 32},
        {"violations": ["connect"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_result_that_does_not_identify_the_four_raises_nothing(changes: dict[str, Any]) -> None:
    assert validated() is True
    assert validated(**changes) is False


def test_a_negative_test_that_passed_does_not_confirm_the_weakness() -> None:
    assert validated(result="passed") is False


@pytest.mark.req("W3S-013", "W3D-003")
@pytest.mark.parametrize("kind", [*sorted(OF_ABSENCE), "C-7", "caller-controlled-decision"])
def test_a_passed_negative_test_on_the_route_contradicts_what_says_that_a_check_is_absent(kind: str) -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run("passed")])
    about = candidate(kind=kind)
    source = TestRow(
        control="C-ROLE", test="t::test_refused", negative=True, shown="syntax tree",
        asserts=(("GET /tickets/{id}", 403),), outcome="passed", citations=(),
    )  # fmt: skip
    results = local_results(made, REVISION)
    (found,) = validate((about,), (frozenset((about.id,)),), results, made, (source,))
    assert (found.state is State.HYPOTHESIS) is (kind != "caller-controlled-decision")
    assert ("t::test_refused" in "".join(map(plain, found.missing))) is (found.state is State.HYPOTHESIS)


@pytest.mark.req("W3I-027")
@pytest.mark.parametrize("lost", ["command", "revision", "fixture", "result"])
def test_a_retained_check_that_names_the_candidate_raises_with_all_four(lost: str) -> None:
    check = {
        "id": "T1", "what": "a caller is refused", "command": "pytest", "revision": REVISION, "fixture": "in process",
        "result": "failed", "deltas": [CANDIDATE.id],
    }  # fmt: skip

    def shown(values: dict[str, Any]) -> bool:
        made = bundle([(EvidenceType.TEST_RECORD, TestRecord.model_validate({"checks": [values]}))])
        (found,) = validate((CANDIDATE,), (frozenset((CANDIDATE.id,)),), local_results(made, REVISION), made)
        return found.validated

    assert shown(check) and not shown(check | {"result": "passed"})
    assert not shown({name: value for name, value in check.items() if name != lost})


UNKNOWN = Challenge(place=("wiring",), standing=Standing.UNKNOWN, why=("not supplied",), citations=())
DEGREES = {
    Completeness.COMPLETE: candidate(),
    Completeness.PARTIAL: candidate(challenges=(*CANDIDATE.challenges, UNKNOWN)),
    Completeness.PATTERN: candidate(challenges=(UNKNOWN,), reach=Reach.UNKNOWN),
}


@pytest.mark.req("W3F-004", "W3F-017")
@pytest.mark.parametrize("degree", Completeness)
@pytest.mark.parametrize("state", Validation)
def test_confidence_is_the_table_and_says_why(degree: Completeness, state: Validation) -> None:
    about = replace(DEGREES[degree], validated=state is Validation.RETAINED)
    assert confidence(about) == (CONFIDENCE[degree, state], f"{degree}; {state}")
    assert set(CONFIDENCE) == {(one, other) for one in Completeness for other in Validation}


def test_a_match_without_lines_that_show_it_is_never_complete() -> None:
    about = candidate(missing=(("source lines that show it",),))
    assert confidence(about)[0] is Confidence.LOW


def test_more_evidence_never_lowers_confidence() -> None:
    order = list(Confidence)
    for degree in Completeness:
        found = [order.index(CONFIDENCE[degree, state]) for state in Validation]
        assert found == sorted(found)
    for state in Validation:
        assert [order.index(CONFIDENCE[degree, state]) for degree in Completeness] == sorted(
            order.index(CONFIDENCE[degree, state]) for degree in Completeness
        )


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
    looked = Challenge(place=("wiring",), standing=Standing.ABSENT, why=("none",), citations=on)
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
        candidate(id="S-000000000002", kind=KIND),
        candidate(id="S-000000000001"),
        candidate(id="S-000000000000", **low),
    ]
    entry = ENTRY | {"subject": "S-000000000000", "state": "blocking"}
    made = bundle(BASE, [entry])
    expected = ["S-000000000001", "S-000000000002", "S-000000000000", "S-000000000003", "S-000000000004",
                "S-000000000005"]  # fmt: skip
    for order in (given, given[::-1]):
        assert list(findings_frame(rated(made, order))["finding"]) == expected
