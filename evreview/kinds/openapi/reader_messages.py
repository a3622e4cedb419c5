"""Request bodies, responses and links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evreview.contract.http import carries_content
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.contracts.readers.openapi_scope import (
    Node,
    Position,
    Scope,
    Sides,
    Version,
    described,
    facet,
    members,
    unique,
)
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi import reader_swagger as swagger
from evreview.kinds.openapi.reader_content import headers, media_types

Found = tuple[Node, Place]

_STATUS: Final = re.compile(r"[1-5](?:[0-9]{2}|XX)")
_LINK_KEYS: Final = ("operationId", "operationRef", "parameters", "requestBody", "server")


def body(found: Sequence[Found], operation: Found, scope: Scope, position: Position) -> Element | None:
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
            polarity=position.polarity,
            facets=(facet(node, "required", Aspect.REQUIREDNESS, required), *described(node)),
            children=media_types(node, scope, place, position),
        )
    return scope.shared[key]


def responses(operation: Found, scope: Scope, sides: Sides, *, head: bool) -> tuple[Element, ...]:
    """One element per response of an operation; `head`: of one that is answered without content."""
    node, place = operation
    below = place.child("responses")
    items = members(scope.mapping(node, "responses", place))
    found = unique((_response(status, item, below, operation, (scope, sides)) for status, item in items), scope)
    return tuple(map(_named_only, found)) if head else found


def _response(status: str, item: Json, below: Place, operation: Found, context: tuple[Scope, Sides]) -> Element | None:
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
        role=position.role,
        polarity=position.polarity,
        in_error=position.in_error,
        facets=tuple(described(node)),
        children=children,
    )


def _parts(node: Node, place: Place, scope: Scope, position: Position) -> tuple[Element, ...]:
    return (
        *headers(node, scope, place, position),
        *media_types(node, scope, place, position),
        *(_links(node, scope, place, position) if "links" in node else ()),
    )


def _swagger_parts(node: Node, place: Place, operation: Found, scope: Scope, position: Position) -> tuple[Element, ...]:
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
        role=position.role,
        polarity=position.polarity,
        in_error=position.in_error,
        facets=(*facets, *described(node)),
    )
