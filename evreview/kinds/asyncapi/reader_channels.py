"""Channels and operations of both generations as one list, traits merged: what is received and sent, and where.

2.x writes operations below their channel, from the point of view of others: they publish what the application receives.
3.x writes them beside the channels, from the application's own point of view.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from evreview.contract.json_reader import Node, Reading
from evreview.contract.model import Element, Place, SchemaDialect
from evreview.contract.references import RefKind, Resolver, classify_ref
from evreview.core.frozen import frozen
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Direction, Json, Role

# What every part of the reader shares: the generation of the format, and parts that have to be written anew.
#
# Value sets are places in documents. What holds only after merging (headers from a trait, the type that a parameter of
# an address has by definition) is written into a copy of the document, at the place that it belongs to.


VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
"""A variable in an address or URL."""
_PLAIN: Final[Mapping[str, str]] = {
    "kafka-secure": "kafka",
    "secure-mqtt": "mqtt",
    "mqtts": "mqtt",
    "amqps": "amqp",
    "https": "http",
    "stomps": "stomp",
    "wss": "ws",
    "ibmmq-secure": "ibmmq",
}
"""Protocols over a secured connection: their bindings go by the plain name."""
MAX_DEPTH: Final = 260
"""Levels of objects that are merged or translated: more than a document that is read may have."""
MAX_EDITS: Final = 20_000


class Position(NamedTuple):
    """Which direction the elements below belong to: what the application receives is read, what it sends is written."""

    role: Role
    direction: Direction | None

    @property
    def answering(self) -> Position:
        """The position of a reply."""
        return Position(self.role, self.direction.reversed if self.direction is not None else None)


class Named(NamedTuple):
    """Something that may be referred to: its object, where that is written, and the name that it goes by."""

    node: Node
    place: Place
    name: str


RECEIVED: Final = Position(Role.MESSAGE, Direction.READ)
SENT: Final = Position(Role.MESSAGE, Direction.WRITTEN)
UNDIRECTED: Final = Position(Role.MESSAGE, None)
DOCUMENT: Final = Position(Role.DOCUMENT, None)


class Scope(Reading):
    """One reading of one AsyncAPI document."""

    def __init__(self, resolver: Resolver, root: Node, entry: str, *, third: bool) -> None:
        super().__init__(SchemaDialect.DRAFT_7, resolver, root, entry)
        self.third = third
        self.shared: dict[tuple[object, ...], Element] = {}
        self.server_keys: Mapping[str, str] = {}
        self.edits: dict[Place, Json] = {}

    @property
    def protocols(self) -> frozenset[str]:
        """The protocols of all servers, the secured ones by their plain names."""
        return frozenset(protocol_of(key) for key in self.server_keys.values())

    def named(self, item: Json, place: Place, what: str, name: str = "") -> Named | None:
        """The object that `item` is or refers to, under the last name of its reference; None, recorded, without one."""
        found = self.resolve(item, place, what)
        return Named(*found, name or reference_name(item)) if found is not None else None

    def edited(self, place: Place, node: Json) -> Json:
        """Records that `node` is to stand at `place`; the node."""
        if len(self.edits) < MAX_EDITS:
            self.edits[place] = node
        else:
            self.skip(place, "more merged parts than are read", "split the document")
        return node


def protocol_of(server: str) -> str:
    """The protocol of a server by its key, a secured one by its plain name."""
    written = server.partition("://")[0]
    return _PLAIN.get(written, written)


def reference_name(item: Json) -> str:
    """The last step of a reference, "" for what is none."""
    ref = item.get("$ref") if isinstance(item, dict) else None
    steps = steps_of(ref.partition("#")[2]) if isinstance(ref, str) else None
    return steps[-1] if steps else ""


def rebased(node: Json, source: str, target: str, depth: int = 0) -> Json:
    """A node of the file `source` as it has to be written in the file `target`: its references lead where they led."""
    if source == target or depth > MAX_DEPTH:
        return node
    if isinstance(node, list):
        return [rebased(item, source, target, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Json] = {key: rebased(item, source, target, depth + 1) for key, item in node.items()}
    ref = node.get("$ref")
    if isinstance(ref, str):
        kind, file, fragment = classify_ref(source, ref)
        if kind in (RefKind.LOCAL, RefKind.FILE):
            made["$ref"] = f"{posixpath.relpath(file, posixpath.dirname(target) or '.')}#{fragment}"
    return made


def with_edits(documents: Mapping[str, Json], edits: Mapping[Place, Json]) -> Mapping[str, Json]:
    """The documents with every edit at its place; nothing of the originals is changed."""
    made = dict(documents)
    for place in sorted(edits):
        steps = steps_of(place.pointer)
        if steps is not None and place.file in made:
            made[place.file] = _put(made[place.file], steps, edits[place])
    return made


def _put(value: Json, steps: tuple[str, ...], node: Json) -> Json:
    if not steps:
        return node
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        # A list where an object belongs is unread, and nothing is written into it.
        at = int(step) if step.isdecimal() else -1
        return [_put(item, rest, node) if here == at else item for here, item in enumerate(value)]
    members: dict[str, Json] = dict(value) if isinstance(value, dict) else {}
    members[step] = _put(members.get(step), rest, node)
    return members


# Where the messages of a channel travel by its protocol: some bindings name a destination in place of the address.


REPLACING: Final[Mapping[str, str]] = {
    "kafka": "topic",
    "jms": "destination",
    "anypointmq": "destination",
    "sns": "name",
    "sqs": "queue.name",
    "ibmmq": "topic.string",
}
"""The member of a channel's binding that names the destination, by protocol: each binding specification says that it
counts where it differs from the address."""


class Destination(NamedTuple):
    """Where messages travel.

    Attributes:
        address: the one that the protocols know.
        written: the one that the channel gives.
        bound: the only protocol, where its binding names that address, else "".
        several: True for a channel of several protocols, where each has its own destination.
    """

    address: str
    written: str
    bound: str = ""
    several: bool = False


def on_the_wire(address: str, node: Node, place: Place, scope: Scope) -> Destination:
    """Where the messages of a channel with this address travel; one of several protocols keeps its own address."""
    named = _named(node, place, scope)
    protocols = _protocols(node, scope) or set(named)
    if len(protocols) > 1:
        return Destination(address, address, several=True)
    bound = next((protocol for protocol in protocols if named.get(protocol)), "")
    return Destination(named[bound] if bound else address, address, bound)


def _protocols(node: Node, scope: Scope) -> set[str]:
    """The protocols of the servers that a channel is on; of all servers, where it names none."""
    listed, keys = node.get("servers"), scope.server_keys
    names = list(keys)
    if isinstance(listed, list) and listed:
        names = [reference_name(item) if scope.third else str(item) for item in listed]
    return {protocol_of(keys[name]) for name in names if name in keys}


def _named(node: Node, place: Place, scope: Scope) -> dict[str, str]:
    """What each binding of the channel names, "" for one that names nothing."""
    item = node.get("bindings")
    found = scope.resolve(item, place.child("bindings"), "bindings") if item is not None else None
    made: dict[str, str] = {}
    for protocol, binding in found[0].items() if found is not None else ():
        held = scope.resolve(binding, found[1].child(protocol), f"binding {protocol}") if found is not None else None
        if held is not None and not protocol.startswith("x-"):
            told = _at(held[0], REPLACING.get(protocol, ""))
            made[protocol] = told if isinstance(told, str) else ""
    return made


def _at(node: Json, path: str) -> Json:
    for step in path.split(".") if path else ("",):
        node = node.get(step) if isinstance(node, dict) else None
    return node


# Traits: what an operation or message takes over from others, in the order of each generation of the format.
#
# 2.x patches the target with its traits, so that a trait overrides. 3.x patches the traits with the target, so that a
# trait never does; among traits the last one speaks (AsyncAPI 2.6 and 3.0, "Traits Merge Mechanism"; RFC 7386).


class Merged(NamedTuple):
    """An object with its traits.

    Attributes:
        node: every member that holds.
        place: of the object itself.
        owners: where a member stands that is not written in the object, by name.
    """

    node: Node
    place: Place
    owners: Mapping[str, Place]

    def at(self, name: str) -> Place:
        """The place of a member."""
        return self.owners.get(name, self.place).child(name)

    def pointer(self, name: str) -> str:
        """A member's pointer relative to the object, "" for one that a trait brings."""
        return f"/{name}" if name in self.node and self.owners.get(name, self.place) == self.place else ""


