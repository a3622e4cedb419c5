"""Deprecation and sunset: announcements. Nothing changes on the wire; the removal that follows is a row of its own."""

from __future__ import annotations

from datetime import date
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Slot
from evreview.comparison.rules.variance import Text, compatible
from evreview.core.vocabulary import Form, Json

_DEPRECATED: Final = "OpenAPI 3.1, section 4.8.10 Operation Object, `deprecated`"
_SUNSET: Final = "RFC 8594 Sunset header field"
_DATES: Final = ("x-sunset", "sunset")
_PLAIN: Final[Json] = {"summary": "Reads"}
_OTHER: Final[Json] = {"callbacks": {"done": {}}}


def _rule(rule_id: str, text: Text, match: Match, edit: tuple[Json, Json]) -> Rule:
    shown = (Example(Slot.OPERATION, *edit), Example(Slot.OPERATION, _PLAIN, edit[0] if edit[0] != _PLAIN else _OTHER))
    return compatible(rule_id, text, match, *shown)


def _date(form: Form) -> date | None:
    """The day that a text starts with, None when it starts with none."""
    try:
        return date.fromisoformat(form[:10]) if isinstance(form, str) else None
    except ValueError:
        return None


def _earlier(delta: Delta) -> bool:
    before, after = _date(delta.released), _date(delta.candidate)
    return before is not None and after is not None and after < before


RULES: tuple[Rule, ...] = (
    _rule(
        "deprecated",
        Text(
            "An element was deprecated",
            "Deprecation announces; until the removal everything works as released.",
            _DEPRECATED,
        ),
        Match(facets=("deprecated",), candidate=(True,)),
        (_PLAIN, {"deprecated": True}),
    ),
    _rule(
        "no-longer-deprecated",
        Text("A deprecation was taken back", "Nothing on the wire changes.", _DEPRECATED),
        Match(facets=("deprecated",)),
        ({"deprecated": True}, _PLAIN),
    ),
    _rule(
        "sunset-announced",
        Text(
            "A sunset date was announced",
            "The date announces a removal; whether the notice suffices is for the supplied policy to say.",
            _SUNSET,
        ),
        Match(facets=_DATES, shift=(FormChange.SET,)),
        (_PLAIN, {"x-sunset": "2027-01-01"}),
    ),
    _rule(
        "sunset-withdrawn",
        Text("A sunset date was withdrawn", "Nothing on the wire changes.", _SUNSET),
        Match(facets=_DATES, shift=(FormChange.UNSET,)),
        ({"x-sunset": "2027-01-01"}, _PLAIN),
    ),
    _rule(
        "sunset-brought-forward",
        Text(
            "A sunset date was brought forward",
            "Nothing on the wire changes, but clients were promised more time; whether the remaining notice "
            "suffices is for the supplied policy to say.",
            _SUNSET,
        ),
        Match(facets=_DATES, when=_earlier),
        ({"x-sunset": "2027-06-01"}, {"x-sunset": "2027-01-01"}),
    ),
    _rule(
        "sunset-changed",
        Text(
            "A sunset date changed",
            "Nothing on the wire changes; whether the remaining notice suffices is for the supplied policy to say.",
            _SUNSET,
        ),
        Match(facets=_DATES),
        ({"x-sunset": "2027-01-01"}, {"x-sunset": "2027-06-01"}),
    ),
)
