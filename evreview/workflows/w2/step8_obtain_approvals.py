"""Step 8 of W2: obtain approvals for new or expanded behaviour, examples from traffic and mutating examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import listed
from evreview.core.vocabulary import ABSENT, Remedy, StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, observed
from evreview.workflows.engine.gates import MUTATE, GateState, unanswered
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import (
    EXPAND,
    TRAFFIC,
    Discrepancy,
    Disposal,
    Example,
    Label,
    Omitted,
    W2Facts,
    Why,
    gate,
)
from evreview.workflows.w2.reconcile.reconcile import expands


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The three gates; stops while one that applies is pending or denied."""
    gates = (
        gate(EXPAND, bundle, needed=bool(_expansions(facts))),
        gate(TRAFFIC, bundle, needed=_from_traffic(facts)),
        gate(MUTATE, bundle, needed=facts.plan is not None and bool(facts.plan.record.mutating)),
    )
    known = replace(facts, gates=gates)
    waiting = (*unanswered(gates), *_expanding(known))
    return Outcome(
        state=StepState.STOP if waiting else StepState.ADVANCE,
        facts=known,
        reasons=waiting,
        tables={"Gates": gates_frame(gates)},
    )


def _expansions(facts: W2Facts) -> tuple[Discrepancy, ...]:
    """Behaviour beyond the contract that publication waits for (decision rule 5).

    What a retained run shows always waits; what the code alone shows waits once its claims are to be published, since
    until then they are withheld.
    """
    return tuple(
        each
        for each in facts.discrepancies
        if expands(each) and (each.observed is not ABSENT or each.disposal is Disposal.PUBLISH_CONTRACT)
    )


def _from_traffic(facts: W2Facts) -> bool:
    """True when an example comes, or would come, from logs or observed traffic."""
    traffic = any(run.record.record.from_traffic for run in facts.runs)
    found: tuple[Example | Omitted, ...] = (*facts.examples, *facts.omitted)
    taken = any(
        each.label is Label.OBSERVED if isinstance(each, Example) else each.why is Why.UNAPPROVED for each in found
    )
    return traffic and taken


def _expanding(facts: W2Facts) -> Iterator[Statement]:
    """What the gate of expanded behaviour is about, while it is not approved."""
    found = _expansions(facts)
    if found and any(each.spec is EXPAND and each.state is not GateState.APPROVED for each in facts.gates):
        on = tuple(dict.fromkeys(citation for each in found for citation in each.citations))
        named = listed(str(each.id) for each in found)
        yield observed("Behaviour beyond the contract: ", *named, ".", on=on, remedy=Remedy.ANSWER)
