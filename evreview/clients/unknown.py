"""What is not known about consumers: those that nobody lists, and listed ones without owner or usage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evreview.core.vocabulary import ClientId, DeltaId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, UsageMetrics
from evreview.policy.row import Row
from evreview.workflows.w1.usage_evidence import usable_metrics, zero_use


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownConsumers:
    """Consumers that no inventory lists. There is always one such value; it closes per row, by usage evidence only.

    Attributes:
        open: True while at least one row is open, or there are no rows.
        open_deltas, closed_deltas: rows by whether usage evidence shows that no consumer uses the element.
        statement: the limitation, in a sentence.
        citations: inventories that state completeness, and the usage evidence that closes rows.
    """

    open: bool
    open_deltas: tuple[DeltaId, ...]
    closed_deltas: tuple[DeltaId, ...]
    statement: str
    citations: tuple[Citation, ...]

    def open_for(self, delta_id: DeltaId) -> bool:
        """True unless usage evidence closes this row."""
        return delta_id not in self.closed_deltas


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipGap:
    """A reason for W1-F3: an owner or use that is not known, a use that maps nothing, an unlisted client."""

    client: ClientId | None
    missing: Literal["owner", "usage", "inventory", "mapping", "entry"]
    text: str
    citation: Citation | None


def unknown_consumers(
    rows: Sequence[Row],
    inventories: Sequence[Cited[ClientInventory]],
    metrics: Sequence[Cited[UsageMetrics]],
    as_of: str | None = None,
    days: int | None = None,
) -> UnknownConsumers:
    """The unlisted consumers. An inventory that calls itself complete stays a statement and closes nothing.

    Args:
        rows: all rows of the comparison.
        inventories: the known clients.
        metrics: usage metrics as supplied; those without all three controls are not used.
        as_of, days: the date of the review, and how many days up to it the counts must cover (see `zero_use`).
    """
    usable, _ = usable_metrics(metrics)
    uses = [(row.delta.id, zero_use(row.delta.address, row.delta.operations, usable, as_of, days)) for row in rows]
    closed = tuple(delta_id for delta_id, use in uses if use.shown)
    complete = [cited for cited in inventories if cited.record.complete]
    citations = [cited.at("/complete") for cited in complete]
    citations += [citation for _, use in uses if use.shown for citation in use.citations]
    return UnknownConsumers(
        open=not rows or len(closed) < len(rows),
        open_deltas=tuple(delta_id for delta_id, use in uses if not use.shown),
        closed_deltas=closed,
        statement=_statement(len(rows), len(closed), bool(complete)),
        citations=tuple(dict.fromkeys(citations)),
    )


def ownership_gaps(
    inventories: Sequence[Cited[ClientInventory]], named: Mapping[ClientId, tuple[str, Citation | None]] | None = None
) -> tuple[OwnershipGap, ...]:
    """Every unknown owner and usage of a client, those listed first and in their order; W1-F3 when not empty.

    Args:
        inventories: the known clients.
        named: clients that something else names, by id: what does, and its citation; None for no evidence item.
    """
    if not inventories:
        text = "No client inventory was supplied: who uses the API, and who owns those clients, is unknown."
        return (OwnershipGap(client=None, missing="inventory", text=text, citation=None),)
    return (*_unlisted(inventories, named or {}), *_of_listed(inventories))


def _unlisted(
    inventories: Sequence[Cited[ClientInventory]], named: Mapping[ClientId, tuple[str, Citation | None]]
) -> Iterable[OwnershipGap]:
    listed = {client.id for cited in inventories for client in cited.record.clients}
    at = inventories[0].at("/clients")
    if not listed and not any(cited.record.complete for cited in inventories):
        text = "The client inventory lists no client and does not call itself complete: who uses the API is unknown."
        yield OwnershipGap(client=None, missing="inventory", text=text, citation=at)
    for client, (where, citation) in named.items():
        if client not in listed:
            text = f"Client {client} is named by {where} and listed by no inventory: its owner and use are unknown."
            yield OwnershipGap(client=client, missing="entry", text=text, citation=citation or at)


def _of_listed(inventories: Sequence[Cited[ClientInventory]]) -> tuple[OwnershipGap, ...]:
    gaps = []
    for cited in inventories:
        for place, client in enumerate(cited.record.clients):
            at = cited.at(f"/clients/{place}")
            named = ClientId(client.id)
            if client.owner_role is None:
                text = f"The owner of client {client.id} is unknown."
                gaps.append(OwnershipGap(client=named, missing="owner", text=text, citation=at))
            if client.uses is None:
                text = f"What client {client.id} uses is unknown."
                gaps.append(OwnershipGap(client=named, missing="usage", text=text, citation=at))
    return tuple(gaps)


def _statement(rows: int, closed: int, complete: bool) -> str:
    """The limitation in words; it never says that there are no unlisted consumers."""
    if rows and closed == rows:
        return "Unlisted consumers: unknown; usage evidence over all consumers shows no use of any changed element."
    stated = " The inventory calls itself complete, which is a statement and no evidence of use." if complete else ""
    partly = f" Usage evidence closes {closed} of {rows} differences." if closed else ""
    return f"Unlisted consumers: unknown; what the differences mean for them is not known.{stated}{partly}"
