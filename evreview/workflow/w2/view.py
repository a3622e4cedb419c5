"""What the W2 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evreview.evidence.item import Bundle
from evreview.report.escape import Md, heading
from evreview.workflow.w2 import sections
from evreview.workflow.w2.behaviour import behaviour_blocks
from evreview.workflow.w2.blocks import Block
from evreview.workflow.w2.citing import read_items
from evreview.workflow.w2.requests import request_blocks
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import (
    TableRow,
    boundary_rows,
    cited_ids,
    empty,
    evidence_rows,
    gate_rows,
    printed,
    step_rows,
)
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.tables import (
    criteria_rows,
    discrepancy_rows,
    follow_up_rows,
    gap_rows,
    matrix_rows,
    report_rows,
    review_rows,
    trace_rows,
)
from evreview.workflows.w2.view import authentication_rows, operation_blocks
from evreview.workflows.w2.view_messages import error_blocks, success_blocks

UNREACHED = "step 4 was not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class W2View:
    """The ready parts of `api-reference.md`, in the order of the template. `none_*` are rows for empty registers."""

    title: Md
    verdict: tuple[Md, ...]
    boundary: tuple[TableRow, ...]
    operation: tuple[Block, ...]
    none_properties: tuple[TableRow, ...]
    none_parameters: tuple[TableRow, ...]
    authentication: tuple[TableRow, ...]
    request: tuple[Block, ...]
    success: tuple[Block, ...]
    none_fields: tuple[TableRow, ...]
    errors: tuple[Block, ...]
    none_errors: tuple[TableRow, ...]
    behaviour: tuple[Block, ...]
    none_behaviour: tuple[TableRow, ...]
    report: tuple[TableRow, ...]
    discrepancies: tuple[TableRow, ...]
    approval: tuple[Md, ...]
    gates: tuple[TableRow, ...]
    reviews: tuple[TableRow, ...]
    criteria: tuple[TableRow, ...]
    steps: tuple[TableRow, ...]
    follow_up: tuple[TableRow, ...]
    limitations: tuple[Md, ...]
    gaps: tuple[TableRow, ...]
    trace: tuple[TableRow, ...]
    matrix: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> W2View:
    """The view of a run, complete also when the run stopped: a stopped run publishes nothing of later steps."""
    read = read_items(bundle, facts)
    view = W2View(
        title=heading(bundle.title),
        verdict=printed(sections.verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary),
        operation=operation_blocks(facts),
        none_properties=empty(3, UNREACHED, read),
        none_parameters=empty(6, UNREACHED, read),
        authentication=authentication_rows(facts) or empty(5, UNREACHED, read),
        request=request_blocks(facts),
        success=success_blocks(facts),
        none_fields=empty(5, UNREACHED, read),
        errors=error_blocks(facts),
        none_errors=empty(5, UNREACHED, read),
        behaviour=behaviour_blocks(facts),
        none_behaviour=empty(4, UNREACHED, read),
        report=report_rows(facts, read),
        discrepancies=discrepancy_rows(facts, read),
        approval=printed(sections.approval_state(bundle, facts, decision)),
        gates=gate_rows(facts.gates),
        reviews=review_rows(facts),
        criteria=criteria_rows(facts),
        steps=step_rows(steps),
        follow_up=follow_up_rows(bundle, steps, facts),
        limitations=printed(sections.limitations(bundle, facts)),
        gaps=gap_rows(facts),
        trace=trace_rows(bundle, facts, decision),
        matrix=matrix_rows(facts),
        evidence=(),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))
