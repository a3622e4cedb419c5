"""[I/O] An artifact against what the same review left beside it: manifest, summary and registers."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, Final, TypeGuard

from evreview.core.errors import Problem
from evreview.report.agreement_rules import Beside, Measured
from evreview.report.escape import RETURN
from evreview.report.markdown import Cell, Document, Prose, parse_document
from evreview.report.output_contract import OutputContract, is_empty_row, violation
from evreview.report.validate import contract_of
from evreview.report.validate_records import is_short_of
from evreview.report.writer import MANIFEST, is_inside, recorded

SUMMARY: Final = "review.json"
REGISTERS: Final = "registers"
UNKNOWN: Final = "unknown"
"""What a table prints for a member of a key that the register leaves empty."""
_CUT: Final = ("[cut: ", "[redacted: ", "…")
"""What stands where a value is not printed whole."""
_GOES_ON: Final = " (policy)"
"""What stands behind the first clause of a sentence that the policy's own list, below the table, has whole."""
_LISTED: Final = re.compile(r"[A-Z]-[0-9a-f]{8,64}")
_WHOLE: Final = re.compile(r"(?<![0-9a-f])([0-9a-f]{12})(?:[0-9a-f]{28}|[0-9a-f]{52})(?![0-9a-f])")
_SPACE: Final = re.compile(r"[\s⏎`|]+")
_QUOTATION: Final = str.maketrans("", "", "“”")
_ADVICE: Final = "Run the review again, or keep a text of your own in another folder"

Rows = Sequence[Mapping[str, Any]]


def check_beside(artifact: Path, text: str) -> Iterator[Problem]:
    """Every contradiction between an artifact and the files of its review in the same folder.

    Nothing, where no summary of a review says that it is this artifact's: a copy that stands alone has only itself.
    """
    folder = artifact.parent
    summary = _read(folder / SUMMARY)
    contract = contract_of(text)
    if not isinstance(summary, Mapping) or summary.get("artifact") != artifact.name or contract is None:
        return
    yield from _changed(folder)
    document = parse_document(text.replace("\r\n", "\n").replace("\r", "\n"))
    yield from _summarized(document, contract, summary)
    registers = {name: _read(folder / REGISTERS / f"{name}.json") for name in _named(summary)}
    held = {name: rows for name, rows in registers.items() if _is_rows(rows)}
    for beside in contract.beside:
        if beside.file in held:
            yield from _table(document, beside, held[beside.file])
    for measured in contract.measured:
        yield from _measured(document, measured, held)


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _named(summary: Mapping[str, Any]) -> Iterator[str]:
    names = summary.get("registers")
    yield from (name for name in names if isinstance(name, str) and is_inside(name)) if isinstance(names, list) else ()


def _is_rows(rows: Any) -> TypeGuard[Rows]:
    return isinstance(rows, list) and all(isinstance(row, Mapping) for row in rows)


def _changed(folder: Path) -> Iterator[Problem]:
    """Files that are not as the review wrote them, by the digests of its manifest."""
    for name, digest in sorted(recorded(folder).items()):
        path = folder / name
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest() if is_inside(name) else ""
        except OSError:
            yield violation("beside-missing", f"{MANIFEST} names {name}, which is not there", 1)
            continue
        if found != digest:
            yield violation("beside-changed", f"{name} is not as the review wrote it, by {MANIFEST}", 1, _ADVICE)


def _summarized(document: Document, contract: OutputContract, summary: Mapping[str, Any]) -> Iterator[Problem]:
    """The decision, the number of open points and the first of the next actions as the summary has them."""
    decision, reasons = summary.get("decision"), summary.get("reasons")
    head = contract.decision.says if contract.decision else ""
    for part in document.prose:
        if isinstance(decision, str) and head and f": {head}" in part.text:
            said = re.sub(r"\s*\[[^\]]*\]\s*\Z", "", part.text.partition(head)[2]).strip().rstrip(".")
            if _plain(said) != _plain(decision):
                yield violation("beside-differs", f"{SUMMARY} has the decision {decision[:60]!r}", part.line)
        yield from _first_action(part, document.lines[part.line - 1], summary.get("next_actions"))
        points = re.search(r"(\d+) open points? (?:keeps? step|at step)", part.text)
        if points and isinstance(reasons, list) and int(points[1]) != len(reasons):
            told = f"{points[1]} open points are stated, {SUMMARY} has {len(reasons)}"
            yield violation("count-differs", told, part.line)


def _first_action(part: Prose, line: str, actions: Any) -> Iterator[Problem]:
    """What the verdict says to be done first, against the summary's list."""
    found = re.search(r"\*\* (?P<says>.*); first of (?P<count>\d+) under ", line)
    if not found or not _is_rows(actions) or not actions:
        return
    if int(found["count"]) != len(actions):
        told = f"{found['count']} actions are stated, {SUMMARY} has {len(actions)}"
        yield violation("count-differs", told, part.line)
    first = f"{actions[0].get('who')}: {actions[0].get('what')}"
    if _unmarked(found["says"]) != _unmarked(first):
        yield violation("beside-differs", f"{SUMMARY} has the first action {first[:60]!r}", part.line)


