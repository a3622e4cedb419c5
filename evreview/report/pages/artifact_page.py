"""The artifact's Markdown as one page: the same claims in the same order, cards at their rows. Pure.

Raw HTML, images and links of the Markdown are shown as text, so the page's only elements are those made here; the
artifact's own `<br>` in a cell is one of them, while a `<` of the evidence is an entity there. A link to a
heading of the same document, `[D-64716209a0be](#d-64716209a0be)`, is a link. A card stands folded directly below the
table of its row, and its place in the annex says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evreview.core.frozen import frozen
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceId, StatementKind
from evreview.evidence.item import Citation
from evreview.report.escape import html, slug
from evreview.report.markdown import LABELS, REASON
from evreview.report.pages.evidence_list import Shown, anchor_of, evidence_list
from evreview.report.pages.flowchart import flowchart_html
from evreview.report.pages.frame import REGION_CLOSE, TONES, Link, broken, document, region_open

MATRIX_UNDER: Final = ("Compatibility matrix", "Operation", "Findings")
"""The section with the block that an artifact is read for: the first of these that it has."""
ENTRIES_UNDER: Final = "Operation"
"""The section of a reference that holds an entry per operation."""
FOR_REVIEWERS: Final = (
    "Example execution report", "Contract discrepancy register", "Approval state", "Follow-up", "Traceability",
)  # fmt: skip
"""The sections of a reference that its readers do not need."""
_UNTITLED: Final = "Review"
_ITEMS: Final = "Evidence items"
"""The heading of the table that lists the evidence, one row per item."""
_WIDE: Final = 7
"""Columns from which a table is printed smaller."""
_CITED: Final = re.compile(r"\b(?P<id>E[1-9][0-9]*)(?P<locator>[#:][^\s,;\[\]()|`<>]*)?")
_CARD: Final = re.compile(r"[a-z]-[0-9a-f]{8,64}")
"""The heading of a card, which is an id in lower case."""
_INSIDE: Final = re.compile(r"#[\w%{}-]+")
_ITEM: Final = re.compile(r"E[1-9][0-9]*")
_OWN: Final = re.compile(r"[A-Z]-[0-9a-f]{8,64}(?![\w-])")
_REPLAY: Final = re.compile(r"evreview replay [\w./@:+=, -]+ D-[0-9a-f]+[\w./ -]*")
_DIGEST_LINE: Final = re.compile(r"^(E[1-9][0-9]*) +([0-9a-f]{64})\b", re.MULTILINE)


@frozen
class Anchor:
    """One heading: its level, its plain text, its id in the page."""

    level: int
    text: str
    id: str


@dataclass(slots=True)
class Part:
    """A heading with its own tokens, and what stands between it and the next heading."""

    heading: Anchor
    head: Sequence[Token]
    blocks: list[Token] = field(default_factory=list)

    @property
    def is_card(self) -> bool:
        """True for a row's card."""
        return self.heading.level == 4 and _CARD.fullmatch(self.heading.text) is not None

    @property
    def name(self) -> str:
        """The id of a card as rows write it."""
        return self.heading.text[0].upper() + self.heading.text[1:]


@frozen
class PlacedCard:
    """A card that stands at its row: its part, and what its row says."""

    part: Part
    words: str


def page(markdown: str, excerpts: Mapping[tuple[str, str], Shown] | None = None) -> str:
    """The Markdown as a whole HTML document; its title is the first heading.

    Args:
        markdown: the artifact, redacted.
        excerpts: the lines that citations show, redacted, by evidence id and locator.
    """
    tokens = _parser().parse(markdown)
    headings = list(_headings(tokens))
    _join_links(tokens, headings)
    _label_tables(tokens)
    _mark_cells(tokens)
    items = list(_items(tokens))
    parts = list(_parts(tokens, headings))
    made = _Page(parts, items, excerpts or {}, dict(_DIGEST_LINE.findall(markdown)))
    title = next((heading.text for heading in headings if heading.level == 1), _UNTITLED)
    links = [
        Link(each.heading.text, each.heading.id, each.heading.level - 1)
        for each in parts
        if each.heading.level in (2, 3) and not each.is_card
    ]
    return document(title, links, "".join(made.body()))


def cited_in(markdown: str) -> tuple[Citation, ...]:
    """Every citation of the artifact, each once, in order."""
    found: dict[Citation, None] = {}
    for token in _parser().parse(markdown):
        for child in token.children or ():
            if child.type == "text":
                for match in _CITED.finditer(child.content):
                    found[Citation(EvidenceId(match["id"]), match["locator"] or "")] = None
    return tuple(found)


