"""Tables at a glance against what the same document holds: matrix, cards and clients; the entries of an index."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import StatementKind
from evreview.report.agreement_rules import Breakdown, Index
from evreview.report.markdown import Cell, Document, Table, by_turns, citations_in, cited, is_listable
from evreview.report.output_contract import EVIDENCE, OutputContract, is_empty_row, violation

UNDER: Final = "; listed under "
"""How a card says what its difference is listed under, where its place does not tell."""
ALSO: Final = "; it also reaches "
"""How a card names what its difference reaches beside the place that it stands at."""
UNUSED: Final = " declares no use of: "
"""How the document says which operations a client does not use."""
_SAME: Final = re.compile(r"the \d+ \S+ of \Z")
_CARD: Final = re.compile(r"d-[0-9a-f]{8,64}")
_REACHES: Final = re.compile(r"\A[^\n]*\n[^\n]*\n(\d+) [a-z ]+,")
"""How a row of the matrix says how many operations it reaches."""
_MORE: Final = re.compile(r" and \d+ more\b")
_REST: Final = re.compile(r"(?P<more>\d+) more")


def counts_under(place: str, reached: Sequence[str], shown: Iterable[str]) -> tuple[str, ...]:
    """What a difference counts under: the longest name shown that its place is part of, else all that it reaches."""
    own = (name for name in shown if place == name or place.startswith((f"{name} > ", f"{name}.")))
    longest = max(own, key=len, default="")
    return (longest,) if longest else (tuple(reached) or (place.split(" > ")[0],))


def check_breakdowns(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every square of the table at a glance that the rows behind it do not bear out."""
    for rule in contract.breakdowns:
        rows = tuple(_rows(document, rule))
        tables = [each for each in document.tables if each.heading == rule.under and each.columns[0] in rule.leads]
        if not tables and rows and all(row.verdict for row in rows):
            line = next((each.line for each in document.headings if each.text == rule.above), 1)
            yield violation("register-missing", f"the table under {rule.under!r} is missing", line)
        for table in tables[:1]:
            yield from _Checked(rule, document, table, rows).problems()


