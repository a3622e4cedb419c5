"""The artifact's Markdown as one page: self-contained, printable, without scripts, every text escaped. Pure.

Raw HTML, images and links of the Markdown are shown as text, so the page's only elements are those made here; the
artifact's own `<br>` in a cell is one of them, while a `<` of the evidence is an entity there. A link to a
heading of the same document, `[D-64716209a0be](#d-64716209a0be)`, is a link.
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from itertools import pairwise
from typing import Any, Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evreview.core.assets import folder
from evreview.report.escape import html, slug

# The look, on a screen and on paper; colour never alone. One value, so that its digest holds.


TONES: Final[Mapping[str, str]] = {
    "breaking": "bad",
    "no": "bad",
    "rejected": "bad",
    "failed": "bad",
    "blocked": "bad",
    "stopped": "bad",
    "unmapped": "bad",
    "compatible": "good",
    "yes": "good",
    "approved": "good",
    "executed": "good",
    "passed": "good",
    "stated": "good",
    "done": "good",
    "unknown": "unsure",
    "open": "unsure",
    "unread": "unsure",
    "unexecuted": "unsure",
    "proposed": "unsure",
    "absent": "quiet",
    "not applicable": "quiet",
    "n/a": "quiet",
}
"""How a cell looks that begins with this word of a closed vocabulary."""

STYLE: Final = """
:root{--ink:#1c2024;--soft:#59626b;--line:#d5dae0;--wash:#f5f7f9;--link:#0a52a3;--paper:#fff;
--good:#e2f4e6;--good-ink:#0d4a1f;--bad:#fdeaea;--bad-ink:#8c1d18;--unsure:#fff4d2;--unsure-ink:#684700;color-scheme:light}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;padding:0 2rem 4rem;max-width:96rem;background:var(--paper);color:var(--ink);
font:15px/1.55 system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
a{color:var(--link);text-underline-offset:2px}
a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main:focus{outline:0}
.skip{position:absolute;left:-100vw;top:0;padding:.6rem 1rem;background:var(--paper)}
.skip:focus{left:1rem;z-index:1}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance}
h1{font-size:2rem;font-weight:650;margin:2.2rem 0 .6rem}
h2{font-size:1.4rem;font-weight:650;margin:3rem 0 .8rem;padding-top:1.2rem;border-top:1px solid var(--line)}
h3{font-size:1.1rem;font-weight:650;margin:2rem 0 .6rem}
p{max-width:75ch;margin:.6rem 0}
main ul,main ol{max-width:90ch;margin:.6rem 0;padding-left:1.3rem}
li{margin:.25rem 0}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--wash);border-radius:3px;padding:.08em .3em;box-decoration-break:clone;
-webkit-box-decoration-break:clone}
pre{margin:.8rem 0;padding:.8rem 1rem;background:var(--wash);border:1px solid var(--line);border-radius:6px;
white-space:pre-wrap;overflow-wrap:anywhere}
pre code{padding:0;background:none}
.table{margin:.9rem 0;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.88rem;line-height:1.45}
th,td{padding:.45rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft);border-bottom:2px solid var(--line);white-space:nowrap}
tbody tr:hover{background:var(--wash)}
tr:target{background:var(--unsure);outline:2px solid var(--unsure-ink)}
td a{color:var(--soft);font-size:.92em;text-decoration-color:var(--line)}
td.good{background:var(--good);color:var(--good-ink)}
td.bad{background:var(--bad);color:var(--bad-ink)}
td.unsure{background:var(--unsure);color:var(--unsure-ink)}
td.quiet{color:var(--soft)}
nav{font-size:.9rem}
nav ul{list-style:none;margin:0;padding:0}
nav li{margin:0}
nav a{display:block;padding:.3rem .6rem;border-radius:4px;text-decoration:none;color:var(--soft)}
nav a:hover{background:var(--wash);color:var(--link)}
@media screen and (min-width:72rem){
body{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:0 3rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2.4rem 0 1rem}
}
@media screen and (max-width:71.99rem){
nav{border:1px solid var(--line);border-radius:6px;padding:.6rem;margin:1rem 0}
nav ul{columns:14rem}
}
@media screen and (max-width:40rem){body{padding:0 1rem 3rem}}
@page{size:A4;margin:14mm 13mm}
@media print{
body{max-width:none;padding:0;font-size:9pt;line-height:1.4;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.skip,nav{display:none}
a{color:inherit;text-decoration:none}
h1{font-size:18pt;margin-top:0}
h2{font-size:13pt;margin:7mm 0 2mm;padding-top:3mm}
h3{font-size:10.5pt;margin:5mm 0 1.5mm}
h1,h2,h3,h4{break-after:avoid;break-inside:avoid}
p,main ul,main ol{max-width:none;orphans:3;widows:3}
.table{overflow:visible;margin:2mm 0}
table{font-size:7.6pt;line-height:1.35}
thead{display:table-header-group}
th{white-space:normal}
th,td{padding:1mm 1.4mm;overflow-wrap:break-word}
tr,pre{break-inside:avoid}
.wide table{font-size:6.4pt}
.wide th,.wide td{padding:.8mm 1mm}
.wide tr{break-inside:auto}
pre{font-size:7.6pt}
tbody tr:hover{background:none}
}
"""


# The page and its parts.


_UNTITLED: Final = "Review"
_ITEMS: Final = "Evidence items"
"""The heading of the table that lists the evidence, one row per item."""
_WIDE: Final = 7
"""Columns from which a table is printed smaller."""
_CITED: Final = re.compile(r"\b(?P<id>E[1-9][0-9]*)(?:[#:][^\s,;\[\]()|`<>]*)?")
_CARD: Final = re.compile(r"[a-z]-[0-9a-f]{8,64}")
"""The heading of a card, which is an id in lower case."""
_INSIDE: Final = re.compile(r"#[\w%{}-]{1,200}")
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
    _join_links(tokens, headings)
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
        inside = section and level > 2 and not _CARD.fullmatch(text)
        name = unique = f"{section}-{slug}" if inside else slug
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
    parser.disable(["image", "autolink", "reference", "html_block"])
    parser.validateLink = _leads_inside  # type: ignore[method-assign, assignment]
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _leads_inside(address: str) -> bool:
    """True for the one kind of link that an artifact has, to a heading of itself; every other stays text."""
    return _INSIDE.fullmatch(address) is not None


def _join_links(tokens: Sequence[Token], headings: Sequence[Heading]) -> None:
    """Links lead to the page's own ids of the headings; one that leads to no heading is plain text."""
    known = {anchor: each.id for each in reversed(headings) for anchor in (each.text, slug(each.text))}
    for token in tokens:
        kept, dead = [], False
        for child in token.children or ():
            if child.type == "link_open":
                target = known.get(unquote(str(child.attrs.get("href", ""))[1:]))
                dead = target is None
                child.attrSet("href", f"#{target}")
            if not (dead and child.type in ("link_open", "link_close")):
                kept.append(child)
            dead = dead and child.type != "link_close"
        if token.children:
            token.children = kept


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


# The artifact of an executed notebook as Markdown or as a page.


TEMPLATE: Final = "evreview_md"


def export_markdown(notebook: Mapping[str, Any]) -> str:
    """The Markdown that the cells tagged `artifact` show: exactly the artifact that the library renders."""
    skip_slow_import()
    nbconvert: Any = import_module("nbconvert")
    exporter = nbconvert.MarkdownExporter(template_name=TEMPLATE, extra_template_basedirs=[str(folder("templates"))])
    return str(exporter.from_notebook_node(_node(notebook))[0])


def export_html(notebook: Mapping[str, Any]) -> str:
    """The artifact that the notebook shows as one page: escaped, without scripts, and with nothing to load."""
    return page(export_markdown(notebook))


def skip_slow_import() -> None:
    """Keep jsonschema from importing `rfc3987_syntax`, which compiles 35 grammars that no notebook needs (1.5 s)."""
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def _node(notebook: Mapping[str, Any]) -> Any:
    nbformat: Any = import_module("nbformat")
    return nbformat.from_dict(dict(notebook))
