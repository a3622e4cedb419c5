"""Operations as elements: one per direction and address, whatever ids and how many entries a document gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.contracts.readers.asyncapi_bindings import OPERATION, bindings, channel_bindings
from evreview.contracts.readers.asyncapi_messages import messages
from evreview.contracts.readers.asyncapi_scope import RECEIVED, SENT, UNDIRECTED, VARIABLE, Named, Position, Scope
from evreview.contracts.readers.asyncapi_traits import Merged
from evreview.core.vocabulary import Aspect, Json, Polarity
from evreview.kinds.asyncapi.reader_channels import RECEIVE, Channel, Operation, Reply, Surface
from evreview.kinds.asyncapi.reader_servers import security, used_servers
from evreview.kinds.openapi.reader_content import described

SUBSCRIBED: Final = "subscription"
"""The key, before its number, of a variable as those name it who subscribe to what the application sends."""


class Keys:
    """The keys of addresses: names of parameters count only where two addresses differ in nothing else."""

    def __init__(self, channels: Iterable[Channel]) -> None:
        names = {channel.name for channel in channels}
        self._often = Counter(VARIABLE.sub("{}", name) for name in names)

    def of(self, channel: Channel) -> str:
        """The key of a channel's address."""
        bare = VARIABLE.sub("{}", channel.name)
        return bare if self._often[bare] <= 1 else channel.name


def operations(found: Surface, scope: Scope) -> Iterator[Element]:
    """One element per direction and address, in document order."""
    keys = Keys([*found.channels.values(), *(each.channel for each in found.operations)])
    grouped: dict[tuple[str, str], list[Operation]] = {}
    for operation in found.operations:
        grouped.setdefault((operation.action, keys.of(operation.channel)), []).append(operation)
    for (action, key), group in grouped.items():
        yield _operation(f"{action} {key}", group, scope, keys)


def _operation(key: str, group: Sequence[Operation], scope: Scope, keys: Keys) -> Element:
    first = group[0]
    position = RECEIVED if first.action == RECEIVE else SENT
    replies = [each.reply for each in group if each.reply is not None]
    return Element(
        kind=ElementKind.OPERATION,
        key=key,
        name=f"{first.action} {first.channel.name}",
        aspect=Aspect.CHANNELS,
        place=first.parts.place,
        role=position.role,
        polarity=position.polarity,
        facets=(*_ids(group), *described(first.parts.node)),
        children=(
            *_channels(group, scope, position),
            *_parameters(first.channel, scope, position),
            *_own(group, scope, position),
            *messages([each for one in group for each in one.messages], scope, position),
            *_replies(replies, scope, position.answering, keys),
        ),
    )


def _ids(group: Sequence[Operation]) -> Iterator[Facet]:
    names = sorted(each.name for each in group if each.name)
    if names:
        yield Facet("operationId", Aspect.IDENTIFIERS, ", ".join(names), False)
    title = group[0].parts.node.get("title")
    if title is not None:
        yield Facet("title", Aspect.ANNOTATIONS, title, False, "/title")


def _own(group: Sequence[Operation], scope: Scope, position: Position) -> Iterator[Element]:
    """Security and bindings of the operations of one element: once where they agree, else each under its id."""
    made: dict[tuple[ElementKind, str], list[tuple[Operation, Element]]] = {}
    for each in group:
        for child in (security(each.parts, scope, position), *bindings(each.parts, scope, position, OPERATION)):
            made.setdefault((child.kind, child.key), []).append((each, child))
    for found in made.values():
        alike = len(found) == len(group) and all(_same(found[0][1], other) for _, other in found)
        for each, child in found[:1] if alike else found:
            yield child if alike else replace(child, key=f"{child.key} ({_told_apart(each, group)})")


def _told_apart(operation: Operation, group: Sequence[Operation]) -> str:
    """What tells an operation from others of its element: the address that its channel gives, else its id."""
    written = operation.channel.wire.written
    shared = sum(each.channel.wire.written == written for each in group) > 1
    return operation.name if shared else written


def _channels(group: Sequence[Operation], scope: Scope, position: Position) -> Iterator[Element]:
    """The channel of an element; where bindings lead several to one destination, also those that say something else."""
    found = {each.channel.wire.written: each.channel for each in reversed(group)}
    first = _channel(group[0].channel, "", scope, position)
    yield first
    for written in dict.fromkeys(each.channel.wire.written for each in group[1:]):
        other = _channel(found[written], written, scope, position)
        alike = len(other.children) == len(first.children) and all(map(_same, first.children, other.children))
        if not alike:
            yield other


def _same(one: Element, other: Element) -> bool:
    def said(element: Element) -> list[tuple[str, object]]:
        return [(facet.name, facet.value) for facet in element.facets if facet.on_wire]

    values = [(child.key, child.value.node if child.value else None) for child in one.children]
    return said(one) == said(other) and values == [
        (child.key, child.value.node if child.value else None) for child in other.children
    ]


