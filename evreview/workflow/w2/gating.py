"""The three W2 gates in one run: who has to answer, and what is recorded."""

from __future__ import annotations

from evreview.evidence.item import Bundle
from evreview.workflow.gate import Gate, GateSpec, GateState, Seat, judge_gate
from evreview.workflow.w2.gates import EXPAND, TRAFFIC


def gate(spec: GateSpec, bundle: Bundle, *, needed: bool) -> Gate:
    """The gate as recorded; not needed where nothing asks for it and nobody has said no."""
    judged = judge_gate(spec, seats(spec, bundle), bundle.decisions.approvals, bundle.request.as_of)
    if needed or judged.state is GateState.REJECTED:
        return judged
    return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())


def traffic_gate(bundle: Bundle) -> Gate:
    """The gate before an example from logs or observed traffic is published."""
    return gate(TRAFFIC, bundle, needed=True)


def seats(spec: GateSpec, bundle: Bundle) -> tuple[Seat, ...]:
    """Who has to answer: the API owner by role; of several capacities the one that answered, else the first."""
    capacities = spec.stages[0]
    if spec is EXPAND:
        return (Seat("api-owner", bundle.request.roles.api_owner or "unknown role"),)
    answers = [answer for answer in bundle.decisions.approvals if answer.gate == spec.id]
    given = next((answer for answer in reversed(answers) if answer.stands_for in capacities), None)
    return (Seat(given.stands_for, given.role),) if given else (Seat(capacities[0], capacities[0].replace("-", " ")),)
