"""Parameters. OpenAPI lists what an operation understands; an unlisted one is not part of any described request."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.direction import Effect, Shown, Text, one_side, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import MISSING, Change, Json, Polarity, Verdict

_PARAMETER: Final = "OpenAPI 3.1, section 4.8.12 Parameter Object"
_OPERATION: Final = "OpenAPI 3.1, section 4.8.10 Operation Object, `parameters`"
_KIND: Final = (ElementKind.PARAMETER,)
_BOTH: Final = (Slot.PARAMETERS, Slot.WEBHOOKS)


def _query(*, required: bool = False) -> Json:
    return {"name": "subject", "in": "query", "required": required, "schema": {"type": "string"}}


def _hook(*, present: bool = True, required: bool = False) -> Json:
    header: list[Json] = [{"name": "X-Subject", "in": "header", "required": required, "schema": {"type": "string"}}]
    return {"changed": {"post": {"parameters": header if present else [], "responses": {"204": {"description": "ok"}}}}}


def _presence(polarity: Polarity, change: Change, *, required: bool | None = None) -> Match:
    asked: tuple[tuple[str, Json], ...] = () if required is None else ((comparison_delta.REQUIRED, required),)
    return Match(elements=_KIND, facets=("",), changes=(change,), polarity=polarity, facts=asked)


def _edit(before: Json, after: Json) -> tuple[Example, Example]:
    return Example(Slot.WEBHOOKS, before, after), Example(Slot.WEBHOOKS, after, before)


_DEMANDED: Final = Text(
    title="a parameter became required", why="A message without it is no longer admitted.", reference=_PARAMETER
)
_RELEASED: Final = Text(
    title="a parameter became optional", why="A message without it is now admitted.", reference=_PARAMETER
)
_NOW_REQUIRED: Final = Match(elements=_KIND, facets=("required",), candidate=(True,))
_NOW_OPTIONAL: Final = Match(elements=_KIND, facets=("required",), released=(True,))

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
    stated(
        "request-parameter-proved-before",
        Verdict.COMPATIBLE,
        Text(
            title="A required parameter was added that released calls send as their credentials",
            why="The text of the parameter is the key that every released alternative demands, and any text is taken.",
            reference=_CREDENTIALS,
        ),
        replace(_presence(Polarity.READ, Change.ADDED, required=True), when=_as_credentials),
        (
            Example(Slot.OPERATION, _keyed(parameter=False), _keyed(parameter=True)),
            Example(Slot.PARAMETERS, MISSING, _query(required=True)),
        ),
    ),
    stated(
        "request-parameter-stays-credentials",
        Verdict.COMPATIBLE,
        Text(
            title="A parameter was removed whose text the candidate takes as credentials",
            why="The security of the operation describes the same part of an old request.",
            reference=_CREDENTIALS,
        ),
        replace(_presence(Polarity.READ, Change.REMOVED), when=_as_credentials),
        (
            Example(Slot.OPERATION, _keyed(parameter=True), _keyed(parameter=False)),
            Example(Slot.PARAMETERS, _query(), MISSING),
        ),
    ),
)

RULES: tuple[Rule, ...] = (
    *_KEYS,
    stated(
        "request-parameter-added-required",
        Verdict.BREAKING,
        Text(
            title="A required parameter was added",
            why="An old request lacks the parameter, and the candidate demands it; a default has no meaning for a "
            "required parameter.",
            reference=_PARAMETER,
        ),
        _presence(Polarity.READ, Change.ADDED, required=True),
        (
            Example(Slot.PARAMETERS, MISSING, _query(required=True)),
            Example(Slot.PARAMETERS, MISSING, _query()),
        ),
    ),
    stated(
        "request-parameter-added-over-member",
        Verdict.UNKNOWN,
        Text(
            title="An optional parameter was added that has the name of an exploded object's member",
            why="An exploded object is sent as its members, without its own name: an old request may carry this name "
            "already, and the candidate reads the text by the new parameter.",
            reference=_PARAMETER,
        ),
        replace(_presence(Polarity.READ, Change.ADDED), when=_as_member),
        (
            Example(Slot.OPERATION, _beside("subject"), _beside("subject", _query())),
            Example(Slot.OPERATION, _beside("other"), _beside("other", _query())),
        ),
    ),
    stated(
        "request-parameter-added",
        Verdict.COMPATIBLE,
        Text(
            title="An optional parameter was added",
            why="An old request leaves the parameter out, which the candidate allows.",
            reference=_PARAMETER,
        ),
        _presence(Polarity.READ, Change.ADDED),
        (
            Example(Slot.PARAMETERS, MISSING, _query()),
            Example(Slot.PARAMETERS, MISSING, _query(required=True)),
        ),
    ),
    stated(
        "request-parameter-removed",
        Verdict.BREAKING,
        Text(
            title="A parameter was removed",
            why="The parameters of an operation are listed one by one. An old request that carries this one is no "
            "longer described: it may be refused, and what the parameter did is no longer promised.",
            reference=_OPERATION,
        ),
        _presence(Polarity.READ, Change.REMOVED),
        (
            Example(Slot.PARAMETERS, _query(), MISSING),
            Example(Slot.PARAMETERS, MISSING, _query()),
        ),
    ),
    stated(
        "response-parameter-added-over-member",
        Verdict.UNKNOWN,
        Text(
            title="The producer sends one more parameter, which has the name of an exploded object's member",
            why="An exploded object is sent as its members, without its own name: a released receiver may take the "
            "parameter for a member of the object.",
            reference=_PARAMETER,
        ),
        replace(_presence(Polarity.WRITTEN, Change.ADDED), when=_as_member),
        (
            Example(Slot.WEBHOOKS, _hook_beside("subject"), _hook_beside("subject", _query())),
            Example(Slot.WEBHOOKS, _hook_beside("other"), _hook_beside("other", _query())),
        ),
    ),
    stated(
        "response-parameter-added",
        Verdict.COMPATIBLE,
        Text(
            title="The producer sends one more parameter",
            why="A receiver ignores parameters and headers that it does not know (RFC 9110, section 5.1).",
            reference=_PARAMETER,
        ),
        _presence(Polarity.WRITTEN, Change.ADDED),
        _edit(_hook(present=False), _hook()),
    ),
    stated(
        "response-parameter-removed-required",
        Verdict.BREAKING,
        Text(
            title="The producer no longer sends a parameter that it promised",
            why="The released contract promised the parameter in every message to the receiver.",
            reference=_PARAMETER,
        ),
        _presence(Polarity.WRITTEN, Change.REMOVED, required=True),
        (
            Example(Slot.WEBHOOKS, _hook(required=True), _hook(present=False)),
            Example(Slot.WEBHOOKS, _hook(), _hook(present=False)),
        ),
    ),
    stated(
        "response-parameter-removed-over-member",
        Verdict.UNKNOWN,
        Text(
            title="The producer no longer sends an optional parameter that has the name of an exploded object's member",
            why="An exploded object is sent as its members, without its own name: such a member may still come, and a "
            "released receiver reads its text by the parameter.",
            reference=_PARAMETER,
        ),
        replace(_presence(Polarity.WRITTEN, Change.REMOVED), when=_as_member),
        (
            Example(Slot.WEBHOOKS, _hook_beside("subject", _query()), _hook_beside("subject")),
            Example(Slot.WEBHOOKS, _hook_beside("other", _query()), _hook_beside("other")),
        ),
    ),
    stated(
        "response-parameter-removed",
        Verdict.COMPATIBLE,
        Text(
            title="The producer no longer sends an optional parameter",
            why="The released contract never promised the parameter.",
            reference=_PARAMETER,
        ),
        _presence(Polarity.WRITTEN, Change.REMOVED),
        (
            Example(Slot.WEBHOOKS, _hook(), _hook(present=False)),
            Example(Slot.WEBHOOKS, _hook(required=True), _hook(present=False)),
        ),
    ),
    one_side(
        "parameter-became-required",
        (Polarity.READ, Effect.NARROWS),
        _DEMANDED,
        _NOW_REQUIRED,
        Shown(released=_query(), candidate=_query(required=True), slots=_BOTH),
    ),
    one_side(
        "parameter-became-required",
        (Polarity.WRITTEN, Effect.NARROWS),
        _DEMANDED,
        _NOW_REQUIRED,
        Shown(released=_hook(), candidate=_hook(required=True), slots=_BOTH),
    ),
    one_side(
        "parameter-became-optional",
        (Polarity.READ, Effect.WIDENS),
        _RELEASED,
        _NOW_OPTIONAL,
        Shown(released=_query(required=True), candidate=_query(), slots=_BOTH),
    ),
    one_side(
        "parameter-became-optional",
        (Polarity.WRITTEN, Effect.WIDENS),
        _RELEASED,
        _NOW_OPTIONAL,
        Shown(released=_hook(required=True), candidate=_hook(), slots=_BOTH),
    ),
)
