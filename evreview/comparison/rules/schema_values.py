"""Types, null, formats, patterns and encoded content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import WITHOUT_EFFECT
from evreview.comparison.rules.direction import SIDE, Effect, Shown, Text, mirrored, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.core.vocabulary import Form, Json, Missing, Polarity, Verdict
from evreview.ledger.delta import Delta
from evreview.rules.shift import Shift

_TYPE: Final = "JSON Schema Validation 2020-12, section 6.1.1"
_FORMAT: Final = "OpenAPI 3.1, section 4.4 Data Types; JSON Schema Validation 2020-12, section 7"
_PATTERN: Final = "JSON Schema Validation 2020-12, section 6.3.3"
_CONTENT: Final = "JSON Schema Validation 2020-12, section 8"
_EVERY: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def _types(form: Form) -> frozenset[str]:
    """The types of a form; null is among them where one side is always null, and else has a row of its own.

    A form that names none admits every type.
    """
    if isinstance(form, str) and not isinstance(form, Missing):
        return frozenset({form})
    return frozenset(str(name) for name in form) if isinstance(form, list) else _EVERY


def _admits(types: frozenset[str], name: str) -> bool:
    return name in types or (name == "integer" and "number" in types)


def _covers(wide: Form, narrow: Form) -> bool:
    return all(_admits(_types(wide), name) for name in _types(narrow))


def _without_effect(polarity: Polarity) -> Rule:
    """The rule about null where the letter of OpenAPI 3.0 and the use that is made of it part."""
    read = polarity is Polarity.READ
    side, verb = SIDE[polarity], "went from" if read else "joined"
    text = Text(
        title=f"{'Read' if read else 'Written'} value: `nullable` {verb} a place where it has no effect",
        why="By the letter null is refused with `nullable` and without: in OpenAPI 3.0 it counts beside `type` in the "
        "same schema object only, in 3.1 nowhere. Authors and generators write it there to say that null may come, "
        "and many readers take it so: whether null travels is not known.",
        reference="OpenAPI 3.0.3, section 4.7.24.1 `nullable`; OpenAPI 3.1, section 4.8.24 Schema Object",
    )
    plain, marked = (_oneself(read, {"allOf": [_STRING], **more}) for more in ({}, {"nullable": True}))
    released, candidate = (marked, plain) if read else (plain, marked)
    match = Match(
        facets=("nullable",),
        facts=((WITHOUT_EFFECT, True),),
        polarity=polarity,
        released=(read,),
    )
    shown = Example(Slot.OPENAPI, released, candidate), Example(Slot.OPENAPI, candidate, released)
    made = stated(f"{side}-nullable-without-effect", Verdict.UNKNOWN, text, match, shown)
    return replace(made, mirror=f"{SIDE[polarity.flipped]}-nullable-without-effect")


def _oneself(read: bool, schema: Json) -> Json:
    """An OpenAPI 3.0 contract whose one message has a field of a schema."""
    content: Json = {"application/json": {"schema": {"type": "object", "properties": {"subject": schema}}}}
    answer: Json = {"200": {"description": "done"} if read else {"description": "done", "content": content}}
    asked: dict[str, Json] = {"requestBody": {"content": content}} if read else {}
    paths: Json = {"/things": {"post": {**asked, "responses": answer}}}
    return {"openapi": "3.0.3", "info": {"title": "Example", "version": "1"}, "paths": paths}


def _widened(delta: Delta) -> bool:
    return _covers(delta.candidate, delta.released)


def _narrowed(delta: Delta) -> bool:
    return _covers(delta.released, delta.candidate)


_WIDTHS: Final = ({"int32": 32, "int64": 64}, {"float": 32, "double": 64})


def _width_grew(released: Form, candidate: Form) -> bool:
    """True when both are formats of one kind of number, and the second one holds all values of the first."""
    return any(
        str(released) in widths and str(candidate) in widths and widths[str(released)] < widths[str(candidate)]
        for widths in _WIDTHS
    )


_STRING: Final[Json] = {"type": "string"}
_PATTERN_WHY: Final = (
    "`pattern` admits only the strings that it matches. Whether one expression holds the other is computed; where that "
    "decides nothing, the row stays unknown."
)
_FORMAT_WHY: Final = "A format is read as a promise about the text or number."


def _set_unset_changed(keyword: str, words: tuple[str, str, str], forms: tuple[Json, Json]) -> Iterator[Rule]:
    """The six rules of a keyword that narrows when it is set; `words` are its stem, subject and reference."""
    stem, why, reference = words
    plain, first, second = _STRING, *({"type": "string", keyword: form} for form in forms)
    yield from mirrored(
        f"{stem}-added",
        Effect.NARROWS,
        Text(title=f"`{keyword}` added", why=why, reference=reference),
        Match(facets=(keyword,), shift=(Shift.SET,)),
        Shown(released=plain, candidate=first),
    )
    yield from mirrored(
        f"{stem}-removed",
        Effect.WIDENS,
        Text(title=f"`{keyword}` removed", why=why, reference=reference),
        Match(facets=(keyword,), shift=(Shift.UNSET,)),
        Shown(released=first, candidate=plain),
    )
    yield from mirrored(
        f"{stem}-changed",
        Effect.REPLACES,
        Text(title=f"`{keyword}` changed", why=why, reference=reference),
        Match(facets=(keyword,)),
        Shown(released=first, candidate=second, counter=(first, plain)),
    )


def _reinterpreted(keyword: str, stem: str, forms: tuple[Json, Json]) -> Iterator[Rule]:
    """Encodings of a string: any change makes the same text mean other bytes."""
    yield from mirrored(
        f"{stem}-changed",
        Effect.REPLACES,
        Text(
            title=f"`{keyword}` changed",
            why=f"`{keyword}` says how the bytes inside a string are read; the same text now means something else.",
            reference=_CONTENT,
        ),
        Match(facets=(keyword,)),
        Shown(
            released={"type": "string", keyword: forms[0]},
            candidate={"type": "string", keyword: forms[1]},
            counter=({"type": "string"}, {"type": "string", "maxLength": 4}),
        ),
    )


TYPE_RULES: tuple[Rule, ...] = (
    *mirrored(
        "type-widened",
        Effect.WIDENS,
        Text(
            title="more types are admitted",
            why="Every value of the released type is one of the candidate type.",
            reference=_TYPE,
        ),
        Match(facets=("type",), when=_widened),
        Shown(released={"type": "integer"}, candidate={"type": "number"}),
    ),
    *mirrored(
        "type-narrowed",
        Effect.NARROWS,
        Text(title="fewer types are admitted", why="Some released types are no longer admitted.", reference=_TYPE),
        Match(facets=("type",), when=_narrowed),
        Shown(released={"type": ["integer", "string"]}, candidate={"type": "string"}),
    ),
    *mirrored(
        "type-changed",
        Effect.REPLACES,
        Text(
            title="the type changed", why="The released and the candidate type have different values.", reference=_TYPE
        ),
        Match(facets=("type",)),
        Shown(
            released={"type": "integer"},
            candidate={"type": "string"},
            counter=({"type": "integer"}, {"type": "number"}),
        ),
    ),
    *(_without_effect(polarity) for polarity in Polarity),
    *mirrored(
        "became-nullable",
        Effect.WIDENS,
        Text(
            title="null became possible",
            why="null is a value of its own.",
            reference="OpenAPI 3.0, section 4.7.24.1 `nullable`; " + _TYPE,
        ),
        Match(facets=("nullable",), candidate=(True,)),
        Shown(released=_STRING, candidate={"type": ["string", "null"]}),
    ),
    *mirrored(
        "no-longer-nullable",
        Effect.NARROWS,
        Text(
            title="null is no longer possible",
            why="null is a value of its own.",
            reference="OpenAPI 3.0, section 4.7.24.1 `nullable`; " + _TYPE,
        ),
        Match(facets=("nullable",), released=(True,)),
        Shown(released={"type": ["string", "null"]}, candidate=_STRING),
    ),
    *mirrored(
        "format-widened",
        Effect.WIDENS,
        Text(
            title="the format holds more numbers",
            why="`int64` holds every `int32`, and `double` every `float`.",
            reference=_FORMAT,
        ),
        Match(facets=("format",), when=lambda delta: _width_grew(delta.released, delta.candidate)),
        Shown(released={"type": "integer", "format": "int32"}, candidate={"type": "integer", "format": "int64"}),
    ),
    *mirrored(
        "format-narrowed",
        Effect.NARROWS,
        Text(
            title="the format holds fewer numbers",
            why="Not every `int64` is an `int32`, nor every `double` a `float`.",
            reference=_FORMAT,
        ),
        Match(facets=("format",), when=lambda delta: _width_grew(delta.candidate, delta.released)),
        Shown(released={"type": "integer", "format": "int64"}, candidate={"type": "integer", "format": "int32"}),
    ),
    *_set_unset_changed("format", ("format", _FORMAT_WHY, _FORMAT), ("date", "uuid")),
    *_set_unset_changed("pattern", ("pattern", _PATTERN_WHY, _PATTERN), ("^[a-z]+$", "^[0-9]+$")),
    *_set_unset_changed(
        "contentSchema",
        ("content-schema", "`contentSchema` limits the content inside the string.", _CONTENT),
        ({"type": "object"}, {"type": "array"}),
    ),
    *_reinterpreted("contentEncoding", "content-encoding", ("base64", "base16")),
    *_reinterpreted("contentMediaType", "content-media-type", ("application/json", "text/csv")),
)
