"""One edit in a component that stands beside other schemas is one row, however many branches it stands in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.comparison.pairs import diff, document, post

TEXT: Any = {"type": "string"}
B: Any = {"$ref": "#/components/schemas/B"}


def _document(base: Any, beside: Any, *, first: bool) -> Any:
    """Two branches of one choice, each the base `B` and members of its own, one of them named as in the base."""

    def branch(kind: str) -> Any:
        own = {"type": "object", "properties": {"a": beside, "kind": {"type": "string", "enum": [kind]}}}
        return {"allOf": [B, own] if first else [own, B]}

    shared = {"type": "object", "properties": {"c": TEXT, **({"a": base} if base is not None else {})}}
    return document({"/a": post({"oneOf": [branch("x"), branch("y")]})}, {"B": shared}, "3.1.0")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("released", "candidate", "beside", "expected"),
    [
        (None, {"type": "string", "maxLength": 3}, TEXT, {("a", "maxLength")}),
        ({"maxLength": 5}, {"maxLength": 3}, TEXT, {("a", "maxLength")}),
        (None, {"enum": ["p", "q"]}, TEXT, {("a", "enum")}),
        (None, {"type": "integer"}, {}, {("a", "type")}),
        (None, {"not": {"const": "p"}}, TEXT, {("a", "not")}),
        (None, {"minLength": 2, "maxLength": 3}, TEXT, {("a", "minLength"), ("a", "maxLength")}),
        (None, {"items": {"maxLength": 2}}, {"type": "array", "items": TEXT}, {("a[]", "maxLength")}),
        (None, {"properties": {"d": TEXT}}, {"type": "object", "properties": {"e": TEXT}}, {("d", "")}),
    ],
)
def test_the_row_of_a_shared_part_is_one(
    released: Any, candidate: Any, beside: Any, expected: Any, first: bool
) -> None:
    both = _document(released, beside, first=first), _document(candidate, beside, first=first)
    for old, new in (both, both[::-1]):
        rows = diff(old, new).deltas
        assert sorted((row.address.rpartition(" > ")[2], row.facet) for row in rows) == sorted(expected)


@pytest.mark.parametrize("first", [True, False])
def test_equal_edits_of_two_parts_stay_two_rows(first: bool) -> None:
    """The same bound, added to the member of each branch: two schemas were edited."""
    limit: Any = {"type": "string", "maxLength": 3}
    rows = diff(_document({}, TEXT, first=first), _document({}, limit, first=first)).deltas
    assert [row.address.split(" > ")[-2:] for row in rows] == [["oneOf(kind=x)", "a"], ["oneOf(kind=y)", "a"]]
