"""Protobuf: services, procedures, streaming, repeatability, HTTP routes; and files, options and deprecation."""

from __future__ import annotations

import re
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule
from evreview.comparison.rules.variance import Text
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change
from evreview.kinds.protobuf.rules_types import (
    BREAKING,
    CODE_ONLY,
    CONVENTION,
    EVERYWHERE,
    FEATURES,
    GRPC,
    GUIDE,
    NOWHERE,
    OPEN,
    SAFE,
    TRANSCODING,
    PlaneVerdicts,
    calls,
    order,
    text,
)

_CALL: Final = (ElementKind.OPERATION,)
_SERVICE: Final = (ElementKind.SERVICE,)
_GET: Final = "rpc Get(Asked) returns (Told);"
_FREE: Final = "NO_SIDE_EFFECTS"
_AGAIN: Final = "IDEMPOTENT"
_HTTP: Final = "google.api.http"

_API: Final = (
    'syntax = "proto3";\npackage google.api;\nimport "google/protobuf/descriptor.proto";\n'
    "message HttpRule { string selector = 1; oneof pattern { string get = 2; string put = 3; string post = 4; "
    "string delete = 5; string patch = 6; CustomHttpPattern custom = 8; } string body = 7; "
    "string response_body = 12; repeated HttpRule additional_bindings = 11; }\n"
    "message CustomHttpPattern { string kind = 1; string path = 2; }\n"
    "extend google.protobuf.MethodOptions { HttpRule http = 72295728; }\n"
    "message Asked { string id = 1; }\nmessage Told {}\n"
)
"""A text that declares the option itself: an example is one file."""


def _routed(*rules: str) -> str:
    options = "".join(f"option (google.api.http) = {{ {rule} }};" for rule in rules)
    return f"{_API}service Orders {{ rpc Get(Asked) returns (Told) {{ {options} }} }}\n"


def _level(level: str) -> str:
    return calls(f"rpc Get(Asked) returns (Told) {{ option idempotency_level = {level}; }}")


def _keeps_routes(delta: Delta) -> bool:
    """True when every route of the released side is one of the candidate's."""
    before = delta.released if isinstance(delta.released, list) else []
    after = delta.candidate if isinstance(delta.candidate, list) else []
    return all(route in after for route in before)


SERVICE_RULES: tuple[Rule, ...] = (
    NOWHERE.rule(
        "proto-service-added",
        Text("A service joined", "No call that exists changes by it.", GRPC),
        Match(elements=_SERVICE, facets=("",), changes=(Change.ADDED,)),
        (text(), text("service Orders {}")),
    ),
    EVERYWHERE.rule(
        "proto-service-removed",
        Text(
            "A service left",
            "A call of any of its procedures is answered UNIMPLEMENTED. buf's WIRE rules let a service go.",
            GRPC,
        ),
        Match(elements=_SERVICE, facets=("",), changes=(Change.REMOVED,)),
        (text("service Orders {}"), text()),
    ),
    NOWHERE.rule(
        "proto-procedure-added",
        Text("A procedure joined a service", "No call that exists changes by it.", GRPC),
        Match(elements=_CALL, facets=("",), changes=(Change.ADDED,)),
        (calls(), calls(_GET)),
    ),
    EVERYWHERE.rule(
        "proto-procedure-removed",
        Text(
            "A procedure left a service",
            "A call of its path is answered UNIMPLEMENTED. buf's WIRE rules let a procedure go, by convention.",
            GRPC,
        ),
        Match(elements=_CALL, facets=("",), changes=(Change.REMOVED,)),
        (calls(_GET), calls()),
    ),
    *(
        EVERYWHERE.rule(
            f"proto-{side}-streaming-changed",
            Text(
                f"A procedure began or ceased to {verb} a stream",
                "One side sends or expects several messages where the other one has one.",
                GRPC,
            ),
            Match(elements=_CALL, facets=(f"{side}_streaming",)),
            (calls(_GET), calls(_GET.replace(f"({message}", f"(stream {message}"))),
            (calls(), calls(_GET)),
        )
        for side, verb, message in (("client", "take", "Asked"), ("server", "give", "Told"))
    ),
    NOWHERE.rule(
        "proto-repeatable-now",
        Text(
            "A procedure may be repeated",
            "Whoever did not repeat it need not. buf calls every change of the level breaking, by convention.",
            f"{GUIDE}, idempotency_level",
        ),
        Match(
            elements=_CALL,
            facets=("idempotency_level",),
            when=lambda it: it.candidate == _FREE or (it.candidate == _AGAIN and it.released != _FREE),
        ),
        (calls(_GET), _level(_AGAIN)),
    ),
    PlaneVerdicts(BREAKING, BREAKING, BREAKING, SAFE).rule(
        "proto-side-effects-introduced",
        Text(
            "A procedure without side effects may have some",
            "Implementations over HTTP may send such a call as a GET, as the Connect protocol does; a server refuses "
            "that for any other procedure. gRPC alone knows no GET. buf calls it breaking on the wire too.",
            f"{GUIDE}, idempotency_level; Connect protocol, Unary-Get-Request",
        ),
        Match(elements=_CALL, facets=("idempotency_level",), released=(_FREE,)),
        (_level(_FREE), calls(_GET)),
        (_level(_AGAIN), calls(_GET)),
    ),
    PlaneVerdicts(OPEN, SAFE, SAFE, SAFE).rule(
        "proto-repetition-promise-dropped",
        Text(
            "A procedure is no longer promised to bear repetition",
            "No byte changes; whether a client repeats calls, and what that does, the contract does not say. buf calls "
            "it breaking, by convention.",
            f"{GUIDE}, idempotency_level",
        ),
        Match(elements=_CALL, facets=("idempotency_level",)),
        (_level(_AGAIN), calls(_GET)),
    ),
    NOWHERE.rule(
        "proto-http-route-added",
        Text(
            "A procedure got one more HTTP route",
            "Every route that there was leads there still. buf compares no custom options.",
            TRANSCODING,
        ),
        Match(elements=_CALL, facets=(_HTTP,), when=_keeps_routes),
        (_routed(), _routed('get: "/v1/orders/{id}"')),
    ),
    PlaneVerdicts(BREAKING, SAFE, BREAKING, SAFE).rule(
        "proto-http-route-changed",
        Text(
            "An HTTP route of a procedure left or changed",
            "A gateway that serves the contract answers the old request no more, or reads it otherwise. buf compares "
            "no custom options.",
            TRANSCODING,
        ),
        Match(elements=_CALL, facets=(_HTTP,)),
        (_routed('get: "/v1/orders/{id}"'), _routed('get: "/v2/orders/{id}"')),
        (_routed(), _routed('get: "/v1/orders/{id}"')),
    ),
)


