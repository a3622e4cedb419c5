"""Tables that every artifact has, as rows of ready cells. An empty register keeps one row that says so."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import fields
from typing import Any

from evreview.core.quoted_text import Subject
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import NOTHING, Md, cell, cell_code, cell_words, citations, group, shorten, statement
from evreview.report.statement import Statement
from evreview.workflow.boundary import BoundaryRow
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.step import StepResult

TableRow = tuple[Md, ...]


def empty(columns: int, why: str, read: Iterable[Citation] = ()) -> tuple[TableRow, ...]:
    """One row that says that the register is empty, and why."""
    return ((cell(f"{NOTHING}: {why}"), *(cell("n/a"),) * (columns - 2), citations(read)),)


def boundary_rows(boundary: Iterable[BoundaryRow]) -> tuple[TableRow, ...]:
    """What the review is about."""
    stated = cell("review request")
    rows = (
        (cell(row.what), cell_words(row.value), group(row.citations) if row.citations else stated) for row in boundary
    )
    return tuple(rows) or empty(3, "step 1 did not run")


def step_rows(steps: Sequence[StepResult]) -> tuple[TableRow, ...]:
    """How far the run came."""
    return tuple(
        (
            cell(str(step.number)),
            cell(step.title),
            cell(f"{step.state} {step.code}".strip()),
            cell(step.advance_when),
        )
        for step in steps
    )


def gate_rows(gates: Iterable[Gate]) -> tuple[TableRow, ...]:
    """Approval gates with who answered and what is missing."""
    rows = (
        (
            cell(gate.spec.title),
            cell(str(gate.state)),
            cell_words(_approvals(gate)),
            cell_words((Subject("; ".join(gate.missing)),)) if gate.missing else cell("nothing"),
            cell_words(_reviewed(gate)),
        )
        for gate in gates
    )
    return tuple(rows) or ((cell(f"{NOTHING}: step 9 was not reached"), *(cell("n/a"),) * 4),)


def _reviewed(gate: Gate) -> tuple[str | Subject, ...]:
    parts: list[str | Subject] = []
    for item in gate.spec.reviewed:
        parts += [*([", "] if parts else []), Subject(item) if item in gate.spec.names else item]
    return tuple(parts)


def _approvals(gate: Gate) -> tuple[str | Subject, ...]:
    if gate.state is GateState.NOT_NEEDED:
        return ("none asked for",)
    parts: list[str | Subject] = []
    for answer in gate.approvals:
        parts += [Subject(answer.role), f" {answer.decision} at {answer.at.isoformat()}", "; "]
    return tuple(parts[:-1]) or ("none recorded",)


def evidence_rows(bundle: Bundle, used: Container[str]) -> tuple[TableRow, ...]:
    """The supplied evidence: what each item establishes, how its integrity is known, and whether anything cites it."""
    return tuple(
        (
            cell_words((Subject(str(item.type)),)),
            cell_words((Subject(item.integrity),)),
            cell(item.standing),
            cell_code(f"sha256:{item.sha256}"),
            cell_words((Subject(shorten(item.establishes, 400)),)),
            cell("cited" if item.id in used else "supplied, cited by nothing above"),
            citations((Citation(item.id),)),
        )
        for item in bundle.items.values()
    )


def cited_ids(view: Any) -> frozenset[str]:
    """The evidence ids that a view cites; words of the subject stand in code spans and do not count."""
    parts = (getattr(view, field.name) for field in fields(view))
    printed = " ".join(str(part) for part in _flat(parts))
    return frozenset(re.findall(r"\bE[1-9][0-9]*\b", re.sub(r"`+[^`]*`+", " ", printed)))


def _flat(parts: Iterable[object]) -> Iterable[Md]:
    for part in parts:
        if isinstance(part, Md):
            yield part
        elif isinstance(part, tuple):
            yield from _flat(part)


def printed(statements: Iterable[Statement]) -> tuple[Md, ...]:
    """Statements as list items."""
    return tuple(statement(value) for value in statements)
