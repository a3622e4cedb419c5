"""The page of a ledger in a real browser: within the limits, no fault of axe, whole without script, quick."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evreview as ev
from evreview.comparison.comparison import Comparison
from evreview.core.assets import demo_bundle
from tests.app.notebook.axe import violations
from tests.browser import PLACES, SCREEN, opened
from tests.report.pages.test_ledger_page import empty, page
from tests.report.test_ledger_text import many


def demo() -> Comparison:
    folder = demo_bundle() / "contracts"
    return ev.diff(folder / "orders-1.4.yaml", folder / "orders-1.5.yaml")


MADE = {"demo": demo, "empty": empty, "searched": lambda: many(70)}


@pytest.fixture(scope="module", params=MADE)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page of a comparison."""
    path = tmp_path_factory.mktemp("ledger") / f"{request.param}.html"
    path.write_text(page(MADE[request.param]()), encoding="utf-8")
    yield path


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (800, "dark")])
def test_axe_faults_nothing_and_nothing_scrolls_sideways(file: Path, browser: Any, width: int, scheme: str) -> None:
    with opened(browser, file, color_scheme=scheme) as found:
        found.tab.set_viewport_size({"width": width, "height": SCREEN})
        assert found.tab.evaluate("document.documentElement.scrollWidth") <= width
        first = "document.querySelectorAll('details.card, details.fold').forEach((d, i) => d.open = i < 20)"
        assert violations(found.tab) == [] and found.tab.evaluate(first) is None
        assert (violations(found.tab), found.said, len(found.asked)) == ([], [], 1)


def test_the_answer_stands_within_the_limits(file: Path, browser: Any) -> None:
    with opened(browser, file) as found:
        top = found.tab.evaluate(PLACES)
        assert top["decision"] <= 0.3 and top["next"] <= 0.9 and top["matrix"] <= 1.2, top
        wide = "[...document.querySelectorAll('.table')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
        assert found.tab.evaluate(wide) == 0


def test_without_script_a_link_opens_its_card(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "demo.html"
    path.write_text(page(demo()), encoding="utf-8")
    with opened(browser, path, java_script_enabled=False) as found:
        link = found.tab.locator("tbody th a").first
        card = found.tab.locator(str(link.get_attribute("href")))
        assert not card.is_visible() and found.tab.locator("button, input").count() == 0
        found.tab.goto(f"{path.as_uri()}{link.get_attribute('href')}")
        assert card.is_visible()


def test_search_keeps_rows_and_their_cards(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    path.write_text(page(many(800)), encoding="utf-8")
    with opened(browser, path) as found:
        started = time.monotonic()
        found.tab.get_by_role("searchbox").first.fill("/things/7")
        rows = found.tab.locator("[data-role=matrix] tbody tr:visible")
        assert 0 < rows.count() < 40 and time.monotonic() - started < 5
        assert found.tab.locator("[data-role=matrix] details.card:visible").count() == rows.count()
