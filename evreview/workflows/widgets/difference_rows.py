"""The differences of a ledger as rows of the table, and one whole as its card: the words that all outputs print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from evreview.core.quoted_text import plain, text
from evreview.core.vocabulary import Verdict
from evreview.report.difference_card import Card, PartLabel
from evreview.report.difference_text import RowText
from evreview.workflows.widgets.heat_map import HeatLine, HeatMap
from evreview.workflows.widgets.table_markup import Column, Look
from evreview.workflows.widgets.two_sides import DetailView

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
"""Operations of a heat map; the others are summed in its last line."""
_ORDER: Final = (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE)


def heat_of(rows: Sequence[tuple[tuple[str, ...], str, Verdict]]) -> HeatMap:
    """Operations by aspects, the worst first: in each square how many rows have its gravest verdict.

    Args:
        rows: of each its operations, its aspect, its verdict.
    """
    counts: dict[str, dict[str, Counter[Verdict]]] = {}
    for names, aspect, verdict in rows:
        for name in names:
            counts.setdefault(name, {}).setdefault(aspect, Counter())[verdict] += 1
    heads = tuple(sorted({aspect for _, aspect, _ in rows}))

    def weight(name: str) -> list[int]:
        return [-sum(found[verdict] for found in counts[name].values()) for verdict in _ORDER]

    ordered = sorted(counts, key=weight)
    most = WORST if len(ordered) <= WORST else WORST - 1
    lines = [_line(name, (name,), heads, counts[name]) for name in ordered[:most]]
    if rest := frozenset(ordered[most:]):
        summed: dict[str, Counter[Verdict]] = {}
        for names, aspect, verdict in rows:
            if rest & {*names}:
                summed.setdefault(aspect, Counter())[verdict] += 1
        lines.append(_line(f"{len(rest)} more", tuple(ordered[most:]), heads, summed))
    title = "Where it breaks: each square counts the differences of its gravest verdict."
    return HeatMap(title=title, facets=("operation", "aspect"), corner="Operation", heads=heads, lines=tuple(lines))


def _line(label: str, values: tuple[str, ...], heads: Sequence[str], found: Mapping[str, Counter[Verdict]]) -> HeatLine:
    gravest = [next((each for each in _ORDER if found.get(head, Counter())[each]), None) for head in heads]
    words = tuple(f"{found[head][each]} {each}" if each else "" for head, each in zip(heads, gravest, strict=True))
    return HeatLine(label=label, values=values, words=words, looks=tuple(str(each or "") for each in gravest))


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
        released=document["released"],
        candidate=document["candidate"],
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


def _words(lines: Iterable[Any], code: str) -> str:
    return "; ".join(filter(None, (*(plain(line) for line in lines), code)))