def check_indexes(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every row of an index that its entry does not bear out, and every entry without a row."""
    for rule in contract.indexes:
        table = next((each for each in document.tables if each.header == rule.header), None)
        entries = {each.heading: each for each in document.tables if each.header == rule.record}
        deep = {each.text for each in document.headings if each.level == 3}
        entries = {name: each for name, each in entries.items() if name in deep and each.rows}
        entries = {name: each for name, each in entries.items() if not is_empty_row(each.rows[0])}
        if table is None or not entries:
            continue
        rows = [row for row in table.rows if not is_empty_row(row)]
        names = [row[0].full.strip() for row in rows]
        for name in entries:
            if names.count(name) != 1:
                yield violation("said-differently", f"{names.count(name)} rows are about {name[:60]!r}", table.line)
        for index, row in enumerate(table.rows):
            name, line = row[0].full.strip(), table.row_line(index)
            if is_empty_row(row) or len(row) != len(table.columns):
                continue
            if name not in entries:
                yield violation("said-differently", f"no entry is about {name[:60]!r}", line)
            else:
                yield from _indexed(rule, document, dict(zip(table.columns, row, strict=True)), name, line)


def _indexed(rule: Index, document: Document, cells: Mapping[str, Cell], name: str, line: int) -> Iterator[Problem]:
    start = next(each.line for each in document.headings if each.text == name and each.level == 3)
    later = (each.line for each in document.headings if each.line > start and each.level <= 3)
    lines = range(start, next(later, len(document.lines) + 1))
    prose = [part for part in document.prose if part.line in lines]
    tables = [each for each in document.tables if each.line in lines]
    said = cells[rule.says].full.strip()
    spans = {_flat(span) for part in prose for span in part.spans}
    if (said != rule.unsaid and _flat(said.strip("“”")) not in spans) or (
        said == rule.unsaid and prose and prose[0].label == StatementKind.OBSERVATION
    ):
        yield violation("said-differently", f"the entry {name[:60]!r} does not say {said[:60]!r}", line)
    answers = [row for each in tables if each.header == rule.of for row in each.rows if row[0].spans]
    listed = {row[0].spans[0] for row in answers}
    printed = {row[0].spans[0] for row in answers if row[1].full.strip() != rule.left_out}
    if not printed <= set(cells[rule.lists].spans) <= listed:
        told = ", ".join(sorted(listed)) or "none"
        yield violation("said-differently", f"{rule.lists!r} of {name[:60]!r} are {told}", line)
    held = next((document.lines[part.line - 1] for part in prose if rule.line in part.text), "")
    named = [_names(re.sub(rule.ids, "", held.partition(rule.line)[2].rpartition(". [")[0]))] if held else [rule.none]
    if _names(cells[rule.held].full) not in (named[0], _names(named[0])):
        yield violation("said-differently", f"{rule.held!r} of {name[:60]!r} is {named[0][:80]!r}", line)
    known = {found for each in document.tables for row in each.rows for cell in row[-1:] for found in _cited(cell.text)
             if each in tables or each.header not in (rule.header, rule.of)}  # fmt: skip
    for each in _cited(cells[EVIDENCE].text):
        if each not in known:
            yield violation("said-differently", f"nothing of {name[:60]!r} cites {each}", line)


def _names(text: str) -> str:
    """Names with commas between, each once, code or not."""
    return ", ".join(dict.fromkeys(part.strip() for part in text.replace("`", "").replace("\\", "").split(", ")))


def _flat(text: str) -> str:
    return " ".join(text.split())


@frozen
class _Difference:
    """One difference of the matrix: its verdict, what is said of clients, and where it stands."""

    id: str
    verdict: str
    told: str
    evidence: frozenset[str]
    places: tuple[str, tuple[str, ...]] | None
    under: tuple[str, ...]

    def groups(self, shown: Iterable[str]) -> tuple[str, ...]:
        """What it counts under."""
        if self.under or self.places is None:
            return self.under
        return counts_under(*self.places, shown)


def _rows(document: Document, rule: Breakdown) -> Iterator[_Difference]:
    cards = _cards(document)
    for table in document.tables:
        for row in table.rows if table.header == rule.of else ():
            cells = dict(zip(table.columns, row, strict=False))
            if is_empty_row(row) or len(cells) != len(row) or not row[0].ids:
                continue
            verdict = re.match(r"Inference: (\w+)", cells[rule.judged].full)
            place, reached, under = cards.get(row[0].ids[0], ("", (), ()))
            yield _Difference(
                row[0].ids[0],
                verdict[1] if verdict else "",
                cells[rule.told].full,
                frozenset(_cited(cells[EVIDENCE].text)) | {each.text for each in citations_in(cells[rule.told].text)},
                (place, reached) if place else None,
                under,
            )


def _cards(document: Document) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Of each card: where its difference stands, what it reaches, and what it is said to be listed under."""
    found: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
    for name, line in _card_lines(document).items():
        found[name] = _place(line, found)
    return found


def _place(
    line: str, before: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    parts = by_turns(line)
    start = next((at for at in range(0, len(parts) - 1, 2) if parts[at].endswith(", at ")), None)
    if start is None:
        return "", (), ()
    reached = [parts[start + 1]] if parts[start + 2] == ALSO else []
    under: list[str] = []
    told = reached
    for at in range(start + 2, len(parts) - 1, 2):
        if parts[at].startswith(". Released: "):
            break
        told = under if UNDER in parts[at] else told
        name = parts[at + 1]
        told += before[name][1] if _SAME.search(parts[at]) and name in before else [name]
    return parts[start + 1], tuple(dict.fromkeys(reached)), tuple(under)


def _card_lines(document: Document) -> dict[str, str]:
    """The first statement of each card, by the id of its difference."""
    found: dict[str, str] = {}
    for part in document.prose:
        if _CARD.fullmatch(part.heading):
            found.setdefault(part.heading[:1].upper() + part.heading[1:], document.lines[part.line - 1])
    return found


def _reached(line: str) -> int:
    """How many operations a card says to be reached, 0 where it names none."""
    parts = by_turns(line)
    start = next((at for at in range(0, len(parts) - 1, 2) if parts[at].endswith(", at ")), len(parts))
    own = range(start + 2, len(parts) - 1, 2)
    end = next((at for at in own if ". Released: " in parts[at] or UNDER in parts[at]), len(parts))
    numbers = [int(found[1]) for at in own if at < end and (found := re.search(r"the (\d+) [^`]* of \Z", parts[at]))]
    itself = start + 2 < len(parts) and parts[start + 2] == ALSO
    return numbers[0] if numbers else itself + sum(at < end for at in own)


def _cited(cell: str) -> Iterator[str]:
    return (str(each.citation) for each in cited(cell) if each.citation is not None)


class _Checked:
    """One table held against the rows behind it; lives for one check."""

    def __init__(self, rule: Breakdown, document: Document, table: Table, rows: Sequence[_Difference]) -> None:
        self.rule, self.document, self.table, self.rows = rule, document, table, rows
        self.named = [row[0].spans[0] if row[0].spans else row[0].full.strip() for row in table.rows]
        self.shown = [name for name in self.named if not _REST.fullmatch(name)]
        self.groups = {row.id: row.groups(self.shown) for row in rows}
        self.folded = {
            row[0].spans[0] if row[0].spans else row[0].full.strip(): row[1].full.strip()
            for each in document.tables
            for row in (each.rows if each.header == rule.folded else ())
        }

    @cached_property
    def clients(self) -> dict[str, frozenset[str]]:
        """The known clients, each with its evidence."""
        return {
            row[0].full.strip(): frozenset(_cited(row[-1].text)) | {one.text for one in citations_in(row[2].text)}
            for each in self.document.tables
            for row in (each.rows if each.header == self.rule.clients else ())
            if row[0].is_code and len(row) == len(each.columns)
        }

    @cached_property
    def unused(self) -> dict[str, frozenset[str]]:
        """The operations that each client declares no use of."""
        found: dict[str, frozenset[str]] = {}
        for part in self.document.prose:
            if part.heading == self.rule.section and UNUSED in part.text and part.spans:
                found[part.spans[0]] = frozenset(part.spans[1:])
        return found

    def problems(self) -> Iterator[Problem]:
        """Columns, rows, then every square; of clients nothing where the name of one can't be read back."""
        yield from self._names()
        yield from self._reach()
        if all(map(is_listable, self.clients)):
            yield from self._squares()

    def _squares(self) -> Iterator[Problem]:
        own = [name for name in self.table.columns[1:-1] if name not in (*self.rule.counts, self.rule.unlisted)]
        wanted = list(self.clients) if len(self.clients) <= self.rule.most else [self.rule.shared]
        verdicts = {row.verdict for row in self.rows}
        least = [name for name, word in self.rule.counts.items() if word in verdicts and name not in self.table.columns]
        if own != wanted or least:
            told = ", ".join((*least, *(name for name in wanted if name not in own))) or "other clients"
            yield violation("said-differently", f"the columns of the table leave out {told[:90]}", self.table.line)
        for index, name in enumerate(self.named):
            if len(self.table.rows[index]) == len(self.table.columns):
                yield from self._row(index, name)
        yield from self._order()
        yield from self._failing()
        yield from self._verdict()

    def _order(self) -> Iterator[Problem]:
        """Rows stand by what breaks, then by what is unknown, the most first; what sums up others comes last."""
        graver = [name for name, word in self.rule.counts.items() if word != self.rule.mild]
        before: tuple[int, ...] = ()
        for index, row in enumerate(self.table.rows):
            cells = dict(zip(self.table.columns, row, strict=False))
            counts = tuple(int(cells[name].full) for name in graver if name in cells and cells[name].full.isdecimal())
            if before and counts > before and not _REST.fullmatch(self.named[index]):
                told = f"{self.named[index][:60]!r} is graver than the row before it"
                yield violation("said-differently", told, self.table.row_line(index))
            before = counts

    def _reach(self) -> Iterator[Problem]:
        """How many operations a row of the matrix says to be reached, against the names on its card."""
        reached = {name: _reached(line) for name, line in _card_lines(self.document).items()}
        for table in self.document.tables:
            for index, row in enumerate(table.rows if table.header == self.rule.of else ()):
                found = _REACHES.search(row[0].full) if row else None
                known = reached.get(row[0].ids[0], 0) if found and row[0].ids else 0
                if found and known and int(found[1]) != known:
                    told = f"{found[1]} are stated, the card names {known}"
                    yield violation("count-differs", told, table.row_line(index))

    def _names(self) -> Iterator[Problem]:
        every = dict.fromkeys(name for found in self.groups.values() for name in found)
        hidden = [name for name in every if name not in self.shown]
        rest = next((found for name in self.named if (found := _REST.fullmatch(name))), None)
        line = self.table.line
        if self.folded:
            hidden = [name for name in hidden if name not in self.folded]
        elif rest is not None and int(rest["more"]) != len(hidden):
            yield violation("count-differs", f"{rest['more']} more are stated, {len(hidden)} have a difference", line)
        for name in hidden if rest is None else ():
            yield violation("said-differently", f"no row is about {name[:60]!r}", line)
        for index, name in enumerate(self.named):
            known = name in every or name in self.folded or _REST.fullmatch(name)
            if not known or self.named.count(name) > 1:
                told = f"no difference is listed under {name[:60]!r}, or two rows are"
                yield violation("said-differently", told, self.table.row_line(index))

    def _of(self, name: str) -> list[_Difference]:
        """The differences that a row of the table sums up."""
        if _REST.fullmatch(name):
            return [row for row in self.rows if set(self.groups[row.id]) - set(self.shown)]
        return [row for row in self.rows if name in self.groups[row.id]]

    def _row(self, index: int, name: str) -> Iterator[Problem]:
        line, own = self.table.row_line(index), self._of(name)
        cells = dict(zip(self.table.columns, self.table.rows[index], strict=True))
        telling = [row for row in own if row.verdict != self.rule.mild] or own
        wanted: dict[str, frozenset[str]] = {}
        for column, word in self.rule.counts.items():
            count = sum(row.verdict == word for row in own)
            if column in cells and not (self.folded and word == self.rule.mild):
                wanted[column] = frozenset({str(count)})
        for client in self.clients if own else ():
            if client in cells:
                wanted[client] = self._meets(client, name, telling)
        if own and not self.folded:
            is_open = not all(f"{self.rule.listed}{self.rule.closed}" in row.told for row in own)
            wanted[self.rule.unlisted] = frozenset({self.rule.open if is_open else self.rule.closed})
        for column, allowed in wanted.items():
            said = cells[column].full.strip()
            if column in cells and allowed and said not in allowed:
                best = " or ".join(sorted(allowed))
                yield violation("said-differently", f"{column!r} of {name[:60]!r} is {best!r} in its rows", line)
        if self.rule.shared in cells and len(self.clients) > self.rule.most and own:
            yield from self._shared(cells[self.rule.shared].full.strip(), name, telling, line)
        ran = {each.text for row in telling for each in citations_in(row.told)} if self._runs(cells) else set()
        if ran and ran.isdisjoint(each.text for each in cited(cells[EVIDENCE].text)):
            yield violation("said-differently", f"{name[:60]!r} does not cite the run that it tells of", line)
        known = frozenset[str]().union(*(row.evidence for row in own), *self.clients.values())
        known |= {re.split("[:#]", each)[0] for each in known}
        for each in _cited(cells[EVIDENCE].text):
            if own and each not in known and not self.folded:
                yield violation("said-differently", f"no row of {name[:60]!r} cites {each}", line)

    def _runs(self, cells: Mapping[str, Cell]) -> bool:
        return any(client in cells and cells[client].full.strip() in self.rule.runs for client in self.clients)

    def _meets(self, client: str, name: str, rows: Sequence[_Difference]) -> frozenset[str]:
        """What the square of a client may say; empty where its rows do not name every client."""
        if name in self.unused.get(client, ()):
            return frozenset({self.rule.quiet[-1]})
        words = [self._outcome(client, row) for row in rows]
        if "" in words:
            return frozenset()
        elsewhere = [self.rule.inferred if word == self.rule.runs[0] else word for word in words]
        found = {_gravest(each, self.rule.outcomes) for each in (words, elsewhere)}
        return frozenset(found) if all(found) else frozenset(self.rule.quiet)

    def _outcome(self, client: str, row: _Difference) -> str:
        """The word of a client for one difference: of the quiet ones the last, "" where it can't be told."""
        for word in (*self.rule.runs, *self.rule.outcomes):
            says = self.rule.outcomes[word]
            for found in re.finditer(says, row.told) if says else ():
                if client in _MORE.sub("", found["names"]).split(", "):
                    return word
        return "" if _MORE.search(row.told) else self.rule.quiet[-1]

    def _shared(self, said: str, name: str, rows: Sequence[_Difference], line: int) -> Iterator[Problem]:
        """The column in which many clients share a square: how many meet what."""
        each = [self._meets(client, name, rows) for client in self.clients]
        if not all(each) or any(len(found) > 1 and found != frozenset(self.rule.quiet) for found in each):
            return
        words = Counter(next(iter(found)).split(" (")[0] for found in each if found.isdisjoint(self.rule.quiet))
        told = {found[2]: int(found[1]) for found in re.finditer(r"(\d+) ([a-z ]+)", said)}
        if told != dict(words):
            yield violation("count-differs", f"{dict(words)} of {name[:60]!r} stand in its rows", line)

    def _failing(self) -> Iterator[Problem]:
        """A failed run is seen in one square at least of its difference."""
        for row in self.rows:
            under = [name for name in self.groups[row.id] if name in self.shown]
            for client in self.clients if len(under) == len(self.groups[row.id]) and not self.folded else ():
                used = [name for name in under if name not in self.unused.get(client, ())]
                if client not in self.table.columns or not used or self._outcome(client, row) != self.rule.runs[0]:
                    continue
                at = self.table.columns.index(client)
                squares = [self.table.rows[self.named.index(name)] for name in used if name in self.named]
                if not any(len(cells) > at and cells[at].full.strip() == self.rule.runs[0] for cells in squares):
                    told = f"{client[:60]!r} failed on {row.id}, no square says so"
                    yield violation("said-differently", told, self.table.line)

    def _verdict(self) -> Iterator[Problem]:
        """The clients that the verdict says to have failed are those of the matrix."""
        every = {name for name in self.clients for row in self.rows if self._outcome(name, row) == self.rule.runs[0]}
        first = [part for part in self.document.prose if part.heading == self.rule.above]
        lines = [(part.line, self.document.lines[part.line - 1]) for part in first]
        told = [(number, line) for number, line in lines if self.rule.ran in line]
        said = {name for _, line in told for name in _failed(line, self.rule.ran)}
        cut = any(_MORE.search(text) for text in (*(line for _, line in told), *(row.told for row in self.rows)))
        if (said - every if cut else said != every) and not self.folded:
            line = next((number for number, _ in told), first[0].line if first else 1)
            yield violation("said-differently", f"{', '.join(sorted(every)) or 'no client'} failed in the rows", line)


def _failed(line: str, ran: str) -> Iterator[str]:
    """The clients that a line names before the words, those of a check left out."""
    parts = by_turns(line)
    end = next(at for at in range(0, len(parts), 2) if ran in parts[at])
    start = next((at for at in range(end - 2, -1, -2) if re.search(r"[;:] ", parts[at])), 0)
    checks = False
    for at in range(start, end - 1, 2):
        checks = checks or parts[at].endswith("check ")
        if not checks:
            yield parts[at + 1]


def _gravest(words: Iterable[str], order: Iterable[str]) -> str:
    found = set(words)
    return next((word for word in order if word in found), "")
