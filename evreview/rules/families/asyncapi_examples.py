"""The small AsyncAPI contracts that show the rules of that kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.comparison.rules.rule import Example, Slot
from evreview.core.vocabulary import Json, Polarity

ACTION: Final = {Polarity.READ: "receive", Polarity.WRITTEN: "send"}
ADDRESS: Final = "orders/{shop}"
_CHANNEL: Final[Json] = {"$ref": "#/channels/orders"}
PLACED: Final[dict[str, Json]] = {
    "name": "placed",
    "contentType": "application/json",
    "payload": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
}
CANCELLED: Final[dict[str, Json]] = {
    "name": "cancelled",
    "contentType": "application/json",
    "payload": {"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]},
}
Part = Mapping[str, Json]


def contract(
    polarity: Polarity | None,
    *messages: Part,
    channel: Part | None = None,
    operation: Part | None = None,
    document: Part | None = None,
) -> Json:
    """A contract with one channel and one operation on it; without a polarity nobody sends or receives."""
    carried: dict[str, Json] = {f"m{at}": dict(each) for at, each in enumerate(messages or (PLACED,))}
    on: dict[str, Json] = {"address": ADDRESS, "messages": carried, **(channel or {})}
    made: dict[str, Json] = {
        "asyncapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "channels": {"orders": on},
    }
    if polarity is not None:
        made["operations"] = {"orders": {"action": ACTION[polarity], "channel": _CHANNEL, **(operation or {})}}
    return {**made, **(document or {})}


def edit(before: Json, after: Json) -> tuple[Example, Example]:
    """An edit, and the same edit backwards as the one that must not fire the rule."""
    return Example(Slot.ASYNCAPI, before, after), Example(Slot.ASYNCAPI, after, before)


def beside(before: Json, after: Json, other: Json) -> tuple[Example, Example]:
    """An edit, and another one that starts at the same contract and must not fire the rule."""
    return Example(Slot.ASYNCAPI, before, after), Example(Slot.ASYNCAPI, before, other)
