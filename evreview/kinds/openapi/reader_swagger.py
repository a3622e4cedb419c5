"""What only Swagger 2.0 has: inline schemas, body and form parameters, `consumes` and `produces`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.contract.json_reader import described, unique
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import Node, Position, Scope, collection, facet
from evreview.messages.media_types import media_type_key

FoundNode = tuple[Node, Place]

UNSTATED: Final = "*/*"
"""The media type where the document names none: 2.0 says nothing about a default."""

FORM: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"

_SCHEMA_KEYS: Final = (
    "type",
    "format",
    "items",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "enum",
    "multipleOf",
    "x-nullable",
)


def inline_schema(node: Node) -> Node:
    """The schema that the keywords of a parameter or header spell out; a file is a binary string."""
    schema: Node = {key: node[key] for key in _SCHEMA_KEYS if key in node}
    if schema.get("type") == "file":
        schema |= {"type": "string", "format": "binary"}
    return schema


def stated_media_types(operation: Node, key: str, scope: Scope, place: Place) -> list[str]:
    """What `consumes` or `produces` states for an operation; its own list replaces the document's."""
    owner, at = (operation, place) if key in operation else (scope.root, scope.place)
    names = scope.listing(owner, key, at)
    for position, name in enumerate(names):
        if not isinstance(name, str):
            scope.skip(at.child(key, position), f"{key}: a media type that is not a string", "write it as a string")
    return [name for name in names if isinstance(name, str)]


def body(found: Sequence[FoundNode], operation: FoundNode, scope: Scope, position: Position) -> Element | None:
    """The request body that a body parameter or the form parameters describe."""
    stated = stated_media_types(operation[0], "consumes", scope, operation[1])
    for node, place in found:
        if node["in"] == "body":
            value = scope.schema(node, "schema", place)
            children = _same_value(stated or [UNSTATED], value, scope, place, position)
            required = scope.flag(node, "required", place)
            return _body(
                place, position, children, (facet(node, "required", Aspect.REQUIREDNESS, required), *described(node))
            )
    fields = [(node, place) for node, place in found if node["in"] == "formData"]
    return _form(fields, stated, scope, operation[1].child("parameters"), position) if fields else None


def _body(place: Place, position: Position, children: tuple[Element, ...], facets: tuple[Facet, ...]) -> Element:
    return Element(
        kind=ElementKind.BODY,
        key="body",
        name="request body",
        aspect=Aspect.FIELDS,
        place=place,
        role=position.role,
        direction=position.direction,
        facets=facets,
        children=children,
    )


def _form(fields: list[FoundNode], stated: list[str], scope: Scope, place: Place, position: Position) -> Element:
    """An object whose properties are the form fields. It is written nowhere as one, its place is the parameter list."""
    has_file = any(node.get("type") == "file" for node, _ in fields)
    names = [name for name in stated if media_type_key(name) in (FORM, MULTIPART)] or [MULTIPART if has_file else FORM]
    required: list[Json] = [node["name"] for node, at in fields if scope.flag(node, "required", at)]
    schema: Node = {"type": "object", "properties": {str(node["name"]): _field(node) for node, _ in fields}}
    if required:
        schema["required"] = required
    encodings = tuple(_encoding(*field, scope, position) for field in fields if _is_encoded(field[0]))
    value = ValueSet(place, schema, scope.dialect)
    children = tuple(_media_type(name, value, place, position, encodings) for name in names)
    return _body(
        place, position, unique(children, scope), (Facet("required", Aspect.REQUIREDNESS, bool(required), True, ""),)
    )


def _field(node: Node) -> Node:
    schema = inline_schema(node)
    return schema | {"description": node["description"]} if "description" in node else schema


def _is_encoded(node: Node) -> bool:
    return node.get("type") == "array" or node.get("allowEmptyValue") is True


def _encoding(node: Node, place: Place, scope: Scope, position: Position) -> Element:
    return Element(
        kind=ElementKind.ENCODING,
        key=str(node["name"]),
        name=str(node["name"]),
        aspect=Aspect.ENCODINGS,
        place=place,
        role=position.role,
        direction=position.direction,
        facets=(
            *collection(node, "query", scope, place),
            Facet("allowReserved", Aspect.SERIALISATION, False),
            *_may_be_empty(node),
        ),
    )


def _may_be_empty(node: Node) -> tuple[Facet, ...]:
    """What 2.0 alone grants to fields of forms; no other version has a word for it."""
    empty = node.get("allowEmptyValue") is True
    return (Facet("allowEmptyValue", Aspect.SERIALISATION, True, True, "/allowEmptyValue"),) if empty else ()


def _same_value(
    names: Sequence[str], value: ValueSet | None, scope: Scope, place: Place, position: Position
) -> tuple[Element, ...]:
    return unique((_media_type(name, value, place, position, ()) for name in names), scope)


def _media_type(
    name: str, value: ValueSet | None, place: Place, position: Position, children: tuple[Element, ...]
) -> Element:
    return Element(
        kind=ElementKind.MEDIA_TYPE,
        key=media_type_key(name),
        name=name,
        aspect=Aspect.CONTENT_TYPES,
        place=place,
        **position._asdict(),
        value=value,
        children=children,
    )


def response_media_types(
    node: Node, operation: FoundNode, scope: Scope, place: Place, position: Position
) -> tuple[Element, ...]:
    """The media types of a response with a schema: what the operation produces."""
    if "schema" not in node:
        return ()
    value = scope.schema(node, "schema", place)
    if value is not None and isinstance(value.node, dict) and value.node.get("type") == "file":
        value = ValueSet(value.place, {"type": "string", "format": "binary"}, value.dialect)
    stated = stated_media_types(operation[0], "produces", scope, operation[1])
    return _same_value(stated or [UNSTATED], value, scope, place, position)


def response_headers(node: Node, scope: Scope, place: Place, position: Position) -> tuple[Element, ...]:
    """One element per header of a response; 2.0 headers are optional and carry their schema inline."""
    below = place.child("headers")
    items = scope.mapping(node, "headers", place).items()
    named = ((name, item) for name, item in items if name.lower() != "content-type")
    return unique((_header(name, item, scope, below.child(name), position) for name, item in named), scope)


def _header(name: str, item: Json, scope: Scope, place: Place, position: Position) -> Element | None:
    if not isinstance(item, dict):
        scope.skip(place, f"header {name}: not an object", "write it as an object")
        return None
    return Element(
        kind=ElementKind.HEADER,
        key=name.lower(),
        name=name,
        aspect=Aspect.HEADERS,
        place=place,
        **position._asdict(),
        facets=(
            Facet("required", Aspect.REQUIREDNESS, False),
            Facet("deprecated", Aspect.DEPRECATION, False),
            *collection(item, "header", scope, place),
            *described(item),
        ),
        value=ValueSet(place, inline_schema(item), scope.dialect),
    )
