"""The gates before shipping a breaking change and before a removal."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import Ask, Change, ClientId, DeltaId, Tristate, Verdict, VersionPath
from evreview.evidence.cited_records import first_of
from evreview.evidence.contradictions import objection, opposed
from evreview.evidence.element_mentions import is_suffix
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.compatibility import Policy
from evreview.evidence.records.review import Disposition
from evreview.workflows.engine.gates import (
    UNKNOWN_OWNER,
    UNKNOWN_ROLE,
    Gate,
    GateSpec,
    GateState,
    Seat,
    Unmet,
    dates_of,
    judge_gate,
    lacking,
    party,
)
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.clients.migration import MigrationState
from evreview.workflows.w1.facts import REMOVE, SHIP, W1Facts, removal_digest, removal_items, ship_digest, ship_items
from evreview.workflows.w1.policy.planned_steps import FaultCode, StepFacts, StepFault, plan_faults
from evreview.workflows.w1.policy.removal import RemovalJudgement
from evreview.workflows.w1.policy.version_path import MOVES, stated_window


def ship_gate(bundle: Bundle, facts: W1Facts) -> Gate:
    """The gate before shipping a breaking change; not needed when nothing breaks or shipping is not asked."""
    if Ask.SHIP not in bundle.request.asks or not material_break(facts):
        return Gate(spec=SHIP, state=GateState.NOT_NEEDED, seats=())
    seats = tuple(_ship_seats(bundle, facts))
    gate = _judged(SHIP, bundle, seats, ship_digest(bundle), ship_items(bundle))
    steps = (Unmet(fault.text) for fault in _step_faults(bundle, facts))
    asked, removed = Ask.REMOVE in bundle.request.asks, _removed(facts)
    objections = (told for told, about in objections_of(bundle, facts) if not asked or (about and not about & removed))
    said = _opposing(facts, {seat.client for seat in seats if seat.client})
    return lacking(gate, (*_unverified(facts), *_unplanned(bundle, facts), *steps, *objections, *said))


def _judged(spec: GateSpec, bundle: Bundle, seats: Sequence[Seat], about: str, items: Iterable[EvidenceItem]) -> Gate:
    """The gate by its answers: bound to the digest of what it lists, and to the dates of it."""
    answers, roles = bundle.answers, party(bundle.request.roles)
    return judge_gate(spec, seats, answers, bundle.request.as_of, about, roles, tuple(dates_of(items)))


def _opposing(facts: W1Facts, clients: Collection[str]) -> Iterable[Unmet]:
    """Clients whose migration status says no, whatever consent is recorded: people settle which of both holds."""
    for state in facts.migrations:
        if state.client in clients and opposed(state.status):
            told = f"the migration status of client {state.client} says `{opposed(state.status)}`"
            yield Unmet(told, state.owner)


def _unverified(facts: W1Facts) -> Iterable[Unmet]:
    """Why nobody can have reviewed verification results: there are none of this candidate."""
    checks = facts.checks
    if checks is not None and len(checks.executed) == len(checks.elsewhere):
        where = " at the candidate's revision" if checks.elsewhere else ""
        yield Unmet(f"no check was executed{where}, so there are no verification results to review")


def _unplanned(bundle: Bundle, facts: W1Facts) -> Iterable[Unmet]:
    """Clients that the change breaks, that have not moved, and that the plan has no instruction for."""
    planned = {step.client for step in bundle.request.plan.migrations} if bundle.request.plan else set()
    broken = {impact.client for impact in facts.impacts if impact.breaking}
    for state in facts.migrations:
        if state.client in broken and not state.adopted and state.client not in planned:
            yield Unmet(f"the plan has no migration instruction for client {state.client}")


def _step_faults(bundle: Bundle, facts: W1Facts) -> tuple[StepFault, ...]:
    """What the plan's steps lack or break. On a path that moves nobody, steps in words have nothing to show."""
    plan, policy = bundle.request.plan, first_of(bundle, Policy)
    if plan is None:
        return ()
    windows = (policy.record.support_window_days if policy else None, stated_window(plan))
    removal = policy.record.removal if policy else None
    roles = bundle.request.roles
    held = StepFacts(
        owners={state.client: state.owner_role for state in facts.migrations},
        adopted=frozenset(state.client for state in facts.migrations if state.adopted),
        manager=roles.release_manager or UNKNOWN_ROLE,
        api_owner=roles.api_owner or UNKNOWN_ROLE,
        window_days=max(days or 0 for days in windows),
        notice_days=removal.notice_days if removal else 0,
        as_of=bundle.request.as_of,
    )
    moves = plan.path in MOVES
    return tuple(fault for fault in plan_faults(plan, held) if moves or fault.code is not FaultCode.NOT_SHOWN)


