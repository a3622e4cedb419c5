"""What is always null against another type is one edit of the type; null that stays beside it is no row of its own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.comparison.pairs import Doc, document, get, post
from tests.pipeline import compared

ARRAY: Any = {"type": "array", "items": {"type": "string"}}
TEXT: Any = {"type": "string", "maxLength": 3}
NULL: Any = {"type": "null"}
SHARED: Any = {"Text": TEXT}


def sides(old: Any, new: Any, *, sent: bool, inside: bool) -> tuple[Doc, Doc]:
    made = [{"type": "object", "properties": {"f": each}} if inside else each for each in (old, new)]
    released, candidate = (document({"/a": (post if sent else get)(each)}, SHARED, "3.1.0") for each in made)
    return released, candidate


def rows(old: Any, new: Any, *, sent: bool = False, inside: bool = True) -> list[tuple[str, str, str]]:
    found = compared(*sides(old, new, sent=sent, inside=inside)).rows
    return [(row.delta.facet, str(row.judgement.rule), row.judgement.verdict) for row in found]


@pytest.mark.parametrize("null", [NULL, {"const": None}, {"enum": [None]}, {"type": ["null"]}])
@pytest.mark.parametrize(
    "other", [ARRAY, TEXT, {"type": "object"}, {"type": "integer", "minimum": 1}, {"$ref": "#/components/schemas/Text"}]
)
@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("sent", [True, False])
def test_another_type_is_one_row(null: Any, other: Any, inside: bool, sent: bool) -> None:
    side = "request" if sent else "response"
    for old, new in ((null, other), (other, null)):
        assert rows(old, new, sent=sent, inside=inside) == [("type", f"{side}-type-changed", "breaking")]


@pytest.mark.parametrize("other", [["array", "null"], ["null", "string"], ["integer", "null", "string"]])
def test_null_that_stays_is_no_row(other: list[str]) -> None:
    wide: Any = {"type": other}
    assert rows(NULL, wide) == [("type", "response-type-widened", "breaking")]
    assert rows(wide, NULL) == [("type", "response-type-narrowed", "compatible")]
    assert rows(wide, NULL, sent=True) == [("type", "request-type-narrowed", "breaking")]
    (row,) = compared(*sides(NULL, wide, sent=False, inside=True)).rows
    assert (row.delta.released, row.delta.candidate) == ("null", other)


@pytest.mark.parametrize(
    ("old", "new"), [(["string", "null"], ["string"]), (["array", "null"], ["array"]), (["integer", "null"], "integer")]
)
def test_null_beside_a_type_keeps_its_own_row(old: Any, new: Any) -> None:
    assert rows({"type": old}, {"type": new}) == [("nullable", "response-no-longer-nullable", "compatible")]


@pytest.mark.parametrize(
    ("old", "new", "facets"),
    [
        ({"type": "string", "enum": ["a", "b"]}, {"enum": ["a", "b"]}, []),
        ({"type": "integer", "enum": [1, 2]}, {"enum": [1, 2]}, []),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"enum": ["a", None]}, []),
        ({"type": "string", "enum": ["a", 1]}, {"enum": ["a", 1]}, ["type"]),
        ({"type": "string", "enum": ["a", "b"]}, {"enum": ["a", "b", 1]}, ["enum"]),
        ({"type": "integer", "enum": [1, 2]}, {"type": "number", "enum": [1, 2, 2.5]}, ["enum"]),
        ({"enum": ["a", 1]}, {"enum": ["a"]}, ["enum"]),
        ({"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, ["type"]),
        ({"enum": ["a"], "x-extensible-enum": True}, {"enum": ["a", 1], "x-extensible-enum": True}, ["enum", "type"]),
    ],
)
@pytest.mark.parametrize("sent", [True, False])
def test_types_that_an_enumeration_tells_are_no_row(old: Any, new: Any, facets: list[str], sent: bool) -> None:
    for before, after in ((old, new), (new, old)):
        assert [row[0] for row in rows(before, after, sent=sent)] == facets
