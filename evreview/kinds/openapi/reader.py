"""Paths, webhooks and callbacks: everything that holds operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.contracts.readers.openapi_parameters import declared, parameters, path_key
from evreview.contracts.readers.openapi_scope import (
    CALLBACK,
    PRODUCER,
    WEBHOOK,
    Node,
    Scope,
    Sides,
    Version,
    deprecation,
    described,
    members,
    unique,
)
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_messages import body, responses
from evreview.kinds.openapi.reader_security import operation_security
from evreview.kinds.openapi.reader_servers import server_elements

Found = tuple[Node, Place]

METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
MAX_CALLBACK_DEPTH: Final = 12
"""Callbacks whose operations have callbacks, and so on."""
MAX_NESTED_CALLBACKS: Final = 1000
"""Callbacks inside callbacks in one document, counted as often as they are reached."""
MAX_PATH: Final = 8000
"""Characters of a path, which every place below it repeats. RFC 9110, section 4.1, asks nobody to read longer URIs."""
_ITEM_KEYS: Final = frozenset({"$ref", "summary", "description", "servers", "parameters", *METHODS})


@dataclass(frozen=True, slots=True)
class _Route:
    """How the operations of one path item are named: before and after the method, in the key and for people."""

    path: str
    key: tuple[str, str]
    name: tuple[str, str]
    sides: Sides


def path_operations(scope: Scope) -> Iterator[Element]:
    """The operations below `paths`, in document order."""
    found = list(_below_paths(scope))
    keys = Counter(operation.key for operation in found)
    # One method of two templates that differ in variable names only keeps the names, or one of the two would be lost.
    yield from (
        operation if keys[operation.key] == 1 else replace(operation, key=operation.name) for operation in found
    )


def _below_paths(scope: Scope) -> Iterator[Element]:
    below = scope.place.child("paths")
    for path, item in members(scope.mapping(scope.root, "paths", scope.place)):
        if not path.startswith("/"):
            scope.skip(below.child(path), f"path {path}: does not start with /", "start it with /")
        if len(path) > MAX_PATH:
            scope.skip(below, f"path {path[:40]}…: longer than {MAX_PATH:,} characters", "shorten the path")
            continue
        route = _Route(path, ("", f" {path_key(path)}"), ("", f" {path}"), PRODUCER)
        yield from _operations(item, below.child(path), scope, route)


def webhook_operations(scope: Scope) -> Iterator[Element]:
    """The operations below `webhooks`, which the producer calls."""
    below = scope.place.child("webhooks")
    for name, item in members(scope.mapping(scope.root, "webhooks", scope.place)):
        route = _Route("", (f"WEBHOOK {name} ", ""), (f"webhook {name} ", ""), WEBHOOK)
        yield from _operations(item, below.child(name), scope, route)


def _operations(item: Json, place: Place, scope: Scope, route: _Route) -> Iterator[Element]:
    """The operations of one path item; keys beside its `$ref` replace the referenced ones."""
    found = _path_item(item, place, scope, route.path)
    if found is None:
        return
    node, place, places = found
    for key in node:
        if key in METHODS:
            operation = node[key]
            at = places.get(key, place).child(key)
            if isinstance(operation, dict):
                yield _operation(key.upper(), (operation, at), (node, place), scope, route)
            else:
                scope.skip(at, f"operation {key}: not an object", "write it as an object")
        elif key not in _ITEM_KEYS and not key.startswith("x-"):
            scope.skip(place.child(key), f"path item: unknown member {key}", "use a method of the specification")


def _path_item(item: Json, place: Place, scope: Scope, path: str) -> tuple[Node, Place, dict[str, Place]] | None:
    """The path item, its place, and the place of every member that is written beside its `$ref`."""
    found = scope.resolve(item, place, f"path {path}".strip())
    if found is None or found[1] == place or not isinstance(item, dict):
        return (*found, {}) if found else None
    own = {key: value for key, value in item.items() if key != "$ref"}
    return found[0] | own, found[1], dict.fromkeys(own, place)


def _operation(method: str, operation: Found, item: Found, scope: Scope, route: _Route) -> Element:
    node, place = operation
    found = declared(item[0], node, (item[1], place), scope)
    request = route.sides.request
    servers = _own_servers(operation, item, scope)
    called = _is_called(route)
    parts = (
        *(server_elements(servers, scope) if called else ()),
        operation_security(operation, scope, request),
        *parameters(found, route.path, scope, request),
        body(found, operation, scope, request),
        *responses(operation, scope, route.sides, head=method == "HEAD"),
        *_callbacks(operation, scope),
    )
    return Element(
        kind=ElementKind.OPERATION,
        key=method.join(route.key),
        name=method.join(route.name),
        aspect=Aspect.METHODS,
        place=place,
        role=request.role,
        polarity=request.polarity,
        facets=(*_operation_facets(node, scope, place), *_item_facets(item[0]), *(() if called else _unused(servers))),
        children=unique(parts, scope),
    )


def _is_called(route: _Route) -> bool:
    """False for what goes to a URL that its receiver names, which no server completes."""
    return route.sides is PRODUCER or route.key[1].startswith(" /")


def _unused(servers: Found | None) -> Iterator[Facet]:
    if servers is not None:
        yield Facet("servers", Aspect.SERVERS, servers[0].get("servers"), False)


def _operation_facets(node: Node, scope: Scope, place: Place) -> Iterator[Facet]:
    yield deprecation(node, scope, place)
    if "operationId" in node:
        yield Facet("operationId", Aspect.IDENTIFIERS, node["operationId"], False, "/operationId")
    yield from described(node)


def _item_facets(item: Node) -> Iterator[Facet]:
    """The path item's own words, which every one of its operations repeats."""
    for key in ("summary", "description"):
        if key in item:
            yield Facet(f"path.{key}", Aspect.ANNOTATIONS, item[key], False)


