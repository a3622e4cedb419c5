"""The client register: parser contract, impact, owner and migration of every known client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from evreview.core.vocabulary import ClientId, Tristate
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, KnownClient, Uses
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.clients.migration import UNKNOWN, MigrationState, migration_states
from evreview.workflows.w1.usage_evidence import UnknownConsumers


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsumerContract:
    """The retained parser contract of one client, as declared; "unknown" where it declares nothing.

    Attributes:
        client, name: the client.
        content_types, fields, nullability, versions: what it accepts, uses, and asks for.
        policies: what it does with unknown fields and enum values.
        short: the parts that a reader compares, in a few words.
        citation: where it is declared.
    """

    client: ClientId
    name: str
    content_types: str
    fields: str
    nullability: str
    versions: str
    policies: str
    short: str
    citation: Citation

    @property
    def text(self) -> str:
        """All five parts, labelled as declared."""
        return (
            f"Declared: content types: {self.content_types}; fields: {self.fields}; nullability: {self.nullability}; "
            f"versions: {self.versions}; {self.policies}"
        )


def short_parser(client: KnownClient) -> str:
    """The parser contract in a few words: what a reader compares between clients. The registers have it whole."""
    uses = client.uses or ()
    fields = sum(len(use.fields or ()) for use in uses)
    null = client.accepts_null
    parts = (
        f"{_few(client.versions) if client.versions else UNKNOWN} on {client.version_selector or UNKNOWN}",
        UNKNOWN if client.accepted_content_types is None else _few(client.accepted_content_types),
        f"uses: {UNKNOWN if client.uses is None else f'{len(uses)} with {fields} fields'}",
        f"null: {UNKNOWN if null is None else null if isinstance(null, str) else _few(null)}",
        f"new values: {client.unknown_enum_values or UNKNOWN}",
    )
    return "; ".join(parts)


def _few(values: Sequence[str]) -> str:
    """One or two values, else the first and how many more there are."""
    most = 2 if len(values) <= 2 else 1
    more = len(values) - most
    return (", ".join(values[:most]) or "none") + (f" and {more} more" if more > 0 else "")


def parser_contract(client: KnownClient, citation: Citation) -> ConsumerContract:
    """The parser contract of `client` in words."""
    return ConsumerContract(
        client=ClientId(client.id),
        name=client.name,
        content_types=_listed(client.accepted_content_types),
        fields=_fields(client.uses),
        nullability=_nullability(client),
        versions=_versions(client),
        policies=_policies(client),
        short=short_parser(client),
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
        owner_and_status: owner role and migration status, as recorded, with what the answer rests on.
        short_status: the same without that.
        breaking: True when a difference is breaking for this client.
        impacts: its impacts, in ledger order.
        citations: all evidence of the row.
    """

    client: ClientId
    parser: ConsumerContract
    impact: str
    owner_and_status: str
    short_status: str
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
                    short_status=f"{state.owner_role}; {state.status}; {'adopted' if state.adopted else 'not adopted'}",
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
    declared = [impact for impact in impacts if impact.contract_incompatible is Tristate.YES]
    unclear = [impact for impact in impacts if impact.contract_incompatible is Tristate.UNKNOWN]
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
