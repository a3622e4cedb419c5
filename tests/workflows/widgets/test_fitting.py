"""A wide table can be read: columns are as wide as their words, empty ones are named and not shown."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from evreview.app.workbench import Workbench
from evreview.workflows.widgets.table import MANY, ROOM, TableRenderable


def pixels(html: str) -> int:
    """The width that a table asks for, 0 when it fits."""
    found = re.search(r"min-width:(\d+)px", html)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(("columns", "scrolls"), [(3, False), (31, True)])
def test_a_table_that_does_not_fit_scrolls_and_keeps_its_words_whole(columns: int, scrolls: bool) -> None:
    frame = pd.DataFrame([{f"column_{at}": "compatible" for at in range(columns)}])
    html = TableRenderable(frame=frame, title="t").to_html()
    assert (pixels(html) > ROOM, "evr-wide" in html) == (scrolls, scrolls)
    assert not scrolls or pixels(html) / columns >= 8 * len("compatible")


def test_columns_that_hold_nothing_are_named_below_a_wide_table() -> None:
    frame = pd.DataFrame([{f"c{at}": "x" if at % 2 else "" for at in range(MANY + 2)}] * 3)
    renderable = TableRenderable(frame=frame)
    assert "Columns without a value: C0, C2, C4, C6, C8." in renderable.to_text()
    assert renderable.to_markdown().splitlines()[0].count("|") == (MANY + 2) // 2 + 1
    assert "C0" in TableRenderable(frame=frame[["c0", "c1"]]).to_markdown().splitlines()[0]


@pytest.mark.parametrize("step", [2, 4])
def test_a_steps_ledger_shows_what_the_step_is_about(step: int) -> None:
    renderable = Workbench(headless=True).step(step)
    head = next(line for line in renderable.to_markdown().splitlines() if line.startswith("| Delta id"))
    assert ("Verdict" in head) == (step == 4) and head.count("|") - 1 <= 10
    assert "Further columns, in the register: " in renderable.to_text()
    assert pixels(renderable.to_html()) <= 1.3 * ROOM
