"""What one artifact says twice agrees: counts, cells of a row, ids, results, closed lists, severities, named pairs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.report.agreement_rules import (
    Against,
    Agreement,
    Closed,
    Count,
    Glance,
    NamesOfRow,
    Naming,
    Pairs,
    Quote,
    Recorded,
    Rows,
    Tally,
)
from evreview.report.markdown import Cell, Document, Table, by_turns, citations_in, cited, is_listable
from evreview.report.output_contract import (
    EVIDENCE,
    OutputContract,
    is_empty_row,
    not_allowed,
    required_tables,
    sections,
    violation,
)
from evreview.report.validate_claims import every_citation

RESULT = re.compile(r"\b(?:passed|failed)\b")
_SPAN = r"`[^`]+`|``.+?``"
_NAMES = rf"(?P<names>(?:{_SPAN})(?:, (?:{_SPAN}))*)"
_ID = re.compile(r"\W*(?P<id>[A-Z]-[0-9a-f]{8,64})(?![\w-])")


def check_agreement(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every contradiction that the artifact holds in itself, whatever the evidence says."""
    under = sections(document, contract)
    for count in contract.counts:
        yield from _count(count, document, under)
    for each in contract.agrees:
        yield from _alike(each, document)
    for tally in contract.tallies:
        yield from _tallied(tally, document)
    for recorded in contract.recorded:
        yield from _as_recorded(recorded, document)
    for naming in contract.names_of:
        yield from _named_rows(naming, document)
    for quote in contract.quotes:
        yield from _quoted(quote, document)
    yield from _row_rules(document, contract)
    yield from _periods(document, contract)
    yield from _repeated(document, contract)
    yield from _same_ids(document, contract)
    yield from _listed(document, contract)
    yield from _results(document, contract)


def matching(document: Document, rows: Rows) -> tuple[int, ...]:
    """The lines of the rows that a condition is about."""
    found = []
    for table in _tables(document, rows.header):
        for index, row in enumerate(table.rows):
            if not is_empty_row(row) and (not rows.column or _matches(_named(table, row), rows.column, rows.says)):
                found.append(table.row_line(index))
    return tuple(found)


def _tables(document: Document, header: str) -> Iterator[Table]:
    return (table for table in document.tables if table.header == header)


def _named(table: Table, row: tuple[Cell, ...]) -> Mapping[str, Cell]:
    return dict(zip(table.columns, row, strict=False))


def _matches(row: Mapping[str, Cell], column: str, says: str) -> bool:
    return column in row and re.search(says, row[column].full.strip()) is not None


def _count(count: Count, document: Document, under: Mapping[int, str]) -> Iterator[Problem]:
    """Each number of the statement against what it counts; the statement itself, where it may not be missing."""
    texts = [(part.text, part.line) for part in document.prose]
    texts += [(cell.full, table.row_line(at)) for table in document.tables
              for at, row in enumerate(table.rows) for cell in row]  # fmt: skip
    said = [
        (found, line) for text, line in texts if under[line] == count.under and (found := re.search(count.says, text))
    ]
    if not said and count.filled is not None and matching(document, count.filled):
        start = next((line for line, name in under.items() if name == count.under), 1)
        yield violation("count-missing", f"{count.under!r} does not state how many there are", start)
    if count.unless and next(_tables(document, count.unless), None) is not None:
        return
    for found, line in said:
        yield from _bounded(count, document, found, line)
        stated = [int(number) for number in found.groupdict().values() if number is not None]
        if count.total is not None and not count.besides and sum(stated) != len(matching(document, count.total)):
            rows = len(matching(document, count.total))
            yield violation("count-differs", f"{sum(stated)} are stated together, {rows} stand in the artifact", line)
        for name, number in found.groupdict().items() if count.of or count.prose else ():
            actual = _actual(count, name, document, under)
            if number is not None and int(number) != actual and (actual or not count.reached):
                yield violation("count-differs", f"{number} are stated, {actual} stand in the artifact", line)


def _bounded(count: Count, document: Document, found: re.Match[str], line: int) -> Iterator[Problem]:
    """Numbers that are the sum of parts, or that rows bound."""
    stated = sum(int(number) for number in found.groupdict().values() if number is not None)
    if count.sums:
        parts = sum(int(part) for part in re.findall(count.sums, found.string))
        if parts != stated:
            yield violation("count-differs", f"{stated} are stated, their parts are {parts}", line)
    if count.least is not None and stated < len(matching(document, count.least)):
        rows = len(matching(document, count.least))
        yield violation("count-differs", f"{stated} are stated, {rows} rows at least say so", line)
    if count.besides is not None and count.total is not None:
        most = len(matching(document, count.total)) - len(matching(document, count.besides))
        if stated > most:
            yield violation("count-differs", f"{stated} are stated, {most} rows at most can be meant", line)


