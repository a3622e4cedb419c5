"""How a value becomes text on the wire: one set of facets for `style`/`explode` (3.x) and `collectionFormat` (2.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.contract.model import Facet, Place
from evreview.contracts.readers.openapi_scope import Node, Scope, facet
from evreview.core.vocabulary import Aspect

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
    return [
        facet(node, "style", Aspect.SERIALISATION, style),
        facet(node, "explode", Aspect.SERIALISATION, explode),
    ]


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
