"""Hostile evidence text in every position of every face, in a real JupyterLab: nothing runs, nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

HOSTILE = """
from datetime import UTC, datetime
import pandas as pd
from evreview.core.vocabulary import StepState
from evreview.workflows.widgets.two_sides import DetailView
from evreview.workflows.widgets.renderables import Document, Listing, Stack
from evreview.workflows.widgets.gate_form import GateForm
from evreview.workflows.widgets.row_table import LedgerView
from evreview.app.workbench import StepBar, StepMark
from evreview.workflows.widgets.row_table import TableRenderable
from evreview.workflows.widgets.table_markup import Column, Look
from evreview.workflows.engine.gates import Gate, GateSpec, GateState, Seat
E = '<img src=x onerror="window.__pwned=1">'
S = '</style><script>window.__pwned=2</script>'
A = '" onmouseover="window.__pwned=3" autofocus onfocus="window.__pwned=4'
M = '![x](https://evil.example.test/x.png) [y](javascript:window.__pwned=5) <iframe src=https://evil.example.test>'
ALL = E + S + A + M
"""
TABLE = """
frame = pd.DataFrame({"delta_id": [f"D-{i} {E}" for i in range(60)], E: [E, A, M] * 20, "b": [S, ALL, "plain"] * 20,
                      "look": [A, E, S] * 20})
detail = lambda key: DetailView(key=key, title=ALL, verdict=E, released=ALL, candidate=ALL, witness=ALL,
                                fields=((E, S), (A, M)), clients=((ALL, ALL, E),), message=ALL, commands=((S, A),))
LedgerView(frame=frame, facets=(E, "b"), detail=detail, title=ALL, name=ALL,
           columns=(Column(E, E), Column("b", A, Look.CODE), Column("look", S, Look.BADGE)))
"""
OTHERS = """
display(Document(source=ALL), Listing(title=ALL, lines=(E, S, A, M)), TableRenderable(frame=frame, title=ALL))
display(StepBar(steps=[StepMark(number=1, title=ALL, state=StepState.STOP, code=ALL)], current=1))
display(detail(ALL), Stack(parts=[Listing(title=A), detail(E)]))
"""
GATE = """
kept = []
gate = Gate(spec=GateSpec(id="ship-breaking-change", title=ALL, reviewed=(E, A), stages=(("api-owner",),)),
            state=GateState.OPEN, seats=(Seat(stands_for="api-owner", role=ALL),), missing=(ALL,))
GateForm(gates=[gate], append=kept.append, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))
"""


def test_hostile_text_does_nothing_anywhere(lab: Any, written: Callable[..., Path], tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    written(work / "hostile.ipynb", HOSTILE, TABLE, OTHERS, GATE)
    with lab(work) as jupyter:
        page = jupyter.page
        assert jupyter.run_all("hostile.ipynb") == []
        page.locator(".evr-key:visible").first.click()
        page.locator(".evr-sides").first.wait_for()
        page.get_by_role("searchbox", name="Search").first.press_sequentially("iframe")
        page.get_by_text("40 of 60 rows").first.wait_for()
        page.locator(".evr-sort:visible").nth(1).click()
        page.locator(".evr-asks select").first.select_option(index=1)
        page.get_by_role("combobox", name="Role").select_option(index=0)
        page.get_by_role("combobox", name="Decision").select_option(label="reject")
        page.get_by_role("textbox", name="Note").fill("<img src=x onerror='window.__pwned=6'>")
        page.get_by_role("button", name="Record answer").click()
        page.get_by_text("Appended to decisions.yaml").wait_for()
        page.locator(".evr td").first.hover()
        page.wait_for_timeout(500)
        assert page.evaluate("window.__pwned") is None
        assert page.locator(".evr img, .evr iframe, .evr script, .evr [onerror], .evr [onmouseover]").count() == 0
        assert jupyter.outside == []
