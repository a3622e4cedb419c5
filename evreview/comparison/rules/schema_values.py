"""Types, null, formats, patterns and encoded content; and all rules about schemas in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta
from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import WITHOUT_EFFECT, Delta
from evreview.comparison.rules import schema_composition, schema_objects
from evreview.comparison.rules.rule import DOCUMENT, Example, FormChange, Match, Rule, Slot, members
from evreview.comparison.rules.variance import (
    SIDE,
    Shown,
    Text,
    ValueSetChange,
    both_ways,
    breaking,
    compatible,
    kebab,
    mirrored,
    stated,
    unknown,
)
from evreview.core.vocabulary import ABSENT, Absent, Change, Direction, Form, Json, Verdict

_TYPE: Final = "JSON Schema Validation 2020-12, section 6.1.1"
_FORMAT: Final = "OpenAPI 3.1, section 4.4 Data Types; JSON Schema Validation 2020-12, section 7"
_PATTERN: Final = "JSON Schema Validation 2020-12, section 6.3.3"
_CONTENT: Final = "JSON Schema Validation 2020-12, section 8"
_EVERY: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def _types(form: Form) -> frozenset[str]:
    """The types of a form; null is among them where one side is always null, and else has a row of its own.

    A form that names none admits every type.
    """
    if isinstance(form, str) and not isinstance(form, Absent):
        return frozenset({form})
    return frozenset(str(name) for name in form) if isinstance(form, list) else _EVERY


def _admits(types: frozenset[str], name: str) -> bool:
    return name in types or (name == "integer" and "number" in types)


def _covers(wide: Form, narrow: Form) -> bool:
    return all(_admits(_types(wide), name) for name in _types(narrow))


def _without_effect(direction: Direction) -> Rule:
    """The rule about null where the letter of OpenAPI 3.0 and the use that is made of it part."""
    read = direction is Direction.READ
    side, verb = SIDE[direction], "went from" if read else "joined"
    text = Text(
        f"{'Read' if read else 'Written'} value: `nullable` {verb} a place where it has no effect",
        "By the letter null is refused with `nullable` and without: in OpenAPI 3.0 it counts beside `type` in the "
        "same schema object only, in 3.1 nowhere. Authors and generators write it there to say that null may come, "
        "and many readers take it so: whether null travels is not known.",
        "OpenAPI 3.0.3, section 4.7.24.1 `nullable`; OpenAPI 3.1, section 4.8.24 Schema Object",
    )
    plain, marked = (_oneself(read, {"allOf": [_STRING], **more}) for more in ({}, {"nullable": True}))
    released, candidate = (marked, plain) if read else (plain, marked)
    match = Match(facets=("nullable",), facts=((WITHOUT_EFFECT, True),), direction=direction, released=(read,))
    shown = Example(DOCUMENT, released, candidate), Example(DOCUMENT, candidate, released)
    made = unknown(f"{side}-nullable-without-effect", text, match, *shown)
    return replace(made, mirror=f"{SIDE[direction.reversed]}-nullable-without-effect")


def _oneself(read: bool, schema: Json) -> Json:
    """An OpenAPI 3.0 contract whose one message has a field of a schema."""
    content: Json = {"application/json": {"schema": {"type": "object", "properties": {"subject": schema}}}}
    answer: Json = {"200": {"description": "done"} if read else {"description": "done", "content": content}}
    asked: dict[str, Json] = {"requestBody": {"content": content}} if read else {}
    paths: Json = {"/things": {"post": {**asked, "responses": answer}}}
    return {"openapi": "3.0.3", "info": {"title": "Example", "version": "1"}, "paths": paths}


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
    yield from both_ways(
        ValueSetChange.NARROWS,
        (f"{stem}-added", f"`{keyword}` added", Match(facets=(keyword,), shift=(FormChange.SET,))),
        (f"{stem}-removed", f"`{keyword}` removed", Match(facets=(keyword,), shift=(FormChange.UNSET,))),
        (why, reference),
        Shown(released=plain, candidate=first),
    )
    yield from mirrored(
        f"{stem}-changed",
        ValueSetChange.REPLACES,
        Text(f"`{keyword}` changed", why, reference),
        Match(facets=(keyword,)),
        Shown(released=first, candidate=second, counter=(first, plain)),
    )


def _reinterpreted(keyword: str, stem: str, forms: tuple[Json, Json]) -> Iterator[Rule]:
    """Encodings of a string: any change makes the same text mean other bytes."""
    yield from mirrored(
        f"{stem}-changed",
        ValueSetChange.REPLACES,
        Text(
            f"`{keyword}` changed",
            f"`{keyword}` says how the bytes inside a string are read; the same text now means something else.",
            _CONTENT,
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
        ValueSetChange.WIDENS,
        Text("more types are admitted", "Every value of the released type is one of the candidate type.", _TYPE),
        Match(facets=("type",), when=lambda delta: _covers(delta.candidate, delta.released)),
        Shown(released={"type": "integer"}, candidate={"type": "number"}),
    ),
    *mirrored(
        "type-narrowed",
        ValueSetChange.NARROWS,
        Text("fewer types are admitted", "Some released types are no longer admitted.", _TYPE),
        Match(facets=("type",), when=lambda delta: _covers(delta.released, delta.candidate)),
        Shown(released={"type": ["integer", "string"]}, candidate={"type": "string"}),
    ),
    *mirrored(
        "type-changed",
        ValueSetChange.REPLACES,
        Text("the type changed", "The released and the candidate type have different values.", _TYPE),
        Match(facets=("type",)),
        Shown(
            released={"type": "integer"},
            candidate={"type": "string"},
            counter=({"type": "integer"}, {"type": "number"}),
        ),
    ),
    *(_without_effect(direction) for direction in Direction),
    *both_ways(
        ValueSetChange.WIDENS,
        ("became-nullable", "null became possible", Match(facets=("nullable",), candidate=(True,))),
        ("no-longer-nullable", "null is no longer possible", Match(facets=("nullable",), released=(True,))),
        ("null is a value of its own.", "OpenAPI 3.0, section 4.7.24.1 `nullable`; " + _TYPE),
        Shown(released=_STRING, candidate={"type": ["string", "null"]}),
    ),
    *mirrored(
        "format-widened",
        ValueSetChange.WIDENS,
        Text("the format holds more numbers", "`int64` holds every `int32`, and `double` every `float`.", _FORMAT),
        Match(facets=("format",), when=lambda delta: _width_grew(delta.released, delta.candidate)),
        Shown(released={"type": "integer", "format": "int32"}, candidate={"type": "integer", "format": "int64"}),
    ),
    *mirrored(
        "format-narrowed",
        ValueSetChange.NARROWS,
        Text(
            "the format holds fewer numbers", "Not every `int64` is an `int32`, nor every `double` a `float`.", _FORMAT
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


# Defaults: what an omitted value means. A changed default is wire behaviour even when the schema stays the same.


_REFERENCE: Final = "OpenAPI 3.1, section 4.8.24 Schema Object `default`; JSON Schema Validation 2020-12, section 9.2"
_NONE: Final[Json] = {"type": "integer"}
_TEN: Final[Json] = {"type": "integer", "default": 10}
_FIFTY: Final[Json] = {"type": "integer", "default": 50}
_SIDES: Final = {Direction.READ: Slot.PARAMETER_SCHEMA, Direction.WRITTEN: Slot.RESPONSE_FIELD}


def _rule(verb: str, direction: Direction, verdict: Verdict, why: str, edit: tuple[Json, Json]) -> Rule:
    side = SIDE[direction]
    shift = {"added": (FormChange.SET,), "removed": (FormChange.UNSET,)}.get(verb, ())
    slot = _SIDES[direction]
    return stated(
        f"{side}-default-{verb}",
        verdict,
        Text(f"A default of a {side} value was {verb}", why, _REFERENCE),
        Match(facets=("default",), direction=direction, shift=shift),
        Example(slot, *edit),
        Example(slot, _NONE, {"type": "integer", "maximum": 50}),
    )


def _owed(direction: Direction, slot: Slot, edit: tuple[Json, Json], counter: tuple[Json, Json]) -> Rule:
    side = SIDE[direction]
    return compatible(
        f"{side}-default-of-required-value",
        Text(
            f"The default of a required {side} value differs",
            "The released contract demands the value in every message, so that its default never counts.",
            _REFERENCE,
        ),
        Match(facets=("default",), direction=direction, facts=((delta.REQUIRED, True),)),
        Example(slot, *edit),
        Example(slot, *counter),
    )


def _query(schema: Json, *, required: bool) -> Json:
    return {"name": "subject", "in": "query", "required": required, "schema": schema}


def _header(schema: Json, *, required: bool) -> Json:
    return {"X-Subject": {"required": required, "schema": schema}}


DEFAULT_RULES: tuple[Rule, ...] = (
    _owed(
        Direction.READ,
        Slot.PARAMETERS,
        (_query(_TEN, required=True), _query(_FIFTY, required=True)),
        (_query(_TEN, required=False), _query(_FIFTY, required=False)),
    ),
    _owed(
        Direction.WRITTEN,
        Slot.HEADERS,
        (_header(_TEN, required=True), _header(_FIFTY, required=True)),
        (_header(_TEN, required=False), _header(_FIFTY, required=False)),
    ),
    _rule(
        "added",
        Direction.READ,
        Verdict.UNKNOWN,
        "The released contract does not say what an omitted value meant, so nothing tells whether an old request that "
        "leaves it out keeps its meaning.",
        (_NONE, _TEN),
    ),
    _rule(
        "removed",
        Direction.READ,
        Verdict.BREAKING,
        "The released contract said what an omitted value means; an old request that leaves it out loses that promise.",
        (_TEN, _NONE),
    ),
    _rule(
        "changed",
        Direction.READ,
        Verdict.BREAKING,
        "An old request that leaves the value out means the released default. The candidate reads another value there, "
        "so it no longer accepts that request as what it was, even though it refuses no message.",
        (_TEN, _FIFTY),
    ),
    _rule(
        "added",
        Direction.WRITTEN,
        Verdict.COMPATIBLE,
        "An old client assumed nothing about an absent value, and may go on so.",
        (_NONE, _TEN),
    ),
    _rule(
        "removed",
        Direction.WRITTEN,
        Verdict.BREAKING,
        "An old client reads an absent value as the released default, which the candidate no longer promises.",
        (_TEN, _NONE),
    ),
    _rule(
        "changed",
        Direction.WRITTEN,
        Verdict.BREAKING,
        "An old client reads an absent value as the released default, which is no longer what it means.",
        (_TEN, _FIFTY),
    ),
)


# Enumerations and constants.


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

ENUM_RULES: tuple[Rule, ...] = (
    compatible(
        "response-extensible-enum-value-added",
        Text(
            "Written value: a value joined an enumeration that the released contract calls extensible",
            "The released contract told clients with `x-extensible-enum` that the list may grow.",
            "`x-extensible-enum` of the released contract",
        ),
        Match(
            facets=("enum",),
            direction=Direction.WRITTEN,
            changes=(Change.ADDED,),
            facts=((comparison_delta.EXTENSIBLE, True),),
            when=_one_value,
        ),
        Example(Slot.RESPONSE_FIELD, _open("new"), _open("new", "paid")),
        Example(Slot.RESPONSE_FIELD, _values("new"), _values("new", "paid")),
    ),
    *both_ways(
        ValueSetChange.WIDENS,
        ("enum-value-added", "a value joined the enumeration", _ONLY_GAINED),
        (
            "enum-value-removed",
            "a value left the enumeration",
            Match(facets=("enum",), changes=(Change.REMOVED,), when=_one_value),
        ),
        ("`enum` lists every admitted value.", _ENUM),
        Shown(released=_values("new"), candidate=_values("new", "paid")),
    ),
    *both_ways(
        ValueSetChange.NARROWS,
        ("became-enum", "any value became a listed value", Match(facets=("enum",), shift=(FormChange.SET,))),
        ("enum-dropped", "the enumeration was dropped", Match(facets=("enum",), shift=(FormChange.UNSET,))),
        ("`enum` lists every admitted value.", _ENUM),
        Shown(released={"type": "string"}, candidate=_values("new", "paid")),
    ),
    breaking(
        "request-extensible-value-removed",
        Text(
            "Read value: a value left an extensible enumeration",
            "An old request may carry the value, which the candidate no longer lists as understood.",
            _EXTENSIBLE,
        ),
        Match(facets=("x-extensible-enum",), direction=Direction.READ, when=_lost),
        Example(Slot.REQUEST_FIELD, _listed("new", "paid"), _listed("new")),
    ),
    compatible(
        "extensible-values-changed",
        Text(
            "The values of an extensible enumeration changed",
            "`x-extensible-enum` lists values that are known, and says that others may come.",
            _EXTENSIBLE,
        ),
        Match(facets=("x-extensible-enum",)),
        Example(Slot.RESPONSE_FIELD, _listed("new"), _listed("new", "paid")),
        Example(Slot.REQUEST_FIELD, _listed("new", "paid"), _listed("new")),
    ),
)


# Bounds of numbers, strings, arrays and objects; multiples and uniqueness.


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
    if form is ABSENT:
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
    return {"type": kind, **extra} if bound is ABSENT else {"type": kind, **extra, keyword: bound}


def _bounds(keyword: str, *, upper: bool) -> Iterator[Rule]:
    subject, kind = (_UPPER if upper else _LOWER)[keyword]
    loosened, tightened = ValueSetChange.WIDENS, ValueSetChange.NARROWS
    names = kebab(keyword)
    changes: tuple[tuple[str, ValueSetChange, Match, Form, Form], ...] = (
        ("added", tightened, _one_set(keyword, FormChange.SET, up=True), ABSENT, 4),
        ("removed", loosened, _one_set(keyword, FormChange.UNSET, up=False), 4, ABSENT),
        ("raised", loosened if upper else tightened, _both_set(keyword, up=True), 4, 6),
        ("lowered", tightened if upper else loosened, _both_set(keyword, up=False), 6, 4),
    )
    for verb, effect, match, before, after in changes:
        text = Text(f"`{keyword}` {verb}", f"`{keyword}` limits {subject}.", _VALIDATION)
        shown = Shown(released=_schema(keyword, kind, before), candidate=_schema(keyword, kind, after))
        yield from mirrored(f"{names}-{verb}", effect, text, match, shown)


def _one_set(keyword: str, shift: FormChange, *, up: bool) -> Match:
    """A bound that came or went; where one holds without a word, it has to move the right way."""
    return Match(facets=(keyword,), shift=(shift,), when=_moved(keyword, up=up) if keyword in _ABSENT else None)


def _both_set(keyword: str, *, up: bool) -> Match:
    either = (FormChange.SET, FormChange.UNSET) if keyword in _ABSENT else ()
    both = (FormChange.RAISED, FormChange.LOWERED, FormChange.REPLACED, FormChange.GREW, FormChange.SHRANK, *either)
    return Match(facets=(keyword,), shift=both, when=_moved(keyword, up=up))


def _divides(delta: Delta, *, wider: bool) -> bool:
    before, after = delta.released, delta.candidate
    if not isinstance(before, (int, float)) or not isinstance(after, (int, float)) or not before or not after:
        return False
    coarse, fine = (before, after) if wider else (after, before)
    return float(coarse / fine).is_integer()


_MULTIPLES: Final = (
    "`multipleOf` admits only multiples of its number.",
    "JSON Schema Validation 2020-12, section 6.2.1",
)


def _multiple(of: Form) -> Json:
    return _schema("multipleOf", "number", of)


_UNIQUE: Final = (
    "`uniqueItems` refuses arrays that hold the same value twice.",
    "JSON Schema Validation 2020-12, section 6.4.3",
)

RANGE_RULES: tuple[Rule, ...] = (
    *(rule for keyword in _UPPER for rule in _bounds(keyword, upper=True)),
    *(rule for keyword in _LOWER for rule in _bounds(keyword, upper=False)),
    *both_ways(
        ValueSetChange.NARROWS,
        ("multiple-of-added", "`multipleOf` added", Match(facets=("multipleOf",), shift=(FormChange.SET,))),
        ("multiple-of-removed", "`multipleOf` removed", Match(facets=("multipleOf",), shift=(FormChange.UNSET,))),
        _MULTIPLES,
        Shown(released=_multiple(ABSENT), candidate=_multiple(5)),
    ),
    *both_ways(
        ValueSetChange.WIDENS,
        (
            "multiple-of-loosened",
            "`multipleOf` became a divisor of the released one",
            Match(facets=("multipleOf",), when=lambda delta: _divides(delta, wider=True)),
        ),
        (
            "multiple-of-tightened",
            "`multipleOf` became a multiple of the released one",
            Match(facets=("multipleOf",), when=lambda delta: _divides(delta, wider=False)),
        ),
        _MULTIPLES,
        Shown(released=_multiple(10), candidate=_multiple(5)),
    ),
    *mirrored(
        "multiple-of-changed",
        ValueSetChange.REPLACES,
        Text("`multipleOf` changed to an unrelated number", *_MULTIPLES),
        Match(facets=("multipleOf",)),
        Shown(released=_multiple(4), candidate=_multiple(6), counter=(_multiple(4), _multiple(2))),
    ),
    *both_ways(
        ValueSetChange.NARROWS,
        ("unique-items-demanded", "array items have to be unique", Match(facets=("uniqueItems",), candidate=(True,))),
        ("unique-items-dropped", "array items may repeat", Match(facets=("uniqueItems",), candidate=(False, ABSENT))),
        _UNIQUE,
        Shown(released={"type": "array"}, candidate={"type": "array", "uniqueItems": True}),
    ),
)


# The rules of every kind whose values are described by JSON schemas, in the order in which they are asked.

SCHEMA_RULES: Final[tuple[Rule, ...]] = (
    *schema_objects.RULES,
    *TYPE_RULES,
    *ENUM_RULES,
    *RANGE_RULES,
    *schema_composition.RULES,
    *DEFAULT_RULES,
)
