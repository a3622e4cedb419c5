"""The executed notebooks as a reader meets them in Chromium: saved as HTML, light and dark, wide and narrow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.notebook.axe import violations
from tests.app.notebook.saved import Saved, saved
from tests.browser import PLACES, opened

LINE, EDGE = 18, 14
MEASURE = """() => {
  const seen = each => each.checkVisibility();
  const all = query => [...document.querySelectorAll(query)].filter(seen);
  const scrolls = each => /auto|scroll/.test(getComputedStyle(each).overflowX + getComputedStyle(each).overflowY)
    && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1);
  return {
    screens: document.documentElement.scrollHeight / innerHeight,
    sideways: document.documentElement.scrollWidth - innerWidth,
    wide: all('.evr table').filter(each => each.getBoundingClientRect().width > each.parentElement.clientWidth + 1)
      .map(each => [each.innerText.slice(0, 60), each.closest('[role=region][aria-label][tabindex="0"]') !== null]),
    rows: all('.evr tbody tr:not(.evr-below)')
      .map(each => [each.getBoundingClientRect().height, each.innerText.slice(0, 60)]),
    unreached: all('.evr *').filter(each => scrolls(each) && each.tabIndex < 0)
      .map(each => each.outerHTML.slice(0, 120)),
    cells: all('.evr .evr-grid td').filter(each => /<br|&lt;|<img/.test(each.innerText)).map(each => each.innerText),
  };
}"""


@pytest.fixture(scope="module", params=["w1", "w2", "w3"], name="saved")
def _saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Saved:
    return saved(request.param, tmp_path_factory.mktemp("saved"))


def test_the_answer_comes_first_and_the_whole_is_short(browser: Any, saved: Saved) -> None:
    with opened(browser, saved.light) as shown:
        top, found = shown.tab.evaluate(PLACES), shown.tab.evaluate(MEASURE)
    assert 0 < top["decision"] <= 0.3 and 0 < top["next"] < 1 and 0 < top["matrix"] <= 1.2, top
    assert found["screens"] <= 12


@pytest.mark.parametrize("width", [1280, 800])
def test_every_table_has_room_or_scrolls_where_a_keyboard_reaches_it(browser: Any, saved: Saved, width: int) -> None:
    with opened(browser, saved.light, width) as shown:
        found = shown.tab.evaluate(MEASURE)
    assert found["sideways"] <= 0 and found["unreached"] == [] and found["cells"] == []
    assert [text for text, reached in found["wide"] if width == 1280 or not reached] == []
    if width == 1280:
        assert [text for height, text in found["rows"] if height > 4 * LINE + EDGE] == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 800)])
def test_axe_faults_nothing_in_our_outputs(browser: Any, saved: Saved, theme: str, width: int) -> None:
    """What stands around them is Jupyter's own: its prompts and its code cells are not ours."""
    with opened(browser, getattr(saved, theme), width) as shown:
        assert violations(shown.tab, ".evr") == []


def test_a_row_opens_below_itself_without_a_script(browser: Any, saved: Saved) -> None:
    with opened(browser, saved.light) as shown:
        key = shown.tab.locator(".evr-grid summary:visible").first
        below = key.locator("xpath=ancestor::tr/following-sibling::tr[1]")
        assert not below.is_visible()
        key.focus()
        shown.tab.keyboard.press("Enter")
        assert below.is_visible() and key.evaluate("each => each.parentElement.open")
        assert violations(shown.tab, ".evr") == []