def _actual(count: Count, name: str, document: Document, under: Mapping[int, str]) -> int:
    among = [part for part in document.prose if name in count.prose and count.among in ("", under[part.line])]
    said = sum(re.search(count.prose[name], part.text) is not None for part in among)
    if name not in count.of:
        return said
    rows = count.of[name]
    return said + _stood_for(document, rows) + _folded(document, rows.folded)


def _stood_for(document: Document, rows: Rows) -> int:
    """The rows that match, or what they stand for together."""
    if not rows.times:
        return len(matching(document, rows))
    amount = 0
    for row in _matching_rows(document, rows):
        each = 1
        for column, says in rows.times.items():
            found = re.search(says, row[column].full) if column in row else None
            for names in found.groups() if found else ():
                each *= len(names.split(", "))
        amount += each
    return amount


def _folded(document: Document, header: str) -> int:
    """The rows that a table stands for, by its last column."""
    cells = [row[-1].full.strip() for table in _tables(document, header) for row in table.rows] if header else []
    return sum(int(cell) for cell in cells if cell.isdecimal())


def _tallied(tally: Tally, document: Document) -> Iterator[Problem]:
    """The sum of each number in a cell against the rows that its row cites; a row that cites none counts nothing."""
    for table in _tables(document, tally.header):
        for index, cells in enumerate(table.rows):
            row = _named(table, cells)
            found = tuple(re.finditer(tally.says, row[tally.column].full)) if tally.column in row else ()
            places = _places(row) if found else frozenset()
            for name, rows in tally.of.items() if found else ():
                stated = sum(int(each[name]) for each in found)
                actual = len({place for other in _matching_rows(document, rows) for place in _places(other) & places})
                if stated != actual:
                    told = f"{stated} are stated, the row cites {actual}"
                    yield violation("count-differs", told, table.row_line(index))


def _as_recorded(recorded: Recorded, document: Document) -> Iterator[Problem]:
    """The numbers of an index row against those of its record."""
    for table in _tables(document, recorded.header):
        for index, cells in enumerate(table.rows):
            if is_empty_row(cells):
                continue
            told = _numbers(recorded.says, [_named(table, cells)[recorded.column].full])
            record = [each for each in _tables(document, recorded.of) if each.heading == cells[0].full]
            held = _numbers(recorded.tells, [cell.full for each in record for row in each.rows for cell in row])
            if told != held:
                words = f"{dict(told)} are stated, the record of {cells[0].full[:60]!r} has {dict(held)}"
                yield violation("count-differs", words, table.row_line(index))


