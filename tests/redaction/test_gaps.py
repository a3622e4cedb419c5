"""A text with gaps fits a whole one when what is shown stands there in order."""

from __future__ import annotations

import pytest

from evreview.redaction.detector import fits


@pytest.mark.parametrize(
    ("parts", "whole", "expected"),
    [
        (["ab"], "ab", True),
        (["ab"], "abc", False),
        (["a", "c"], "abc", True),
        (["a", "c"], "ac", True),
        (["ab", "bc"], "abc", False),
        (["a", "x", "c"], "a-x-c", True),
        (["a", "x", "y", "c"], "a-y-x-c", False),
        (["", ""], "", True),
        (["", "c"], "b", False),
    ],
)
def test_parts_fit_the_whole_in_their_order(parts: list[str], whole: str, expected: bool) -> None:
    assert fits(parts, whole) is expected
