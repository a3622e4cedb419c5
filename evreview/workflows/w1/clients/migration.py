"""How far each client is on the selected path, and what keeps it from having adopted it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.core.vocabulary import ClientId, EvidenceId
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.contradictions import unmoved
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import AdoptionRecord, ClientInventory, KnownClient, RolloutRecord
from evreview.evidence.records.review import Plan, day_of
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.route_words import is_separated, routes_named, separated_routes

UNKNOWN: Final = "unknown"
"""Stands where no evidence says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptionFacts:
    """What an adoption is checked against.

    Attributes:
        paths: the routes and versions that the rollout record separates; without a record those that the plan names.
        items: the evidence items by id.
        as_of: the review's date; what an owner recorded later does not count. "" counts everything.
    """

    paths: tuple[str, ...]
    items: Mapping[EvidenceId, EvidenceItem] = field(repr=False)
    as_of: str = ""


def adoption_facts(bundle: Bundle) -> AdoptionFacts:
    """The facts of one bundle."""
    rollout, plan = first_of(bundle, RolloutRecord), bundle.request.plan
    planned = tuple(dict.fromkeys(_planned(plan))) if plan else ()
    return AdoptionFacts(
        paths=separated_routes(rollout) if rollout else planned,
        items=bundle.items,
        as_of=bundle.request.as_of,
    )


def _planned(plan: Plan) -> Iterator[str]:
    for step in plan.traffic_steps:
        yield from routes_named(step) if isinstance(step, str) else (step.path,) if step.path else ()
    for migration in plan.migrations:
        yield from routes_named(migration.instruction)


def adoption_faults(client: KnownClient, facts: AdoptionFacts) -> tuple[str, ...]:
    """Why the stated adoption is not shown, as clauses; empty when it is, or when none is stated."""
    path, evidence = client.adopted_path, client.adoption_evidence
    if not path or not evidence:
        return ()
    exists = all(is_separated(route, facts.paths) for route in routes_named(path) or (path,))
    missing = () if exists else (f"{path} is no route or version that the rollout separates",)
    said = unmoved(client.migration_status or "")
    other = (f"its migration status says `{said}`",) if said else ()
    return (*missing, *other, *_evidence_faults(client, facts.items.get(evidence), evidence, facts))


def _evidence_faults(
    client: KnownClient, item: EvidenceItem | None, evidence: EvidenceId, facts: AdoptionFacts
) -> tuple[str, ...]:
    if item is None:
        return (f"{evidence} is no item of this review",)
    if isinstance(item.record, AdoptionRecord):
        return _recorded(client, item.record, evidence, facts.as_of)
    if isinstance(item.record, TestRecord):
        return _tested(client, item.record, evidence, facts.paths)
    return (f"{evidence} is neither an adoption record nor a test record, so no adoption is shown",)


def _recorded(client: KnownClient, record: AdoptionRecord, evidence: EvidenceId, as_of: str) -> tuple[str, ...]:
    """Why an owner's record does not show it: another client or path, another role, not adopted, or later."""
    own = [each for each in record.adoptions if each.client == client.id and _same_path(each.path, client)]
    counted = sorted((each for each in own if not as_of or day_of(each.at) <= as_of), key=lambda each: each.at)
    if not counted:
        when = f" up to {as_of}" if own else ""
        return (f"{evidence} records no adoption of {client.adopted_path} by client {client.id}{when}",)
    last = counted[-1]
    if client.owner_role is None or last.role != client.owner_role:
        return (f"{evidence} is said by {last.role}, who does not own the client",)
    return () if last.state == "adopted" else (f"{evidence} says {last.state}, not adopted",)


