"""The rules that may speak about a contract of each kind, in the order in which they are asked.

The families of a kind are loaded for the first contract of it, so that nobody waits for rules that can't speak.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from evreview.rules.rule import Rule
from evreview.vocab import ContractKind

_SCHEMAS: Final = ("fields", "types_and_formats", "enums", "numbers_and_lengths", "composition", "defaults")
"""What every kind says whose values are described by JSON schemas."""

FAMILIES: Final[Mapping[ContractKind, tuple[str, ...]]] = {
    ContractKind.OPENAPI: (
        "operations",
        "parameters",
        "bodies_and_media_types",
        "calls",
        "responses_and_headers",
        *_SCHEMAS,
        "security",
        "servers_and_versions",
        "callbacks_links",
        "deprecation",
        "serialisation",
    ),
    ContractKind.ASYNCAPI: ("asyncapi", "asyncapi_connections", *_SCHEMAS, "deprecation"),
    ContractKind.GRAPHQL: ("graphql",),
    ContractKind.PROTOBUF: (
        "protobuf_services",
        "protobuf_types",
        "protobuf_enums",
        "protobuf_limits",
        "protobuf_fields",
        "protobuf_field_types",
        "protobuf_options",
    ),
    ContractKind.AVRO: ("avro", "avro_protocols"),
    ContractKind.JSON_SCHEMA: ("jsonschema_events", *_SCHEMAS, "deprecation"),
    ContractKind.PYTHON: ("python",),
}
"""Modules below `families`; each holds its rules as `RULES`."""


@cache
def rules_of(kind: ContractKind) -> tuple[Rule, ...]:
    """The rules that may speak about a contract of the kind, none for an unknown one."""
    return tuple(rule for family in FAMILIES.get(kind, ()) for rule in _rules(family))


def _rules(family: str) -> tuple[Rule, ...]:
    rules: tuple[Rule, ...] = import_module(f"evreview.rules.families.{family}").RULES
    return rules
