"""Step 8: approvals for new or expanded behaviour, for examples from traffic, and for mutating examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.evidence.item import Bundle
from evreview.findings.statement import Statement, limited
from evreview.prose import Subject
from evreview.reference.examples.model import Example, Label, Omitted, Why
from evreview.vocab import StepState
from evreview.workflow.frames import gates_frame
from evreview.workflow.gate import Gate, GateSpec, GateState, Seat, judge_gate
from evreview.workflow.step import Outcome
from evreview.workflow.w2.facts import W2Facts
from evreview.workflow.w2.gates import EXPAND, MUTATE, TRAFFIC
from evreview.workflow.w2.safety import expansions


def obtain_approvals(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The three gates; stops while one that applies is pending or denied."""
    gates = (
        _gate(EXPAND, bundle, bool(expansions(facts))),
        _gate(TRAFFIC, bundle, from_traffic(facts)),
        _gate(MUTATE, bundle, facts.plan is not None and bool(facts.plan.record.mutating)),
    )
    known = replace(facts, gates=gates)
    waiting = tuple(pending(known))
    return Outcome(
        state=StepState.STOP if waiting else StepState.ADVANCE,
        facts=known,
        reasons=waiting,
        tables={"Gates": gates_frame(gates)},
    )


def from_traffic(facts: W2Facts) -> bool:
    """True when an example comes, or would come, from logs or observed traffic."""
    traffic = any(run.record.record.from_traffic for run in facts.runs)
    found: tuple[Example | Omitted, ...] = (*facts.examples, *facts.omitted)
    taken = any(
        each.label is Label.OBSERVED if isinstance(each, Example) else each.why is Why.UNAPPROVED for each in found
    )
    return traffic and taken


def _gate(spec: GateSpec, bundle: Bundle, needed: bool) -> Gate:
    if not needed:
        return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())
    return judge_gate(spec, seats(spec, bundle), bundle.decisions.approvals, bundle.request.as_of)


def seats(spec: GateSpec, bundle: Bundle) -> tuple[Seat, ...]:
    """Who has to answer: the API owner by role; of several capacities the one that answered, else the first."""
    capacities = spec.stages[0]
    answers = [answer for answer in bundle.decisions.approvals if answer.gate == spec.id]
    if spec is EXPAND:
        return (Seat("api-owner", bundle.request.roles.api_owner or "unknown role"),)
    given = next((answer for answer in reversed(answers) if answer.stands_for in capacities), None)
    return (Seat(given.stands_for, given.role),) if given else (Seat(capacities[0], capacities[0].replace("-", " ")),)


def pending(facts: W2Facts) -> Iterator[Statement]:
    """What keeps a gate open. It rests on what is not in decisions.yaml, so no evidence item can be cited for it."""
    for gate in facts.gates:
        if gate.state in (GateState.OPEN, GateState.REJECTED):
            for missing in gate.missing:
                yield limited(f"{gate.spec.title}: ", Subject(missing.rstrip(".")), ".")
