"""Bindings: what a protocol adds to a server, channel, operation or message.

Their leaves are facets, their schemas value sets of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.contracts.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.contracts.readers.asyncapi_scope import Position, Scope
from evreview.contracts.readers.asyncapi_traits import Merged
from evreview.contracts.readers.openapi_scope import unique
from evreview.contracts.readers.reading import Node
from evreview.documents.pointer import pointer
from evreview.vocab import Aspect, Json

MAX_LEAVES: Final = 500
_SCHEMAS: Final = frozenset(
    {
        ("kafka", "key"),
        ("http", "query"),
        ("http", "headers"),
        ("ws", "query"),
        ("ws", "headers"),
        ("mqtt", "correlationData"),
        ("mqtt", "responseTopic"),
        ("mqtt5", "correlationData"),
        ("jms", "headers"),
        ("anypointmq", "headers"),
    }
)
"""Members that are schemas, by the binding specifications."""
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


def bindings(owner: Merged, scope: Scope, position: Position) -> tuple[Element, ...]:
    """One element per protocol below `bindings` of an object."""
    item = owner.node.get("bindings")
    if item is None:
        return ()
    found = scope.resolve(item, owner.at("bindings"), "bindings")
    return unique(_bindings(*found, scope, position), scope) if found is not None else ()


def _bindings(node: Node, place: Place, scope: Scope, position: Position) -> Iterator[Element]:
    for protocol, item in node.items():
        if protocol.startswith("x-"):
            continue
        found = scope.resolve(item, place.child(protocol), f"binding {protocol}")
        if found is not None:
            yield _binding(protocol, *found, scope, position)


def _binding(protocol: str, node: Node, place: Place, scope: Scope, position: Position) -> Element:
    schemas = {key for key, item in node.items() if _is_schema(protocol, key, item, place, scope)}
    plain = {key: item for key, item in node.items() if key not in schemas}
    return Element(
        kind=ElementKind.BINDING,
        key=protocol,
        name=protocol,
        aspect=Aspect.BINDINGS,
        place=place,
        role=position.role,
        polarity=position.polarity,
        facets=tuple(_facets(plain, place, scope)),
        children=tuple(_schema(key, node[key], place.child(key), position, scope) for key in node if key in schemas),
    )


def _is_schema(protocol: str, key: str, item: Json, place: Place, scope: Scope) -> bool:
    """True for a schema that can be read as JSON Schema; one in another language, or elsewhere, is compared as text."""
    if (protocol, key) not in _SCHEMAS or not isinstance(item, dict | bool):
        return False
    found = scope.resolver.follow(place, item)
    if found is None:
        scope.skip(place.child(key), f"binding {protocol}: the schema of {key} is not here", "put a copy beside it")
        return False
    target = found[1]
    return not (isinstance(target, dict) and (target.get("type") in ("record", "fixed") or "schemaFormat" in target))


def _schema(key: str, node: Json, place: Place, position: Position, scope: Scope) -> Element:
    return Element(
        kind=ElementKind.BINDING,
        key=key,
        name=key,
        aspect=Aspect.ORDERING if key in _ORDERING else Aspect.BINDINGS,
        place=place,
        role=position.role,
        polarity=position.polarity,
        value=ValueSet(place, node, scope.dialect),
    )


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
