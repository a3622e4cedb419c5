"""Protobuf: files, options and deprecation."""

from __future__ import annotations

import re
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.rules.families.protobuf import (
    CODE_ONLY,
    CONVENTION,
    FEATURES,
    GRPC,
    GUIDE,
    NOWHERE,
    OPEN,
    SAFE,
    Felt,
    Said,
    order,
    proto,
    text,
)

_MODULE: Final = (ElementKind.MODULE,)
_PACKAGED: Final = (ElementKind.MODULE, ElementKind.OPERATION)
_GENERATED: Final = re.compile(
    r"option (?:(?:go|java|php|ruby|swift|csharp|objc|cc|py)_\w+|jstype|ctype|optimize_for"
    r"|no_standard_descriptor_accessor|features\.\(pb\.(?:cpp|java|go)\)\.(?!legacy_closed_enum|utf8_validation)\w+)"
)
"""Options of the language, and features for one language, that name generated code or choose its types."""
_READING: Final = re.compile(r"option features\.\(pb\.\w+\)\.(?:legacy_closed_enum|utf8_validation)")
"""Features by which the runtime of one language reads bytes otherwise than the other languages do."""


def _option(delta: Delta) -> bool:
    return delta.facet.startswith("option ") and not delta.facet.startswith(("option (", "option features.("))


_OPTION_TEXT: Final = 'import "google/protobuf/descriptor.proto";'
_DECLARED: Final = "extend google.protobuf.MessageOptions { string team = 50000; }"

_CLOSED: Final = text(
    'import "google/protobuf/cpp_features.proto";',
    "enum Status {{ NEW = 0; }}",
    "message Order {{ Status status = 1 [features.(pb.cpp).legacy_closed_enum = {}]; }}",
    syntax="2023",
)

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
        "proto-language-reading-changed",
        Felt(OPEN, OPEN, OPEN, OPEN),
        Said(
            "What one language makes of an enum or text that is read changed",
            "The runtime of that language keeps or refuses values that other runtimes read otherwise; whether anybody "
            "reads with it, the contract does not say.",
            FEATURES,
        ),
        Match(when=lambda it: _READING.fullmatch(it.facet) is not None),
        (
            (_CLOSED.format("false"), _CLOSED.format("true")),
            (order("int32 total = 1;"), order("int32 total = 1 [deprecated = true];")),
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