def merged(node: Node, place: Place, scope: Scope) -> Merged:
    """An operation or a message with its traits."""
    listed = node.get("traits")
    own = {key: value for key, value in node.items() if key != "traits"}
    if listed is None:
        return Merged(own, place, {})
    parts = [(own, place)]
    traits = []
    for at, item in enumerate(scope.listing(node, "traits", place)):
        found = scope.resolve(item, place.child("traits", at), "trait")
        traits += [found] if found is not None else []
    parts = [*traits, *parts] if scope.third else [*parts, *traits]
    return _joined(parts, place, scope)


def _joined(parts: list[tuple[Node, Place]], place: Place, scope: Scope) -> Merged:
    members: Node = {}
    owners: dict[str, Place] = {}
    for node, at in parts:
        for key, value in node.items():
            before = members.get(key)
            if value is None and key in members:
                del members[key]
            elif isinstance(before, dict) and isinstance(value, dict):
                old = rebased(before, owners.get(key, place).file, place.file)
                members[key] = patched(old, rebased(value, at.file, place.file), place, scope)
                owners[key] = place
                scope.edited(place.child(key), members[key])
            else:
                members[key] = value
                owners[key] = at
    return Merged(members, place, {key: at for key, at in owners.items() if at != place and key in members})


def patched(target: Json, patch: Json, place: Place, scope: Scope, depth: int = 0) -> Json:
    """`target` with `patch` over it; two references are followed first, for what they lead to is merged."""
    if not isinstance(patch, dict) or not isinstance(target, dict) or depth > MAX_DEPTH:
        return patch
    target, patch = _followed(target, place, scope), _followed(patch, place, scope)
    if not isinstance(patch, dict) or not isinstance(target, dict) or target == patch:
        return patch
    made = dict(target)
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = patched(made[key], value, place, scope, depth + 1) if key in made else value
    return made


