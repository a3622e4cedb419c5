"""What the contract says about a request: parameters and body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Element, ElementKind, Place, ValueSet
from evreview.core.vocabulary import MISSING, Concern, Json, Polarity
from evreview.reference.claims import claim
from evreview.reference.fields import Fields
from evreview.reference.model import ClaimKey, Operation
from evreview.reference.places import Places
from evreview.workflows.w2.contract_rows import Body, ParameterRow, RequestBody

_STYLES: Final = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}
UNSTATED: Final = "*/*"
"""The media type of a body whose contract names none."""


@dataclass(frozen=True, slots=True)
class Side:
    """The request or the responses of one operation."""

    operation: Operation
    fields: Fields
    polarity: Polarity

    def media_type(self, element: Element) -> tuple[Place, ...]:
        """Where Swagger 2.0 states a media type; nothing where the element's own place says it."""
        places = self.fields.places
        if places.contract.root.facet("format") != "2.0":
            return (element.place,)
        key = "consumes" if self.polarity is Polarity.READ else "produces"
        for owner in (self.operation.element.place, places.contract.root.place):
            listed = places.node(owner.child(key))
            if isinstance(listed, list):
                return tuple(owner.child(key, at) for at, name in enumerate(listed) if name == element.name)
        return ()


def children(element: Element, kind: ElementKind) -> Iterator[Element]:
    """The children of one kind, in document order."""
    return (child for child in element.children if child.kind is kind)


def written_description(element: Element) -> str:
    """The description that an element carries, "" for none."""
    found = element.facet("description")
    return found if isinstance(found, str) else ""


def parameters(operation: Operation, fields: Fields) -> tuple[ParameterRow, ...]:
    """One row per parameter outside the body, in document order."""
    return tuple(_parameter(operation, each, fields) for each in children(operation.element, ElementKind.PARAMETER))


def _parameter(operation: Operation, element: Element, fields: Fields) -> ParameterRow:
    location, name = element.key.partition(":")[0], element.name
    value = element.value or next((child.value for child in element.children if child.value is not None), None)
    root, *below = fields.rows(value, Polarity.READ) if value is not None else (None,)
    return ParameterRow(
        name=name,
        location=location,
        type=root.type if root is not None else ("not stated",),
        required=element.facet("required") is True,
        validation=root.allowed if root is not None else (),
        claim=claim(operation.id, Concern.PARAMETERS, location, name),
        validation_claim=claim(operation.id, Concern.VALIDATION, location, name),
        citations=tuple(dict.fromkeys((fields.places.at(element.place), *(root.citations if root else ())))),
        default=root.default if root is not None else MISSING,
        style=_style(element, location, value, fields),
        description=written_description(element) or (root.description if root is not None else ""),
        deprecated=element.facet("deprecated") is True,
        fields=tuple(row for row in below if row is not None),
    )


def _style(element: Element, location: str, value: ValueSet | None, fields: Fields) -> str:
    """How a list or an object is written, "" for single values and for the default of the position."""
    style, explode = element.facet("style"), element.facet("explode")
    if not isinstance(style, str) or value is None:
        return next((child.name for child in children(element, ElementKind.MEDIA_TYPE)), "")
    view = fields.view(value)
    several = bool((view.types or frozenset()) & {"array", "object"}) or bool(view.properties)
    if not several and style == _STYLES.get(location):
        return ""
    usual = style == "form"
    if style == _STYLES.get(location) and explode is usual:
        return ""
    return f"{style}, {'exploded' if explode is True else 'not exploded'}"


def request_body(operation: Operation, fields: Fields) -> RequestBody | None:
    """The request body, None when the contract defines none."""
    element = next(children(operation.element, ElementKind.BODY), None)
    if element is None:
        return None
    _locate_form(operation, element, fields.places)
    outer = claim(operation.id, Concern.REQUEST_BODY)
    return RequestBody(
        required=element.facet("required") is True,
        description=written_description(element),
        bodies=bodies(element, outer, Side(operation, fields, Polarity.READ)),
        claim=outer,
        citations=(fields.places.at(element.place),),
    )


def bodies(owner: Element, outer: ClaimKey, side: Side) -> tuple[Body, ...]:
    """One body per media type of a request or response."""
    return tuple(_body(element, outer, side) for element in children(owner, ElementKind.MEDIA_TYPE))


def _body(element: Element, outer: ClaimKey, side: Side) -> Body:
    rows = side.fields.rows(element.value, side.polarity) if element.value is not None else ()
    stated = side.media_type(element)
    name = "" if element.name == UNSTATED and not stated else element.name
    return Body(
        media_type=name,
        root=rows[0] if rows else None,
        fields=rows[1:],
        claim=ClaimKey(f"{outer} {name or UNSTATED}"),
        citations=side.fields.places.all((*stated, element.place)),
    )


def _locate_form(operation: Operation, body: Element, places: Places) -> None:
    """Tells where the fields of a Swagger 2.0 form are written, which the reader put into a schema of its own."""
    value = next((child.value for child in body.children if child.value is not None), None)
    if value is None or not isinstance(value.node, Mapping) or not isinstance(places.node(value.place), list):
        return
    item = Place(operation.element.place.file, operation.element.place.pointer.rpartition("/")[0])
    for owner in (item, operation.element.place):
        listed = owner.child("parameters")
        for at, node in enumerate(_list(places.node(listed))):
            found = places.resolver.follow(listed.child(at), node)
            if found is not None and isinstance(found[1], Mapping) and found[1].get("in") == "formData":
                name = str(found[1].get("name"))
                places.stands_for(value.place.child("properties", name), found[0])


def _list(node: Json) -> list[Json]:
    return node if isinstance(node, list) else []
