"""The known-client inventory: what each client says its parser accepts. Declared, never executed."""

from __future__ import annotations

from typing import Literal

from evreview.evidence.records.base import EvidenceIdText, Record, Text


class Uses(Record):
    """One operation that a client calls or a message that it consumes."""

    operation: Text
    """`GET /v1/orders/{id}`, the operation's id, the address or name of a channel, the name of a
    message, or the operation as the ledger shows it (`query orders`)."""
    fields: tuple[Text, ...] | None = None
    """Fields and arguments that it reads or sends, dotted, arrays as `items[].id`; fields of named types with their
    type, as `Order.total`; null when not known."""
    statuses: tuple[Text, ...] | None = None
    """Statuses that it handles; null when not known."""


class KnownClient(Record):
    """One listed consumer."""

    id: Text
    """Its id in the inventory."""
    name: Text
    """What it is called."""
    released: bool = True
    """True for a released client, false for one in development."""
    versions: tuple[Text, ...] = ()
    """Its versions in use."""
    version_selector: Text | None = None
    """How it selects the API version, e.g. `route prefix /v1`."""
    accepted_content_types: tuple[Text, ...] | None = None
    """Content types that its parser accepts; null when not known."""
    uses: tuple[Uses, ...] | None = None
    """Operations and fields used; null when usage is not known."""
    accepts_null: tuple[Text, ...] | Literal["all", "none"] | None = None
    """Fields for which null is accepted, dotted; null when not known."""
    unknown_fields: Literal["ignored", "rejected"] | None = None
    """What its parser does with a field that it does not know."""
    unknown_enum_values: Literal["tolerated", "rejected"] | None = None
    """What its parser does with an enum value that it does not know."""
    owner_role: Text | None = None
    """The owning role; null when unknown, which is W1-F3."""
    migration_status: Text | None = None
    """Free text, as recorded."""
    adopted_path: Text | None = None
    """The version path it requests, once its owner has changed it."""
    adoption_evidence: EvidenceIdText | None = None
    """The item that shows the adoption."""


class ClientInventory(Record):
    """Content of an evidence item of type `client inventory`."""

    kind: Literal["client-inventory"] = "client-inventory"
    clients: tuple[KnownClient, ...]
    """Every known client."""
    complete: bool = False
    """True only when the owner states that no unlisted consumer exists; even then it is a statement."""
