"""The differences of a ledger as rows of the table, and one whole as its card: the words that all outputs print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from evreview.core.quoted_text import plain, text
from evreview.core.vocabulary import Verdict
from evreview.report.difference_card import Card, CardPart, PartLabel
from evreview.report.difference_text import RowText
from evreview.report.ledger_text import MARKS
from evreview.workflows.widgets.heat_map import HeatLine, HeatMap
from evreview.workflows.widgets.table_markup import Column, Look
from evreview.workflows.widgets.two_sides import DetailView, written

KEY: Final = "delta_id"
VERDICT: Final = Column("verdict", "Verdict", Look.BADGE)
COLUMNS: Final = (
    VERDICT,
    Column("what", "What changes"),
    Column("released", "Released"),
    Column("candidate", "Candidate"),
    Column("clients", "Clients"),
    Column("shown_by", "Shown by"),
)
"""Two contracts alone know no clients, and a line of very many rows proves nothing: both leave out the last two."""
FACETS: Final = ("verdict", "operation")
FOLDED: Final = ("verdict", str(Verdict.COMPATIBLE))
CAPTION: Final = "Each row is one difference between the two contracts, breaking first."


def cells(spoken: RowText, noun: str) -> tuple[str, ...]:
    """Id, verdict, what changes and where, both forms: the first cells of a row."""
    where = spoken.where(noun)
    what = plain(text(*spoken.title, *(("; ", *where) if where else ())))
    return (spoken.id, spoken.verdict, what, plain(spoken.released), plain(spoken.candidate))


WORST: Final = 20
"""Operations of a map of clients; the others are summed in its last line."""
_LINES: Final = 9
_HEADS: Final = 8
"""Lines and columns of a map of counts; the last sums the others."""
_ORDER: Final = (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE)
_LEGEND: Final = ", ".join(f"{MARKS[verdict]} {verdict}" for verdict in _ORDER)


def heat_of(rows: Sequence[tuple[tuple[str, ...], str, Verdict]]) -> HeatMap:
    """Operations by aspects, both the worst first: in each square how many rows have its gravest verdict.

    Args:
        rows: of each its operations, its aspect, its verdict.
    """
    columns = _summed(_worst_first((aspect, verdict) for _, aspect, verdict in rows), _HEADS)
    lines = _summed(_worst_first((name, verdict) for names, _, verdict in rows for name in names), _LINES)
    head_of = {aspect: head for head, aspects in columns.items() for aspect in aspects}
    line_of = {name: label for label, names in lines.items() for name in names}
    counts: dict[str, dict[str, Counter[Verdict]]] = {label: {} for label in lines}
    for names, aspect, verdict in rows:
        for label in {line_of[name] for name in names}:
            counts[label].setdefault(head_of[aspect], Counter())[verdict] += 1
    return HeatMap(
        title=f"Where it breaks: each square counts the differences of its gravest verdict ({_LEGEND}).",
        facets=("operation", "aspect"),
        corner="Operation",
        heads=tuple(columns),
        columns=tuple(columns.values()),
        lines=tuple(_line(label, names, tuple(columns), counts[label]) for label, names in lines.items()),
    )


def _worst_first(found: Iterable[tuple[str, Verdict]]) -> list[str]:
    counts: dict[str, Counter[Verdict]] = {}
    for name, verdict in found:
        counts.setdefault(name, Counter())[verdict] += 1
    return sorted(counts, key=lambda name: ([-counts[name][verdict] for verdict in _ORDER], name))


def _summed(names: Sequence[str], most: int) -> dict[str, tuple[str, ...]]:
    """Names by label: each for itself, those past `most` under one label."""
    alone = names if len(names) <= most else names[: most - 1]
    rest = tuple(names[len(alone) :])
    return {name: (name,) for name in alone} | ({f"{len(rest)} more": rest} if rest else {})


def _line(label: str, values: tuple[str, ...], heads: Sequence[str], found: Mapping[str, Counter[Verdict]]) -> HeatLine:
    gravest = [next((each for each in _ORDER if found.get(head, Counter())[each]), None) for head in heads]
    pairs = tuple(zip(heads, gravest, strict=True))
    return HeatLine(
        label=label,
        values=values,
        words=tuple(f"{found[head][each]} {each}" if each else "" for head, each in pairs),
        short=tuple(f"{found[head][each]}\N{NO-BREAK SPACE}{MARKS[each]}" if each else "" for head, each in pairs),
        looks=tuple(str(each or "") for each in gravest),
    )


def card_view(
    card: Card,
    document: Mapping[str, Any],
    *,
    beside: Sequence[tuple[str, str]] = (),
    clients: Iterable[tuple[str, str, str]] = (),
    acceptance: str = "",
) -> DetailView:
    """The card of a row as what it opens; every text was redacted before.

    Args:
        card: what the row says whole.
        document: the row as JSON, for both forms.
        beside: label and text of what a review knows further.
        clients: known clients, each with its outcome and what that rests on.
        acceptance: the accept file that would accept the row.
    """
    parts = {part.label: part for part in card.parts}
    message = parts.get(PartLabel.MESSAGE) or parts.get(PartLabel.VALUE)
    facts = [
        (label.capitalize(), _words(part.lines, part.code if label not in _SIDES else ""))
        for label, part in parts.items()
        if label not in _APART
    ]
    facts += [("Rule", card.rule)] if card.rule else []
    return DetailView(
        key=card.row.id,
        title=plain(card.row.title),
        verdict=card.row.verdict,
        released=_form(parts[PartLabel.RELEASED], document),
        candidate=_form(parts[PartLabel.CANDIDATE], document),
        places=tuple(_words(parts[side].lines[1:], "") for side in _SIDES),
        fields=(*facts, *beside),
        clients=tuple(clients),
        witness=_words(message.lines, "") if message else "",
        message=message.code if message else "",
        commands=tuple((step.shows, step.command) for step in card.next_steps),
        acceptance=acceptance,
    )


_SIDES: Final = (PartLabel.RELEASED, PartLabel.CANDIDATE)
_APART: Final = (*_SIDES, PartLabel.MESSAGE, PartLabel.VALUE, PartLabel.CLIENTS)


def _form(part: CardPart, document: Mapping[str, Any]) -> str:
    """A side in words; a schema, or a value that has parts, as JSON whose lines can be compared."""
    return written(document[part.label]) if part.code else plain(part.lines[0])


def _words(lines: Iterable[Any], code: str) -> str:
    return "; ".join(filter(None, (*(plain(line) for line in lines), code)))
