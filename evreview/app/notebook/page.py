"""The artifact's Markdown as one page: self-contained, printable, without scripts, every text escaped. Pure.

Raw HTML, links and images of the Markdown are shown as text, so the page's only elements are those made here; the
artifact's own `<br>` in a cell is one of them, while a `<` of the evidence is an entity there.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evreview.notebook.page_style import STYLE, TONES
from evreview.report.escape import html

_UNTITLED: Final = "Review"
_ITEMS: Final = "Evidence items"
"""The heading of the table that lists the evidence, one row per item."""
_WIDE: Final = 7
"""Columns from which a table is printed smaller."""
_CITED: Final = re.compile(r"\b(?P<id>E[1-9][0-9]*)(?:[#:][^\s,;\[\]()|`<>]*)?")
_ITEM: Final = re.compile(r"E[1-9][0-9]*")
_LONG: Final = re.compile(r"\S{13,}")
_PIECE: Final = re.compile(r"[^/.,:;_=&?#~-]{1,16}[/.,:;_=&?#~-]{0,8}|[/.,:;_=&?#~-]{1,8}")


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading: its level, its plain text, its id in the page."""

    level: int
    text: str
    id: str


def page(markdown: str) -> str:
    """The Markdown as a whole HTML document; its title is the first heading."""
    tokens = _parser().parse(markdown)
    headings = list(_headings(tokens))
    environment = {"items": frozenset(_items(tokens))}
    _label_tables(tokens)
    _mark_cells(tokens)
    body = str(_parser().renderer.render(tokens, _parser().options, environment))
    title = next((heading.text for heading in headings if heading.level == 1), _UNTITLED)
    return _PAGE.format(title=html(title), style=STYLE, digest=_DIGEST, nav=_nav(headings), body=body)


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Every heading, each with an id that no other has; the id is written into its token."""
    taken: set[str] = {"content", "sections"}
    section = ""
    for opened, inline in pairwise(tokens):
        if opened.type != "heading_open":
            continue
        level, text = int(opened.tag[1:]), _plain(inline)
        slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "section"
        name = unique = f"{section}-{slug}" if section and level > 2 else slug
        number = 2
        while unique in taken:
            unique, number = f"{name}-{number}", number + 1
        taken.add(unique)
        section = unique if level == 2 else section
        opened.attrSet("id", unique)
        yield Heading(level, text, unique)


def _plain(inline: Token) -> str:
    return "".join(child.content if child.content else " " for child in inline.children or ()).strip()


def _items(tokens: Sequence[Token]) -> Iterator[str]:
    """The evidence items that the page lists, by the last cell of their rows, which become the targets of citations."""
    listed, row, last = False, tokens[0] if tokens else None, ""
    seen: set[str] = set()
    for token in tokens:
        if token.type == "inline":
            last = token.content
        elif token.type == "heading_close":
            listed = last == _ITEMS
        elif token.type == "tr_open":
            row = token
        elif token.type == "tr_close" and listed and row and _ITEM.fullmatch(last) and last not in seen:
            row.attrSet("id", last)
            seen.add(last)
            yield last


def _label_tables(tokens: Sequence[Token]) -> None:
    """Each table is named by the heading that it stands under, numbered when there are several."""
    under, number = "", 0
    table = Token("table_open", "table", 1)
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            under, number = _plain(tokens[place + 1]), 0
        if token.type == "table_open":
            number, table = number + 1, token
            table.meta = {"label": f"{under}, table {number}" if number > 1 else under, "columns": 0}
        if token.type == "th_open":
            token.attrSet("scope", "col")
            table.meta["columns"] += 1


def _mark_cells(tokens: Sequence[Token]) -> None:
    """Cells that begin with a word of a closed vocabulary have its tone; the word says the same."""
    for cell, inline in pairwise(tokens):
        if cell.type == "td_open" and inline.children and inline.children[0].type == "text":
            tone = TONES.get(inline.children[0].content.split(":")[0].split("(")[0].strip())
            if tone:
                cell.attrSet("class", tone)


def _nav(headings: Sequence[Heading]) -> str:
    """The sections as links."""
    lines = [f'<li><a href="#{each.id}">{html(each.text)}</a></li>' for each in headings if each.level == 2]
    if not lines:
        return ""
    return f'<nav id="sections" aria-label="Sections">\n<ul>\n{"".join(lines)}\n</ul>\n</nav>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
    parser.disable(["image", "link", "autolink", "reference", "html_block"])
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _text(_: Any, tokens: Sequence[Token], at: int, options: Any, env: dict[str, Any]) -> str:
    """Text with its citations as links to the items' rows. Evidence text can't look like one: it stands in code."""
    source, made, end = tokens[at].content, [], 0
    for found in _CITED.finditer(source):
        if found["id"] in env["items"]:
            made += [_broken(source[end : found.start()]), f'<a href="#{found["id"]}">{_broken(found[0])}</a>']
            end = found.end()
    return "".join([*made, _broken(source[end:])])


def _code(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f"<code>{_broken(tokens[at].content)}</code>"


def _raw(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    source = tokens[at].content
    return "<br>" if source == "<br>" else _broken(source)


def _block(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f'<pre tabindex="0"><code>{html(tokens[at].content.rstrip(chr(10)))}</code></pre>\n'


def _table_open(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    label = html(tokens[at].meta["label"])
    look = "table wide" if tokens[at].meta["columns"] >= _WIDE else "table"
    return f'<div class="{look}" role="region" tabindex="0" aria-label="{label}">\n<table aria-label="{label}">\n'


def _table_close(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table>\n</div>\n"


def _broken(text: str) -> str:
    """The text, escaped; words too long for a narrow column may break at their signs, or anywhere if they have none."""
    made, end = [], 0
    for word in _LONG.finditer(text):
        pieces = "<wbr>".join(map(html, _PIECE.findall(word[0])))
        made += [html(text[end : word.start()]), pieces]
        end = word.end()
    return "".join([*made, html(text[end:])])


_RULES: Final = {
    "text": _text,
    "code_inline": _code,
    "html_inline": _raw,
    "fence": _block,
    "code_block": _block,
    "table_open": _table_open,
    "table_close": _table_close,
}
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest}'; \
base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
{nav}
<main id="content" tabindex="-1">
{body}</main>
</body>
</html>
"""