# Files, options and deprecation.


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
    name = delta.facet.removeprefix("option ")
    return name != delta.facet and not name.startswith(("(", "features.("))


_OPTION_TEXT: Final = 'import "google/protobuf/descriptor.proto";'
_DECLARED: Final = "extend google.protobuf.MessageOptions { string team = 50000; }"

_CLOSED: Final = text(
    'import "google/protobuf/cpp_features.proto";',
    "enum Status {{ NEW = 0; }}",
    "message Order {{ Status status = 1 [features.(pb.cpp).legacy_closed_enum = {}]; }}",
    syntax="2023",
)

OPTION_RULES: tuple[Rule, ...] = (
    NOWHERE.rule(
        "proto-deprecation-changed",
        Text("Something became deprecated, or ceased to be", "A mark for people and generators.", GUIDE),
        Match(facets=("deprecated",)),
        (order("int32 total = 1;"), order("int32 total = 1 [deprecated = true];")),
        (order("int32 total = 1;"), order("optional int32 total = 1;")),
    ),
    CODE_ONLY.rule(
        "proto-package-changed",
        Text(
            "A file's package changed",
            "No message names its package on the wire but inside of `google.protobuf.Any`. The path of a procedure "
            f"does: there a proof overrules this rule. {CONVENTION[:1].upper()}{CONVENTION[1:]} everywhere.",
            f"{GUIDE}, Packages; {GRPC}",
        ),
        Match(elements=_PACKAGED, facets=("package", "path")),
        (order(), order().replace("shop", "store")),
        (order(), order("reserved 2;")),
    ),
    PlaneVerdicts(SAFE, SAFE, SAFE, OPEN).rule(
        "proto-syntax-changed",
        Text(
            "A file's syntax or edition changed",
            "What it changes on a wire (presence, packing, open enums, checks) has rows of its own.",
            FEATURES,
        ),
        Match(elements=_MODULE, facets=("syntax",)),
        (text("message Order { reserved 2; }"), text("message Order { reserved 2; }", syntax="2023")),
        (order(), order("reserved 2;")),
    ),
    CODE_ONLY.rule(
        "proto-generated-names-changed",
        Text(
            "An option that names or shapes generated code changed",
            "No message changes by it; code that was generated before is called or typed otherwise.",
            f"{GUIDE}, Options",
        ),
        Match(when=lambda it: _GENERATED.fullmatch(it.facet) is not None),
        (text("message Order {}"), text('option go_package = "example.test/shop";', "message Order {}")),
        (order(), order("reserved 2;")),
    ),
    PlaneVerdicts(OPEN, OPEN, OPEN, OPEN).rule(
        "proto-language-reading-changed",
        Text(
            "What one language makes of an enum or text that is read changed",
            "The runtime of that language keeps or refuses values that other runtimes read otherwise; whether anybody "
            "reads with it, the contract does not say.",
            FEATURES,
        ),
        Match(when=lambda it: _READING.fullmatch(it.facet) is not None),
        (_CLOSED.format("false"), _CLOSED.format("true")),
        (order("int32 total = 1;"), order("int32 total = 1 [deprecated = true];")),
    ),
    PlaneVerdicts(SAFE, SAFE, SAFE, OPEN).rule(
        "proto-option-changed",
        Text(
            "An option of the language changed",
            "No message changes by it; what generators make of it differs.",
            f"{GUIDE}, Options",
        ),
        Match(when=lambda it: _option(it) and not it.facet[7:].isdigit()),
        (order("string note = 1;"), order("string note = 1 [debug_redact = true];")),
        (text("message Order {}"), text('option go_package = "example.test/shop";', "message Order {}")),
    ),
    PlaneVerdicts(OPEN, SAFE, SAFE, OPEN).rule(
        "proto-custom-option-changed",
        Text(
            "A custom option changed",
            "Neither wire is written differently; validators, gateways and generators take it for what they want, and "
            "the contract does not say what. buf compares no custom options.",
            f"{GUIDE}, Custom Options",
        ),
        Match(when=lambda it: it.facet.startswith("option ")),
        (
            text(_OPTION_TEXT, _DECLARED, "message Order {}"),
            text(_OPTION_TEXT, _DECLARED, 'message Order { option (team) = "sales"; }'),
        ),
        (order("string note = 1;"), order("string note = 1 [debug_redact = true];")),
    ),
)
