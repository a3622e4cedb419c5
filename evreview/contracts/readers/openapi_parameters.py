"""Parameters of an operation: the path item's and its own, in OpenAPI 3.x and Swagger 2.0."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.contract.http import as_sent
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.contracts.readers.openapi_scope import (
    Node,
    Position,
    Scope,
    Version,
    deprecation,
    described,
    facet,
    unique,
)
from evreview.contracts.readers.openapi_serialisation import collection, serialisation
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import media_types
from evreview.kinds.openapi.reader_swagger import inline_schema

Found = tuple[Node, Place]

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


def declared(item: Node, operation: Node, places: tuple[Place, Place], scope: Scope) -> tuple[Found, ...]:
    """The parameters that hold for an operation: an own one replaces the path item's of the same name and position.

    Args:
        item, operation: the path item and the operation.
        places: of both.
        scope: of this reading.
    """
    merged = _by_identity(item, places[0], scope)
    merged.update(_by_identity(operation, places[1], scope))
    return tuple(merged.values())


def _by_identity(owner: Node, place: Place, scope: Scope) -> dict[tuple[str, str], Found]:
    named: dict[tuple[str, str], Found] = {}
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


def parameters(found: Sequence[Found], path: str, scope: Scope, position: Position) -> tuple[Element, ...]:
    """One element per parameter outside the body."""
    variables = path_variables(path)
    return unique(_parameters(found, variables, scope, position), scope)


def _parameters(
    found: Sequence[Found], variables: tuple[str, ...], scope: Scope, position: Position
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
        polarity=position.polarity,
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
