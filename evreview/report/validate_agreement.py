"""What one artifact says twice agrees: counts with rows, cells of one row, ids of registers, results of one check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from evreview.artifacts.validate_headings import sections, violation
from evreview.artifacts.validate_tables import EVIDENCE, is_empty_row, required_tables
from evreview.core.errors import Problem
from evreview.report.markdown import Cell, Document, Table, citations_in, cited
from evreview.report.output_contract import Agreement, Count, Naming, OutputContract, Quote, Rows, Tally
from evreview.report.validate_claims import every_citation

_RESULT = re.compile(r"\b(?:passed|failed)\b")
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
    for naming in contract.names_of:
        yield from _named_rows(naming, document)
    for quote in contract.quotes:
        yield from _quoted(quote, document)
    yield from _row_rules(document, contract)
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
    said = [
        (found, part.line)
        for part in document.prose
        if under[part.line] == count.under and (found := re.search(count.says, part.text))
    ]
    if not said and count.filled is not None and matching(document, count.filled):
        start = next((line for line, name in under.items() if name == count.under), 1)
        yield violation("count-missing", f"{count.under!r} does not state how many there are", start)
    for found, line in said:
        stated = [int(number) for number in found.groupdict().values() if number is not None]
        if count.total is not None and sum(stated) != len(matching(document, count.total)):
            rows = len(matching(document, count.total))
            yield violation("count-differs", f"{sum(stated)} are stated together, {rows} stand in the artifact", line)
        for name, number in found.groupdict().items() if count.total is None else ():
            actual = _actual(count, name, document, under)
            if number is not None and int(number) != actual and (actual or not count.reached):
                yield violation("count-differs", f"{number} are stated, {actual} stand in the artifact", line)


def _actual(count: Count, name: str, document: Document, under: Mapping[int, str]) -> int:
    if name in count.of:
        return len(matching(document, count.of[name]))
    among = (part for part in document.prose if count.among in ("", under[part.line]))
    return sum(re.search(count.prose[name], part.text) is not None for part in among)


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
        for table in _tables(document, rule.header):
            for index, cells in enumerate(table.rows):
                row = _named(table, cells)
                if is_empty_row(cells) or not all(_matches(row, *each) for each in rule.when.items()):
                    continue
                for column, says in rule.then.items():
                    if column in row and not _matches(row, column, says):
                        when = ", ".join(f"{row[name].full.strip()[:60]!r}" for name in rule.when)
                        found = f"{column!r} contradicts {when}"
                        yield violation("cells-contradict", found, table.row_line(index))


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
                words = set(_RESULT.findall(cells["Result"].full)) if "Result" in cells else set()
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
    for word in sorted(set(_RESULT.findall(text)) - known if on else ()):
        yield violation("executed-result-differs", f"no executed check of the citation {word}", line)
