"""A wide table can be read: at most eight columns in the room of a notebook, the rest in the card of each row."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from evreview.app.workbench import Workbench
from evreview.workflows.widgets.row_table import LedgerView, TableRenderable
from evreview.workflows.widgets.table_markup import MOST, ROOM, Column, Look, is_cut, least_width, widths


def pixels(html: str) -> int:
    """The widest that a table of the page asks for."""
    return max(map(int, re.findall(r"min-width:(\d+)px", html)), default=0)


@pytest.mark.parametrize("columns", [1, 3, 31])
def test_no_table_asks_for_more_than_a_notebook_has(columns: int) -> None:
    frame = pd.DataFrame([{f"column_{at}": "compatible" for at in range(columns)}])
    html = TableRenderable(frame=frame, title="t").to_html()
    assert 0 < pixels(html) <= ROOM and html.count(' scope="col"') == min(columns + 1, MOST)


def test_columns_that_hold_nothing_give_way_in_a_wide_table() -> None:
    frame = pd.DataFrame([{f"c{at}": "x" if at % 2 else "" for at in range(MOST + 2)}] * 3)
    heads = TableRenderable(frame=frame).to_markdown().splitlines()[0]
    assert [cell.strip() for cell in heads.strip("|").split("|")] == ["No.", "C1", "C3", "C5", "C7", "C9"]
    assert "C0" in TableRenderable(frame=frame[["c0", "c1"]]).to_markdown().splitlines()[0]


@pytest.mark.parametrize("look", list(Look))
def test_every_kind_of_column_has_a_width_that_leaves_room(look: Look) -> None:
    columns = [Column("k", "K", Look.ID), *(Column(str(at), "x", look) for at in range(MOST - 1))]
    assert least_width(columns) <= ROOM and all(width >= 60 for width in widths(columns))


@pytest.mark.parametrize(("value", "cut"), [("short", False), ("word " * 80, True), ("a\nb\nc", True)])
def test_a_cell_of_more_than_two_lines_is_known_to_be_cut(value: str, cut: bool) -> None:
    assert is_cut([Column("a", "A"), *(Column(str(at), "x") for at in range(6))], [value, *"bcdefg"]) == cut


def test_more_columns_than_a_table_shows_are_refused() -> None:
    frame = pd.DataFrame([{"delta_id": "k", **{f"c{at}": "x" for at in range(MOST)}}])
    with pytest.raises(ValueError, match="card"):
        LedgerView(frame=frame, columns=tuple(Column(f"c{at}", "x") for at in range(MOST)))


@pytest.mark.parametrize("step", [2, 4])
def test_a_steps_ledger_shows_what_the_step_is_about(step: int) -> None:
    renderable = Workbench(headless=True).step(step)
    head = next(line for line in renderable.to_markdown().splitlines() if "| Delta id" in line)
    assert ("Verdict" in head) == (step == 4) and head.count("|") - 1 <= MOST
    assert pixels(renderable.to_html()) <= ROOM
