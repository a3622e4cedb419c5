"""Protobuf: messages and enums, reservations, extension ranges, promises of JSON; and what families share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Rule, Whole
from evreview.comparison.rules.variance import Text, stated
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Change, Form, Plane, Verdict
from evreview.kinds.protobuf.options import FacetName

_FILE: Final = Whole(".proto file", "things.proto")

# What every family is written with: one helper, the sections of the guides, small texts.


BREAKING: Final = Verdict.BREAKING
SAFE: Final = Verdict.COMPATIBLE
OPEN: Final = Verdict.UNKNOWN

UPDATING: Final = "Protocol Buffers language guide, Updating A Message Type"
ENCODING: Final = "Protocol Buffers, Encoding"
JSON: Final = "Protocol Buffers, ProtoJSON Format"
PRESENCE: Final = "Protocol Buffers, Field Presence"
ENUMS: Final = "Protocol Buffers, Enum Behavior"
FEATURES: Final = "Protocol Buffers, Feature Settings for Editions"
GUIDE: Final = "Protocol Buffers language guide"
GRPC: Final = "gRPC over HTTP2, Requests"
TRANSCODING: Final = "google.api.http, HTTP transcoding"

CONVENTION: Final = "buf calls this breaking by convention"


@frozen
class PlaneVerdicts:
    """The verdict of a row and those of its planes: the binary wire, the JSON wire, generated code."""

    verdict: Verdict
    binary: Verdict
    json: Verdict
    source: Verdict

    def rule(self, rule_id: str, words: Text, match: Match, *shown: tuple[str, str]) -> Rule:
        """A rule that concludes this; `shown` holds the texts of its examples as `stated` takes them."""
        edits = (Example(_FILE, *each) for each in shown)
        planes = ((Plane.BINARY, self.binary), (Plane.JSON, self.json), (Plane.SOURCE, self.source))
        return replace(stated(rule_id, self.verdict, words, match, *edits), planes=planes)


EVERYWHERE: Final = PlaneVerdicts(BREAKING, BREAKING, BREAKING, BREAKING)
NOWHERE: Final = PlaneVerdicts(SAFE, SAFE, SAFE, SAFE)
CODE_ONLY: Final = PlaneVerdicts(SAFE, SAFE, SAFE, BREAKING)
JSON_AND_CODE: Final = PlaneVerdicts(BREAKING, SAFE, BREAKING, BREAKING)
WIRES: Final = PlaneVerdicts(BREAKING, BREAKING, BREAKING, SAFE)


def text(*declarations: str, syntax: str = "proto3") -> str:
    """A small `.proto` text."""
    head = f'edition = "{syntax}";' if syntax.isdigit() else f'syntax = "{syntax}";'
    return "\n".join((head, "package shop;", *declarations, ""))


def order(*members: str, syntax: str = "proto3", beside: tuple[str, ...] = ()) -> str:
    """A text with one message of these members, and declarations beside it."""
    return text(f"message Order {{ {' '.join(members)} }}", *beside, syntax=syntax)


def status(*values: str, syntax: str = "proto3") -> str:
    """A text with one enum, and a message that holds it."""
    label = "optional " if syntax == "proto2" else ""
    return text(
        f"enum Status {{ {' '.join(values)} }}", f"message Order {{ {label}Status status = 1; }}", syntax=syntax
    )


def calls(*procedures: str, beside: tuple[str, ...] = ()) -> str:
    """A text with one service of these procedures."""
    return text("message Asked {}", "message Told {}", *beside, f"service Orders {{ {' '.join(procedures)} }}")


def is_enum(form: Form) -> bool:
    """True for the form of an enum."""
    return isinstance(form, dict) and form.get("kind") == "enum"


def whole(change: Change, *, enum: bool) -> Match:
    """A message or enum that came or went."""
    return Match(
        elements=(ElementKind.TYPE,),
        facets=("",),
        changes=(change,),
        when=lambda it: is_enum(it.candidate if change is Change.ADDED else it.released) is enum,
    )


def texts(form: Form) -> Sequence[str]:
    """The members of a form that is a list, as texts; none of any other."""
    return [str(each) for each in form] if isinstance(form, (list, tuple)) else []


_TYPE: Final = (ElementKind.TYPE,)
_MAX: Final = 2**31 - 1


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
    before, after = texts(delta.released), texts(delta.candidate)
    if delta.facet == FacetName.RESERVED_NAMES:
        return bool(set(before) - set(after))
    own = _numbers(after)
    return not all(any(low <= first and last <= high for low, high in own) for first, last in _numbers(before))


_RESERVED: Final = (FacetName.RESERVED_NUMBERS, FacetName.RESERVED_NAMES)

TYPE_RULES: tuple[Rule, ...] = (
    NOWHERE.rule(
        "proto-message-added",
        Text("A message joined", "No message that exists changes by it.", UPDATING),
        whole(Change.ADDED, enum=False),
        (order(), order(beside=("message Line {}",))),
        (order(), order(beside=("enum Status { NEW = 0; }",))),
    ),
    EVERYWHERE.rule(
        "proto-message-removed",
        Text(
            "A message left",
            "Whoever reads it by its name finds no type for it. Of a message that only fields and procedures refer to, "
            "their own rows say what changes. buf's WIRE rules let a message go.",
            UPDATING,
        ),
        whole(Change.REMOVED, enum=False),
        (order(beside=("message Line {}",)), order()),
        (order(beside=("enum Status { NEW = 0; }",)), order()),
    ),
    EVERYWHERE.rule(
        "proto-type-kind-changed",
        Text("A message became an enum, or the reverse", "They have nothing in common on any wire.", UPDATING),
        Match(elements=_TYPE, facets=("kind",)),
        (order(beside=("message Line {}",)), order(beside=("enum Line { NEW = 0; }",))),
        (order(), order(beside=("message Line {}",))),
    ),
    NOWHERE.rule(
        "proto-reservation-removed",
        Text(
            "A reserved number or name became free",
            f"No message changes by it. {CONVENTION[:1].upper()}{CONVENTION[1:]}: what is free may be used for "
            "something else, and old messages then read as that.",
            f"{GUIDE}, Reserved Field Numbers",
        ),
        Match(elements=_TYPE, facets=_RESERVED, when=_loses),
        (order("reserved 2, 9 to 11;"), order("reserved 9 to 11;")),
        (order(), order("reserved 2;")),
    ),
    NOWHERE.rule(
        "proto-reservation-added",
        Text("A number or name became reserved", "No message changes by it.", f"{GUIDE}, Reserved Field Numbers"),
        Match(elements=_TYPE, facets=_RESERVED),
        (order(), order("reserved 2;")),
    ),
    CODE_ONLY.rule(
        "proto-extension-range-removed",
        Text(
            "Numbers are no longer open to extensions",
            "Bytes with such an extension still parse and keep it as unknown; code that declares one compiles no more.",
            f"{GUIDE}, Extensions",
        ),
        Match(elements=_TYPE, facets=("extension numbers",), when=_loses),
        (order("extensions 100 to 199;", syntax="proto2"), order("extensions 150 to 199;", syntax="proto2")),
        (order("extensions 100;", syntax="proto2"), order("extensions 100 to 199;", syntax="proto2")),
    ),
    NOWHERE.rule(
        "proto-extension-range-added",
        Text("Numbers became open to extensions", "No message changes by it.", f"{GUIDE}, Extensions"),
        Match(elements=_TYPE, facets=("extension numbers",)),
        (order("extensions 100;", syntax="proto2"), order("extensions 100 to 199;", syntax="proto2")),
        (order("extensions 100 to 199;", syntax="proto2"), order("extensions 150 to 199;", syntax="proto2")),
    ),
    NOWHERE.rule(
        "proto-json-promised",
        Text("JSON became promised for a type", "What JSON said before it says still.", f"{FEATURES}, json_format"),
        Match(facets=("json_format",), candidate=("allow",)),
        (
            text("message Order { option features.json_format = LEGACY_BEST_EFFORT; }", syntax="2023"),
            text("message Order {}", syntax="2023"),
        ),
        (order(), order("reserved 2;")),
    ),
    PlaneVerdicts(OPEN, SAFE, OPEN, SAFE).rule(
        "proto-json-not-promised",
        Text(
            "JSON is no longer promised for a type",
            "Runtimes then write and read JSON as well as they can; what that is they do not say. "
            f"{CONVENTION[:1].upper()}{CONVENTION[1:]}.",
            f"{FEATURES}, json_format",
        ),
        Match(facets=("json_format",)),
        (
            text("message Order {}", syntax="2023"),
            text("message Order { option features.json_format = LEGACY_BEST_EFFORT; }", syntax="2023"),
        ),
        (order(), order("reserved 2;")),
    ),
    EVERYWHERE.rule(
        "proto-message-set-changed",
        Text(
            "A message began or ceased to be a message set",
            "A message set writes its extensions as groups: neither form reads as the other.",
            f"{GUIDE} (proto2), message_set_wire_format",
        ),
        Match(elements=_TYPE, facets=("message_set_wire_format",)),
        (
            order("extensions 4 to 9;", syntax="proto2"),
            order("option message_set_wire_format = true;", "extensions 4 to 9;", syntax="proto2"),
        ),
        (order(), order("reserved 2;")),
    ),
)


# Enums and their values.


_TYPE_ELEMENTS: Final = (ElementKind.TYPE,)
_VALUE: Final = (ElementKind.ENUM_VALUE,)


def _keeps_first(delta: Delta) -> bool:
    before, after = texts(delta.released), texts(delta.candidate)
    return before[:1] == after[:1] and set(before) <= set(after)


_BEFORE: Final = ("NEW = 0;", "PAID = 1;")

ENUM_RULES: tuple[Rule, ...] = (
    NOWHERE.rule(
        "proto-enum-added",
        Text("An enum joined", "No message that exists changes by it.", UPDATING),
        whole(Change.ADDED, enum=True),
        (order(), order(beside=("enum Status { NEW = 0; }",))),
        (order(), order(beside=("message Line {}",))),
    ),
    CODE_ONLY.rule(
        "proto-enum-removed",
        Text(
            "An enum left",
            "An enum travels only in fields, whose own rows say what changes; generated code loses it.",
            UPDATING,
        ),
        whole(Change.REMOVED, enum=True),
        (order(beside=("enum Status { NEW = 0; }",)), order()),
        (order(beside=("message Line {}",)), order()),
    ),
    PlaneVerdicts(BREAKING, BREAKING, BREAKING, BREAKING).rule(
        "proto-enum-openness-changed",
        Text(
            "An enum became open or closed",
            "An open enum keeps numbers without a name, a closed one takes them for unknown: its reader sees the "
            "default.",
            ENUMS,
        ),
        Match(elements=_TYPE_ELEMENTS, facets=("enum_type",)),
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
    WIRES.rule(
        "proto-enum-default-changed",
        Text(
            "Another value of an enum came first",
            "An unset field reads as the first value: the same message reads otherwise.",
            ENUMS,
        ),
        Match(elements=_TYPE_ELEMENTS, facets=("default",)),
        (status(*_BEFORE, syntax="proto2"), status(*reversed(_BEFORE), syntax="proto2")),
        (status(*_BEFORE), status(*_BEFORE, "SENT = 2;")),
    ),
    NOWHERE.rule(
        "proto-enum-value-added",
        Text(
            "A value joined an enum",
            "A reader of an open enum keeps the number, one of a closed enum sees the default instead: there a proof "
            "overrules this rule. Readers of JSON are taken to be told to ignore unknown values.",
            f"{ENUMS}; {JSON}",
        ),
        Match(elements=_VALUE, facets=("",), changes=(Change.ADDED,)),
        (status(*_BEFORE), status(*_BEFORE, "SENT = 2;")),
        (status(*_BEFORE), status("NEW = 0;")),
    ),
    JSON_AND_CODE.rule(
        "proto-enum-value-removed",
        Text(
            "A value left an enum",
            "A reader of an open enum keeps the number without its name; JSON carries the name, which the candidate "
            f"does not know. Whether number and name are reserved changes no byte: {CONVENTION} without it.",
            f"{ENUMS}; {JSON}",
        ),
        Match(elements=_VALUE, facets=("",), changes=(Change.REMOVED,)),
        (status(*_BEFORE), status("NEW = 0;")),
        (status(*_BEFORE), status(*_BEFORE, "SENT = 2;")),
    ),
    NOWHERE.rule(
        "proto-enum-alias-added",
        Text(
            "A value of an enum got one more name",
            "It is written by its first name, and read by all of them.",
            f"{GUIDE}, Enum Value Aliases",
        ),
        Match(elements=_VALUE, facets=("names",), when=_keeps_first),
        (
            status("option allow_alias = true;", "NEW = 0;", "PAID = 1;", "SETTLED = 1;"),
            status("option allow_alias = true;", "NEW = 0;", "PAID = 1;", "SETTLED = 1;", "DONE = 1;"),
        ),
        (status(*_BEFORE), status("NEW = 0;", "SETTLED = 1;")),
    ),
    JSON_AND_CODE.rule(
        "proto-enum-value-renamed",
        Text(
            "A value of an enum got another name",
            "JSON carries the name, and a parser refuses one that it does not know.",
            JSON,
        ),
        Match(elements=_VALUE, facets=("names",)),
        (status(*_BEFORE), status("NEW = 0;", "SETTLED = 1;")),
        (status(*_BEFORE), status("NEW = 0;")),
    ),
)