def _unmarked(text: str) -> str:
    """The words alone, without the marks of Markdown."""
    return re.sub(rf"[\s`\\{RETURN}]+", "", unescape(text))


def _table(document: Document, beside: Beside, rows: Rows) -> Iterator[Problem]:
    """Rows by their key in both, and the cells that print a member of the register."""
    known: dict[tuple[str, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        known[tuple(_plain(row.get(member, "")) or UNKNOWN for member in beside.key.values())].append(row)
    tables = [table for table in document.tables if table.header == beside.header]
    runs = dict(_runs(document))
    for table in tables:
        for index, cells in enumerate(table.rows):
            if is_empty_row(cells) or len(cells) != len(table.columns):
                continue
            row = dict(zip(table.columns, cells, strict=True))
            whole = tuple(_plain(row[column].full) or UNKNOWN for column in beside.key)
            key = whole if known.get(whole) else tuple(_key(row[column]) for column in beside.key)
            key = key if known.get(key) else _ended(known, _begun(known, key))
            keys = [(name,) for name in _LISTED.findall(whole[0])] if beside.several else [key]
            if beside.groups:
                keys = [(name,) for name in beside.groups.get(whole[0], whole) if known.get((name,))] or [key]
            for each in keys:
                if not known.get(each):
                    told = f"the register {beside.file} has no row {' '.join(each)[:60]!r}"
                    yield violation("beside-unknown", told, table.row_line(index))
                    continue
                yield from _cells(beside, row, known[each].pop(0), table.row_line(index), runs)
    for key, left in known.items() if tables else ():
        for held in left:
            if beside.may_miss and all(re.search(says, str(held.get(name))) for name, says in beside.may_miss.items()):
                continue
            told = f"the register {beside.file} has the row {' '.join(key)[:60]!r}, the table has not"
            yield violation("beside-missing", told, tables[0].line)


def _begun(known: Mapping[tuple[str, ...], list[Mapping[str, Any]]], key: tuple[str, ...]) -> tuple[str, ...]:
    """The key that begins with what the row names, and says more of it: `name: what it asserts`."""
    return next((each for each, rows in known.items() if key and rows and each[0].startswith(f"{key[0]}: ")), key)


def _ended(known: Mapping[tuple[str, ...], list[Mapping[str, Any]]], key: tuple[str, ...]) -> tuple[str, ...]:
    """The key that ends with the name of a test or a file: the run is said to hold the one, a folder the other."""
    if key in known or not key:
        return key
    tests = [each for each, rows in known.items() if rows and each[0].endswith(f"::{key[0]}")]
    files = [each for each, rows in known.items() if rows and each[0].endswith(f"/{key[0]}")]
    return tests[0] if len(tests) == 1 else min(files, key=lambda each: len(each[0]), default=key)


def _runs(document: Document) -> Iterator[tuple[str, str]]:
    """What the statements about runs say, by how rows name them."""
    for line in document.lines:
        if found := re.match(r"\* \*\*Observation:\*\* Run (\d+): (.*)", line):
            yield f"run {found[1]}", _plain(found[2])


def _cells(
    beside: Beside, row: Mapping[str, Cell], held: Mapping[str, Any], line: int, runs: Mapping[str, str]
) -> Iterator[Problem]:
    for column, member in beside.cells.items():
        value, cell = held.get(member), _short(_plain(row[column].full))
        cell = runs.get(cell, cell)
        wanted = _short(_plain(value)) if isinstance(value, str) else ""
        if any(mark in cell or mark in str(value) for mark in _CUT):
            continue
        if cell.endswith(_GOES_ON) and wanted.startswith(cell.removesuffix(_GOES_ON)):
            continue
        if beside.unless and re.search(beside.unless, cell):
            continue
        if wanted and not is_short_of(cell, wanted) and not re.search(_whole(wanted), cell):
            told = f"{column!r} does not say {wanted[:60]!r} as the register {beside.file} does"
            yield violation("beside-differs", told, line)


def _whole(value: str) -> str:
    return rf"(?<![\w-]){re.escape(value)}(?![\w-])"


def _key(cell: Cell) -> str:
    """The id or the first code span that a cell starts with, else the whole cell."""
    whole = _plain(cell.full)
    if cell.ids and whole.startswith(cell.ids[0]):
        return cell.ids[0]
    first = _plain(cell.spans[0]) if cell.spans else ""
    return first if first and whole.startswith(first) else whole


def _short(text: str) -> str:
    """Digests and revisions by their first twelve digits, as artifacts print them."""
    return _WHOLE.sub(r"\1", text)


def _plain(value: object) -> str:
    """The text on one line, without the marks in which a cell quotes the subject."""
    return _SPACE.sub(" ", str(value)).strip().translate(_QUOTATION)


def _measured(document: Document, measured: Measured, held: Mapping[str, Rows]) -> Iterator[Problem]:
    for part in document.prose:
        found = re.search(measured.says, part.text)
        for name, number in found.groupdict().items() if found else ():
            rows = held.get(measured.of[name])
            if rows is not None and int(number) != len(rows):
                told = f"{number} are stated, the register {measured.of[name]} has {len(rows)}"
                yield violation("count-differs", told, part.line)
