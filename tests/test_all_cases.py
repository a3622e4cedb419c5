"""Tests about cases that are tried in one test: a failing one hides no other."""

from __future__ import annotations

import pytest

from tests.all_cases import all_cases


def test_every_failing_case_is_named_with_its_reason() -> None:
    tried = []

    @all_cases([2, 0, 4, 1], name=lambda number: f"case-{number}")
    def halves(number: int) -> None:
        tried.append(number)
        assert 4 / number < 4, "too large"

    with pytest.raises(AssertionError) as caught:
        halves()
    assert tried == [2, 0, 4, 1]
    told = [line for line in str(caught.value).splitlines() if line.startswith("case-")]
    assert told == ["case-0: ZeroDivisionError division by zero", "case-1: AssertionError too large"]


def test_cases_that_all_pass_are_silent() -> None:
    @all_cases("abc", name=str)
    def known(letter: str) -> None:
        assert letter in "abc"

    known()
