"""Parameters of methods whose names begin with two underscores: given by position, or under another name."""

from __future__ import annotations

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract


def compared(before: str, after: str) -> Comparison:
    texts = (f"class _Door:\n    pass\n\nclass Door:\n    {it}\n        return 1\n" for it in (before, after))
    return compare(*(read_contract("doors.py", lambda _, text=text: text.encode()) for text in texts))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def open(self, __wide):", "def open(self, __far):"),
        ("def open(self, __wide, slow=1):", "def open(self, __far, slow=1):"),
        ("@classmethod\n    def open(cls, __wide):", "@classmethod\n    def open(cls, __far):"),
        ("@staticmethod\n    def open(__wide):", "@staticmethod\n    def open(__far):"),
        ("def __init__(self, __wide):", "def __init__(self, __far):"),
        ("def open(self, __wide, /):", "def open(self, __far, /):"),
        ("def open(self, __wide):", "def open(self, far, /):"),
    ],
)
def test_a_name_that_no_call_writes_may_change(before: str, after: str) -> None:
    assert not compared(before, after).breaking


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def open(self, wide):", "def open(self, far):"),
        ("def open(self, _wide):", "def open(self, _far):"),
        ("def open(self, __wide__):", "def open(self, __far__):"),
        ("def open(self, *, __wide):", "def open(self, *, __far):"),
        ("def open(self, __wide):", "def open(self):"),
        ("def open(self, __wide):", "def open(self, __wide, far):"),
    ],
)
def test_what_calls_write_breaks_them(before: str, after: str) -> None:
    breaking = compared(before, after).breaking
    assert breaking and {row.judgement.verdict for row in breaking} == {Verdict.BREAKING}
    assert not any("(__wide=" in str(row.proof.witness) for row in breaking)
