"""Who must have said yes before anything of a bundle is executed, and whether they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from evreview.core.errors import Problem
from evreview.core.vocabulary import Technique, WorkflowId
from evreview.evidence.bundle_folder import DECISIONS, REVIEW
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Approval, ExecutionPlan
from evreview.evidence.records.security import Authorization
from evreview.workflows.engine.gates import (
    ACTIVE,
    LOCAL,
    MUTATE,
    GateSpec,
    GateState,
    judge_gate,
    named_seats,
    party,
    plan_digest,
    seen_by,
    unbound_files,
)
from evreview.workflows.w3.planned_actions import destinations, refused_purpose


def gates_of(workflow: WorkflowId, plan: ExecutionPlan) -> tuple[GateSpec, ...]:
    """The gates that stand before a plan."""
    mutating = (MUTATE,) if plan.mutating else ()
    if workflow is WorkflowId.W3:
        return (ACTIVE, *mutating)
    # Whoever approved the changes that a plan makes has approved running it.
    return mutating or (LOCAL,)


def unplanned(bundle: Bundle, plan: Cited[ExecutionPlan]) -> Iterator[Problem]:
    """Why a security review does not allow a plan at all: active testing is not permitted, or not planned with it."""
    if bundle.workflow is not WorkflowId.W3:
        return
    known = first_of(bundle, Authorization)
    active = known.record.active_testing if known else None
    if active is None or not active.permitted:
        yield Problem(code="not-authorized", found="the authorization does not permit active testing")
    planned = (action for action in bundle.request.actions if action.technique is Technique.ACTIVE_VALIDATION)
    if not any(plan.citation.id in action.items for action in planned):
        found = f"no planned action of {Technique.ACTIVE_VALIDATION} covers {plan.citation.id}"
        yield Problem(
            code="not-authorized", found=found, file=REVIEW, place="#/actions", advice="Plan and authorize it"
        )
    yield from _beyond(bundle.items[plan.citation.id].file or str(plan.citation.id), plan.record)


def _beyond(file: str, plan: ExecutionPlan) -> Iterator[Problem]:
    """What of a plan no security owner's gate opens: a destination beyond loopback, a purpose that is refused."""
    advice = "It is not run; take the plan to the security owner"
    for place, host in destinations(plan):
        found = f"the plan would contact `{host}`, which is not local"
        yield Problem(code="plan-target", found=found, file=file, place=place, advice=advice)
    described = {"#/fixture/describes": plan.fixture.describes if plan.fixture else ""}
    described |= {"#/cleanup_describes": plan.cleanup_describes or "", "#/id": plan.id}
    for place, words in described.items():
        rule = refused_purpose(words)
        if rule is not None:
            found = f"the plan asks for {rule.asks_for} ({rule.id})"
            yield Problem(code="plan-purpose", found=found, file=file, place=place, advice=advice)


def refusals(bundle: Bundle, plan: Cited[ExecutionPlan], now: datetime) -> Iterator[Problem]:
    """Why a plan may not run yet, none when every gate before it is approved.

    Args:
        bundle: with the recorded decisions.
        plan: what is to run.
        now: answers of a later time don't count.
    """
    for spec in gates_of(bundle.workflow, plan.record):
        yield from _open(spec, bundle, plan, now)


def _open(spec: GateSpec, bundle: Bundle, plan: Cited[ExecutionPlan], now: datetime) -> Iterator[Problem]:
    """Why one gate is not approved for this very content of the plan and of the files that it copies.

    The owners' own last answers count, a no whatever plan it names; of other roles only a no of one that the review
    names stands.
    """
    seats = named_seats(spec, bundle.request.roles)
    own = [
        answer.model_copy(update={"gate": spec.id})
        for answer in bundle.answers
        if answer.gate in _names(spec) and answer.at <= now
        if answer.decision == "rejected"
        or any((seat.stands_for, seat.role) == (answer.stands_for, answer.role) for seat in seats)
    ]
    known = first_of(bundle, Authorization)
    since = known.record.at if known else None
    about = [
        answer
        for answer in own
        if answer.decision == "rejected"
        or (plan.record.id in answer.reviewed and (since is None or answer.at >= since))
    ]
    gate = judge_gate(spec, seats, about, about=plan_digest(bundle, plan), party=party(bundle.request.roles))
    code = "gate-rejected" if gate.state is GateState.REJECTED else _code(gate.approvals, plan_digest(bundle, plan))
    asked = ", ".join((plan.record.id, plan_digest(bundle, plan), *spec.reviewed))
    who = " or ".join(map(str, seats))
    advice = f"{who} records an approval that lists {asked} as reviewed; nothing was executed"
    for missing in gate.missing:
        found = f"{spec.id}: {missing}{_why_none(spec, bundle, plan, now) if not about else ''}"
        yield Problem(code=code, found=found, file=DECISIONS, advice=advice)
    for lack in unbound_files(bundle, plan.record):
        advice = "Name the digest of each copied file in the plan, and have that plan approved"
        yield Problem(code="gate-unbound-files", found=lack, file=_file(bundle, plan), place="#/files", advice=advice)


def _code(answers: Iterable[Approval], digest: str) -> str:
    """`gate-other-plan` when an owner approved another content than the one supplied."""
    named = [{name for name in seen_by(answer) if name.startswith("sha256:")} for answer in answers]
    return "gate-other-plan" if any(each and digest not in each for each in named) else "gate-open"


def _file(bundle: Bundle, plan: Cited[ExecutionPlan]) -> str:
    return bundle.items[plan.citation.id].file or str(plan.citation.id)


def _names(spec: GateSpec) -> frozenset[str]:
    """The gates whose answers count for one: who has approved the changes of a plan has approved running it."""
    return frozenset({spec.id, MUTATE.id} if spec is LOCAL else {spec.id})


def _why_none(spec: GateSpec, bundle: Bundle, plan: Cited[ExecutionPlan], now: datetime) -> str:
    """What was recorded instead, as the end of a sentence: for another plan, too late, or by somebody else."""
    given = [answer for answer in bundle.answers if answer.gate in _names(spec)]
    if not given:
        return ""
    last = given[-1]
    if plan.record.id not in last.reviewed:
        return f"; {last.role} answered without naming the plan {plan.record.id}"
    known = first_of(bundle, Authorization)
    if known and known.record.at and last.at < known.record.at:
        return f"; {last.role} answered before the review was authorized"
    if last.at > now:
        return f"; the answer of {last.at.isoformat()} is later than {now.isoformat(timespec='seconds')}"
    return f"; {last.role} answered for `{last.stands_for}`, which is not theirs to give"
