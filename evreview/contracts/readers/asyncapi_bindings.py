"""Bindings: what a protocol adds to a server, channel, operation or message.

Their leaves are facets, their schemas value sets of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.json_reader import Node
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.contracts.readers.asyncapi_destinations import REPLACING, OnWire
from evreview.contracts.readers.asyncapi_formats import Language, format_of
from evreview.contracts.readers.asyncapi_scope import VARIABLE, Position, Scope
from evreview.contracts.readers.asyncapi_traits import Merged
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import unique

MAX_LEAVES: Final = 500
SERVER: Final = "server"
CHANNEL: Final = "channel"
OPERATION: Final = "operation"
MESSAGE: Final = "message"
_OBJECT: Final[Json] = {"type": "object"}
_SCHEMAS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("kafka", MESSAGE): {"key": True},
    ("http", OPERATION): {"query": _OBJECT},
    ("http", MESSAGE): {"headers": _OBJECT},
    ("ws", CHANNEL): {"query": _OBJECT, "headers": _OBJECT},
    ("mqtt", MESSAGE): {"correlationData": True, "responseTopic": True},
    ("mqtt5", MESSAGE): {"correlationData": True, "responseTopic": True},
    ("jms", MESSAGE): {"headers": _OBJECT},
    ("anypointmq", MESSAGE): {"headers": _OBJECT},
}
"""Members that are schemas, by the binding specifications, with what holds where a contract does not describe them."""
AVRO_KEY: Final = "avro key"
"""The facet of a key that is described by Avro."""
_AVRO: Final = frozenset({"record", "fixed", "enum", "int", "long", "float", "double", "bytes", "map"})
"""Types that only Avro knows."""
_ORDERING: Final = frozenset(
    {
        "partitions",
        "key",
        "queue.fifoQueue",
        "fifoQueue",
        "queue.type",
        "ordering.type",
        "queue.deduplicationScope",
        "queue.fifoThroughputLimit",
        "schemaLookupStrategy",
    }
)
"""Members that say which messages stay in order, or what the order hangs on."""


def bindings(owner: Merged, scope: Scope, position: Position, level: str) -> tuple[Element, ...]:
    """One element per protocol below `bindings` of an object, and per protocol of a server that has schemas there.

    Args:
        owner: the object.
        scope: the reading.
        position: whose direction it has.
        level: what the object is: `SERVER`, `CHANNEL`, `OPERATION` or `MESSAGE`.
    """
    item = owner.node.get("bindings")
    found = scope.resolve(item, owner.at("bindings"), "bindings") if item is not None else None
    node, place = found if found is not None else ({}, owner.place.child("bindings"))
    spoken = [each for each in sorted(scope.protocols) if each not in node and (each, level) in _SCHEMAS]
    every: Node = {**node, **{each: {} for each in spoken}}
    return unique(_bindings(every, place, scope, position, level), scope)


def channel_bindings(owner: Merged, scope: Scope, position: Position, wire: OnWire) -> Iterator[Element]:
    """The bindings of a channel, with the destination that holds: a row of its own only where no address tells it."""
    for made in bindings(owner, scope, position, CHANNEL):
        member = REPLACING.get(made.key, "")
        if member and made.key == wire.bound:
            facets = tuple(each._replace(on_wire=each.on_wire and each.name != member) for each in made.facets)
            if made.children or any(each.on_wire for each in facets):
                yield replace(made, facets=facets)
        elif member and wire.several and made.facet(member) is None:
            bare = VARIABLE.sub("{}", wire.address)
            yield replace(made, facets=(*made.facets, Facet(member, Aspect.BINDINGS, bare)))
        else:
            yield made


def _bindings(node: Node, place: Place, scope: Scope, position: Position, level: str) -> Iterator[Element]:
    for protocol, item in node.items():
        if protocol.startswith("x-"):
            continue
        found = scope.resolve(item, place.child(protocol), f"binding {protocol}")
        if found is not None:
            yield _Binding(protocol, *found, scope, position).element(_SCHEMAS.get((protocol, level), {}))


@dataclass(frozen=True, slots=True)
class _Binding:
    """What one protocol adds to an object."""

    protocol: str
    node: Node
    place: Place
    scope: Scope
    position: Position

    def element(self, schemas: Mapping[str, Json]) -> Element:
        """The binding; `schemas` are its members that are schemas, with what holds where they are not described."""
        values = {key: self._value(key, schemas[key]) for key in schemas}
        avro = {key: found for key in schemas if (found := self._avro(key)) is not None}
        told = {*avro, *(key for key, value in values.items() if value is not None)}
        plain = {key: item for key, item in self.node.items() if key not in told}
        written = (Facet(AVRO_KEY, Aspect.ORDERING, found, True, pointer((key,))) for key, found in avro.items())
        return Element(
            kind=ElementKind.BINDING,
            key=self.protocol,
            name=self.protocol,
            aspect=Aspect.BINDINGS,
            place=self.place,
            role=self.position.role,
            polarity=self.position.polarity,
            facets=(*_facets(plain, self.place, self.scope), *written),
            children=tuple(self._schema(key, value) for key, value in values.items() if value is not None),
        )

    def _value(self, key: str, undescribed: Json) -> ValueSet | None:
        """The values of a member; None for what is elsewhere, or in another language: it is compared as text."""
        place, scope = self.place.child(key), self.scope
        item = self.node.get(key)
        if item is None:
            return ValueSet(place, scope.edited(place, undescribed), scope.dialect)
        if not isinstance(item, dict | bool):
            return None
        found = scope.resolver.follow(self.place, item)
        if found is None:
            scope.skip(place, f"binding {self.protocol}: the schema of {key} is not here", "put a copy beside it")
            return None
        target = found[1]
        other = isinstance(target, dict) and (_is_avro(target) or "schemaFormat" in target)
        return None if other else ValueSet(place, item, scope.dialect)

    def _avro(self, key: str) -> Json | None:
        """The schema of a Kafka key that is described by Avro, None for any other one."""
        item = self.node.get(key)
        found = self.scope.resolver.follow(self.place, item) if isinstance(item, dict) and key == "key" else None
        target = found[1] if found is not None else None
        if not isinstance(target, dict):
            return None
        if "schemaFormat" in target:
            language = format_of(target["schemaFormat"], self.place.child(key), self.scope).language
            return target.get("schema") if language is Language.AVRO else None
        return target if _is_avro(target) else None

    def _schema(self, key: str, value: ValueSet) -> Element:
        return Element(
            kind=ElementKind.BINDING,
            key=key,
            name=key,
            aspect=Aspect.ORDERING if key in _ORDERING else Aspect.BINDINGS,
            place=value.place,
            role=self.position.role,
            polarity=self.position.polarity,
            value=value,
        )


def _is_avro(node: Node) -> bool:
    sort = node.get("type")
    return isinstance(sort, str) and sort in _AVRO


def described(schema: Element) -> bool:
    """True for a schema of a binding that says something."""
    return schema.value is not None and schema.value.node not in (True, _OBJECT)


def _facets(node: Node, place: Place, scope: Scope) -> Iterator[Facet]:
    """One facet per leaf, named by the way to it; extensions and the binding's own version never reach the wire."""
    waiting: list[tuple[tuple[str, ...], Json]] = [((), node)]
    count = 0
    while waiting:
        steps, value = waiting.pop()
        if isinstance(value, dict) and "$ref" not in value and (value or not steps):
            waiting += reversed([((*steps, key), item) for key, item in value.items()])
            continue
        count += 1
        if count > MAX_LEAVES:
            scope.skip(place, "a binding with more members than are read", "shorten it")
            return
        name = ".".join(steps)
        extension = any(step.startswith("x-") for step in steps)
        noise = extension or name in ("bindingVersion", "description")
        aspect = Aspect.ORDERING if name in _ORDERING else Aspect.BINDINGS
        yield Facet(name, Aspect.ANNOTATIONS if noise else aspect, value, not noise, pointer(steps))
