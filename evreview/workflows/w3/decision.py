"""How a W3 run ends: one decision from its last step, its unresolved findings and its gates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.core.quoted_text import UserText, counted, listed
from evreview.core.vocabulary import Area, StepState, Technique
from evreview.evidence.citation import on_line
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import ExecutionPlan
from evreview.report.statement import Statement, next_action
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.halt import acting, headline, to_supply
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.excerpts import is_partial
from evreview.workflows.w3.facts import F1, F4, F5, FAILURES, W3Facts, scope_items
from evreview.workflows.w3.gates import disclosure
from evreview.workflows.w3.inventory.listing import notifications
from evreview.workflows.w3.model import Standing, State
from evreview.workflows.w3.planned_actions import destinations
from evreview.workflows.w3.rating import UNRESOLVED, is_unrated

LAST: Final = 9
UNTIED: Final = "nothing ties the revision to what runs"
HELD: Final = "deployment held by the release manager"
INTERNAL: Final = "not approved for disclosure outside the authorized team"
UNRATED: Final = "findings not rated; whether they hold the deployment is unknown"
UNVERIFIED: Final = "hypotheses not verified; whether they hold the deployment is unknown"
UNREAD: Final = "the authentication of routes in reach could not be read; whether they are open is unknown"
UNTIED_ENTRY: Final = "no read code is tied to entry points in reach; what they hold is unknown"
PARTIAL: Final = "partial: files that no reader reads were not reviewed; what they hold is unknown"
CLEAR: Final = "assessed; no unresolved finding holds the deployment"


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
    parts = [HELD] if facts.holding else list(_unknown(facts))
    if last.state is StepState.REMAIN:
        parts.append(INTERNAL)
    return (DecisionState.BLOCKED, "; ".join(parts)) if parts else (DecisionState.ASSESSED, CLEAR)


def _unknown(facts: W3Facts) -> Iterator[str]:
    """Why nobody can say whether something holds the deployment; the gravest reason alone."""
    if _unrated(facts):
        yield UNRATED
    elif any(each.undecided for each in facts.findings):
        yield UNVERIFIED
    elif _unread(facts):
        yield UNREAD
    elif any(path.in_reach and not path.route for path in (facts.trust.paths if facts.trust else ())):
        yield UNTIED_ENTRY
    elif facts.code and is_partial(facts.code, facts.sources):
        yield PARTIAL


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
    return any(
        is_unrated(each) and each.candidate.state is State.SUPPORTED and each.disposition in UNRESOLVED
        for each in facts.findings
    )


def _next_actions(
    bundle: Bundle, results: Sequence[StepResult], facts: W3Facts, *, is_halted: bool
) -> Iterator[Statement]:
    on = scope_items(bundle, facts)
    last = results[-1]
    if is_halted:
        yield _supply(bundle, last, on)
    for code in codes_of(results):
        for step in FAILURES[code].recovery:
            yield next_action(f"{code}: {step}.", on=on)
    yield from _escalations(bundle, results, facts)
    yield from _escalated_plans(bundle) if facts.opened else ()
    yield from notifications(facts)
    if facts.holding:
        yield hold(bundle, facts)
    for gate in facts.gates:
        for missing in gate.missing:
            yield next_action(f"{gate.spec.title}: ", UserText(missing.rstrip(".")), ".")
    if last.number == LAST and facts.proposed:
        yield next_action(f"Answer or plan {counted(len(facts.proposed), 'proposed check')}.", on=on)


_OF_THE_SECURITY_OWNER: Final = frozenset({F1.code, F4.code, F5.code})
"""What only the role that authorizes can supply."""


def _supply(bundle: Bundle, last: StepResult, on: Iterable[Citation]) -> Statement:
    """Who goes on where a step ended the run."""
    roles = bundle.request.roles
    authorizes = last.code in _OF_THE_SECURITY_OWNER
    who = acting(roles.security_owner, "security owner") if authorizes else acting(roles.reviewer, "reviewer")
    return to_supply(last, who, FAILURES.get(last.code), on)


def hold(bundle: Bundle, facts: W3Facts) -> Statement:
    """Decision rule 7: who holds the deployment, for which findings."""
    manager = bundle.request.roles.release_manager or "the release manager"
    on = dict.fromkeys(on_line(bundle, each.citations[place]) for each in facts.holding for place in (0, -1))
    names = listed(each.candidate.id for each in facts.holding)
    return next_action(UserText(manager), " holds the deployment while these stay unresolved: ", *names, ".", on=on)


def _escalations(bundle: Bundle, results: Sequence[StepResult], facts: W3Facts) -> Iterator[Statement]:
    """Decision rule 4: a plan that is not covered is not run; the security owner is asked."""
    if F1.code not in codes_of(results) or facts.authorized is None:
        return
    refused = {each.about for each in facts.authorized.refusals}
    for action in bundle.request.actions:
        if action.id in refused and action.technique is Technique.ACTIVE_VALIDATION:
            owner = bundle.request.roles.security_owner or "the security owner"
            yield next_action("Not run: ", UserText(action.id), "; escalate the plan to ", UserText(owner), ".",
                              on=scope_items(bundle, facts))  # fmt: skip


def _escalated_plans(bundle: Bundle) -> Iterator[Statement]:
    """What is asked of the security owner about plans that would leave the machine."""
    for plan in records_of(bundle, ExecutionPlan):
        if destinations(plan.record):
            owner = bundle.request.roles.security_owner or "the security owner"
            words = (
                "Not run: the plan ",
                UserText(plan.record.id),
                " would contact an unapproved destination; escalate",
            )
            yield next_action(*words, " it to ", UserText(owner), ".", on=(plan.citation,))
