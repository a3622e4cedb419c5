"""OpenAPI: parameters, and how a value becomes text on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import CONTENT
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.comparison.rules.variance import (
    SIDE,
    Shown,
    Text,
    ValueSetChange,
    both_ways,
    breaking,
    compatible,
    mirrored,
    one_side,
    unknown,
)
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Absent, Aspect, Change, Direction, Form, Json

_STYLE: Final = "OpenAPI 3.1, section 4.8.12.2 Parameter Object, `style` and `explode`"
_ENCODING: Final = "OpenAPI 3.1, section 4.8.15 Encoding Object"
_XML: Final = "OpenAPI 3.1, section 4.8.26 XML Object"
_WAY: Final = ("style", "explode", "collectionFormat", "name")
"""`name` is that of a path parameter in the style `matrix`, which writes it: RFC 6570, section 3.2.7."""
_WHY: Final = (
    "The same value is written as another text; a reader that keeps to the released form reads something else."
)
_EMPTY_VALUE: Final = "allowEmptyValue"


def _array_query(**serialised: Json) -> Json:
    array: Json = {"type": "array", "items": {"type": "string"}}
    return {"name": "subject", "in": "query", "schema": array, **serialised}


def _header(*, explode: bool) -> Json:
    return {"X-Subject": {"explode": explode, "schema": {"type": "object"}}}


def _form(**encoding: Json) -> Json:
    schema: Json = {"type": "object", "properties": {"subject": {"type": "string"}}}
    return {"multipart/form-data": {"schema": schema, **({"encoding": {"subject": encoding}} if encoding else {})}}


def _named(media_type: str, name: str, **more: Json) -> Json:
    return {media_type: {"schema": {"type": "string", "xml": {"name": name}, **more}}}


_CALLED: Final = (Slot.PARAMETERS, Slot.WEBHOOK_PARAMETERS)
_PLAIN: Final = frozenset({"integer", "number", "boolean"})


def _described(schema: Json) -> Json:
    return {"name": "subject", "in": "query", "content": {"application/json": {"schema": schema}}}


def _plain(delta: Delta) -> bool:
    types = delta.facts.get(comparison_delta.TYPE)
    return isinstance(types, list) and bool(types) and _PLAIN.issuperset(map(str, types))


def _alike_as_text(delta: Delta) -> bool:
    same = delta.facts.get(comparison_delta.SAME_VALUES) is True and delta.facts.get(comparison_delta.SAME_TEXT) is True
    return _plain(delta) and same


def _other_text(delta: Delta) -> bool:
    other = not _plain(delta) or delta.facts.get(comparison_delta.SAME_TEXT) is False
    return bool(delta.facts.get(comparison_delta.TYPE)) and other


def _switched() -> Iterator[Rule]:
    """A parameter or header whose value is described by a content type, and was by a schema, or the other way round."""
    text = (_described({"type": "string"}), _array_query(schema={"type": "string"}))
    number = (_described({"type": "integer"}), _array_query(schema={"type": "integer"}))
    yield from mirrored(
        "content-changed",
        ValueSetChange.REPLACES,
        Text("described by a content type, no longer by a style, or back", _WHY, _STYLE),
        Match(facets=(CONTENT,), when=_other_text),
        Shown(released=text[0], candidate=text[1], counter=number, slots=_CALLED),
    )
    for direction, slot in zip((Direction.READ, Direction.WRITTEN), _CALLED, strict=True):
        yield compatible(
            f"{SIDE[direction]}-content-alike",
            Text(
                f"A {SIDE[direction]} number or boolean is described by a content type, no longer by a style, or back",
                "JSON, plain text and a style without signs of its own write it as the same text.",
                _STYLE,
            ),
            Match(facets=(CONTENT,), direction=direction, when=_alike_as_text),
            Example(slot, *number),
            Example(slot, *text),
        )


_PARAMETERS: Final = (Slot.PARAMETERS, Slot.PARAMETERS)
_HEADERS: Final = (Slot.HEADERS, Slot.HEADERS)
_TEXT: Final = Text("serialised in another way", _WHY, _STYLE)
_MATCH: Final = Match(aspects=(Aspect.SERIALISATION,), facets=_WAY)


def _flag(facet: str, stem: str, why: str) -> tuple[Rule, ...]:
    """The four rules of a permission that a parameter has or lacks, of requests and of the producer's own calls."""
    given = Text(f"`{facet}` was granted", why, _STYLE)
    taken = Text(f"`{facet}` was taken back", why, _STYLE)
    schema: Json = {"type": "integer" if facet == _EMPTY_VALUE else "string"}
    on, off = _array_query(schema=schema, **{facet: True}), _array_query(schema=schema, **{facet: False})
    return (
        *mirrored(
            f"{stem}-granted",
            ValueSetChange.WIDENS,
            given,
            Match(facets=(facet,), candidate=(True,)),
            Shown(released=off, candidate=on, slots=_CALLED),
        ),
        *mirrored(
            f"{stem}-taken-back",
            ValueSetChange.NARROWS,
            taken,
            Match(facets=(facet,), released=(True,)),
            Shown(released=on, candidate=off, slots=_CALLED),
        ),
    )


