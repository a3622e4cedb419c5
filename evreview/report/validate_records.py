"""Rows against what the cited evidence holds: retained checks, the policy's severities, clients, both contracts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from evreview.core.control_characters import visible
from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import StatementKind
from evreview.evidence.citation import record_on_line, resolve
from evreview.evidence.cited_records import records_of
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import ClientInventory, Policy
from evreview.evidence.records.security import SeverityRubric
from evreview.evidence.typed_reader import retained_outputs
from evreview.redaction.detector import fits
from evreview.report.markdown import Cell, Document, Prose, Table, citations_in, cited
from evreview.report.output_contract import (
    EVIDENCE,
    Inventory,
    OutputContract,
    Rubric,
    is_empty_row,
    required_tables,
    violation,
)
from evreview.report.validate_agreement import RESULT

_CLOSED: Final = frozenset({"result", "status"})
_DIGITS: Final = re.compile(r"[0-9a-f]{12,64}")
_EXECUTED: Final = re.compile(r"^executed:\s*", re.I)
_LEFT_OUT: Final = re.compile(r"\[redacted: [a-z ]{4,40}\]|… \[cut: \d+ characters, sha256:[0-9a-f]+\]")


@frozen
class Row:
    """One row of a register with what is known about it: its cells by column, its citations, its line."""

    cells: Mapping[str, Cell]
    citations: tuple[Citation, ...]
    line: int


def check_records(document: Document, contract: OutputContract, bundle: Bundle) -> Iterator[Problem]:
    """What rows print is what the evidence that they cite holds."""
    outputs = retained_outputs(item.record for item in bundle.items.values())
    for required, table in required_tables(document, contract):
        for row in rows_of(table):
            if required.record and not (required.run and any(each.id in outputs for each in row.citations)):
                yield from _retained(required.record, row, bundle)
            if required.rubric:
                yield from _rated(required.rubric, row, bundle, document)
            if required.both_contracts:
                yield from _both(row, bundle)
        if required.inventory:
            yield from _clients(required.inventory, table, document, contract, bundle)
    yield from _results(document, contract, bundle)


def rows_of(table: Table) -> Iterator[Row]:
    """The rows of a register, without the one that says that it has none."""
    for index, cells in enumerate(table.rows):
        if not is_empty_row(cells):
            named = dict(zip(table.columns, cells, strict=False))
            evidence = named.get(EVIDENCE)
            mentions = cited(evidence.text) if evidence else ()
            found = tuple(mention.citation for mention in mentions if mention.citation is not None)
            yield Row(named, found, table.row_line(index))


def same(printed: str, retained: str) -> bool:
    """True when the printed text is the retained one; what was redacted or cut stands for anything."""
    return fits([_plain(part) for part in _LEFT_OUT.split(printed)], _plain(retained))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", visible(text).replace("⏎", " ")).strip()


def _resolved(citation: Citation, bundle: Bundle) -> tuple[str, Mapping[str, Any] | None]:
    """The text that a citation stands for, and the record when it is one, or is cited by the line where it starts."""
    text = record_on_line(bundle, citation) or resolve(bundle, citation) or ""
    try:
        value = json.loads(text) if text.startswith("{") and citation.locator not in ("", "#") else None
    except ValueError:
        value = None
    return text, value if isinstance(value, dict) else None


def _permitted(citations: Iterable[Citation], claim: ClaimKind, bundle: Bundle) -> tuple[Citation, ...]:
    return tuple(
        citation for citation in citations if citation.id in bundle.items and permits(bundle.items[citation.id], claim)
    )


def _retained(columns: Mapping[str, tuple[str, ...]], row: Row, bundle: Bundle) -> Iterator[Problem]:
    """The command, revision, fixture and result of an executed row stand in one record that it cites."""
    cells = {column: _EXECUTED.sub("", row.cells[column].full.strip()) for column in columns if column in row.cells}
    runs = _permitted(row.citations, ClaimKind.EXECUTED_CHECK, bundle)
    if not runs:
        return  # the item is refused as such: claim-not-permitted
    closest: tuple[str, ...] | None = None
    for citation in runs:
        text, record = _resolved(citation, bundle)
        if record is not None and not any(_members(record, names) for names in columns.values()):
            continue
        if record is None and (bundle.items[citation.id].record is not None or not text):
            continue
        differing = tuple(column for column in cells if not _printed(cells[column], columns[column], text, record))
        if closest is None or len(differing) < len(closest):
            closest = differing
    if closest is None:
        yield violation("executed-record-missing", "no citation of the row leads to a retained check", row.line)
    elif closest:
        named = ", ".join(closest)
        yield violation("executed-record-differs", f"the cited check does not hold what is printed: {named}", row.line)


def _members(record: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(str(record[name]) for name in names if record.get(name) not in (None, ""))


def _printed(cell: str, names: tuple[str, ...], text: str, record: Mapping[str, Any] | None) -> bool:
    """True when the cell prints the member of the record; of a retained text, when it stands in it.

    A result is a word of a closed list: it is never left out as a secret, and a skipped check has none.
    """
    if record is None:
        return re.search(rf"(?<!\w){re.escape(_plain(cell))}(?!\w)", _plain(text)) is not None
    exact = _CLOSED.issuperset(names)
    return any(
        cell == value != "skipped" if exact else same(cell, value) or is_short_of(cell, value)
        for value in _members(record, names)
    )


def is_short_of(printed: str, whole: str) -> bool:
    """True for the first twelve digits, or more, of a digest or commit."""
    return _DIGITS.fullmatch(printed) is not None and _DIGITS.fullmatch(whole) is not None and whole.startswith(printed)


def _results(document: Document, contract: OutputContract, bundle: Bundle) -> Iterator[Problem]:
    """`passed` and `failed`, where the result of a check is told, are results of cited checks."""
    patterns = [re.compile(pattern) for pattern in contract.statements.results]
    told = [(prose.text.strip(), prose.line) for prose in document.prose]
    for table in document.tables:
        for index, row in enumerate(table.rows):
            told += [(part, table.row_line(index)) for cell in row for part in cell.fragments]
    for text, line in told:
        words = set(RESULT.findall(text)) if any(pattern.search(text) for pattern in patterns) else set()
        if words:
            yield from _told(text, words, line, bundle)


def _told(text: str, words: set[str], line: int, bundle: Bundle) -> Iterator[Problem]:
    found = [mention.citation for mention in citations_in(text) if mention.citation is not None]
    runs = _permitted(found, ClaimKind.EXECUTED_CHECK, bundle)
    results: set[str] = set()
    for citation in runs:
        retained, record = _resolved(citation, bundle)
        if record is not None:
            results |= set(_members(record, ("result",)))
        elif bundle.items[citation.id].record is None:
            results |= set(RESULT.findall(retained))
    if not results and (runs or not text.startswith(f"{StatementKind.EXECUTED_CHECK}:")):
        yield violation("executed-record-missing", "no citation of the result leads to a retained check", line)
    for word in sorted(words - results if results else ()):
        yield violation("executed-result-differs", f"no cited check {word}", line)


def _rated(rubric: Rubric, row: Row, bundle: Bundle, document: Document) -> Iterator[Problem]:
    """A severity is a word of the policy; the row cites its rule and quotes it, or names it for a quote elsewhere."""
    cell = _plain(row.cells[rubric.column].full)
    if cell == rubric.unrated or cell.startswith(f"{rubric.unrated} ("):
        return
    words = {word for found in records_of(bundle, Policy) for word in found.record.severities}
    words |= {word for found in records_of(bundle, SeverityRubric) for word in found.record.severities}
    word = next((word for word in sorted(words, key=len, reverse=True) if f"{cell} ".startswith(f"{word} ")), "")
    if not word:
        yield violation("severity-unknown", f"{cell[:60]!r} starts with no severity of the policy", row.line)
        return
    rules = [_resolved(citation, bundle) for citation in _permitted(row.citations, ClaimKind.POLICY_RULE, bundle)]
    if not rules:
        yield violation("severity-uncited", "the row cites no policy for its severity", row.line)
        return
    quote = cell[len(word) :].strip().removeprefix("(").removesuffix(")")
    if _RULE_NAME.fullmatch(quote):
        yield from _named_rule(quote, word, row, bundle, document)
        return
    quoted = [record for text, record in rules if _quotes(quote, text, record)]
    if not quote or not quoted:
        yield violation("severity-unquoted", "the quoted sentence does not stand in the cited policy", row.line)
    elif not any(record is None or record.get("severity") in (None, word) for record in quoted):
        yield violation("severity-differs", f"the quoted rule does not say {word!r}", row.line)


_RULE_NAME: Final = re.compile(r"[\w~-]+/[\w~/-]+")


def _named_rule(name: str, word: str, row: Row, bundle: Bundle, document: Document) -> Iterator[Problem]:
    """The rule that a row names stands in a policy that it cites, says that severity, and is quoted in the artifact."""
    cited = _permitted(row.citations, ClaimKind.POLICY_RULE, bundle)
    found = [_resolved(Citation(citation.id, f"#/{name}"), bundle) for citation in cited]
    records = [record for text, record in found if record is not None and text]
    if not records:
        yield violation("severity-unquoted", f"no cited policy has a rule {name!r}", row.line)
    elif not any(record.get("severity") in (None, word) for record in records):
        yield violation("severity-differs", f"the rule {name!r} does not say {word!r}", row.line)
    elif not any(_quotes_rule(part, name, records) for part in document.prose):
        yield violation("severity-unquoted", f"no statement quotes the rule {name!r}", row.line)


def _quotes_rule(part: Prose, name: str, records: Iterable[Mapping[str, Any]]) -> bool:
    first, *quotes = part.spans or ("",)
    return first == name and any(same(quote, str(record.get("text"))) for record in records for quote in quotes)


def _quotes(quote: str, text: str, record: Mapping[str, Any] | None) -> bool:
    if record is not None and isinstance(record.get("text"), str):
        return same(quote, record["text"])
    return bool(quote) and _plain(quote) in _plain(text)


def _both(row: Row, bundle: Bundle) -> Iterator[Problem]:
    """A row of the matrix cites the released and the candidate contract."""
    named = bundle.request.contracts
    if named is None:
        return
    ids = {citation.id for citation in row.citations}
    for side, found in (("released", named.released), ("candidate", named.candidate)):
        if found in bundle.items and found not in ids:
            yield violation("contract-uncited", f"the row does not cite the {side} contract", row.line)


def _clients(
    inventory: Inventory, table: Table, document: Document, contract: OutputContract, bundle: Bundle
) -> Iterator[Problem]:
    """One row per known client, citing its entry, and the row for everybody else."""
    known = {
        client.id: found.citation.id for found in records_of(bundle, ClientInventory) for client in found.record.clients
    }
    rows = tuple(rows_of(table))
    if not rows and not _reached(inventory.step, document, contract):
        return
    named = [_plain(row.cells[inventory.column].full) for row in rows]
    if inventory.others not in named:
        yield violation("unlisted-row-missing", f"the row {inventory.others!r} is missing", table.line)
    for client in sorted(known):
        if not any(same(name, client) for name in named):
            yield violation("client-missing", f"the known client {client!r} has no row", table.line)
    for name, row in zip(named, rows, strict=True):
        if name == inventory.others:
            continue
        entries = [client for client in known if same(name, client)]
        if not entries:
            yield violation("client-unknown", f"no inventory lists the client {name!r}", row.line)
        elif not any(_entry(citation, entries, known, bundle) for citation in row.citations):
            yield violation("client-uncited", f"the row does not cite the inventory's entry of {name!r}", row.line)


def _entry(citation: Citation, clients: Iterable[str], known: Mapping[str, str], bundle: Bundle) -> bool:
    _, record = _resolved(citation, bundle)
    name = _plain(str(record.get("id"))) if record is not None else None
    return any(_plain(client) == name and known[client] == citation.id for client in clients)


def _reached(step: int, document: Document, contract: OutputContract) -> bool:
    """True when the Steps register shows that the step was run."""
    header = contract.decision.steps if contract.decision else ""
    return any(
        row[0].full.strip() == str(step) for table in document.tables if table.header == header for row in table.rows
    )
