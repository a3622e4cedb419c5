"""The exported page in a real browser: complete by itself, in order for a screen reader, whole on paper, inert."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evreview.report import escape
from evreview.report.pages.artifact_page import page
from tests.app.notebook.axe import violations
from tests.browser import PLACES, SCREEN, Shown, opened

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
ARTIFACTS = {
    "w1": "expected/demo/api-contract-review.md",
    "w2": "expected_w2/demo/api-reference.md",
    "w3": "expected_w3/demo/security-review.md",
}
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


def artifact(name: str) -> str:
    """The Markdown of one page."""
    return HOSTILE if name == "hostile" else (GOLDEN / ARTIFACTS[name]).read_text(encoding="utf-8")


def written(name: str, place: Path) -> Path:
    """The page of an artifact, as a file."""
    path = place / f"{name}.html"
    path.write_text(page(artifact(name)), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=[*ARTIFACTS, "hostile"])
def shown(request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """The page of an artifact, opened from a file."""
    with opened(browser, written(request.param, tmp_path_factory.mktemp("page"))) as found:
        yield found


def test_it_says_no_error_asks_for_nothing_and_runs_nothing(shown: Shown) -> None:
    shown.tab.locator("td, p, pre").first.click()
    assert (shown.said, len(shown.asked)) == ([], 1)
    assert shown.tab.evaluate("window.__pwned") is None
    assert shown.tab.locator("img, iframe, object, link, form, [onclick], [onerror]").count() == 0
    assert shown.tab.locator("script").count() == 1


def test_title_language_and_the_order_of_headings(shown: Shown) -> None:
    levels = shown.tab.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert shown.tab.title().split() == shown.tab.locator("h1").inner_text().split()
    assert shown.tab.locator("html").get_attribute("lang") == "en"


def test_tables_have_names_and_headers(shown: Shown) -> None:
    tables = shown.tab.get_by_role("table")
    assert tables.count() > 0 and shown.tab.locator("table:not([aria-label])").count() == 0
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
    assert links.count() >= shown.tab.locator("h2").count() > 0
    missing = shown.tab.evaluate(
        "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.href)"
    )
    assert missing == []


@pytest.mark.parametrize("width", [1400, 1280, 800, 360])
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
        hidden = "[...document.querySelectorAll('details > div')].filter(e => !e.checkVisibility()).length"
        assert shown.tab.evaluate(hidden) == 0
        printed = shown.tab.pdf(prefer_css_page_size=True)
    finally:
        shown.tab.emulate_media(media="screen")
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 1


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (800, "dark")])
def test_axe_faults_nothing(shown: Shown, width: int, scheme: str) -> None:
    """Folded, and with every card open."""
    shown.tab.set_viewport_size({"width": width, "height": SCREEN})
    shown.tab.emulate_media(color_scheme=scheme)
    for is_open in ("false", "true"):
        shown.tab.evaluate(f"document.querySelectorAll('details').forEach(d => d.open = {is_open})")
        shown.tab.evaluate("dispatchEvent(new Event('resize'))")
        assert violations(shown.tab) == []
    shown.tab.emulate_media(color_scheme="light")


@pytest.mark.parametrize("name", ARTIFACTS)
def test_the_answer_stands_within_the_limits(name: str, browser: Any, tmp_path: Path) -> None:
    with opened(browser, written(name, tmp_path)) as found:
        top = found.tab.evaluate(PLACES)
        assert 0 < top["decision"] <= 0.3 and 0 < top["next"] <= 0.9 and 0 < top["matrix"] <= 1.2, top
        too_wide = """() => { document.querySelectorAll('details').forEach(d => d.open = true);
          return [...document.querySelectorAll('.table')].filter(e => e.scrollWidth > e.clientWidth + 1)
            .map(e => e.getAttribute('aria-label')); }"""
        assert found.tab.evaluate(too_wide) == []


@pytest.mark.parametrize("name", ARTIFACTS)
def test_every_scroller_has_a_name_and_a_tab_stop_and_nothing_else_has_one(
    name: str, browser: Any, tmp_path: Path
) -> None:
    with opened(browser, written(name, tmp_path)) as found:
        for width in (1280, 800):
            found.tab.set_viewport_size({"width": width, "height": SCREEN})
            found.tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            found.tab.evaluate("dispatchEvent(new Event('resize'))")
            wrong = """() => [...document.querySelectorAll('main *')].filter(e => {
              const scrolls = e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'auto';
              return scrolls !== (e.tabIndex === 0 && (e.matches('.table, .picture')))
                || (scrolls && !e.getAttribute('aria-label')); }).map(e => e.outerHTML.slice(0, 80))"""
            assert found.tab.evaluate(wrong) == []


@pytest.mark.parametrize("name", ARTIFACTS)
def test_without_script_the_page_is_whole_and_links_open_their_cards(name: str, browser: Any, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    with opened(browser, path, java_script_enabled=False) as found:
        assert found.tab.locator("main").inner_text()
        inputs = found.tab.locator("input, button").count()
        link = found.tab.locator("td a[href^='#']:not([href^='#E'])").first
        target = str(link.get_attribute("href"))[1:]
        folded = found.tab.locator(f"#{target}")
        found.tab.goto(f"{path.as_uri()}#{target}")
        assert (inputs, folded.is_visible(), folded.count()) == (0, True, 1)


def test_search_and_order_come_with_the_script(browser: Any, tmp_path: Path) -> None:
    rows = "\n".join(f"| {number} | E1 |" for number in range(40, 0, -1))
    path = tmp_path / "many.html"
    path.write_text(page(f"# T\n\n## A\n\n| N | Evidence |\n| --- | --- |\n{rows}\n"), encoding="utf-8")
    with opened(browser, path) as found:
        seen = found.tab.locator("tbody tr:visible")
        found.tab.get_by_role("searchbox").fill("4")
        assert seen.count() == 5 and found.tab.get_by_role("status").inner_text() == "5 of 40 rows"
        found.tab.get_by_role("searchbox").fill("")
        found.tab.get_by_role("button", name="N", exact=True).press("Enter")
        assert seen.first.locator("td").first.inner_text() == "1" and found.said == []
        assert found.tab.locator("th[aria-sort=ascending]").count() == 1 and violations(found.tab) == []


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
