"""Members of objects: added, removed, required, hidden from one direction.

A field that the released contract never declared is not something an old request is known to carry, nor something an
old client is known to read: an open object makes adding a field harmless. A closed one (`additionalProperties: false`)
refuses it by contract.
"""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.comparison.rules.variance import Shown, Text, ValueSetChange, breaking, compatible, mirrored, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Change, Direction, Json, Verdict

_OBJECT: Final = "JSON Schema 2020-12 Core, section 10.3.2"
_REQUIRED: Final = "JSON Schema Validation 2020-12, section 6.5.3"
_ACCESS: Final = "OpenAPI 3.1, section 4.8.24 Schema Object; OpenAPI 3.0, section 4.7.24 `readOnly`, `writeOnly`"
_WHOLE: Final = ("",)
_FIELD: Final = (ElementKind.PROPERTY,)
_BOTH: Final = (Slot.REQUEST_BODY, Slot.RESPONSE_BODY)


def _body(*names: str, required: tuple[str, ...] = (), closed: bool = False, **marks: Json) -> Json:
    properties: dict[str, Json] = {name: {"type": "string", **marks} for name in names}
    body: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        body["required"] = list(required)
    if closed:
        body["additionalProperties"] = False
    return body


def _added(direction: Direction, *asked: tuple[str, Json]) -> Match:
    return Match(elements=_FIELD, facets=_WHOLE, changes=(Change.ADDED,), direction=direction, facts=asked)


def _removed(direction: Direction, *asked: tuple[str, Json]) -> Match:
    return Match(elements=_FIELD, facets=_WHOLE, changes=(Change.REMOVED,), direction=direction, facts=asked)


def _outside(direction: Direction, slot: Slot, mark: str) -> Rule:
    side = "request" if direction is Direction.READ else "response"
    return compatible(
        f"{side}-field-of-other-direction-changed",
        Text(
            f"A `{mark}` field was added to or removed from a {side}",
            f"A `{mark}` field does not travel in a {side}, so neither side ever sees it there.",
            _ACCESS,
        ),
        Match(
            elements=_FIELD,
            facets=_WHOLE,
            changes=(Change.ADDED, Change.REMOVED),
            direction=direction,
            facts=((delta.READ_ONLY if direction is Direction.READ else delta.WRITE_ONLY, True),),
        ),
        Example(slot, _body("id"), {"type": "object", "properties": {"id": {"type": "string"}, "x": {mark: True}}}),
        Example(slot, _body("id"), _body("id", "x")),
    )


def _unseen(direction: Direction, slot: Slot, mark: str) -> Rule:
    """Speaks before every rule that knows its keyword: what nobody sends may look as it will."""
    side = "request" if direction is Direction.READ else "response"
    return compatible(
        f"{side}-value-of-other-direction-changed",
        Text(
            f"The schema of a `{mark}` field changed in a {side}",
            f"The field is `{mark}` for whoever sends a {side} and does not travel there, so nobody sees what it "
            "may hold.",
            _ACCESS,
        ),
        Match(
            elements=(ElementKind.SCHEMA, ElementKind.PROPERTY),
            direction=direction,
            facts=((delta.OUTSIDE_DIRECTION, True),),
        ),
        Example(slot, {"type": "string", mark: True}, {"type": "integer", mark: True}),
        Example(slot, {"type": "string"}, {"type": "integer"}),
    )


_REQUEST: Final = Slot.REQUEST_BODY
_RESPONSE: Final = Slot.RESPONSE_BODY