def _followed(node: Json, place: Place, scope: Scope) -> Json:
    """What a reference leads to, as it has to be written in the file of `place`; a dangling one stays."""
    if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
        return node
    found = scope.resolver.follow(place, node)
    return node if found is None else rebased(found[1], found[0].file, place.file)


RECEIVE: Final = "receive"
SEND: Final = "send"
_ACTIONS: Final = {"publish": RECEIVE, "subscribe": SEND}


@frozen
class Channel:
    """A channel.

    Attributes:
        wire: the address on the wire, or the id in brackets where the contract leaves the address open.
        node, place: of the channel's object.
        messages: every message that may travel on it.
        addressed: False for an address that is only known at run time.
    """

    wire: Destination
    node: Node
    place: Place
    messages: tuple[Named, ...] = ()
    addressed: bool = True

    @property
    def name(self) -> str:
        """The address on the wire."""
        return self.wire.address


@frozen
class Reply:
    """What answers a received message, or is awaited after a sent one."""

    node: Node
    place: Place
    channel: Channel | None
    messages: tuple[Named, ...]


@frozen
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
class ChannelsAndOperations:
    """All channels, by their place, and all operations, in document order."""

    channels: dict[Place, Channel] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)


def surface(scope: Scope) -> ChannelsAndOperations:
    """The channels and operations of a document."""
    return _third(scope) if scope.third else _second(scope)


def _second(scope: Scope) -> ChannelsAndOperations:
    found = ChannelsAndOperations()
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


def _third(scope: Scope) -> ChannelsAndOperations:
    found = ChannelsAndOperations()
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


def _third_operation(name: str, named: Named, found: ChannelsAndOperations, scope: Scope) -> Iterator[Operation]:
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


def _referred(item: Json, place: Place, found: ChannelsAndOperations, scope: Scope) -> Channel | None:
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


def _reply(parts: Merged, found: ChannelsAndOperations, scope: Scope) -> Reply | None:
    item = parts.node.get("reply")
    named = scope.named(item, parts.at("reply"), "reply") if item is not None else None
    if named is None:
        return None
    channel = _referred(named.node.get("channel"), named.place.child("channel"), found, scope)
    carried = _chosen(named.node, named.place.child("messages"), channel, scope)
    return Reply(named.node, named.place, channel, carried)
