"""Whether an adoption that an inventory states can be true: its path exists, and its evidence can show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import pandas as pd

from evreview.core.vocabulary import Answer, ClientId, EvidenceId, StepState
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.contradictions import unmoved
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import (
    AdoptionRecord,
    ClientInventory,
    KnownClient,
    Policy,
    RolloutRecord,
    UsageMetrics,
    Uses,
)
from evreview.evidence.records.review import Plan, day_of
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.clients.impact import Impact, assess, impacts_frame
from evreview.workflows.w1.element_lookup import Spellings, called_as_rows, checks_as_rows
from evreview.workflows.w1.facts import F3, Sides, W1Facts
from evreview.workflows.w1.policy.rollout_mechanisms import is_separated, routes_named, separated_routes
from evreview.workflows.w1.reconcile.sources import unmapped_uses
from evreview.workflows.w1.step1_freeze_boundary import contract_item
from evreview.workflows.w1.usage_evidence import OwnershipGap, UnknownConsumers, ownership_gaps, unknown_consumers


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


# What a client declares about its parser, in words for the register. Nothing here was executed.


UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserContract:
    """The retained parser contract of one client, as declared; "unknown" where it declares nothing.

    Attributes:
        client, name: the client.
        content_types, fields, nullability, versions: what it accepts, uses, and asks for.
        policies: what it does with unknown fields and enum values.
        citation: where it is declared.
    """

    client: ClientId
    name: str
    content_types: str
    fields: str
    nullability: str
    versions: str
    policies: str
    citation: Citation

    @property
    def text(self) -> str:
        """All five parts, labelled as declared."""
        return (
            f"Declared: content types: {self.content_types}; fields: {self.fields}; nullability: {self.nullability}; "
            f"versions: {self.versions}; {self.policies}"
        )


def parser_contract(client: KnownClient, citation: Citation) -> ParserContract:
    """The parser contract of `client` in words."""
    return ParserContract(
        client=ClientId(client.id),
        name=client.name,
        content_types=_listed(client.accepted_content_types),
        fields=_fields(client.uses),
        nullability=_nullability(client),
        versions=_versions(client),
        policies=_policies(client),
        citation=citation,
    )


def _listed(values: Iterable[str] | None) -> str:
    return UNKNOWN if values is None else ", ".join(values) or "none"


def _fields(uses: tuple[Uses, ...] | None) -> str:
    if uses is None:
        return UNKNOWN
    return " | ".join(f"{use.operation}: {_listed(use.fields)}" for use in uses) or "none"


def _nullability(client: KnownClient) -> str:
    accepted = client.accepts_null
    if accepted is None:
        return UNKNOWN
    if accepted == "all":
        return "null accepted for every field"
    if accepted == "none" or not accepted:
        return "null accepted for no field"
    return f"null accepted for {', '.join(accepted)} only"


def _versions(client: KnownClient) -> str:
    named = ", ".join(client.versions) or UNKNOWN
    return f"{named} (selects by {client.version_selector or UNKNOWN})"


def _policies(client: KnownClient) -> str:
    return (
        f"unknown fields: {client.unknown_fields or UNKNOWN}; "
        f"unknown enum values: {client.unknown_enum_values or UNKNOWN}"
    )


# The client-impact register: one row per known client, and one for those that nobody lists.


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow:
    """One known client in the register.

    Attributes:
        client: the client.
        parser: its declared parser contract.
        impact: the three facts over all differences, each labelled.
        owner_and_status: owner role and migration status, as recorded.
        breaking: True when a difference is breaking for this client.
        impacts: its impacts, in ledger order.
        citations: all evidence of the row.
    """

    client: ClientId
    parser: ParserContract
    impact: str
    owner_and_status: str
    breaking: bool
    impacts: tuple[Impact, ...]
    citations: tuple[Citation, ...]


def client_register(
    inventories: Sequence[Cited[ClientInventory]],
    impacts: Sequence[Impact],
    migrations: Sequence[MigrationState] | None = None,
) -> tuple[ClientRow, ...]:
    """One row per known client, in the order listed.

    Args:
        inventories: the known clients.
        impacts: what the differences mean for them.
        migrations: their checked migration states; None takes the inventory at its word.
    """
    found = migration_states(inventories) if migrations is None else migrations
    states = {state.client: state for state in found}
    rows = []
    for cited in inventories:
        for place, client in enumerate(cited.record.clients):
            state = states[ClientId(client.id)]
            own = tuple(impact for impact in impacts if impact.client == client.id)
            ran = (citation for impact in own for citation in impact.executed_checks)
            rows.append(
                ClientRow(
                    client=state.client,
                    parser=parser_contract(client, cited.at(f"/clients/{place}")),
                    impact=_impact_text(own),
                    owner_and_status=f"{state.owner_role}; {state.status}; {state.why}",
                    breaking=any(impact.breaking for impact in own),
                    impacts=own,
                    citations=tuple(dict.fromkeys((*state.citations, *ran))),
                )
            )
    return tuple(rows)


def register_frame(rows: Iterable[ClientRow], unknown: UnknownConsumers) -> pd.DataFrame:
    """One row per known client, key `client`, then one for the unlisted consumers.

    Columns: client, parser_contract, impact, owner_and_status (texts), breaking (boolean, missing for the unlisted
    consumers), evidence (citations, ", " between them).
    """
    cells: list[tuple[object, ...]] = [
        (
            row.client,
            row.parser.text,
            row.impact,
            row.owner_and_status,
            row.breaking,
            ", ".join(str(citation) for citation in row.citations),
        )
        for row in rows
    ]
    evidence = ", ".join(str(citation) for citation in unknown.citations)
    cells.append(("unlisted consumers", "unknown", unknown.statement, "unknown", None, evidence))
    columns = ["client", "parser_contract", "impact", "owner_and_status", "breaking", "evidence"]
    frame = pd.DataFrame(cells, columns=columns)
    return frame.astype({name: "boolean" if name == "breaking" else "string" for name in columns})


def _impact_text(impacts: Sequence[Impact]) -> str:
    """The three facts, each with its label and the rows it holds for."""
    declared = [impact for impact in impacts if impact.contract_incompatible is Answer.YES]
    unclear = [impact for impact in impacts if impact.contract_incompatible is Answer.UNKNOWN]
    failed = [impact for impact in impacts if impact.executed == "failed"]
    passed = [impact for impact in impacts if impact.executed == "passed"]
    reasons = "; ".join(dict.fromkeys(impact.contract_why for impact in declared))
    first = f"{_ids(declared)} ({reasons})" if declared else "none"
    ran = [f"failed on {_ids(failed)}"] if failed else []
    ran += [f"passed on {_ids(passed)}"] if passed else []
    expected = dict.fromkeys(item.inferred for item in impacts if item.breaking or item.executed != "none")
    return (
        f"Declared incompatibility: {first}"
        + (f", unknown for {_ids(unclear)}" if unclear else "")
        + f". Executed parser result: {'; '.join(ran) or 'none retained'}"
        + f". Inferred runtime impact: {'; '.join(expected) or 'none inferred'}."
    )


def _ids(impacts: Iterable[Impact]) -> str:
    return ", ".join(impact.delta_id for impact in impacts)


# Step 5: what each difference means for each known client.


def classify_consumers(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Every known client mapped to every difference; W1-F3 marks unknown ownership or usage and the run goes on."""
    if facts.released is None or facts.candidate is None:
        raise ValueError("step 5 needs both contracts of step 1")
    inventories = records_of(bundle, ClientInventory)
    sides = Sides(facts.released, facts.candidate)
    spellings = Spellings(sides)
    unmapped = unmapped_uses(inventories, sides, spellings)
    migrations = migration_states(inventories, adoption_facts(bundle))
    impacts = assess(
        facts.rows,
        called_as_rows(inventories, spellings),
        checks_as_rows(records_of(bundle, TestRecord), spellings),
        unmapped=tuple(gap.client for gap in unmapped if gap.client),
        adopted=adopted_clients(migrations),
    )
    policy = first_of(bundle, Policy)
    days = policy.record.removal.notice_days if policy and policy.record.removal else None
    metrics = records_of(bundle, UsageMetrics)
    unknown = unknown_consumers(facts.rows, inventories, metrics, as_of=bundle.request.as_of, days=days)
    gaps = (*ownership_gaps(inventories, _named_clients(bundle)), *unmapped)
    register = client_register(inventories, impacts, migrations)
    known = replace(
        facts,
        impacts=impacts,
        clients=register,
        unknown_consumers=unknown,
        ownership_gaps=gaps,
        migrations=migrations,
    )
    tables = {"Client-impact register": register_frame(register, unknown), "Impacts": impacts_frame(impacts)}
    return Outcome(
        state=StepState.ADVANCE,
        code=F3.code if gaps else "",
        facts=known,
        reasons=tuple(_gap(bundle, gap) for gap in gaps),
        tables=tables,
    )


def _named_clients(bundle: Bundle) -> Mapping[ClientId, tuple[str, Citation | None]]:
    """The clients that a retained check, the plan or an answer of an owner names."""
    named: dict[ClientId, tuple[str, Citation | None]] = {}
    for tests in records_of(bundle, TestRecord):
        for place, check in enumerate(tests.record.checks):
            if check.client:
                named.setdefault(ClientId(check.client), (f"the check {check.id}", tests.at(f"/checks/{place}")))
    for step in bundle.request.plan.migrations if bundle.request.plan else ():
        named.setdefault(ClientId(step.client), ("the plan of this review", None))
    for answer in bundle.decisions.approvals:
        if answer.client:
            named.setdefault(ClientId(answer.client), ("an answer in decisions.yaml", None))
    return named


def _gap(bundle: Bundle, gap: OwnershipGap) -> Statement:
    contracts = (contract_item(bundle, side) for side in ("released", "candidate"))
    fallback = cite(*(item.id for item in contracts if item))
    return limited(gap.text, on=(gap.citation,) if gap.citation else fallback)
