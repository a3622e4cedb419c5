"""A comparison as one page: verdict, where it breaks, breaking rows first with a card each, and the rest folded.

The words are those of `difference_text` and `difference_card`, as on the terminal. A large ledger is grouped by what
its rows are listed under; what the page leaves out of it, it counts and names the command for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from evreview.comparison.comparison import Comparison
from evreview.core.control_characters import marked
from evreview.core.frozen import frozen
from evreview.core.quoted_text import Text, UserText, counted
from evreview.core.vocabulary import Verdict
from evreview.redaction.detector import Clean
from evreview.report.change_in_words import LedgerRow
from evreview.report.difference_card import Card, CardPart, card_of
from evreview.report.difference_text import NextStep, listed_under, written_place
from evreview.report.escape import html
from evreview.report.ledger_formats import WORST_FIRST
from evreview.report.ledger_text import ITSELF, TONES, WHOLE, LedgerOverview, Printing, View, pair_of, word_of
from evreview.report.pages.frame import Link, broken, document, region
from evreview.report.terminal_text import Screen, flat

GROUPED: Final = 2_000
"""More rows than this are told under what they are listed under, one folded group each."""
CARDS: Final = 2_000
"""The most rows with a card; the worst come first."""
LINES: Final = 20_000
"""The most rows with a line."""
GLANCE: Final = 8
"""The most operations of the glance table; the rest is summed."""
NAMED: Final = 4
"""The most operations that a row's cell names; its card has all."""
_ONE_LINE: Final = 1_000_000
_ROW_COLUMNS: Final = ("Difference", "Reaches", "Where", "What changes", "Released", "Candidate", "Shown by")
_GLANCE_COLUMNS: Final = ("Breaking", "Unknown", "Compatible", "What breaks")
_TITLES: Final = {Verdict.BREAKING: "Breaking", Verdict.UNKNOWN: "Unknown", Verdict.COMPATIBLE: "Compatible"}


@frozen
class _Told:
    """One row as the page shows it: its line, and its card as far as it has one."""

    row: LedgerRow
    line: str
    card: str


def ledger_page(comparison: Comparison, printing: Printing) -> Clean:
    """The comparison as a whole HTML document.

    Args:
        comparison: what is shown.
        printing: what has been learnt to redact, the command's words and the lines; the screen does not matter.
    """
    return Clean(_LedgerPage(comparison, printing).whole())


