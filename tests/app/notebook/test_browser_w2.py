"""The W2 notebook as a reviewer uses it: a real JupyterLab, offline; open a square, dispose of a discrepancy."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml_rs

from evreview.app.commands.run import notebook_copy
from evreview.core.assets import demo_bundle as bundled


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A copy of the bundled reference."""
    return Path(shutil.copytree(bundled("w2"), tmp_path / "bundle"))


def test_an_owner_opens_a_square_and_disposes_of_a_discrepancy(lab: Any, bundle: Path, tmp_path: Path) -> None:
    work = tmp_path / "desk"
    work.mkdir()
    notebook_copy(bundle, work)
    with lab(work) as jupyter:
        page = jupyter.page
        assert jupyter.run_all(next(work.glob("*.ipynb")).name) == []
        page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
        jupyter.show("matrix")
        open_square(page)
        jupyter.show("discrepancies")
        dispose(page)
        assert jupyter.outside == []
    (entry,) = yaml_rs.loads((bundle / "decisions.yaml").read_text(encoding="utf-8"))["decisions"][-1:]
    assert (entry["kind"], entry["publish"], entry["note"]) == ("disposition", "withhold", "not yet")
    assert entry["of"] and entry["subject"].startswith("X-")


def open_square(page: Any) -> None:
    """Open a square that a discrepancy is about, by mouse, then another and close it, by keyboard."""
    square = page.locator(".evr-square").filter(has_text="≠").first
    square.wait_for()
    square.click()
    page.locator(".evr-three figure pre").first.wait_for()
    assert "linear-gradient" in square.evaluate("each => getComputedStyle(each).backgroundImage")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.dataset.of")
    assert focused and focused != square.get_attribute("data-of")
    page.keyboard.press("Enter")
    page.locator(f'.evr-square[aria-pressed=true][data-of="{focused}"]').wait_for()
    page.keyboard.press("Escape")
    page.locator(".evr-square[aria-pressed=true]").wait_for(state="detached")
    assert page.evaluate("document.activeElement.dataset.of") == focused


def dispose(page: Any) -> None:
    """Open a discrepancy and record its owner's word."""
    row = page.locator(".evr-live .evr-key:visible").first
    key = row.inner_text()
    row.click()
    page.get_by_role("region", name=f"Discrepancy {key}").wait_for()
    page.get_by_role("combobox", name="Role").first.select_option(index=1)
    page.get_by_role("combobox", name="Claims").first.select_option(index=2)
    page.get_by_role("checkbox", name="Reviewed: contract form").check()
    page.get_by_role("textbox", name="Decision").first.fill("the code is wrong")
    page.get_by_role("textbox", name="Note").first.fill("not yet")
    page.get_by_role("button", name="Record disposition").click()
    page.get_by_text("Appended to decisions.yaml").wait_for()
