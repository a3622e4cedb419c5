"""An artifact against the one that its bundle gives. Equal evidence gives equal bytes, so any difference was made."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from evreview.core.errors import Problem
from evreview.report.output_contract import violation

CODE: Final = "not-reproduced"
_ADVICE: Final = "Run the review again with this release, or name the bundle that the artifact was made from"


def check_reproduced(text: str, expected: str) -> Iterator[Problem]:
    """One problem per run of lines that the bundle does not give, or that it gives and the artifact lacks.

    Args:
        text: the artifact.
        expected: what a review of the bundle writes.
    """
    given, made = text.splitlines(), expected.splitlines()
    first = _common(given, made)
    last = _common(given[first:][::-1], made[first:][::-1])
    inner = (given[first : len(given) - last], made[first : len(made) - last])
    for tag, start, end, lacks, until in SequenceMatcher(None, *inner, autojunk=False).get_opcodes():
        line = first + start + 1
        if tag == "insert":
            yield violation(CODE, f"{_lines(until - lacks)} of the bundle's review missing here", line, _ADVICE)
        elif tag != "equal":
            yield violation(CODE, f"{_lines(end - start)} not what the bundle gives", line, _ADVICE)


def _common(one: list[str], other: list[str]) -> int:
    """How many lines both begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"
