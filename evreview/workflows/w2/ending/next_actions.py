"""What people do next for a reference: what no answer mends, then the answers, then what stays to be done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, counted, joined, marked
from evreview.core.vocabulary import ABSENT
from evreview.evidence.item import Bundle
from evreview.workflows.engine.halt import to_supply
from evreview.workflows.engine.next_actions import ActionKind, NextAction, acting, answers, recovery, unmet
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.facts import FAILURES, Disposal, ProposedTest, W2Facts, codes_of, read_items
from evreview.workflows.w2.reconcile.publication import is_held
from evreview.workflows.w2.scope import published_secrets
from evreview.workflows.w2.tables import met_first, missing_from_contract

_NAMED: Final = 5
"""Names that one action lists; how many more there are it counts."""
_GATES: Final = 8
"""The step that waits for the gates alone."""


def next_actions(
    bundle: Bundle, results: Sequence[StepResult], facts: W2Facts, *, is_halted: bool
) -> Iterator[NextAction]:
    """Every action, in order."""
    last, on, roles = results[-1], read_items(bundle, facts), bundle.request.roles
    owner, reviewer = acting(roles.api_owner, "API owner"), acting(roles.reviewer, "reviewer")
    codes = codes_of(results, facts)
    recoveries = [_recovery(code, reviewer, bundle, facts) for code in codes]
    if is_halted and last.number != _GATES:
        yield to_supply(last, owner, FAILURES.get(last.code), on)
        yield from recoveries
    yield from _to_dispose(facts)
    yield from _to_compare(facts, reviewer)
    yield from unmet(facts.gates, reviewer)
    yield from answers(facts.gates)
    yield from _to_take_out(facts, owner)
    if not (is_halted and last.number != _GATES):
        yield from recoveries
    yield from _to_test(facts, owner)
    yield from _to_clarify(facts, owner)
    yield from _to_execute(facts, acting(roles.sandbox_owner, "sandbox owner"))


def _recovery(code: str, who: Text, bundle: Bundle, facts: W2Facts) -> NextAction:
    """What a failure code asks for."""
    failure = FAILURES[code]
    asked = recovery(code, failure.recovery, who, read_items(bundle, facts))
    return replace(asked, needs=("what it marks",), closes=(f"a run from step {failure.restart} on",))


def _to_dispose(facts: W2Facts) -> Iterator[NextAction]:
    """The discrepancies that wait for a word, those of one kind and owner together."""
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in met_first(facts):
        if is_held(each):
            status = "open" if each.disposal is Disposal.OPEN else "withheld"
            kind = each.kind if each.contract is ABSENT else ""
            alike[kind, each.owner_role, status].append(str(each.id))
    for (kind, role, status), ids in alike.items():
        about: Text = (": ", UserText(kind)) if kind else (", where the code departs from what the contract promises",)
        yield NextAction(
            who=acting(role, "API owner"),
            what=(f"dispose of {', '.join(ids)}", *about),
            kind=ActionKind.SUPPLY,
            about=tuple(ids),
            citations=tuple(on for each in facts.discrepancies if str(each.id) == ids[0] for on in each.citations),
            needs=("the register's evidence",),
            closes=("a disposition over these forms, or sources that agree",),
            status=status,
        )


def _to_compare(facts: W2Facts, reviewer: Text) -> Iterator[NextAction]:
    if facts.points:
        yield NextAction(
            who=reviewer,
            what=(f"compare by hand what nothing decided: {counted(len(facts.points), 'comparison')}",),
            kind=ActionKind.SUPPLY,
            needs=("the limitations name each",),
            closes=("a declared fact or a retained test decides each",),
        )


def _to_take_out(facts: W2Facts, owner: Text) -> Iterator[NextAction]:
    """What the contract itself gives away to its readers."""
    for kind, on in published_secrets(facts):
        yield NextAction(
            who=owner,
            what=("take what may not leave out of the contract itself, of the kind ", UserText(kind),
                  ", and replace what was valid"),
            kind=ActionKind.SUPPLY,
            citations=on,
            closes=("a contract without it",),
        )  # fmt: skip


def _to_test(facts: W2Facts, owner: Text) -> Iterator[NextAction]:
    for test in facts.proposed_tests:
        yield NextAction(
            who=owner,
            what=("write and run the contract test that the report proposes for ", UserText(test.operation)),
            kind=ActionKind.CARRY_OUT,
            about=(test.name,),
            needs=("an isolated environment",),
            closes=("a retained pass: ", *_objectives(test)),
            status="proposed",
        )


def _objectives(test: ProposedTest) -> Text:
    """The first assertion of a test, which tells it from others, and how many the report has besides."""
    first, *more = test.asserts or ("what the report says of it",)
    return (*marked(first), *((f", and {counted(len(more), 'assertion')} more",) if more else ()))


def _to_clarify(facts: W2Facts, owner: Text) -> Iterator[NextAction]:
    """What the contract lacks: the list of gaps has the kind of each."""
    ids = [gap.id for gap in missing_from_contract(facts)]
    if ids:
        more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        yield NextAction(
            who=owner,
            what=(f"clarify in the contract: gaps {', '.join(ids[:_NAMED])}{more}",),
            kind=ActionKind.CARRY_OUT,
            about=tuple(ids),
            needs=("an approved change of the contract",),
            closes=("the contract states it",),
        )


def _to_execute(facts: W2Facts, sandbox_owner: Text) -> Iterator[NextAction]:
    """The checks that wait for the same prerequisite, together."""
    alike: dict[str, list[Text]] = defaultdict(list)
    for row in facts.report:
        if row.status == "unexecuted":
            alike[row.result].append(row.check)
    for result, checks in alike.items():
        more: Text = (f" and {len(checks) - _NAMED} more",) if len(checks) > _NAMED else ()
        yield NextAction(
            who=sandbox_owner,
            what=("execute: ", *joined(checks[:_NAMED], ", "), *more),
            kind=ActionKind.CARRY_OUT,
            needs=marked(result.partition(": ")[2] or result),
            closes=("a retained result",),
            status="unexecuted",
        )
