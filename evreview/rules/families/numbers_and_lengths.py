"""Bounds of numbers, strings, arrays and objects; multiples and uniqueness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from evreview.comparison.rules.direction import Effect, Shown, Text, mirrored
from evreview.comparison.rules.rule import Match, Rule
from evreview.core.vocabulary import MISSING, Form, Json
from evreview.ledger.delta import Delta
from evreview.rules.shift import Shift

_VALIDATION: Final = "JSON Schema Validation 2020-12, section 6"

# keyword -> what it bounds, the JSON type of the example
_UPPER: Final = {
    "maximum": ("the largest number", "number"),
    "exclusiveMaximum": ("the largest number", "number"),
    "maxLength": ("the longest string", "string"),
    "maxItems": ("the longest array", "array"),
    "maxProperties": ("the largest object", "object"),
    "maxContains": ("how many items may match `contains`", "array"),
}
_LOWER: Final = {
    "minimum": ("the smallest number", "number"),
    "exclusiveMinimum": ("the smallest number", "number"),
    "minLength": ("the shortest string", "string"),
    "minItems": ("the shortest array", "array"),
    "minProperties": ("the smallest object", "object"),
    "minContains": ("how many items must match `contains`", "array"),
}


_ABSENT: Final = {"minContains": 1.0}
"""Bounds that hold where nothing is written."""


def _position(keyword: str, form: Form) -> tuple[float, int]:
    """A bound as something to compare: an exclusive one lies just inside the plain one."""
    if form is MISSING:
        return (_ABSENT.get(keyword, 0.0), 0)
    inward = 1 if keyword in _LOWER else -1
    if isinstance(form, Mapping):
        value = form.get("exclusive")
        return (value if isinstance(value, (int, float)) else 0.0, inward)
    return (form if isinstance(form, (int, float)) else 0.0, 0)


def _moved(keyword: str, *, up: bool) -> Callable[[Delta], bool]:
    def asked(delta: Delta) -> bool:
        before, after = _position(keyword, delta.released), _position(keyword, delta.candidate)
        return after > before if up else after < before

    return asked


def _schema(keyword: str, kind: str, bound: Form) -> Json:
    extra: dict[str, Json] = {"contains": {"type": "string"}} if "Contains" in keyword else {}
    return {"type": kind, **extra} if bound is MISSING else {"type": kind, **extra, keyword: bound}


def _kebab(keyword: str) -> str:
    return re.sub(r"([A-Z])", r"-\1", keyword).lower()


def _bounds(keyword: str, *, upper: bool) -> Iterator[Rule]:
    subject, kind = (_UPPER if upper else _LOWER)[keyword]
    loosened, tightened = Effect.WIDENS, Effect.NARROWS
    names = _kebab(keyword)
    changes: tuple[tuple[str, Effect, Match, Form, Form], ...] = (
        ("added", tightened, _one_set(keyword, Shift.SET, up=True), MISSING, 4),
        ("removed", loosened, _one_set(keyword, Shift.UNSET, up=False), 4, MISSING),
        ("raised", loosened if upper else tightened, _both_set(keyword, up=True), 4, 6),
        ("lowered", tightened if upper else loosened, _both_set(keyword, up=False), 6, 4),
    )
    for verb, effect, match, before, after in changes:
        text = Text(title=f"`{keyword}` {verb}", why=f"`{keyword}` limits {subject}.", reference=_VALIDATION)
        shown = Shown(released=_schema(keyword, kind, before), candidate=_schema(keyword, kind, after))
        yield from mirrored(f"{names}-{verb}", effect, text, match, shown)


def _one_set(keyword: str, shift: Shift, *, up: bool) -> Match:
    """A bound that came or went; where one holds without a word, it has to move the right way."""
    return Match(facets=(keyword,), shift=(shift,), when=_moved(keyword, up=up) if keyword in _ABSENT else None)


def _both_set(keyword: str, *, up: bool) -> Match:
    either = (Shift.SET, Shift.UNSET) if keyword in _ABSENT else ()
    both = (Shift.RAISED, Shift.LOWERED, Shift.REPLACED, Shift.GREW, Shift.SHRANK, *either)
    return Match(facets=(keyword,), shift=both, when=_moved(keyword, up=up))


def _divides(delta: Delta, *, wider: bool) -> bool:
    before, after = delta.released, delta.candidate
    if not isinstance(before, (int, float)) or not isinstance(after, (int, float)) or not before or not after:
        return False
    coarse, fine = (before, after) if wider else (after, before)
    return float(coarse / fine).is_integer()


_NUMBER: Final = Text(
    title="`multipleOf` added",
    why="`multipleOf` admits only multiples of its number.",
    reference="JSON Schema Validation 2020-12, section 6.2.1",
)


def _multiple(of: Form) -> Json:
    return _schema("multipleOf", "number", of)


def _named(title: str) -> Text:
    return Text(title=title, why=_NUMBER.why, reference=_NUMBER.reference)


_UNIQUE: Final = Text(
    title="array items have to be unique",
    why="`uniqueItems` refuses arrays that hold the same value twice.",
    reference="JSON Schema Validation 2020-12, section 6.4.3",
)

RULES: tuple[Rule, ...] = (
    *(rule for keyword in _UPPER for rule in _bounds(keyword, upper=True)),
    *(rule for keyword in _LOWER for rule in _bounds(keyword, upper=False)),
    *mirrored(
        "multiple-of-added",
        Effect.NARROWS,
        _NUMBER,
        Match(facets=("multipleOf",), shift=(Shift.SET,)),
        Shown(released=_multiple(MISSING), candidate=_multiple(5)),
    ),
    *mirrored(
        "multiple-of-removed",
        Effect.WIDENS,
        _named("`multipleOf` removed"),
        Match(facets=("multipleOf",), shift=(Shift.UNSET,)),
        Shown(released=_multiple(5), candidate=_multiple(MISSING)),
    ),
    *mirrored(
        "multiple-of-loosened",
        Effect.WIDENS,
        _named("`multipleOf` became a divisor of the released one"),
        Match(facets=("multipleOf",), when=lambda delta: _divides(delta, wider=True)),
        Shown(released=_multiple(10), candidate=_multiple(5)),
    ),
    *mirrored(
        "multiple-of-tightened",
        Effect.NARROWS,
        _named("`multipleOf` became a multiple of the released one"),
        Match(facets=("multipleOf",), when=lambda delta: _divides(delta, wider=False)),
        Shown(released=_multiple(5), candidate=_multiple(10)),
    ),
    *mirrored(
        "multiple-of-changed",
        Effect.REPLACES,
        _named("`multipleOf` changed to an unrelated number"),
        Match(facets=("multipleOf",)),
        Shown(released=_multiple(4), candidate=_multiple(6), counter=(_multiple(4), _multiple(2))),
    ),
    *mirrored(
        "unique-items-demanded",
        Effect.NARROWS,
        _UNIQUE,
        Match(facets=("uniqueItems",), candidate=(True,)),
        Shown(released={"type": "array"}, candidate={"type": "array", "uniqueItems": True}),
    ),
    *mirrored(
        "unique-items-dropped",
        Effect.WIDENS,
        Text(title="array items may repeat", why=_UNIQUE.why, reference=_UNIQUE.reference),
        Match(facets=("uniqueItems",), candidate=(False, MISSING)),
        Shown(released={"type": "array", "uniqueItems": True}, candidate={"type": "array"}),
    ),
)