_PRESENCE: tuple[Rule, ...] = (
    _unseen(Direction.READ, Slot.REQUEST_FIELD, "readOnly"),
    _unseen(Direction.WRITTEN, Slot.RESPONSE_FIELD, "writeOnly"),
    _outside(Direction.READ, _REQUEST, "readOnly"),
    _outside(Direction.WRITTEN, _RESPONSE, "writeOnly"),
    breaking(
        "request-required-field-added",
        Text(
            "A required field was added to what the producer reads",
            "An old request lacks the field, and the candidate refuses a request without it; a default does not "
            "make a required field optional.",
            _REQUIRED,
        ),
        _added(Direction.READ, (delta.REQUIRED, True)),
        Example(_REQUEST, _body("id"), _body("id", "x", required=("x",))),
        Example(_REQUEST, _body("id"), _body("id", "x")),
    ),
    compatible(
        "request-optional-field-added",
        Text(
            "An optional field was added to what the producer reads",
            "An old request leaves the field out, which the candidate allows.",
            _OBJECT,
        ),
        _added(Direction.READ),
        Example(_REQUEST, _body("id"), _body("id", "x")),
        Example(_REQUEST, _body("id"), _body("id", "x", required=("x",))),
    ),
    breaking(
        "response-field-added-to-closed-object",
        Text(
            "A field was added to a written object that the released contract closes",
            "The released contract refuses members it does not name, so an old client that keeps to it refuses the "
            "message.",
            _OBJECT,
        ),
        _added(Direction.WRITTEN, (delta.RELEASED_CLOSED, True)),
        Example(_RESPONSE, _body("id", closed=True), _body("id", "x", closed=True)),
        Example(_RESPONSE, _body("id"), _body("id", "x")),
    ),
    compatible(
        "response-field-added",
        Text(
            "A field was added to what the producer writes",
            "The released object is open: it admits members that it does not name.",
            _OBJECT,
        ),
        _added(Direction.WRITTEN),
        Example(_RESPONSE, _body("id"), _body("id", "x")),
        Example(_RESPONSE, _body("id", closed=True), _body("id", "x", closed=True)),
    ),
    breaking(
        "request-field-removed-from-closed-object",
        Text(
            "A field was removed from a read object that the candidate closes",
            "An old request may carry the field, and the candidate refuses members it does not name.",
            _OBJECT,
        ),
        _removed(Direction.READ, (delta.CANDIDATE_CLOSED, True)),
        Example(_REQUEST, _body("id", "x", closed=True), _body("id", closed=True)),
        Example(_REQUEST, _body("id", "x"), _body("id")),
    ),
    compatible(
        "request-field-removed",
        Text(
            "A field was removed from what the producer reads",
            "The candidate object is open: a request that still carries the field is accepted. What the field did "
            "is no longer promised; the clients that send it are judged one by one.",
            _OBJECT,
        ),
        _removed(Direction.READ),
        Example(_REQUEST, _body("id", "x"), _body("id")),
        Example(_REQUEST, _body("id", "x", closed=True), _body("id", closed=True)),
    ),
    breaking(
        "response-required-field-removed",
        Text(
            "A required field was removed from what the producer writes",
            "The released contract promised the field in every message.",
            _REQUIRED,
        ),
        _removed(Direction.WRITTEN, (delta.REQUIRED, True)),
        Example(_RESPONSE, _body("id", "x", required=("x",)), _body("id")),
        Example(_RESPONSE, _body("id", "x"), _body("id")),
    ),
    compatible(
        "response-optional-field-removed",
        Text(
            "An optional field was removed from what the producer writes",
            "The released contract never promised the field: an old client had to handle a message without it. A "
            "client known to need it is judged by itself.",
            _REQUIRED,
        ),
        _removed(Direction.WRITTEN),
        Example(_RESPONSE, _body("id", "x"), _body("id")),
        Example(_RESPONSE, _body("id", "x", required=("x",)), _body("id")),
    ),
)

_REQUIREDNESS: tuple[Rule, ...] = (
    *mirrored(
        "field-became-required",
        ValueSetChange.NARROWS,
        Text("a field became required", "A message without the field is no longer admitted.", _REQUIRED),
        Match(elements=_FIELD, facets=("required",), candidate=(True,)),
        Shown(released=_body("id"), candidate=_body("id", required=("id",)), slots=_BOTH),
    ),
    *mirrored(
        "field-became-optional",
        ValueSetChange.WIDENS,
        Text("a field became optional", "A message without the field is now admitted.", _REQUIRED),
        Match(elements=_FIELD, facets=("required",), released=(True,)),
        Shown(released=_body("id", required=("id",)), candidate=_body("id"), slots=_BOTH),
    ),
)


def _access(rule_id: str, verdict: Verdict, words: tuple[str, str], match: Match, *shown: Example) -> Rule:
    return stated(rule_id, verdict, Text(words[0], words[1], _ACCESS), match, *shown)


def _marked(slot: Slot, before: dict[str, Json], after: dict[str, Json]) -> Example:
    return Example(slot, {"type": "string", **before}, {"type": "string", **after})