def _part_types(form: Form, delta: Delta) -> frozenset[str]:
    """The content types that a part may have; without a word about it, the one that follows from its schema."""
    written = delta.facts.get(comparison_delta.PART_TYPE) if isinstance(form, Absent) else form
    return frozenset(each.strip().lower() for each in str(written or "").split(",")) - {""}


def _types(delta: Delta) -> tuple[frozenset[str], frozenset[str]]:
    return _part_types(delta.released, delta), _part_types(delta.candidate, delta)


def _holds(wide: frozenset[str], narrow: frozenset[str]) -> bool:
    return bool(wide and narrow) and all(
        each in wide or "*/*" in wide or f"{each.partition('/')[0]}/*" in wide for each in narrow
    )


def _more(delta: Delta) -> bool:
    before, after = _types(delta)
    return _holds(after, before) and not _holds(before, after)


def _fewer(delta: Delta) -> bool:
    before, after = _types(delta)
    return _holds(before, after) and not _holds(after, before)


def _alike(delta: Delta) -> bool:
    before, after = _types(delta)
    return _holds(before, after) and _holds(after, before)


_CONTENTS: Final = (Slot.REQUEST_CONTENT, Slot.RESPONSE_CONTENT)
_PART: Final = ("The content type of a part tells the reader how to read it.", _ENCODING)
_RANGE: Final = _form(contentType="image/*")
_OTHER: Final = (_RANGE, _form(contentType="image/*, image/png"))


def _rephrased_types() -> Iterator[Rule]:
    """Content types of a part of a form that are written in another way."""
    for direction in Direction:
        side = SIDE[direction]
        yield compatible(
            f"{side}-encoding-content-type-restated",
            Text(
                f"The content types of a {side} part are named in another way",
                "A range holds the types that stand beside it, and the default of the schema is a type as well: "
                "the same types are named.",
                _ENCODING,
            ),
            Match(facets=("contentType",), direction=direction, when=_alike),
            Example(_CONTENTS[direction is Direction.WRITTEN], _RANGE, _form(contentType="image/*, image/png")),
            Example(_CONTENTS[direction is Direction.WRITTEN], _RANGE, _form(contentType="image/png")),
        )


def _other_types() -> Iterator[Rule]:
    """More, fewer or other content types that a part of a form may have."""
    yield from both_ways(
        ValueSetChange.WIDENS,
        (
            "encoding-content-type-widened",
            "a part may have more content types",
            Match(facets=("contentType",), when=_more),
        ),
        (
            "encoding-content-type-narrowed",
            "a part may have fewer content types",
            Match(facets=("contentType",), when=_fewer),
        ),
        _PART,
        Shown(released=_form(contentType="image/png"), candidate=_form(contentType="image/*"), slots=_CONTENTS),
    )
    yield from mirrored(
        "encoding-content-type-changed",
        ValueSetChange.REPLACES,
        Text("a part has another content type", *_PART),
        Match(facets=("contentType",), when=lambda delta: all(_types(delta))),
        Shown(
            released=_form(contentType="text/plain"),
            candidate=_form(contentType="application/json"),
            counter=_OTHER,
            slots=_CONTENTS,
        ),
    )


def _absent_field() -> Iterator[Rule]:
    """An encoding of a field that one side does not have: that the field came or went is a row of its own."""
    stray: Json = {"multipart/form-data": {"schema": {"type": "object"}, "encoding": {"stray": {"style": "form"}}}}
    plain: Json = {"multipart/form-data": {"schema": {"type": "object"}}}
    for direction in Direction:
        slot = _CONTENTS[direction is Direction.WRITTEN]
        for verb, change, edit in (
            ("added", Change.ADDED, (plain, stray)),
            ("removed", Change.REMOVED, (stray, plain)),
        ):
            yield compatible(
                f"{SIDE[direction]}-encoding-{verb}",
                Text(
                    f"The encoding of a {SIDE[direction]} field was {verb} that one side does not have",
                    "An encoding says how a field is written; that the field came or went is a row of its own.",
                    _ENCODING,
                ),
                Match(elements=(ElementKind.ENCODING,), facets=("",), changes=(change,), direction=direction),
                Example(slot, *edit),
            )