def _tested(client: KnownClient, record: TestRecord, evidence: EvidenceId, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Why a test record does not show it: no check of this client on that path, or one that did not pass.

    A check of the service, or of an operation that the client does not use, says nothing of the client.
    """
    own = [
        check
        for check in record.checks
        if check.client == client.id and check.direction in (None, "consumer") and _on_path(check, client)
        if _uses(client, check.operation, paths)
    ]
    if not own:
        return (f"{evidence} holds no check of client {client.id} on {client.adopted_path}",)
    waiting = [check for check in own if check.lacking]
    if waiting:
        return (f"the check {waiting[0].id} was not executed: it lacks {', '.join(waiting[0].lacking)}",)
    other = [check for check in own if check.result != "passed"]
    return (f"the check {other[0].id} {other[0].result}",) if other else ()


def _on_path(check: CheckResult, client: KnownClient) -> bool:
    """True for a check of the path: by its field, else when it parses the candidate and names no other."""
    if check.path is not None:
        return _same_path(check.path, client)
    named = routes_named(f"{check.what} {check.command or ''} {check.operation or ''}")
    return check.parses == "candidate" and (not named or any(_same_path(route, client) for route in named))


def _uses(client: KnownClient, operation: str | None, paths: tuple[str, ...]) -> bool:
    """True for an operation of the client, under whichever separated path; also where names of two kinds stand."""
    if operation is None or client.uses is None:
        return True
    used = {_bare(use.operation, paths) for use in client.uses}
    named = _bare(operation, paths)
    return named in used or not any(("/" in each) == ("/" in named) for each in used)


def _bare(operation: str, paths: tuple[str, ...]) -> str:
    """An operation's key without the separated path that it is under."""
    method, _, route = operation_key(operation).partition(" ")
    under = next((path for path in paths if route.startswith(f"{path.rstrip('/')}/")), "")
    return f"{method} {route.removeprefix(under)}"


def _same_path(path: str, client: KnownClient) -> bool:
    wanted = routes_named(client.adopted_path or "") or (client.adopted_path or "",)
    return any(is_separated(route, wanted) for route in (routes_named(path) or (path,)))


# Where each client stands with its migration, as recorded. A new route alone migrates nobody.


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationState:
    """One client's migration.

    Attributes:
        client: the client.
        owner_role: its owning role, "unknown" when no evidence names one.
        status: the recorded text, unchanged; "not recorded" without one.
        adopted: True only with a path that exists and an item that can show the adoption (see `adoption_faults`).
        path: that path, or the one it still requests; "unknown" without either.
        why: what the answer rests on.
        citations: the inventory entry, then the adoption evidence.
    """

    client: ClientId
    owner_role: str
    status: str
    adopted: bool
    path: str
    why: str
    citations: tuple[Citation, ...]

    @property
    def owner(self) -> str:
        """The role that owns the client, "" where nobody is known for it."""
        return "" if self.owner_role == UNKNOWN else self.owner_role


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationStep:
    """What the owner of one affected client has to do; "" when the plan gives no instruction."""

    client: ClientId
    owner_role: str
    instruction: str
    adopted: bool


def migration_states(
    inventories: Sequence[Cited[ClientInventory]], facts: AdoptionFacts | None = None
) -> tuple[MigrationState, ...]:
    """The state of every known client, in the order listed.

    Args:
        inventories: the known clients.
        facts: what an adoption is checked against; without it the inventory is taken at its word.
    """
    return tuple(
        _state(client, cited.at(f"/clients/{place}"), facts)
        for cited in inventories
        for place, client in enumerate(cited.record.clients)
    )


def migrated(states: Iterable[MigrationState]) -> int:
    """How many clients have adopted; whoever has only a new route beside it is not counted."""
    return sum(state.adopted for state in states)


def migration_steps(
    impacts: Iterable[Impact], states: Iterable[MigrationState], plan: Plan | None
) -> tuple[MigrationStep, ...]:
    """One step per client for which a difference is breaking, or that the plan names, in the order of `states`."""
    affected = {impact.client for impact in impacts if impact.breaking}
    planned = {ClientId(step.client): step.instruction for step in (plan.migrations if plan else ())}
    return tuple(
        MigrationStep(
            client=state.client,
            owner_role=state.owner_role,
            instruction=planned.get(state.client, ""),
            adopted=state.adopted,
        )
        for state in states
        if state.client in affected or state.client in planned
    )


def adopted_clients(states: Iterable[MigrationState]) -> frozenset[ClientId]:
    """The clients whose adoption is shown; what `assess` takes as `adopted`."""
    return frozenset(state.client for state in states if state.adopted)


def _state(client: KnownClient, at: Citation, facts: AdoptionFacts | None) -> MigrationState:
    faults = adoption_faults(client, facts) if facts else ()
    adopted = bool(client.adopted_path and client.adoption_evidence) and not faults
    shown = (Citation(client.adoption_evidence),) if client.adoption_evidence else ()
    return MigrationState(
        client=ClientId(client.id),
        owner_role=client.owner_role or UNKNOWN,
        status=client.migration_status or "not recorded",
        adopted=adopted,
        path=(client.adopted_path if adopted else client.version_selector) or UNKNOWN,
        why=_why(client, adopted, faults),
        citations=(at, *shown),
    )


def _why(client: KnownClient, adopted: bool, faults: tuple[str, ...]) -> str:
    if adopted:
        return "its owner's adoption is shown"
    if client.adopted_path and client.adoption_evidence:
        return f"an adopted path is stated, but {' and '.join(faults)}; it stays on the released path"
    if client.adopted_path:
        return "an adopted path is stated, and no item shows the adoption; it stays on the released path"
    return "no adoption is recorded; it stays on the released path"
