"""A message of an event contract as a witness shows it: where it travels, what it carries, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.core.vocabulary import Json

KIND: Final = "event"
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One message.

    Attributes:
        action: what the application does with it: receive or send.
        address: of the channel, its variables filled in.
        reply: True for what answers a message of that operation.
        names: the message that it is meant to be, by side; a side that has none by that name is not asked for one.
        content_type: "" where the contract names none.
        headers, payload: as values.
        bindings: what the protocol carries beside them, by its place below `bindings` (`kafka key`).
    """

    action: str
    address: str
    payload: Json
    headers: Json = None
    reply: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    bindings: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The message as JSON; what it does not have is left out."""
        made: dict[str, Json] = {"kind": KIND, "action": self.action, "address": self.address}
        named: dict[str, Json] = {"reply": self.reply, "message": dict(self.names), "content_type": self.content_type}
        named |= {"headers": self.headers, "bindings": dict(self.bindings)}
        made |= {key: value for key, value in named.items() if value not in (False, "", {}, None)}
        return {**made, "payload": self.payload}


def from_json(stated: Mapping[str, Json]) -> Event:
    """The message that `to_json` wrote.

    Raises:
        ValueError: it is not one.
    """
    names, bindings = stated.get("message", {}), stated.get("bindings", {})
    if not isinstance(names, Mapping) or not isinstance(bindings, Mapping):
        raise ValueError("message and bindings are objects")
    if "payload" not in stated:
        raise ValueError("an event has a payload")
    return Event(
        action=_text(stated, "action"),
        address=_text(stated, "address"),
        payload=stated["payload"],
        headers=stated.get("headers", {}),
        reply=stated.get("reply") is True,
        names={str(side): str(name) for side, name in names.items()},
        content_type=_text(stated, "content_type"),
        bindings=bindings,
    )


def _text(stated: Mapping[str, Json], key: str) -> str:
    value = stated.get(key, "")
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError(f"{key}: not a text of up to {_LONGEST} characters")
    return value
