"""How a W3 run ends: one decision from its last step, its unresolved findings and its gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from evreview.core.quoted_text import Text, UserText, counted, listed
from evreview.core.vocabulary import Area, StepState, Technique
from evreview.evidence.citation import on_line
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import ExecutionPlan
from evreview.report.statement import Statement, next_action
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.halt import headline, to_supply
from evreview.workflows.engine.next_actions import ActionKind, NextAction, acting, answers, recovery, unmet
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.excerpts import is_partial
from evreview.workflows.w3.facts import F1, F4, F5, FAILURES, W3Facts, scope_items
from evreview.workflows.w3.gates import disclosure
from evreview.workflows.w3.inventory.listing import notifications
from evreview.workflows.w3.model import SecurityFinding, Standing
from evreview.workflows.w3.planned_actions import destinations
from evreview.workflows.w3.rating import is_unrated

LAST: Final = 9
UNTIED: Final = "nothing ties the revision to what runs"
HELD: Final = "deployment held by the release manager"
INTERNAL: Final = "not approved for disclosure outside the authorized team"
CLEAR: Final = "assessed; no unresolved finding holds the deployment"


class Unclear(StrEnum):
    """Why nobody can say whether something holds the deployment."""

    UNRATED = "findings not rated; whether they hold the deployment is unknown"
    UNVERIFIED = "hypotheses not verified; whether they hold the deployment is unknown"
    UNREAD = "the authentication of routes in reach could not be read; whether they are open is unknown"
    UNTIED_ENTRY = "no read code is tied to entry points in reach; what they hold is unknown"
    PARTIAL = "partial: files that no reader reads were not reviewed; what they hold is unknown"


def decide(bundle: Bundle, results: Sequence[StepResult], facts: W3Facts) -> Decision:
    """The decision that the steps permit, and nothing beyond it."""
    last = results[-1]
    state, told = _ending(last, facts)
    return Decision(
        state=state,
        headline=told,
        path=None,
        reasons=last.reasons if last.state is not StepState.ADVANCE else (),
        next_actions=tuple(_next_actions(bundle, results, facts, is_halted=state.is_halted)),
        codes=codes_of(results),
        internal=disclosure(bundle, facts).internal,
    )


def codes_of(results: Sequence[StepResult]) -> tuple[str, ...]:
    """Every failure code of the run, in the order of the steps."""
    return tuple(dict.fromkeys(result.code for result in results if result.code))


def _ending(last: StepResult, facts: W3Facts) -> tuple[DecisionState, str]:
    if last.state is StepState.STOP:
        return DecisionState.STOPPED, headline(last, UNTIED)
    if last.number < LAST:
        return DecisionState.INCOMPLETE, headline(last)
    parts = [HELD] if facts.holding else list(map(str, _unknown(facts)))
    if last.state is StepState.REMAIN:
        parts.append(INTERNAL)
    return (DecisionState.BLOCKED, "; ".join(parts)) if parts else (DecisionState.ASSESSED, CLEAR)


def _unknown(facts: W3Facts) -> Iterator[Unclear]:
    """Why nobody can say whether something holds the deployment; the gravest reason alone."""
    if _unrated(facts):
        yield Unclear.UNRATED
    elif any(each.undecided for each in facts.findings):
        yield Unclear.UNVERIFIED
    elif _unread(facts):
        yield Unclear.UNREAD
    elif any(path.in_reach and not path.route for path in (facts.trust.paths if facts.trust else ())):
        yield Unclear.UNTIED_ENTRY
    elif facts.code and is_partial(facts.code, facts.sources):
        yield Unclear.PARTIAL


def _unread(facts: W3Facts) -> bool:
    """True while nobody can say who may call a route by which an assumed attacker comes to an asset."""
    exposed = {operation_key(path.route) for path in (facts.trust.paths if facts.trust else ()) if path.in_reach}
    cells = facts.inventory.cells if facts.inventory else ()
    return any(
        cell.standing is Standing.UNREAD and cell.area is Area.AUTHENTICATION and operation_key(cell.route) in exposed
        for cell in cells
        if cell.route
    )


def _unrated(facts: W3Facts) -> bool:
    """True while a supported, unresolved finding has no severity: nobody can say then that nothing holds."""
    return any(map(is_unrated, facts.findings))


# What people do next: what no answer mends, then the answers, then what stays to be done.


_NAMED: Final = 6
"""Ids that one action names."""
_OF_THE_SECURITY_OWNER: Final = frozenset({F1.code, F4.code, F5.code})
"""What only the role that authorizes can supply."""


def _next_actions(
    bundle: Bundle, results: Sequence[StepResult], facts: W3Facts, *, is_halted: bool
) -> Iterator[NextAction]:
    """Every action, in order."""
    on, last, reviewer = scope_items(bundle, facts), results[-1], acting(bundle.request.roles.reviewer, "reviewer")
    if is_halted:
        yield _supply(bundle, last, on)
    yield from _to_change(bundle, facts)
    yield from _escalations(bundle, results, facts)
    yield from _escalated_plans(bundle) if facts.opened else ()
    yield from _notices(bundle, facts)
    yield from (recovery(code, FAILURES[code].recovery, reviewer, on) for code in codes_of(results))
    if last.number == LAST and not facts.holding:
        yield from _to_clear(bundle, facts, reviewer)
    yield from unmet(facts.gates, reviewer)
    yield from answers(facts.gates)
    if last.number == LAST and facts.proposed:
        what = f"answer or plan {counted(len(facts.proposed), 'proposed check')}"
        yield NextAction(who=reviewer, what=(what,), kind=ActionKind.CARRY_OUT, citations=on)


def _supply(bundle: Bundle, last: StepResult, on: tuple[Citation, ...]) -> NextAction:
    """Who goes on where a step ended the run."""
    roles = bundle.request.roles
    authorizes = last.code in _OF_THE_SECURITY_OWNER
    who = acting(roles.security_owner, "security owner") if authorizes else acting(roles.reviewer, "reviewer")
    return to_supply(last, who, FAILURES.get(last.code), on)


def _to_change(bundle: Bundle, facts: W3Facts) -> Iterator[NextAction]:
    """The control changes that release the deployment, by owner, and who holds it until then (decision rule 7)."""
    owners = {row.finding: row.owner for row in facts.remediation}
    alike: dict[Text, list[SecurityFinding]] = {}
    for each in facts.holding:
        who = acting(owners.get(each.candidate.id), "owner of the control")
        alike.setdefault(who, []).append(each)
    for who, found in alike.items():
        ids = [each.candidate.id for each in found]
        on = dict.fromkeys(on_line(bundle, each.citations[0]) for each in found)
        what: Text = ("make the control change under Remediation order: ", *listed(ids, _NAMED))
        yield NextAction(who=who, what=what, kind=ActionKind.SUPPLY, about=tuple(ids), citations=tuple(on))
    if facts.holding:
        ids = [each.candidate.id for each in facts.holding]
        manager = acting(bundle.request.roles.release_manager, "release manager")
        says: Text = ("hold the deployment while these stay unresolved: ", *listed(ids))
        yield NextAction(who=manager, what=says, kind=ActionKind.CARRY_OUT, about=tuple(ids),
                         citations=_held_on(bundle, facts))  # fmt: skip


def _held_on(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(on_line(bundle, each.citations[at]) for each in facts.holding for at in (0, -1)))


def _to_clear(bundle: Bundle, facts: W3Facts, reviewer: Text) -> Iterator[NextAction]:
    """What tells whether something holds the deployment, where nobody can say: see `_unknown`."""
    owner = acting(bundle.request.roles.security_owner, "security owner")
    unrated = [each for each in facts.findings if is_unrated(each)]
    unsure = [each for each in facts.findings if each.undecided]
    told: Mapping[Unclear, tuple[Text, str, Sequence[SecurityFinding]]] = {
        Unclear.UNRATED: (owner, "supply a rubric that rates what is not rated", unrated),
        Unclear.UNVERIFIED: (reviewer, "verify, or show the control of, what is suspected", unsure),
        Unclear.UNREAD: (
            reviewer,
            "supply what stands under Requested artifacts, which decides who may call the routes",
            (),
        ),
        Unclear.UNTIED_ENTRY: (reviewer, "supply the code of the entry points in reach that nothing ties to code", ()),
        Unclear.PARTIAL: (
            reviewer,
            "review by hand the files that no reader reads",
            (),
        ),
    }
    for why in _unknown(facts):
        who, says, found = told[why]
        ids = [each.candidate.id for each in found]
        named: Text = (": ", *listed(ids, _NAMED)) if ids else ()
        on = dict.fromkeys(on_line(bundle, each.citations[0]) for each in found[:1])
        yield NextAction(who=who, what=(says, *named), kind=ActionKind.SUPPLY, about=tuple(ids),
                         citations=tuple(on) or scope_items(bundle, facts))  # fmt: skip


def _notices(bundle: Bundle, facts: W3Facts) -> Iterator[NextAction]:
    """Decision rule 5: whom to tell, through which channel, by place and kind."""
    owner = bundle.request.roles.security_owner
    whom: Text = (UserText(owner),) if owner else ("the security owner",)
    for says, channel, on in notifications(facts):
        yield NextAction(
            who=acting(bundle.request.roles.reviewer, "reviewer"),
            what=("notify ", *whom, f" of {says} through ", *channel),
            kind=ActionKind.CARRY_OUT,
            citations=on,
        )


def _escalations(bundle: Bundle, results: Sequence[StepResult], facts: W3Facts) -> Iterator[NextAction]:
    """Decision rule 4: a plan that is not covered is not run; the security owner is asked."""
    if F1.code not in codes_of(results) or facts.authorized is None:
        return
    refused = {each.about for each in facts.authorized.refusals}
    for action in bundle.request.actions:
        if action.id in refused and action.technique is Technique.ACTIVE_VALIDATION:
            yield _escalated(bundle, ("do not run ", UserText(action.id)), scope_items(bundle, facts))


def _escalated_plans(bundle: Bundle) -> Iterator[NextAction]:
    """What is asked of the security owner about plans that would leave the machine."""
    for plan in records_of(bundle, ExecutionPlan):
        if destinations(plan.record):
            words = (
                "do not run the plan ",
                UserText(plan.record.id),
                ", which would contact an unapproved destination",
            )
            yield _escalated(bundle, words, (plan.citation,))


def _escalated(bundle: Bundle, what: Text, on: tuple[Citation, ...]) -> NextAction:
    roles = bundle.request.roles
    to: Text = (UserText(roles.security_owner),) if roles.security_owner else ("the security owner",)
    return NextAction(who=acting(roles.reviewer, "reviewer"), what=(*what, "; escalate it to ", *to),
                      kind=ActionKind.CARRY_OUT, citations=on)  # fmt: skip


def hold(bundle: Bundle, facts: W3Facts) -> Statement:
    """Decision rule 7: who holds the deployment, for which findings."""
    manager = bundle.request.roles.release_manager or "the release manager"
    names = listed(each.candidate.id for each in facts.holding)
    return next_action(UserText(manager), " holds the deployment while these stay unresolved: ", *names, ".",
                       on=_held_on(bundle, facts))  # fmt: skip
