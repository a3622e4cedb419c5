"""Step 9 of W3: package, redact and obtain disclosure approval. Without it nothing leaves the authorized team."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ExecutionPlan, FindingState
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.sealing import incomplete
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.gates import accept_gate, active_gate, disclosure, disclosure_gate, report_digest


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The three gates; remains while recipients outside the authorized team wait, or redaction is incomplete."""
    plans = records_of(bundle, ExecutionPlan)
    known = {each.candidate.id: each.accepting for each in facts.findings}
    accepted = {
        entry.subject: known.get(entry.subject, "")
        for entry in bundle.decisions.dispositions
        if entry.state is FindingState.ACCEPTED
    }
    to_whom = disclosure(bundle, facts)
    gates = (
        active_gate(bundle, plans),
        disclosure_gate(bundle, to_whom.outside, report_digest(bundle, facts)),
        accept_gate(bundle, accepted),
    )
    waiting = (*_waiting(gates[1]), *incomplete(bundle, facts.redactor))
    return Outcome(
        state=StepState.REMAIN if waiting else StepState.ADVANCE,
        facts=replace(facts, gates=gates),
        reasons=waiting,
        tables={"Gates": gates_frame(gates)},
    )


def _waiting(gate: Gate) -> Iterator[Statement]:
    """What keeps the gate open. It rests on what is not in decisions.yaml, so no item can be cited for it."""
    if gate.state in (GateState.OPEN, GateState.REJECTED):
        for missing in gate.missing:
            yield limited(f"{gate.spec.title}: ", UserText(missing.rstrip(".")), ".")
