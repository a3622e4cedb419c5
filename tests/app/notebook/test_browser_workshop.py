"""A workshop as a participant does it: a real JupyterLab, offline; an answer, the gates in their form, opened again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evreview.app.workshop import Workshop
from evreview.app.workshop.folder import NOTEBOOK, lay_out
from evreview.app.workshop.w1 import NO_ROUTE
from evreview.app.workshop.workshop import notebook_of

WRITE_AND_RUN = """async ([name, source]) => { const panel = window.jupyterapp.shell.currentWidget;
  const content = panel.content; const at = [...content.model.cells].findIndex(c => c.id === name);
  content.activeCellIndex = at; await content.scrollToItem(at, 'start');
  const cell = content.model.cells.get(at); if (source !== null) cell.sharedModel.setSource(source);
  await window.jupyterapp.commands.execute('notebook:run-cell');
  return JSON.stringify(cell.outputs.toJSON().map(o => o.data ?? o)); }"""


def run(page: Any, cell: str, source: str | None = None) -> str:
    """Write into a cell, run it, and give what it shows."""
    shown: str = page.evaluate(WRITE_AND_RUN, [cell, source])
    return shown


def test_a_participant_answers_and_comes_back(lab: Any, tmp_path: Path) -> None:
    folder = tmp_path / "desk" / "shop"
    folder.parent.mkdir()
    lay_out(folder, "w1", json.dumps(notebook_of("w1")))
    gates = Workshop("w1", folder, headless=True).review.review.facts.gates
    seats = [str(seat) for gate in gates for seat in gate.waiting]
    with lab(folder) as jupyter:
        page = jupyter.page
        assert jupyter.run_all(NOTEBOOK) == []
        assert "not yet" in run(page, "check-1", 'check(1, "D-94d9")')
        failing = json.loads(run(page, "standing", "sorted(workshop.exercises[0].key(workshop).right)[0][:8]"))
        assert "right" in run(page, "check-1", f"check(1, {failing[0]['text/plain']})")
        run(page, "answer-6")
        for seat in seats:
            approve(page, seat)
        assert "permitted" in run(page, "first-screen")
        assert "stopped" in run(page, "standing", f"change(*{tuple(NO_ROUTE)!r})")
        assert "right" in run(page, "check-6", "check(6, 'step 7')")
        assert jupyter.run_all(NOTEBOOK) == []
        assert "Solved: 2 of 6" in run(page, "setup")
        assert jupyter.outside == []


def approve(page: Any, seat: str) -> None:
    """Approve the first open gate for a role, with everything reviewed, and wait until the form is drawn anew."""
    button = page.get_by_role("button", name="Record answer").first
    form = page.locator(".jp-Cell").filter(has=button).first
    form.get_by_role("combobox", name="Role").first.select_option(label=seat)
    form.get_by_role("combobox", name="Decision").first.select_option(label="approve")
    boxes = form.get_by_role("checkbox")
    for at in range(boxes.count()):
        boxes.nth(at).check()
    answered = form.get_by_text("has not answered").count()
    button.click()
    page.wait_for_function(
        "before => [...document.querySelectorAll('.evr-list li')]"
        ".filter(each => each.innerText.includes('has not answered')).length < before",
        arg=answered,
    )