def _channel(
    channel: Channel,
    key: str,
    scope: Scope,
    position: Position,
    below: Sequence[Named] = (),
) -> Element:
    owner = Merged(channel.node, channel.place, {})
    where = "/servers" if "servers" in channel.node else ""
    written = [Facet("address as written", Aspect.IDENTIFIERS, channel.wire.written, False)]
    return Element(
        kind=ElementKind.CHANNEL,
        key=key,
        name=channel.name,
        aspect=Aspect.CHANNELS,
        place=channel.place,
        role=position.role,
        polarity=position.polarity,
        facets=(
            Facet("servers", Aspect.SERVERS, used_servers(channel.node, scope), True, where),
            Facet("channel name", Aspect.IDENTIFIERS, channel.place.pointer.rpartition("/")[2], False),
            *(written if channel.wire.bound else ()),
            *([Facet("title", Aspect.ANNOTATIONS, channel.node["title"], False)] if "title" in channel.node else []),
            *described(channel.node),
        ),
        children=(
            *channel_bindings(owner, scope, position, channel.wire),
            *messages(below, scope, position),
        ),
    )


def _parameters(channel: Channel, scope: Scope, position: Position) -> Iterator[Element]:
    """One element per variable of the address, whether it is described or not; of what is sent two, one each way."""
    declared = scope.mapping(channel.node, "parameters", channel.place)
    below = channel.place.child("parameters")
    variables = list(dict.fromkeys(VARIABLE.findall(channel.name))) if channel.addressed else list(declared)
    for at, name in enumerate(variables):
        named = scope.named(declared.get(name, {}), below.child(name), f"parameter {name}", name)
        if named is not None:
            made = _parameter(f"address:{at}", name, named, scope, position)
            yield made
            if position.polarity is Polarity.WRITTEN:
                # Whoever subscribes names an address, too, and has to find it served.
                yield replace(made, key=f"{SUBSCRIBED}:{at}", polarity=Polarity.READ, facets=())
    written = VARIABLE.findall(channel.wire.written)
    for name in declared:
        if name not in variables and name not in written:
            scope.skip(below.child(name), f"parameter {name}: not in the address", "put it into the address")


def _parameter(key: str, name: str, named: Named, scope: Scope, position: Position) -> Element:
    facets = [Facet("name", Aspect.IDENTIFIERS, name, False)]
    if "location" in named.node:
        facets.append(Facet("location", Aspect.PARAMETERS, named.node["location"], True, "/location"))
    return Element(
        kind=ElementKind.PARAMETER,
        key=key,
        name=name,
        aspect=Aspect.PARAMETERS,
        place=named.place,
        role=position.role,
        polarity=position.polarity,
        facets=(*facets, *described(named.node)),
        value=_variable_values(named, scope),
    )


def _variable_values(named: Named, scope: Scope) -> ValueSet:
    """The texts that a variable of an address stands for: 3.x says by itself that it is a string."""
    place = named.place.child("schema")
    if scope.third:
        kept: dict[str, Json] = {key: named.node[key] for key in ("enum", "default") if key in named.node}
        node = scope.edited(place, {"type": "string", **kept})
    else:
        node = named.node["schema"] if "schema" in named.node else scope.edited(place, {"type": "string"})
    return ValueSet(place, node, scope.dialect)


def _replies(found: Sequence[Reply], scope: Scope, position: Position, keys: Keys) -> Iterator[Element]:
    """One element per place that replies go to."""
    grouped: dict[str, list[Reply]] = {}
    for reply in found:
        grouped.setdefault(keys.of(reply.channel) if reply.channel is not None else "", []).append(reply)
    for at, (where, group) in enumerate(grouped.items()):
        address = _location(group[0], scope)
        place = Facet("channel", Aspect.CHANNELS, where, True, "/channel")
        yield Element(
            kind=ElementKind.REPLY,
            key="" if len(grouped) == 1 else where or str(at),
            name="reply",
            aspect=Aspect.CHANNELS,
            place=group[0].place,
            role=position.role,
            polarity=position.polarity,
            # An address that a message names replaces the one of the channel.
            facets=(place if address is None else Facet("address", Aspect.CHANNELS, address, True, "/address"),),
            children=messages([each for one in group for each in one.messages], scope, position),
        )


def _location(reply: Reply, scope: Scope) -> Json:
    item = reply.node.get("address")
    found = scope.resolve(item, reply.place.child("address"), "reply address") if item is not None else None
    return found[0].get("location") if found is not None else None


def idle_channels(found: Surface, scope: Scope) -> Iterator[Element]:
    """Channels, and messages on them, that no operation of the contract sends or receives: without direction."""
    used: dict[Place, set[Place]] = {}
    for operation in found.operations:
        used.setdefault(operation.channel.place, set()).update(each.place for each in operation.messages)
        if operation.reply is not None and operation.reply.channel is not None:
            carried = {each.place for each in operation.reply.messages}
            used.setdefault(operation.reply.channel.place, set()).update(carried)
    keys = Keys(found.channels.values())
    seen: set[str] = set()
    for channel in found.channels.values():
        left = [each for each in channel.messages if each.place not in used.get(channel.place, set())]
        key = keys.of(channel)
        if (left or channel.place not in used) and key not in seen:
            seen.add(key)
            yield _channel(channel, key, scope, UNDIRECTED, left)
