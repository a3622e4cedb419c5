"""Step 9: findings, gates, and whether what is asked may happen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from evreview.evidence.item import Bundle
from evreview.findings.finding import findings_frame
from evreview.findings.statement import Statement, Subject, limited, observed
from evreview.vocab import Ask, StepState
from evreview.workflow.gate import Gate, GateState, Seat, judge_gate
from evreview.workflow.step import Outcome
from evreview.workflow.w1.citations import contract_citations
from evreview.workflow.w1.facts import W1Facts
from evreview.workflow.w1.findings import build_findings
from evreview.workflow.w1.gates import REMOVE, SHIP
from evreview.workflow.w1.guardrails import exposure_findings


def package(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The registers and the gates; remains while an approval that is asked for is not recorded."""
    exposed = exposure_findings(bundle, facts.candidate) if facts.candidate else ()
    known = replace(facts, findings=(*build_findings(bundle, facts), *exposed))
    known = replace(known, gates=(ship_gate(bundle, known), removal_gate(bundle, known)))
    blocked = (*_open_gates(bundle, known), *_standing(bundle, known))
    return Outcome(
        state=StepState.REMAIN if blocked else StepState.ADVANCE,
        facts=known,
        reasons=blocked,
        tables={"Findings": findings_frame(known.findings), "Gates": gates_frame(known.gates)},
    )


def ship_gate(bundle: Bundle, facts: W1Facts) -> Gate:
    """The gate before shipping a breaking change; not needed when nothing breaks or shipping is not asked."""
    if Ask.SHIP not in bundle.request.asks or not material_break(facts):
        return Gate(spec=SHIP, state=GateState.NOT_NEEDED, seats=())
    return judge_gate(SHIP, tuple(_ship_seats(bundle, facts)), bundle.decisions.approvals)


def removal_gate(bundle: Bundle, facts: W1Facts) -> Gate:
    """The gate before removing a deprecated field; the removal conditions count as well as the approval."""
    if Ask.REMOVE not in bundle.request.asks:
        return Gate(spec=REMOVE, state=GateState.NOT_NEEDED, seats=())
    owner = Seat("api-owner", bundle.request.roles.api_owner or "unknown role")
    gate = judge_gate(REMOVE, (owner,), bundle.decisions.approvals)
    unmet = tuple(condition.text for removal in facts.removals for condition in removal.missing)
    if not facts.removals:
        unmet = ("removal is asked, and review.yaml names nothing to remove",)
    state = GateState.OPEN if unmet and gate.state is GateState.APPROVED else gate.state
    return replace(gate, state=state, missing=(*gate.missing, *unmet))


def material_break(facts: W1Facts) -> bool:
    """True when a row breaks, may break, or breaks a known client."""
    return any(str(row.judgement.verdict) != "compatible" for row in facts.rows) or any(
        impact.breaking for impact in facts.impacts
    )


def _ship_seats(bundle: Bundle, facts: W1Facts) -> Iterable[Seat]:
    roles = bundle.request.roles
    yield Seat("api-owner", roles.api_owner or "unknown role")
    affected = {impact.client for impact in facts.impacts if impact.breaking}
    for state in facts.migrations:
        if state.client in affected:
            yield Seat("client-owner", state.owner_role or "unknown role", state.client)
    yield Seat("release-manager", roles.release_manager or "unknown role")


def _open_gates(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    for gate in facts.gates:
        if gate.state in (GateState.OPEN, GateState.REJECTED):
            for missing in gate.missing:
                on = contract_citations(bundle, facts.rows[0]) if facts.rows else ()
                yield observed(f"{gate.spec.title}: ", Subject(missing.rstrip(".")), ".", on=on)


def _standing(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """W1-F3 and policy blocks that stand against what is asked."""
    asked = set(bundle.request.asks)
    if facts.ownership_gaps and (Ask.REMOVE in asked or (Ask.SHIP in asked and material_break(facts))):
        on = contract_citations(bundle, facts.rows[0]) if facts.rows else ()
        yield limited("Client ownership or usage is unknown (W1-F3): no breaking shipment and no removal.", on=on)
    objections = facts.path.objections if facts.path and Ask.SHIP in asked else ()
    for objection in objections:
        yield observed("The chosen path does not fit: ", objection, on=facts.path.citations if facts.path else ())
    wanted = ({"in-place release", "release"} if Ask.SHIP in asked else set()) | (
        {"removal"} if Ask.REMOVE in asked else set()
    )
    for finding in facts.findings:
        standing = [what for what in finding.blocks if what in wanted]
        if standing:
            head = "Finding "
            yield observed(head, Subject(finding.id), f" blocks: {', '.join(standing)}.", on=finding.citations)


def gates_frame(gates: Iterable[Gate]) -> pd.DataFrame:
    """One row per gate. Key: `gate`. Columns: gate, title, state, seats, approvals, missing (texts, "; " between)."""
    rows = [
        (
            gate.spec.id,
            gate.spec.title,
            str(gate.state),
            "; ".join(map(str, gate.seats)),
            "; ".join(f"{answer.role}: {answer.decision} at {answer.at.isoformat()}" for answer in gate.approvals),
            "; ".join(gate.missing),
        )
        for gate in gates
    ]
    return pd.DataFrame(rows, columns=["gate", "title", "state", "seats", "approvals", "missing"])
