"""What a run says first that ended before its last step was done: why, who must act, and what to supply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from evreview.core.quoted_text import Text, bare, text
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Citation
from evreview.report.markdown import REASON
from evreview.report.statement import Statement
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.next_actions import ActionKind, NextAction
from evreview.workflows.engine.step import Failure, StepResult

NO_PERMISSION: Final = "no permission; "
"""How the headline of such a run starts."""


def headline(last: StepResult, why: str = "") -> str:
    """The decision of such a run: the step, and its failure code or why it stops."""
    if last.state is StepState.REMAIN:
        return f"{NO_PERMISSION}incomplete at step {last.number}"
    told = f", {last.code}" if last.code else f": {why}"
    return f"{NO_PERMISSION}stopped at step {last.number}{told}"


def first_reason(decision: Decision) -> Iterator[Statement]:
    """The first reason of such a run and how many it has; nothing of a run that came to its end."""
    if decision.state.is_halted:
        for reason in decision.reasons[:1]:
            of = f"{REASON}{len(decision.reasons)}: "
            yield Statement(reason.kind, text(of, *bare(reason.text), "."), reason.citations)


def to_supply(
    last: StepResult, who: Text, failure: Failure | None, on: Iterable[Citation], *, what: str = ""
) -> NextAction:
    """The first next action of such a run.

    Args:
        last: the step that ended it.
        who: who must act, see `acting`.
        failure: the failure mode raised, None for none.
        on: what it rests on.
        what: what to supply where the failure mode does not say it.
    """
    named = "the reason names" if len(last.reasons) == 1 else f"the {len(last.reasons)} reasons name"
    supply = (failure.supply if failure else "") or what or f"supply or correct what {named}"
    return NextAction(
        who=who,
        what=(f"{supply}; then restart at step {last.restart}",),
        kind=ActionKind.SUPPLY,
        citations=tuple(on),
        needs=(f"step {last.number}: {last.title}",),
        closes=(last.advance_when,),
        status=f"resume at step {last.restart}",
    )
