"""Rows of an execution report against the retained runs that they cite: case, result, environment, revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from evreview.artifacts.validate_headings import violation
from evreview.artifacts.validate_tables import required_tables
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.read import read_results
from evreview.report.markdown import Document
from evreview.report.output_contract import OutputContract, RunColumns
from evreview.report.validate_records import Row, rows_of, same

EXECUTED = "executed"
Runs = Mapping[EvidenceId, Cited[TestRun]]


def check_runs(document: Document, contract: OutputContract, bundle: Bundle) -> Iterator[Problem]:
    """What an executed row prints is what the cited run holds; a row without such a run is not executed."""
    runs = {cited.record.output: cited for cited in records_of(bundle, TestRun)}
    for required, table in required_tables(document, contract):
        columns = required.run
        for row in rows_of(table) if columns else ():
            assert columns is not None
            of_record = required.record and not any(citation.id in runs for citation in row.citations)
            if not of_record and (not columns.status or row.cells[columns.status].full.strip() == EXECUTED):
                yield from _executed(columns, row, runs, bundle)


def _executed(columns: RunColumns, row: Row, runs: Runs, bundle: Bundle) -> Iterator[Problem]:
    cited = next((citation for citation in row.citations if citation.id in runs), None)
    if cited is None:
        yield violation("executed-record-missing", "no citation of the row leads to a retained run", row.line)
        return
    run = runs[cited.id].record
    told = (
        (columns.environment, run.environment),
        (columns.command or columns.environment, run.command),
        (columns.revision or columns.environment, run.revision),
    )
    if not all(value and _holds(row.cells[column].full, value) for column, value in told):
        yield violation("executed-record-differs", "the cited run does not hold the environment printed", row.line)
    item = bundle.items[cited.id]
    results = _cases(item.content, run.format)
    if cited.locator not in results:
        yield violation("executed-record-missing", "no case of the cited output stands there", row.line)
    elif row.cells[columns.result].full.strip().split(":")[0] != results[cited.locator]:
        yield violation("executed-result-differs", f"the cited case {results[cited.locator]}", row.line)


def _holds(cell: str, value: str) -> bool:
    return value in cell or same(cell, value)


@lru_cache(maxsize=4)
def _cases(content: str, named: str | None) -> Mapping[str, str]:
    """How each case of an output ended, by locator."""
    try:
        found = read_results(content.encode(), named)  # type: ignore[arg-type]
    except BadInput:
        return {}
    return {case.locator: str(case.outcome) for case in found.cases}
