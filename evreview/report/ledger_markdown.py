"""A comparison as a Markdown page for a merge request: breaking rows first, one short line each, then the cards.

Every word of a contract stands in a code span, where a code host makes no link, no mention and no reference of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from evreview.core.quoted_text import UserText, plain
from evreview.core.vocabulary import Verdict
from evreview.report.difference_card import Card, CardPart, PartLabel, card_of
from evreview.report.difference_text import RowContext, RowText, contexts, said
from evreview.report.escape import (
    NOTHING,
    SafeMarkdown,
    cell,
    cell_code,
    cell_words,
    code,
    fence,
    prose,
    shorten,
    words,
)
from evreview.report.ledger_formats import NAMES, PLANES, WORST_FIRST, is_accepted, stale, summary, verdict_of
from evreview.report.ledger_text import WHOLE
from evreview.report.terminal_text import begin, end, flat

Document = Mapping[str, Any]
COLUMNS: Final = ("", "Where", "What", "Shown by", "Row")
NAME: Final = 48
"""Characters of an operation, of a place and of an owner in a table; the card has the whole."""
LINE: Final = 100
"""Characters of what a row says, without the marks of its code spans."""
_QUIET: Final = ("Where", "What", "Why", "Row")
_LONG: Final = 2_000
"""Characters of a value or message in a card."""
_MARKS: Final = {Verdict.BREAKING: "**breaking**", Verdict.UNKNOWN: "unknown", Verdict.COMPATIBLE: "compatible"}
_OURS: Final = (PartLabel.WHY, PartLabel.DIRECTION, PartLabel.PLANES)


def markdown(document: Document) -> str:
    """The rows, the cards of those that a line can't tell whole, then what has no verdict.

    Args:
        document: the comparison's object with what the words of its rows are made from, redacted.
    """
    released, candidate = (code(_side_title(document[side])) for side in ("released", "candidate"))
    lines = ["# Wire differences", "", f"**{verdict_of(document)}**", "", f"{released} → {candidate}", ""]
    lines += [str(prose(summary(document))), ""]
    told = contexts(document["rows"], document[NAMES])
    rows = sorted(document["rows"], key=lambda row: WORST_FIRST[row["verdict"]])
    spoken = [(row, said(row, told[row["id"]])) for row in rows]
    lines += table(COLUMNS, [cells(row, text) for row, text in spoken])
    if cards := [part for row, text in spoken if _has_card(row, text) for part in _card(row, told[text.id])]:
        lines += ["", "## Rows in full", *cards]
    if entries := stale(document):
        lines += ["", "## Accepted, but not found", "", *(f"* {code(text)}" for _, text in entries)]
    if document["noise"]:
        lines += ["", "## Never reaches the wire", "", *_quiet(document)]
    if document["unread"]:
        lines += ["", "## Not understood", "", *map(_unread, document["unread"])]
    return "\n".join(lines) + "\n"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table; one row that says so where there is none."""
    body = rows or [[NOTHING, *["n/a"] * (len(columns) - 1)]]
    return [f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *body)]


def cells(row: Document, text: RowText) -> tuple[str, ...]:
    """The row's cells in `COLUMNS`: verdict with those of its planes, where, what, how it is shown or accepted, id."""
    verdicts = (f"{plane}: {verdict}" for plane, verdict in (row.get(PLANES) or {}).items())
    return (
        "<br>".join((_MARKS[row["verdict"]], *verdicts)),
        _where(text),
        str(cell_words(text.within(LINE))),
        "<br>".join((text.shown_by, *_acceptance(row))),
        str(cell_code(text.id)),
    )


def _where(text: RowText) -> str:
    first, *more = text.under or (WHOLE,)
    parts: list[str] = [cell_code(begin(flat(first), NAME)) if text.under else WHOLE]
    if more:
        parts.append(f"and {len(more)} more")
    if text.place and plain(text.place) != first:
        parts.append(cell_code(end(flat(text.place), NAME)))
    return "<br>".join(parts)


def _acceptance(row: Document) -> Iterator[str]:
    found = row.get("acceptance")
    if found is not None:
        state = "accepted until" if is_accepted(row) else "acceptance expired on"
        yield f"{state} {found['expires']}, {cell_code(begin(flat(str(found['owner'])), NAME))}"


# Cards.


def _has_card(row: Document, text: RowText) -> bool:
    """True where the row breaks, is open, is shown by a message, is or was accepted, or is cut in the table."""
    grave = row["verdict"] != Verdict.COMPATIBLE or row["proof"].get("witness") or row.get("acceptance") is not None
    long = any(len(flat(name)) > NAME for name in (*text.under[:1], plain(text.place)))
    return bool(grave) or long or text.within(LINE) != text.line


def _card(row: Document, told: RowContext) -> Iterator[str]:
    card: Card = card_of(row, told)
    rule = ("; rule ", UserText(card.rule)) if card.rule else ("; no rule",)
    yield from ("", f"### {card.row.id}", "", f"{_MARKS[row['verdict']]}: {words((*card.row.title, *rule))}", "")
    for part in card.parts:
        yield from _part(part)
    if row["proof"].get("command"):
        yield f"* check: {code(row['proof']['command'])}"


def _part(part: CardPart) -> Iterator[str]:
    shown = [_line(part, at) for at in range(len(part.lines))]
    yield f"* {part.label}: {'; '.join(shown)}" if shown else f"* {part.label}:"
    if part.code:
        yield from ("", *(f"  {line}".rstrip() for line in fence(shorten(part.code, _LONG)).split("\n")))


def _line(part: CardPart, at: int) -> SafeMarkdown:
    """A line of a card; all but our own words as code."""
    own = part.label in _OURS or (not at and part.label in (PartLabel.RELEASED, PartLabel.CANDIDATE))
    return words(part.lines[at]) if own else code(plain(part.lines[at]))


# What has no verdict.


def _quiet(document: Document) -> list[str]:
    told = contexts(document["noise"], document[NAMES])
    texts = [(said(row, told[row["id"]]), begin(flat(str(row["reason"])), LINE)) for row in document["noise"]]
    rows = [(_where(text), cell_words(text.within(LINE)), cell(reason), cell_code(text.id)) for text, reason in texts]
    return table(_QUIET, rows)


def _unread(part: Document) -> str:
    found = "; ".join(code(str(part[name])) for name in ("found", "advice") if part.get(name))
    return f"* {code(str(part['place']))}: {found}"


def _side_title(side: Document) -> str:
    return f"{side.get('path', '')} {side.get('version') or ''}".strip()