def removal_gate(bundle: Bundle, facts: W1Facts) -> Gate:
    """The gate before removing deprecated behaviour; the removal conditions count as well as the approval.

    It is needed when a removal is asked, and when shipping would remove something deprecated in place: on the path of
    an explicit version the released form stays, so nothing is removed from anybody yet.
    """
    silent = silently_removed(bundle, facts)
    if Ask.REMOVE not in bundle.request.asks and not silent:
        return Gate(spec=REMOVE, state=GateState.NOT_NEEDED, seats=())
    seats = [Seat("api-owner", bundle.request.roles.api_owner or UNKNOWN_ROLE)]
    objecting = (state for state in facts.migrations if _objects(bundle, REMOVE, state))
    seats += [Seat("client-owner", state.owner_role, state.client) for state in objecting]
    gate = _judged(REMOVE, bundle, seats, removal_digest(bundle), removal_items(bundle))
    return lacking(gate, _unmet_removal(bundle, facts, silent))


def _unmet_removal(bundle: Bundle, facts: W1Facts, silent: Iterable[str]) -> Iterator[Unmet]:
    """What keeps the gate before a removal closed, whatever is answered."""
    for removal in facts.removals:
        for condition in removal.missing:
            yield Unmet(condition.text, _relying(facts, removal) if condition.code == "client-evidence" else "")
    yield from (Unmet(f"{address} is deprecated and would be removed, and no removal is asked for it")
                for address in silent)  # fmt: skip
    yield from _undisposed(bundle, facts)
    yield from (told for told, about in objections_of(bundle, facts) if not about or about & _removed(facts))
    yield from (Unmet(fault.text) for fault in _step_faults(bundle, facts) if fault.what == "retire")
    if Ask.REMOVE in bundle.request.asks and not facts.removals:
        yield Unmet("removal is asked, and review.yaml names nothing to remove")


def silently_removed(bundle: Bundle, facts: W1Facts) -> tuple[str, ...]:
    """Deprecated elements that shipping would remove in place without a removal being asked for them."""
    versioned = facts.path is not None and facts.path.path is VersionPath.EXPLICIT_VERSION
    if Ask.SHIP not in bundle.request.asks or versioned:
        return ()
    asked = {delta_id for removal in facts.removals for delta_id in removal.delta_ids}
    return tuple(row.delta.address for row in facts.rows if is_deprecated_removal(row) and row.delta.id not in asked)


def is_deprecated_removal(row: JudgedRow) -> bool:
    """True when the row removes something that the released contract calls deprecated."""
    return row.delta.change is Change.REMOVED and row.delta.facts.get("deprecated") is True


def _removed(facts: W1Facts) -> frozenset[DeltaId]:
    """The differences that a removal is asked for."""
    return frozenset(delta_id for removal in facts.removals for delta_id in removal.delta_ids)


def _relying(facts: W1Facts, removal: RemovalJudgement) -> str:
    """The owners of the clients that still rely on what is removed."""
    rely = {impact.client for impact in facts.impacts
            if impact.delta_id in removal.delta_ids and impact.touched is not Tristate.NO}  # fmt: skip
    owners = (state.owner for state in facts.migrations if state.client in rely and not state.adopted)
    return ", ".join(dict.fromkeys(filter(None, owners)))


