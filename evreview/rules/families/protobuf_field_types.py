"""Protobuf: the types of fields and extensions, and the names of types."""

from __future__ import annotations

import re
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Form
from evreview.rules.families.protobuf import (
    BREAKING,
    CODE_ONLY,
    ENCODING,
    EVERYWHERE,
    FEATURES,
    GUIDE,
    JSON,
    JSON_AND_CODE,
    SAFE,
    UPDATING,
    Felt,
    Said,
    order,
    proto,
)

_BOTH: Final = (ElementKind.FIELD, ElementKind.EXTENSION)
_REFERRING: Final = (*_BOTH, ElementKind.OPERATION, ElementKind.TYPE)
ENCODINGS: Final = (
    frozenset({"int32", "int64", "uint32", "uint64", "bool"}),
    frozenset({"sint32", "sint64"}),
    frozenset({"fixed32", "sfixed32"}),
    frozenset({"fixed64", "sfixed64"}),
)
"""Scalar types whose numbers are written alike, whatever they range over."""
_NAMED: Final = re.compile(r"(message|group|enum) [\w.]+")


def _is(side: Form, *words: str) -> bool:
    return str(side).partition(" ")[0] in words


def _same_encoding(delta: Delta) -> bool:
    return any(delta.released in group and delta.candidate in group for group in ENCODINGS)


def _renamed_type(delta: Delta) -> bool:
    """True when only the names in the type differ."""
    if delta.facet != "type":
        return delta.element in (ElementKind.OPERATION, ElementKind.TYPE)
    before, after = (_NAMED.sub(r"\1", str(form)) for form in (delta.released, delta.candidate))
    return before == after


def _delimited(delta: Delta) -> bool:
    return {_is(side, "group") for side in (delta.released, delta.candidate)} == {True, False} and all(
        _is(side, "group", "message") for side in (delta.released, delta.candidate)
    )


def _pair(left: frozenset[str]) -> Match:
    """A type that turned from one of two kinds into the other."""
    return Match(
        elements=_BOTH,
        facets=("type",),
        when=lambda it: {str(it.released).partition(" ")[0], str(it.candidate).partition(" ")[0]} == left,
    )


def _enum_and_integer(delta: Delta) -> bool:
    sides = (delta.released, delta.candidate)
    integer = ENCODINGS[0]
    return any(_is(side, "enum") for side in sides) and any(side in integer for side in sides)


def _map_and_other(delta: Delta) -> bool:
    return str(delta.released).startswith("map<") is not str(delta.candidate).startswith("map<")


_COUNT: Final = "message Count { string key = 1; int32 value = 2; }"
_LINE: Final = "message Line { string sku = 1; }"
_ITEM: Final = "message Item { string sku = 1; }"

