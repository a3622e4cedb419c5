"""How a value becomes text on the wire."""

from __future__ import annotations

from typing import Final

from evreview.contracts.model import ElementKind
from evreview.rules.direction import Effect, Shown, Text, mirrored, one_side, stated
from evreview.rules.rule import Example, Match, Rule, Slot
from evreview.vocab import MISSING, Change, Json, Polarity, Verdict

_STYLE: Final = "OpenAPI 3.1, section 4.8.12.2 Parameter Object, `style` and `explode`"
_ENCODING: Final = "OpenAPI 3.1, section 4.8.15 Encoding Object"
_XML: Final = "OpenAPI 3.1, section 4.8.26 XML Object"
_WAY: Final = ("style", "explode", "collectionFormat")
_WHY: Final = (
    "The same value is written as another text; a reader that keeps to the released form reads something else."
)


def _query(**serialised: Json) -> Json:
    array: Json = {"type": "array", "items": {"type": "string"}}
    return {"name": "subject", "in": "query", "schema": array, **serialised}


def _header(*, explode: bool) -> Json:
    return {"X-Subject": {"explode": explode, "schema": {"type": "object"}}}


def _form(**encoding: Json) -> Json:
    schema: Json = {"type": "object", "properties": {"subject": {"type": "string"}}}
    return {"multipart/form-data": {"schema": schema, **({"encoding": {"subject": encoding}} if encoding else {})}}


_PARAMETERS: Final = (Slot.PARAMETERS, Slot.PARAMETERS)
_HEADERS: Final = (Slot.HEADERS, Slot.HEADERS)
_TEXT: Final = Text(title="serialised in another way", why=_WHY, reference=_STYLE)
_MATCH: Final = Match(facets=_WAY)


def _flag(facet: str, stem: str, why: str) -> tuple[Rule, ...]:
    """The two request rules of a permission that a parameter has or lacks."""
    given = Text(title=f"`{facet}` was granted", why=why, reference=_STYLE)
    taken = Text(title=f"`{facet}` was taken back", why=why, reference=_STYLE)
    on, off = _query(**{facet: True}), _query(**{facet: False})
    return (
        one_side(
            f"{stem}-granted",
            (Polarity.READ, Effect.WIDENS),
            given,
            Match(facets=(facet,), candidate=(True,)),
            Shown(released=off, candidate=on, slots=_PARAMETERS),
        ),
        one_side(
            f"{stem}-taken-back",
            (Polarity.READ, Effect.NARROWS),
            taken,
            Match(facets=(facet,), released=(True,)),
            Shown(released=on, candidate=off, slots=_PARAMETERS),
        ),
    )


def _encoded(rule_id: str, title: str, match: Match, edit: tuple[Json, Json]) -> Rule:
    counter = Example(Slot.PARAMETERS, _query(explode=True), _query(explode=False))
    shown = (Example(Slot.REQUEST_CONTENT, *edit), counter)
    return stated(rule_id, Verdict.BREAKING, Text(title=title, why=_WHY, reference=_ENCODING), match, shown)


RULES: tuple[Rule, ...] = (
    one_side(
        "serialisation-changed",
        (Polarity.READ, Effect.REPLACES),
        _TEXT,
        _MATCH,
        Shown(
            released=_query(explode=True),
            candidate=_query(explode=False),
            counter=(_query(), _query(required=True)),
            slots=_PARAMETERS,
        ),
    ),
    one_side(
        "serialisation-changed",
        (Polarity.WRITTEN, Effect.REPLACES),
        _TEXT,
        _MATCH,
        Shown(
            released=_header(explode=True),
            candidate=_header(explode=False),
            counter=(_header(explode=True), MISSING),
            slots=_HEADERS,
        ),
    ),
    *_flag("allowReserved", "reserved-signs", "`allowReserved` lets reserved signs stand as they are."),
    *_flag("allowEmptyValue", "empty-value", "`allowEmptyValue` lets the parameter stand without a value."),
    *mirrored(
        "xml-changed",
        Effect.REPLACES,
        Text(title="written as other XML", why=_WHY, reference=_XML),
        Match(facets=("xml",)),
        Shown(
            released={"type": "string", "xml": {"name": "a"}},
            candidate={"type": "string", "xml": {"name": "b"}},
            counter=({"type": "string"}, {"type": "string", "maxLength": 9}),
        ),
    ),
    _encoded(
        "request-encoding-content-type-changed",
        "A part of a form has another content type",
        Match(facets=("contentType",), polarity=Polarity.READ),
        (_form(contentType="text/plain"), _form(contentType="application/json")),
    ),
    _encoded(
        "request-encoding-added",
        "A part of a form got an encoding of its own",
        Match(elements=(ElementKind.ENCODING,), facets=("",), changes=(Change.ADDED,), polarity=Polarity.READ),
        (_form(), _form(contentType="application/json")),
    ),
    _encoded(
        "request-encoding-removed",
        "A part of a form lost its encoding",
        Match(elements=(ElementKind.ENCODING,), facets=("",), changes=(Change.REMOVED,), polarity=Polarity.READ),
        (_form(contentType="application/json"), _form()),
    ),
)