def _undisposed(bundle: Bundle, facts: W1Facts) -> Iterable[Unmet]:
    """Owners of clients that used what is removed, and whose disposition nobody recorded."""
    removed = _removed(facts)
    touched = {
        impact.client for impact in facts.impacts if impact.delta_id in removed and impact.touched is not Tristate.NO
    }
    for state in facts.migrations:
        entries = [
            entry
            for entry in bundle.decisions.dispositions
            if entry.role == state.owner_role
            and (entry.subject == state.client or _rows_of(entry.subject, facts) & removed)
        ]
        if state.client in touched:
            yield from _opposing(facts, {state.client})
        if state.client in touched and not entries:
            yield Unmet(f"no disposition of {state.owner_role} for client {state.client} is recorded", state.owner)
        elif entries and all(entry.stance is None for entry in entries) and objection(entries[-1].decision):
            yield Unmet(f"{state.owner_role} objects for client {state.client}: {entries[-1].decision}", state.owner)
        if entries and state.client in touched and _unseen(bundle, entries[-1]):
            told = f"the disposition for client {state.client} was recorded after the answer to the gate"
            yield Unmet(told)


def objections_of(bundle: Bundle, facts: W1Facts) -> Iterator[tuple[Unmet, frozenset[DeltaId]]]:
    """What objects by its stance, and the differences that it names; none for an entry about a client or an item.

    An objection stands until the same role consents, about the same subject or another name of it.
    """
    stands: dict[tuple[str, str | frozenset[DeltaId]], Disposition] = {}
    for entry in bundle.decisions.dispositions:
        if entry.stance is not None:
            stands[entry.role, _rows_of(entry.subject, facts) or entry.subject] = entry
    for entry in stands.values():
        if entry.stance == "objects":
            told = f"{entry.role} objects to {entry.subject}: {entry.decision}"
            yield Unmet(told, entry.role), _rows_of(entry.subject, facts)


def _rows_of(subject: str, facts: W1Facts) -> frozenset[DeltaId]:
    """The differences that a disposition's subject names: by id, by the finding's, or by address."""
    ids = {f"D-{subject.partition('-')[2]}"} if subject[:2] in ("D-", "F-") else set()
    return frozenset(row.delta.id for row in facts.rows if row.delta.id in ids or is_suffix(subject, row.delta.address))


def _unseen(bundle: Bundle, entry: Disposition) -> bool:
    """True when the removal was approved before the disposition was recorded, so nobody saw it."""
    answers = [answer.at for answer in bundle.decisions.approvals if answer.gate == REMOVE.id]
    return bool(answers) and entry.at > max(answers)


def material_break(facts: W1Facts) -> bool:
    """True when a row breaks, may break, breaks a known client, or only the implementation shows a change."""
    only = facts.reconciliation.runtime_only if facts.reconciliation else ()
    return (
        bool(only)
        or any(row.judgement.verdict is not Verdict.COMPATIBLE for row in facts.rows)
        or any(impact.breaking for impact in facts.impacts)
    )


def _affected(facts: W1Facts) -> set[ClientId]:
    """Known clients that the change breaks, or that may use what changes while nothing says that they take it."""
    material = {row.delta.id for row in facts.rows if row.judgement.verdict is not Verdict.COMPATIBLE}
    return {impact.client for impact in facts.impacts if impact.breaking or _unsure(impact, material)}


def _unsure(impact: Impact, material: Container[DeltaId]) -> bool:
    untold = impact.contract_incompatible is Tristate.UNKNOWN and impact.executed == "none"
    return untold and impact.touched is not Tristate.NO and impact.delta_id in material


def _ship_seats(bundle: Bundle, facts: W1Facts) -> Iterable[Seat]:
    roles = bundle.request.roles
    yield Seat("api-owner", roles.api_owner or UNKNOWN_ROLE)
    affected = _affected(facts)
    for state in facts.migrations:
        if state.client in affected:
            yield Seat("client-owner", state.owner or UNKNOWN_OWNER, state.client)
        elif _objects(bundle, SHIP, state):
            yield Seat("client-owner", state.owner_role, state.client)
    yield Seat("release-manager", roles.release_manager or UNKNOWN_ROLE)


def _objects(bundle: Bundle, spec: GateSpec, state: MigrationState) -> bool:
    """True when a client's owner answered a gate with a no, asked or not."""
    return any(
        answer.gate == spec.id and answer.decision == "rejected"
        for answer in bundle.decisions.approvals
        if (answer.stands_for, answer.role, answer.client) == ("client-owner", state.owner_role, state.client)
    )
