"""Enumerations and constants."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.rules.direction import Effect, Shown, Text, mirrored, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.core.vocabulary import Change, Json, Polarity, Verdict
from evreview.ledger.delta import Delta
from evreview.rules.shift import Shift, members

_ENUM: Final = "JSON Schema Validation 2020-12, section 6.1.2"
_EXTENSIBLE: Final = "`x-extensible-enum`, as the contract's owner publishes it"


def _values(*values: Json) -> Json:
    return {"type": "string", "enum": list(values)}


def _open(*values: Json) -> Json:
    return {"type": "string", "enum": list(values), "x-extensible-enum": True}


def _listed(*values: Json) -> Json:
    return {"type": "string", "x-extensible-enum": list(values)}


def _one_value(delta: Delta) -> bool:
    return delta.facts.get(comparison_delta.ENUM_WHOLE) is not True


def _lost(delta: Delta) -> bool:
    return bool((members(delta.released) or frozenset()) - (members(delta.candidate) or frozenset()))


_ONLY_GAINED: Final = Match(facets=("enum",), changes=(Change.ADDED,), when=_one_value)

RULES: tuple[Rule, ...] = (
    stated(
        "response-extensible-enum-value-added",
        Verdict.COMPATIBLE,
        Text(
            title="Written value: a value joined an enumeration that the released contract calls extensible",
            why="The released contract told clients with `x-extensible-enum` that the list may grow.",
            reference="`x-extensible-enum` of the released contract",
        ),
        Match(
            facets=("enum",),
            polarity=Polarity.WRITTEN,
            changes=(Change.ADDED,),
            facts=((comparison_delta.EXTENSIBLE, True),),
            when=_one_value,
        ),
        (
            Example(Slot.RESPONSE_FIELD, _open("new"), _open("new", "paid")),
            Example(Slot.RESPONSE_FIELD, _values("new"), _values("new", "paid")),
        ),
    ),
    *mirrored(
        "enum-value-added",
        Effect.WIDENS,
        Text(title="a value joined the enumeration", why="`enum` lists every admitted value.", reference=_ENUM),
        _ONLY_GAINED,
        Shown(released=_values("new"), candidate=_values("new", "paid")),
    ),
    *mirrored(
        "enum-value-removed",
        Effect.NARROWS,
        Text(title="a value left the enumeration", why="`enum` lists every admitted value.", reference=_ENUM),
        Match(facets=("enum",), changes=(Change.REMOVED,), when=_one_value),
        Shown(released=_values("new", "paid"), candidate=_values("new")),
    ),
    *mirrored(
        "became-enum",
        Effect.NARROWS,
        Text(title="any value became a listed value", why="`enum` lists every admitted value.", reference=_ENUM),
        Match(facets=("enum",), shift=(Shift.SET,)),
        Shown(released={"type": "string"}, candidate=_values("new", "paid")),
    ),
    *mirrored(
        "enum-dropped",
        Effect.WIDENS,
        Text(title="the enumeration was dropped", why="`enum` lists every admitted value.", reference=_ENUM),
        Match(facets=("enum",), shift=(Shift.UNSET,)),
        Shown(released=_values("new", "paid"), candidate={"type": "string"}),
    ),
    stated(
        "request-extensible-value-removed",
        Verdict.BREAKING,
        Text(
            title="Read value: a value left an extensible enumeration",
            why="An old request may carry the value, which the candidate no longer lists as understood.",
            reference=_EXTENSIBLE,
        ),
        Match(facets=("x-extensible-enum",), polarity=Polarity.READ, when=_lost),
        (
            Example(Slot.REQUEST_FIELD, _listed("new", "paid"), _listed("new")),
            Example(Slot.REQUEST_FIELD, _listed("new"), _listed("new", "paid")),
        ),
    ),
    stated(
        "extensible-values-changed",
        Verdict.COMPATIBLE,
        Text(
            title="The values of an extensible enumeration changed",
            why="`x-extensible-enum` lists values that are known, and says that others may come.",
            reference=_EXTENSIBLE,
        ),
        Match(facets=("x-extensible-enum",)),
        (
            Example(Slot.RESPONSE_FIELD, _listed("new"), _listed("new", "paid")),
            Example(Slot.REQUEST_FIELD, _listed("new", "paid"), _listed("new")),
        ),
    ),
)