def _numbers(pattern: str, texts: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for match in (each for text in texts for each in re.finditer(pattern, text)):
        found.update({name: int(number) for name, number in match.groupdict().items()})
    return found


def _matching_rows(document: Document, rows: Rows) -> Iterator[Mapping[str, Cell]]:
    for table in _tables(document, rows.header):
        named = (_named(table, row) for row in table.rows if not is_empty_row(row))
        yield from (row for row in named if not rows.column or _matches(row, rows.column, rows.says))


def _places(row: Mapping[str, Cell]) -> frozenset[str]:
    """The citations of a row that have a locator."""
    found = cited(row[EVIDENCE].text) if EVIDENCE in row else ()
    return frozenset(str(each.citation) for each in found if each.citation is not None and each.citation.locator)


def _named_rows(naming: Naming, document: Document) -> Iterator[Problem]:
    """Every name that a line gives has a row, once the register has any."""
    rows = [row for row in _matching_rows(document, Rows(header=naming.header)) if naming.column in row]
    named = [row[naming.column] for row in rows if all(_matches(row, *each) for each in naming.where.items())]
    known = {name for cell in named for name in (cell.full.strip(), *cell.spans)}
    patterns = [re.compile(says.replace("<names>", _NAMES)) for says in naming.says]
    for number, line in enumerate(document.lines, 1) if rows else ():
        for found in (found for pattern in patterns for found in pattern.finditer(line)):
            for name in re.findall(_SPAN, found["names"]):
                if name.strip("`").strip() not in known:
                    told = f"no row is the {naming.what} {name.strip('`')[:60]!r}"
                    yield violation("reference-dangling", told, number)


def _quoted(quote: Quote, document: Document) -> Iterator[Problem]:
    held: dict[str, str] = {}
    for table in _tables(document, quote.header):
        for row in table.rows:
            held[row[0].full.strip()] = _named(table, row)[quote.column].full
    for number, line in enumerate(document.lines, 1):
        found = re.search(quote.says, line) if held else None
        text = found["text"].strip("`").strip() if found else ""
        if found and found["row"] in held and text not in held[found["row"]]:
            yield violation("said-differently", f"the row {found['row']!r} does not say {text[:60]!r}", number)


def _alike(each: Agreement, document: Document) -> Iterator[Problem]:
    """What lines say of one thing: one value, or in each line another one."""
    told = [
        (found["value"], number)
        for number, line in enumerate(document.lines, 1)
        if number not in document.literal_lines
        for pattern in each.says
        for found in re.finditer(pattern, line)
        if found["value"]
    ]
    seen = Counter(value for value, _ in told)
    for value, number in told:
        if each.distinct and seen[value] > 1:
            yield violation("said-twice", f"{each.what} {value!r} stands in {seen[value]} places", number)
        elif not each.distinct and value != told[0][0]:
            yield violation("said-differently", f"{each.what} is {told[0][0]!r} in line {told[0][1]}", number)


def _row_rules(document: Document, contract: OutputContract) -> Iterator[Problem]:
    for rule in contract.rules:
        tables = [each for each in _tables(document, rule.header) if rule.under in ("", each.heading)]
        for table in tables if rule.given is None or matching(document, rule.given) else ():
            for index, cells in enumerate(table.rows):
                row = _named(table, cells)
                if is_empty_row(cells) or not all(_matches(row, *each) for each in rule.when.items()):
                    continue
                for column, says in rule.then.items():
                    if column in row and not _matches(row, column, says):
                        when = ", ".join(f"{row[name].full.strip()[:60]!r}" for name in rule.when)
                        found = f"{column!r} contradicts {when}"
                        yield violation("cells-contradict", found, table.row_line(index))


def _periods(document: Document, contract: OutputContract) -> Iterator[Problem]:
    for period in contract.periods:
        lines = [line for at, line in enumerate(document.lines, 1) if at not in document.literal_lines]
        found, day = (next((m for line in lines if (m := re.search(says, line))), None)
                      for says in (period.says, period.day))  # fmt: skip
        if found and day and matching(document, period.given) and not found["first"] <= day["day"] <= found["last"]:
            told = f"{period.what} is {found['first']} to {found['last']}, the day {day['day']}"
            yield violation("said-differently", told, document.lines.index(found.string) + 1)


def _repeated(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """One id, one row, in every register that gives ids."""
    for required, table in required_tables(document, contract):
        if required.gives is None:
            continue
        counted = Counter(found for _, found in _ids(table))
        for line, found in _ids(table):
            if counted[found] > 1:
                yield violation("identifier-twice", f"{found} has {counted[found]} rows", line)


def _ids(table: Table) -> Iterator[tuple[int, str]]:
    for index, row in enumerate(table.rows):
        if row and not is_empty_row(row) and (found := _ID.match(row[_column(table)].full)):
            yield table.row_line(index), found["id"]


def _column(table: Table) -> int:
    """Where a register's ids stand: under `Finding` where there is such a column, else first."""
    return table.columns.index("Finding") if "Finding" in table.columns else 0


def _same_ids(document: Document, contract: OutputContract) -> Iterator[Problem]:
    for headers in contract.same:
        tables = [(table, {found for _, found in _ids(table)}) for header in headers
                  for table in _tables(document, header)]  # fmt: skip
        every = set().union(*(ids for _, ids in tables)) if tables else set()
        for table, ids in tables:
            for missing in sorted(every - ids):
                yield violation("identifier-missing", f"{missing} has no row here, and has one elsewhere", table.line)


def _listed(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every cited item stands in the register of the evidence items."""
    if contract.items is None:
        return
    tables = tuple(_tables(document, contract.items))
    known = {
        str(mention.citation.id)
        for table in tables
        for row in table.rows
        for mention in cited(_named(table, row)[EVIDENCE].text if EVIDENCE in _named(table, row) else "")
        if mention.citation is not None
    }
    if not tables:
        return
    for part in every_citation(document, contract):
        for citation in part.citations:
            if str(citation.id) not in known:
                yield violation("citation-unlisted", f"the list of evidence items has no {citation.id}", part.line)


def _results(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """A result told of a check is the one that the executed row with the same citation has."""
    retained: dict[str, set[str]] = {}
    for required, table in required_tables(document, contract):
        if required.status == "executed":
            for row in table.rows:
                cells = _named(table, row)
                words = set(RESULT.findall(cells["Result"].full)) if "Result" in cells else set()
                for mention in cited(cells[EVIDENCE].text) if EVIDENCE in cells else ():
                    if mention.citation is not None and mention.citation.locator:
                        retained.setdefault(str(mention.citation), set()).update(words)
    patterns = [re.compile(pattern) for pattern in contract.statements.results]
    told = [(part.text.strip(), part.line) for part in document.prose]
    for table in document.tables:
        for index, row in enumerate(table.rows):
            told += [(part, table.row_line(index)) for cell in row for part in cell.fragments]
    for text, line in told:
        if any(pattern.search(text) for pattern in patterns):
            yield from _unretained_results(text, line, retained)


def _unretained_results(text: str, line: int, retained: Mapping[str, set[str]]) -> Iterator[Problem]:
    on = [str(mention.citation) for mention in citations_in(text) if str(mention.citation) in retained]
    known = set().union(*(retained[each] for each in on)) if on else set()
    for word in sorted(set(RESULT.findall(text)) - known if on else ()):
        yield violation("executed-result-differs", f"no executed check of the citation {word}", line)


# Rows whose words are of closed lists, severities against their own reasons, and names that several tables tell.


_NOT_WHOLE: Final = ("[cut: ", "[redacted: ", " more")
"""What stands where a value is not printed whole: such a cell may leave names out."""
_USUAL: Final = ("Critical", "High", "Medium", "Moderate", "Low", "Informational")
"""Severities as rubrics word them; the words of the artifact's own rows join them."""
_RULE: Final = re.compile(r"\* \*\*Observation:\*\* Rule `([^`]+)`(?: rates `([^`]*)`)?: (?:`([^`]*)`|.*)")
"""The quote of a rule of the policy, which rows name by its pointer, after the severity that it gives."""
_ON: Final = "; on "
"""What stands in a card before the routes that it is about."""
_RATED: Final = re.compile(r"(?P<word>[^(]+?) \((?P<why>.+)\)", re.DOTALL)


def check_rows(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every row that has a word which its column does not take, or that contradicts another row or itself."""
    for closed in contract.closed:
        yield from _closed(closed, document)
    for required in contract.tables:
        if required.rubric is not None:
            yield from _severities(required.header, required.rubric.column, required.rubric.unrated, document)
    for pairs in contract.pairs:
        yield from _paired(pairs, document)
    for glance in contract.glances:
        yield from _at_a_glance(glance, document)


@frozen
class _Row:
    cells: Mapping[str, Cell]
    line: int
    table: Table


def _rows(document: Document, header: str) -> Iterator[_Row]:
    for table in document.tables:
        if table.header == header:
            for index, cells in enumerate(table.rows):
                if not is_empty_row(cells) and len(cells) == len(table.columns):
                    yield _Row(dict(zip(table.columns, cells, strict=True)), table.row_line(index), table)


def _closed(closed: Closed, document: Document) -> Iterator[Problem]:
    for row in _rows(document, closed.header):
        if not all(re.search(says, row.cells[name].full.strip()) for name, says in closed.when.items()):
            continue
        cell = row.cells[closed.column].full.strip()
        words = [found["word"].strip() for found in re.finditer(closed.says, cell)]
        for word in words or [cell] * closed.always:
            if word not in closed.words:
                first = row.cells[row.table.columns[0]].full
                yield not_allowed(row.table, first, closed.column, word, closed.words, row.line)


def _severities(header: str, column: str, unrated: str, document: Document) -> Iterator[Problem]:
    """A severity against the sentence that the row quotes for it, and against other rows that quote the same."""
    rules = [found for line in document.lines if (found := _RULE.match(line))]
    quoted = {found[1]: found[3] for found in rules}
    given = {found[1]: found[2] for found in rules if found[2] is not None}
    places = {part.spans[0]: {str(each.citation) for each in citations_in(part.text)}
              for part in document.prose if part.spans and _RULE.match(document.lines[part.line - 1])}  # fmt: skip
    rated = {}
    for row in _rows(document, header):
        cell = row.cells[column].full.strip()
        found = _RATED.fullmatch(cell)
        if found and not cell.startswith(unrated):
            rated[row.line] = (found["word"], quoted.get(found["why"], found["why"]), given.get(found["why"]))
            own = {str(each.citation) for each in cited(row.cells[EVIDENCE].text)}
            others = [name for name, each in places.items() if each & own]
            if others and found["why"] in places and found["why"] not in others:
                told = f"it is rated by {found['why']!r}, and cites {others[0]!r}"
                yield violation("severity-differs", told, row.line)
    words = dict.fromkeys((*_USUAL, *(word for word, *_ in rated.values())))
    first: dict[str, tuple[str, int]] = {}
    for line, (word, why, stated) in rated.items():
        said = _said(why, words)
        if stated is not None:
            if word != stated:
                yield violation("severity-differs", f"{word!r} is rated, its rule gives {stated!r}", line)
        elif said and not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", why, re.IGNORECASE):
            yield violation("severity-differs", f"{word!r} is rated, its own reason says {said!r}", line)
        other, where = first.setdefault(why, (word, line))
        if other != word:
            yield violation("severity-differs", f"{word!r} is rated, line {where} has {other!r} by the same rule", line)


def _said(why: str, words: Mapping[str, None]) -> str:
    """The severity that a sentence gives, "" where it gives none."""
    each = "|".join(map(re.escape, words))
    found = re.search(rf"\b(?:is|are|stays?|remains?|counts? as) (?P<word>{each})(?!\w)|^(?P<head>{each}) ?[:=–—]", why)
    return (found["word"] or found["head"]) if found else ""


def _at_a_glance(glance: Glance, document: Document) -> Iterator[Problem]:
    """Every cell that is not the gravest word of the rows which it sums up."""
    held: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in _rows(document, glance.of):
        word = re.split(r"[,;:(]", row.cells[glance.word].full)[0].strip()
        held[row.cells[glance.key].full.strip(), row.cells[glance.group].full.strip()].add(word)
    for row in _rows(document, glance.header):
        name = row.cells[glance.key].full.strip()
        for column, group in glance.columns.items() if not re.search(glance.rest, name) else ():
            found = set().union(*(held.get((each, group), set()) for each in (name, *glance.every)))
            wanted = next((shown for word, shown in glance.order.items() if word in found), glance.none)
            if row.cells[column].full.partition(";")[0].strip() != wanted:
                yield violation("said-differently", f"{column!r} of {name[:60]!r} is {wanted!r} in its rows", row.line)
    yield from _shown_names(glance, document, held)
    if glance.against is not None:
        yield from _against(glance, glance.against, document)


def _shown_names(glance: Glance, document: Document, held: Mapping[tuple[str, str], set[str]]) -> Iterator[Problem]:
    """Every name of the register without a row, every row of no name, what the last row sums up, and citations."""
    own = [row for row in _rows(document, glance.of) if row.cells[glance.key].full.strip() not in glance.every]
    names = list(dict.fromkeys(row.cells[glance.key].full.strip() for row in own))
    rows = {row.cells[glance.key].full.strip(): row for row in _rows(document, glance.header)} if names else {}
    table = next(_tables(document, glance.header), None)
    hidden = [name for name in names if name not in rows]
    rest = next((row for name, row in rows.items() if re.search(glance.rest, name)), None)
    if table is not None and hidden and rest is None:
        yield violation("said-differently", f"no row is about {hidden[0][:60]!r}", table.line)
    if table is not None and names and len(rows) < sum(not is_empty_row(row) for row in table.rows):
        yield violation("said-differently", "two rows are about the same", table.line)
    for name, row in rows.items():
        if row is rest:
            yield from _summed(glance, row, hidden, held)
        elif name not in names:
            yield violation("said-differently", f"no row of the register is about {name[:60]!r}", row.line)
        else:
            known = {each for one in _rows(document, glance.of) for each in _cited_in(one)
                     if one.cells[glance.key].full.strip() in (name, *glance.every)}  # fmt: skip
            for each in sorted(_cited_in(row) - known):
                yield violation("said-differently", f"no row of {name[:60]!r} cites {each}", row.line)


def _cited_in(row: _Row) -> set[str]:
    return {str(each.citation) for each in cited(row.cells[EVIDENCE].text) if each.citation is not None}


def _summed(
    glance: Glance, row: _Row, hidden: list[str], held: Mapping[tuple[str, str], set[str]]
) -> Iterator[Problem]:
    """The counts of the last row against the names that have none of their own."""
    stated = re.search(r"\d+", row.cells[glance.key].full)
    if stated and int(stated[0]) != len(hidden):
        yield violation("count-differs", f"{stated[0]} are summed up, {len(hidden)} have no row", row.line)
    for column, group in glance.columns.items():
        told: Counter[str] = Counter()
        for count, word in re.findall(r"(\d+) ([^,;]+)", row.cells[column].full):
            told[word.strip()] += int(count)
        actual: Counter[str] = Counter()
        for name in hidden:
            found = set().union(*(held.get((each, group), set()) for each in (name, *glance.every)))
            actual[next((shown for word, shown in glance.order.items() if word in found), glance.none)] += 1
        if told != actual:
            yield violation("count-differs", f"{column!r} sums up {dict(actual)}", row.line)


def _against(glance: Glance, against: Against, document: Document) -> Iterator[Problem]:
    """Every square that names a row of another state, and every row that its card says to stand against a square."""
    states = {
        each: row.cells[against.key] for row in _rows(document, against.of) for each in row.cells[against.key].ids
    }
    linked: dict[str, tuple[_Row, set[str]]] = {}
    for row in _rows(document, glance.header):
        ids = {each for column in glance.columns for each in row.cells[column].ids}
        linked[row.cells[glance.key].full.strip()] = row, ids
        for column in () if re.search(glance.rest, row.cells[glance.key].full) else glance.columns:
            word, own = row.cells[column].full.partition(";")[2].strip(), row.cells[column].ids
            says = against.says.get(word)
            if bool(says) is not bool(own) or any(
                each not in states or not re.search(says or "", states[each].full.strip()) for each in own
            ):
                yield violation("said-differently", f"{column!r} is {word!r}, its finding says otherwise", row.line)
    for each in states:
        first = next((part for part in document.prose if part.heading == each.lower()), None)
        parts = by_turns(document.lines[first.line - 1]) if first else []
        start = next((at for at in range(0, len(parts), 2) if parts[at].endswith(_ON)), len(parts))
        on, about = set(parts[start + 1 :: 2]), set(parts[1::2])
        for name, (row, ids) in linked.items():
            if (name in on and not ids) or (each in ids and name not in about):
                yield violation("said-differently", f"{each} is about other rows than {name[:60]!r}", row.line)


def _paired(pairs: Pairs, document: Document) -> Iterator[Problem]:
    """Every pair of names that one table tells and another one, which has a row for it, does not."""
    known = tuple(frozenset(_names(document, *register)) for register in (pairs.left, pairs.right))
    if not all(is_listable(name) for names in known for name in names):
        return
    told = [(each, _Telling(each, known, document)) for each in pairs.tells]
    for _, telling in told:
        for pair, line in telling.pairs.items():
            for other, heard in told:
                missing = heard.missing(pair)
                if missing:
                    found = (
                        f"{pairs.what}: {' and '.join(pair)} stand together in line {line}, not under {other.column!r}"
                    )
                    yield violation("said-differently", found, missing)


def _names(document: Document, header: str, column: str) -> Iterator[str]:
    """The names that a register gives: ids, or cells with code."""
    for row in _rows(document, header):
        cell = row.cells[column]
        yield from cell.ids[:1] or ((cell.full.strip(),) if cell.is_code else ())


class _Telling:
    """What the rows of one table tell: pairs with the line, and the rows in which a pair would stand."""

    def __init__(self, told: NamesOfRow, known: tuple[frozenset[str], ...], document: Document) -> None:
        self.pairs: dict[tuple[str, str], int] = {}
        self._rows: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for row in _rows(document, told.header):
            cell = row.cells[told.column].full
            if any(mark in cell for mark in _NOT_WHOLE) or not re.search(told.where, cell):
                continue
            for side, names in enumerate(known):
                for key in names.intersection((*row.cells[told.key].spans, *row.cells[told.key].ids)):
                    self._rows[side][key] = row.line
                    for name in _named_in(told, cell) & known[1 - side]:
                        self.pairs[(key, name) if side == 0 else (name, key)] = row.line

    def missing(self, pair: tuple[str, str]) -> int:
        """The line of the row in which a pair should stand and does not, 0 without one."""
        rows = (own[name] for own, name in zip(self._rows, pair, strict=True) if name in own)
        return 0 if pair in self.pairs else next(rows, 0)


def _named_in(told: NamesOfRow, cell: str) -> frozenset[str]:
    return frozenset(name.strip() for found in re.finditer(told.says, cell) for name in found["names"].split(", "))