class _Page:
    """One page being made."""

    def __init__(
        self,
        parts: Sequence[Part],
        items: Sequence[str],
        excerpts: Mapping[tuple[str, str], Shown],
        digests: Mapping[str, str],
    ) -> None:
        self.parts, self.items, self.excerpts, self.digests = parts, items, excerpts, digests
        self.environment: dict[str, Any] = {"items": frozenset(items), "excerpts": excerpts}
        sections = [part.heading.text for part in parts if part.heading.level == 2]
        self.matrix_under = next((name for name in MATRIX_UNDER if name in sections), "")
        self.is_reference = ENTRIES_UNDER in sections
        self.cards = _cards(parts)
        self.placed: set[str] = set()
        self.entries = self._entries()
        self.has_matrix = False
        self.opening = next((part.heading.id for part in parts if part.heading.level == 2), "")
        self.section = ""

    def _entries(self) -> frozenset[str]:
        """The headings of a reference's entries: those that a table of their section links to."""
        section, linked, found = "", set(), []
        for part in self.parts:
            section = part.heading.text if part.heading.level == 2 else section
            if section == ENTRIES_UNDER:
                linked |= {target for target, _ in _linked(part.blocks)}
                found += [part.heading.id] if part.heading.level == 3 else []
        return frozenset(found) & linked

    def body(self) -> Iterator[str]:
        """What stands in `main`."""
        group: list[Part] = []
        for part in self.parts:
            if part.heading.level <= 2 and group:
                yield from self._section(group)
                group = []
            group.append(part)
        yield from self._section(group)

    def _section(self, group: Sequence[Part]) -> Iterator[str]:
        first = group[0]
        self.section = first.heading.text
        yield self._render(first.head)
        inner = "".join(self._inside(group))
        if first.heading.level == 1:
            yield f'<div class="about">\n{inner}</div>\n' if inner else ""
        elif self.is_reference and self.section in FOR_REVIEWERS:
            yield f'<details class="fold"><summary>For reviewers: {_held(group)}</summary>\n{inner}</details>\n'
        else:
            yield inner

    def _inside(self, group: Sequence[Part]) -> Iterator[str]:
        """The parts of a section; runs of cards that stand elsewhere are one line."""
        moved: list[Part] = []
        folded = self._behind_glance(group)
        for at, part in enumerate(group):
            if part.is_card and part.heading.id in self.cards:
                moved.append(part)
                continue
            yield from self._moved(moved)
            moved = []
            if part.is_card:
                yield self._card(part, part.name)
            elif part.heading.id in self.entries:
                yield from self._entry(part)
            elif part.heading.id in folded:
                yield self._folded(part)
            else:
                yield self._render(part.head) if at else ""
                yield from self._blocks(part)
        yield from self._moved(moved)

    def _behind_glance(self, group: Sequence[Part]) -> Sequence[str]:
        """The headings behind verdict and glance in the first section, folded so that the matrix is near."""
        opens = group[0].heading.id == self.opening and not self.entries
        return [part.heading.id for part in group if part.heading.level == 3][1:] if opens else ()

    def _folded(self, part: Part) -> str:
        """A part behind its heading and what it holds. The heading's id stands inside, so that links open it."""
        part.head[0].attrs.pop("id", None)
        inner = "".join(self._blocks(part))
        summary = f"{self._render(part.head)}: {_held([part])}"
        opened = f'<div id="{part.heading.id}">\n{inner}</div>'
        return f'<details class="part"><summary>{summary}</summary>\n{opened}</details>\n'

    def _moved(self, cards: Sequence[Part]) -> Iterator[str]:
        if cards:
            links = ", ".join(f'<a href="#{each.heading.id}">{html(each.name)}</a>' for each in cards)
            verb = "stands" if len(cards) == 1 else "stand"
            told = f"{counted(len(cards), 'card')} {verb} folded below the table of the row"
            yield f'<p class="moved">{told}: {links}.</p>\n'

    def _blocks(self, part: Part) -> Iterator[str]:
        """The blocks of a part, each table with the cards of its rows below it."""
        if part.heading.id == self.opening:
            self._mark_verdict(part.blocks)
        run: list[Token] = []
        for token in part.blocks:
            run.append(token)
            if (
                token.type == "table_open"
                and self.section == self.matrix_under
                and not (self.has_matrix or self.entries)
            ):
                token.meta["role"] = self.has_matrix = True
            if token.type == "table_close" and token.level == 0:
                yield self._render(run)
                yield from self._cards_of(run)
                if part.heading.text == _ITEMS:
                    yield evidence_list(self._types(run), self.excerpts, self.digests)
                run = []
        yield self._render(run)

    @staticmethod
    def _mark_verdict(blocks: Sequence[Token]) -> None:
        """Marks decision, why a step ended the run, and next action in the list that the first section opens with."""
        if not blocks or blocks[0].type != "bullet_list_open":
            return
        block = _first_block(blocks)
        items = [token for token in block if token.type == "list_item_open" and token.level == 1]
        for item in items[:2]:
            words = next((_plain(token) for token in block[block.index(item) :] if token.type == "inline"), "")
            if item is items[0] or words.partition(": ")[2].startswith(REASON):
                item.attrSet("data-role", "decision")
        following = [each for each in items[1:] if each.attrs.get("data-label") == str(StatementKind.NEXT_ACTION)]
        for each in following[:1]:
            each.attrSet("data-role", "next")

    def _cards_of(self, run: Sequence[Token]) -> Iterator[str]:
        for target, words in _linked(run):
            card = self.cards.get(target)
            if card is not None and words == card.words and target not in self.placed:
                self.placed.add(target)
                yield self._card(card.part, words)

    def _card(self, part: Part, words: str) -> str:
        told = words.removeprefix(part.name).lstrip(": ")
        inner = self._render(part.blocks)
        return (
            f'<details class="card" data-id="{html(part.name)}"><summary><b>{html(part.name)}</b> {broken(told)}'
            f'</summary>\n<div class="inside" id="{part.heading.id}">\n{inner}</div></details>\n'
        )

    def _entry(self, part: Part) -> Iterator[str]:
        """An operation's entry: each example beside what follows it, where there is room."""
        role = "" if self.has_matrix else ' data-role="matrix"'
        self.has_matrix = True
        yield f'<div class="entry" data-id="{html(part.heading.text)}"{role}>\n'
        yield self._render(part.head)
        before, example, after = "", "", ""
        for block in _top_blocks(part.blocks):
            if block[0].type == "fence":
                if example:
                    yield _band(before, example, after)
                    before = after = ""
                example = self._render(block)
            elif example:
                after += self._render(block)
            else:
                before += self._render(block)
        yield _band(before, example, after)
        yield "</div>\n"

    def _types(self, run: Sequence[Token]) -> dict[str, str]:
        """The items that the list names, each with what its row's first cell says."""
        found: dict[str, str] = {}
        first = last = ""
        for opened, inline in pairwise(run):
            if opened.type == "tr_open":
                first = ""
            elif opened.type == "td_open":
                first, last = first or _plain(inline), _plain(inline)
            elif opened.type == "td_close" and inline.type == "tr_close" and last in self.items:
                found[last] = first
        return found

    def _render(self, tokens: Sequence[Token]) -> str:
        return str(_parser().renderer.render(tokens, _parser().options, self.environment))


