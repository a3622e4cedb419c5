"""Registers against the output contract: header lines, places, cells, labels, executed and proposed rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evreview.artifacts.validate_headings import sections, violation
from evreview.core.errors import Problem
from evreview.report.escape import NOTHING
from evreview.report.markdown import LABELS, Cell, Document, Table
from evreview.report.output_contract import OutputContract, RequiredTable

EVIDENCE = "Evidence"
_FRAGMENT = re.compile(rf"(?:{'|'.join(LABELS)}):")
_STATUS = {
    "executed": re.compile(r"\b(?:proposed|unexecuted|not executed)\b", re.I),
    "proposed": re.compile(r"\bexecuted:", re.I),
}
_OTHER = {"executed": "Proposed check", "proposed": "Executed check"}


def check_tables(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every register stands under its heading with its header line; rows are as wide as the header and not empty."""
    under = sections(document, contract)
    for required in contract.tables:
        yield from _required(document, required, under)
    for table in document.tables:
        yield from _shape(table)
    for required, table in required_tables(document, contract):
        yield from _rows(required, table)


def required_tables(document: Document, contract: OutputContract) -> Iterator[tuple[RequiredTable, Table]]:
    """The registers of the document with their part of the contract."""
    under = sections(document, contract)
    for table in document.tables:
        for required in contract.tables:
            if table.header == required.header and under[table.line] == required.under:
                yield required, table


def is_empty_row(row: tuple[Cell, ...]) -> bool:
    """True for the row that says that a register has none."""
    return bool(row) and row[0].full.startswith(NOTHING)


def _required(document: Document, required: RequiredTable, under: dict[int, str]) -> Iterator[Problem]:
    lines = [
        number
        for number, line in enumerate(document.lines, 1)
        if line == required.header and number not in document.literal_lines
    ]
    tables = {table.line for table in document.tables if table.header == required.header}
    code = "literal-header-missing" if required.literal else "register-missing"
    if not any(under[line] == required.under for line in tables & set(lines)):
        start = next((line for line, name in under.items() if name == required.under), len(document.lines))
        yield violation(code, f"the table {required.header!r} is missing under {required.under!r}", start)
    for line in lines:
        if line not in tables:
            yield violation("delimiter-row-missing", "the header line has no delimiter row of its width", line)


def _shape(table: Table) -> Iterator[Problem]:
    width = table.widths[0]
    for offset, found in enumerate(table.widths[1:], 1):
        if found != width:
            yield violation("row-width", f"the row has {found} cells, its header {width}", table.line + offset)
    if not table.rows:
        yield violation("register-without-row", f"the table has no row; say {NOTHING!r} in one", table.line)


def _rows(required: RequiredTable, table: Table) -> Iterator[Problem]:
    for index, row in enumerate(table.rows):
        line = table.row_line(index)
        for column, cell in zip(table.columns, row, strict=False):
            if not cell.full.strip():
                yield violation("empty-cell", f"the cell under {column!r} is empty", line)
        if is_empty_row(row):
            continue
        yield from _row(required, table, dict(zip(table.columns, row, strict=False)), line)
    firsts = {row[0].full.strip().lower() for row in table.rows if row and not is_empty_row(row)}
    for name in required.rows:
        if name.lower() not in firsts and not any(is_empty_row(row) for row in table.rows):
            yield violation("row-missing", f"the row {name!r} is missing", table.line)


def not_allowed(  # noqa: PLR0913  all that the message names
    table: Table, row: str, column: str, word: str, allowed: Iterable[str], line: int
) -> Problem:
    """That a cell has a word which its column does not take, with table, row, column and the words that it takes."""
    where = f"the row {row.strip()[:60]!r} of the table under {table.heading!r}"
    return violation(
        "value-not-allowed", f"{column!r} takes only: {' | '.join(allowed)}; {where} has {word[:60]!r}", line
    )


def _row(required: RequiredTable, table: Table, row: dict[str, Cell], line: int) -> Iterator[Problem]:
    first = next(iter(row.values()))
    if required.leads and not re.match(required.leads, first.full):
        yield violation("identifier-missing", "the first cell does not start with its identifier", line)
    for column in required.labelled:
        yield from _labelled(column, row[column], line)
    if required.column and not _allowed(row[required.column].full, required.allowed):
        yield not_allowed(table, first.full, required.column, row[required.column].full, required.allowed, line)
    for column, allowed in required.words.items():
        if row[column].full.strip().split(" (")[0] not in allowed:
            yield not_allowed(table, first.full, column, row[column].full, allowed, line)
    if required.status:
        yield from _status(required, row, line)


def _allowed(text: str, allowed: tuple[str, ...]) -> bool:
    return re.split(r"[:;,(]", text.strip().lower())[0].strip() in allowed


def _labelled(column: str, cell: Cell, line: int) -> Iterator[Problem]:
    for part in cell.fragments:
        labels = _FRAGMENT.findall(part)
        if not labels or not part.startswith(labels[0]):
            yield violation("fragment-unlabelled", f"a fragment under {column!r} has no label", line)
        elif len(labels) > 1:
            yield violation("fragment-mixed", f"a fragment under {column!r} has more than one label", line)


def _status(required: RequiredTable, row: dict[str, Cell], line: int) -> Iterator[Problem]:
    text = " ".join(cell.text for cell in row.values())
    if _OTHER[required.status] + ":" in text or _STATUS[required.status].search(text):
        yield violation(f"not-{required.status}", f"the row under {required.under!r} is not {required.status}", line)
    for column in ("Command", "Revision", "Fixture or environment", "Result"):
        said = row[column].full.strip().lower() if column in row else "-"
        if required.status == "executed" and said in ("", "n/a", "none", "unknown", "(empty)", "not recorded"):
            yield violation("executed-incomplete", f"an executed check names its {column.lower()}", line)
