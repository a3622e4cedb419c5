"""Directives that only schemas apply: what changes in them is told, and breaks no document."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from tests.pipeline import written

_REST = "type Query { a: Int } input Bound { most: Int } enum Level { LOW HIGH }"


def compared(before: str, after: str) -> Comparison:
    return compare(*(written("shop.graphql", f"{_REST} directive @bound{it}".encode()) for it in (before, after)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(most: Int) on OBJECT", "(most: Int!) on OBJECT"),
        ("(most: Int) on ENUM_VALUE", "(most: Int, per: Level!) on ENUM_VALUE"),
        ("(most: Int, per: Level) on SCALAR | UNION", "(most: Int) on SCALAR | UNION"),
        ("(most: Int = 1) on ARGUMENT_DEFINITION", "(most: Int = 2) on ARGUMENT_DEFINITION"),
        (" on SCHEMA", "(by: Bound) on SCHEMA"),
        ("(by: [Bound!]) on INPUT_FIELD_DEFINITION", "(by: [Bound]) on INPUT_FIELD_DEFINITION"),
        ("(by: Bound) repeatable on INTERFACE", "(by: Bound @deprecated) repeatable on INTERFACE"),
    ],
)
def test_other_arguments_are_one_compatible_row(before: str, after: str) -> None:
    for sides in ((before, after), (after, before)):
        (row,) = compared(*sides).rows
        assert (row.delta.address, row.judgement.rule) == ("directive bound", "graphql-schema-directive-changed")
        assert row.judgement.verdict is Verdict.COMPATIBLE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(most: Int, per: Level) on OBJECT", "(per: Level, most: Int) on OBJECT"),
        ("(most: [Int] = 1) on OBJECT", "(most: [Int] = [1]) on OBJECT"),
        ('("At most." most: Int) on OBJECT', '("No more than." most: Int) on OBJECT'),
    ],
)
def test_arguments_that_say_the_same_are_no_row(before: str, after: str) -> None:
    assert not compared(before, after).rows


@pytest.mark.parametrize("places", ["FIELD", "QUERY | OBJECT"])
def test_arguments_of_directives_in_documents_are_rows_of_their_own(places: str) -> None:
    (row,) = compared(f"(most: Int) on {places}", f"(most: Int!) on {places}").rows
    assert (row.delta.address, row.judgement.verdict) == ("directive bound > argument most", Verdict.BREAKING)


def test_a_directive_that_documents_may_newly_use_breaks_none() -> None:
    rows = compared("(most: Int) on OBJECT", "(most: Int!) on FIELD").rows
    assert {row.judgement.verdict for row in rows} == {Verdict.COMPATIBLE}


def test_a_directive_that_only_schemas_keep_breaks_documents_once() -> None:
    rows = compared("(most: Int) on FIELD", "(most: Int) on OBJECT").breaking
    assert [row.judgement.rule for row in rows] == ["graphql-directive-removed"]
