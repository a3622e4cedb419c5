"""Every rule, by kind of contract and in the order in which they are asked: the first that applies speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.errors import bad_input
from evreview.rules.families import (
    asyncapi,
    asyncapi_connections,
    avro,
    avro_protocols,
    bodies_and_media_types,
    callbacks_links,
    composition,
    defaults,
    deprecation,
    enums,
    fields,
    graphql,
    jsonschema_events,
    numbers_and_lengths,
    operations,
    parameters,
    protobuf_enums,
    protobuf_field_types,
    protobuf_fields,
    protobuf_options,
    protobuf_services,
    protobuf_types,
    python,
    responses_and_headers,
    security,
    serialisation,
    servers_and_versions,
    types_and_formats,
)
from evreview.rules.rule import Rule
from evreview.vocab import ContractKind, RuleId

_SCHEMAS: Final[tuple[Rule, ...]] = (
    *fields.RULES,
    *types_and_formats.RULES,
    *enums.RULES,
    *numbers_and_lengths.RULES,
    *composition.RULES,
    *defaults.RULES,
)
"""What every kind says whose values are described by JSON schemas."""

_OPENAPI: Final[tuple[Rule, ...]] = (
    *operations.RULES,
    *parameters.RULES,
    *bodies_and_media_types.RULES,
    *responses_and_headers.RULES,
    *_SCHEMAS,
    *security.RULES,
    *servers_and_versions.RULES,
    *callbacks_links.RULES,
    *deprecation.RULES,
    *serialisation.RULES,
)

_PROTOBUF: Final[tuple[Rule, ...]] = (
    *protobuf_services.RULES,
    *protobuf_types.RULES,
    *protobuf_enums.RULES,
    *protobuf_fields.RULES,
    *protobuf_field_types.RULES,
    *protobuf_options.RULES,
)

BY_KIND: Final[Mapping[ContractKind, tuple[Rule, ...]]] = {
    ContractKind.OPENAPI: _OPENAPI,
    ContractKind.ASYNCAPI: (*asyncapi.RULES, *asyncapi_connections.RULES, *_SCHEMAS),
    ContractKind.GRAPHQL: graphql.RULES,
    ContractKind.PROTOBUF: _PROTOBUF,
    ContractKind.AVRO: (*avro.RULES, *avro_protocols.RULES),
    ContractKind.JSON_SCHEMA: (*jsonschema_events.RULES, *_SCHEMAS),
    ContractKind.PYTHON: python.RULES,
}
"""The rules that may speak about a contract of each kind."""

CATALOGUE: Final[tuple[Rule, ...]] = tuple({rule.id: rule for rules in BY_KIND.values() for rule in rules}.values())

BY_ID: Final = {rule.id: rule for rule in CATALOGUE}


def rule(rule_id: str) -> Rule:
    """The rule with this id.

    Raises:
        BadInput: `rule-unknown`.
    """
    found = BY_ID.get(RuleId(rule_id))
    if found is None:
        raise bad_input("rule-unknown", f"no rule is called {rule_id}", advice="`evreview rules` lists them all")
    return found
