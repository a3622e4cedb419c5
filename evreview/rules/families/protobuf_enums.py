"""Protobuf: enums and their values."""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change
from evreview.rules.families.protobuf import (
    BREAKING,
    CODE_ONLY,
    CONVENTION,
    ENUMS,
    GUIDE,
    JSON,
    JSON_AND_CODE,
    NOWHERE,
    UPDATING,
    WIRES,
    Felt,
    Said,
    order,
    proto,
    status,
    text,
    texts,
    whole,
)

_TYPE: Final = (ElementKind.TYPE,)
_VALUE: Final = (ElementKind.ENUM_VALUE,)


def _keeps_first(delta: Delta) -> bool:
    before, after = texts(delta.released), texts(delta.candidate)
    return before[:1] == after[:1] and set(before) <= set(after)


_BEFORE: Final = ("NEW = 0;", "PAID = 1;")

RULES: tuple[Rule, ...] = (
    proto(
        "proto-enum-added",
        NOWHERE,
        Said("An enum joined", "No message that exists changes by it.", UPDATING),
        whole(Change.ADDED, enum=True),
        ((order(), order(beside=("enum Status { NEW = 0; }",))), (order(), order(beside=("message Line {}",)))),
    ),
    proto(
        "proto-enum-removed",
        CODE_ONLY,
        Said(
            "An enum left",
            "An enum travels only in fields, whose own rows say what changes; generated code loses it.",
            UPDATING,
        ),
        whole(Change.REMOVED, enum=True),
        ((order(beside=("enum Status { NEW = 0; }",)), order()), (order(beside=("message Line {}",)), order())),
    ),
    proto(
        "proto-enum-openness-changed",
        Felt(BREAKING, BREAKING, BREAKING, BREAKING),
        Said(
            "An enum became open or closed",
            "An open enum keeps numbers without a name, a closed one takes them for unknown: its reader sees the "
            "default.",
            ENUMS,
        ),
        Match(elements=_TYPE, facets=("enum_type",)),
        (
            (
                text("enum Status { NEW = 0; }", "message Order { Status status = 1; }", syntax="2023"),
                text(
                    "enum Status { option features.enum_type = CLOSED; NEW = 0; }",
                    "message Order { Status status = 1; }",
                    syntax="2023",
                ),
            ),
            (status(*_BEFORE), status(*_BEFORE, "SENT = 2;")),
        ),
    ),
    proto(
        "proto-enum-default-changed",
        WIRES,
        Said(
            "Another value of an enum came first",
            "An unset field reads as the first value: the same message reads otherwise.",
            ENUMS,
        ),
        Match(elements=_TYPE, facets=("default",)),
        (
            (status(*_BEFORE, syntax="proto2"), status(*reversed(_BEFORE), syntax="proto2")),
            (status(*_BEFORE), status(*_BEFORE, "SENT = 2;")),
        ),
    ),
    proto(
        "proto-enum-value-added",
        NOWHERE,
        Said(
            "A value joined an enum",
            "A reader of an open enum keeps the number, one of a closed enum sees the default instead: there a proof "
            "overrules this rule. Readers of JSON are taken to be told to ignore unknown values.",
            f"{ENUMS}; {JSON}",
        ),
        Match(elements=_VALUE, facets=("",), changes=(Change.ADDED,)),
        ((status(*_BEFORE), status(*_BEFORE, "SENT = 2;")), (status(*_BEFORE), status("NEW = 0;"))),
    ),
    proto(
        "proto-enum-value-removed",
        JSON_AND_CODE,
        Said(
            "A value left an enum",
            "A reader of an open enum keeps the number without its name; JSON carries the name, which the candidate "
            f"does not know. Whether number and name are reserved changes no byte: {CONVENTION} without it.",
            f"{ENUMS}; {JSON}",
        ),
        Match(elements=_VALUE, facets=("",), changes=(Change.REMOVED,)),
        ((status(*_BEFORE), status("NEW = 0;")), (status(*_BEFORE), status(*_BEFORE, "SENT = 2;"))),
    ),
    proto(
        "proto-enum-alias-added",
        NOWHERE,
        Said(
            "A value of an enum got one more name",
            "It is written by its first name, and read by all of them.",
            f"{GUIDE}, Enum Value Aliases",
        ),
        Match(elements=_VALUE, facets=("names",), when=_keeps_first),
        (
            (
                status("option allow_alias = true;", "NEW = 0;", "PAID = 1;", "SETTLED = 1;"),
                status("option allow_alias = true;", "NEW = 0;", "PAID = 1;", "SETTLED = 1;", "DONE = 1;"),
            ),
            (status(*_BEFORE), status("NEW = 0;", "SETTLED = 1;")),
        ),
    ),
    proto(
        "proto-enum-value-renamed",
        JSON_AND_CODE,
        Said(
            "A value of an enum got another name",
            "JSON carries the name, and a parser refuses one that it does not know.",
            JSON,
        ),
        Match(elements=_VALUE, facets=("names",)),
        ((status(*_BEFORE), status("NEW = 0;", "SETTLED = 1;")), (status(*_BEFORE), status("NEW = 0;"))),
    ),
)
