"""How a W2 run ends: one decision from its last step, its marks and its gates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import Subject, counted
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, next_action
from evreview.workflow.w2.citing import read_items
from evreview.workflow.w2.failures import FAILURES
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step7_safety import published_secrets

LAST: Final = 9
WHY: Final = {
    1: "the publication scope is not frozen",
    2: "a material concern is unmapped",
    5: "synthetic data cannot represent the contract",
    7: "unsafe disclosure",
    8: "an approval is pending or denied",
    9: "a completion criterion is not met",
}
"""What a step that stops without a failure code says."""


WITHHELD: Final = "publication blocked; withheld claims wait for the API owner"
UNDECIDED: Final = "publication blocked; who may call or what is refused is undecided"


def decide(bundle: Bundle, results: Sequence[StepResult], facts: W2Facts) -> Decision:
    """The decision that the steps permit, and nothing beyond it."""
    last = results[-1]
    state, headline = _ending(last, facts)
    return Decision(
        state=state,
        headline=headline,
        path=None,
        reasons=last.reasons if last.state is not StepState.ADVANCE else (),
        next_actions=tuple(_next_actions(bundle, results, facts)),
        codes=codes_of(results, facts),
    )


def codes_of(results: Sequence[StepResult], facts: W2Facts) -> tuple[str, ...]:
    """Every failure code of the run, in the order of the steps, those that only mark included."""
    return tuple(dict.fromkeys((*(result.code for result in results if result.code), *facts.marks)))


def _ending(last: StepResult, facts: W2Facts) -> tuple[DecisionState, str]:
    if last.state is StepState.STOP:
        return DecisionState.STOPPED, f"stopped at step {last.number}" + (
            f", {last.code}" if last.code else f": {WHY[last.number]}"
        )
    if last.state is StepState.REMAIN and last.number < LAST:
        return DecisionState.INCOMPLETE, f"incomplete at step {last.number}"
    if last.state is StepState.REMAIN:
        return DecisionState.BLOCKED, WITHHELD if facts.open_discrepancies else UNDECIDED
    return DecisionState.PERMITTED, "publication permitted at the one revision named"


def _next_actions(bundle: Bundle, results: Sequence[StepResult], facts: W2Facts) -> Iterator[Statement]:
    on = read_items(bundle, facts)
    for code in codes_of(results, facts):
        for step in FAILURES[code].recovery:
            yield next_action(f"{code}: {step}.", on=on)
    last = results[-1]
    if last.state is not StepState.ADVANCE and not last.code and last.number < LAST:
        yield next_action(f"Supply what step {last.number} lacks, then resume at step {last.number}.", on=on)
    for gate in facts.gates:
        for missing in gate.missing:
            yield next_action(f"{gate.spec.title}: ", Subject(missing.rstrip(".")), ".")
    yield from published_secrets(facts)
    if last.number == LAST and facts.proposed_tests:
        yield next_action(f"Write and run {counted(len(facts.proposed_tests), 'proposed contract test')}.", on=on)
