"""What happened, as typed records: a notice, an adoption, a rollback drill. Plain text of the same shows none of it."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from evreview.evidence.records.base import Day, Record, Text


class DeprecationNotice(Record):
    """Content of an evidence item of type `execution and approval record`: one notice of a removal."""

    kind: Literal["deprecation-notice"] = "deprecation-notice"
    surface: Text
    """The API that it is about, as `surface` of `review.yaml` names it."""
    api_version: Text | None = None
    """The released version that it is about, as the released contract calls it; needed where that names one."""
    elements: tuple[Text, ...]
    """What will be removed, as the ledger addresses it or a suffix of that; what encloses an element counts for it."""
    state: Literal["draft", "sent", "withdrawn"]
    """Only a notice that was sent counts."""
    given: Day | None = None
    """The day on which it was sent."""
    sent_to: tuple[Text, ...] = ()
    """The roles that it was sent to, and where it was published; a notice sent to nobody, or to the provider's own
    roles alone, does not count."""
    text: Text | None = None
    """What it says."""


class Adoption(Record):
    """What the owner of one client says about the path that the client requests."""

    client: Text
    """The client's id in the inventory."""
    path: Text
    """The route or version that it requests."""
    state: Literal["planned", "adopted", "withdrawn"]
    """Only `adopted` counts; of several entries about one client and path the last one."""
    role: Text
    """Who says so: the client's owner."""
    at: AwareDatetime
    """When; a time zone is required."""
    note: str = ""
    """Free text; printed escaped."""


class AdoptionRecord(Record):
    """Content of an evidence item of type `execution and approval record`: adoptions as their owners recorded them."""

    kind: Literal["adoption-record"] = "adoption-record"
    adoptions: tuple[Adoption, ...]
    """In the order recorded."""


class RollbackDrill(Record):
    """Content of an evidence item of type `execution and approval record`: one time that a rollback was exercised."""

    kind: Literal["rollback-drill"] = "rollback-drill"
    boundary: Text
    """What it went back to, as the rollout record names it."""
    result: Literal["succeeded", "failed", "aborted"]
    """Only one that succeeded counts, and only while every drill of the last day of this boundary succeeded."""
    on: Day
    """The day on which it took place."""
    environment: Text
    """Where it took place."""
    text: Text | None = None
    """What was done and seen."""
