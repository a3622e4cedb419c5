"""Channels and operations of both generations as one list: what the application receives and sends, and where.

2.x writes operations below their channel, from the point of view of others: they publish what the application receives.
3.x writes them beside the channels, from the application's own point of view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.contract.json_reader import Node
from evreview.contract.model import Place
from evreview.contracts.readers.asyncapi_destinations import OnWire, on_the_wire
from evreview.contracts.readers.asyncapi_scope import Named, Scope, reference_name
from evreview.contracts.readers.asyncapi_traits import Merged, merged
from evreview.core.vocabulary import Json

RECEIVE: Final = "receive"
SEND: Final = "send"
_ACTIONS: Final = {"publish": RECEIVE, "subscribe": SEND}


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel.

    Attributes:
        wire: the address on the wire, or the id in brackets where the contract leaves the address open.
        node, place: of the channel's object.
        messages: every message that may travel on it.
        addressed: False for an address that is only known at run time.
    """

    wire: OnWire
    node: Node
    place: Place
    messages: tuple[Named, ...] = ()
    addressed: bool = True

    @property
    def name(self) -> str:
        """The address on the wire."""
        return self.wire.address


@dataclass(frozen=True, slots=True)
class Reply:
    """What answers a received message, or is awaited after a sent one."""

    node: Node
    place: Place
    channel: Channel | None
    messages: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One action of the application on one channel.

    Attributes:
        action: receive or send.
        channel: where.
        parts: the operation's object with its traits.
        name: its id, "" without one.
        messages: what is received or sent.
        reply: of 3.x only.
    """

    action: str
    channel: Channel
    parts: Merged
    name: str
    messages: tuple[Named, ...]
    reply: Reply | None = None


@dataclass(slots=True)
class Surface:
    """All channels, by their place, and all operations, in document order."""

    channels: dict[Place, Channel] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)


def surface(scope: Scope) -> Surface:
    """The channels and operations of a document."""
    return _third(scope) if scope.third else _second(scope)


def _second(scope: Scope) -> Surface:
    found = Surface()
    below = scope.place.child("channels")
    for name, item in scope.mapping(scope.root, "channels", scope.place).items():
        named = None if name.startswith("x-") else scope.named(item, below.child(name), f"channel {name}", name)
        if named is None:
            continue
        # Two addresses may refer to one channel object: the place of the entry tells them apart.
        channel = _placed(name, named, scope)
        found.channels[below.child(name)] = channel
        for key, action in _ACTIONS.items():
            if key in named.node:
                found.operations += _second_operation(named.node[key], named.place.child(key), action, channel, scope)
    return found


def _second_operation(item: Json, place: Place, action: str, channel: Channel, scope: Scope) -> Iterator[Operation]:
    named = scope.named(item, place, f"{action} {channel.name}")
    if named is not None:
        parts = merged(named.node, named.place, scope)
        found = tuple(_alternatives(parts.node.get("message"), parts.at("message"), scope))
        yield Operation(action, channel, parts, str(parts.node.get("operationId", "")), found)


def _alternatives(item: Json, place: Place, scope: Scope) -> Iterator[Named]:
    """The messages below `message`: one, or those of its `oneOf`."""
    if item is None:
        return
    named = scope.named(item, place, "message")
    listed = named.node.get("oneOf") if named is not None else None
    if named is None or not isinstance(listed, list):
        yield from (named,) if named is not None else ()
        return
    for at, each in enumerate(listed):
        found = scope.named(each, named.place.child("oneOf", at), "message")
        if found is not None:
            yield found


def _third(scope: Scope) -> Surface:
    found = Surface()
    below = scope.place.child("channels")
    for name, item in scope.mapping(scope.root, "channels", scope.place).items():
        named = None if name.startswith("x-") else scope.named(item, below.child(name), f"channel {name}", name)
        if named is not None:
            found.channels.setdefault(named.place, _channel(name, named, scope))
    below = scope.place.child("operations")
    for name, item in scope.mapping(scope.root, "operations", scope.place).items():
        named = None if name.startswith("x-") else scope.named(item, below.child(name), f"operation {name}", name)
        if named is not None:
            found.operations += _third_operation(name, named, found, scope)
    return found


def _channel(name: str, named: Named, scope: Scope) -> Channel:
    address = named.node.get("address")
    if address is not None and not isinstance(address, str):
        scope.skip(named.place.child("address"), f"channel {name}: its address is no text", "write it as a string")
    below = named.place.child("messages")
    items = scope.mapping(named.node, "messages", named.place).items()
    listed = (scope.named(item, below.child(key), f"message {key}", key) for key, item in items)
    known = isinstance(address, str)
    shown = address if isinstance(address, str) else f"({name})"
    made = _placed(shown, named, scope)
    return replace(
        made, messages=tuple(each for each in listed if each is not None), addressed=known or bool(made.wire.bound)
    )


def _placed(address: str, named: Named, scope: Scope) -> Channel:
    return Channel(on_the_wire(address, named.node, named.place, scope), named.node, named.place)


def _third_operation(name: str, named: Named, found: Surface, scope: Scope) -> Iterator[Operation]:
    parts = merged(named.node, named.place, scope)
    action = parts.node.get("action")
    if action not in (RECEIVE, SEND):
        scope.skip(named.place, f"operation {name}: neither receive nor send", "name its action")
        return
    channel = _referred(parts.node.get("channel"), parts.at("channel"), found, scope)
    if channel is None:
        scope.skip(named.place, f"operation {name}: on no channel", "refer to one of the channels")
        return
    carried = _chosen(parts.node, parts.at("messages"), channel, scope)
    yield Operation(str(action), channel, parts, name, carried, _reply(parts, found, scope))


def _referred(item: Json, place: Place, found: Surface, scope: Scope) -> Channel | None:
    """The channel that a reference leads to; one that stands among the components only is read there."""
    if item is None:
        return None
    named = scope.named(item, place, "channel")
    if named is None:
        return None
    return found.channels.get(named.place) or _channel(named.name, named, scope)


def _chosen(node: Node, place: Place, channel: Channel | None, scope: Scope) -> tuple[Named, ...]:
    """The messages that are listed, all of the channel's where no list is given."""
    listed = node.get("messages")
    everything = channel.messages if channel is not None else ()
    if not isinstance(listed, list):
        return everything
    names = {each.place: each.name for each in reversed(everything)}
    found = []
    for at, item in enumerate(listed):
        named = scope.named(item, place.child(at), "message", reference_name(item))
        if named is not None:
            found.append(named._replace(name=named.name or names.get(named.place, "")))
    return tuple(found)


def _reply(parts: Merged, found: Surface, scope: Scope) -> Reply | None:
    item = parts.node.get("reply")
    named = scope.named(item, parts.at("reply"), "reply") if item is not None else None
    if named is None:
        return None
    channel = _referred(named.node.get("channel"), named.place.child("channel"), found, scope)
    carried = _chosen(named.node, named.place.child("messages"), channel, scope)
    return Reply(named.node, named.place, channel, carried)
