"""Status codes and response headers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import STATUS
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import DOCUMENT, Example, Match, Predicate, Rule, Slot, covered, covers, required
from evreview.comparison.rules.variance import (
    Shown,
    Text,
    ValueSetChange,
    breaking,
    compatible,
    one_side,
    stated,
    unknown,
)
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Absent, Change, Direction, Json, Verdict

_RESPONSES: Final = "OpenAPI 3.1, section 4.8.16 Responses Object; RFC 9110, section 15"
_HEADER: Final = "OpenAPI 3.1, section 4.8.21 Header Object; RFC 9110, section 5.1"
_STATUS: Final = (ElementKind.RESPONSE,)
_HEADERS: Final = (ElementKind.HEADER,)
_BY_THE_LETTER: Final = (
    "By the letter of the standard the released default described the status; beside a success it mostly speaks of "
    "errors, and the contract does not say which is meant."
)
_NONE: Final[Json] = {"description": "none"}


def _with(*codes: str) -> Json:
    return dict.fromkeys(codes, _NONE)


def _only(error: str) -> Json:
    """An OpenAPI contract whose one operation has one error."""
    paths: Json = {"/things": {"get": {"responses": _with("200", error)}}}
    return {"openapi": "3.1.0", "info": {"title": "Example", "version": "1"}, "paths": paths}


def _header(*, required: bool = False) -> Json:
    return {"X-Subject": {"required": required, "schema": {"type": "string"}}}


def _match(
    elements: tuple[ElementKind, ...], change: Change, *, in_error: bool | None = None, when: Predicate | None = None
) -> Match:
    return Match(
        elements=elements, facets=("",), changes=(change,), direction=Direction.WRITTEN, in_error=in_error, when=when
    )


def _uncovered(delta: Delta) -> bool:
    return not covered(delta)


def _described(delta: Delta) -> bool:
    return delta.facts.get(comparison_delta.LEFT_TO_DEFAULT) is True


def _says(title: str, why: str, reference: str = _RESPONSES) -> Text:
    return Text(title, why, reference)


_STATUS_RULES: tuple[Rule, ...] = (
    unknown(
        "error-status-changed",
        _says(
            "An error status became another one",
            "Error mapping is wire behaviour: a client that waits for the released status meets another one, which it "
            "should treat as the first of its class (RFC 9110, section 15); the contract does not say that it does.",
        ),
        replace(_match(_STATUS, Change.CHANGED, in_error=True, when=_uncovered), facets=(STATUS,)),
        Example(DOCUMENT, _only("400"), _only("422")),
        Example(DOCUMENT, _only("400"), _only("4XX")),
    ),
    breaking(
        "response-status-changed",
        _says(
            "A response status became another one",
            "Old clients wait for the released outcome, which the candidate no longer promises, and were not built for "
            "the one that comes in its place. A client should treat an unlisted status as the first of its class (RFC "
            "9110, section 15): a policy may say that clients do, no contract says it.",
        ),
        replace(_match(_STATUS, Change.CHANGED, when=_uncovered), facets=(STATUS,)),
        Example(Slot.RESPONSES, _with("202"), _with("204")),
        Example(Slot.RESPONSES, _with("202"), _with("2XX")),
    ),
    unknown(
        "response-status-became-range-beside-default",
        _says("A status became a range that holds it, beside a released default", _BY_THE_LETTER),
        replace(_match(_STATUS, Change.CHANGED, when=_described), facets=(STATUS,)),
        Example(Slot.RESPONSES, _with("202", "default"), _with("2XX", "default")),
        Example(Slot.RESPONSES, _with("202"), _with("2XX")),
    ),
    breaking(
        "response-status-became-range",
        _says(
            "A status became a range, or the default, that holds it",
            "Only the released status of the range could come; now every status of it may, and an old client was built "
            "for the released one. A client should treat an unlisted status as the first of its class (RFC 9110, "
            "section 15): a policy may say that clients do, no contract says it.",
        ),
        replace(_match(_STATUS, Change.CHANGED), facets=(STATUS,)),
        Example(Slot.RESPONSES, _with("202"), _with("2XX")),
        Example(Slot.RESPONSES, _with("202", "2XX"), _with("2XX")),
    ),
    compatible(
        "response-status-covered-by-range",
        _says(
            "A status gave way to a range or default that holds it",
            "The status is still described; what differs in its body is a row of its own.",
        ),
        _match(_STATUS, Change.REMOVED, when=covered),
        Example(Slot.RESPONSES, _with("404", "4XX"), _with("4XX")),
        Example(Slot.RESPONSES, _with("404"), _with()),
    ),
    unknown(
        "response-range-left-to-default",
        _says(
            "A range of statuses gave way to some of them, and the rest falls to the default",
            "By the letter of the standard the default now describes the statuses of the range that are not listed; "
            "beside a success it mostly speaks of errors, and the contract does not say which is meant.",
        ),
        _match(
            _STATUS,
            Change.REMOVED,
            when=lambda delta: covers(delta) and delta.facts.get(comparison_delta.LEFT_TO_DEFAULT) is True,
        ),
        Example(Slot.RESPONSES, _with("201", "2XX", "default"), _with("201", "default")),
        Example(Slot.RESPONSES, _with("201", "2XX"), _with("201")),
    ),
    compatible(
        "response-range-narrowed",
        _says(
            "A range of statuses, or the default, gave way to statuses that it held",
            "Every status that the candidate writes was one of the released range; what differs in its body is a row "
            "of its own.",
        ),
        _match(_STATUS, Change.REMOVED, when=covers),
        Example(Slot.RESPONSES, _with("404", "4XX"), _with("404")),
        Example(Slot.RESPONSES, _with("5XX"), _with()),
    ),
    unknown(
        "error-status-removed",
        _says(
            "An error status was removed",
            "The producer writes fewer statuses, as with an enumeration that lost a value. Error mapping is wire "
            "behaviour, though, and the contract does not say which outcome takes the place of this one.",
        ),
        _match(_STATUS, Change.REMOVED, in_error=True),
        Example(Slot.RESPONSES, _with("404"), _with()),
        Example(Slot.RESPONSES, _with("202"), _with()),
    ),
    breaking(
        "response-status-removed",
        _says(
            "A response status was removed",
            "Old clients wait for this outcome, which the candidate no longer promises.",
        ),
        _match(_STATUS, Change.REMOVED),
        Example(Slot.RESPONSES, _with("202"), _with()),
        Example(Slot.RESPONSES, _with("404"), _with()),
    ),
    compatible(
        "response-status-within-range",
        _says(
            "A status was spelled out that a released range or default holds",
            "The released contract allowed the status already; what differs in its body is a row of its own.",
        ),
        _match(_STATUS, Change.ADDED, when=covered),
        Example(Slot.RESPONSES, _with("4XX"), _with("4XX", "404")),
        Example(Slot.RESPONSES, _with(), _with("404")),
    ),
    unknown(
        "error-status-added",
        _says(
            "An error status was added",
            "No released range or default holds the status, so old clients do not know it. A client should treat an "
            "unlisted status as the first of its class (RFC 9110, section 15); the contract does not say that it does.",
        ),
        _match(_STATUS, Change.ADDED, in_error=True),
        Example(Slot.RESPONSES, _with(), _with("404")),
        Example(Slot.RESPONSES, _with(), _with("202")),
    ),
    unknown(
        "response-status-added-beside-default",
        _says("A response status was added beside a released default", _BY_THE_LETTER),
        _match(_STATUS, Change.ADDED, in_error=False, when=_described),
        Example(Slot.RESPONSES, _with("default"), _with("default", "202")),
        Example(Slot.RESPONSES, _with(), _with("202")),
    ),
    breaking(
        "response-status-added",
        _says(
            "A response status was added",
            "No released range holds the status: it could not come before, and an old client was built for those that "
            "could. A client should treat an unlisted status as the first of its class (RFC 9110, section 15): a "
            "policy may say that clients do, no contract says it.",
        ),
        _match(_STATUS, Change.ADDED),
        Example(Slot.RESPONSES, _with(), _with("202")),
        Example(Slot.RESPONSES, _with(), _with("404")),
    ),
)

_HEADER_RULES: tuple[Rule, ...] = (
    breaking(
        "response-required-header-removed",
        _says("A required header was removed", "The released contract promised the header in every message.", _HEADER),
        _match(_HEADERS, Change.REMOVED, when=required),
        Example(Slot.HEADERS, _header(required=True), ABSENT),
        Example(Slot.HEADERS, _header(), ABSENT),
    ),
    compatible(
        "response-optional-header-removed",
        _says(
            "An optional header was removed",
            "The released contract never promised the header: an old client had to do without it.",
            _HEADER,
        ),
        _match(_HEADERS, Change.REMOVED),
        Example(Slot.HEADERS, _header(), ABSENT),
        Example(Slot.HEADERS, _header(required=True), ABSENT),
    ),
    compatible(
        "response-header-added",
        _says("A header was added", "A recipient ignores header fields that it does not know.", _HEADER),
        _match(_HEADERS, Change.ADDED),
        Example(Slot.HEADERS, ABSENT, _header()),
    ),
    one_side(
        "header-became-required",
        (Direction.WRITTEN, ValueSetChange.NARROWS),
        _says("a header became required", "The header is now promised in every message.", _HEADER),
        Match(elements=_HEADERS, facets=("required",), candidate=(True,)),
        Shown(released=_header(), candidate=_header(required=True), slots=(Slot.HEADERS, Slot.HEADERS)),
    ),
    one_side(
        "header-became-optional",
        (Direction.WRITTEN, ValueSetChange.WIDENS),
        _says("a header became optional", "A message without the header is now possible.", _HEADER),
        Match(elements=_HEADERS, facets=("required",), released=(True,)),
        Shown(released=_header(required=True), candidate=_header(), slots=(Slot.HEADERS, Slot.HEADERS)),
    ),
)

_SENT: Final = (Slot.REQUEST_CONTENT, Slot.REQUEST_CONTENT)
_PARTS: Final = "OpenAPI 3.1, section 4.8.15 Encoding Object, `headers`"


def _part(header: Json | Absent) -> Json:
    schema: Json = {"type": "object", "properties": {"subject": {"type": "string"}}}
    headers: Json = {} if isinstance(header, Absent) else {"headers": header}
    return {"multipart/form-data": {"schema": schema, "encoding": {"subject": headers}}}


def _part_rule(rule_id: str, verdict: Verdict, words: tuple[str, str], match: Match, edit: tuple[Json, Json]) -> Rule:
    return stated(
        f"request-part-header-{rule_id}",
        verdict,
        _says(words[0], words[1], _PARTS),
        replace(match, elements=_HEADERS, direction=Direction.READ),
        Example(Slot.REQUEST_CONTENT, *edit),
    )


_PART_RULES: tuple[Rule, ...] = (
    _part_rule(
        "added-required",
        Verdict.BREAKING,
        (
            "A required header of a part was added to what the producer reads",
            "A part of an old request lacks the header, and the candidate demands it.",
        ),
        Match(facets=("",), changes=(Change.ADDED,), when=required),
        (_part(ABSENT), _part(_header(required=True))),
    ),
    _part_rule(
        "added",
        Verdict.COMPATIBLE,
        (
            "An optional header of a part was added to what the producer reads",
            "A part of an old request leaves the header out, which the candidate allows.",
        ),
        Match(facets=("",), changes=(Change.ADDED,)),
        (_part(ABSENT), _part(_header())),
    ),
    _part_rule(
        "removed",
        Verdict.COMPATIBLE,
        ("A header of a part is no longer described", "A recipient ignores header fields that it does not know."),
        Match(facets=("",), changes=(Change.REMOVED,)),
        (_part(_header()), _part(ABSENT)),
    ),
    one_side(
        "header-became-required",
        (Direction.READ, ValueSetChange.NARROWS),
        _says("a header of a part became required", "The header is now demanded of every part.", _PARTS),
        Match(elements=_HEADERS, facets=("required",), candidate=(True,)),
        Shown(released=_part(_header()), candidate=_part(_header(required=True)), slots=_SENT),
    ),
    one_side(
        "header-became-optional",
        (Direction.READ, ValueSetChange.WIDENS),
        _says("a header of a part became optional", "A part without the header is now admitted.", _PARTS),
        Match(elements=_HEADERS, facets=("required",), released=(True,)),
        Shown(released=_part(_header(required=True)), candidate=_part(_header()), slots=_SENT),
    ),
)

RULES: tuple[Rule, ...] = (*_STATUS_RULES, *_HEADER_RULES, *_PART_RULES)
