"""What the W1 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evreview.evidence.item import Bundle
from evreview.report.escape import Md, heading
from evreview.workflow.w1.facts import W1Facts
from evreview.workflow.w1.matrix import context_rows, matrix_rows, noise_rows, unread_rows
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import (
    TableRow,
    boundary_rows,
    cited_ids,
    evidence_rows,
    gate_rows,
    printed,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w1 import view as w1_view
from evreview.workflows.w1.tables import (
    client_rows,
    executed_rows,
    finding_rows,
    monitoring_rows,
    proposed_rows,
    removal_rows,
    source_rows,
    trace_rows,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class W1View:
    """The ready parts of `api-contract-review.md`, in the order of the template."""

    title: Md
    verdict: tuple[Md, ...]
    boundary: tuple[TableRow, ...]
    gaps: tuple[Md, ...]
    matrix: tuple[TableRow, ...]
    context: tuple[TableRow, ...]
    noise: tuple[TableRow, ...]
    unread: tuple[TableRow, ...]
    sources: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    recommendation: tuple[Md, ...]
    verification: tuple[Md, ...]
    executed: tuple[TableRow, ...]
    proposed: tuple[TableRow, ...]
    limitations: tuple[Md, ...]
    decision: tuple[Md, ...]
    steps: tuple[TableRow, ...]
    gates: tuple[TableRow, ...]
    removals: tuple[TableRow, ...]
    monitoring: tuple[TableRow, ...]
    rollback: tuple[Md, ...]
    clients: tuple[TableRow, ...]
    consumers: tuple[Md, ...]
    trace: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W1Facts, decision: Decision) -> W1View:
    """The view of a run, complete also when the run stopped: later registers then say that nothing was recorded."""
    read = w1_view.read_items(bundle)
    view = W1View(
        title=heading(bundle.title),
        verdict=printed(w1_view.verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary),
        gaps=printed(facts.gaps),
        matrix=matrix_rows(bundle, facts),
        context=context_rows(bundle, facts),
        noise=noise_rows(facts),
        unread=unread_rows(facts),
        sources=source_rows(facts),
        findings=finding_rows(facts, read),
        recommendation=printed(w1_view.recommendation(bundle, facts, decision)),
        verification=printed(w1_view.verification(bundle, facts)),
        executed=executed_rows(facts, read),
        proposed=proposed_rows(facts, read),
        limitations=printed(w1_view.limitations(bundle, facts)),
        decision=printed(w1_view.decision_record(bundle, facts, decision)),
        steps=step_rows(steps),
        gates=gate_rows(facts.gates),
        removals=removal_rows(facts),
        monitoring=monitoring_rows(facts, read),
        rollback=printed(w1_view.rollback(bundle, facts)),
        clients=client_rows(facts, read),
        consumers=printed(w1_view.consumers(bundle, facts)),
        trace=trace_rows(bundle, facts, decision),
        evidence=(),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))
