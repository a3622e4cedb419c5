"""SARIF 2.1.0 of bandit, semgrep and CodeQL is read; what is hostile or broken is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.errors import BadInput
from evreview.workflows.w3.abuse_cases.sarif_import import MAX_RESULTS, is_sarif, read_sarif

PLACE = {"physicalLocation": {"artifactLocation": {"uri": "app/x.py"}, "region": {"startLine": 3, "endLine": 4}}}


def log(*results: Any, driver: Any = None, **run: Any) -> bytes:
    tool = {"driver": driver or {"name": "Bandit", "rules": []}}
    return json.dumps({"version": "2.1.0", "runs": [{"tool": tool, "results": list(results)} | run]}).encode()


def result(**members: Any) -> dict[str, Any]:
    return {"ruleId": "R1", "message": {"text": "m"}, "locations": [PLACE]} | members


def test_bandit_names_rule_and_lines() -> None:
    rule = {"id": "B105", "name": "hardcoded_password_string", "properties": {"tags": ["external/cwe/cwe-259"]}}
    found = read_sarif(log(result(ruleId="B105", ruleIndex=0), driver={"name": "Bandit", "rules": [rule]})).results
    assert [(one.tool, one.rule, one.uri, one.first, one.last) for one in found] == [
        ("Bandit", "B105", "app/x.py", 3, 4)
    ]
    assert found[0].about == "hardcoded password string"
    assert found[0].tags == ("external/cwe/cwe-259",)
    assert found[0].locator == "#/runs/0/results/0"


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"fingerprints": {"matchBasedId/v1": "requires login"}}, ""),
        ({"fingerprints": {"matchBasedId/v1": "ab12"}}, "ab12"),
        ({"partialFingerprints": {"primaryLocationLineHash": "39fa2ee980eb94b0:1"}}, "39fa2ee980eb94b0:1"),
        ({"fingerprints": {"x": 3}}, ""),
    ],
)
def test_semgreps_placeholder_is_no_fingerprint(members: dict[str, Any], expected: str) -> None:
    assert read_sarif(log(result(**members))).results[0].fingerprint == expected


def test_codeql_names_its_rules_in_extensions() -> None:
    extension = {"name": "python-queries", "rules": [{"id": "py/sql-injection", "shortDescription": {"text": "SQL"}}]}
    data = json.loads(log(result(ruleId=None, rule={"index": 0, "toolComponent": {"index": 0}})))
    data["runs"][0]["tool"] = {"driver": {"name": "CodeQL"}, "extensions": [extension]}
    found = read_sarif(json.dumps(data).encode()).results
    assert [(one.tool, one.rule, one.about) for one in found] == [("CodeQL", "py/sql-injection", "SQL")]


def test_a_file_may_be_named_by_index() -> None:
    place = {"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 1}}}
    found = read_sarif(log(result(locations=[place]), artifacts=[{"location": {"uri": "b.py"}}])).results
    assert (found[0].uri, found[0].first, found[0].last) == ("b.py", 1, 1)


@pytest.mark.req("W3G-004")
def test_what_stands_in_quotes_is_not_taken() -> None:
    found = read_sarif(
        log(result(message={"text": "Possible password: 'hunter2-of-mine' in \"other\" `third`"}))
    ).results
    assert not any(word in found[0].about for word in ("hunter2", "other", "third"))


@pytest.mark.parametrize(
    "members", [{"kind": "pass"}, {"kind": "notApplicable"}, {"kind": "informational"}, {"baselineState": "absent"}]
)
def test_what_was_not_found_is_no_result(members: dict[str, str]) -> None:
    assert read_sarif(log(result(**members))).results == ()


def test_a_suppressed_result_says_so() -> None:
    kept = read_sarif(log(result(suppressions=[{"kind": "inSource"}]), result(suppressions=[{"status": "rejected"}])))
    assert [one.suppressed for one in kept.results] == [True, False]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"[]", "sarif-format"),
        (b'{"runs": {}}', "sarif-format"),
        (b'{"version": "2.0.0", "runs": []}', "sarif-version"),
        (b'{"runs": []}', "sarif-version"),
        (b'{"version": "2.1.0", "runs": [', "json-syntax"),
        (b'{"version": "2.1.0", "version": "2.1.0", "runs": []}', "duplicate-key"),
        (b"[" * 100_000, "text-too-deep"),
    ],
)
def test_what_is_no_sarif_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_sarif(data)
    assert [problem.code for problem in caught.value.problems] == [code]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (log("no object"), "#/runs/0/results/0"),
        (log(result(locations=[])), "#/runs/0/results/0"),
        (log(result(ruleId="")), "#/runs/0/results/0"),
        (b'{"version": "2.1.0", "runs": [{"tool": {}}]}', "#/runs/0"),
        (log(invocations=[{"executionSuccessful": False}]), "#/runs/0/invocations"),
        (log(externalPropertyFileReferences={}), "#/runs/0"),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, place: str) -> None:
    assert place in [one.locator for one in read_sarif(data).unread]


def test_more_results_than_are_read_are_named() -> None:
    found = read_sarif(log(*[{"ruleId": "R", "locations": [PLACE]}] * (MAX_RESULTS + 5)))
    assert len(found.results) == MAX_RESULTS
    assert found.unread[-1].locator == f"#/runs/0/results/{MAX_RESULTS}"


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**12) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("ruleId", "rule", "ruleIndex", "message", "locations", "kind", "fingerprints", "suppressions", "baselineState")


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), JSONISH), JSONISH)
def test_any_form_is_survived(members: dict[str, Any], driver: Any) -> None:
    data = json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": [members]}]}).encode()
    assert len(read_sarif(data).results) <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []}', True),
        ('{"runs": [{"tool": {"driver": {}}}]}', True),
        ('{"run": {"executions": []}}', False),
        ("<testsuites/>", False),
    ],
)
def test_sarif_is_told_by_its_content(text: str, expected: bool) -> None:
    assert is_sarif(text) is expected
