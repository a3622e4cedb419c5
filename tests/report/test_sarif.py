"""The SARIF log: valid by the published schema, stable, complete, and with nothing of the subject out of place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from evreview.kinds.rule_catalogue import CATALOGUE
from evreview.redaction.redactor import Redactor
from evreview.report.ledger_annotations import descriptors
from evreview.report.ledger_formats import Lines, render
from tests.report.fake_comparison import HOSTILE, MAIL, Fake, row, witnessed

PUBLISHED = Path(__file__).resolve().parents[1] / "data" / "sarif" / "sarif-2.1.0-rtm.5.json"
SCHEMA = Draft4Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))
ACCEPTED = {
    "state": "accepted",
    "reason": HOSTILE,
    "owner": "api-team",
    "expires": "2027-01-31",
    "note": "",
    "source": "accept.yaml",
    "line": 3,
}
ROWS = (
    row(1, "breaking", proof=witnessed({"a|b": HOSTILE, "by": MAIL})),
    row(2, "unknown", rule=None, locations={"released": "", "candidate": ""}),
    row(3, "compatible", released="(absent)", locations={"released": "dir name/a,b:1.yaml#/x", "candidate": ""}),
)
UNREAD = [{"place": "a.yaml#/paths/~1x", "found": HOSTILE, "advice": "Write it down"}]


def log_of(comparison: Fake, lines: Lines | None = None) -> dict[str, Any]:
    text = render(comparison, "sarif", lines=lines)
    assert isinstance(text, str) and text == render(comparison, "sarif", lines=lines)
    assert Redactor().leaks(text) == ()
    log = json.loads(text)
    assert [error.message for error in SCHEMA.iter_errors(log)] == []
    assert isinstance(log, dict)
    return log


def run_of(comparison: Fake, lines: Lines | None = None) -> dict[str, Any]:
    log = log_of(comparison, lines)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    run = log["runs"][0]
    assert isinstance(run, dict)
    return run


def test_the_schema_refuses_what_is_wrong() -> None:
    log = log_of(Fake(ROWS))
    log["runs"][0]["results"][0]["level"] = "grave"
    assert list(SCHEMA.iter_errors(log))


def test_results_say_what_the_rows_say() -> None:
    run = run_of(Fake(ROWS))
    results = run["results"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [(r["kind"], r["level"]) for r in results] == [("fail", "error"), ("fail", "warning"), ("pass", "none")]
    assert [r["partialFingerprints"] for r in results] == [{"deltaId/v1": part["id"]} for part in ROWS]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in results)
    assert run["redactionTokens"] == ["[redacted: personal data]"]
    proof = results[0]["properties"]["proof"]
    assert proof["witness"]["message"]["body"]["json"] == {"a|b": HOSTILE, "by": "[redacted: personal data]"}
    assert proof["command"] == "evreview replay a.yaml b.yaml D-000000000001"
    assert "the candidate refuses it" in results[0]["message"]["text"]


def test_a_result_stands_at_the_candidate_and_relates_to_the_released_side() -> None:
    run = run_of(Fake(ROWS), lambda side, place: {"candidate": 7, "released": 4}[side])
    first, second, third = run["results"]
    (here,), (there,) = first["locations"], first["relatedLocations"]
    assert here["physicalLocation"] == {"artifactLocation": {"uri": "new.yaml"}, "region": {"startLine": 7}}
    assert there["physicalLocation"]["artifactLocation"]["uri"] == "dir%20name/dir%20name/a%2Cb%3A1.yaml"
    assert (there["id"], there["physicalLocation"]["region"]) == (1, {"startLine": 4})
    assert here["message"]["text"].startswith("candidate: ") and there["message"]["text"].startswith("released: ")
    assert "physicalLocation" not in second["locations"][0] and "relatedLocations" not in second
    assert third["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
    assert all(place["logicalLocations"] for result in run["results"] for place in result["locations"])


def test_a_line_that_is_not_known_is_not_named() -> None:
    (first, *_) = run_of(Fake(ROWS), lambda side, place: None)["results"]
    assert "region" not in first["locations"][0]["physicalLocation"]


def test_every_rule_of_the_catalogue_has_its_metadata() -> None:
    ids = [str(rule.id) for rule in CATALOGUE]
    run = run_of(Fake(tuple(row(at, "breaking", rule=rule) for at, rule in enumerate(ids, 1))))
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert sorted(rules) == sorted(ids)
    for rule in CATALOGUE:
        found = rules[rule.id]
        assert found["shortDescription"]["text"] == rule.title
        assert found["fullDescription"]["text"] == rule.why
        assert rule.reference in found["help"]["text"]
        level = {"breaking": "error", "unknown": "warning", "compatible": "note"}[rule.verdict.value]
        assert found["defaultConfiguration"] == {"level": level}
    assert len({rule["name"] for rule in rules.values()}) == len(rules)


def test_a_rule_that_is_not_in_the_catalogue_is_described_too() -> None:
    (found,) = descriptors(["no-rule"])
    assert found["fullDescription"]["text"] and found["help"]["text"]


def test_accepted_results_are_suppressed_and_all_others_say_that_they_are_not() -> None:
    rows = (
        row(1, "breaking", acceptance=ACCEPTED),
        row(2, "breaking", acceptance={**ACCEPTED, "state": "expired"}),
        row(3, "breaking", acceptance=None),
    )
    asked = {"today": "2026-11-20", "accepted": 1, "expired": 1, "stale": []}
    results = run_of(Fake(rows, acceptance=asked))["results"]
    (suppression,) = results[0]["suppressions"]
    assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    assert suppression["justification"] == HOSTILE
    assert suppression["properties"] == {"owner": "api-team", "expires": "2027-01-31", "source": "accept.yaml"}
    assert [result["suppressions"] for result in results[1:]] == [[], []]
    assert "expired on 2027-01-31" in results[1]["message"]["text"]
    assert all("suppressions" not in result for result in run_of(Fake(ROWS))["results"])


def test_what_nobody_could_read_is_a_notification() -> None:
    run = run_of(Fake(ROWS, unread=UNREAD))
    (invocation,) = run["invocations"]
    (note,) = invocation["toolExecutionNotifications"]
    notifications = run["tool"]["driver"]["notifications"]
    assert notifications[note["descriptor"]["index"]]["id"] == note["descriptor"]["id"]
    assert "a.yaml#/paths/~1x" in note["message"]["text"]
    assert "invocations" not in run_of(Fake(ROWS))


def test_no_text_of_a_subject_is_a_link() -> None:
    run = run_of(Fake((row(1, "breaking", address="GET /x > [here](https://attacker.example/) > items[]"),)))
    text = run["results"][0]["message"]["text"]
    assert "](" not in text.replace(r"\](", "") and "items[]" in text


@given(
    st.text(max_size=40), st.recursive(st.text(max_size=12), lambda part: st.dictionaries(st.text(max_size=8), part))
)
@settings(max_examples=60, deadline=None)
def test_any_text_gives_a_valid_log(text: str, value: Any) -> None:
    hostile = row(1, "breaking", address=text, released=value, candidate=text, proof=witnessed(value, text))
    unread = [{"place": text, "found": text, "advice": text}]
    run = run_of(Fake((hostile, *ROWS), unread=unread), lambda side, place: 1)
    assert len(run["results"]) == 1 + len(ROWS)


@pytest.mark.parametrize("path", ["/v1/a b/ö.yaml", "a:b.yaml", "..\\x.yaml", "%2e%2e/x.yaml", "?x#y.yaml"])
def test_a_files_name_is_one_relative_reference(path: str) -> None:
    (found,) = run_of(Fake((row(1, "breaking", locations={"released": "", "candidate": f"{path}#/x"}),)))["results"]
    uri = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert ":" not in uri and " " not in uri and "?" not in uri and "\\" not in uri
