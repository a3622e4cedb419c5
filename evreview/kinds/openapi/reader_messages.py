"""Requests and responses: bodies, responses, links and parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.contract.http import as_sent, carries_content
from evreview.contract.json_reader import described, unique
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi import reader_swagger as swagger
from evreview.kinds.openapi.reader_content import (
    Node,
    Position,
    Scope,
    Sides,
    Version,
    collection,
    deprecation,
    facet,
    headers,
    media_types,
    members,
    serialisation,
)
from evreview.kinds.openapi.reader_swagger import inline_schema

FoundNode = tuple[Node, Place]

_STATUS: Final = re.compile(r"[1-5](?:[0-9]{2}|XX)")
_LINK_KEYS: Final = ("operationId", "operationRef", "parameters", "requestBody", "server")


def body(found: Sequence[FoundNode], operation: FoundNode, scope: Scope, position: Position) -> Element | None:
    """The request body of an operation, None when it has none."""
    if scope.version is Version.V2:
        return swagger.body(found, operation, scope, position)
    node, place = operation
    if "requestBody" not in node:
        return None
    body = scope.resolve(node["requestBody"], place.child("requestBody"), "request body")
    return _body(*body, scope, position) if body else None


def _body(node: Node, place: Place, scope: Scope, position: Position) -> Element:
    key = ("body", place, position)
    if key not in scope.shared:
        required = scope.flag(node, "required", place)
        scope.shared[key] = Element(
            kind=ElementKind.BODY,
            key="body",
            name="request body",
            aspect=Aspect.FIELDS,
            place=place,
            role=position.role,
            direction=position.direction,
            facets=(facet(node, "required", Aspect.REQUIREDNESS, required), *described(node)),
            children=media_types(node, scope, place, position),
        )
    return scope.shared[key]


def responses(operation: FoundNode, scope: Scope, sides: Sides, *, head: bool) -> tuple[Element, ...]:
    """One element per response of an operation; `head`: of one that is answered without content."""
    node, place = operation
    below = place.child("responses")
    items = members(scope.mapping(node, "responses", place))
    found = unique((_response(status, item, below, operation, (scope, sides)) for status, item in items), scope)
    return tuple(map(_named_only, found)) if head else found


def _response(
    status: str, item: Json, below: Place, operation: FoundNode, context: tuple[Scope, Sides]
) -> Element | None:
    scope, sides = context
    key = "default" if status == "default" else status.upper()
    if key != "default" and not _STATUS.fullmatch(key):
        scope.skip(
            below.child(status),
            f"response {status}: no status code",
            "use a code such as 200, a range such as 4XX, or default",
        )
        return None
    found = scope.member(item, below, status, f"response {status}")
    if found is None:
        return None
    position = sides.errors() if key == "default" or key[0] in "45" else sides.response
    if scope.version is Version.V2:
        return _as_sent(_element(key, *found, position, _swagger_parts(*found, operation, scope, position)), found[0])
    shared = ("response", key, found[1], position)
    if shared not in scope.shared:
        made = _element(key, *found, position, _parts(*found, scope, position))
        scope.shared[shared] = _as_sent(made, found[0])
    return scope.shared[shared]


def _as_sent(response: Element, node: Node) -> Element:
    """The response without the content that its status never carries: what is said of it stays as a note."""
    if carries_content(response.key):
        return response
    kept = tuple(child for child in response.children if child.kind is not ElementKind.MEDIA_TYPE)
    notes = (
        Facet(key, Aspect.CONTENT_TYPES, node[key], False, f"/{key}") for key in ("content", "schema") if key in node
    )
    return replace(response, facets=(*response.facets, *notes), children=kept)


def _named_only(response: Element) -> Element:
    """The answer to HEAD: its headers name a media type, and nothing of it follows (RFC 9110, section 9.3.2)."""
    return replace(
        response,
        children=tuple(
            _without_value(child) if child.kind is ElementKind.MEDIA_TYPE else child for child in response.children
        ),
    )


def _without_value(media: Element) -> Element:
    if media.value is None:
        return replace(media, children=())
    note = Facet("schema", Aspect.CONTENT_TYPES, media.value.node, False, "/schema")
    return replace(media, value=None, facets=(*media.facets, note), children=())


def _element(key: str, node: Node, place: Place, position: Position, children: tuple[Element, ...]) -> Element:
    return Element(
        kind=ElementKind.RESPONSE,
        key=key,
        name=key,
        aspect=Aspect.ERRORS if position.in_error else Aspect.STATUS_CODES,
        place=place,
        **position._asdict(),
        facets=tuple(described(node)),
        children=children,
    )


def _parts(node: Node, place: Place, scope: Scope, position: Position) -> tuple[Element, ...]:
    return (
        *headers(node, scope, place, position),
        *media_types(node, scope, place, position),
        *(_links(node, scope, place, position) if "links" in node else ()),
    )


def _swagger_parts(
    node: Node, place: Place, operation: FoundNode, scope: Scope, position: Position
) -> tuple[Element, ...]:
    return (
        *swagger.response_headers(node, scope, place, position),
        *swagger.response_media_types(node, operation, scope, place, position),
    )


def _links(node: Node, scope: Scope, place: Place, position: Position) -> tuple[Element, ...]:
    below = place.child("links")
    items = scope.mapping(node, "links", place).items()
    return unique((_link(name, item, scope, below.child(name), position) for name, item in items), scope)


def _link(name: str, item: Json, scope: Scope, place: Place, position: Position) -> Element | None:
    found = scope.resolve(item, place, f"link {name}")
    if found is None:
        return None
    node, place = found
    facets = [Facet(key, Aspect.LINKS, node[key], True, f"/{key}") for key in _LINK_KEYS if key in node]
    return Element(
        kind=ElementKind.LINK,
        key=name,
        name=name,
        aspect=Aspect.LINKS,
        place=place,
        **position._asdict(),
        facets=(*facets, *described(node)),
    )


# Parameters of an operation: the path item's and its own, in OpenAPI 3.x and Swagger 2.0.


FoundParameter = tuple[Node, Place]

IGNORED_HEADERS: Final = frozenset({"accept", "content-type", "authorization"})
"""OpenAPI 3.x says of parameters in a header with these names that their definition shall be ignored."""

_LOCATIONS: Final = ("query", "path", "header", "cookie")
_BODY_LOCATIONS: Final = ("body", "formData")
_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")


def path_variables(path: str) -> tuple[str, ...]:
    """The names between braces in a path template, in order."""
    return tuple(_VARIABLE.findall(path))


def path_key(path: str) -> str:
    """The path template without the names of its variables, its signs as a request line has them."""
    return as_sent(_VARIABLE.sub("{}", path))


def declared(item: Node, operation: Node, places: tuple[Place, Place], scope: Scope) -> tuple[FoundParameter, ...]:
    """The parameters that hold for an operation: an own one replaces the path item's of the same name and position.

    Args:
        item, operation: the path item and the operation.
        places: of both.
    """
    merged = _by_identity(item, places[0], scope)
    merged.update(_by_identity(operation, places[1], scope))
    return tuple(merged.values())


def _by_identity(owner: Node, place: Place, scope: Scope) -> dict[tuple[str, str], FoundParameter]:
    named: dict[tuple[str, str], FoundParameter] = {}
    below = place.child("parameters")
    for at, item in enumerate(scope.listing(owner, "parameters", place)):
        found = scope.member(item, below, at, "parameter")
        if found is None:
            continue
        identity = _identity(*found, scope)
        if identity in named:
            scope.skip(found[1], f"parameter {identity[1]}: declared twice", "keep one of the two")
        elif identity is not None:
            named[identity] = found
    return named


def _identity(node: Node, place: Place, scope: Scope) -> tuple[str, str] | None:
    name, location = node.get("name"), node.get("in")
    if not isinstance(name, str) or not name:
        scope.skip(place, "a parameter without a name", "give it a name")
        return None
    known = _LOCATIONS[:3] + _BODY_LOCATIONS if scope.version is Version.V2 else _LOCATIONS
    if location not in known:
        scope.skip(place.child("in"), f"parameter {name}: unknown position", f"use one of {', '.join(known)}")
        return None
    if location == "header":
        name = name.lower()
    return str(location), "" if location == "body" else name


def parameters(found: Sequence[FoundParameter], path: str, scope: Scope, position: Position) -> tuple[Element, ...]:
    """One element per parameter outside the body."""
    variables = path_variables(path)
    return unique(_parameters(found, variables, scope, position), scope)


def _parameters(
    found: Sequence[FoundParameter], variables: tuple[str, ...], scope: Scope, position: Position
) -> Iterator[Element | None]:
    for node, place in found:
        location, name = str(node["in"]), str(node["name"])
        if location in _BODY_LOCATIONS:
            continue
        if location == "header" and scope.version is not Version.V2 and name.lower() in IGNORED_HEADERS:
            continue
        key = _key(location, name, variables)
        shared = (key, place, position)
        if shared not in scope.shared:
            scope.shared[shared] = _parameter(key, node, scope, place, position)
        yield scope.shared[shared]


def _key(location: str, name: str, variables: tuple[str, ...]) -> str:
    if location == "path" and name in variables:
        return f"path:{variables.index(name)}"
    return f"{location}:{name.lower() if location == 'header' else name}"


def _parameter(key: str, node: Node, scope: Scope, place: Place, position: Position) -> Element:
    location, name = str(node["in"]), str(node["name"])
    return Element(
        kind=ElementKind.PARAMETER,
        key=key,
        name=name,
        aspect=Aspect.HEADERS if location == "header" else Aspect.PARAMETERS,
        place=place,
        role=position.role,
        direction=position.direction,
        facets=(*_wire_facets(node, location, scope, place), *_name_facet(location, name, node), *described(node)),
        value=_value(node, scope, place),
        children=media_types(node, scope, place, position),
    )


def _value(node: Node, scope: Scope, place: Place) -> ValueSet | None:
    if scope.version is Version.V2:
        return ValueSet(place, inline_schema(node), scope.dialect)
    return scope.schema(node, "schema", place)


def _wire_facets(node: Node, location: str, scope: Scope, place: Place) -> list[Facet]:
    required = location == "path" or scope.flag(node, "required", place)
    spread = collection if scope.version is Version.V2 else serialisation
    facets = [
        facet(node, "required", Aspect.REQUIREDNESS, required),
        deprecation(node, scope, place),
        *(spread(node, location, scope, place) if "content" not in node else ()),
    ]
    if location == "query":
        empty, reserved = scope.flag(node, "allowEmptyValue", place), scope.flag(node, "allowReserved", place)
        facets.append(facet(node, "allowEmptyValue", Aspect.SERIALISATION, empty))
        facets.append(facet(node, "allowReserved", Aspect.SERIALISATION, reserved))
    return facets


def _name_facet(location: str, name: Json, node: Node) -> tuple[Facet, ...]:
    """The name of a path parameter, which only `matrix` writes; the names of all others are in the key."""
    if location != "path":
        return ()
    sent = node.get("style") == "matrix" and "content" not in node
    return (Facet("name", Aspect.SERIALISATION if sent else Aspect.IDENTIFIERS, name, sent, "/name"),)
