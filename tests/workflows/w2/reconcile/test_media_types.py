"""Documented media types of a success status that no answer of the code has."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import CodeResponse, UnsupportedCode
from evreview.core.vocabulary import Json
from evreview.workflows.w2.discrepancy_kinds.kind import paths
from tests.workflows.w2.facts import LINES, contract_of, evidence_of, reconciled, route, sends

PART = (UnsupportedCode(LINES, "a part"),)
JSON, CSV = sends(200, {"type": "string"}), sends(200, {"type": "string"}, "text/csv; charset=utf-8")
UNTOLD = sends(200, {"type": "string"}, "")


def says(*media_types: str, status: str = "200") -> Json:
    content = {each: {"schema": {"type": "string"}} for each in media_types}
    return {"200": {"description": "ok"}, status: {"description": "some", "content": content}}


@pytest.mark.parametrize(
    ("stated", "answers", "parts", "rows", "open_ones"),
    [
        (says("application/json", "text/csv"), (JSON,), {}, ["200 text/csv"], []),
        (says("application/json", "text/csv"), (JSON, CSV), {}, [], []),
        (says("application/json", "text/*"), (JSON,), {}, [], []),
        (says("*/*"), (JSON,), {}, [], []),
        (says("application/json", "text/csv"), (JSON,), {"unread": PART}, [], ["200 text/csv"]),
        (says("application/json", "text/csv"), (JSON, UNTOLD), {}, [], []),
        (says("application/json", "text/csv", status="409"), (sends(409, {"type": "string"}),), {}, [], []),
    ],
)
def test_media_types_that_never_come(
    stated: Json, answers: tuple[CodeResponse, ...], parts: dict[str, Any], rows: list[str], open_ones: list[str]
) -> None:
    found = reconciled(evidence_of(contract_of(paths(responses=stated)), route(responses=answers, **parts)))
    assert [each.place for each in found.discrepancies if each.kind == "response-media-type-unsent"] == rows
    assert [each.place for each in found.undecided if each.place == "200 text/csv"] == open_ones


def test_a_parameter_that_stands_twice_in_the_contract_is_an_open_point() -> None:
    twice: Json = [
        {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        {"name": "limit", "in": "query", "schema": {"type": "string"}},
    ]
    found = reconciled(evidence_of(contract_of(paths(parameters=twice)), route()))
    (open_one,) = [each for each in found.undecided if each.place == "1"]
    assert str(open_one.concern) == "parameters"
    assert [each.locator for each in open_one.citations] == ["#/paths/~1orders/get/parameters/1"]
