"""Defaults: what an omitted value means. A changed default is wire behaviour even when the schema stays the same."""

from __future__ import annotations

from typing import Final

from evreview.rules.direction import Text, stated
from evreview.rules.rule import Example, Match, Rule, Slot
from evreview.rules.shift import Shift
from evreview.vocab import Json, Polarity, Verdict

_REFERENCE: Final = "OpenAPI 3.1, section 4.8.24 Schema Object `default`; JSON Schema Validation 2020-12, section 9.2"
_NONE: Final[Json] = {"type": "integer"}
_TEN: Final[Json] = {"type": "integer", "default": 10}
_FIFTY: Final[Json] = {"type": "integer", "default": 50}
_SIDES: Final = {Polarity.READ: Slot.PARAMETER_SCHEMA, Polarity.WRITTEN: Slot.RESPONSE_FIELD}


def _rule(verb: str, polarity: Polarity, verdict: Verdict, why: str, edit: tuple[Json, Json]) -> Rule:
    side = "request" if polarity is Polarity.READ else "response"
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


RULES: tuple[Rule, ...] = (
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
