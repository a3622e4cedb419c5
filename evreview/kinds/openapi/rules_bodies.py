"""Request bodies and media types, of success and of error alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import MEDIA_TYPE
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Predicate, Rule, Slot, covered, covers, required
from evreview.comparison.rules.variance import Text, breaking, compatible, unknown
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Change, Direction, Json, Role

_BODY: Final = "OpenAPI 3.1, section 4.8.13 Request Body Object"
_MEDIA: Final = "OpenAPI 3.1, section 4.8.14 Media Type Object; RFC 9110, sections 8.3 and 12.5.1"
_PROBLEM: Final = "RFC 9110, section 8.3 Content-Type; RFC 9457 where it is a problem document"
_BODIES: Final = (ElementKind.BODY,)
_TYPES: Final = (ElementKind.MEDIA_TYPE,)
_SCHEMA: Final[Json] = {"schema": {"type": "object"}}
_JSON: Final[Json] = {"application/json": _SCHEMA}
_BOTH: Final[Json] = {"application/json": _SCHEMA, "application/xml": _SCHEMA}
_RANGE: Final[Json] = {"application/*": _SCHEMA}
_SPELLED: Final[Json] = {"application/json": _SCHEMA, "application/*": _SCHEMA}
_XML: Final[Json] = {"application/xml": _SCHEMA}
_PROBLEMS: Final[Json] = {"application/problem+json": _SCHEMA}
_ERRORS: Final[Json] = {"application/json": _SCHEMA, "application/problem+json": _SCHEMA}


def _body(*, required: bool = True) -> Json:
    return {"required": required, "content": _JSON}


def _whole(
    change: Change, elements: tuple[ElementKind, ...], direction: Direction, when: Predicate | None = None
) -> Match:
    return Match(elements=elements, facets=("",), changes=(change,), direction=direction, when=when)


def _one_of_several(delta: Delta) -> bool:
    return delta.facts.get(comparison_delta.ONLY_ONE) is not True


def _hook(content: Json) -> Json:
    return {"changed": {"post": {"requestBody": {"required": True, "content": content}, "responses": {}}}}


def _renamed(direction: Direction, when: Predicate | None = None) -> Match:
    return Match(elements=_TYPES, facets=(MEDIA_TYPE,), changes=(Change.CHANGED,), direction=direction, when=when)


_BODY_RULES: tuple[Rule, ...] = (
    breaking(
        "request-body-added-required",
        Text("A required request body was added", "An old request has no body, and the candidate demands one.", _BODY),
        _whole(Change.ADDED, _BODIES, Direction.READ, required),
        Example(Slot.BODY, ABSENT, _body()),
        Example(Slot.BODY, ABSENT, _body(required=False)),
    ),
    compatible(
        "request-body-added",
        Text("An optional request body was added", "An old request has no body, which the candidate allows.", _BODY),
        _whole(Change.ADDED, _BODIES, Direction.READ),
        Example(Slot.BODY, ABSENT, _body(required=False)),
        Example(Slot.BODY, ABSENT, _body()),
    ),
    breaking(
        "request-body-removed",
        Text(
            "The request body was removed",
            "An old request carries content that the candidate no longer describes: it may be refused or ignored.",
            _BODY,
        ),
        _whole(Change.REMOVED, _BODIES, Direction.READ),
        Example(Slot.BODY, _body(), ABSENT),
    ),
    breaking(
        "request-body-became-required",
        Text("The request body became required", "An old request without a body is refused.", _BODY),
        Match(elements=_BODIES, facets=("required",), direction=Direction.READ, candidate=(True,)),
        Example(Slot.BODY, _body(required=False), _body()),
    ),
    compatible(
        "request-body-became-optional",
        Text("The request body became optional", "Every old request carries a body, which stays allowed.", _BODY),
        Match(elements=_BODIES, facets=("required",), direction=Direction.READ, released=(True,)),
        Example(Slot.BODY, _body(), _body(required=False)),
    ),
)

_MEDIA_RULES: tuple[Rule, ...] = (
    compatible(
        "request-media-type-covered-by-range",
        Text(
            "A request media type gave way to a range that holds it",
            "The candidate's range names every media type that the released contract accepted.",
            _MEDIA,
        ),
        _whole(Change.REMOVED, _TYPES, Direction.READ, covered),
        Example(Slot.REQUEST_CONTENT, _SPELLED, _RANGE),
        Example(Slot.REQUEST_CONTENT, _RANGE, _JSON),
    ),
    compatible(
        "response-media-type-covered-by-range",
        Text(
            "A response media type gave way to a range that holds it",
            "The candidate's range still names the media type; what the range adds is a row of its own.",
            _MEDIA,
        ),
        _whole(Change.REMOVED, _TYPES, Direction.WRITTEN, covered),
        Example(Slot.RESPONSE_CONTENT, _SPELLED, _RANGE),
        Example(Slot.RESPONSE_CONTENT, _BOTH, _JSON),
    ),
    compatible(
        "response-media-range-narrowed",
        Text(
            "A range of response media types gave way to types that it held",
            "Every media type that the candidate writes was one of the released range.",
            _MEDIA,
        ),
        _whole(Change.REMOVED, _TYPES, Direction.WRITTEN, covers),
        Example(Slot.RESPONSE_CONTENT, _SPELLED, _JSON),
        Example(Slot.RESPONSE_CONTENT, _BOTH, _JSON),
    ),
    breaking(
        "request-media-range-narrowed",
        Text(
            "A range of request media types gave way to types that it held",
            "An old request of another content type of the range is refused.",
            _MEDIA,
        ),
        _whole(Change.REMOVED, _TYPES, Direction.READ, covers),
        Example(Slot.REQUEST_CONTENT, _SPELLED, _JSON),
        Example(Slot.REQUEST_CONTENT, _BOTH, _JSON),
    ),
    breaking(
        "request-media-type-removed",
        Text("A request media type was removed", "An old request of that content type is refused.", _MEDIA),
        _whole(Change.REMOVED, _TYPES, Direction.READ),
        Example(Slot.REQUEST_CONTENT, _BOTH, _JSON),
    ),
    compatible(
        "request-media-type-added",
        Text("A request media type was added", "Old requests use the released types, which stay accepted.", _MEDIA),
        _whole(Change.ADDED, _TYPES, Direction.READ),
        Example(Slot.REQUEST_CONTENT, _JSON, _BOTH),
    ),
    compatible(
        "webhook-media-type-removed",
        Text(
            "A media type of a webhook's or callback's body was removed",
            "The producer chooses the type of what it sends, and nobody asks it for one: an old subscriber gets only "
            "types that the released contract named.",
            _MEDIA,
        ),
        Match(
            elements=_TYPES,
            facets=("",),
            changes=(Change.REMOVED,),
            direction=Direction.WRITTEN,
            roles=(Role.WEBHOOK, Role.CALLBACK),
            when=_one_of_several,
        ),
        Example(Slot.WEBHOOKS, _hook(_BOTH), _hook(_JSON)),
        Example(Slot.RESPONSE_CONTENT, _BOTH, _JSON),
    ),
    breaking(
        "error-content-type-removed",
        Text(
            "A content type of an error response was removed",
            "Old clients read errors in the released content type. An error format is wire behaviour, whatever the "
            "success schema does.",
            _PROBLEM,
        ),
        replace(_whole(Change.REMOVED, _TYPES, Direction.WRITTEN), in_error=True),
        Example(Slot.ERROR_CONTENT, _ERRORS, _PROBLEMS),
        Example(Slot.RESPONSE_CONTENT, _BOTH, _JSON),
    ),
    breaking(
        "response-media-type-removed",
        Text(
            "A response media type was removed",
            "An old client that asks for this content type no longer gets it.",
            _MEDIA,
        ),
        _whole(Change.REMOVED, _TYPES, Direction.WRITTEN),
        Example(Slot.RESPONSE_CONTENT, _BOTH, _JSON),
        Example(Slot.ERROR_CONTENT, _ERRORS, _PROBLEMS),
    ),
    compatible(
        "response-media-type-within-range",
        Text(
            "A response media type was spelled out that a released range holds",
            "The released contract allowed the media type already.",
            _MEDIA,
        ),
        _whole(Change.ADDED, _TYPES, Direction.WRITTEN, covered),
        Example(Slot.RESPONSE_CONTENT, _RANGE, _SPELLED),
        Example(Slot.RESPONSE_CONTENT, _JSON, _BOTH),
    ),
    breaking(
        "webhook-media-type-added",
        Text(
            "A media type of a webhook's or callback's body was added",
            "The producer chooses the type of what it sends, and nobody asks it for one: an old subscriber may be sent "
            "a type that the released contract did not name.",
            _MEDIA,
        ),
        Match(
            elements=_TYPES,
            facets=("",),
            changes=(Change.ADDED,),
            direction=Direction.WRITTEN,
            roles=(Role.WEBHOOK, Role.CALLBACK),
            when=_one_of_several,
        ),
        Example(Slot.WEBHOOKS, _hook(_JSON), _hook(_BOTH)),
        Example(Slot.RESPONSE_CONTENT, _JSON, _BOTH),
    ),
    compatible(
        "response-media-type-added",
        Text(
            "A response media type was added",
            "A client that names with `Accept` what it can read is served as before, and a request without `Accept` "
            "says that its client takes any type (RFC 9110, section 12.5.1). A released type that went is a row of its "
            "own; where the released contract named none, an old client reads no content.",
            _MEDIA,
        ),
        _whole(Change.ADDED, _TYPES, Direction.WRITTEN),
        Example(Slot.RESPONSE_CONTENT, _JSON, _BOTH),
    ),
)

_WIDER: Final = "The range names the released media type and others beside it."
_RANGED_RULES: tuple[Rule, ...] = (
    compatible(
        "request-media-type-became-range",
        Text("A request media type became a range that holds it", f"{_WIDER} Old requests stay accepted.", _MEDIA),
        _renamed(Direction.READ, covered),
        Example(Slot.REQUEST_CONTENT, _JSON, _RANGE),
    ),
    unknown(
        "response-media-type-became-range",
        Text(
            "A response media type became a range that holds it",
            f"{_WIDER} The contract does not say whether an old client may be answered with one of those.",
            _MEDIA,
        ),
        _renamed(Direction.WRITTEN, covered),
        Example(Slot.RESPONSE_CONTENT, _JSON, _RANGE),
    ),
    compatible(
        "response-media-range-became-type",
        Text(
            "A range of response media types became one type that it held",
            "The media type that the candidate writes was one of the released range.",
            _MEDIA,
        ),
        _renamed(Direction.WRITTEN, covers),
        Example(Slot.RESPONSE_CONTENT, _RANGE, _JSON),
    ),
)

_RENAMED_RULES: tuple[Rule, ...] = (
    replace(
        breaking(
            "request-media-type-changed",
            Text(
                "A request media type was replaced by another",
                "An old request is sent in the released content type, which the candidate no longer accepts.",
                _MEDIA,
            ),
            _renamed(Direction.READ),
            Example(Slot.REQUEST_CONTENT, _JSON, _XML),
            Example(Slot.REQUEST_CONTENT, _JSON, _RANGE),
        ),
        mirror="response-media-type-changed",
    ),
    breaking(
        "error-content-type-changed",
        Text(
            "The content type of an error response was replaced by another",
            "Old clients choose how to read an error by its content type, and the candidate writes another one. An "
            "error format is wire behaviour, whatever the success schema does.",
            _PROBLEM,
        ),
        replace(_renamed(Direction.WRITTEN), in_error=True),
        Example(Slot.ERROR_CONTENT, _JSON, _PROBLEMS),
        Example(Slot.RESPONSE_CONTENT, _JSON, _XML),
    ),
    replace(
        breaking(
            "response-media-type-changed",
            Text(
                "A response media type was replaced by another",
                "An old client that asks for the released content type no longer gets it.",
                _MEDIA,
            ),
            _renamed(Direction.WRITTEN),
            Example(Slot.RESPONSE_CONTENT, _JSON, _XML),
            Example(Slot.RESPONSE_CONTENT, _JSON, _BOTH),
        ),
        mirror="request-media-type-changed",
    ),
)

RULES: tuple[Rule, ...] = (*_BODY_RULES, *_MEDIA_RULES, *_RANGED_RULES, *_RENAMED_RULES)