SERIALISATION_RULES: tuple[Rule, ...] = (
    one_side(
        "serialisation-changed",
        (Direction.READ, ValueSetChange.REPLACES),
        _TEXT,
        _MATCH,
        Shown(
            released=_array_query(explode=True),
            candidate=_array_query(explode=False),
            counter=(_array_query(), _array_query(required=True)),
            slots=_PARAMETERS,
        ),
    ),
    one_side(
        "serialisation-changed",
        (Direction.WRITTEN, ValueSetChange.REPLACES),
        _TEXT,
        _MATCH,
        Shown(
            released=_header(explode=True),
            candidate=_header(explode=False),
            counter=(_header(explode=True), ABSENT),
            slots=_HEADERS,
        ),
    ),
    *_flag("allowReserved", "reserved-signs", "`allowReserved` lets reserved signs stand as they are."),
    *_flag(_EMPTY_VALUE, "empty-value", "`allowEmptyValue` lets the parameter stand without a value."),
    *mirrored(
        "xml-changed",
        ValueSetChange.REPLACES,
        Text("written as other XML", _WHY, _XML),
        Match(facets=("xml",)),
        Shown(
            released=_named("application/xml", "a"),
            candidate=_named("application/xml", "b"),
            counter=(_named("application/json", "a"), _named("application/json", "b", maxLength=9)),
            slots=_CONTENTS,
        ),
    ),
    *_switched(),
    *_rephrased_types(),
    *_other_types(),
    *_absent_field(),
)


# Parameters. OpenAPI lists what an operation understands; an unlisted one is part of no described request.


_PARAMETER: Final = "OpenAPI 3.1, section 4.8.12 Parameter Object"
_OPERATION: Final = "OpenAPI 3.1, section 4.8.10 Operation Object, `parameters`"
_KIND: Final = (ElementKind.PARAMETER,)
_BOTH: Final = (Slot.PARAMETERS, Slot.WEBHOOKS)


def _query(*, required: bool = False) -> Json:
    return {"name": "subject", "in": "query", "required": required, "schema": {"type": "string"}}


def _hook(*, present: bool = True, required: bool = False) -> Json:
    header: list[Json] = [{"name": "X-Subject", "in": "header", "required": required, "schema": {"type": "string"}}]
    return {"changed": {"post": {"parameters": header if present else [], "responses": {"204": {"description": "ok"}}}}}


def _presence(direction: Direction, change: Change, *, required: bool | None = None) -> Match:
    asked: tuple[tuple[str, Json], ...] = () if required is None else ((comparison_delta.REQUIRED, required),)
    return Match(elements=_KIND, facets=("",), changes=(change,), direction=direction, facts=asked)


_SHOWN: Final = {Direction.READ: _query, Direction.WRITTEN: _hook}
_CREDENTIALS: Final = "OpenAPI 3.1, section 4.8.27 Security Scheme Object, `apiKey`"


