"""Protobuf: messages, enums and their values, reservations, files and options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.contracts.model import ElementKind
from evreview.ledger.delta import Delta
from evreview.rules.families.protobuf import (
    BREAKING,
    CODE_ONLY,
    CONVENTION,
    ENUMS,
    EVERYWHERE,
    FEATURES,
    GRPC,
    GUIDE,
    JSON,
    JSON_AND_CODE,
    NOWHERE,
    OPEN,
    SAFE,
    UPDATING,
    WIRES,
    Felt,
    Said,
    order,
    proto,
    status,
    text,
)
from evreview.rules.rule import Match, Rule
from evreview.vocab import Change, Form

_TYPE: Final = (ElementKind.TYPE,)
_VALUE: Final = (ElementKind.ENUM_VALUE,)
_MODULE: Final = (ElementKind.MODULE,)
_PACKAGED: Final = (ElementKind.MODULE, ElementKind.OPERATION)
_MAX: Final = 2**31 - 1
_GENERATED: Final = re.compile(
    r"option (?:(?:go|java|php|ruby|swift|csharp|objc|cc|py)_\w+|jstype|ctype|optimize_for"
    r"|no_standard_descriptor_accessor)"
)
"""Options of the language that name generated code or choose its types."""


def _is_enum(form: Form) -> bool:
    return isinstance(form, dict) and form.get("kind") == "enum"


def _whole(change: Change, *, enum: bool) -> Match:
    """A message or enum that came or went."""
    return Match(
        elements=_TYPE,
        facets=("",),
        changes=(change,),
        when=lambda it: _is_enum(it.candidate if change is Change.ADDED else it.released) is enum,
    )


def _texts(form: Form) -> Sequence[str]:
    return [str(each) for each in form] if isinstance(form, (list, tuple)) else []


def _numbers(texts: Iterable[str]) -> list[tuple[int, int]]:
    """Ranges as pairs, neighbours joined."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(_range(each) for each in texts):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition(" to ")
    return int(first), _MAX if last == "max" else int(last or first)


def _loses(delta: Delta) -> bool:
    """True when the candidate lacks a number or name of the list."""
    before, after = _texts(delta.released), _texts(delta.candidate)
    if delta.facet == "reserved names":
        return bool(set(before) - set(after))
    own = _numbers(after)
    return not all(any(low <= first and last <= high for low, high in own) for first, last in _numbers(before))


def _keeps_first(delta: Delta) -> bool:
    before, after = _texts(delta.released), _texts(delta.candidate)
    return before[:1] == after[:1] and set(before) <= set(after)


def _option(delta: Delta) -> bool:
    return delta.facet.startswith("option ") and not delta.facet.startswith("option (")


_RESERVED: Final = ("reserved numbers", "reserved names")
_BEFORE: Final = ("NEW = 0;", "PAID = 1;")
_OPTION_TEXT: Final = 'import "google/protobuf/descriptor.proto";'
_DECLARED: Final = "extend google.protobuf.MessageOptions { string team = 50000; }"

