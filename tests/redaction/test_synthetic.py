"""Which values say of themselves that they are none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.redaction.placeholders import stands_in

SAYS_SO = re.compile(
    r"(?i)synthetic|example|sample|placeholder|dummy|redacted|changeme|change[_-]me|your[_-]|my[_-](?:token|secret|key|pass)"
    r"|changeit|replace[_-]?me|insert[_-]|fixme|todo|lorem|foobar|not[_-]?a[_-]?real|fake|x{4,}|\*{3,}|\.{3}|0{8,}|<[^>]*>|\$\{|\{\{|%\(|\$\("
    "|\\A[%\ufffd]\\w+%\\Z"
)
"""The same, written down as one expression."""
PARTS = ("Synthetic", "change", "_", "-", "me", "YOUR", "my", "key", "not", "a", "real", "xx", "X", "*", ".", "0000")
MARKS = ("<", ">", "$", "{", "(", "%", "\ufffd", "q7Rx2", "Lv9tB", "ToDo", "fa", "ke", "insert")


@given(st.lists(st.sampled_from(PARTS + MARKS), max_size=6).map("".join))
@settings(max_examples=500, deadline=None)
def test_a_value_stands_in_when_it_says_so(text: str) -> None:
    value = f"{text}q7Rx2"
    assert stands_in(value) == bool(SAYS_SO.search(value))
    if len(set(text)) != 4:
        assert stands_in(text) == (bool(SAYS_SO.search(text)) or len(set(text)) < 4)


@pytest.mark.parametrize("value", ["ddEEff22", "mole" + "elm", "aBaB1cc"])
def test_four_characters_are_enough_for_a_word_that_repeats_nothing_in_order(value: str) -> None:
    assert not stands_in(value)


@pytest.mark.parametrize("value", ["PASSWORD", "undefined", "aaaabbbb", "", "abcdabcd", "aabbccdd", "abcabc"])
def test_words_of_schemas_and_few_characters_stand_in(value: str) -> None:
    assert stands_in(value)
