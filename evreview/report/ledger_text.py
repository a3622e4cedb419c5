"""A comparison for people at a terminal or a log: the verdict first, breaking rows grouped, one line a row.

Rows are chosen before they are redacted and said: of a large ledger only what is shown costs anything.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, Final

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.kind_spec import Listing
from evreview.core.control_characters import marked
from evreview.core.errors import BadInput, Problem
from evreview.core.frozen import frozen
from evreview.core.quoted_text import counted, plain
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.registry import spec_of
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.report.change_in_words import LedgerRow
from evreview.report.difference_card import Card, card_of
from evreview.report.difference_text import (
    SHOWN_BY,
    NextStep,
    RowContext,
    RowText,
    headline,
    listed_under,
    name_of,
    next_steps,
    numbers,
    said,
    sketched,
    stated,
    written_names,
    written_place,
)
from evreview.report.forms_in_words import CUT, shared_begin
from evreview.report.ledger_formats import WORST_FIRST, Lines, is_accepted, learnt, not_understood, placed, stale, told
from evreview.report.terminal_text import (
    Screen,
    begin,
    columns,
    command_lines,
    end,
    flat,
    listed_within,
    middle,
    padded,
    wrapped,
)

MANY: Final = 60
"""Rows, beyond which operations and repeated changes are told instead of each row."""
SHOWN: Final = 20
"""Operations, and repeated changes, of a large ledger."""
MARKS: Final = {Verdict.BREAKING: "x", Verdict.UNKNOWN: "?", Verdict.COMPATIBLE: "."}
TONES: Final = {Verdict.BREAKING: "bad", Verdict.UNKNOWN: "unsure", Verdict.COMPATIBLE: "good"}
ITSELF: Final = "itself"
WHOLE: Final = "the whole contract"
_PROOFS: Final = (ProofStatus.WITNESSED, ProofStatus.PROVED, ProofStatus.NOT_APPLICABLE, ProofStatus.UNPROVEN)
_PLACE: Final = 44
_ID: Final = 14
_LABEL: Final = 13


@frozen(kw_only=True)
class View:
    """What is asked for: one row's card, every row, the noise, or the rows of one verdict."""

    show: str = ""
    everything: bool = False
    noise: bool = False
    verdict: Verdict | None = None


@frozen(kw_only=True)
class Printing:
    """How and where the view is printed.

    Attributes:
        screen: columns and colour.
        redactor: what has been learnt to redact.
        contracts: both and the options that they are read with, as words of a command line.
        options: what else the comparison was asked with.
        review: the command that makes a review of both, where a repository has them.
        lines: tells lines of the contracts.
        accepted: what the accept file says of each row, by id, as its JSON; None without such a file.
        stale: its entries that accept nothing any more, as JSON.
    """

    screen: Screen
    redactor: Redactor
    contracts: tuple[str, ...]
    options: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    lines: Lines | None = None
    accepted: Mapping[str, Any] | None = None
    stale: Sequence[Any] = ()


def ledger_text(comparison: Comparison, view: View, printing: Printing) -> Clean:
    """The comparison as text, ending with a line end.

    Raises:
        BadInput: `row-unknown`, with the ids that are near.
    """
    made = LedgerOverview(comparison, view, printing)
    lines = made.card() if view.show else made.lines()
    return Clean("\n".join(line.rstrip() for line in lines) + "\n")


