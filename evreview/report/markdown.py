"""What the Markdown of an artifact is made of: the grammar that the templates write and the validator reads.

The whole document
    Line 1 is `# <title>`; there is no other first-level heading. Between it and the first `##` stand two plain lines
    (one paragraph each), and nothing else:
        Audience: API owners, client owners, reviewers
        Output contract: API contract review, version 1.0.0, {contracts_base}
    Then every required heading, once each, in order, written as whole ATX lines (`## Scope`). Other headings are
    level 3 or deeper and never reuse a required name. Line ends are `\\n`.

A statement is a paragraph or a list item that starts with its label in bold, a colon inside the bold:
        **Observation:** The candidate makes `total` nullable. [E2#/components/schemas/Order, E4:L10-L20]
    * Exactly one of the eight labels, at the start, and no second one in the same paragraph or item.
    * Every paragraph and every list item below the first `##` is a statement; only tables, fences and headings are not.
      A list item's own text is the statement; the items of a nested list are statements of their own.
    * Observation, Inference, Recommendation, Executed check and Proposed check are material: they cite.

A citation group stands in square or round brackets: `[E3]`, `(E1, E2)`, `[E3#/paths/~1v1~1orders, E4:id=t-1]`.
Nothing else stands inside the brackets. Every comma-separated part is `E<n>` with an optional locator, written as
`evidence.citation` says. `escape.citation`, `citations` and `group` write them, `citations_in` and `cited` read them.
    In an `Evidence` cell the citations stand without brackets, comma-separated: `E1#/info, E3:L2`.
    `E7` anywhere else outside code is an error: words of the subject that look so stand in code spans.

A table's header line is literal (the output contract has them), followed by its delimiter row; every row has as many
cells as the header. A cell is
    * a value (name, form, status), or
    * labelled fragments, separated by `<br>` - the only HTML anywhere: `Observation: text<br>Inference: text`.
      A cell with one fragment has no `<br>`. Labels are plain text here, not bold. In the columns that the output
      contract lists as `labelled`, every fragment has a label. A fragment may cite in brackets; the row's Evidence
      cell cites for it.
    An empty register keeps its header and has one row whose first cell starts with `None recorded`; its other cells may
    be `n/a`, and its Evidence cell cites what was read or says `none recorded`.

A run is told once, in `**Observation:** Run 1: ...` above its table; rows name it `run 1`.

A card is a heading of level 4 that is an id in lower case and nothing else (`#### d-64716209a0be`), so that every
renderer makes the same anchor of it. `[D-64716209a0be](#d-64716209a0be)` leads to it: a link leads to a heading of the
same document, by its text in lower case without punctuation; all other links are errors.

No raw HTML (but that `<br>` in cells), no image, no reference definition, no repr of an object, no `\\r`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evreview.core.errors import BadInput
from evreview.core.frozen import frozen
from evreview.core.vocabulary import StatementKind
from evreview.evidence.citation import parse_citation
from evreview.evidence.item import Citation

LABELS: Final = tuple(str(kind) for kind in StatementKind)
BREAK: Final = "<br>"
REASON: Final = "Reason 1 of "
"""How the second statement of the verdict starts, after its label, where a step ended the run."""
_ID: Final = re.compile(r"[A-Z]-[0-9a-f]{8,64}(?![\w-])")
_ANCHOR: Final = re.compile(r"#([a-z])-([0-9a-f]{8,64})")

_GROUP: Final = re.compile(r"\[([^\[\]]*)\]|\(([^()]*)\)")
_LOOKS: Final = re.compile(r"(?<![\w.-])[Ee]-?\d+(?:[#:][^\s,]*)?\w*\Z")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(?P<code>.+?)(?<!`)\1(?!`)")
_UNSURE: Final = re.compile(
    r"[,;:\[\]\n…]|(?:\A| )(?:failed|passed)(?: |\Z)|\d more\b|\bunknown for\b"
    r"|\A(?:none|breaking|compatible|unknown|unlisted|unlisted consumers|known clients|operation|element|evidence)\Z",
    re.IGNORECASE,
)
"""Marks that stand between names in a list, and words of ours that stand beside or in place of them."""
_BARE: Final = re.compile(r"(?<![\w.#/-])E\d+(?![\w-])")


@frozen
class Mention:
    """One part of a citation position: its text, and the citation, None when it is malformed."""

    text: str
    citation: Citation | None


@frozen(kw_only=True)
class Heading:
    """One heading: its level, its text, its 1-based line and that line as written."""

    level: int
    text: str
    line: int
    written: str


@frozen(kw_only=True)
class Prose:
    """One paragraph or list item: its text without code spans (each stands as one space), these, labels in bold."""

    text: str
    bold: tuple[tuple[int, str], ...]
    line: int
    listed: bool
    heading: str
    block: int
    spans: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The label that it starts with, "" when it starts with none."""
        first = next(iter(self.bold), None)
        if first is None or self.text[: first[0]].strip():
            return ""
        return next((label for label in LABELS if first[1] == f"{label}:"), "")

    @property
    def labels(self) -> tuple[str, ...]:
        """Every bold label in it, in order."""
        return tuple(text[:-1] for _, text in self.bold if text.endswith(":") and text[:-1] in LABELS)