class _LedgerPage:
    """One page being made."""

    def __init__(self, comparison: Comparison, printing: Printing) -> None:
        wide = replace(printing, screen=Screen(_ONE_LINE))
        self.comparison = comparison
        self.overview = LedgerOverview(comparison, View(everything=True, noise=True), wide)
        worst = sorted(comparison.rows, key=lambda row: WORST_FIRST[row.judgement.verdict])
        self.shown = worst[:LINES]
        self.left_out = len(worst) - len(self.shown)
        self.carded = {row.delta.id for row in worst[:CARDS]}
        lines = printing.lines if len(worst) <= CARDS else None
        self.document: Any = self.overview.document(self.shown, comparison.noise[:LINES], lines)
        self.is_grouped = len(worst) > GROUPED
        self.links: list[Link] = []
        self.has_matrix = False

    def whole(self) -> str:
        """The document."""
        body = "".join(self._body())
        return document(pair_of(self.document), self.links, body)

    def _body(self) -> Iterator[str]:
        tone, words = self.overview.verdict()
        yield f"<h1>{broken(pair_of(self.document))}</h1>\n"
        yield f'<p data-role="decision"><b class="{tone}">{html(words)}</b></p>\n'
        yield from self._counts()
        yield from self._next()
        if self.comparison.rows:
            yield from self._glance()
        rows = self.document["rows"]
        for verdict in WORST_FIRST:
            own = [row for row in rows if row["verdict"] == verdict]
            if own:
                yield from self._rows(verdict, own)
        yield from self._noise()
        yield from self._unread()

    def _heading(self, text: str, name: str) -> str:
        self.links.append(Link(text, name))
        return f'<h2 id="{name}">{html(text)}</h2>\n'

    def _counts(self) -> Iterator[str]:
        told = {**self.document, "unread": ()}
        yield from (f"<p>{broken(line)}</p>\n" for line in self.overview.count_lines(told, whole=True))
        if self.left_out:
            told_out = f"{self.left_out} rows more are left out of this page: --format csv or json has every row."
            yield f"<p>{html(told_out)}</p>\n"
        if len(self.shown) > CARDS:
            yield f"<p>{html(f'The {CARDS} worst rows have a card here; --show ID prints the card of any row.')}</p>\n"

    def _next(self) -> Iterator[str]:
        worst = [row for row in self.shown if row.judgement.verdict is not Verdict.COMPATIBLE]
        steps = [step for step in self.overview.steps(worst) if "html" not in step.words]
        if steps:
            yield '<div data-role="next"><b>Next</b>\n<ul>\n'
            yield from (f"<li>{self._command(step)} {html(step.shows)}</li>\n" for step in steps)
            yield "</ul></div>\n"

    def _command(self, step: NextStep) -> str:
        words = tuple(str(self.overview.redactor.clean_message(word)) for word in step.words)
        return f"<code data-copy>{broken(NextStep(words, step.shows).command)}</code>"

    # Where it breaks.

    def _glance(self) -> Iterator[str]:
        """Operations by verdict, the worst first; a row counts at each that it reaches."""
        counts = self.overview.counted_by()
        aspects = self._aspects()
        worst = sorted(counts, key=lambda name: ([-counts[name][verdict] for verdict in WORST_FIRST], name))
        shown: Any = self.overview.redactor.clean_json(worst[:GLANCE], signs=marked)
        what = "Operation" if self.overview.by_operation else "Element"
        lines = [
            self._glance_row(self._name(label), counts[name], aspects.get(name, Counter()))
            for name, label in zip(worst[:GLANCE], shown, strict=True)
        ]
        if rest := worst[GLANCE:]:
            title = f"{len(rest)} more"
            lines.append(self._glance_row(title, _summed(counts, rest), _summed(aspects, rest)))
        yield self._heading("Where it breaks", "where")
        yield region("Where it breaks", _head((what, *_GLANCE_COLUMNS)) + _rows_of(lines))
        yield "<p>A difference counts at each operation or element that it reaches.</p>\n"

    def _aspects(self) -> dict[str, Counter[str]]:
        """What breaks, by the names that the rows are listed under."""
        found: dict[str, Counter[str]] = {}
        for row in self.overview.sketches:
            if row["verdict"] == Verdict.BREAKING:
                for name in listed_under(row):
                    found.setdefault(name, Counter())[str(row["aspect"])] += 1
        return found

    def _glance_row(self, label: str, counts: Counter[str], aspects: Counter[str]) -> str:
        cells = [f'<th scope="row"><code>{broken(label)}</code></th>']
        for verdict in WORST_FIRST:
            number = counts[verdict]
            tone = f" {TONES[verdict]}" if number and verdict is not Verdict.COMPATIBLE else ""
            cells.append(f'<td class="num{tone}">{number}</td>')
        told = ", ".join(f"{name}: {number}" for name, number in aspects.most_common()) or "nothing"
        return f"<tr>{''.join(cells)}<td>{html(told)}</td></tr>"

    def _name(self, key: str) -> str:
        return flat(self.overview.names.get(key, key)) or WHOLE

    # Rows and cards.

    def _rows(self, verdict: Verdict, rows: Sequence[LedgerRow]) -> Iterator[str]:
        title = f"{_TITLES[verdict]}: {counted(len(rows), 'difference')}"
        yield self._heading(title, verdict.value)
        inner = "".join(self._grouped(rows) if self.is_grouped else self._table(title, rows))
        if verdict is Verdict.COMPATIBLE:
            yield f'<details class="fold"><summary>{html(title)}, folded</summary>\n{inner}</details>\n'
        else:
            role = "" if self.has_matrix else ' data-role="matrix"'
            self.has_matrix = True
            yield f"<div{role}>\n{inner}</div>\n"

    def _grouped(self, rows: Sequence[LedgerRow]) -> Iterator[str]:
        """The rows under the first name that they are listed under; one group folded for each."""
        groups: dict[str, list[LedgerRow]] = {}
        for row in rows:
            groups.setdefault(next(iter(listed_under(row)), ""), []).append(row)
        for name, members in sorted(groups.items(), key=lambda group: -len(group[1])):
            label = f"{self._name(name)}: {counted(len(members), 'difference')}"
            yield f'<details class="group" data-group="{html(name)}"><summary>{broken(label)}</summary>\n'
            yield from self._table(label, members)
            yield "</details>\n"

    def _table(self, label: str, rows: Sequence[LedgerRow]) -> Iterator[str]:
        told = [self._told(row) for row in rows]
        yield region(label, _head(_ROW_COLUMNS) + _rows_of(each.line for each in told), wide=True)
        yield from (each.card for each in told)

    def _told(self, row: LedgerRow) -> _Told:
        name = str(row["id"])
        has_card = name in self.carded
        text = self.overview.said_of(row)
        label = f'<a href="#{html(name.lower())}">{html(name)}</a>' if has_card else html(name)
        cells = (
            self._reached(listed_under(row)),
            _code(flat(text.place) or ITSELF),
            _words(text.title),
            _words(text.released),
            _words(text.candidate),
            html(word_of(row, text)),
        )
        inner = "".join(f"<td>{cell}</td>" for cell in cells)
        data = f'data-id="{html(name)}" data-verdict="{html(text.verdict)}"'
        line = f'<tr {data}><th scope="row">{label}</th>{inner}</tr>'
        card = self._card(card_of(row, self.overview.context(row))) if has_card else ""
        return _Told(row, line, card)

    def _reached(self, names: Sequence[str]) -> str:
        told = [_code(self._name(name)) for name in names[:NAMED]]
        more = len(names) - NAMED
        return ", ".join(told) + (f" and {more} more" if more > 0 else "")

    def _card(self, card: Card) -> str:
        verdict = Verdict(card.row.verdict)
        rule = f"({card.rule})" if card.rule else "(no rule)"
        parts = "".join(f"<dt>{html(part.label)}</dt><dd>{''.join(_part(part))}</dd>\n" for part in card.parts)
        steps = "".join(f"<p>{self._command(step)} {html(step.shows)}</p>\n" for step in card.next_steps)
        return (
            f'<details class="card" data-id="{html(card.row.id)}"><summary><b>{html(card.row.id)}</b> '
            f'<b class="{TONES[verdict]}">{html(verdict.value)}</b> {_words(card.row.title)} {html(rule)}</summary>\n'
            f'<div class="inside" id="{html(card.row.id.lower())}">\n<dl>\n{parts}</dl>\n{steps}</div></details>\n'
        )

    # What is no row.

    def _noise(self) -> Iterator[str]:
        """What never reaches the wire, under its reason."""
        noise = self.document["noise"]
        if not noise:
            return
        reasons: dict[str, list[LedgerRow]] = {}
        for row in noise:
            reasons.setdefault(str(row["reason"]), []).append(row)
        title = f"Never reaches the wire: {len(self.comparison.noise)}"
        yield self._heading(title, "noise")
        yield f'<details class="fold"><summary>{html(title)}, folded</summary>\n'
        for reason, members in reasons.items():
            lines = [self._quiet(row) for row in members]
            label = f"{flat(reason)}: {len(members)}"
            yield f"<p>{broken(label)}</p>\n"
            yield region(label, _head(("Difference", "Where", "What changes")) + _rows_of(lines))
        yield "</details>\n"

    def _quiet(self, row: LedgerRow) -> str:
        where = written_place(row["address"])
        name = html(str(row["id"]))
        words = _words(self.overview.said_of(row).line)
        return f'<tr data-id="{name}"><th scope="row">{name}</th><td>{_code(flat(where))}</td><td>{words}</td></tr>'

    def _unread(self) -> Iterator[str]:
        """What nobody could read, and why."""
        unread: Sequence[Mapping[str, Any]] = self.document["unread"]
        if not unread:
            return
        title = f"Not understood: {counted(len(unread), 'part')}"
        yield self._heading(title, "unread")
        lines = [
            f"<tr><td>{_code(str(part['place']))}</td><td>{broken(str(part['found']))}</td></tr>"
            for part in unread[:LINES]
        ]
        yield region(title, _head(("Place", "Found")) + _rows_of(lines))


def _summed(counts: Mapping[str, Counter[str]], names: Iterable[str]) -> Counter[str]:
    total: Counter[str] = Counter()
    for name in names:
        total.update(counts.get(name, {}))
    return total


def _head(columns: Iterable[str]) -> str:
    cells = "".join(f'<th scope="col">{html(column)}</th>' for column in columns)
    return f"<thead><tr>{cells}</tr></thead>\n"


def _rows_of(lines: Iterable[str]) -> str:
    return "<tbody>\n" + "\n".join(lines) + "\n</tbody>\n"


def _code(value: str) -> str:
    return f"<code>{broken(value)}</code>"


def _words(value: Text) -> str:
    """A sentence of ours, words of the subject in code."""
    return "".join(_code(part.value) if isinstance(part, UserText) else broken(part) for part in value)


def _part(part: CardPart) -> Iterator[str]:
    """A part of a card: its lines, then its value."""
    yield "<br>".join(_words(line) for line in part.lines)
    if part.code:
        yield f"<pre><code>{html(part.code)}</code></pre>"
