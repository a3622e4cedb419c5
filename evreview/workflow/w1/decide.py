"""How a W1 run ends: one decision from its last step, its marks and its gates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.core.quoted_text import Subject, counted
from evreview.core.vocabulary import Ask, StepState, VersionPath
from evreview.evidence.item import Bundle, Citation
from evreview.report.statement import Statement, next_action
from evreview.workflow.w1.facts import W1Facts
from evreview.workflow.w1.failures import FAILURES
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.step import StepResult

STEPS: Final = 9


def decide(bundle: Bundle, results: Sequence[StepResult], facts: W1Facts) -> Decision:
    """The decision that the steps permit, and nothing beyond it."""
    last = results[-1]
    codes = tuple(result.code for result in results if result.code)
    state, headline = _ending(bundle, last, facts)
    return Decision(
        state=state,
        headline=headline,
        path=facts.path.path if facts.path else None,
        reasons=last.reasons if last.state is not StepState.ADVANCE else (),
        next_actions=tuple(_next_actions(bundle, results, facts)),
        codes=codes,
    )


def _ending(bundle: Bundle, last: StepResult, facts: W1Facts) -> tuple[DecisionState, str]:
    if last.state is StepState.STOP and last.code:
        return DecisionState.STOPPED, f"stopped at step {last.number}, {last.code}"
    if last.state is StepState.STOP:
        return DecisionState.NO_EFFECT, f"stopped at step {last.number}: no observable contract effect"
    if last.state is StepState.REMAIN and last.number < STEPS:
        return DecisionState.INCOMPLETE, f"incomplete at step {last.number}"
    asked = " and ".join({Ask.SHIP: "shipment", Ask.REMOVE: "removal"}[ask] for ask in _asked(bundle))
    if last.state is StepState.REMAIN:
        return DecisionState.BLOCKED, f"{asked} blocked".strip()
    if asked:
        return DecisionState.PERMITTED, f"{asked} permitted on the path: {facts.path.path if facts.path else 'unknown'}"
    if any(finding.blocks for finding in facts.findings):
        return DecisionState.BLOCKED, "assessed; open findings block a release"
    return DecisionState.ASSESSED, "assessed; neither shipment nor removal was asked"


def _asked(bundle: Bundle) -> tuple[Ask, ...]:
    return tuple(ask for ask in (Ask.SHIP, Ask.REMOVE) if ask in bundle.request.asks)


def _next_actions(bundle: Bundle, results: Sequence[StepResult], facts: W1Facts) -> Iterable[Statement]:
    named = bundle.request.contracts
    ids = (named.released, named.candidate) if named else ()
    on = tuple(Citation(found) for found in ids if found in bundle.items)
    for result in results:
        if result.code:
            for step in FAILURES[result.code].recovery:
                yield next_action(f"{result.code}: {step}.", on=on)
    last = results[-1]
    if last.state is StepState.REMAIN and last.number < STEPS:
        yield next_action(f"Supply what step {last.number} lacks, then resume at step {last.number}.", on=on)
    for gate in facts.gates:
        for missing in gate.missing:
            yield next_action(f"{gate.spec.title}: ", Subject(missing.rstrip(".")), ".")
    if last.number == STEPS:
        yield from _after_the_decision(bundle, facts)


def _after_the_decision(bundle: Bundle, facts: W1Facts) -> Iterable[Statement]:
    """What stays to be done whatever was decided: run the checks, move clients, watch, and only then retire."""
    path = facts.path
    if facts.checks and facts.checks.proposed:
        planned = counted(len(facts.checks.proposed), "proposed check")
        yield next_action(
            f"Run the {planned}; {len(facts.checks.unverified)} classifications stay unverified until then."
        )
    if path is None or path.path is VersionPath.REJECTION:
        return
    for state in facts.migrations:
        if not state.adopted and any(impact.breaking for impact in facts.impacts if impact.client == state.client):
            words = (Subject(state.client), " on the selected path, verified by its owner: ", Subject(state.owner_role))
            yield next_action("Adoption of client ", *words, ".", on=state.citations)
    for step in path.traffic_steps:
        yield next_action("Traffic step, watched for its whole window: ", Subject(step), ".")
    if facts.breaking or path.mechanisms:
        yield next_action("Retire the released contract and handler only after migration and observation gates pass.")
