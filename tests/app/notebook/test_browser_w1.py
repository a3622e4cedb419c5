"""The W1 notebook as a reviewer uses it: a real JupyterLab, offline, by keys alone from the first screen to the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml_rs

from evreview.app.commands.run import notebook_copy
from tests.app.notebook.axe import violations

ACTIVE = "window.jupyterapp.shell.currentWidget.content.activeCell.model.id"


@pytest.fixture
def desk(demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the notebook that has a copy of the bundled review set."""
    work = tmp_path / "desk"
    work.mkdir()
    notebook_copy(demo_copy, work)
    return work


def test_a_reviewer_filters_opens_and_answers(lab: Any, desk: Path, demo_copy: Path) -> None:
    before = (demo_copy / "decisions.yaml").read_text(encoding="utf-8")
    with lab(desk) as jupyter:
        page = jupyter.page
        assert jupyter.run_all(next(desk.glob("*.ipynb")).name) == []
        page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
        answer(page)
        jupyter.show("matrix")
        rows = page.locator("[data-role=matrix] .evr-key:visible")
        rows.first.wait_for()
        assert rows.count() == 5 and says(page, "5 of 10 rows.")
        narrow(page)
        walk(page, rows)
        assert violations(page, ".evr-live") == []
        assert jupyter.outside == []
    after = (demo_copy / "decisions.yaml").read_text(encoding="utf-8")
    assert after.startswith(before.rstrip("[] \n"))
    entry = yaml_rs.loads(after)["decisions"][-1]
    assert (entry["kind"], entry["decision"], entry["note"]) == ("approval", "rejected", "not yet")


def narrow(page: Any) -> None:
    """Choose a filter by arrows and letters; JupyterLab takes neither for a command on the cell."""
    keys = page.keyboard
    verdict = page.locator("[data-role=matrix]").get_by_label("Verdict")
    cells = "window.jupyterapp.shell.currentWidget.content.model.cells.length"
    before = page.evaluate(cells)
    page.locator("[data-role=matrix]").get_by_role("searchbox").focus()
    tab_to(page, verdict)
    keys.press("ArrowDown")
    assert says(page, "5 of 10 rows.") and verdict.evaluate("each => each.selectedIndex") == 1
    keys.type("c")
    page.get_by_role("button", name="Hide compatible").wait_for()
    keys.type("dd")
    keys.press("Home")
    assert says(page, "10 rows.") and page.evaluate(cells) == before


def walk(page: Any, rows: Any) -> None:
    """Through the table by keys alone: rows, the card below one of them, back, search, sort."""
    keys = page.keyboard
    rows.first.focus()
    keys.press("ArrowDown")
    keys.press("End")
    keys.press("ArrowUp")
    assert focused(page) == rows.nth(8).inner_text()
    keys.press("Home")
    key = focused(page)
    keys.press("Enter")
    card = page.get_by_role("region", name=f"Delta {key}", exact=True)
    card.wait_for()
    assert rows.first.get_attribute("aria-expanded") == "true"
    below = rows.first.locator("xpath=ancestor::tr/following-sibling::tr[1]")
    assert below.get_attribute("id") == rows.first.get_attribute("aria-controls")
    keys.press("Tab")
    keys.press("Escape")
    card.wait_for(state="detached")
    assert focused(page) == key
    keys.press("/")
    keys.type("partially")
    assert says(page, "1 of 10 rows.")
    keys.press("Control+a")
    keys.press("Delete")
    assert says(page, "10 rows.")
    page.locator("[data-role=matrix]").get_by_role("button", name="What changes").focus()
    keys.press("Enter")
    page.locator("[data-role=matrix] th[aria-sort=ascending]").wait_for()
    assert focused(page).startswith("What changes")
    rows.first.focus()
    keys.press("Enter")


def says(page: Any, words: str) -> bool:
    """Wait until the live line of the matrix begins with the words."""
    line = page.locator("[data-role=matrix] .evr-line")
    for _ in range(50):
        if line.inner_text().startswith(words):
            return True
        page.wait_for_timeout(100)
    return False


def focused(page: Any) -> str:
    """The text of what has the focus."""
    return str(page.evaluate("document.activeElement.innerText"))


def answer(page: Any) -> None:
    """Up to the first screen, open the form, fill in every field, record: nothing is clicked or set by a script."""
    keys = page.keyboard
    for _ in range(40):
        if page.evaluate(ACTIVE) == "setup":
            break
        keys.press("ArrowUp")
        page.wait_for_timeout(50)
    button = page.get_by_role("button", name="Answer the open gates")
    tab_to(page, button)
    keys.press("Enter")
    screen = page.locator(".jp-OutputArea-output").filter(has=button)
    role = screen.get_by_role("combobox", name="Role").first
    role.wait_for()
    tab_to(page, role)
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    assert role.evaluate("each => each.selectedIndex") == 0
    decision = screen.get_by_role("combobox", name="Decision").first
    tab_to(page, decision)
    keys.type("rej")
    tab_to(page, screen.get_by_role("checkbox").first)
    keys.press("Space")
    tab_to(page, screen.get_by_role("textbox", name="Note").first)
    keys.type("not yet")
    tab_to(page, screen.get_by_role("button", name="Record answer").first)
    keys.press("Enter")
    screen.get_by_text("Appended to decisions.yaml").first.wait_for()


def tab_to(page: Any, wanted: Any) -> None:
    """Press Tab until the control has the focus."""
    passed = []
    for _ in range(40):
        page.keyboard.press("Tab")
        if wanted.evaluate("each => each === document.activeElement"):
            return
        passed.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
    raise AssertionError(f"Tab does not reach {wanted}: {passed[:8]}")