RULES: tuple[Rule, ...] = (
    proto(
        "proto-map-and-repeated",
        EVERYWHERE,
        Said(
            "A map became a repeated field, or the reverse",
            "A map is written as a repeated message of a key and a value, and keeps the last of several with one key; "
            "messages of other fields it does not read at all. JSON writes an object on one side and a list on the "
            "other.",
            f"{GUIDE}, Maps; {JSON}",
        ),
        Match(elements=_BOTH, facets=("type",), when=_map_and_other),
        (
            (
                order("repeated Count counts = 1;", beside=(_COUNT,)),
                order("map<string, int32> counts = 1;", beside=(_COUNT,)),
            ),
            (order("int32 total = 1;"), order("repeated int32 total = 1;")),
        ),
    ),
    proto(
        "proto-message-encoding-changed",
        Felt(BREAKING, BREAKING, SAFE, SAFE),
        Said(
            "A message is written between marks instead of after its length, or the reverse",
            "Both are other wire types: a reader takes the field for an unknown one.",
            f"{ENCODING}; {FEATURES}",
        ),
        Match(elements=_BOTH, facets=("type",), when=_delimited),
        (
            (
                order("Line line = 1;", syntax="2023", beside=(_LINE,)),
                order("Line line = 1 [features.message_encoding = DELIMITED];", syntax="2023", beside=(_LINE,)),
            ),
            (order("int32 total = 1;"), order("sint32 total = 1;")),
        ),
    ),
    proto(
        "proto-type-name-changed",
        CODE_ONLY,
        Said(
            "A message or enum got another name, or another one is referred to",
            "No type has a name on the wire but inside of `google.protobuf.Any`, whose URL names it: what the two "
            "types hold decides. buf calls every other name breaking, by convention; generated code has another type.",
            f"{UPDATING}; {ENCODING}; google.protobuf.Any",
        ),
        Match(elements=_REFERRING, facets=("type", "request", "response", "name"), when=_renamed_type),
        (
            (
                order("Line line = 1;", beside=(_LINE, _ITEM)),
                order("Item line = 1;", beside=(_LINE, _ITEM)),
            ),
            (order("int32 total = 1;"), order("sint32 total = 1;")),
        ),
    ),
    proto(
        "proto-number-range-changed",
        EVERYWHERE,
        Said(
            "A number became another type with the same encoding",
            "The bytes parse, which is why the guide and buf's WIRE rules call this compatible by convention; a value "
            "outside of the reader's range is cut as by a cast, or refused in JSON.",
            UPDATING,
        ),
        Match(elements=_BOTH, facets=("type",), when=_same_encoding),
        (
            (order("int64 total = 1;"), order("int32 total = 1;")),
            (order("int32 total = 1;"), order("sint32 total = 1;")),
        ),
    ),
    proto(
        "proto-enum-and-integer",
        JSON_AND_CODE,
        Said(
            "A field turned from an enum into an integer, or the reverse",
            "Both are varints, and an open enum keeps every number: the bytes read the same, though buf's WIRE rules "
            "call it breaking by convention. JSON writes an enum by name and an integer as a number.",
            f"{UPDATING}; {JSON}",
        ),
        Match(elements=_BOTH, facets=("type",), when=_enum_and_integer),
        (
            (
                order("Status status = 1;", beside=("enum Status { NEW = 0; PAID = 1; }",)),
                order("int32 status = 1;", beside=("enum Status { NEW = 0; PAID = 1; }",)),
            ),
            (order("int32 total = 1;"), order("int64 total = 1;")),
        ),
    ),
    proto(
        "proto-string-and-bytes",
        EVERYWHERE,
        Said(
            "A field turned from text into bytes, or the reverse",
            "Both are written alike, and bytes that are UTF-8 read as text: buf's WIRE rules allow string to bytes and "
            "refuse the reverse, by convention. Other bytes are no text, and JSON writes bytes in base64.",
            f"{UPDATING}; {JSON}",
        ),
        _pair(frozenset({"string", "bytes"})),
        (
            (order("bytes note = 1;"), order("string note = 1;")),
            (order("string note = 1;"), order("int32 note = 1;")),
        ),
    ),
    proto(
        "proto-message-and-bytes",
        EVERYWHERE,
        Said(
            "A field turned from a message into bytes, or the reverse",
            "The bytes are those of the message, and have to be read once more; any other bytes are no message. JSON "
            "writes an object on one side and base64 on the other.",
            f"{UPDATING}; {JSON}",
        ),
        _pair(frozenset({"message", "bytes"})),
        (
            (order("Line line = 1;", beside=(_LINE,)), order("optional bytes line = 1;", beside=(_LINE,))),
            (order("string note = 1;"), order("bytes note = 1;")),
        ),
    ),
    proto(
        "proto-type-changed",
        EVERYWHERE,
        Said(
            "A field's type became one with another encoding",
            "The reader takes the field for unknown, refuses the bytes, or reads another value.",
            f"{UPDATING}; {ENCODING}",
        ),
        Match(elements=_BOTH, facets=("type",)),
        (
            (order("int32 total = 1;"), order("sint32 total = 1;")),
            (order("int64 total = 1;"), order("int32 total = 1;")),
        ),
    ),
)
