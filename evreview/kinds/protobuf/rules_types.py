"""Protobuf: messages, reservations, extension ranges and what is promised of JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change
from evreview.rules.families.protobuf import (
    CODE_ONLY,
    CONVENTION,
    EVERYWHERE,
    FEATURES,
    GUIDE,
    NOWHERE,
    OPEN,
    SAFE,
    UPDATING,
    Felt,
    Said,
    order,
    proto,
    text,
    texts,
    whole,
)

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
    if delta.facet == "reserved names":
        return bool(set(before) - set(after))
    own = _numbers(after)
    return not all(any(low <= first and last <= high for low, high in own) for first, last in _numbers(before))


_RESERVED: Final = ("reserved numbers", "reserved names")

TYPE_RULES: tuple[Rule, ...] = (
    proto(
        "proto-message-added",
        NOWHERE,
        Said("A message joined", "No message that exists changes by it.", UPDATING),
        whole(Change.ADDED, enum=False),
        ((order(), order(beside=("message Line {}",))), (order(), order(beside=("enum Status { NEW = 0; }",)))),
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
        whole(Change.REMOVED, enum=False),
        ((order(beside=("message Line {}",)), order()), (order(beside=("enum Status { NEW = 0; }",)), order())),
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
        Match(facets=("json_format",), candidate=("allow",)),
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
        Match(facets=("json_format",)),
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
)
