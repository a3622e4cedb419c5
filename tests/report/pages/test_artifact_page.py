"""The page that an artifact becomes: its elements, its title, and hostile text that stays text."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.report import escape
from evreview.report.markdown import Cell, citations_in, cited, parse_document
from evreview.report.pages.artifact_page import page
from evreview.report.pages.evidence_list import Shown
from evreview.report.pages.frame import SCRIPT

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "expected"
ARTIFACTS = sorted(GOLDEN.parent.glob("expected*/*/*.md"))
MADE = {
    "html", "head", "meta", "title", "style", "body", "a", "nav", "ul", "ol", "li", "main", "h1", "h2", "h3", "h4",
    "p", "strong", "em", "dl", "dt", "dd", "code", "pre", "div", "table", "thead", "tbody", "tr", "th", "td", "br",
    "wbr", "hr", "blockquote", "h5", "h6", "details", "summary", "b", "mark", "script", "figure",
    "svg", "g", "path", "rect", "text", "desc", "defs", "marker",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "tabindex", "scope", "role",
    "aria-label", "start", "data-role", "data-id", "data-label", "data-cite", "data-evidence", "data-digest",
    "data-copy", "data-verdict", "data-group", "xmlns", "viewbox", "width", "height", "font-family", "font-size",
    "fill", "stroke", "stroke-width", "stroke-dasharray", "d", "x", "y", "rx", "text-anchor", "font-weight",
    "aria-labelledby", "aria-hidden", "refx", "refy", "markerwidth", "markerheight", "orient", "marker-end",
    "textlength", "lengthadjust",
}  # fmt: skip
EVIL = (
    "<img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>",
    "[x](javascript:alert(1)) ![y](https://evil.example.test/y.png) <https://evil.example.test>",
    "</style><style>*{display:none}</style><br onclick=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "<iframe src=https://evil.example.test>\n<!-- <b> -->\n[r]: javascript:alert(1)",
)


class Elements(HTMLParser):
    """Every opened element with its attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def check(html: str) -> None:
    """Only the page's own elements and attributes, and nothing to load."""
    for name, attributes in Elements(html).found:
        assert name in MADE, name
        assert set(attributes) <= ATTRIBUTES, attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert html.count("<script") == 1 and html.count(f"<script>{SCRIPT}</script>") == 1


@pytest.mark.parametrize("path", ARTIFACTS, ids=lambda path: f"{path.stem}-{path.parent.name}")
def test_every_golden_artifact_becomes_a_page(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    html = page(source)
    check(html)
    title = re.search(r"^# (.+)$", source, re.MULTILINE)
    assert title and f"<title>{title[1]}</title>" in html
    heads = [attributes for name, attributes in Elements(html).found if name == "th"]
    assert heads and all(attributes["scope"] == "col" for attributes in heads)
    ids = re.findall(r" id=\"([^\"]+)\"", html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"href=\"#([^\"]+)\"", html)) <= set(ids)


@pytest.mark.parametrize("text", EVIL)
@pytest.mark.parametrize("frame", ["{}\n", "# {}\n\n## {}\n", "# T\n\n| {} |\n| --- |\n| {} |\n", "`{}`\n", "- {}\n"])
def test_markup_in_the_markdown_stays_text(frame: str, text: str) -> None:
    check(page(frame.format(text, text)))


@given(st.text(max_size=60))
def test_no_text_becomes_an_element(text: str) -> None:
    prose = escape.prose(text)
    html = page(f"# {prose}\n\n{text}\n\n| {escape.cell(text)} |\n| --- |\n| {escape.cell_code(text)} |\n")
    check(html)


def test_a_break_of_ours_is_a_break_and_one_of_the_evidence_is_text() -> None:
    html = page(f"| A |\n| --- |\n| one<br>two {escape.cell('x<br>y')} |\n")
    assert "one<br>two" in html and "x&lt;br&gt;y" in html


def test_citations_lead_to_the_rows_of_the_items() -> None:
    listed = "### Evidence items\n\n| Type | Evidence |\n| --- | --- |\n| `policy` | E1 |\n"
    html = page(f"# T\n\nA claim. [E1#/a/b, E2]\n\n`E1`\n\n{listed}")
    assert '<tr id="E1"' in html and html.count('<a href="#E1"') == 2 and 'href="#E2"' not in html


@pytest.mark.parametrize(
    ("target", "leads"),
    [("#d-0123456789ab", "d-0123456789ab"), ("#f-0123456789ab", "f-0123456789ab"), ("#get-v1orders", "a-get-v1-orders"),
     ("#nowhere", ""), ("#d-xyz", ""), ("https://example.com", ""), ("javascript:alert(1)", ""), ("d-0123456789ab", ""),
     ("//e.com#d-01234567", "")],
)  # fmt: skip
def test_only_a_link_to_a_heading_is_a_link(target: str, leads: str) -> None:
    html = page(
        f"# T\n\n## A\n\n[word]({target})\n\n### `GET /v1/orders`\n\n#### d-0123456789ab\n\n#### f-0123456789ab\n"
    )
    check(html)
    assert (f'<a href="#{leads}">word</a>' in html) if leads else ("word" in html and ">word</a>" not in html)


def test_headings_with_the_same_words_have_their_own_ids() -> None:
    html = page("# T\n\n## A\n\n### X\n\n## B\n\n### X\n\n### X\n\n## content\n")
    assert re.findall(r"<h\d id=\"([^\"]+)\"", html) == ["t", "a", "a-x", "b", "b-x", "b-x-2", "content-2"]
    assert re.findall(r"<li><a href=\"#([^\"]+)\"", html) == ["a", "a-x", "b", "b-x", "b-x-2", "content-2"]


