"""Protobuf: fields and extensions: their names, types, cardinality, oneofs and defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Form
from evreview.kinds.protobuf.rules_types import (
    BREAKING,
    CODE_ONLY,
    CONVENTION,
    ENCODING,
    EVERYWHERE,
    FEATURES,
    GUIDE,
    JSON,
    JSON_AND_CODE,
    NOWHERE,
    OPEN,
    PRESENCE,
    SAFE,
    UPDATING,
    WIRES,
    PlaneVerdicts,
    order,
)

_FIELD: Final = (ElementKind.FIELD,)
_EXTENSION: Final = (ElementKind.EXTENSION,)
_BOTH: Final = (ElementKind.FIELD, ElementKind.EXTENSION)
_ONE: Final = frozenset({"optional", "implicit"})
_MANY: Final = frozenset({"repeated"})


def is_required(form: Form) -> bool:
    """True for the form of a field that is `required`."""
    return isinstance(form, Mapping) and form.get("cardinality") == "required"


def _between(left: frozenset[str], right: frozenset[str]) -> Match:
    return Match(elements=_BOTH, facets=("cardinality",), when=lambda it: it.released in left and it.candidate in right)


FIELD_RULES: tuple[Rule, ...] = (
    WIRES.rule(
        "proto-required-field-added",
        Text(
            "A required field joined a message",
            "A reader refuses a message without a required field, and no old writer sends this one.",
            UPDATING,
        ),
        Match(elements=_FIELD, facets=("",), changes=(Change.ADDED,), when=lambda it: is_required(it.candidate)),
        (order(syntax="proto2"), order("required int32 total = 1;", syntax="proto2")),
        (order(), order("int32 total = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-required-field-removed",
        Text(
            "A required field left a message",
            "An old reader refuses a message without the field, and the candidate can't write it.",
            UPDATING,
        ),
        Match(elements=_FIELD, facets=("",), changes=(Change.REMOVED,), when=lambda it: is_required(it.released)),
        (order("required int32 total = 1;", syntax="proto2"), order(syntax="proto2")),
        (order("int32 total = 1;"), order()),
    ),
    NOWHERE.rule(
        "proto-field-added",
        Text(
            "A field joined a message",
            "Old bytes read as before, and an old reader keeps the new field as unknown. Readers of JSON are taken to "
            "be told to ignore unknown members, as everyone must who lives through an addition.",
            UPDATING,
        ),
        Match(elements=_FIELD, facets=("",), changes=(Change.ADDED,)),
        (order(), order("int32 total = 1;")),
    ),
    JSON_AND_CODE.rule(
        "proto-field-removed",
        Text(
            "A field left a message",
            "The bytes still parse, and the value is lost on their reader; the JSON guide calls a removal breaking: "
            "the member is an error for a parser by default. Whether number and name are reserved changes no byte: "
            f"{CONVENTION} without it, because a later field could take them.",
            f"{UPDATING}; {JSON}",
        ),
        Match(elements=_FIELD, facets=("",), changes=(Change.REMOVED,)),
        (order("int32 total = 1;"), order()),
    ),
    NOWHERE.rule(
        "proto-extension-added",
        Text(
            "An extension joined",
            "Old bytes read as before, and an old reader keeps the extension as unknown.",
            f"{GUIDE}, Extensions",
        ),
        Match(elements=_EXTENSION, facets=("",), changes=(Change.ADDED,)),
        (
            order("extensions 100 to 199;", syntax="proto2"),
            order("extensions 100 to 199;", syntax="proto2", beside=("extend Order { optional string note = 100; }",)),
        ),
        (order(), order("int32 total = 1;")),
    ),
    JSON_AND_CODE.rule(
        "proto-extension-removed",
        Text(
            "An extension left",
            "The bytes still parse, and the value is lost on their reader; in JSON its name is an error by default.",
            f"{GUIDE}, Extensions; {JSON}",
        ),
        Match(elements=_EXTENSION, facets=("",), changes=(Change.REMOVED,)),
        (
            order("extensions 100 to 199;", syntax="proto2", beside=("extend Order { optional string note = 100; }",)),
            order("extensions 100 to 199;", syntax="proto2"),
        ),
        (order("int32 total = 1;"), order()),
    ),
    CODE_ONLY.rule(
        "proto-field-renamed",
        Text(
            "A field got another name",
            "Bytes carry numbers only, and printers write the JSON name, which has a row of its own where it changed. "
            "Generated code is called by this name, field masks are made of it, parsers take it beside the JSON name, "
            f"and printers write it that are told to keep original names: {CONVENTION}.",
            JSON,
        ),
        Match(elements=_FIELD, facets=("name",)),
        (order('int32 sum = 1 [json_name = "sum"];'), order('int32 total = 1 [json_name = "sum"];')),
        (order("int32 sum = 1;"), order('int32 sum = 1 [json_name = "total"];')),
    ),
    JSON_AND_CODE.rule(
        "proto-extension-renamed",
        Text("An extension got another name", "Bytes carry numbers only; JSON names an extension in full.", JSON),
        Match(elements=_EXTENSION, facets=("name",)),
        (
            order("extensions 9;", syntax="proto2", beside=("extend Order { optional string note = 9; }",)),
            order("extensions 9;", syntax="proto2", beside=("extend Order { optional string memo = 9; }",)),
        ),
        (order('int32 sum = 1 [json_name = "sum"];'), order('int32 total = 1 [json_name = "sum"];')),
    ),
    PlaneVerdicts(BREAKING, SAFE, BREAKING, SAFE).rule(
        "proto-json-name-changed",
        Text(
            "A field's JSON name changed",
            "JSON is written with this name, and a parser refuses a name that it does not know.",
            JSON,
        ),
        Match(elements=_FIELD, facets=("json_name",)),
        (order("int32 sum = 1;"), order('int32 sum = 1 [json_name = "total"];')),
        (order('int32 sum = 1 [json_name = "sum"];'), order('int32 total = 1 [json_name = "sum"];')),
    ),
    PlaneVerdicts(OPEN, OPEN, OPEN, BREAKING).rule(
        "proto-presence-lost",
        Text(
            "A field ceased to tell unset from zero",
            "Every value is read as it was written. But what an old writer left out is read as a zero, and a zero that "
            "the candidate writes is left out: a reader that asks whether the field was set, as of a patch, is told "
            "otherwise. Whether one asks, the contract does not say. Generated code has nothing to ask.",
            PRESENCE,
        ),
        Match(elements=_BOTH, facets=("cardinality",), released=("optional",), candidate=("implicit",)),
        (order("optional int32 total = 1;"), order("int32 total = 1;")),
    ),
    CODE_ONLY.rule(
        "proto-presence-changed",
        Text(
            "A field began to tell unset from zero",
            "Every value is read as it was written. A zero that an old writer left out is a field that was not set, "
            "whose value is zero; generated code asks for more than it did.",
            PRESENCE,
        ),
        _between(_ONE, _ONE),
        (order("int32 total = 1;"), order("optional int32 total = 1;")),
        (order("int32 total = 1;"), order("repeated int32 total = 1;")),
    ),
    WIRES.rule(
        "proto-field-became-required",
        Text(
            "A field became required",
            "The candidate refuses a message without it, and old writers may leave it out.",
            UPDATING,
        ),
        Match(elements=_BOTH, facets=("cardinality",), candidate=("required",)),
        (order("optional int32 total = 1;", syntax="proto2"), order("required int32 total = 1;", syntax="proto2")),
        (order("int32 total = 1;"), order("optional int32 total = 1;")),
    ),
    WIRES.rule(
        "proto-field-no-longer-required",
        Text(
            "A field is no longer required",
            "The candidate may leave it out, and an old reader refuses a message without it.",
            UPDATING,
        ),
        Match(elements=_BOTH, facets=("cardinality",), released=("required",)),
        (order("required int32 total = 1;", syntax="proto2"), order("optional int32 total = 1;", syntax="proto2")),
        (order("int32 total = 1;"), order("optional int32 total = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-field-became-repeated",
        Text(
            "A field became repeated",
            "The candidate reads one value as a list of one. An old reader sees the last of several, merges several "
            "messages, and drops packed numbers; buf calls all of it breaking, the guide only the numbers. JSON writes "
            "a list.",
            f"{UPDATING}; {JSON}",
        ),
        _between(_ONE, _MANY),
        (order("int32 total = 1;"), order("repeated int32 total = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-field-became-singular",
        Text(
            "A repeated field became singular",
            "The candidate sees the last of several values, merges several messages, and drops packed numbers. JSON "
            "writes no list any more.",
            f"{UPDATING}; {JSON}",
        ),
        _between(_MANY, _ONE),
        (order("repeated int32 total = 1;"), order("int32 total = 1;")),
    ),
    NOWHERE.rule(
        "proto-packing-changed",
        Text(
            "A repeated number began or ceased to be packed",
            "Every parser reads both forms.",
            f"{ENCODING}, Packed Repeated Fields",
        ),
        Match(elements=_BOTH, facets=("packed",)),
        (order("repeated int32 total = 1;"), order("repeated int32 total = 1 [packed = false];")),
        (order("int32 total = 1;"), order("repeated int32 total = 1;")),
    ),
    PlaneVerdicts(OPEN, OPEN, SAFE, SAFE).rule(
        "proto-text-check-changed",
        Text(
            "Text began or ceased to be checked for UTF-8",
            "A string has to be UTF-8 whatever is checked. The side that does not check may write other bytes all the "
            "same, as C++ and Go do, and the one that checks then refuses the whole message: whether anybody does, the "
            "contract does not say. Text of JSON is UTF-8 anyway.",
            f"{FEATURES}, utf8_validation",
        ),
        Match(elements=_BOTH, facets=("utf8_validation",)),
        (
            order("string note = 1;", syntax="2023"),
            order("string note = 1 [features.utf8_validation = NONE];", syntax="2023"),
        ),
        (order("string note = 1;"), order("bytes note = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-field-oneof-changed",
        Text(
            "A field moved into a oneof, out of one, or into another one",
            "A reader keeps the last field of a oneof and clears the others. Where no other field shares it, nothing "
            "is cleared: buf calls that breaking all the same, by convention.",
            f"{GUIDE}, Oneof; {UPDATING}",
        ),
        Match(elements=_FIELD, facets=("oneof",)),
        (
            order("oneof how { string card = 1; }", "optional string cash = 2;"),
            order("oneof how { string card = 1; string cash = 2; }"),
        ),
        (order("string cash = 2;"), order("optional string cash = 2;")),
    ),
    WIRES.rule(
        "proto-default-changed",
        Text(
            "A field's default changed",
            "A default is not written: a message without the field reads otherwise on either side.",
            f"{GUIDE} (proto2), Default Field Values",
        ),
        Match(elements=_BOTH, facets=("default",)),
        (
            order("optional int32 pages = 1 [default = 10];", syntax="proto2"),
            order("optional int32 pages = 1 [default = 20];", syntax="proto2"),
        ),
        (order("int32 total = 1;"), order("optional int32 total = 1;")),
    ),
)


# The types of fields and extensions, and the names of types.


_FIELD_ELEMENTS: Final = (ElementKind.FIELD, ElementKind.EXTENSION)
_REFERRING: Final = (*_FIELD_ELEMENTS, ElementKind.OPERATION, ElementKind.TYPE)
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
        elements=_FIELD_ELEMENTS,
        facets=("type",),
        when=lambda it: {str(it.released).partition(" ")[0], str(it.candidate).partition(" ")[0]} == left,
    )


def _enum_and_integer(delta: Delta) -> bool:
    sides = (delta.released, delta.candidate)
    integer = ENCODINGS[0]
    return any(_is(side, "enum") for side in sides) and any(side in integer for side in sides)


_COUNT: Final = "message Count { string key = 1; int32 value = 2; }"
_LINE: Final = "message Line { string sku = 1; }"
_ITEM: Final = "message Item { string sku = 1; }"

FIELD_TYPE_RULES: tuple[Rule, ...] = (
    EVERYWHERE.rule(
        "proto-map-and-repeated",
        Text(
            "A map became a repeated field, or the reverse",
            "A map is written as a repeated message of a key and a value, and keeps the last of several with one key; "
            "messages of other fields it does not read at all. JSON writes an object on one side and a list on the "
            "other.",
            f"{GUIDE}, Maps; {JSON}",
        ),
        Match(
            elements=_FIELD_ELEMENTS,
            facets=("type",),
            when=lambda delta: str(delta.released).startswith("map<") is not str(delta.candidate).startswith("map<"),
        ),
        (
            order("repeated Count counts = 1;", beside=(_COUNT,)),
            order("map<string, int32> counts = 1;", beside=(_COUNT,)),
        ),
        (order("int32 total = 1;"), order("repeated int32 total = 1;")),
    ),
    PlaneVerdicts(BREAKING, BREAKING, SAFE, SAFE).rule(
        "proto-message-encoding-changed",
        Text(
            "A message is written between marks instead of after its length, or the reverse",
            "Both are other wire types: a reader takes the field for an unknown one.",
            f"{ENCODING}; {FEATURES}",
        ),
        Match(elements=_FIELD_ELEMENTS, facets=("type",), when=_delimited),
        (
            order("Line line = 1;", syntax="2023", beside=(_LINE,)),
            order("Line line = 1 [features.message_encoding = DELIMITED];", syntax="2023", beside=(_LINE,)),
        ),
        (order("int32 total = 1;"), order("sint32 total = 1;")),
    ),
    CODE_ONLY.rule(
        "proto-type-name-changed",
        Text(
            "A message or enum got another name, or another one is referred to",
            "No type has a name on the wire but inside of `google.protobuf.Any`, whose URL names it: what the two "
            "types hold decides. buf calls every other name breaking, by convention; generated code has another type.",
            f"{UPDATING}; {ENCODING}; google.protobuf.Any",
        ),
        Match(elements=_REFERRING, facets=("type", "request", "response", "name"), when=_renamed_type),
        (order("Line line = 1;", beside=(_LINE, _ITEM)), order("Item line = 1;", beside=(_LINE, _ITEM))),
        (order("int32 total = 1;"), order("sint32 total = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-number-range-changed",
        Text(
            "A number became another type with the same encoding",
            "The bytes parse, which is why the guide and buf's WIRE rules call this compatible by convention; a value "
            "outside of the reader's range is cut as by a cast, or refused in JSON.",
            UPDATING,
        ),
        Match(elements=_FIELD_ELEMENTS, facets=("type",), when=_same_encoding),
        (order("int64 total = 1;"), order("int32 total = 1;")),
        (order("int32 total = 1;"), order("sint32 total = 1;")),
    ),
    JSON_AND_CODE.rule(
        "proto-enum-and-integer",
        Text(
            "A field turned from an enum into an integer, or the reverse",
            "Both are varints, and an open enum keeps every number: the bytes read the same, though buf's WIRE rules "
            "call it breaking by convention. JSON writes an enum by name and an integer as a number.",
            f"{UPDATING}; {JSON}",
        ),
        Match(elements=_FIELD_ELEMENTS, facets=("type",), when=_enum_and_integer),
        (
            order("Status status = 1;", beside=("enum Status { NEW = 0; PAID = 1; }",)),
            order("int32 status = 1;", beside=("enum Status { NEW = 0; PAID = 1; }",)),
        ),
        (order("int32 total = 1;"), order("int64 total = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-string-and-bytes",
        Text(
            "A field turned from text into bytes, or the reverse",
            "Both are written alike, and bytes that are UTF-8 read as text: buf's WIRE rules allow string to bytes and "
            "refuse the reverse, by convention. Other bytes are no text, and JSON writes bytes in base64.",
            f"{UPDATING}; {JSON}",
        ),
        _pair(frozenset({"string", "bytes"})),
        (order("bytes note = 1;"), order("string note = 1;")),
        (order("string note = 1;"), order("int32 note = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-message-and-bytes",
        Text(
            "A field turned from a message into bytes, or the reverse",
            "The bytes are those of the message, and have to be read once more; any other bytes are no message. JSON "
            "writes an object on one side and base64 on the other.",
            f"{UPDATING}; {JSON}",
        ),
        _pair(frozenset({"message", "bytes"})),
        (order("Line line = 1;", beside=(_LINE,)), order("optional bytes line = 1;", beside=(_LINE,))),
        (order("string note = 1;"), order("bytes note = 1;")),
    ),
    EVERYWHERE.rule(
        "proto-type-changed",
        Text(
            "A field's type became one with another encoding",
            "The reader takes the field for unknown, refuses the bytes, or reads another value.",
            f"{UPDATING}; {ENCODING}",
        ),
        Match(elements=_FIELD_ELEMENTS, facets=("type",)),
        (order("int32 total = 1;"), order("sint32 total = 1;")),
        (order("int64 total = 1;"), order("int32 total = 1;")),
    ),
)
