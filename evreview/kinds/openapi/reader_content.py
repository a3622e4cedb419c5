"""What a message carries, OpenAPI 3.x: headers, media types, encodings of form fields; and what all parts share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from evreview.contract.json_reader import Reading, described, unique
from evreview.contract.model import Element, ElementKind, Facet, Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, ClosedVocabulary, Direction, Form, Json, Role
from evreview.messages.media_types import media_type_key

# What every part of the reader shares: the version, where references lead, what could not be read.


Node = dict[str, Json]


class Version(ClosedVocabulary):
    """The three families of the format; patch releases do not differ in what they mean."""

    V2 = "2.0"
    V30 = "3.0"
    V31 = "3.1"


class Position(NamedTuple):
    """Which message the elements below belong to, and who writes it."""

    role: Role
    direction: Direction | None
    in_error: bool = False


@frozen
class Sides:
    """The two positions of an operation: what arrives at the operation, and what it answers."""

    request: Position
    response: Position

    def errors(self) -> Position:
        """The position of an error response."""
        return Position(self.response.role, self.response.direction, in_error=True)


PRODUCER: Final = Sides(Position(Role.REQUEST, Direction.READ), Position(Role.RESPONSE, Direction.WRITTEN))
WEBHOOK: Final = Sides(Position(Role.WEBHOOK, Direction.WRITTEN), Position(Role.WEBHOOK, Direction.READ))
CALLBACK: Final = Sides(Position(Role.CALLBACK, Direction.WRITTEN), Position(Role.CALLBACK, Direction.READ))
DOCUMENT: Final = Position(Role.DOCUMENT, None)

Key = tuple[object, ...]


class Scope(Reading):
    """One reading of one OpenAPI document. Remembers elements that references share."""

    def __init__(self, version: Version, dialect: SchemaDialect, resolver: Resolver, root: Node, entry: str) -> None:
        super().__init__(dialect, resolver, root, entry)
        self.version = version
        self.shared: dict[Key, Element] = {}
        self.scheme_keys: Mapping[str, str] | None = None
        self.open_callbacks: list[Place] = []
        self.nested_callbacks = 0


def members(node: Node) -> Iterator[tuple[str, Json]]:
    """The members of a mapping that are no extensions (`x-…`)."""
    return ((key, value) for key, value in node.items() if not key.startswith("x-"))


@lru_cache(maxsize=4096)
def _shared_facet(name: str, aspect: Aspect, value: str | bool | None, where: str) -> Facet:
    return Facet(name, aspect, value, True, where)


def facet(node: Mapping[str, Json], name: str, aspect: Aspect, value: Form) -> Facet:
    """A facet on the wire whose value is the effective one; its pointer tells whether it is written."""
    where = f"/{name}" if name in node else ""
    if type(value) is bool or type(value) is str:
        return _shared_facet(name, aspect, value, where)
    return Facet(name, aspect, value, True, where)


def deprecation(node: Node, scope: Reading, place: Place) -> Facet:
    """Whether the element is deprecated, False when nothing is written."""
    return facet(node, "deprecated", Aspect.DEPRECATION, scope.flag(node, "deprecated", place))


# How a value becomes text on the wire: one set of facets for `style`/`explode` (3.x) and `collectionFormat` (2.0).


DEFAULT_STYLE: Final[Mapping[str, str]] = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}

_STYLES: Final[Mapping[str, frozenset[str]]] = {
    "query": frozenset({"form", "spaceDelimited", "pipeDelimited", "deepObject"}),
    "cookie": frozenset({"form"}),
    "path": frozenset({"simple", "label", "matrix"}),
    "header": frozenset({"simple"}),
}
_SCALARS: Final = frozenset({"string", "number", "integer", "boolean", "file"})
_COLLECTIONS: Final[Mapping[str, tuple[str, bool]]] = {
    "csv": ("", False),
    "ssv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "tsv": ("tabDelimited", False),
    "multi": ("form", True),
}
"""Swagger 2.0 collectionFormat to (style, explode); "" is the default style of the position."""


def serialisation(node: Node, location: str, scope: Scope, place: Place) -> list[Facet]:
    """The facets `style` and `explode` of a 3.x parameter, header or encoding with a schema.

    `explode` means nothing for a single value, nor for a simple list, so there it always has the default of its style.
    """
    default = DEFAULT_STYLE[location]
    style = node.get("style", default)
    if not isinstance(style, str) or style not in _STYLES[location]:
        scope.skip(place.child("style"), f"style: unknown in a {location} position", "use a style of the specification")
        style = style if isinstance(style, str) else default
    explode = scope.flag(node, "explode", place, default=style == "form")
    schema = node.get("schema")
    indifferent = _SCALARS | {"array"} if style == "simple" else _SCALARS
    if isinstance(schema, dict) and _is_one_of(indifferent, schema, scope, place.child("schema")):
        explode = style == "form"
    return [facet(node, "style", Aspect.SERIALISATION, style), facet(node, "explode", Aspect.SERIALISATION, explode)]


def collection(node: Node, location: str, scope: Scope, place: Place) -> list[Facet]:
    """The same facets for a Swagger 2.0 parameter, header or form field."""
    style, explode = DEFAULT_STYLE[location], DEFAULT_STYLE[location] == "form"
    pointer = ""
    if node.get("type") == "array":
        written = node.get("collectionFormat", "csv")
        if not isinstance(written, str) or written not in _COLLECTIONS:
            scope.skip(
                place.child("collectionFormat"), "collectionFormat: unknown", "use csv, ssv, tsv, pipes or multi"
            )
            written = "csv"
        named, explode = _COLLECTIONS[written]
        style = named or style
        pointer = "/collectionFormat" if "collectionFormat" in node else ""
    return [
        Facet("style", Aspect.SERIALISATION, style, True, pointer),
        Facet("explode", Aspect.SERIALISATION, explode, True, pointer),
    ]


def _is_one_of(types: frozenset[str], schema: Node, scope: Scope, place: Place) -> bool:
    found = scope.resolver.follow(place, schema) if "$ref" in schema else (place, schema)
    target = found[1] if found else None
    kind = target.get("type") if isinstance(target, dict) else None
    return isinstance(kind, str) and kind in types


_Form = tuple[str, Position]
_HEADERS: Final = frozenset({"headers"})
_STYLE: Final = frozenset({"style", "explode", "allowReserved"})
_TYPE: Final = frozenset({"contentType"})
"""OpenAPI 3.1, section 4.8.15: "SHALL be ignored" where a style is written, even as its default."""
_FORMS: Final = ("multipart/", "application/x-www-form-urlencoded", "application/*", "*/*")
"""OpenAPI 3.1, section 4.8.14: `encoding` counts for these media types only, and for ranges that hold them."""


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
        **position._asdict(),
        facets=(*described(node), *_non_wire_encoding(node, form=form)),
        value=scope.schema(node, "schema", place),
        children=_encodings(node, scope, place, (key, position)) if form and "encoding" in node else (),
    )


def _non_wire_encoding(node: Node, *, form: bool) -> tuple[Facet, ...]:
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
    non_wire = _ignored(media_type, scope) & node.keys()
    if scope.version is Version.V31 and _STYLE & (node.keys() - non_wire):
        non_wire |= _TYPE & node.keys()
    read = {key: value for key, value in node.items() if key not in non_wire}
    content_type = read.get("contentType")
    facets = [*described(node), *_form_style(read, scope, place)]
    if non_wire:
        said: Json = {key: node[key] for key in sorted(non_wire)}
        facets.append(Facet("ignored here", Aspect.ENCODINGS, said, False))
    if isinstance(content_type, str):
        facets.append(facet(node, "contentType", Aspect.ENCODINGS, content_type))
    return Element(
        kind=ElementKind.ENCODING,
        key=name,
        name=name,
        aspect=Aspect.ENCODINGS,
        place=place,
        **position._asdict(),
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
    return [*serialisation(node, "query", scope, place), facet(node, "allowReserved", Aspect.SERIALISATION, reserved)]


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
            **position._asdict(),
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