def _band(before: str, example: str, after: str) -> str:
    if not example:
        return before
    return (
        f'<div class="band">\n<div class="before">\n{before}</div>\n<div class="example">\n{example}</div>\n'
        f'<div class="after">\n{after}</div>\n</div>\n'
    )


def _held(group: Sequence[Part]) -> str:
    """How many tables, rows and cards a folded section holds."""
    tokens = [token for part in group for token in part.blocks]
    tables = sum(token.type == "table_open" for token in tokens)
    rows = sum(token.type == "tr_open" for token in tokens) - tables
    statements = sum(token.type == "list_item_open" for token in tokens)
    every = ((tables, "table"), (rows, "row"), (statements, "statement"))
    return ", ".join(counted(number, noun) for number, noun in every if number)


# Headings, links and tables as tokens.


def _parts(tokens: Sequence[Token], headings: Sequence[Anchor]) -> Iterator[Part]:
    """The document, cut before each heading; what stands before the first is a part of its own."""
    known = {each.id: each for each in headings}
    part = Part(Anchor(1, "", ""), ())
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            if part.head or part.blocks:
                yield part
            part = Part(known[str(token.attrs["id"])], tokens[at : at + 3])
        elif not any(token is each for each in part.head):
            part.blocks.append(token)
    yield part


def _top_blocks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The blocks of the first level, each with its tokens."""
    run: list[Token] = []
    for token in tokens:
        run.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield run
            run = []


def _first_block(tokens: Sequence[Token]) -> Sequence[Token]:
    return next(_top_blocks(tokens), [])


def _cards(parts: Sequence[Part]) -> dict[str, PlacedCard]:
    """The cards that a row of a table links to, by their ids in the page.

    A card's row is the first one with a cell that begins with its id, else the first one that links to it: a square
    that links to a card does not say what the card is about.
    """
    known = {part.heading.id: part for part in parts if part.is_card}
    found: dict[str, PlacedCard] = {}
    for at_row in (True, False):
        for target, words in (each for part in parts if not part.is_card for each in _linked(part.blocks)):
            is_its = target in known and (not at_row or words.startswith(known[target].name))
            if is_its and target not in found:
                found[target] = PlacedCard(known[target], words)
    return found


def _linked(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The ids that cells lead to, each with the whole text of its cell."""
    for cell, inline in pairwise(tokens):
        if cell.type == "td_open":
            for child in inline.children or ():
                if child.type == "link_open":
                    yield str(child.attrs.get("href", ""))[1:], _plain(inline)


