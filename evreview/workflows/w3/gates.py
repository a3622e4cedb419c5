"""The three W3 gates in one run: who has to answer, and what is recorded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Approval, ExecutionPlan
from evreview.evidence.records.security import Authorization
from evreview.workflows.engine.gates import (
    ACTIVE,
    Dated,
    Gate,
    GateSpec,
    GateState,
    Seat,
    dates_of,
    disposed_at,
    judge_gate,
    named_seats,
    party,
    plan_digest,
    seen_by,
    started,
    unbound_files,
)
from evreview.workflows.engine.retained_runs import read_runs

# The three W3 gates. Spec, approval gates.


DISCLOSE: Final = GateSpec(
    id="disclose-outside-team",
    title="Before disclosure outside the authorized team",
    reviewed=("redacted report", "severity rationale", "recipients", "channel", "timing"),
    stages=(("security-owner",),),
)
ACCEPT: Final = GateSpec(
    id="accept-reachable-vulnerability",
    title="Before deployment with a temporarily accepted reachable vulnerability",
    reviewed=("compensating controls", "accountable owner", "expiry", "revalidation date"),
    stages=(("security-owner", "release-manager"),),
)

GATES: Final = (ACTIVE, DISCLOSE, ACCEPT)


def active_gate(bundle: Bundle, plans: Iterable[Cited[ExecutionPlan]]) -> Gate:
    """The gate before anything is executed; an answer counts only for the plan and the content that it names."""
    known = tuple(plans)
    gate = _joined(ACTIVE, [(plan.record.id, _planned(bundle, plan)) for plan in known])
    digests = tuple(plan_digest(bundle, plan) for plan in known)
    if not known:
        return gate
    spec = replace(gate.spec, reviewed=(*digests, *gate.spec.reviewed), names=(*digests, *gate.spec.names))
    return replace(gate, spec=spec, about=digests[0] if len(digests) == 1 else "")


def approves(bundle: Bundle, plan: Cited[ExecutionPlan]) -> bool:
    """True when the gate is approved for this very content of a plan and of the files that it copies."""
    return _planned(bundle, plan).state is GateState.APPROVED


def _planned(bundle: Bundle, plan: Cited[ExecutionPlan]) -> Gate:
    gate = _judged(ACTIVE, bundle, plan.record.id, plan_digest(bundle, plan))
    unbound = unbound_files(bundle, plan.record)
    state = GateState.OPEN if unbound and gate.state is GateState.APPROVED else gate.state
    return replace(gate, state=state, missing=(*gate.missing, *unbound))


def accept_gate(bundle: Bundle, findings: Mapping[str, str]) -> Gate:
    """The gate before a deployment with an accepted finding; an answer counts only for what it names.

    Args:
        bundle: with the recorded answers.
        findings: the digest of what is accepted, by finding.
    """
    gate = _joined(ACCEPT, [(name, _accepted(bundle, name, digest)) for name, digest in findings.items()])
    if not findings:
        return gate
    digests = tuple(findings.values())
    spec = replace(gate.spec, reviewed=(*digests, *gate.spec.reviewed))
    return replace(gate, spec=spec, about=digests[0] if len(digests) == 1 else "")


def accept_lacks(bundle: Bundle, finding: str, digest: str) -> tuple[str, ...]:
    """What the gate of accepted findings lacks for one of them, nothing when it is approved."""
    return _accepted(bundle, finding, digest).missing


def _accepted(bundle: Bundle, finding: str, digest: str) -> Gate:
    """One acceptance: nobody can have seen its owner, controls and expiry before they were recorded."""
    recorded = tuple(each for each in bundle.decisions.dispositions if each.subject == finding)
    return _judged(ACCEPT, bundle, finding, digest, dated=tuple(disposed_at(recorded[-1:])))


def disclosure_gate(bundle: Bundle, outside: Iterable[str], report: str) -> Gate:
    """The gate before disclosure outside the authorized team; not needed when nobody is there, unless somebody said no.

    An answer counts only for the recipients that it names and for the report whose digest it names.

    Args:
        bundle: with the recorded answers.
        outside: the recipients.
        report: the digest of what the report says.
    """
    names = tuple(outside)
    if not names and (refused := _judged(DISCLOSE, bundle)).state is GateState.REJECTED:
        return refused
    dated = tuple(_told(bundle)) if any(answer.gate == DISCLOSE.id for answer in bundle.answers) else ()
    gate = _joined(DISCLOSE, [(name, _judged(DISCLOSE, bundle, name, report, dated=dated)) for name in names])
    if not names:
        return gate
    spec = replace(gate.spec, reviewed=(report, *gate.spec.reviewed), names=(report, *gate.spec.names))
    return replace(gate, spec=spec, about=report)


def outside_recipients(bundle: Bundle, authorization: Authorization | None) -> tuple[str, ...]:
    """The recipients asked for that the authorization does not name, in the order asked for."""
    known = {name.casefold() for name in (authorization.recipients or ())} if authorization else set()
    return tuple(name for name in bundle.request.recipients if name.casefold() not in known)


def _told(bundle: Bundle) -> Iterator[Dated]:
    """What a report tells, with its dates: an approval of its disclosure cannot be older."""
    yield from dates_of(bundle.items.values())
    yield from disposed_at(bundle.decisions.dispositions)
    for run in read_runs(bundle)[0]:
        yield from started(f"the run in {run.record.record.output}", run.results.started)


def _judged(spec: GateSpec, bundle: Bundle, *about: str, dated: Collection[Dated] = ()) -> Gate:
    """The gate by the answers that name what it is about; no answer was given before the review was authorized."""
    known = first_of(bundle, Authorization)
    since = known.record.at if known else None
    every = [answer for answer in bundle.answers if answer.gate == spec.id]
    counted = [
        answer
        for answer in every
        if answer.decision == "rejected" or set(about) <= seen_by(answer)
        if since is None or answer.at >= since
    ]
    roles, day = bundle.request.roles, bundle.request.as_of
    gate = judge_gate(spec, named_seats(spec, roles), counted, day, party=party(roles), dated=dated)
    lacking = {f"{seat} has not answered": _uncounted(seat, every, about) for seat in gate.seats}
    return replace(gate, missing=tuple(lacking.get(lack) or lack for lack in gate.missing))


def _uncounted(seat: Seat, answers: Iterable[Approval], about: tuple[str, ...]) -> str:
    """Why the last answer of a seat does not count, "" when it gave none."""
    own = [answer for answer in answers if (answer.role, answer.stands_for) == (seat.role, seat.stands_for)]
    if not own:
        return ""
    unnamed = [name for name in about if name not in seen_by(own[-1])]
    if unnamed:
        return f"{seat} answered without naming {', '.join(unnamed)}"
    return f"{seat} answered before the review was authorized"


def _joined(spec: GateSpec, judged: list[tuple[str, Gate]]) -> Gate:
    """Several answers to one gate as one: rejected by any, open while any is open; each name is to be reviewed too."""
    if not judged:
        return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())
    names = tuple(name for name, _ in judged)
    states = {gate.state for _, gate in judged}
    order = (GateState.REJECTED, GateState.OPEN, GateState.APPROVED)
    first = judged[0][1]
    return replace(
        first,
        spec=replace(spec, reviewed=(*names, *spec.reviewed), names=names),
        state=next(state for state in order if state in states),
        approvals=tuple(dict.fromkeys(answer for _, gate in judged for answer in gate.approvals)),
        missing=tuple(f"{name}: {lack}" for name, gate in judged for lack in gate.missing),
    )
