"""Findings and checks in other tools' formats: valid by the published shapes, stable, complete, and redacted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from evreview.report.interchange import (
    PREDICATE,
    Check,
    Concluded,
    Exchange,
    Item,
    assessment_results,
    cited,
    findings_log,
    lines,
    statements,
    subject_digest,
)

DATA = Path(__file__).resolve().parents[2] / "data"
OSCAL = Draft202012Validator(json.loads((DATA / "oscal" / "assessment-results-1.2.1.json").read_text()))
SARIF = Draft4Validator(json.loads((DATA / "sarif" / "sarif-2.1.0-rtm.5.json").read_text()))
HOSTILE = "a | b\n[link](x) <b>\u202e"
CHECK = Check(
    id="tests::a", what=HOSTILE, command="pytest -q", revision="a" * 40, environment="a room", result="passed",
    evidence="E2:L4, E1",
)  # fmt: skip
FOUND = Concluded(
    id="S-0123456789ab", rule="a-rule", title=HOSTILE, evidence="E1#/a, E2:L4-L6, E9", area="authorization",
    observed="seen", inferred="follows", severity="High", confidence="Low", disposition="blocking", holds=True,
)  # fmt: skip
ITEMS = {
    "E1": Item(id="E1", kind="policy", path="a b/rubric.yaml", sha256="1" * 64),
    "E2": Item(id="E2", kind="source excerpt", path="app.py", sha256="2" * 64),
}
EXCHANGE = Exchange(
    workflow="W3", title=HOSTILE, day="2026-11-22", digest="d" * 64, decision="held", items=ITEMS, checks=(CHECK,),
    findings=(FOUND,),
)  # fmt: skip
ACCEPTED = replace(FOUND, id="S-1", disposition="accepted with an expiry", why="until 2027-01-01", settled=True)
CLOSED = replace(FOUND, id="S-2", disposition="closed by evidence", settled=True)
GUESSED = replace(FOUND, id="S-3", supported=False)


def run_of(exchange: Exchange) -> dict[str, Any]:
    log = findings_log(exchange)
    assert [error.message for error in SARIF.iter_errors(log)] == []
    run = log["runs"][0]
    assert isinstance(run, dict)
    return run


def results_of(exchange: Exchange) -> dict[str, Any]:
    document = assessment_results(exchange)
    assert [error.message for error in OSCAL.iter_errors(document)] == []
    found = document["assessment-results"]
    assert isinstance(found, dict)
    return found


def test_the_shapes_refuse_what_is_wrong() -> None:
    log, document = findings_log(EXCHANGE), assessment_results(EXCHANGE)
    log["runs"][0]["results"][0]["level"] = "grave"
    del document["assessment-results"]["results"][0]["observations"][0]["collected"]
    assert list(SARIF.iter_errors(log)) and list(OSCAL.iter_errors(document))


@pytest.mark.parametrize(
    ("finding", "kind", "level", "suppressed"),
    [
        (FOUND, "fail", "error", False),
        (replace(FOUND, holds=False), "fail", "warning", False),
        (GUESSED, "review", "none", False),
        (ACCEPTED, "fail", "error", True),
        (CLOSED, "fail", "error", True),
    ],
)
def test_only_what_evidence_supports_is_a_failure(finding: Concluded, kind: str, level: str, suppressed: bool) -> None:
    (result,) = run_of(replace(EXCHANGE, findings=(finding,)))["results"]
    assert (result["kind"], result["level"], "suppressions" in result) == (kind, level, suppressed)
    assert result["partialFingerprints"] == {"findingId/v1": finding.id}


def test_a_result_stands_at_the_lines_that_it_cites() -> None:
    (result,) = run_of(EXCHANGE)["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "app.py"}, "region": {"startLine": 4, "endLine": 6}}
    assert [one["physicalLocation"]["artifactLocation"]["uri"] for one in result["relatedLocations"]] == [
        "a%20b/rubric.yaml"
    ]


@pytest.mark.parametrize(
    ("finding", "risk", "state"),
    [
        (FOUND, "open", "not-satisfied"),
        (ACCEPTED, "deviation-approved", "satisfied"),
        (CLOSED, "closed", "satisfied"),
        (GUESSED, "open", "not-satisfied"),
    ],
)
def test_a_finding_is_observed_and_its_risk_has_the_disposition(finding: Concluded, risk: str, state: str) -> None:
    result = results_of(replace(EXCHANGE, findings=(finding,)))["results"][0]
    assert [one["status"] for one in result["risks"]] == [risk]
    (found,) = result["findings"]
    assert (found["target"]["target-id"], found["target"]["status"]["state"]) == (finding.id, state)
    observed = {one["uuid"] for one in result["observations"]}
    assert {one["observation-uuid"] for one in found["related-observations"]} <= observed


def test_every_reference_of_the_assessment_results_resolves() -> None:
    document = results_of(EXCHANGE)
    resources = {one["uuid"] for one in document["back-matter"]["resources"]}
    named = [document["import-ap"]["href"]] + [
        one["href"] for each in document["results"][0]["observations"] for one in each["relevant-evidence"]
    ]
    assert {name.removeprefix("#") for name in named} <= resources and len(named) == 5


def test_an_empty_review_is_valid() -> None:
    empty = replace(EXCHANGE, checks=(), findings=(), items={})
    assert run_of(empty)["results"] == [] and "findings" not in results_of(empty)["results"][0]
    assert list(statements(empty)) == []


@pytest.mark.parametrize(("result", "says"), [("passed", "PASSED"), ("failed", "FAILED"), ("error", "FAILED")])
def test_a_check_is_one_statement_about_its_revision(result: str, says: str) -> None:
    (made,) = statements(replace(EXCHANGE, checks=(replace(CHECK, result=result),)))
    assert set(made) == {"_type", "subject", "predicateType", "predicate"} and made["predicateType"] == PREDICATE
    assert made["subject"][0]["digest"] == {"gitCommit": "a" * 40}
    predicate = made["predicate"]
    assert predicate["result"] == says
    assert (predicate["passedTests"] == ["tests::a"]) is (says == "PASSED")
    assert [each.get("digest") for each in predicate["configuration"]] == [
        None, {"sha256": "2" * 64}, {"sha256": "1" * 64},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("revision", "digest"),
    [
        ("b" * 40, {"gitCommit": "b" * 40}),
        ("sha256:" + "c" * 64, {"sha256": "c" * 64}),
        ("main", None),
        ("", None),
        ("abc1234", None),
    ],
)
def test_only_what_can_not_move_is_a_subject(revision: str, digest: dict[str, str] | None) -> None:
    assert subject_digest(revision) == digest
    made = list(statements(replace(EXCHANGE, checks=(replace(CHECK, revision=revision),))))
    assert len(made) == (digest is not None)


def test_ids_are_uuids_of_version_5() -> None:
    space = UUID("6b0f1c52-6d5e-5f0a-9a43-2b6a1f2f7c10")
    for number in range(50):
        assert EXCHANGE.uuid("check", str(number)) == str(
            uuid5(space, f"64:{'d' * 64}5:check{len(str(number))}:{number}")
        )


def test_ids_follow_the_bundle_and_nothing_else() -> None:
    again, other = assessment_results(EXCHANGE), assessment_results(replace(EXCHANGE, digest="e" * 64))
    assert assessment_results(EXCHANGE) == again
    assert again["assessment-results"]["uuid"] != other["assessment-results"]["uuid"]
    assert EXCHANGE.uuid("ab", "c") != EXCHANGE.uuid("a", "bc")


def test_citations_are_read_as_they_are_written() -> None:
    assert list(cited("E1#/a, E12:L3-L4, E2")) == [("E1", "#/a"), ("E12", ":L3-L4"), ("E2", "")]
    assert (lines(":L3"), lines(":L3-L9"), lines("#/L3")) == ((3, 3), (3, 9), None)
