"""Rows whose words are of closed lists, severities against their own reasons, and names that several tables tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.artifacts.validate_headings import violation
from evreview.artifacts.validate_tables import is_empty_row, not_allowed
from evreview.core.errors import Problem
from evreview.report.markdown import Cell, Document, Table
from evreview.report.output_contract import Closed, Complete, OutputContract, Pairs, Told

_NOT_WHOLE: Final = ("[cut: ", "[redacted: ")
"""What stands where a value is not printed whole: such a cell may leave names out."""
_USUAL: Final = ("Critical", "High", "Medium", "Moderate", "Low", "Informational")
"""Severities as rubrics word them; the words of the artifact's own rows join them."""
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
    for complete in contract.complete:
        yield from _completed(complete, document)


@dataclass(frozen=True, slots=True)
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
    rated = {}
    for row in _rows(document, header):
        cell = row.cells[column].full.strip()
        found = _RATED.fullmatch(cell)
        if found and not cell.startswith(unrated):
            rated[row.line] = (found["word"], found["why"])
    words = dict.fromkeys((*_USUAL, *(word for word, _ in rated.values())))
    first: dict[str, tuple[str, int]] = {}
    for line, (word, why) in rated.items():
        said = _said(why, words)
        if said and not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", why, re.IGNORECASE):
            yield violation("severity-differs", f"{word!r} is rated, its own reason says {said!r}", line)
        other, where = first.setdefault(why, (word, line))
        if other != word:
            yield violation("severity-differs", f"{word!r} is rated, line {where} has {other!r} by the same rule", line)


def _said(why: str, words: Mapping[str, None]) -> str:
    """The severity that a sentence gives, "" where it gives none."""
    each = "|".join(map(re.escape, words))
    found = re.search(rf"\b(?:is|are|stays?|remains?|counts? as) (?P<word>{each})(?!\w)|^(?P<head>{each}) ?[:=–—]", why)
    return (found["word"] or found["head"]) if found else ""


def _paired(pairs: Pairs, document: Document) -> Iterator[Problem]:
    """Every pair of names that one table tells and another one, which has a row for it, does not."""
    known = tuple(frozenset(_names(document, *register)) for register in (pairs.left, pairs.right))
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
    """The names that a register gives; one that a list of names could not be split at is none."""
    for row in _rows(document, header):
        yield from (name for name in row.cells[column].spans[:1] if not re.search(r"[,;:\[\n]", name))


class _Telling:
    """What the rows of one table tell: pairs with the line, and the rows in which a pair would stand."""

    def __init__(self, told: Told, known: tuple[frozenset[str], ...], document: Document) -> None:
        self.pairs: dict[tuple[str, str], int] = {}
        self._rows: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for row in _rows(document, told.header):
            cell = row.cells[told.column].full
            if any(mark in cell for mark in _NOT_WHOLE) or not re.search(told.where, cell):
                continue
            for side, names in enumerate(known):
                for key in names.intersection(row.cells[told.key].spans):
                    self._rows[side][key] = row.line
                    for name in _told(told, cell) & known[1 - side]:
                        self.pairs[(key, name) if side == 0 else (name, key)] = row.line

    def missing(self, pair: tuple[str, str]) -> int:
        """The line of the row in which a pair should stand and does not, 0 without one."""
        rows = (own[name] for own, name in zip(self._rows, pair, strict=True) if name in own)
        return 0 if pair in self.pairs else next(rows, 0)


def _told(told: Told, cell: str) -> frozenset[str]:
    return frozenset(name.strip() for found in re.finditer(told.says, cell) for name in found["names"].split(", "))


def _completed(complete: Complete, document: Document) -> Iterator[Problem]:
    """Every name of a register that a row, which names all of them, leaves out."""
    names = sorted(set(_names(document, complete.of, complete.names)))
    for row in _rows(document, complete.header):
        cell = row.cells[complete.column].full
        found = None if any(mark in cell for mark in _NOT_WHOLE) else re.search(complete.says, cell)
        for name in names if found else ():
            if found and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", found["names"]):
                told = f"{complete.column!r} says nothing of {name[:60]!r}, which has a row of its own"
                yield violation("name-missing", told, row.line)
