"""Registers of a W2 review as frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from evreview.core.quoted_text import plain
from evreview.workflows.w2.examples.client_examples import JudgedExample
from evreview.workflows.w2.facts import (
    Criterion,
    Example,
    Omitted,
    Operation,
    ProposedTest,
    Reported,
    Reviewed,
    W2Facts,
)
from evreview.workflows.w2.matrix.test_results import UnmappedTest


def operations_frame(operations: Iterable[Operation]) -> pd.DataFrame:
    """One row per operation in scope. Key: `operation`. Columns: operation, method, path, operation_id."""
    rows = [(each.id, each.method, each.path, each.operation_id) for each in operations]
    return pd.DataFrame(rows, columns=["operation", "method", "path", "operation_id"])


def client_examples_frame(found: Iterable[JudgedExample]) -> pd.DataFrame:
    """One row per example that a client supplied. Columns: client, example, operation, held, why, evidence."""
    rows = [
        (each.client, each.example, each.operation, str(each.held), plain(each.why), str(each.citation))
        for each in found
    ]
    return pd.DataFrame(rows, columns=["client", "example", "operation", "held", "why", "evidence"])


def examples_frame(
    found: Iterable[Example | Omitted], names: Mapping[str, str], held: frozenset[str] = frozenset()
) -> pd.DataFrame:
    """Every example and every one left out. Columns: operation, part, status, media_type, example, label, omitted.

    Args:
        found: what was made or could not be.
        names: the operations of the scope by the contract's key.
        held: ids of examples that are left out because they would show what a discrepancy withholds.
    """
    columns = ["operation", "part", "status", "media_type", "example", "label", "omitted"]
    rows = [
        (
            names.get(each.about.operation, each.about.operation),
            str(each.about.part),
            each.about.status,
            each.about.media_type,
            str(each.id) if isinstance(each, Example) else "",
            str(each.label) if isinstance(each, Example) and each.id not in held else "",
            _why_omitted(each, held),
        )
        for each in found
    ]
    return pd.DataFrame(rows, columns=columns)


def names_of(facts: W2Facts) -> Mapping[str, str]:
    """The operations in scope as the contract writes them, by the contract's key."""
    return {each.element.key: each.id for each in facts.operations}


def _why_omitted(each: Example | Omitted, held: frozenset[str]) -> str:
    if isinstance(each, Omitted):
        return f"{each.why}: {each.reason}"
    return "withheld: it would show what a discrepancy withholds" if each.id in held else ""


def report_frame(report: Iterable[Reported]) -> pd.DataFrame:
    """The example execution report. Columns: operation, check, status, environment, result, command, revision,
    evidence."""
    columns = ["operation", "check", "status", "environment", "result", "command", "revision", "evidence"]
    rows = [
        (
            row.operation,
            plain(row.check),
            row.status,
            row.environment,
            row.result,
            row.command,
            row.revision,
            ", ".join(map(str, row.citations)),
        )
        for row in report
    ]
    return pd.DataFrame(rows, columns=columns)


def reviews_frame(reviews: tuple[Reviewed, ...]) -> pd.DataFrame:
    """The checks of step 7. Key: `check`. Columns: check, found, disposition, stops, evidence."""
    rows = [
        (each.check, plain(each.found), each.disposition, each.stops, ", ".join(map(str, each.citations)))
        for each in reviews
    ]
    return pd.DataFrame(rows, columns=["check", "found", "disposition", "stops", "evidence"])


def criteria_frame(criteria: tuple[Criterion, ...]) -> pd.DataFrame:
    """The completion criteria. Key: `criterion`. Columns: criterion, section, met."""
    rows = [(each.criterion, each.section, each.met) for each in criteria]
    return pd.DataFrame(rows, columns=["criterion", "section", "met"])


def unmapped_frame(tests: Iterable[UnmappedTest]) -> pd.DataFrame:
    """What tests say of no operation in scope. Columns: test, reason, evidence."""
    rows = [(each.case, each.reason, str(each.citation)) for each in tests]
    return pd.DataFrame(rows, columns=["test", "reason", "evidence"])


def tests_frame(tests: Iterable[ProposedTest]) -> pd.DataFrame:
    """Contract tests that the evidence lacks. Key: `test`. Columns: test, operation, name, asserts, why, evidence."""
    rows = [
        (each.id, each.operation, each.name, "\n".join(each.asserts), each.why, ", ".join(map(str, each.citations)))
        for each in tests
    ]
    return pd.DataFrame(rows, columns=["test", "operation", "name", "asserts", "why", "evidence"])
