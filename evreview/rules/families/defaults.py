"""Defaults: what an omitted value means. A changed default is wire behaviour even when the schema stays the same."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta
from evreview.comparison.rules.direction import SIDE, Text, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.core.vocabulary import Json, Polarity, Verdict
from evreview.rules.shift import Shift

_REFERENCE: Final = "OpenAPI 3.1, section 4.8.24 Schema Object `default`; JSON Schema Validation 2020-12, section 9.2"
_NONE: Final[Json] = {"type": "integer"}
_TEN: Final[Json] = {"type": "integer", "default": 10}
_FIFTY: Final[Json] = {"type": "integer", "default": 50}
_SIDES: Final = {Polarity.READ: Slot.PARAMETER_SCHEMA, Polarity.WRITTEN: Slot.RESPONSE_FIELD}


def _rule(verb: str, polarity: Polarity, verdict: Verdict, why: str, edit: tuple[Json, Json]) -> Rule:
    side = SIDE[polarity]
    shift = {"added": (Shift.SET,), "removed": (Shift.UNSET,)}.get(verb, ())
    slot = _SIDES[polarity]
    return stated(
        f"{side}-default-{verb}",
        verdict,
        Text(title=f"A default of a {side} value was {verb}", why=why, reference=_REFERENCE),
        Match(facets=("default",), polarity=polarity, shift=shift),
        (
            Example(slot, *edit),
            Example(slot, _NONE, {"type": "integer", "maximum": 50}),
        ),
    )


def _owed(polarity: Polarity, slot: Slot, edit: tuple[Json, Json], counter: tuple[Json, Json]) -> Rule:
    side = SIDE[polarity]
    return stated(
        f"{side}-default-of-required-value",
        Verdict.COMPATIBLE,
        Text(
            title=f"The default of a required {side} value differs",
            why="The released contract demands the value in every message, so that its default never counts.",
            reference=_REFERENCE,
        ),
        Match(facets=("default",), polarity=polarity, facts=((delta.REQUIRED, True),)),
        (Example(slot, *edit), Example(slot, *counter)),
    )


def _query(schema: Json, *, required: bool) -> Json:
    return {"name": "subject", "in": "query", "required": required, "schema": schema}


def _header(schema: Json, *, required: bool) -> Json:
    return {"X-Subject": {"required": required, "schema": schema}}


RULES: tuple[Rule, ...] = (
    _owed(
        Polarity.READ,
        Slot.PARAMETERS,
        (_query(_TEN, required=True), _query(_FIFTY, required=True)),
        (_query(_TEN, required=False), _query(_FIFTY, required=False)),
    ),
    _owed(
        Polarity.WRITTEN,
        Slot.HEADERS,
        (_header(_TEN, required=True), _header(_FIFTY, required=True)),
        (_header(_TEN, required=False), _header(_FIFTY, required=False)),
    ),
    _rule(
        "added",
        Polarity.READ,
        Verdict.UNKNOWN,
        "The released contract does not say what an omitted value meant, so nothing tells whether an old request that "
        "leaves it out keeps its meaning.",
        (_NONE, _TEN),
    ),
    _rule(
        "removed",
        Polarity.READ,
        Verdict.BREAKING,
        "The released contract said what an omitted value means; an old request that leaves it out loses that promise.",
        (_TEN, _NONE),
    ),
    _rule(
        "changed",
        Polarity.READ,
        Verdict.BREAKING,
        "An old request that leaves the value out means the released default. The candidate reads another value there, "
        "so it no longer accepts that request as what it was, even though it refuses no message.",
        (_TEN, _FIFTY),
    ),
    _rule(
        "added",
        Polarity.WRITTEN,
        Verdict.COMPATIBLE,
        "An old client assumed nothing about an absent value, and may go on so.",
        (_NONE, _TEN),
    ),
    _rule(
        "removed",
        Polarity.WRITTEN,
        Verdict.BREAKING,
        "An old client reads an absent value as the released default, which the candidate no longer promises.",
        (_TEN, _NONE),
    ),
    _rule(
        "changed",
        Polarity.WRITTEN,
        Verdict.BREAKING,
        "An old client reads an absent value as the released default, which is no longer what it means.",
        (_TEN, _FIFTY),
    ),
)