def _keyed(*, parameter: bool) -> Json:
    owed: Json = {"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}}
    return {"parameters": [owed] if parameter else [], "security": [{"key": []}]}


def _beside(member: str, *others: Json) -> dict[str, Json]:
    """An operation with an exploded object of one member, and other parameters."""
    schema: Json = {"type": "object", "properties": {member: {"type": "string"}}}
    return {"parameters": [{"name": "all", "in": "query", "schema": schema}, *others]}


def _hook_beside(member: str, *others: Json) -> Json:
    return {"changed": {"post": {**_beside(member, *others), "responses": {"204": {"description": "ok"}}}}}


def _as_member(delta: Delta) -> bool:
    return comparison_delta.SENT_IN in delta.facts


def _as_credentials(delta: Delta) -> bool:
    return comparison_delta.SENT_AS in delta.facts


_KEYS: tuple[Rule, ...] = (
    compatible(
        "request-parameter-proved-before",
        Text(
            "A required parameter was added that released calls send as their credentials",
            "The text of the parameter is the key that every released alternative demands, and any text is taken.",
            _CREDENTIALS,
        ),
        replace(_presence(Direction.READ, Change.ADDED, required=True), when=_as_credentials),
        Example(Slot.OPERATION, _keyed(parameter=False), _keyed(parameter=True)),
        Example(Slot.PARAMETERS, ABSENT, _query(required=True)),
    ),
    compatible(
        "request-parameter-stays-credentials",
        Text(
            "A parameter was removed whose text the candidate takes as credentials",
            "The security of the operation describes the same part of an old request.",
            _CREDENTIALS,
        ),
        replace(_presence(Direction.READ, Change.REMOVED), when=_as_credentials),
        Example(Slot.OPERATION, _keyed(parameter=True), _keyed(parameter=False)),
        Example(Slot.PARAMETERS, _query(), ABSENT),
    ),
)

PARAMETER_RULES: tuple[Rule, ...] = (
    *_KEYS,
    breaking(
        "request-parameter-added-required",
        Text(
            "A required parameter was added",
            "An old request lacks the parameter, and the candidate demands it; a default has no meaning for a "
            "required parameter.",
            _PARAMETER,
        ),
        _presence(Direction.READ, Change.ADDED, required=True),
        Example(Slot.PARAMETERS, ABSENT, _query(required=True)),
        Example(Slot.PARAMETERS, ABSENT, _query()),
    ),
    unknown(
        "request-parameter-added-over-member",
        Text(
            "An optional parameter was added that has the name of an exploded object's member",
            "An exploded object is sent as its members, without its own name: an old request may carry this name "
            "already, and the candidate reads the text by the new parameter.",
            _PARAMETER,
        ),
        replace(_presence(Direction.READ, Change.ADDED), when=_as_member),
        Example(Slot.OPERATION, _beside("subject"), _beside("subject", _query())),
        Example(Slot.OPERATION, _beside("other"), _beside("other", _query())),
    ),
    compatible(
        "request-parameter-added",
        Text(
            "An optional parameter was added",
            "An old request leaves the parameter out, which the candidate allows.",
            _PARAMETER,
        ),
        _presence(Direction.READ, Change.ADDED),
        Example(Slot.PARAMETERS, ABSENT, _query()),
        Example(Slot.PARAMETERS, ABSENT, _query(required=True)),
    ),
    breaking(
        "request-parameter-removed",
        Text(
            "A parameter was removed",
            "The parameters of an operation are listed one by one. An old request that carries this one is no "
            "longer described: it may be refused, and what the parameter did is no longer promised.",
            _OPERATION,
        ),
        _presence(Direction.READ, Change.REMOVED),
        Example(Slot.PARAMETERS, _query(), ABSENT),
    ),
    unknown(
        "response-parameter-added-over-member",
        Text(
            "The producer sends one more parameter, which has the name of an exploded object's member",
            "An exploded object is sent as its members, without its own name: a released receiver may take the "
            "parameter for a member of the object.",
            _PARAMETER,
        ),
        replace(_presence(Direction.WRITTEN, Change.ADDED), when=_as_member),
        Example(Slot.WEBHOOKS, _hook_beside("subject"), _hook_beside("subject", _query())),
        Example(Slot.WEBHOOKS, _hook_beside("other"), _hook_beside("other", _query())),
    ),
    compatible(
        "response-parameter-added",
        Text(
            "The producer sends one more parameter",
            "A receiver ignores parameters and headers that it does not know (RFC 9110, section 5.1).",
            _PARAMETER,
        ),
        _presence(Direction.WRITTEN, Change.ADDED),
        Example(Slot.WEBHOOKS, _hook(present=False), _hook()),
    ),
    breaking(
        "response-parameter-removed-required",
        Text(
            "The producer no longer sends a parameter that it promised",
            "The released contract promised the parameter in every message to the receiver.",
            _PARAMETER,
        ),
        _presence(Direction.WRITTEN, Change.REMOVED, required=True),
        Example(Slot.WEBHOOKS, _hook(required=True), _hook(present=False)),
        Example(Slot.WEBHOOKS, _hook(), _hook(present=False)),
    ),
    unknown(
        "response-parameter-removed-over-member",
        Text(
            "The producer no longer sends an optional parameter that has the name of an exploded object's member",
            "An exploded object is sent as its members, without its own name: such a member may still come, and a "
            "released receiver reads its text by the parameter.",
            _PARAMETER,
        ),
        replace(_presence(Direction.WRITTEN, Change.REMOVED), when=_as_member),
        Example(Slot.WEBHOOKS, _hook_beside("subject", _query()), _hook_beside("subject")),
        Example(Slot.WEBHOOKS, _hook_beside("other", _query()), _hook_beside("other")),
    ),
    compatible(
        "response-parameter-removed",
        Text(
            "The producer no longer sends an optional parameter",
            "The released contract never promised the parameter.",
            _PARAMETER,
        ),
        _presence(Direction.WRITTEN, Change.REMOVED),
        Example(Slot.WEBHOOKS, _hook(), _hook(present=False)),
        Example(Slot.WEBHOOKS, _hook(required=True), _hook(present=False)),
    ),
    *(
        one_side(
            "parameter-became-required",
            (direction, ValueSetChange.NARROWS),
            Text("a parameter became required", "A message without it is no longer admitted.", _PARAMETER),
            Match(elements=_KIND, facets=("required",), candidate=(True,)),
            Shown(released=shown(), candidate=shown(required=True), slots=_BOTH),
        )
        for direction, shown in _SHOWN.items()
    ),
    *(
        one_side(
            "parameter-became-optional",
            (direction, ValueSetChange.WIDENS),
            Text("a parameter became optional", "A message without it is now admitted.", _PARAMETER),
            Match(elements=_KIND, facets=("required",), released=(True,)),
            Shown(released=shown(required=True), candidate=shown(), slots=_BOTH),
        )
        for direction, shown in _SHOWN.items()
    ),
)
