"""What a reader sees in JupyterLab itself: light and dark, wide and narrow; and a ledger of 800 rows."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evreview.app.commands.run import notebook_copy
from evreview.core.assets import demo_bundle as bundled
from tests.app.notebook.axe import violations

LINES_OF_4 = 4 * 18 + 14
OURS = ".jp-OutputArea-output:has(.evr)"
WHOLE = """async () => { const content = window.jupyterapp.shell.currentWidget.content;
  content.notebookConfig = {...content.notebookConfig, windowingMode: 'none'};
  await window.jupyterapp.commands.execute('application:toggle-left-area'); }"""
THEME = "theme => void window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
LOOKS = "light => document.body.dataset.jpThemeLight === light"
FOUND = """ours => { const seen = each => each.checkVisibility();
  const outputs = [...document.querySelectorAll(ours)].filter(seen);
  const all = query => outputs.flatMap(each => [...each.querySelectorAll(query)]).filter(seen);
  const scrolls = each => /auto|scroll/.test(getComputedStyle(each).overflowX + getComputedStyle(each).overflowY)
    && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
  const said = each => each.outerHTML.slice(0, 160);
  return {
    outputs: outputs.length,
    page: document.documentElement.scrollWidth - innerWidth,
    wide: outputs.filter(each => each.scrollWidth > each.clientWidth + 1)
      .flatMap(each => [...each.querySelectorAll('*')].filter(one => one.checkVisibility()
        && !one.closest('.evr-scroll *')
        && one.getBoundingClientRect().right > each.getBoundingClientRect().left + each.clientWidth + 1)).map(said),
    unnamed: all('*').filter(each => scrolls(each) && !['TEXTAREA', 'SELECT'].includes(each.tagName)
      && (each.tabIndex < 0 || !each.getAttribute('aria-label'))).map(said),
  }; }"""

MANY = """
import sys
from dataclasses import replace
sys.path.insert(0, {project!r})
from evreview.app.explorer import explored
from evreview.core.vocabulary import Aspect
from tests.report.test_ledger_text import many
found, every = many(800), list(Aspect)
rows = [replace(row, delta=replace(row.delta, aspect=every[at % len(every)])) for at, row in enumerate(found.rows)]
explored(replace(found, rows=tuple(rows)))
"""
ROWS = """() => [...document.querySelectorAll('[data-role=matrix] .evr-grid tbody tr')]
  .map(each => each.getBoundingClientRect().height)"""
FACE = r"""() => { const at = query => [...document.querySelectorAll(`[data-role=matrix] ${query}`)];
  const one = each => { const range = document.createRange(); range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size; };
  const map = document.querySelector('[data-role=matrix] .evr-matrix');
  return {
    wider: map.scrollWidth - map.parentElement.clientWidth,
    lines: at('.evr-matrix tbody tr').length,
    heads: at('.evr-matrix .evr-head').length,
    squares: at('.evr-square').filter(each => one(each) !== 1).map(each => each.innerText),
    broken: at('.evr-head').filter(each => one(each) > each.innerText.trim().split(/[\s-]+/).length).length,
    ids: at('.evr-key').filter(each => one(each) !== 1).length,
    touching: at('.evr-grid .evr-badge').filter(each => each.getBoundingClientRect().right
      > each.parentElement.getBoundingClientRect().right - 4).length,
    grid: at('.evr-grid')[0].getBoundingClientRect().top / innerHeight,
  }; }"""
SIDEBAR = "async () => await window.jupyterapp.commands.execute('application:toggle-left-area')"
TIMED = """async () => { const times = [];
  for (let turn = 1; turn <= 8; turn++) {
    const table = document.querySelector('[data-role=matrix]');
    const choice = table.querySelector('select[data-of=operation]');
    const done = new Promise(resolve => new MutationObserver((_, watch) => { watch.disconnect(); resolve(); })
      .observe(table.querySelector('.evr-scroll:has(.evr-grid)'), {childList: true}));
    const start = performance.now();
    choice.selectedIndex = turn;
    choice.dispatchEvent(new Event('change', {bubbles: true}));
    await done;
    times.push([Math.round(performance.now() - start), table.querySelectorAll('.evr-grid tbody tr').length]);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return times; }"""


@pytest.mark.parametrize("workflow", ["w1", "w2", "w3"])
def test_every_output_has_room_and_no_fault_in_both_themes(lab: Any, workflow: str, tmp_path: Path) -> None:
    work = tmp_path / "desk"
    work.mkdir()
    notebook_copy(Path(shutil.copytree(bundled(workflow), tmp_path / "bundle")), work)
    with lab(work) as jupyter:
        page = jupyter.page
        assert jupyter.run_all(next(work.glob("*.ipynb")).name) == []
        page.evaluate(WHOLE)
        for theme, is_light in (("JupyterLab Light", "true"), ("JupyterLab Dark", "false")):
            page.evaluate(THEME, theme)
            page.wait_for_function(LOOKS, arg=is_light)
            for width in (1280, 800):
                page.set_viewport_size({"width": width, "height": 800})
                page.wait_for_timeout(800)
                found = page.evaluate(FOUND, OURS)
                assert found["outputs"] >= 7 and found["page"] <= 0
                assert (found["wide"], found["unnamed"]) == ([], []), (theme, width)
        # The saved notebooks are held against axe in the light, and so is the ledger below.
        assert violations(page, OURS) == []


def test_800_rows_keep_the_limits_and_are_sent_by_the_page(
    lab: Any, written: Callable[..., Path], project: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    written(work / "many.ipynb", MANY.format(project=str(project)))
    with lab(work) as jupyter:
        page = jupyter.page
        page.set_viewport_size({"width": 1280, "height": 800})
        assert jupyter.run_all("many.ipynb") == []
        page.evaluate(WHOLE)
        page.locator("[data-role=matrix] .evr-key").first.wait_for()
        page.evaluate(SIDEBAR)
        page.wait_for_timeout(500)
        face = page.evaluate(FACE)
        assert face["wider"] <= 0 and face["lines"] <= 9 and face["heads"] <= 9 and face["grid"] <= 1.2, face
        assert (face["squares"], face["broken"], face["ids"], face["touching"]) == ([], 0, 0, 0)
        page.evaluate(SIDEBAR)
        top = page.locator("[data-role=matrix]").bounding_box()["y"]
        page.get_by_role("button", name="Show compatible").click()
        page.get_by_text("50 of 800 rows").wait_for()
        heights, found = page.evaluate(ROWS), page.evaluate(FOUND, OURS)
        assert top / 800 <= 1.2 and len(heights) == 50 and max(heights) <= LINES_OF_4
        assert found["page"] <= 0 and (found["wide"], found["unnamed"], violations(page, OURS)) == ([], [], [])
        timed = page.evaluate(TIMED)
        assert all(0 < rows <= 50 for _, rows in timed), timed
        filter_by_square(page)


def filter_by_square(page: Any) -> None:
    """Filter to the rows of a square by keyboard, and show all again."""
    square = page.locator("button.evr-square[data-do=filter]").first
    square.focus()
    page.keyboard.press("Enter")
    page.locator("button.evr-square[aria-pressed=true]").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    told = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert int(told.rpartition(": ")[2].split()[0]) <= len(page.evaluate(ROWS)) < 50
    page.keyboard.press("Enter")
    page.locator("button.evr-square[aria-pressed=true]").wait_for(state="detached")