def _headings(tokens: Sequence[Token]) -> Iterator[Anchor]:
    """Every heading, each with an id that no other has; the id is written into its token."""
    taken: set[str] = {"content", "sections"}
    section = ""
    for opened, inline in pairwise(tokens):
        if opened.type != "heading_open":
            continue
        level, text = int(opened.tag[1:]), _plain(inline)
        short = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "section"
        inside = section and level > 2 and not _CARD.fullmatch(text)
        name = unique = f"{section}-{short}" if inside else short
        number = 2
        while unique in taken:
            unique, number = f"{name}-{number}", number + 1
        taken.add(unique)
        section = unique if level == 2 else section
        opened.attrSet("id", unique)
        yield Anchor(level, text, unique)


def _plain(inline: Token) -> str:
    """The text of an inline token as a reader sees it, on one line."""
    return "".join(_words(inline.children or ())).strip()


def _words(children: Iterable[Token]) -> Iterator[str]:
    for child in children:
        yield " " if child.type in ("softbreak", "hardbreak") or child.content == "<br>" else child.content


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
            row.attrSet("data-evidence", last)
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
    """Marks rows with the id that they begin with, statements with their label, and cells with the tone of their word.

    A tone stands for a word of a closed vocabulary that the cell begins with, and never for words in code.
    """
    row: Token | None = None
    item: Token | None = None
    for opened, inline in pairwise(tokens):
        if opened.type == "tr_open":
            row = opened
        elif opened.type == "list_item_open":
            item = opened
        elif opened.type == "td_open":
            if row is not None and (found := _OWN.match(_plain(inline))):
                row.attrSet("data-id", found[0])
            row = None
            if tone := _tone(inline):
                opened.attrSet("class", tone)
        elif opened.type == "paragraph_open" and item is not None:
            if label := next((each for each in LABELS if _plain(inline).startswith(f"{each}:")), ""):
                item.attrSet("data-label", label)
            item = None


def _tone(inline: Token) -> str | None:
    children = [child for child in inline.children or () if child.type not in ("strong_open", "strong_close")]
    children = [child for child in children if child.type != "text" or child.content]
    if not children or children[0].type != "text":
        return None
    return TONES.get(children[0].content.split(":")[0].split("(")[0].strip())


def _join_links(tokens: Sequence[Token], headings: Sequence[Anchor]) -> None:
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


# Tokens as HTML.


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


def _text(_: Any, tokens: Sequence[Token], at: int, options: Any, env: dict[str, Any]) -> str:
    """Text with its citations as links, to their excerpts or the items' rows. Words of the evidence stand in code."""
    source, made, end = tokens[at].content, [], 0
    for found in _CITED.finditer(source):
        if found["id"] in env["items"]:
            locator = found["locator"] or ""
            target = anchor_of(found["id"], locator) if (found["id"], locator) in env["excerpts"] else found["id"]
            link = f'<a href="#{html(target)}" data-cite="{html(found[0])}">{broken(unquote(found[0]))}</a>'
            made += [broken(source[end : found.start()]), link]
            end = found.end()
    return "".join([*made, broken(source[end:])])


def _code(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    content = tokens[at].content
    return f"<code{' data-copy' if _REPLAY.fullmatch(content) else ''}>{broken(content)}</code>"


def _raw(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    source = tokens[at].content
    return "<br>" if source == "<br>" else broken(source)


def _block(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    picture = flowchart_html(tokens[at].content) if tokens[at].info.strip() == "mermaid" else None
    if picture is not None:
        return picture
    return f"<pre><code>{html(tokens[at].content.rstrip(chr(10)))}</code></pre>\n"


def _table_open(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    meta = tokens[at].meta
    role = 'data-role="matrix"' if meta.get("role") else ""
    return region_open(meta["label"], wide=meta["columns"] >= _WIDE, attributes=role)


def _table_close(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return REGION_CLOSE


_RULES: Final = {
    "text": _text,
    "code_inline": _code,
    "html_inline": _raw,
    "fence": _block,
    "code_block": _block,
    "table_open": _table_open,
    "table_close": _table_close,
}
