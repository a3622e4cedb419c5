"""Calls that the producer makes, webhooks and callbacks: their bodies, and the answers that the subscriber gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import STATUS
from evreview.comparison.delta import Delta
from evreview.comparison.rules.direction import Text, stated
from evreview.comparison.rules.rule import Example, Match, Predicate, Rule, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import MISSING, Change, Json, Missing, Polarity, Verdict

_BODY: Final = "OpenAPI 3.1, section 4.8.13 Request Body Object"
_ANSWERS: Final = "OpenAPI 3.1, section 4.8.16 Responses Object; section 4.8.9 Path Item Object of a webhook"
_BODIES: Final = (ElementKind.BODY,)
_STATUS: Final = (ElementKind.RESPONSE,)
_OWED: Final[Json] = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
_OPTIONAL: Final[Json] = {"content": {"application/json": {"schema": {"type": "object"}}}}


def _call_example(body: Json | Missing, *answers: str) -> Json:
    sent: dict[str, Json] = {} if isinstance(body, Missing) else {"requestBody": body}
    responses: Json = {code: {"description": "noted"} for code in answers or ("204",)}
    return {"changed": {"post": {**sent, "responses": responses}}}


def _rule(rule_id: str, verdict: Verdict, words: tuple[str, str], match: Match, calls: tuple[Json, ...]) -> Rule:
    """A rule with the calls of its example and of its counter-example, two each."""
    reference = _BODY if match.elements == _BODIES else _ANSWERS
    shown = (Example(Slot.WEBHOOKS, calls[0], calls[1]), Example(Slot.WEBHOOKS, calls[2], calls[3]))
    return stated(rule_id, verdict, Text(title=words[0], why=words[1], reference=reference), match, shown)


def _bodies(*bodies: Json | Missing) -> tuple[Json, ...]:
    return tuple(_call_example(body) for body in bodies)


def _answers(*answers: tuple[str, ...]) -> tuple[Json, ...]:
    return tuple(_call_example(MISSING, *codes) for codes in answers)


def _answered(change: Change, when: Predicate | None = None) -> Match:
    return Match(elements=_STATUS, facets=("",), changes=(change,), polarity=Polarity.READ, when=when)


def _answer_covered(delta: Delta) -> bool:
    return bool(delta.facts.get(comparison_delta.COVERED_BY))


def _whole_body(change: Change, *asked: tuple[str, Json]) -> Match:
    return Match(elements=_BODIES, facets=("",), changes=(change,), polarity=Polarity.WRITTEN, facts=asked)


def _became(*, required: bool) -> Match:
    return Match(elements=_BODIES, facets=("required",), polarity=Polarity.WRITTEN, candidate=(required,))


CALL_RULES: tuple[Rule, ...] = (
    _rule(
        "webhook-body-removed",
        Verdict.BREAKING,
        (
            "The required body of a webhook or callback was removed",
            "The released contract promised a body with every call; an old subscriber gets none.",
        ),
        _whole_body(Change.REMOVED, (comparison_delta.REQUIRED, True)),
        _bodies(_OWED, MISSING, _OPTIONAL, MISSING),
    ),
    _rule(
        "webhook-optional-body-removed",
        Verdict.COMPATIBLE,
        ("The optional body of a webhook or callback was removed", "A call without a body was possible before."),
        _whole_body(Change.REMOVED, (comparison_delta.REQUIRED, False)),
        _bodies(_OPTIONAL, MISSING, _OWED, MISSING),
    ),
    _rule(
        "webhook-body-added",
        Verdict.COMPATIBLE,
        (
            "A body was added to a webhook or callback",
            "The released contract describes no body, so that an old subscriber reads none.",
        ),
        _whole_body(Change.ADDED),
        _bodies(MISSING, _OWED, _OWED, MISSING),
    ),
    _rule(
        "webhook-body-became-optional",
        Verdict.BREAKING,
        (
            "The body of a webhook or callback became optional",
            "The released contract promised a body with every call; one may now come without.",
        ),
        _became(required=False),
        _bodies(_OWED, _OPTIONAL, _OPTIONAL, _OWED),
    ),
    _rule(
        "webhook-body-became-required",
        Verdict.COMPATIBLE,
        (
            "The body of a webhook or callback became required",
            "A call with a body was possible before; every call has one now.",
        ),
        _became(required=True),
        _bodies(_OPTIONAL, _OWED, _OWED, _OPTIONAL),
    ),
    _rule(
        "webhook-answer-added",
        Verdict.COMPATIBLE,
        ("A status was added that a subscriber may answer", "Every answer of an old subscriber stays described."),
        _answered(Change.ADDED),
        _answers(("204",), ("204", "410"), ("204", "410"), ("204",)),
    ),
    _rule(
        "webhook-answer-became-range",
        Verdict.COMPATIBLE,
        (
            "A status that a subscriber may answer became a range, or the default, that holds it",
            "Every answer of an old subscriber stays described.",
        ),
        replace(_answered(Change.CHANGED, _answer_covered), facets=(STATUS,)),
        _answers(("204",), ("2XX",), ("204", "2XX"), ("2XX",)),
    ),
    _rule(
        "webhook-answer-changed",
        Verdict.BREAKING,
        (
            "A status that a subscriber may answer became another one",
            "An old subscriber answers with the released one, and the candidate no longer says what becomes of that "
            "answer.",
        ),
        replace(_answered(Change.CHANGED), facets=(STATUS,)),
        _answers(("200",), ("202",), ("204",), ("2XX",)),
    ),
    _rule(
        "webhook-answer-covered-by-range",
        Verdict.COMPATIBLE,
        (
            "A status that a subscriber may answer gave way to a range or default that holds it",
            "Every answer of an old subscriber stays described.",
        ),
        _answered(Change.REMOVED, _answer_covered),
        _answers(("204", "410", "4XX"), ("204", "4XX"), ("204", "410"), ("204",)),
    ),
    _rule(
        "webhook-answer-removed",
        Verdict.BREAKING,
        (
            "A status was removed that a subscriber may answer",
            "An old subscriber answers with it, and the candidate no longer says what becomes of that answer.",
        ),
        _answered(Change.REMOVED),
        _answers(("204", "410"), ("204",), ("204", "410", "4XX"), ("204", "4XX")),
    ),
)
