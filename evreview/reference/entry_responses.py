"""What the contract says about responses: statuses, media types, fields, headers, and error codes per status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contract.model import Element, ElementKind, Place
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import MISSING, Concern, Json
from evreview.reference.claims import claim
from evreview.reference.entry_request import Side, bodies, children, written_description
from evreview.reference.words import value_text
from evreview.workflows.w2.contract_rows import Body, ErrorCode, HeaderRow, Response, is_error, response_claim
from evreview.workflows.w2.contract_words import rate_limit_header

CODE_FIELDS: Final = (
    "code",
    "error_code",
    "errorCode",
    "error.code",
    "error.type",
    "errors[].code",
    "errors[].type",
    "type",
    "error",
)
"""Where error bodies carry their code, the likeliest first."""


def responses(side: Side) -> tuple[Response, ...]:
    """One row per documented response, in document order."""
    return tuple(_response(each, side) for each in children(side.operation.element, ElementKind.RESPONSE))


def _response(element: Element, side: Side) -> Response:
    status = element.key
    outer = response_claim(side.operation.id, status)
    found = bodies(element, outer, side)
    codes = tuple((body.media_type, _codes(element, body, side)) for body in found) if is_error(status) else ()
    place = _written_status(side, status) or element.place
    return Response(
        status=status,
        description=written_description(element) or _description(side.fields.places.node(element.place)),
        bodies=found,
        headers=tuple(_header(element, each, side) for each in children(element, ElementKind.HEADER)),
        claim=outer,
        citations=side.fields.places.all((place, element.place)),
        codes=tuple((name, each) for name, each in codes if each),
    )


def _written_status(side: Side, status: str) -> Place | None:
    """Where the operation names the status; `4xx` is read as `4XX`."""
    below = side.operation.element.place.child("responses")
    listed = side.fields.places.node(below)
    names = listed if isinstance(listed, Mapping) else {}
    return next((below.child(name) for name in names if name.upper() == status.upper()), None)


def _description(node: Json) -> str:
    found = node.get("description") if isinstance(node, Mapping) else ""
    return found if isinstance(found, str) else ""


def _header(response: Element, element: Element, side: Side) -> HeaderRow:
    value = element.value or next((child.value for child in element.children if child.value is not None), None)
    root = side.fields.rows(value, side.polarity)[0] if value is not None else None
    return HeaderRow(
        status=response.key,
        name=element.name,
        type=root.type if root else ("not stated",),
        required=element.facet("required") is True,
        allowed=root.allowed if root else (),
        claim=claim(side.operation.id, Concern.HEADERS, response.key, element.name),
        citations=tuple(dict.fromkeys((side.fields.places.at(element.place), *(root.citations if root else ())))),
        description=written_description(element),
        rate_limit=rate_limit_header(element.name, response.key),
    )


def _codes(response: Element, body: Body, side: Side) -> tuple[ErrorCode, ...]:
    """The codes that this status defines: constants and lists of its schema, else those of its own examples."""
    for path in CODE_FIELDS:
        rows = [row for row in body.fields if row.path == path and row.codes]
        if rows:
            found = {code: ErrorCode(code, row.citations) for row in rows for code in row.codes}
            return tuple(found.values())
    shown = {each.value: each for each in _example_codes(response, body, side)}
    return tuple(shown.values())


def _example_codes(response: Element, body: Body, side: Side) -> Iterator[ErrorCode]:
    for place, example in _examples(response, body, side):
        for path in CODE_FIELDS:
            where = path.replace("[]", ".0").replace(".", "/")
            found = follow(example, f"/{where}")
            if found is not MISSING and type(found) in (str, int):
                citation = side.fields.places.at(Place(place.file, f"{place.pointer}/{where}"))
                yield ErrorCode(value_text(found), (citation,), example=True)
                break


def _examples(response: Element, body: Body, side: Side) -> Iterator[tuple[Place, Json]]:
    """The examples that stand at one media type of one response, with their places."""
    places = side.fields.places
    named = response.facet("examples")
    if isinstance(named, Mapping) and body.media_type in named:  # Swagger 2.0
        yield response.place.child("examples", body.media_type), named[body.media_type]
    media = next((each for each in children(response, ElementKind.MEDIA_TYPE) if each.name == body.media_type), None)
    if media is None:
        return
    node = places.node(media.place)
    if not isinstance(node, Mapping):
        return
    if "example" in node:
        yield media.place.child("example"), node["example"]
    several = node.get("examples")
    for name, item in several.items() if isinstance(several, Mapping) else ():
        found = places.resolver.follow(media.place.child("examples", name), item)
        if found is not None and isinstance(found[1], Mapping) and "value" in found[1]:
            yield found[0].child("value"), found[1]["value"]
