"""What a message carries, OpenAPI 3.x: headers, media types and the encodings of form fields."""

from __future__ import annotations

from typing import Final

from evreview.contract.model import Element, ElementKind, Facet, Place
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
from evreview.contracts.readers.openapi_serialisation import serialisation
from evreview.core.vocabulary import Aspect, Json

_Form = tuple[str, Position]
_HEADERS: Final = frozenset({"headers"})
_STYLE: Final = frozenset({"style", "explode", "allowReserved"})
_TYPE: Final = frozenset({"contentType"})
"""OpenAPI 3.1, section 4.8.15: "SHALL be ignored" where a style is written, even as its default."""
_FORMS: Final = ("multipart/", "application/x-www-form-urlencoded", "application/*", "*/*")
"""OpenAPI 3.1, section 4.8.14: `encoding` counts for these media types only, and for ranges that hold them."""


def media_type_key(written: str) -> str:
    """The media type in one spelling: lower case, parameters sorted by name, no white space around them."""
    kind, *rest = (part.strip().lower() for part in written.split(";"))
    pairs = sorted(part.partition("=")[::2] for part in rest if part)
    return ";".join([kind, *(f"{name.strip()}={value.strip().strip(chr(34))}" for name, value in pairs)])


def media_types(node: Node, scope: Scope, place: Place, position: Position) -> tuple[Element, ...]:
    """One element per media type below `content`."""
    if "content" not in node:
        return ()
    content, below = scope.mapping(node, "content", place), place.child("content")
    return unique(
        (_media_type(name, item, scope, below.child(name), position) for name, item in content.items()), scope
    )


def _media_type(name: str, item: Json, scope: Scope, place: Place, position: Position) -> Element | None:
    found = scope.resolve(item, place, f"media type {name}")
    if found is None:
        return None
    node, place = found
    key = media_type_key(name)
    form = key.startswith(_FORMS)
    return Element(
        kind=ElementKind.MEDIA_TYPE,
        key=key,
        name=name,
        aspect=Aspect.CONTENT_TYPES,
        place=place,
        role=position.role,
        polarity=position.polarity,
        in_error=position.in_error,
        facets=(*described(node), *_idle_encoding(node, form=form)),
        value=scope.schema(node, "schema", place),
        children=_encodings(node, scope, place, (key, position)) if form and "encoding" in node else (),
    )


def _idle_encoding(node: Node, *, form: bool) -> tuple[Facet, ...]:
    """What `encoding` says where it counts for nothing."""
    if form or "encoding" not in node:
        return ()
    return (Facet("encoding", Aspect.ENCODINGS, node["encoding"], False, "/encoding"),)


def _encodings(node: Node, scope: Scope, place: Place, form: _Form) -> tuple[Element, ...]:
    below = place.child("encoding")
    items = scope.mapping(node, "encoding", place).items()
    return unique((_encoding(name, item, scope, below.child(name), form) for name, item in items), scope)


def _encoding(name: str, item: Json, scope: Scope, place: Place, form: _Form) -> Element | None:
    found = scope.resolve(item, place, f"encoding of {name}")
    if found is None:
        return None
    node, place = found
    media_type, position = form
    idle = _ignored(media_type, scope) & node.keys()
    if scope.version is Version.V31 and _STYLE & (node.keys() - idle):
        idle |= _TYPE & node.keys()
    read = {key: value for key, value in node.items() if key not in idle}
    content_type = read.get("contentType")
    facets = [*described(node), *_form_style(read, scope, place)]
    if idle:
        said: Json = {key: node[key] for key in sorted(idle)}
        facets.append(Facet("ignored here", Aspect.ENCODINGS, said, False))
    if isinstance(content_type, str):
        facets.append(facet(node, "contentType", Aspect.ENCODINGS, content_type))
    return Element(
        kind=ElementKind.ENCODING,
        key=name,
        name=name,
        aspect=Aspect.ENCODINGS,
        place=place,
        role=position.role,
        polarity=position.polarity,
        in_error=position.in_error,
        facets=tuple(facets),
        children=headers(read, scope, place, position),
    )


def _ignored(media_type: str, scope: Scope) -> frozenset[str]:
    """What an encoding may say and "SHALL be ignored": OpenAPI 3.0.3, section 4.7.15, and 3.1.0, section 4.8.15.

    `headers` count in multipart forms, the style in urlencoded ones, from 3.1 on in `multipart/form-data` too.
    """
    kind = media_type.partition(";")[0]
    if kind == "application/x-www-form-urlencoded":
        return _HEADERS
    styled = kind == "multipart/form-data" and scope.version is Version.V31
    return frozenset() if styled or not kind.startswith("multipart/") or kind == "multipart/*" else _STYLE


def _form_style(node: Node, scope: Scope, place: Place) -> list[Facet]:
    reserved = scope.flag(node, "allowReserved", place)
    return [
        *serialisation(node, "query", scope, place),
        facet(node, "allowReserved", Aspect.SERIALISATION, reserved),
    ]


def headers(node: Node, scope: Scope, place: Place, position: Position) -> tuple[Element, ...]:
    """One element per header below `headers`; Content-Type is not one, `content` says it."""
    if "headers" not in node:
        return ()
    below = place.child("headers")
    items = scope.mapping(node, "headers", place).items()
    named = ((name, item) for name, item in items if name.lower() != "content-type")
    return unique((_header(name, item, scope, below, position) for name, item in named), scope)


def _header(name: str, item: Json, scope: Scope, below: Place, position: Position) -> Element | None:
    found = scope.member(item, below, name, f"header {name}")
    if found is None:
        return None
    node, place = found
    key = ("header", name, place, position)
    if key not in scope.shared:
        scope.shared[key] = Element(
            kind=ElementKind.HEADER,
            key=name.lower(),
            name=name,
            aspect=Aspect.HEADERS,
            place=place,
            role=position.role,
            polarity=position.polarity,
            in_error=position.in_error,
            facets=(
                facet(node, "required", Aspect.REQUIREDNESS, scope.flag(node, "required", place)),
                deprecation(node, scope, place),
                *serialisation(node, "header", scope, place),
                *described(node),
            ),
            value=scope.schema(node, "schema", place),
            children=media_types(node, scope, place, position),
        )
    return scope.shared[key]