@frozen(kw_only=True)
class Cell:
    """One cell: its text without code and with code, its fragments (split at the breaks, no code), its code spans.

    `ids` are the ids that it names outside code: the one that it starts with, and those whose cards it links to.
    """

    text: str
    full: str
    fragments: tuple[str, ...]
    spans: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    @property
    def is_code(self) -> bool:
        """True for words of the subject alone; pipes stand between code spans."""
        return bool(self.full.strip()) and not self.text.replace("|", "").strip()


@frozen(kw_only=True)
class Table:
    """One table: its header line as written, its columns, rows of cells, and lines."""

    header: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[int, ...]
    line: int
    heading: str

    def row_line(self, index: int) -> int:
        """The 1-based line of a row."""
        return self.line + 2 + index


@frozen(kw_only=True)
class Document:
    """A parsed artifact."""

    lines: tuple[str, ...]
    headings: tuple[Heading, ...]
    prose: tuple[Prose, ...]
    tables: tuple[Table, ...]
    intrusions: tuple[tuple[str, str, int], ...]
    """What may not be there: kind (`html`, `link`, `image`), the text, the line."""
    links: tuple[tuple[str, int, str], ...]
    """The anchors that links lead to, with their lines and words."""
    literal_lines: frozenset[int]
    """1-based lines inside fences and indented code."""


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def citations_in(text: str) -> tuple[Mention, ...]:
    """The citations in the bracket groups of a text (code left out before), well formed or not, in order."""
    return tuple(mention for group in groups_in(text) for mention in group)


def groups_in(text: str) -> Iterator[tuple[Mention, ...]]:
    """The citation groups of a text. A bracket is one as soon as its first part looks like a citation."""
    for match in _GROUP.finditer(text):
        parts = [part.strip() for part in (match[1] if match[1] is not None else match[2]).split(",")]
        if any(_LOOKS.match(part) for part in parts):
            yield tuple(mention(part) for part in parts)


def mention(part: str) -> Mention:
    """One part of a citation group."""
    try:
        return Mention(part, parse_citation(part))
    except BadInput:
        return Mention(part, None)


def cited(cell: str) -> tuple[Mention, ...]:
    """The citations of an Evidence cell: comma-separated, without brackets (a bracket group is taken too)."""
    bare = cell.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    return tuple(mention(part.strip()) for part in bare.split(","))


def stray_ids(text: str) -> tuple[str, ...]:
    """Tokens that look like an evidence id outside every citation group."""
    rest = _GROUP.sub(lambda m: " " if next(groups_in(m[0]), None) else m[0], text)
    return tuple(match[0] for match in _BARE.finditer(rest))


