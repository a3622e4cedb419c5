"""A quote stands on its lines, elsewhere, or nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.evidence.citation import check_quote

TEXT = "first line\n\tsecond   line\nthird = 3\nthird = 3\n"


@pytest.mark.parametrize(
    ("lines", "quote", "fault", "found"),
    [
        ("1", "first", "", ""),
        ("2", "second line", "", ""),
        ("1-2", "line second", "", ""),
        (" 3 ", "third = 3", "", ""),
        ("4", "first", "elsewhere", "line 1"),
        ("4", "line second", "elsewhere", "other lines of it"),
        ("1", "third", "elsewhere", "line 3"),
        ("1", "fourth", "nowhere", ""),
        ("1", "=", "wordless", ""),
        ("5", "first", "lines", ""),
        ("0", "first", "lines", ""),
        ("2-1", "first", "lines", ""),
        ("1,2", "first", "lines", ""),
        ("L1", "first", "lines", ""),
        ("1-99999999999", "first", "lines", ""),
    ],
)
def test_where_a_quote_stands(lines: str, quote: str, fault: str, found: str) -> None:
    checked = check_quote(TEXT, lines, quote)
    assert (checked.fault, checked.found) == (fault, found)


@pytest.mark.parametrize(
    ("lines", "quote", "windows"),
    [
        ("1-4", "third = 3", ((3, 3), (4, 4))),
        ("1-4", "line second", ((1, 2),)),
        ("1-4", "line third = 3", ((2, 3),)),
        ("2-3", "second line", ((2, 2),)),
        ("1-4", "third = 3 third = 3", ((3, 4),)),
        ("1", "fourth", ()),
    ],
)
def test_which_lines_a_quote_takes_up(lines: str, quote: str, windows: tuple[tuple[int, int], ...]) -> None:
    assert check_quote(TEXT, lines, quote).windows == windows


@given(st.lists(st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,3}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_a_line_stands_on_itself_and_only_where_it_is(lines: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(lines) - 1))
    content = "\n".join(lines)
    assert check_quote(content, str(place + 1), lines[place]).fault == ""
    other = data.draw(st.integers(0, len(lines) - 1))
    stands = lines[place] in lines[other]
    assert (check_quote(content, str(other + 1), lines[place]).fault == "") is stands
