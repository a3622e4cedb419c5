"""AsyncAPI 2.0 to 2.6, 3.0 and 3.1 documents as a contract; the parts that stand by themselves are in `reader_*.py`.

Operations are one element per direction and address, whatever ids and how many entries a document gives them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.contract.json_reader import Node, described, unique
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.contract.source import Files, load_source
from evreview.core.errors import bad_input
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Aspect, ContractKind, Direction, Json
from evreview.kinds.asyncapi.reader_channels import (
    DOCUMENT,
    RECEIVE,
    RECEIVED,
    SENT,
    UNDIRECTED,
    VARIABLE,
    Channel,
    ChannelsAndOperations,
    Merged,
    Named,
    Operation,
    Position,
    Reply,
    Scope,
    merged,
    surface,
    with_edits,
)
from evreview.kinds.asyncapi.reader_servers import (
    MESSAGE,
    OPERATION,
    OWN,
    Format,
    PayloadLanguage,
    bindings,
    channel_bindings,
    format_of,
    payload_facet,
    security,
    security_schemes,
    server_elements,
    server_keys,
    servers,
    translate,
    used_servers,
)
from evreview.messages.media_types import media_type_key

# Messages: what they carry, in which language it is described, and how they are told apart.


_LABELS: Final = ("name", "title", "messageId")
_ANYTHING: Final[Mapping[str, Json]] = {"payload": True, "headers": {"type": "object"}}
_UNREAD: Final = {
    PayloadLanguage.RAML: "payloads described by RAML are not read: a change of one is shown and not judged",
    PayloadLanguage.OTHER: "payloads described in this format are not read: a change of one is shown and not judged",
}


def messages(found: Sequence[Named], scope: Scope, position: Position) -> tuple[Element, ...]:
    """One element per message, each once; keys are names that the author gave, made unique by those of components."""
    once = tuple({each.place: each for each in found}.values())
    whole = list(_different((each, merged(each.node, each.place, scope)) for each in once))
    names = [_name(each, parts) for each, parts in whole]
    often = Counter(names)
    made: dict[str, Element] = {}
    for (each, parts), name in zip(whole, names, strict=True):
        key = name if often[name] == 1 else f"{name} ({_component(each)})"
        while key in made:
            key += "'"
        made[key] = _shared(key, each, parts, scope, position)
    return tuple(made.values())


def _different(found: Iterable[tuple[Named, Merged]]) -> Iterator[tuple[Named, Merged]]:
    """The messages without those that another one of the same name and file says alike."""
    said: set[tuple[str, str, str]] = set()
    for each, parts in found:
        told = (_name(each, parts), each.place.file, json.dumps(parts.node, sort_keys=True))
        if told not in said:
            said.add(told)
            yield each, parts


def _name(named: Named, parts: Merged) -> str:
    given = next((parts.node[key] for key in ("name", "messageId") if isinstance(parts.node.get(key), str)), None)
    return str(given or _component(named) or parts.node.get("title") or "")


def _component(named: Named) -> str:
    """The name of the component that holds a message, else that of its entry in the channel; "" for one in place."""
    steps = steps_of(named.place.pointer) or ()
    return steps[-1] if steps[-2:-1] == ("messages",) else named.name


def _shared(key: str, named: Named, parts: Merged, scope: Scope, position: Position) -> Element:
    shared = ("message", key, named.place, position)
    if shared not in scope.shared:
        scope.shared[shared] = _message(key, named, parts, scope, position)
    return scope.shared[shared]


def _message(key: str, named: Named, parts: Merged, scope: Scope, position: Position) -> Element:
    payload = _described(parts, "payload", scope)
    head = _described(parts, "headers", scope)
    return Element(
        kind=ElementKind.MESSAGE,
        key=key,
        name=key,
        aspect=Aspect.METHODS,
        place=named.place,
        **position._asdict(),
        facets=(*_message_facets(named, parts, scope), *_language(payload), *described(parts.node)),
        value=payload.value,
        children=(
            *([_headers(head.value, position)] if head.value is not None else []),
            *bindings(parts, scope, position, MESSAGE),
        ),
    )


def _message_facets(named: Named, parts: Merged, scope: Scope) -> Iterator[Facet]:
    for label in _LABELS:
        if label in parts.node:
            yield Facet(label, Aspect.IDENTIFIERS, parts.node[label], False, parts.pointer(label))
    yield Facet("component", Aspect.IDENTIFIERS, _component(named), False)
    declared = parts.node.get("contentType")
    content_type = declared if declared is not None else scope.root.get("defaultContentType")
    if isinstance(content_type, str):
        where = parts.pointer("contentType")
        yield Facet("contentType", Aspect.CONTENT_TYPES, media_type_key(content_type), True, where)
    elif content_type is not None:
        scope.skip(parts.place, "contentType: not a string", "write it as a media type")
    yield from _correlation(parts, scope)


def _correlation(parts: Merged, scope: Scope) -> Iterator[Facet]:
    item = parts.node.get("correlationId")
    found = scope.resolve(item, parts.at("correlationId"), "correlation id") if item is not None else None
    if found is not None:
        location = found[0].get("location")
        yield Facet("correlationId", Aspect.CORRELATION, location, True, parts.pointer("correlationId"))


class _Part:
    """A payload or headers: the format, the value set of JSON, and the description as it stands in any other."""

    __slots__ = ("format", "node", "pointer", "value")

    def __init__(self, written: Format, value: ValueSet | None, node: Json, pointer: str = "/payload") -> None:
        self.format, self.value, self.node, self.pointer = written, value, node, pointer


def _format(parts: Merged, scope: Scope) -> Format:
    return OWN if scope.third else format_of(parts.node.get("schemaFormat"), parts.at("schemaFormat"), scope)


def _described(parts: Merged, key: str, scope: Scope) -> _Part:
    """What describes a part of the message, whichever way the generation names its format."""
    if key not in parts.node:
        return _undescribed(key, parts, scope)
    node, place = parts.node[key], parts.at(key)
    written = OWN if key == "headers" else _format(parts, scope)
    multi = _multi_format(node, place, scope) if scope.third else None
    if multi is not None:
        holder, at = multi
        written = format_of(holder.get("schemaFormat"), at.child("schemaFormat"), scope)
        node, place = holder.get("schema"), at.child("schema")
    if not written.is_json:
        if written.language in _UNREAD:
            scope.skip(place, _UNREAD[written.language], f"it is {written.written}")
        inside = place.file == parts.place.file and place.pointer.startswith(f"{parts.place.pointer}/")
        pointer = place.pointer.removeprefix(parts.place.pointer) if inside else "/payload"
        return _Part(written, None, _resolved_text(node, place, scope), pointer)
    if not isinstance(node, dict | bool):
        scope.skip(place, f"{key}: neither an object nor a boolean", "describe it by a schema")
        return _Part(written, None, None)
    if written.language is PayloadLanguage.OPENAPI:
        translate(node, place, scope)
        node = scope.edits.get(place, node)
    return _Part(written, ValueSet(place, node, scope.dialect), None)


def _undescribed(key: str, parts: Merged, scope: Scope) -> _Part:
    """Any payload, and headers of any names: what holds of a part that a message does not describe."""
    written = OWN if key == "headers" else _format(parts, scope)
    if not written.is_json:
        return _Part(written, None, None)
    place = parts.place.child(key)
    return _Part(written, ValueSet(place, scope.edited(place, _ANYTHING[key]), scope.dialect), None)


def _multi_format(node: Json, place: Place, scope: Scope) -> tuple[Node, Place] | None:
    """The Multi Format Schema Object that a node is or refers to."""
    found = scope.resolver.follow(place, node)
    holder = found[1] if found is not None else None
    is_multi = isinstance(holder, dict) and "schemaFormat" in holder and "schema" in holder
    return (holder, found[0]) if is_multi and found is not None and isinstance(holder, dict) else None


def _resolved_text(node: Json, place: Place, scope: Scope) -> Json:
    """A description that is no JSON Schema: what its reference leads to, or the reference where that is not here."""
    found = scope.resolver.follow(place, node)
    return found[1] if found is not None else node


def _language(payload: _Part) -> Iterator[Facet]:
    written = payload.format
    name = PayloadLanguage.JSON if written.is_json else written.language
    spelled = written.written if written.language is PayloadLanguage.OTHER else name.value
    yield Facet("schemaFormat", Aspect.FORMATS, spelled)
    yield Facet("schemaFormat as written", Aspect.ANNOTATIONS, written.written, False)
    if not written.is_json:
        yield Facet(payload_facet(written.language), Aspect.CONTENT_MODEL, payload.node, True, payload.pointer)


def _headers(value: ValueSet, position: Position) -> Element:
    return Element(
        kind=ElementKind.HEADERS,
        key="",
        name="headers",
        aspect=Aspect.HEADERS,
        place=value.place,
        **position._asdict(),
        value=value,
    )


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


def operations(found: ChannelsAndOperations, scope: Scope) -> Iterator[Element]:
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
        **position._asdict(),
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
        **position._asdict(),
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
            if position.direction is Direction.WRITTEN:
                # Whoever subscribes names an address, too, and has to find it served.
                yield replace(made, key=f"{SUBSCRIBED}:{at}", direction=Direction.READ, facets=())
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
        **position._asdict(),
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
            **position._asdict(),
            # An address that a message names replaces the one of the channel.
            facets=(place if address is None else Facet("address", Aspect.CHANNELS, address, True, "/address"),),
            children=messages([each for one in group for each in one.messages], scope, position),
        )


def _location(reply: Reply, scope: Scope) -> Json:
    item = reply.node.get("address")
    found = scope.resolve(item, reply.place.child("address"), "reply address") if item is not None else None
    return found[0].get("location") if found is not None else None


def non_wire_channels(found: ChannelsAndOperations, scope: Scope) -> Iterator[Element]:
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


# The document as a whole.


_VERSION: Final = re.compile(r"(2)\.[0-6](?:\.\d+)?(?:-.*)?|(3)\.[01](?:\.\d+)?(?:-.*)?")


def read(files: Files) -> Contract:
    """The contract that an AsyncAPI document describes.

    Raises:
        BadInput: `asyncapi-version`, `asyncapi-channels`, and what `load_source` raises.
    """
    source = load_source(files.entry, files.load, files.root, elsewhere=True)
    root = source.root if isinstance(source.root, dict) else {}
    written, third = _version(root, source.entry)
    _check_channels(root, source.entry, third=third)
    scope = Scope(Resolver(source.documents), root, source.entry, third=third)
    info = scope.mapping(root, "info", scope.place)
    element = _document(root, info, written, scope)
    return Contract(
        kind=ContractKind.ASYNCAPI,
        version=written,
        title=str(info.get("title", "")),
        release=str(info.get("version", "")),
        path=source.entry,
        sha256=source.sha256,
        root=element,
        documents=with_edits(source.documents, scope.edits),
        unread=tuple(dict.fromkeys((*source.unread, *scope.unread))),
    )


def _version(root: Node, file: str) -> tuple[str, bool]:
    written = root.get("asyncapi")
    text = str(written) if isinstance(written, str | float) and not isinstance(written, bool) else ""
    match = _VERSION.fullmatch(text)
    if match is None:
        found = f"asyncapi {text}: not a version that is read" if text else "asyncapi: no version"
        advice = "AsyncAPI 2.0 to 2.6, 3.0 and 3.1 are read"
        raise bad_input("asyncapi-version", found, file=file, place="#/asyncapi", advice=advice)
    return text, match[2] is not None


def _check_channels(root: Node, file: str, *, third: bool) -> None:
    channels = root.get("channels")
    if isinstance(channels, dict) or (channels is None and third):
        return
    found = "no channels" if "channels" not in root else "channels is not an object"
    advice = "check that this is a whole AsyncAPI document"
    raise bad_input("asyncapi-channels", found, file=file, place="#/channels", advice=advice)


def _document(root: Node, info: Node, written: str, scope: Scope) -> Element:
    declared = servers(scope)
    scope.server_keys = server_keys(declared, scope)
    found = surface(scope)
    children = (
        *server_elements(declared, scope),
        *security_schemes(scope),
        *operations(found, scope),
        *non_wire_channels(found, scope),
    )
    return Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name=str(info.get("title", "")),
        aspect=Aspect.ANNOTATIONS,
        place=scope.place,
        role=DOCUMENT.role,
        facets=tuple(_document_facets(root, info, written)),
        children=unique(children, scope),
    )


def _document_facets(root: Node, info: Node, written: str) -> Iterator[Facet]:
    yield Facet("format", Aspect.IDENTIFIERS, written, False, "/asyncapi")
    if "id" in root:
        yield Facet("id", Aspect.IDENTIFIERS, root["id"], False, "/id")
    # 3.x moved tags and external documentation of the document into `info`.
    moved: Node = {key: root[key] for key in ("tags", "externalDocs") if key in root}
    described_by: Node = {**moved, **info}
    for name, value in described_by.items():
        yield Facet(f"info.{name}", Aspect.ANNOTATIONS, value, False)
    yield from (facet for facet in described(root) if facet.name not in moved)
