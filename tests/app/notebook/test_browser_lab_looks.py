"""What a reader sees in JupyterLab itself: light and dark, wide and narrow."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from evreview.app.commands.run import notebook_copy
from evreview.core.assets import demo_bundle as bundled
from tests.app.notebook.axe import violations

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
                assert violations(page, OURS) == [], (theme, width)