def parse_document(text: str) -> Document:
    """The parts of an artifact with their lines, read from the Markdown parser's tokens."""
    tokens = _parser().parse(text)
    lines = tuple(text.split("\n"))
    walk = _Walk(lines)
    for index, token in enumerate(tokens):
        walk.take(token, tokens, index)
    return Document(
        lines=lines,
        headings=tuple(walk.headings),
        prose=tuple(walk.prose),
        tables=tuple(walk.tables),
        intrusions=tuple(walk.intrusions),
        links=tuple(walk.links),
        literal_lines=frozenset(walk.literal),
    )


class _Walk:
    """Collects the parts while the tokens pass by; lives for one parse."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.prose: list[Prose] = []
        self.tables: list[Table] = []
        self.intrusions: list[tuple[str, str, int]] = []
        self.links: list[tuple[str, int, str]] = []
        self.literal: set[int] = set()
        self.table_end = -1
        self.block = 0
        self.lists = 0

    @property
    def heading(self) -> str:
        """The second-level heading (or the third-level required one) that the walk stands under."""
        return self.headings[-1].text if self.headings else ""

    def take(self, token: Token, tokens: list[Token], index: int) -> None:
        """Looks at one token of the flat stream."""
        start, end = token.map or (0, 0)
        self.block += token.level == 0 and token.nesting >= 0
        self.lists += token.nesting if token.type in ("bullet_list_open", "bullet_list_close") else 0
        self.lists += token.nesting if token.type in ("ordered_list_open", "ordered_list_close") else 0
        if token.type == "heading_open":
            content = plain_text(tokens[index + 1].children or [])
            self.headings.append(
                Heading(level=int(token.tag[1]), text=content, line=start + 1, written=self.lines[start])
            )
        elif token.type == "table_open":
            self.tables.append(self._table(tokens, index, start))
            self.table_end = end
        elif token.type == "paragraph_open":
            self._paragraph(tokens[index + 1], start)
        elif token.type in ("fence", "code_block"):
            self.literal.update(range(start + 1, end + 1))
        elif token.type == "html_block":
            self.intrusions.append(("html", token.content.strip()[:60], start + 1))
        if token.type == "inline":
            self._intruders(token, in_cell=start < self.table_end)

    def _paragraph(self, inline: Token, start: int) -> None:
        text, bold = flat(inline.children or [])
        self.prose.append(
            Prose(
                text=text,
                bold=bold,
                line=start + 1,
                listed=self.lists > 0,
                heading=self.heading,
                block=self.block,
                spans=tuple(child.content for child in inline.children or [] if child.type == "code_inline"),
            )
        )

    def _intruders(self, inline: Token, *, in_cell: bool) -> None:
        line = (inline.map or (0, 0))[0] + 1
        children = inline.children or []
        for index, child in enumerate(children):
            if child.type == "html_inline" and not (in_cell and child.content == BREAK):
                self.intrusions.append(("html", child.content[:60], line))
            elif child.type == "link_open":
                target = str(child.attrs.get("href", ""))
                if target.startswith("#"):
                    self.links.append((target[1:], line, plain_text(_linked(children[index:]))))
                else:
                    self.intrusions.append(("link", target[:60], line))
            elif child.type == "image":
                self.intrusions.append(("image", str(child.attrs.get("src", ""))[:60], line))

    def _table(self, tokens: list[Token], index: int, start: int) -> Table:
        rows: list[list[Cell]] = []
        for token in tokens[index:]:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(_cell(token.children or []))
        end = (tokens[index].map or (0, 0))[1]
        return Table(
            header=self.lines[start],
            columns=tuple(cell.full for cell in rows[0]),
            rows=tuple(tuple(row) for row in rows[1:]),
            widths=tuple(len(split_row(line)) for line in self.lines[start:end] if line.strip()),
            line=start + 1,
            heading=self.heading,
        )


def _linked(children: Iterable[Token]) -> Iterable[Token]:
    """The tokens of the link that the first one opens."""
    return takewhile(lambda child: child.type != "link_close", children)


def flat(children: Iterable[Token]) -> tuple[str, tuple[tuple[int, str], ...]]:
    """The text with each code span as one space, and the bold parts as (offset, text)."""
    out: list[str] = []
    bold: list[tuple[int, str]] = []
    opened, length = -1, 0
    for child in children:
        if child.type == "strong_open":
            opened = length
        elif child.type == "strong_close" and opened >= 0:
            bold.append((opened, "".join(out)[opened:]))
            opened = -1
        piece = _piece(child, code=False)
        out.append(piece)
        length += len(piece)
    return "".join(out), tuple(bold)


def plain_text(children: Iterable[Token]) -> str:
    """The text as a reader sees it, code included."""
    return "".join(_piece(child, code=True) for child in children)


def _piece(child: Token, *, code: bool) -> str:
    if child.type in ("text", "text_special"):
        return child.content
    if child.type == "code_inline":
        return child.content if code else " "
    if child.type in ("softbreak", "hardbreak", "html_inline"):
        return "\n" if child.type != "html_inline" or child.content == BREAK else " "
    return ""


def _cell(children: list[Token]) -> Cell:
    text, _ = flat(children)
    full = plain_text(children)
    lead = _ID.match(full)
    anchors = (str(child.attrs.get("href", "")) for child in children if child.type == "link_open")
    linked = (f"{found[1].upper()}-{found[2]}" for anchor in anchors if (found := _ANCHOR.fullmatch(anchor)))
    return Cell(
        text=text,
        full=full,
        ids=tuple(dict.fromkeys([*([lead[0]] if lead else []), *linked])),
        fragments=tuple(part.strip() for part in text.split("\n")),
        spans=tuple(child.content for child in children if child.type == "code_inline"),
    )


def split_row(line: str) -> tuple[str, ...]:
    """The cells of a table row as written: split at pipes without a backslash before them."""
    bare = line.strip()
    bare = bare[1:] if bare.startswith("|") else bare
    parts = re.split(r"(?<!\\)\|", bare)
    if len(parts) > 1 and not parts[-1].strip():
        parts = parts[:-1]
    return tuple(part.strip() for part in parts)


def by_turns(line: str) -> list[str]:
    """The line's own words and its code spans by turns, own words first and last."""
    parts, last = [], 0
    for found in _SPAN.finditer(line):
        code = found["code"]
        inner = code[1:-1] if code[:1] == code[-1:] == " " and code.strip() else code
        parts += [line[last : found.start()], inner]
        last = found.end()
    return [*parts, line[last:]]


def is_listable(name: str) -> bool:
    """True for a name that is read back with certainty where names and words of ours stand in a row."""
    return _UNSURE.search(name) is None


def section_of(text: str, name: str) -> str:
    """The section of that name, its heading included: of several the one of the highest level; "" for none."""
    document = parse_document(text)
    own = min((each for each in document.headings if each.text == name), key=lambda each: each.level, default=None)
    if own is None:
        return ""
    later = (each.line for each in document.headings if each.line > own.line and each.level <= own.level)
    return _lines(document, own.line, next(later, None))


def opening_of(text: str, name: str) -> str:
    """The beginning of a section, without its heading: its first block and its first subsection."""
    document = parse_document(section_of(text, name))
    parts = [each.line for each in document.headings if each.level == 3]
    return _lines(document, 1, parts[1] if len(parts) > 1 else None).partition("\n")[2].strip() + "\n"


def _lines(document: Document, first: int, after: int | None) -> str:
    return "\n".join(document.lines[first - 1 : after and after - 1]).rstrip() + "\n"
