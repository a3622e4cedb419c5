"""Examples that the owner of a client supplies: messages that it was written for. Nothing says that they were sent."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from evreview.evidence.records.base import Record, Text


class ClientExample(Record):
    """One message of one operation."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """`GET /v1/orders/{id}`, or an operation id."""
    part: Literal["request", "response"] = "response"
    """Whether the client sends or reads it."""
    status: int | None = None
    """Of a response: its status."""
    media_type: Text = "application/json"
    """The content type of the body."""
    body: JsonValue
    """The body as JSON, with invented values."""


class ClientExamples(Record):
    """Content of an evidence item of type `client inventory`: examples for one version of the contract."""

    kind: Literal["client-examples"] = "client-examples"
    client: Text
    """Whose examples they are."""
    contract_version: Text
    """The version of the contract that they were written for; for another one they count for nothing."""
    examples: tuple[ClientExample, ...]
    """The examples."""
