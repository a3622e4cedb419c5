"""What the W3 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import Md, cell, cell_code, citations, fence, heading
from evreview.security.trust.picture.mermaid import mermaid
from evreview.workflow.w3 import rows
from evreview.workflow.w3.citing import scope_items
from evreview.workflow.w3.redacting import redacted_rows, redaction
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
from evreview.workflows.w3 import tables
from evreview.workflows.w3 import view as w3_view
from evreview.workflows.w3.facts import W3Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class W3View:
    """The ready parts of `security-review.md`, in the order of the template."""

    title: Md
    verdict: tuple[Md, ...]
    boundary: tuple[TableRow, ...]
    threats: tuple[Md, ...]
    picture: tuple[Md, ...]
    paths: tuple[TableRow, ...]
    backings: tuple[TableRow, ...]
    controls: tuple[TableRow, ...]
    gaps: tuple[TableRow, ...]
    cases: tuple[TableRow, ...]
    findings: tuple[TableRow, ...]
    claims: tuple[TableRow, ...]
    challenges: tuple[TableRow, ...]
    refuted: tuple[TableRow, ...]
    leads: tuple[TableRow, ...]
    unreached: tuple[TableRow, ...]
    remedies: tuple[Md, ...]
    remediation: tuple[TableRow, ...]
    plan: tuple[Md, ...]
    proposed: tuple[TableRow, ...]
    executed: tuple[TableRow, ...]
    residual: tuple[Md, ...]
    dispositions: tuple[TableRow, ...]
    limitations: tuple[Md, ...]
    redaction: tuple[Md, ...]
    redacted: tuple[TableRow, ...]
    approval: tuple[Md, ...]
    gates: tuple[TableRow, ...]
    steps: tuple[TableRow, ...]
    trace: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> W3View:
    """The view of a run, complete also when the run stopped: a stopped run tells nothing of later steps."""
    read = scope_items(bundle, facts) if facts.opened else ()
    view = W3View(
        title=heading(bundle.title),
        verdict=printed(w3_view.verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary) if facts.boundary else empty(3, "no authorization record is supplied"),
        threats=printed(w3_view.threats(bundle, facts)),
        picture=_picture(facts),
        paths=tables.path_rows(facts, read),
        backings=tables.backing_rows(facts, read),
        controls=tables.control_rows(facts, read),
        gaps=tables.gap_rows(facts, read),
        cases=tables.case_rows(facts, read),
        findings=rows.finding_rows(facts, read),
        claims=rows.claim_rows(facts, read),
        challenges=tables.challenge_rows(facts, read),
        refuted=tables.refuted_rows(facts, read),
        leads=tables.lead_rows(facts, read),
        unreached=tables.unreached_rows(facts, read),
        remedies=printed(w3_view.remedies(facts)),
        remediation=rows.remediation_rows(facts, read),
        plan=printed(w3_view.plan(bundle, facts)),
        proposed=rows.proposed_rows(facts, read),
        executed=rows.executed_rows(facts, read),
        residual=printed(w3_view.residual(bundle, facts)),
        dispositions=rows.disposition_rows(facts, read),
        limitations=printed(w3_view.limitations(bundle, facts)),
        redaction=printed(redaction(bundle, facts)),
        redacted=redacted_rows(bundle, facts, read),
        approval=printed(w3_view.approval(bundle, steps, facts, decision)),
        gates=gate_rows(facts.gates),
        steps=step_rows(steps),
        trace=rows.trace_rows(bundle, steps, facts, decision),
        evidence=(),
    )
    every = evidence_rows(bundle, cited_ids(view)) if facts.opened else unread_rows(bundle, facts, cited_ids(view))
    return replace(view, evidence=every)


def _picture(facts: W3Facts) -> tuple[Md, ...]:
    if facts.model is None or facts.trust is None:
        return ()
    return (fence(mermaid(facts.model.record, facts.trust, facts.guard.clean), "mermaid"),)


def unread_rows(bundle: Bundle, facts: W3Facts, used: frozenset[str]) -> tuple[TableRow, ...]:
    """The evidence while it is sealed: of the authorization as ever, of every other item its id alone."""
    own = facts.authorization.citation.id if facts.authorization else None
    shown = {str(row[-1]): row for row in evidence_rows(bundle, used)}
    return tuple(shown[str(citations((Citation(item),)))] if item == own else _unread(item) for item in bundle.items)


def _unread(item: str) -> TableRow:
    unread = cell("not read")
    return (unread, unread, unread, cell_code("not read"), unread, cell("sealed"), citations((Citation(item),)))  # type: ignore[arg-type]