def test_the_policy_admits_the_one_style_and_the_one_small_script_and_nothing_else() -> None:
    html = page("# T\n")
    digests = []
    for name in ("style", "script"):
        (text,) = re.findall(rf"<{name}>(.*?)</{name}>", html, flags=re.DOTALL)
        digests.append(b64encode(sha256(text.encode()).digest()).decode())
    style, script = digests
    assert f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'" in html
    assert len(SCRIPT.encode()) <= 4096


def test_a_page_without_a_heading_has_a_title() -> None:
    assert "<title>Review</title>" in page("")


# The same claims, the same citations.


class Told(HTMLParser):
    """Statements, cells and citations of a page, as its reader meets them; code stands in cells only."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.statements: list[str] = []
        self.cells: list[str] = []
        self.citations: list[str] = []
        self._open: list[tuple[str, list[str]]] = []
        self._code = 0
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("li", "p", "td", "th"):
            self._open.append((tag, []))
        elif tag == "code":
            self._code += 1
        elif tag == "br" and self._open:
            self._open[-1][1].append(" ")
        if tag == "a" and (cite := dict(attrs).get("data-cite")):
            self.citations.append(cite)

    def handle_data(self, data: str) -> None:
        if self._open:
            tag, told = self._open[-1]
            told.append(data if tag in ("td", "th") or not self._code else " ")

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"
        if self._open and tag == self._open[-1][0]:
            kept = self.cells if tag in ("td", "th") else self.statements
            kept.append(flat("".join(self._open.pop()[1])))


def flat(text: str) -> str:
    return " ".join(text.split())


def cites(cell: Cell) -> list[str]:
    """The citations of a cell: the list that it is, or those in its brackets."""
    bare = [each.text for each in cited(cell.text) if each.citation]
    return bare or [each.text for each in citations_in(cell.text)]


@pytest.mark.parametrize("path", ARTIFACTS, ids=lambda path: f"{path.stem}-{path.parent.name}")
def test_the_page_has_the_claims_and_citations_of_the_markdown(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    document, told = parse_document(source), Told(page(source))
    labelled = Counter(flat(each.text) for each in document.prose if each.label)
    assert labelled and labelled - Counter(told.statements) == Counter()
    made = [text for text in told.statements if re.match(r"(?:[A-Z]\w+ )?[A-Z]?\w+:", text) and text not in labelled]
    assert not [text for text in made if text.partition(":")[0] in {each.label for each in document.prose}]
    cells = [cell for table in document.tables for row in table.rows for cell in row]
    heads = [column for table in document.tables for column in table.columns]
    assert Counter(told.cells) == Counter(flat(text) for text in (*heads, *(cell.full for cell in cells)))
    wanted = Counter(text for each in document.prose for text in (one.text for one in citations_in(each.text)))
    wanted += Counter(text for cell in cells for text in cites(cell))
    assert Counter(told.citations) == wanted


CARDS = """# T

## Findings

| Finding | Evidence |
| --- | --- |
| [F-0123456789ab](#f-0123456789ab): one | E1:L4 |
| F-00000000 | E1 |

## Traceability

#### f-0123456789ab

* **Observation:** Told. [E1:L4]

#### f-abcdefabcdef

* **Observation:** Nobody links to it. [E1]

### Evidence items

| Type | Evidence |
| --- | --- |
| `policy` | E1 |
"""


def test_a_card_stands_once_below_the_table_of_its_row_and_its_place_says_so() -> None:
    html = page(CARDS)
    card = html.index('<details class="card" data-id="F-0123456789ab">')
    assert html.index("</table>") < card < html.index(">Traceability</h2>")
    assert html.count('id="f-0123456789ab"') == 1 and html.count("Told.") == 1
    place = html.index('<p class="moved">1 card stands')
    assert html.index(">Traceability</h2>") < place < html.index('data-id="F-abcdefabcdef"')
    assert html.count('data-id="F-abcdefabcdef"') == 1


SQUARE = "## Scope\n\n| Route | Input |\n| --- | --- |\n| a | absent; [finding](#f-0123456789ab) |\n\n## Findings"


def test_a_card_is_titled_by_its_row_and_not_by_a_square_that_links_to_it() -> None:
    html = page(CARDS.replace("## Findings", SQUARE))
    title = html.partition('<details class="card" data-id="F-0123456789ab"><summary>')[2].partition("</summary>")[0]
    assert title == "<b>F-0123456789ab</b> one"
    assert html.index(">Findings</h2>") < html.index('data-id="F-0123456789ab"><summary>')


def test_rows_and_blocks_carry_what_tests_and_scripts_ask_for() -> None:
    html = page(CARDS)
    assert '<tr data-id="F-0123456789ab">' in html and '<tr data-id="F-00000000">' in html
    assert html.count('data-role="matrix"') == 1 and html.index("Findings</h2>") < html.index('data-role="matrix"')


def test_a_citation_leads_to_its_excerpt_and_hostile_lines_stay_text() -> None:
    shown = {("E1", ":L4"): Shown(2, ("two", "three", EVIL[0], "five", "six"), (4, 4))}
    html = page(CARDS, shown)
    check(html)
    assert html.count('href="#E1_3a_L4"') == 2 and html.count('id="E1_3a_L4"') == 1 and html.count('href="#E1"') == 3
    assert "    2  two\n" in html and "<mark>    4  &lt;img" in html


@pytest.mark.parametrize(
    "source", ["", "\n", "no heading", "# T\n\n## Scope\n", "|", "#### d-0123456789ab\n", "## A\n\n---\n"]
)
def test_odd_documents_are_pages(source: str) -> None:
    check(page(source))
