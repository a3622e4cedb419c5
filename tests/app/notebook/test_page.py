"""The page that an artifact becomes: its elements, its title, and hostile text that stays text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.app.notebook.page import page
from evreview.report import escape

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "expected"
ARTIFACTS = sorted((*GOLDEN.glob("*/*.md"), *GOLDEN.with_name("expected_w2").glob("*/*.md")))
MADE = {
    "html", "head", "meta", "title", "style", "body", "a", "nav", "ul", "ol", "li", "main", "h1", "h2", "h3", "h4",
    "p", "strong", "em", "code", "pre", "div", "table", "thead", "tbody", "tr", "th", "td", "br", "wbr", "hr",
    "blockquote", "h5", "h6",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "tabindex", "scope", "role",
    "aria-label", "start",
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


@pytest.mark.parametrize("path", ARTIFACTS, ids=lambda path: f"{path.stem}-{path.parent.name}")
def test_every_golden_artifact_becomes_a_page(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    html = page(source)
    check(html)
    title = re.search(r"^# (.+)$", source, re.MULTILINE)
    assert title and f"<title>{title[1]}</title>" in html
    heads = [attributes for name, attributes in Elements(html).found if name == "th"]
    assert heads and all(attributes["scope"] == "col" for attributes in heads)
    ids = re.findall(r"\bid=\"([^\"]+)\"", html)
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
    assert '<tr id="E1">' in html and html.count('<a href="#E1">') == 2 and 'href="#E2"' not in html


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
    assert re.findall(r"<li><a href=\"#([^\"]+)\"", html) == ["a", "b", "content-2"]


def test_the_policy_admits_the_one_style_and_nothing_else() -> None:
    html = page("# T\n")
    (style,) = re.findall(r"<style>(.*?)</style>", html, flags=re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html


def test_a_page_without_a_heading_has_a_title() -> None:
    assert "<title>Review</title>" in page("")
