"""Step 8: approvals for new or expanded behaviour, for examples from traffic, and for mutating examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import Subject, listed
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.gates import MUTATE, GateState
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import EXPAND, TRAFFIC, Example, Label, Omitted, W2Facts, Why, gate
from evreview.workflows.w2.step7_review_security import expansions


def obtain_approvals(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The three gates; stops while one that applies is pending or denied."""
    gates = (
        gate(EXPAND, bundle, needed=bool(expansions(facts))),
        gate(TRAFFIC, bundle, needed=from_traffic(facts)),
        gate(MUTATE, bundle, needed=facts.plan is not None and bool(facts.plan.record.mutating)),
    )
    known = replace(facts, gates=gates)
    waiting = (*pending(known), *_expanding(known))
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


def _expanding(facts: W2Facts) -> Iterator[Statement]:
    """What the gate of expanded behaviour is about, while it is not approved."""
    found = expansions(facts)
    if found and any(each.spec is EXPAND and each.state is not GateState.APPROVED for each in facts.gates):
        on = tuple(dict.fromkeys(citation for each in found for citation in each.citations))
        yield observed("Behaviour beyond the contract: ", *listed(str(each.id) for each in found), ".", on=on)


def pending(facts: W2Facts) -> Iterator[Statement]:
    """What keeps a gate open. It rests on what is not in decisions.yaml, so no evidence item can be cited for it."""
    for each in facts.gates:
        if each.state in (GateState.OPEN, GateState.REJECTED):
            for missing in each.missing:
                yield limited(f"{each.spec.title}: ", Subject(missing.rstrip(".")), ".")