class LedgerOverview:
    """One comparison being told."""

    def __init__(self, comparison: Comparison, view: View, printing: Printing) -> None:
        self.comparison, self.view, self.printing = comparison, view, printing
        self.screen = printing.screen
        # A path that begins like an option is named from its folder.
        files = [f"./{each}" if each.startswith("-") else each for each in printing.contracts[:2]]
        self.contracts = (*files, *printing.contracts[2:])
        released = comparison.ledger.released
        self.sketches = [
            sketched(row.delta, released, rule=row.judgement.rule or "", verdict=row.judgement.verdict.value)
            for row in comparison.rows
        ]
        noise = [sketched(each.delta, released) for each in comparison.noise]
        self.redactor = learnt({"rows": self.sketches, "noise": noise}, printing.redactor)
        self.by_operation = spec_of(comparison.ledger.released.kind).words.listing is Listing.OPERATION
        self.numbered = numbers(self.sketches)
        self.names = self._names()

    def _names(self) -> dict[str, str]:
        cleaned: Any = self.redactor.clean_json(written_names(self.comparison.ledger), signs=marked)
        return {key: flat(name) for key, name in cleaned}

    # What is told of which rows.

    def lines(self) -> Iterator[str]:
        """The overview, line by line."""
        asked = [row for row in self.comparison.rows if self._asked(row)]
        asked.sort(key=lambda row: WORST_FIRST[row.judgement.verdict])
        whole = self.view.everything or self.view.verdict is not None or len(asked) <= MANY
        document = self.document(asked if whole else [], self.comparison.noise if self.view.noise else ())
        yield from self._head(document)
        if asked and whole:
            yield from self._groups(document["rows"])
        elif asked:
            yield from self._many(asked)
        if self.view.noise:
            yield from self._noise(document["noise"])
        yield ""
        yield from self.count_lines(document, whole=whole)
        yield from self._commands(self.steps(asked))

    def _asked(self, row: JudgedRow) -> bool:
        verdict = row.judgement.verdict
        if self.view.verdict is not None:
            return verdict is self.view.verdict
        return self.view.everything or verdict is not Verdict.COMPATIBLE

    def document(self, rows: Sequence[JudgedRow], noise: Sequence[Any] = (), lines: Lines | None = None) -> Any:
        """What is shown of the comparison, as JSON and redacted."""
        ledger = self.comparison.ledger
        accepted = self.printing.accepted
        told = [
            stated(row, ledger.released) | ({} if accepted is None else {"acceptance": accepted.get(row.delta.id)})
            for row in rows
        ]
        sides = {
            side: {"path": one.path, "title": one.title, "release": one.release, "kind": one.kind.value}
            for side, one in (("released", ledger.released), ("candidate", ledger.candidate))
        }
        quiet = [{**sketched(each.delta, ledger.released), "reason": each.reason} for each in noise]
        unread = [{"place": str(each.place), "found": each.found} for each in self.comparison.unread]
        plain_document = {**sides, "rows": told, "noise": quiet, "unread": unread}
        if accepted is not None:
            plain_document["acceptance"] = {"stale": list(self.printing.stale)}
        return self.redactor.clean_json(placed(plain_document, marked, lines), signs=marked)

    # Line 1.

    def _head(self, document: Any) -> Iterator[str]:
        tone, words = self.verdict()
        room = self.screen.width - columns(words) - 3
        left = padded(begin(pair_of(document), room), min(44, room))
        yield f"{left}   {self.screen.tinted(words, tone)}"

    def verdict(self) -> tuple[str, str]:
        """The tone of the whole, and its words."""
        return headline(self.comparison.summary, self._accepted())

    def _accepted(self) -> int:
        accepted = self.printing.accepted or {}
        return sum(is_accepted({"acceptance": accepted.get(row.delta.id)}) for row in self.comparison.breaking)

    # Rows.

    def context(self, row: LedgerRow) -> RowContext:
        """What is known beside a row."""
        number = self.numbered.get(str(row["id"]), "")
        return RowContext(names=self.names, contracts=self.contracts, number=number)

    def said_of(self, row: LedgerRow) -> RowText:
        """What a row of `document` says."""
        return said(row, replace(self.context(row), contracts=()))

    def _groups(self, rows: Sequence[Any]) -> Iterator[str]:
        """The rows under what they have in common, groups with the worst row first."""
        groups: dict[tuple[str, ...], list[Any]] = {}
        for row in rows:
            groups.setdefault(listed_under(row), []).append(row)
        texts = {key: [(row, self.said_of(row)) for row in members] for key, members in groups.items()}
        every = [pair for members in texts.values() for pair in members]
        shown = max(columns(word_of(row, text)) for row, text in every)
        place = min(
            _PLACE, max(self.screen.width - 70, 10), max(columns(flat(text.place)) or len(ITSELF) for _, text in every)
        )
        for members in texts.values():
            yield ""
            title = listed_within(members[0][1].under, self.screen.width)
            yield self.screen.tinted(flat(title) or WHOLE, "strong")
            for row, text in members:
                yield self._row(row, text, place, shown)

    def _row(self, row: LedgerRow, text: RowText, place: int, shown: int) -> str:
        where = padded(end(flat(text.place) or ITSELF, place), place)
        room = self.screen.width - 5 - place - 2 - 2 - shown - 2 - _ID
        words = padded(_fitting(text, room), room)
        verdict = Verdict(text.verdict)
        mark = self.screen.tinted(MARKS[verdict], TONES[verdict])
        return f"  {mark}  {where}  {words}  {padded(word_of(row, text), shown)}  {text.id}"

    def _noise(self, noise: Sequence[Any]) -> Iterator[str]:
        """What never reaches the wire, under its reason."""
        reasons: dict[str, list[Any]] = {}
        for row in noise:
            reasons.setdefault(str(row["reason"]), []).append(row)
        for reason, members in reasons.items():
            yield ""
            yield begin(f"never reaches the wire: {flat(reason)}", self.screen.width)
            for row in members:
                room = self.screen.width - 5 - 2 - _ID
                address = written_place(row["address"])
                words = f"{end(flat(address), room // 2)}  {flat(self.said_of(row).line)}"
                yield f"     {padded(begin(words, room), room)}  {row['id']}"

    # Many rows.

    def _many(self, rows: Sequence[JudgedRow]) -> Iterator[str]:
        """Operations by what breaks in them, then the edits that were made in several places."""
        yield ""
        counts = self.counted_by()
        worst = sorted(counts, key=lambda name: ([-counts[name][verdict] for verdict in WORST_FIRST], name))
        worst = [name for name in worst if counts[name][Verdict.BREAKING] or counts[name][Verdict.UNKNOWN]]
        what = "operation" if self.by_operation else "element"
        yield f"by {what} (breaking / unknown / compatible), {min(SHOWN, len(worst))} of {len(worst)} shown (--all)"
        for name in worst[:SHOWN]:
            told = "".join(f"{counts[name][verdict]:5}" for verdict in WORST_FIRST)
            shown: Any = self.redactor.clean_json([name], signs=marked)
            label = flat(self.names.get(name, str(shown[0]))) or WHOLE
            yield f"{told}  {begin(label, self.screen.width - 17)}"
        yield from self._repeated(rows)

    def counted_by(self) -> dict[str, Counter[str]]:
        """Rows by verdict, for each operation or element that they are listed under."""
        counts: dict[str, Counter[str]] = {}
        for row in self.sketches:
            for name in listed_under(row):
                counts.setdefault(name, Counter())[row["verdict"]] += 1
        return counts

    def _repeated(self, rows: Sequence[JudgedRow]) -> Iterator[str]:
        """The same edit in several rows as one line, the most repeated first; then how many rows stand alone."""
        sketches = {str(row["id"]): row for row in self.sketches}
        same: dict[tuple[str, ...], list[JudgedRow]] = {}
        for row in rows:
            sketch = sketches[row.delta.id]
            text = said(sketch)
            # Operations that come or go are one edit, whatever they are called.
            name = name_of(sketch) if text.place else ""
            same.setdefault((text.verdict, name, plain(text.line)), []).append(row)
        found = [members for members in same.values() if len(members) > 1]
        found.sort(key=lambda members: (WORST_FIRST[members[0].judgement.verdict], -len(members)))
        if found:
            yield ""
            yield "repeated changes"
        document = self.document([members[0] for members in found[:SHOWN]])
        for members, first in zip(found[:SHOWN], document["rows"], strict=True):
            yield self._repetition(members, first)
        told = sum(map(len, found[:SHOWN]))
        if len(rows) > told:
            yield f"  {counted(len(rows) - told, 'more row')}{' of other changes' if found else ''}: --all"

    def _repetition(self, members: Sequence[JudgedRow], first: LedgerRow) -> str:
        reached = {name for row in members for name in row.delta.operations}
        ends = f"  first {first['id']}" + (f", operations: {len(reached)}" if self.by_operation and reached else "")
        verdict = members[0].judgement.verdict
        room = self.screen.width - 8 - 2 - len(ends)
        text = said(first, RowContext(names=self.names))
        text = replace(text, change=text.title) if text.place else text
        # Of edits that begin alike the end tells them apart: how many more members there are.
        words = _fitting(text, room) if len(text.details) == 2 else middle(flat(text.line), room)
        return f"{len(members):5} {self.screen.tinted(MARKS[verdict], TONES[verdict])}  {padded(words, room)}{ends}"

    # The end.

    def count_lines(self, document: Any, *, whole: bool) -> Iterator[str]:
        """Lines that add up to all rows."""
        verdicts: Any = self.comparison.summary["verdicts"]
        rows, quiet = len(self.comparison.rows), len(self.comparison.noise)
        listed = whole and (self.view.everything or self.view.verdict is Verdict.COMPATIBLE)
        hidden = " (not shown: --all)" if verdicts["compatible"] and not listed else ""
        by_verdict = (
            f"{verdicts['breaking']} breaking, {verdicts['unknown']} unknown, {verdicts['compatible']} compatible"
        )
        line = (
            f"{counted(rows, 'difference')}: {by_verdict}{hidden}."
            if rows
            else f"0 differences, 0 unknown, {len(self.comparison.unread)} not understood."
        )
        if quiet:
            line += f" {quiet} never {'reaches' if quiet == 1 else 'reach'} the wire"
            line += "." if self.view.noise else " (--noise)."
        yield from wrapped(line, self.screen.width)
        if rows:
            yield from wrapped(self._shown_by(), self.screen.width)
        yield from self._reasons()
        accepted: Any = self.redactor.clean_json(self.printing.accepted or {}, signs=marked)
        named = (f"{name}: {told({'acceptance': entry})}" for name, entry in accepted.items())
        for text in (*named, *(text for _, text in stale(document)), *not_understood(document)):
            yield from wrapped(flat(text), self.screen.width)

    def _shown_by(self) -> str:
        proofs: Any = self.comparison.summary["proofs"]
        words = {**SHOWN_BY, ProofStatus.WITNESSED: "witnessed (one side admits what the other refuses)"}
        parts = [f"{proofs[status]} {words[status]}" for status in _PROOFS if proofs[status]]
        asked = "" if self.comparison.witnesses else " Messages were looked for only briefly (--no-witnesses)."
        return f"Shown by: {', '.join(parts)}.{asked}"

    def _reasons(self) -> Iterator[str]:
        """Why rows are unknown, when several are for one reason."""
        open_ = [row for row in self.comparison.rows if row.judgement.verdict is Verdict.UNKNOWN]
        reasons = Counter(
            row.proof.reason if row.proof.status is ProofStatus.UNPROVEN else row.judgement.why for row in open_
        ).most_common(1)
        if reasons and reasons[0][1] > 1:
            shown: Any = self.redactor.clean_json([reasons[0][0]], signs=marked)
            line = f"Unknown: {reasons[0][1]} of {len(open_)} for one reason: {flat(str(shown[0])).rstrip('.')}."
            yield from wrapped(line, self.screen.width)

    def steps(self, asked: Sequence[JudgedRow]) -> Sequence[NextStep]:
        """At most four commands that run as printed."""
        compare = ("evreview", "diff", *self.contracts, *self.printing.options)
        steps = []
        if asked:
            steps.append(NextStep((*compare, "--show", asked[0].delta.id), "one row: forms, why, message"))
            told = RowContext(contracts=self.contracts)
            shown = (row for row in asked if row.proof.status is ProofStatus.WITNESSED)
            steps += [step for row in shown for step in next_steps(row.to_dict(), told)[:1]][:1]
        elif self.comparison.rows:
            steps.append(NextStep((*compare, "--all"), "the compatible rows too"))
        elif self.comparison.noise and not self.view.noise:
            steps.append(NextStep((*compare, "--noise"), "what never reaches the wire"))
        if self.comparison.rows:
            people = (*compare, "--format", "html", "-o", "diff.html")
            steps.append(NextStep(people, "for people; also markdown, json, csv, sarif, github"))
        if self.comparison.rows and self.printing.review:
            steps.append(NextStep(self.printing.review, "a review with clients, policy and gates"))
        return steps

    def _commands(self, steps: Iterable[NextStep]) -> Iterator[str]:
        head = "next:  "
        for number, step in enumerate(steps):
            if not number:
                yield ""
            words = [str(self.redactor.clean_message(word)) for word in step.words]
            for line in command_lines(words, step.shows, self.screen, len(head)):
                yield f"{head}{line}"
                head = " " * len(head)

    # One row.

    def card(self) -> Iterator[str]:
        """The card of the row that is asked for; of noise its line and its reason."""
        wanted = self.view.show
        row = next((each for each in self.comparison.rows if each.delta.id == wanted), None)
        if row is None:
            yield from self._quiet(wanted)
            return
        document = self.document([row], lines=self.printing.lines)
        told = document["rows"][0]
        yield from self._card(card_of(told, self.context(told)), row)

    def _card(self, card: Card, row: JudgedRow) -> Iterator[str]:
        verdict = row.judgement.verdict
        known = f"{card.row.id}  {verdict.value}  "
        title, *more = wrapped(flat(card.row.title), self.screen.width - columns(known))
        rule = f"({card.rule})" if card.rule else "(no rule)"
        if not more and columns(known) + columns(title) + 2 + columns(rule) <= self.screen.width:
            title, rule = f"{title}  {rule}", ""
        yield f"{card.row.id}  {self.screen.tinted(verdict.value, TONES[verdict])}  {title}"
        yield from (f"{' ' * columns(known)}{line}" for line in (*more, rule) if line)
        yield ""
        for part in card.parts:
            code = [line for each in part.code.splitlines() for line in wrapped(each, self.screen.width - _LABEL - 2)]
            words = [line for each in part.lines for line in wrapped(flat(each), self.screen.width - _LABEL - 2)]
            label = str(part.label)
            for line in (*words, *code):
                yield f"  {padded(label, _LABEL)}{line}"
                label = ""
        yield from self._commands(card.next_steps)

    def _quiet(self, wanted: str) -> Iterator[str]:
        found = [each for each in self.comparison.noise if each.delta.id == wanted]
        if not found:
            raise BadInput([self._unknown(wanted)])
        yield from self._noise(self.document((), found)["noise"])

    def _unknown(self, wanted: str) -> Problem:
        every = [str(each["id"]) for each in self.sketches] + [str(each.delta.id) for each in self.comparison.noise]
        near = difflib.get_close_matches(wanted, every, n=3, cutoff=0.5)
        near += [each for each in every if wanted and each.startswith(wanted) and each not in near][:3]
        advice = f"Near: {', '.join(near)}" if near else "`evreview diff` without --show lists the ids; --all every one"
        return Problem(code="row-unknown", found=f"no row has the id {wanted}", advice=advice)


