"""The exported page in a real browser: complete by itself, in order for a screen reader, whole on paper, inert."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evreview.app.notebook.page import page
from evreview.report import escape

pytest.importorskip("playwright", reason="playwright is not installed")
CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "expected" / "demo" / "api-contract-review.md"
A4 = {"width": 695, "height": 1017}
"""The printable part of a page in CSS pixels, by the margins of the style."""
EVIL = '<img src=x onerror="window.__pwned=1"><script>window.__pwned=2</script>" onclick="window.__pwned=3'
HOSTILE = f"""# {escape.heading(EVIL)}

## {escape.heading(EVIL)}

{EVIL} [x](javascript:window.__pwned=4) <https://evil.example.test> ![y](https://evil.example.test/y.png)

<iframe src=https://evil.example.test></iframe><style>@import url(https://evil.example.test)</style>

| {escape.cell(EVIL)} | B | C | D | E | F | G | H |
| --- | --- | --- | --- | --- | --- | --- | --- |
| {escape.cell(EVIL)} | {EVIL} | {"x" * 400} | {escape.cell_code("y" * 400)} | {"/z" * 200} | f | g | h |

```http
{EVIL} {"w" * 500}
```
"""


@dataclass
class Shown:
    """A page in the browser, with what it said and what it asked for."""

    tab: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all pages; skips with the reason where there is none."""
    if not CHROMIUM.exists():
        pytest.skip("no browser: install Debian's chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield started
        started.close()


def artifact(name: str, request: pytest.FixtureRequest) -> str:
    """The Markdown of one page."""
    if name == "w2":
        return str(request.getfixturevalue("reference").artifact)
    return HOSTILE if name == "hostile" else GOLDEN.read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=["w1", "w2", "hostile"])
def shown(request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """The page of an artifact, opened from a file."""
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    path.write_text(page(artifact(request.param, request)), encoding="utf-8")
    opened = Shown(tab=browser.new_page(viewport={"width": 1400, "height": 1000}))
    opened.tab.on("console", lambda message: opened.said.append(message.text))
    opened.tab.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.tab.on("request", lambda asked: opened.asked.append(asked.url))
    opened.tab.goto(path.as_uri())
    yield opened
    opened.tab.close()


def test_it_says_no_error_asks_for_nothing_and_runs_nothing(shown: Shown) -> None:
    shown.tab.locator("td, p, pre").first.click()
    assert (shown.said, len(shown.asked)) == ([], 1)
    assert shown.tab.evaluate("window.__pwned") is None
    assert shown.tab.locator("script, img, iframe, object, link, form, input, [onclick], [onerror]").count() == 0


def test_title_language_and_the_order_of_headings(shown: Shown) -> None:
    levels = shown.tab.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert shown.tab.title().split() == shown.tab.locator("h1").inner_text().split()
    assert shown.tab.locator("html").get_attribute("lang") == "en"


def test_tables_have_names_and_headers(shown: Shown) -> None:
    tables = shown.tab.get_by_role("table")
    assert tables.count() == shown.tab.locator("table").count() > 0
    for table in tables.all():
        assert table.get_attribute("aria-label")
        heads = table.get_by_role("columnheader").count()
        assert heads and table.locator("tbody tr").first.get_by_role("cell").count() == heads


def test_the_keyboard_reaches_the_content_and_every_section(shown: Shown) -> None:
    shown.tab.evaluate("document.activeElement.blur(); window.getSelection().removeAllRanges(); scrollTo(0, 0)")
    first = shown.tab.locator("a").first
    assert first.inner_text() == "Skip to the content" and first.get_attribute("href") == "#content"
    first.focus()
    assert first.bounding_box()["x"] >= 0
    shown.tab.keyboard.press("Enter")
    assert shown.tab.evaluate("document.activeElement.id") == "content"
    links = shown.tab.get_by_role("navigation").get_by_role("link")
    assert links.count() == shown.tab.locator("h2").count() > 0
    missing = shown.tab.evaluate(
        "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.href)"
    )
    assert missing == []


@pytest.mark.parametrize("width", [1400, 700, 360])
def test_no_width_of_screen_scrolls_sideways(shown: Shown, width: int) -> None:
    shown.tab.emulate_media(media="screen")
    shown.tab.set_viewport_size({"width": width, "height": 900})
    assert shown.tab.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_nothing_is_cut_off(shown: Shown) -> None:
    shown.tab.set_viewport_size(A4)
    shown.tab.emulate_media(media="print")
    try:
        wide = shown.tab.evaluate(
            "w => [...document.querySelectorAll('table,pre,p,li,h1,h2,h3')]"
            ".filter(e => e.getBoundingClientRect().right > w + 1).map(e => e.innerText.slice(0, 80))",
            A4["width"],
        )
        assert wide == []
        assert not shown.tab.get_by_role("navigation").is_visible()
        assert shown.tab.evaluate("getComputedStyle(document.querySelector('.table')).overflowX") == "visible"
        printed = shown.tab.pdf(prefer_css_page_size=True)
    finally:
        shown.tab.emulate_media(media="screen")
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 1


def test_ink_stands_out_from_its_ground(shown: Shown) -> None:
    """WCAG's ratio of 4.5 for every cell and link."""
    shown.tab.emulate_media(media="screen")
    pairs = shown.tab.evaluate(
        """() => { const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
             if (!c.startsWith('rgba(0, 0, 0, 0')) return c; } return 'rgb(255, 255, 255)'; };
           return [...new Set([...document.querySelectorAll('td,th,a,code,p,li,h1,h2,h3')]
             .map(e => getComputedStyle(e).color + '|' + ground(e)))]; }"""
    )
    for ink, ground in (pair.split("|") for pair in pairs):
        light, dark = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


def luminance(colour: str) -> float:
    """The relative luminance of `rgb(r, g, b)`."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
