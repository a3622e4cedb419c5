"""A media type that got another name is one row; ranges and several types keep their rows."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.component_identity import candidate_address
from evreview.core.vocabulary import ABSENT, Form
from tests.comparison.pairs import Doc, diff, document

TEXT: Doc = {"type": "object", "properties": {"a": {"type": "string"}}}
NULL: Doc = {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}}
OK = "POST /a > response 200"
JSON, XML, CSV, RANGE, PROBLEM = (
    "application/json",
    "application/xml",
    "text/csv",
    "application/*",
    "application/problem+json",
)
Shown = tuple[str, str, str, Form, Form]


def posted(request: Any, response: Any, status: str = "200", schema: Any = TEXT) -> Doc:
    def content(names: Any) -> Doc:
        return {"content": {name: {"schema": schema} for name in names}}

    return document(
        {
            "/a": {
                "post": {
                    "requestBody": content(request),
                    "responses": {status: {"description": "", **content(response)}},
                }
            }
        }
    )


def shown(released: Doc, candidate: Doc) -> list[Shown]:
    rows = diff(released, candidate).deltas
    return [(row.address, row.change.value, row.facet, row.released, row.candidate) for row in rows]


@pytest.mark.parametrize("status", ["200", "404"])
@pytest.mark.req("W1L-013")
def test_another_name_is_one_row(status: str) -> None:
    (row,) = diff(posted([JSON], [JSON], status), posted([JSON], [PROBLEM], status)).deltas
    assert (row.element, row.aspect, row.change, row.facet) == ("media-type", "content-types", "changed", "media-type")
    assert (row.released, row.candidate, row.facts["only_one"]) == (JSON, PROBLEM, True)
    assert row.address == f"POST /a > response {status} > {JSON}" and row.in_error is (status == "404")
    assert candidate_address(row) == f"POST /a > response {status} > {PROBLEM}"
    places = [place.pointer.rpartition("/")[2] for place in (row.released_place, row.candidate_place) if place]
    assert places == ["application~1json", "application~1problem+json"]


def test_the_schemas_inside_are_compared_under_the_released_name() -> None:
    assert shown(posted([JSON], [JSON]), posted([JSON], [PROBLEM], schema=NULL)) == [
        ("POST /a > body > application/json > a", "changed", "nullable", False, True),
        (f"{OK} > {JSON}", "changed", "media-type", JSON, PROBLEM),
        (f"{OK} > {JSON} > a", "changed", "nullable", False, True),
    ]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        pytest.param([JSON, XML], [JSON, CSV], ["changed"], id="beside-another"),
        pytest.param([JSON], [RANGE], ["changed"], id="range-covers"),
        pytest.param([RANGE], [JSON], ["changed"], id="range-narrowed"),
        pytest.param([JSON, RANGE], [CSV, RANGE], ["added", "removed"], id="a-range-that-stays-covers-the-old"),
        pytest.param([CSV, RANGE], [JSON, RANGE], ["added", "removed"], id="a-range-that-stays-covers-the-new"),
        pytest.param([JSON, XML], [CSV], ["added", "removed", "removed"], id="two-for-one"),
        pytest.param([RANGE], [JSON, XML], ["removed"], id="range-to-two"),
        pytest.param(["*/*"], [JSON, CSV, PROBLEM], ["removed"], id="anything-to-three"),
        pytest.param(["*/*"], [RANGE, CSV], ["removed"], id="anything-to-a-range-and-a-type"),
        pytest.param([RANGE], [JSON, XML, CSV], ["added", "removed"], id="range-to-two-and-another"),
        pytest.param([RANGE, JSON], [JSON, XML], ["changed"], id="range-to-one-beside-another"),
        pytest.param([RANGE, CSV], [RANGE, CSV, JSON], ["added"], id="beside-the-range-that-stays"),
        pytest.param([JSON, XML], [RANGE], ["changed"], id="two-to-range"),
        pytest.param([JSON, XML, CSV], [RANGE, CSV], ["changed"], id="two-to-range-beside-another"),
        pytest.param([JSON, XML, RANGE], [RANGE], ["removed", "removed"], id="two-under-a-range-that-stays"),
        pytest.param([JSON], [JSON, XML], ["added"], id="added"),
    ],
)
def test_pairs(before: list[str], after: list[str], changes: list[str]) -> None:
    for old, new in ((posted(before, [JSON]), posted(after, [JSON])), (posted([JSON], before), posted([JSON], after))):
        assert sorted(change for _, change, _, _, _ in shown(old, new)) == changes


def test_a_parameter_keeps_two_rows() -> None:
    def parameter(name: str) -> Doc:
        given = {"name": "q", "in": "query", "content": {name: {"schema": TEXT}}}
        return document({"/a": {"get": {"parameters": [given], "responses": {"204": {"description": ""}}}}})

    assert [row[3:] for row in shown(parameter(JSON), parameter(XML))] == [
        ({"media-type": JSON, "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}, ABSENT),
        (ABSENT, {"media-type": XML, "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}),
    ]
