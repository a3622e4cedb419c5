"""The W1 notebook as a reviewer uses it: a real JupyterLab, offline; filter, open a row, answer a gate, run again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml_rs

from evreview.app.commands.run import notebook_copy


@pytest.fixture
def desk(demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the notebook that has a copy of the bundled review set."""
    work = tmp_path / "desk"
    work.mkdir()
    notebook_copy(demo_copy, work)
    return work


def show(page: Any, cell: str) -> None:
    """Bring a cell on the screen; the notebook does not draw the others."""
    page.evaluate(
        """name => { const panel = window.jupyterapp.shell.currentWidget; const content = panel.content;
        const at = [...content.model.cells].findIndex(c => c.id === name); content.activeCellIndex = at;
        return content.scrollToItem(at, 'start'); }""",
        cell,
    )
    page.wait_for_timeout(400)


def test_a_reviewer_filters_opens_and_answers(lab: Any, desk: Path, demo_copy: Path) -> None:
    before = (demo_copy / "decisions.yaml").read_text(encoding="utf-8")
    with lab(desk) as jupyter:
        page = jupyter.page
        assert jupyter.run_all(next(desk.glob("*.ipynb")).name) == []
        page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
        show(page, "matrix")
        rows = page.locator(".evr-row:visible")
        rows.first.wait_for()
        all_rows = rows.count()
        page.get_by_role("listbox", name="Verdict").select_option(index=0)
        page.get_by_text("matching rows shown").wait_for()
        assert 0 < rows.count() < all_rows
        key = rows.first.inner_text()
        rows.first.click()
        page.get_by_role("region", name=f"Delta {key}", exact=True).wait_for()
        assert page.locator(".evr-sides").count() == 1
        picture(page)
        answer(page)
        assert jupyter.outside == []
    after = (demo_copy / "decisions.yaml").read_text(encoding="utf-8")
    assert after.startswith(before.rstrip("[] \n"))
    entry = yaml_rs.loads(after)["decisions"][-1]
    assert (entry["kind"], entry["decision"], entry["note"]) == ("approval", "rejected", "not yet")


def answer(page: Any) -> None:
    """Fill in the first open gate."""
    show(page, "gates")
    page.get_by_role("combobox", name="Role").first.select_option(index=1)
    page.get_by_role("combobox", name="Decision").first.select_option(label="reject")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("textbox", name="Note").first.fill("not yet")
    page.get_by_role("button", name="Record answer").first.click()
    page.get_by_text("Appended to decisions.yaml").wait_for()


def picture(page: Any) -> None:
    """Keep a picture for the documentation when `EVREVIEW_PICTURE` names a file."""
    if wanted := os.environ.get("EVREVIEW_PICTURE"):
        show(page, "matrix")
        page.set_viewport_size({"width": 1400, "height": 1150})
        show(page, "matrix")
        page.evaluate("""() => { const top = document.querySelector('.jp-WindowedPanel-outer');
            const cell = document.querySelector('.evr-sort').closest('.jp-Cell').previousElementSibling;
            top.scrollTop += cell.getBoundingClientRect().top - top.getBoundingClientRect().top; }""")
        page.mouse.move(5, 5)
        page.wait_for_timeout(500)
        page.screenshot(path=wanted)
