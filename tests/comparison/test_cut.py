"""Forms of differences without effect are cut for display; their ids are not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from evreview.comparison.wire_forms import cut
from evreview.core.vocabulary import ABSENT
from tests.comparison.pairs import diff, document, get

MARK = re.compile(r"… \[cut: \d+ characters, sha256:[0-9a-f]{16}\]$")
SECRET = "S" * 80


@pytest.mark.parametrize("form", [ABSENT, None, True, 7, "x" * 400, {"a": 1}, ["b"] * 20])
def test_short_forms_stay(form: Any) -> None:
    assert cut(form) is form


@pytest.mark.parametrize(
    ("form", "start"),
    [
        pytest.param("word " * 100, "word word", id="text"),
        pytest.param("x" * 401, "… [cut: 401 ", id="one-word"),
        pytest.param({f"k{at:03}": "a b" for at in range(99)}, '{"k000":"a b","k001"', id="object"),
        pytest.param(["a, b"] * 200, '["a, b","a, b"', id="list"),
    ],
)
def test_long_forms_are_marked(form: Any, start: str) -> None:
    found = cut(form)
    assert isinstance(found, str) and found.startswith(start) and MARK.search(found) and len(found) < 460


@pytest.mark.parametrize("lead", [*range(320, 402, 9)])
def test_no_half_of_a_word_or_member_is_shown(lead: int) -> None:
    filler = ("word " * 100)[: lead - 1] + " "
    for form in (f"{filler}{SECRET} end", {"a": filler, "b": f"{SECRET} x", "c": "y" * 99}):
        assert str(cut(form)).count("S") in (0, len(SECRET))


def test_a_difference_at_the_end_still_shows() -> None:
    assert cut("word " * 100 + "a") != cut("word " * 100 + "b")


def test_noise_is_cut_and_keeps_its_id() -> None:
    def noise(text: str) -> Any:
        sides = [document({"/a": get({"type": "string", "description": words})}) for words in ("short", text)]
        (found,) = diff(*sides).noise
        return found.delta

    long = noise("word " * 1000)
    assert long.released == "short" and MARK.search(long.candidate) and len(long.candidate) < 460
    assert long.id == noise("word " * 1000).id != noise("word " * 1000 + "more").id
