"""Scanners' results as leads: places by supplied files, areas by weakness, nothing of a value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.codefacts.model import SourceText
from evreview.codefacts.read import read_sources
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.workflows.w3.abuse_cases.lead_intake import LeadIntake
from evreview.workflows.w3.abuse_cases.sarif_import import sarif_leads
from tests.workflows.w3.made import bundle

APP = """from fastapi import FastAPI
app = FastAPI()


@app.get("/x")
def x(name: str):
    return load(name)


def load(name):
    return eval(name)
"""
SECRET = "wJ8rQz5L" + "x2Vn7TbKp4Hs"


def result(rule: str = "R1", line: int = 11, uri: str = "src/app.py", **members: Any) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}
    return {"ruleId": rule, "message": {"text": "m"}, "locations": [place]} | members


def taken(*results: Any, app: str = APP, tags: tuple[str, ...] = (), text: str = "", first_line: int = 1) -> LeadIntake:
    driver = {"name": "Scanner", "rules": [{"id": "R1", "properties": {"tags": list(tags)}}]}
    log = text or json.dumps({"version": "2.1.0", "$schema": "sarif", "runs": [{"tool": {"driver": driver},
                                                                               "results": list(results)}]})  # fmt: skip
    made = bundle([(EvidenceType.SOURCE_EXCERPT, app), (EvidenceType.TEST_RECORD, log)])
    source = SourceText(
        item=EvidenceId("E1"), path="service/src/app.py", parts=("handler",), text=app, first_line=first_line
    )
    return sarif_leads(made, (source,), read_sources((source,)))


@pytest.mark.req("W3G-012")
def test_a_result_stands_at_the_supplied_lines_and_its_route() -> None:
    (lead,) = taken(result()).leads
    assert (lead.tool, lead.rule, lead.path, lead.symbol) == ("Scanner", "R1", "service/src/app.py", "load")
    assert lead.route == "GET /x"
    assert lead.spot is not None
    assert (lead.spot.item, lead.spot.first) == ("E1", 11)
    assert [str(each) for each in lead.citations] == ["E2#/runs/0/results/0", "E1:L11"]


@pytest.mark.parametrize(("uri", "line"), [("other.py", 3), ("src/app.py", 0)])
def test_a_result_about_no_supplied_line_has_none(uri: str, line: int) -> None:
    (lead,) = taken(result(uri=uri, line=line)).leads
    assert lead.spot is None


@pytest.mark.parametrize(
    ("uri", "line"), [("src/app.py", 99), ("https://host.example/app.py", 3), ("", 3), ("../../etc/x", 1)]
)
def test_a_result_outside_is_a_problem(uri: str, line: int) -> None:
    found = taken(result(uri=uri, line=line))
    assert found.leads == ()
    assert ("sarif-place", "#/runs/0/results/0") in [(problem.code, problem.place) for problem in found.problems]


@pytest.mark.parametrize("name", ["evreview", "EvReview", "reviewer"])
@pytest.mark.req("W3G-012")
def test_a_scanner_is_a_scanner_whatever_it_calls_itself(name: str) -> None:
    text = json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": name}}, "results": [result()]}]})
    (lead,) = taken(text=text).leads
    assert lead.tool not in ("evreview", "reviewer")


def test_an_absolute_path_tells_nothing_of_the_machine() -> None:
    (lead,) = taken(result(uri="file:///home/somebody/work/else.py")).leads
    assert lead.path == "else.py"


def test_an_excerpt_counts_from_its_first_line() -> None:
    (lead,) = taken(result(line=110), first_line=100).leads
    assert lead.spot is not None
    assert lead.spot.first == 11


@pytest.mark.parametrize(
    ("tags", "rule", "area"),
    [
        (("external/cwe/cwe-798",), "R1", Area.SECRETS),
        (("external/cwe/cwe-089",), "R1", Area.INPUT_HANDLING),
        (("CWE-862: Missing Authorization",), "R1", Area.AUTHORIZATION),
        (("CWE-295: Improper Certificate Validation",), "R1", Area.AUTHENTICATION),
        (("external/cwe/cwe-209",), "R1", Area.ERROR_DISCLOSURE),
        (("external/cwe/cwe-532",), "R1", Area.LOGGING),
        ((), "python.lang.hardcoded-password", Area.SECRETS),
        ((), "jwt-none-alg", Area.AUTHENTICATION),
        ((), "something-else", Area.INPUT_HANDLING),
    ],
)
def test_the_area_is_told_by_weakness_then_by_words(tags: tuple[str, ...], rule: str, area: Area) -> None:
    (lead,) = taken(result(rule=rule), tags=tags).leads
    assert lead.area is area


@pytest.mark.req("W3G-004", "W3G-011")
def test_no_message_value_gets_into_a_lead() -> None:
    message = {"text": f"password = {SECRET} found"}
    (lead,) = taken(result(rule="R9", message=message)).leads
    assert SECRET not in repr(lead)
    assert "R9" in plain(lead.says)


def test_ids_survive_lines_above_and_other_results() -> None:
    before = {lead.id for lead in taken(result(), result(line=7)).leads}
    moved = "# a note\n\n" + APP
    after = {lead.id for lead in taken(result(line=9), result(line=13), result("R2", 3), app=moved).leads}
    assert len(before) == 2
    assert before <= after


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"runs": [], "version": "2.0.0", "$schema": "sarif"}', "sarif-version"),
        ('{"runs": [{"driver"', "json-syntax"),
        ('{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}', "sarif-unread"),
    ],
)
def test_what_cannot_be_read_is_a_problem_with_its_item(text: str, code: str) -> None:
    found = taken(text=text)
    assert found.leads == ()
    assert [(problem.code, problem.file) for problem in found.problems] == [(code, "E2")]


def test_other_test_records_are_left_alone() -> None:
    assert taken(text="1 passed in 0.1s") == LeadIntake((), ())
