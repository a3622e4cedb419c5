"""Where each client stands with its migration, as recorded. A new route alone migrates nobody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evreview.clients.impact import Impact
from evreview.core.vocabulary import ClientId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, KnownClient
from evreview.evidence.records.review import Plan
from evreview.workflows.w1.step5_client_register import AdoptionFacts, adoption_faults


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
        owner_role=client.owner_role or "unknown",
        status=client.migration_status or "not recorded",
        adopted=adopted,
        path=(client.adopted_path if adopted else client.version_selector) or "unknown",
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
