"""Who must have said yes before anything of a bundle is executed, and whether they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from evreview.errors import Problem
from evreview.evidence.cited import Cited, first_of
from evreview.evidence.folder import DECISIONS, REVIEW
from evreview.evidence.item import Bundle
from evreview.evidence.records.authorization import Authorization
from evreview.evidence.records.decisions import Approval
from evreview.evidence.records.plan import ExecutionPlan
from evreview.security.authorizing.purposes import refused_purpose
from evreview.vocab import Technique, WorkflowId
from evreview.workflow.execution.targets import destinations
from evreview.workflow.gate import GateSpec, GateState, Seat, judge_gate
from evreview.workflow.w2.gates import MUTATE

LOCAL: Final = GateSpec(
    id="execute-locally",
    title="Before executing anything of the bundle in isolation",
    reviewed=("isolated target", "test data"),
    stages=(("sandbox-owner", "security-owner"),),
)
ACTIVE: Final = GateSpec(
    id="execute-locally",
    title="Before any active testing, including local fixtures",
    reviewed=(
        "isolated target",
        "revision",
        "method",
        "expected traffic",
        "test data",
        "network boundary",
        "stop conditions",
        "cleanup",
        "rollback evidence",
    ),
    stages=(("security-owner",),),
)
_DIGEST: Final = "sha256:"


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
    capacities = [capacity for stage in spec.stages for capacity in stage]
    answers = [
        answer.model_copy(update={"gate": spec.id})
        for answer in bundle.decisions.approvals
        if answer.gate in _names(spec) and answer.stands_for in capacities and answer.at <= now
        if plan.record.id in answer.reviewed
    ]
    if not answers:
        who = " or ".join(capacity.replace("-", " ") for capacity in capacities)
        found = _why_none(spec, bundle, plan, now)
        advice = f"The {who} records an approval that lists {', '.join((plan.record.id, *spec.reviewed))} as reviewed"
        yield Problem(code="gate-open", found=found, file=DECISIONS, advice=advice)
        return
    seats = tuple(dict.fromkeys(Seat(answer.stands_for, answer.role) for answer in answers))
    gate = judge_gate(spec, seats, answers)
    code = "gate-rejected" if gate.state is GateState.REJECTED else "gate-open"
    for missing in gate.missing:
        yield Problem(code=code, found=f"{spec.id}: {missing}", file=DECISIONS, advice="Nothing was executed")
    yield from _other_plan(gate.approvals, bundle, plan)


def _other_plan(answers: Iterable[Approval], bundle: Bundle, plan: Cited[ExecutionPlan]) -> Iterator[Problem]:
    """An answer that names the digest of what it was about counts for that alone."""
    own = f"{_DIGEST}{bundle.items[plan.citation.id].sha256}"
    for answer in answers:
        stated = [item for item in answer.reviewed if item.startswith(_DIGEST)]
        if stated and own not in stated:
            found = f"{answer.role} approved another content of {plan.citation.id} than the one supplied, {own}"
            yield Problem(code="gate-other-plan", found=found, file=DECISIONS, advice="Have this plan approved")


def _names(spec: GateSpec) -> frozenset[str]:
    """The gates whose answers count for one: who has approved the changes of a plan has approved running it."""
    return frozenset({spec.id, MUTATE.id} if spec is LOCAL else {spec.id})


def _why_none(spec: GateSpec, bundle: Bundle, plan: Cited[ExecutionPlan], now: datetime) -> str:
    """Why no recorded answer counts: none is about the plan, it is given too late, or by somebody else."""
    about = [
        answer for answer in bundle.decisions.approvals
        if answer.gate in _names(spec) and plan.record.id in answer.reviewed
    ]  # fmt: skip
    if not about:
        return f"no answer to the gate {spec.id} names the plan {plan.record.id}"
    late = [answer for answer in about if answer.at > now]
    if late:
        at, until = late[0].at.isoformat(), now.isoformat(timespec="seconds")
        return f"the answer to the gate {spec.id} about {plan.record.id} is of {at}, later than {until}"
    return f"the answer to the gate {spec.id} about {plan.record.id} is given for `{about[0].stands_for}`"