def _own_servers(operation: Found, item: Found, scope: Scope) -> Found | None:
    """The object whose `servers`, in 2.0 whose `schemes`, replace the document's for this operation."""
    if scope.version is Version.V2:
        return operation if "schemes" in operation[0] else None
    return next((owner for owner in (operation, item) if "servers" in owner[0]), None)


def _callbacks(operation: Found, scope: Scope) -> Iterator[Element]:
    node, place = operation
    if "callbacks" not in node:
        return
    below = place.child("callbacks")
    for name, item in members(scope.mapping(node, "callbacks", place)):
        found = scope.resolve(item, below.child(name), f"callback {name}")
        if found is not None:
            yield _callback(name, *found, scope)


def _callback_operations(node: Node, place: Place, scope: Scope) -> list[Element]:
    """The operations of a callback; none for one that is being read: what differs in it differs where it is open."""
    if place in scope.open_callbacks:
        return []
    depth = len(scope.open_callbacks)
    scope.nested_callbacks += depth > 0
    if depth >= MAX_CALLBACK_DEPTH or scope.nested_callbacks > MAX_NESTED_CALLBACKS:
        scope.skip(place, "callbacks inside callbacks, more than are read", "check whether they lead in circles")
        return []
    scope.open_callbacks.append(place)
    found = [
        operation
        for expression, item in members(node)
        for operation in _operations(
            item, place.child(expression), scope, _Route("", ("", f" {expression}"), ("", f" {expression}"), CALLBACK)
        )
    ]
    scope.open_callbacks.pop()
    return found


def _callback(name: str, node: Node, place: Place, scope: Scope) -> Element:
    return Element(
        kind=ElementKind.CALLBACK,
        key=name,
        name=name,
        aspect=Aspect.CALLBACKS,
        place=place,
        role=CALLBACK.request.role,
        polarity=CALLBACK.request.polarity,
        facets=tuple(described(node)),
        children=unique(_callback_operations(node, place, scope), scope),
    )