RULES: tuple[Rule, ...] = (
    proto(
        "proto-deprecation-changed",
        NOWHERE,
        Said("Something became deprecated, or ceased to be", "A mark for people and generators.", GUIDE),
        Match(facets=("deprecated",)),
        (
            (order("int32 total = 1;"), order("int32 total = 1 [deprecated = true];")),
            (order("int32 total = 1;"), order("optional int32 total = 1;")),
        ),
    ),
    proto(
        "proto-message-added",
        NOWHERE,
        Said("A message joined", "No message that exists changes by it.", UPDATING),
        _whole(Change.ADDED, enum=False),
        ((order(), order(beside=("message Line {}",))), (order(), order(beside=("enum Status { NEW = 0; }",)))),
    ),
    proto(
        "proto-enum-added",
        NOWHERE,
        Said("An enum joined", "No message that exists changes by it.", UPDATING),
        _whole(Change.ADDED, enum=True),
        ((order(), order(beside=("enum Status { NEW = 0; }",))), (order(), order(beside=("message Line {}",)))),
    ),
    proto(
        "proto-message-removed",
        EVERYWHERE,
        Said(
            "A message left",
            "Whoever reads it by its name finds no type for it. Of a message that only fields and procedures refer to, "
            "their own rows say what changes. buf's WIRE rules let a message go.",
            UPDATING,
        ),
        _whole(Change.REMOVED, enum=False),
        ((order(beside=("message Line {}",)), order()), (order(beside=("enum Status { NEW = 0; }",)), order())),
    ),
    proto(
        "proto-enum-removed",
        CODE_ONLY,
        Said(
            "An enum left",
            "An enum travels only in fields, whose own rows say what changes; generated code loses it.",
            UPDATING,
        ),
        _whole(Change.REMOVED, enum=True),
        ((order(beside=("enum Status { NEW = 0; }",)), order()), (order(beside=("message Line {}",)), order())),
    ),
    proto(
        "proto-type-kind-changed",
        EVERYWHERE,
        Said("A message became an enum, or the reverse", "They have nothing in common on any wire.", UPDATING),
        Match(elements=_TYPE, facets=("kind",)),
        (
            (order(beside=("message Line {}",)), order(beside=("enum Line { NEW = 0; }",))),
            (order(), order(beside=("message Line {}",))),
        ),
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
    proto(
        "proto-reservation-removed",
        NOWHERE,
        Said(
            "A reserved number or name became free",
            f"No message changes by it. {CONVENTION[:1].upper()}{CONVENTION[1:]}: what is free may be used for "
            "something else, and old messages then read as that.",
            f"{GUIDE}, Reserved Field Numbers",
        ),
        Match(elements=_TYPE, facets=_RESERVED, when=_loses),
        ((order("reserved 2, 9 to 11;"), order("reserved 9 to 11;")), (order(), order("reserved 2;"))),
    ),
    proto(
        "proto-reservation-added",
        NOWHERE,
        Said("A number or name became reserved", "No message changes by it.", f"{GUIDE}, Reserved Field Numbers"),
        Match(elements=_TYPE, facets=_RESERVED),
        ((order(), order("reserved 2;")), (order("reserved 2;"), order())),
    ),
    proto(
        "proto-extension-range-removed",
        CODE_ONLY,
        Said(
            "Numbers are no longer open to extensions",
            "Bytes with such an extension still parse and keep it as unknown; code that declares one compiles no more.",
            f"{GUIDE}, Extensions",
        ),
        Match(elements=_TYPE, facets=("extension numbers",), when=_loses),
        (
            (order("extensions 100 to 199;", syntax="proto2"), order("extensions 150 to 199;", syntax="proto2")),
            (order("extensions 100;", syntax="proto2"), order("extensions 100 to 199;", syntax="proto2")),
        ),
    ),
    proto(
        "proto-extension-range-added",
        NOWHERE,
        Said("Numbers became open to extensions", "No message changes by it.", f"{GUIDE}, Extensions"),
        Match(elements=_TYPE, facets=("extension numbers",)),
        (
            (order("extensions 100;", syntax="proto2"), order("extensions 100 to 199;", syntax="proto2")),
            (order("extensions 100 to 199;", syntax="proto2"), order("extensions 150 to 199;", syntax="proto2")),
        ),
    ),
    proto(
        "proto-json-promised",
        NOWHERE,
        Said("JSON became promised for a type", "What JSON said before it says still.", f"{FEATURES}, json_format"),
        Match(elements=_TYPE, facets=("json_format",), candidate=("allow",)),
        (
            (
                text("message Order { option features.json_format = LEGACY_BEST_EFFORT; }", syntax="2023"),
                text("message Order {}", syntax="2023"),
            ),
            (order(), order("reserved 2;")),
        ),
    ),
    proto(
        "proto-json-not-promised",
        Felt(OPEN, SAFE, OPEN, SAFE),
        Said(
            "JSON is no longer promised for a type",
            "Runtimes then write and read JSON as well as they can; what that is they do not say. "
            f"{CONVENTION[:1].upper()}{CONVENTION[1:]}.",
            f"{FEATURES}, json_format",
        ),
        Match(elements=_TYPE, facets=("json_format",)),
        (
            (
                text("message Order {}", syntax="2023"),
                text("message Order { option features.json_format = LEGACY_BEST_EFFORT; }", syntax="2023"),
            ),
            (order(), order("reserved 2;")),
        ),
    ),
    proto(
        "proto-message-set-changed",
        EVERYWHERE,
        Said(
            "A message began or ceased to be a message set",
            "A message set writes its extensions as groups: neither form reads as the other.",
            f"{GUIDE} (proto2), message_set_wire_format",
        ),
        Match(elements=_TYPE, facets=("message_set_wire_format",)),
        (
            (
                order("extensions 4 to 9;", syntax="proto2"),
                order("option message_set_wire_format = true;", "extensions 4 to 9;", syntax="proto2"),
            ),
            (order(), order("reserved 2;")),
        ),
    ),
    proto(
        "proto-package-changed",
        CODE_ONLY,
        Said(
            "A file's package changed",
            "No message names its package on the wire but inside of `google.protobuf.Any`. The path of a procedure "
            f"does: there a proof overrules this rule. {CONVENTION[:1].upper()}{CONVENTION[1:]} everywhere.",
            f"{GUIDE}, Packages; {GRPC}",
        ),
        Match(elements=_PACKAGED, facets=("package", "path")),
        ((order(), order().replace("shop", "store")), (order(), order("reserved 2;"))),
    ),
    proto(
        "proto-syntax-changed",
        Felt(SAFE, SAFE, SAFE, OPEN),
        Said(
            "A file's syntax or edition changed",
            "What it changes on a wire (presence, packing, open enums, checks) has rows of its own.",
            FEATURES,
        ),
        Match(elements=_MODULE, facets=("syntax",)),
        (
            (text("message Order { reserved 2; }"), text("message Order { reserved 2; }", syntax="2023")),
            (order(), order("reserved 2;")),
        ),
    ),
    proto(
        "proto-generated-names-changed",
        CODE_ONLY,
        Said(
            "An option that names or shapes generated code changed",
            "No message changes by it; code that was generated before is called or typed otherwise.",
            f"{GUIDE}, Options",
        ),
        Match(when=lambda it: _GENERATED.fullmatch(it.facet) is not None),
        (
            (text("message Order {}"), text('option go_package = "example.test/shop";', "message Order {}")),
            (order(), order("reserved 2;")),
        ),
    ),
    proto(
        "proto-option-changed",
        Felt(SAFE, SAFE, SAFE, OPEN),
        Said(
            "An option of the language changed",
            "No message changes by it; what generators make of it differs.",
            f"{GUIDE}, Options",
        ),
        Match(when=lambda it: _option(it) and not it.facet[7:].isdigit()),
        (
            (order("string note = 1;"), order("string note = 1 [debug_redact = true];")),
            (text("message Order {}"), text('option go_package = "example.test/shop";', "message Order {}")),
        ),
    ),
    proto(
        "proto-custom-option-changed",
        Felt(OPEN, SAFE, SAFE, OPEN),
        Said(
            "A custom option changed",
            "Neither wire is written differently; validators, gateways and generators take it for what they want, and "
            "the contract does not say what. buf compares no custom options.",
            f"{GUIDE}, Custom Options",
        ),
        Match(when=lambda it: it.facet.startswith("option ")),
        (
            (
                text(_OPTION_TEXT, _DECLARED, "message Order {}"),
                text(_OPTION_TEXT, _DECLARED, 'message Order { option (team) = "sales"; }'),
            ),
            (order("string note = 1;"), order("string note = 1 [debug_redact = true];")),
        ),
    ),
)