def _hides(facet: str, direction: Direction, *, on: bool, required: bool | None = None) -> Match:
    asked: tuple[tuple[str, Json], ...] = () if required is None else ((delta.REQUIRED, required),)
    return Match(facets=(facet,), direction=direction, candidate=(True,) if on else (False, ABSENT), facts=asked)


_DEMANDED: Final = ("id",)


_ACCESS_RULES: tuple[Rule, ...] = (
    _access(
        "request-field-became-read-only",
        Verdict.BREAKING,
        ("A field may no longer be sent", "An old request may carry the field; a `readOnly` field must not be sent."),
        _hides("readOnly", Direction.READ, on=True),
        _marked(Slot.REQUEST_FIELD, {}, {"readOnly": True}),
        _marked(Slot.REQUEST_FIELD, {}, {"writeOnly": True}),
    ),
    _access(
        "request-required-field-no-longer-read-only",
        Verdict.BREAKING,
        (
            "A required field has to be sent now",
            "While the field was `readOnly`, requests did not owe it although it is required. An old request leaves it "
            "out, and the candidate demands it.",
        ),
        _hides("readOnly", Direction.READ, on=False, required=True),
        Example(_REQUEST, _body("id", required=_DEMANDED, readOnly=True), _body("id", required=_DEMANDED)),
        _marked(Slot.REQUEST_FIELD, {"readOnly": True}, {}),
    ),
    _access(
        "request-field-no-longer-read-only",
        Verdict.COMPATIBLE,
        ("A field may now be sent", "Old requests leave the field out; whether it is owed is a row of its own."),
        _hides("readOnly", Direction.READ, on=False),
        _marked(Slot.REQUEST_FIELD, {"readOnly": True}, {}),
    ),
    _access(
        "response-optional-field-became-write-only",
        Verdict.COMPATIBLE,
        (
            "An optional field is no longer written",
            "A `writeOnly` field must not be sent in responses. The released contract never promised this one: an old "
            "client had to handle a message without it.",
        ),
        _hides("writeOnly", Direction.WRITTEN, on=True, required=False),
        _marked(Slot.RESPONSE_FIELD, {}, {"writeOnly": True}),
        _marked(Slot.RESPONSE_FIELD, {}, {"readOnly": True}),
    ),
    _access(
        "response-field-became-write-only",
        Verdict.BREAKING,
        (
            "A field that was promised is no longer written",
            "A `writeOnly` field must not be sent in responses: it vanishes from them.",
        ),
        _hides("writeOnly", Direction.WRITTEN, on=True),
        Example(_RESPONSE, _body("id", required=_DEMANDED), _body("id", required=_DEMANDED, writeOnly=True)),
        _marked(Slot.RESPONSE_FIELD, {}, {"writeOnly": True}),
    ),
    _access(
        "response-field-no-longer-write-only",
        Verdict.COMPATIBLE,
        ("A field is now written", "The field joins the responses, as an added field does."),
        _hides("writeOnly", Direction.WRITTEN, on=False),
        _marked(Slot.RESPONSE_FIELD, {"writeOnly": True}, {}),
    ),
    _access(
        "request-field-write-only-changed",
        Verdict.COMPATIBLE,
        (
            "`writeOnly` of a read field changed",
            "`writeOnly` speaks about responses; requests carry the field either way.",
        ),
        Match(facets=("writeOnly",), direction=Direction.READ),
        _marked(Slot.REQUEST_FIELD, {}, {"writeOnly": True}),
        _marked(Slot.REQUEST_FIELD, {}, {"readOnly": True}),
    ),
    _access(
        "response-field-read-only-changed",
        Verdict.COMPATIBLE,
        (
            "`readOnly` of a written field changed",
            "`readOnly` speaks about requests; responses carry the field either way.",
        ),
        Match(facets=("readOnly",), direction=Direction.WRITTEN),
        _marked(Slot.RESPONSE_FIELD, {}, {"readOnly": True}),
        _marked(Slot.RESPONSE_FIELD, {}, {"writeOnly": True}),
    ),
)

RULES: tuple[Rule, ...] = (*_PRESENCE, *_REQUIREDNESS, *_ACCESS_RULES)