def pair_of(document: Any) -> str:
    """Both contracts by title and release, by their files where they have no title."""
    released, candidate = (document[side] for side in ("released", "candidate"))
    kind = f" ({candidate['kind']})"
    names = [flat(str(side["title"])) or _file(side) for side in (released, candidate)]
    releases = [flat(str(side["release"])) for side in (released, candidate)]
    if names[0] == names[1] and all(releases):
        return f"{names[0]} {releases[0]} -> {releases[1]}{kind}"
    first, second = (f"{name} {release}".strip() for name, release in zip(names, releases, strict=True))
    return f"{first} -> {second}{kind}" if first != second else f"{_file(released)} -> {_file(candidate)}{kind}"


def _file(side: Mapping[str, Any]) -> str:
    return flat(PurePosixPath(str(side["path"])).name or str(side["path"]))


def word_of(row: LedgerRow, text: RowText) -> str:
    """How the row is known; that it is accepted comes first."""
    return "accepted" if is_accepted(row) else text.shown_by


def _fitting(text: RowText, room: int) -> str:
    """A line's words in the room that there is; of two forms both keep where they begin to differ."""
    whole = flat(text.line)
    if columns(whole) <= room or len(text.details) != 2:
        return begin(whole, room)
    head, forms = flat(text.change), tuple(map(flat, text.details))
    alike = shared_begin(*forms)
    released, candidate = (f"{CUT}{each[alike:]}" if alike else each for each in forms)
    left = room - columns(f"{head}:  -> ")
    half = max(left // 2, left - columns(candidate), 8)
    return begin(f"{head}: {begin(released, half)} -> {candidate}", room)
