"""The page on test results names every format."""

from __future__ import annotations

from typing import get_args

from evreview.evidence.test_results.model import Format
from tools.pages.test_results import FORMATS, results_page


def test_every_format_is_described_once() -> None:
    assert sorted(note.id for note in FORMATS) == sorted(get_args(Format))
    assert all(results_page().count(f"| `{note.id}` |") == 1 for note in FORMATS)
