"""Search, facets, sorting and paging against a naive oracle, and on tables."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.vocabulary import ABSENT, Verdict
from evreview.workflows.widgets.table import Query, TableQuery, text_of

TEXTS = st.sampled_from(["", "Order", "order", "ORDER 7", "a|b", "ß", "SS", "null", "7", "x y"])
ROWS = st.lists(
    st.tuples(TEXTS, TEXTS, st.sampled_from([1.5, -2.0, 0.0, float("nan")]), st.sampled_from(["b", "a", None])),
    max_size=12,
)
QUERIES = st.builds(
    Query,
    search=st.sampled_from(["", "order", "ORDER 7", "ss", "k3", "a|", "  ", "nothing"]),
    facets=st.dictionaries(
        st.sampled_from(["one", "kind"]), st.lists(st.sampled_from(["Order", "a", "b", ""]), max_size=2).map(tuple)
    ),
    sort=st.sampled_from(["", "one", "number", "kind"]),
    descending=st.booleans(),
    page=st.integers(-1, 5),
    page_size=st.integers(1, 5),
)


def frame_of(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["one", "two", "number", "kind"])
    frame["kind"] = pd.Categorical(frame["kind"], categories=["b", "a"], ordered=True)
    return frame.assign(delta_id=[f"k{place}" for place in range(len(frame))])


def oracle(rows: list[tuple[Any, ...]], query: Query) -> list[str]:
    """The matching keys in order, found the slow way."""
    names = ("one", "two", "number", "kind")
    keyed = [(f"k{place}", dict(zip(names, row, strict=True))) for place, row in enumerate(rows)]

    def fits(key: str, row: dict[str, Any]) -> bool:
        texts = [key, *(text_of(row[name]) for name in names)]
        found = all(any(word in text.casefold() for text in texts) for word in query.search.casefold().split())
        return found and all(text_of(row[name]) in wanted for name, wanted in query.facets.items() if wanted)

    left = [(key, row) for key, row in keyed if fits(key, row)]
    if not query.sort:
        return [key for key, _ in left]

    def value(row: dict[str, Any]) -> Any:
        found = row[query.sort]
        if query.sort == "number":
            return None if math.isnan(found) else found
        if query.sort == "kind":
            return None if found is None else {"b": 0, "a": 1}[found]
        return found.casefold() or None

    full = [(key, row) for key, row in left if value(row) is not None]
    empty = [key for key, row in left if value(row) is None]
    return [key for key, _ in sorted(full, key=lambda pair: value(pair[1]), reverse=query.descending)] + empty


def reversed_stably(rows: list[tuple[Any, ...]], query: Query) -> list[str]:
    """`sorted(reverse=True)` keeps the order of equals, as the table does."""
    return oracle(rows, query)


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, query=QUERIES)
def test_a_query_answers_as_the_slow_way_does(rows: list[tuple[Any, ...]], query: Query) -> None:
    table = TableQuery(frame_of(rows), "delta_id", ["one", "two", "number", "kind"])
    expected = reversed_stably(rows, query)
    page = table.page(query)
    assert (page.matched, page.total) == (len(expected), len(rows))
    assert page.pages == max(1, math.ceil(len(expected) / query.page_size))
    assert 1 <= page.number <= page.pages
    start = (page.number - 1) * query.page_size
    assert list(page.keys) == expected[start : start + query.page_size]


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, query=QUERIES)
def test_the_pages_together_are_the_answer(rows: list[tuple[Any, ...]], query: Query) -> None:
    table = TableQuery(frame_of(rows), "delta_id")
    first = table.page(query)
    seen: list[str] = []
    for number in range(1, first.pages + 1):
        asked = Query(**{name: getattr(query, name) for name in query.__slots__} | {"page": number})
        seen += table.page(asked).keys
    assert seen == oracle(rows, query)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""), (float("nan"), ""), (pd.NaT, ""), ("a", "a"), (True, "yes"), (3, "3"), (ABSENT, "(absent)"),
        (Verdict.BREAKING, "breaking"), (("b", "a"), "b, a"), (frozenset({"b", "a"}), "a, b"),
        ({"b": 1, "a": [1]}, '{"a":[1],"b":1}'), ({"n": 2**70}, '{"n":1180591620717411303424}'),
    ],
)  # fmt: skip
def test_values_become_the_text_that_a_reader_expects(value: object, shown: str) -> None:
    assert text_of(value) == shown


def test_a_row_is_found_by_its_key_whatever_the_order() -> None:
    table = TableQuery(frame_of([("x", "y", 1.0, "a"), ("z", "w", 2.0, "b")]), "delta_id", ["one", "two"])
    assert table.row("k1") == {"one": "z", "two": "w"}
    assert "k1" in table and "k9" not in table
    with pytest.raises(KeyError):
        table.row("k9")


def test_facet_values_come_with_their_counts() -> None:
    rows = [("x", "", 0.0, "a"), ("y", "", 0.0, "b"), ("x", "", 0.0, "a")]
    assert TableQuery(frame_of(rows), "delta_id").values("one") == (("x", 2), ("y", 1))


@pytest.mark.parametrize("ids", [["k", "k"], None])
def test_a_key_must_name_one_row(ids: list[str] | None) -> None:
    frame = pd.DataFrame({"x": [1, 2]}) if ids is None else pd.DataFrame({"delta_id": ids})
    with pytest.raises(ValueError, match="delta_id"):
        TableQuery(frame, "delta_id")


def test_what_is_shown_is_redacted() -> None:
    table = TableQuery(
        frame_of([("secret", "", 0.0, "a")]), "delta_id", ["one"], lambda text: text.replace("secret", "x")
    )
    assert table.page(Query()).rows == (("x",),)


def test_a_row_is_read_and_cleaned_once_and_counting_reads_none() -> None:
    cleaned: list[str] = []

    def clean(text: str) -> str:
        cleaned.append(text)
        return text

    rows = [("Order", "x y", 1.5, "a"), ("order", "7", -2.0, "b"), ("null", "ß", 0.0, None)]
    table = TableQuery(frame_of(rows), "delta_id", clean=clean)
    asked = Query(search="order", facets={"kind": ("a", "b")})
    assert table.count(asked) == 2 and cleaned == []
    assert table.page(asked).matched == 2
    before = len(cleaned)
    assert table.page(Query(search="order", sort="number")).rows and len(cleaned) == before
