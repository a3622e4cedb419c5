"""Statuses, their ranges and `default`: what is written may narrow, and what nobody released stays open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evreview.contract.model import Element
from evreview.kinds.compare import compare
from tests.comparison.pairs import contract, document, json_body

TEXT: Any = {"type": "object", "properties": {"a": {"type": "string"}}}
LONG: Any = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}


def operation(*statuses: str, schema: Any = TEXT) -> Any:
    return document(
        {"/a": {"get": {"responses": {status: {"description": "", **json_body(schema)} for status in statuses}}}}
    )


def said(released: Any, candidate: Any) -> list[tuple[str, str, str, str]]:
    rows = compare(contract(released), contract(candidate)).rows
    return [
        (
            row.delta.address.removeprefix("GET /a > response "),
            row.delta.change,
            row.judgement.verdict,
            row.judgement.emits_old_compatible,
        )
        for row in rows
    ]


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [
        (
            ["200", "4XX"],
            ["200", "400", "404"],
            [("4XX", "removed", "compatible", "yes")],
        ),
        (["200", "default"], ["200"], [("default", "removed", "compatible", "yes")]),
        (["200", "404"], ["200"], [("404", "removed", "unknown", "unknown")]),
        (["200", "201"], ["200"], [("201", "removed", "breaking", "no")]),
        (["200"], ["200", "404"], [("404", "added", "unknown", "unknown")]),
        (["200"], ["200", "201"], [("201", "added", "breaking", "no")]),
        (["200", "default"], ["200", "default", "404"], [("404", "added", "compatible", "yes")]),
        (["200", "default"], ["200", "default", "201"], [("201", "added", "unknown", "unknown")]),
        (["404", "default"], ["404", "default", "200"], [("200", "added", "compatible", "yes")]),
        (["201", "2XX", "default"], ["201", "default"], [("2XX", "removed", "unknown", "unknown")]),
        (["201", "2XX"], ["201"], [("2XX", "removed", "compatible", "yes")]),
        (["200"], ["200", "default"], [("default", "added", "unknown", "unknown")]),
        (
            ["200", "404"],
            ["200", "4XX"],
            [("404", "changed", "breaking", "no")],
        ),
        (["200"], ["2XX"], [("200", "changed", "breaking", "no")]),
        (["202"], ["default"], [("202", "changed", "breaking", "no")]),
        (["200", "201"], ["2XX"], [("200", "changed", "breaking", "no")]),
        (["200", "404"], ["200", "default"], [("404", "changed", "breaking", "no")]),
        (["200", "default"], ["2XX", "default"], [("200", "changed", "unknown", "unknown")]),
        (["200", "2XX"], ["2XX"], [("200", "removed", "compatible", "yes")]),
        (["2XX"], ["200"], [("2XX", "removed", "compatible", "yes")]),
        (
            ["200", "404", "default"],
            ["200", "4XX", "default"],
            [("4XX", "added", "compatible", "yes")],
        ),
        (["302"], ["3XX"], [("302", "changed", "breaking", "no")]),
        (["200"], ["201"], [("200", "changed", "breaking", "no")]),
        (["201", "404"], ["202", "404"], [("201", "changed", "breaking", "no")]),
        (["302", "200"], ["303", "200"], [("302", "changed", "breaking", "no")]),
        (["200", "default"], ["201", "default"], [("200", "changed", "breaking", "no")]),
        (["200", "400"], ["200", "422"], [("400", "changed", "unknown", "unknown")]),
        (
            ["200", "400"],
            ["201", "422"],
            [("200", "changed", "breaking", "no"), ("400", "changed", "unknown", "unknown")],
        ),
        (
            ["200", "404", "409"],
            ["200", "404", "429"],
            [("409", "removed", "unknown", "unknown"), ("429", "added", "unknown", "unknown")],
        ),
        (
            ["200"],
            ["201", "202"],
            [
                ("200", "removed", "breaking", "no"),
                ("201", "added", "breaking", "no"),
                ("202", "added", "breaking", "no"),
            ],
        ),
        (["200"], ["302"], [("200", "removed", "breaking", "no"), ("302", "added", "breaking", "no")]),
        (["default"], ["404", "500"], [("default", "removed", "compatible", "yes")]),
    ],
)  # fmt: skip
@pytest.mark.req("W1L-004")
def test_statuses(released: list[str], candidate: list[str], expected: list[tuple[str, str, str, str]]) -> None:
    assert said(operation(*released), operation(*candidate)) == expected


def test_the_body_of_a_status_is_held_against_the_range_that_held_it() -> None:
    rows = said(operation("4XX", schema=LONG), operation("404", schema=TEXT))
    assert ("404 > application/json > a", "removed", "breaking", "no") in rows
    assert {row[2] for row in said(operation("4XX", schema=TEXT), operation("404", schema=LONG))} == {"compatible"}


@pytest.mark.parametrize(
    ("schema", "rows"),
    [
        (LONG, [("200", "changed"), ("200 > application/json > a", "added")]),
        ({**TEXT, "required": ["a"]}, [("200", "changed"), ("200 > application/json > a", "changed")]),
        ({"type": "object", "properties": {"z": {}}}, [("200", "removed"), ("201", "added")]),
        ({"type": "array"}, [("200", "removed"), ("201", "added")]),
    ],
)
def test_a_replaced_status_holds_much_the_same(schema: Any, rows: list[tuple[str, str]]) -> None:
    assert [row[:2] for row in said(operation("200"), operation("201", schema=schema))] == rows


def content(request: str, response: str) -> Any:
    return document(
        {
            "/a": {
                "post": {
                    "requestBody": {"content": {request: {"schema": TEXT}}},
                    "responses": {"200": {"description": "", "content": {response: {"schema": TEXT}}}},
                }
            }
        }
    )


@pytest.mark.parametrize(
    ("released", "candidate", "verdict"),
    [
        (("application/json", "a/b"), ("*/*", "a/b"), "compatible"),
        (("*/*", "a/b"), ("application/json", "a/b"), "breaking"),
        (("a/b", "application/json"), ("a/b", "*/*"), "unknown"),
        (("a/b", "application/*"), ("a/b", "application/json"), "compatible"),
    ],
)
def test_a_range_in_place_of_a_type_is_one_row(
    released: tuple[str, str], candidate: tuple[str, str], verdict: str
) -> None:
    rows = compare(contract(content(*released)), contract(content(*candidate))).rows
    assert [(row.delta.aspect, row.delta.change, row.judgement.verdict) for row in rows] == [
        ("content-types", "changed", verdict)
    ]


def answered(method: str, status: str, schema: Any) -> Any:
    return document({"/a": {method: {"responses": {status: {"description": "", **json_body(schema)}}}}})


BARE = [("get", status) for status in ("100", "1XX", "204", "205", "304")] + [("head", "200"), ("head", "4XX")]


@pytest.mark.parametrize(("method", "status"), BARE)
def test_content_that_http_never_sends_is_no_row(method: str, status: str) -> None:
    """RFC 9110, sections 9.3.2, 15.2, 15.3.5, 15.3.6 and 15.4.5."""
    comparison = compare(contract(answered(method, status, TEXT)), contract(answered(method, status, LONG)))
    assert comparison.rows == ()
    assert [noise.delta.facet for noise in comparison.noise] == ["content" if method == "get" else "schema"]
    described = contract(answered(method, status, TEXT))
    assert not any(element.value is not None for element in _below(described.root))


def test_content_of_other_statuses_is_sent() -> None:
    for status in ("200", "2XX", "3XX", "400", "default"):
        assert said(answered("get", status, LONG), answered("get", status, TEXT))


def test_a_message_with_content_has_a_status_that_carries_it() -> None:
    """Of all statuses of the range that are left to it, `204` is the first one."""
    known = {str(200 + at): {"description": ""} for at in range(100) if at not in (4, 5, 6)}
    released, candidate = (
        document({"/a": {"get": {"responses": {**known, "2XX": {"description": "", **json_body(schema)}}}}})
        for schema in (LONG, TEXT)
    )
    (row,) = compare(contract(released), contract(candidate)).rows
    assert isinstance(row.proof.witness, dict)
    assert row.proof.witness["message"]["status"] == 206  # type: ignore[call-overload, index]


def _below(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _below(child)
