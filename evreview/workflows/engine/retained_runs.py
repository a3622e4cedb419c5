"""The retained test runs of a bundle: read once, and which of them count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.errors import BadInput
from evreview.core.quoted_text import UserText, listed
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.model import Results, RetainedRun
from evreview.evidence.test_results.read import read_results
from evreview.report.statement import Statement, cite, limited, observed

ROUTES: Final = "route-table"
"""The format of a run in which an application was asked for its routes."""


def read_runs(bundle: Bundle) -> tuple[tuple[RetainedRun, ...], tuple[Statement, ...]]:
    """Every run with its output read, and what can't be read.

    One that tried what it may not counts for nothing, nor does one of a day after the review's date.
    """
    known, broken = readable_runs(bundle)
    return tuple(run for run in known if run.results.day <= bundle.request.as_of), broken


def readable_runs(bundle: Bundle) -> tuple[tuple[RetainedRun, ...], tuple[Statement, ...]]:
    """Every run within its bounds with its output read, of whatever day, and what can't be read."""
    runs: list[RetainedRun] = []
    broken: list[Statement] = []
    for cited in runs_within_bounds(bundle):
        if cited.record.format == ROUTES:
            continue  # no check ran: an application was asked
        item = bundle.items[cited.record.output]
        try:
            results: Results = read_results(item.content.encode(), cited.record.format, item.file)
        except BadInput as error:
            broken += [
                observed("A retained output can't be read: ", UserText(str(problem)), on=cite(item.id))
                for problem in error.problems
            ]
            continue
        runs.append(RetainedRun(record=cited, results=results))
    return tuple(runs), tuple(broken)


def runs_within_bounds(bundle: Bundle) -> tuple[Cited[TestRun], ...]:
    """The runs that tried nothing that they may not."""
    return tuple(cited for cited in records_of(bundle, TestRun) if not cited.record.violations)


def violated(bundle: Bundle) -> Iterator[Statement]:
    """Retained runs that tried what they may not: unexpected network access, or a change that was not approved."""
    for cited in records_of(bundle, TestRun):
        if cited.record.violations:
            words = ("A retained run tried what it may not: ", *listed(cited.record.violations))
            yield limited(*words, "; its results count for nothing.", on=(cited.at("/violations"), cited.citation))


def later_runs(bundle: Bundle) -> Iterator[Statement]:
    """Runs whose own output is dated after the review's day; they count for nothing."""
    as_of = bundle.request.as_of
    for run in readable_runs(bundle)[0]:
        day = run.results.day
        if day > as_of:
            words = (UserText(day), f", after the review's date {as_of}; it counts for nothing.")
            yield limited("A retained run is dated ", *words, on=cite(run.record.citation, run.record.record.output))
