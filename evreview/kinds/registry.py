"""What each kind of contract brings: its rules, its prover, and what judges its witnesses again.

Loaded for the first contract of the kind, so that nobody waits for what can't speak.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from evreview.comparison.rules.rule import Rule
from evreview.core.vocabulary import ContractKind, Json

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import KindProver, Replaying
    from evreview.comparison.ledger import Ledger


_SCHEMAS: Final = (
    "evreview.comparison.rules.schema_objects.RULES",
    "evreview.comparison.rules.schema_values.TYPE_RULES",
    "evreview.comparison.rules.schema_values.ENUM_RULES",
    "evreview.comparison.rules.schema_values.RANGE_RULES",
    "evreview.comparison.rules.schema_composition.RULES",
    "evreview.comparison.rules.schema_values.DEFAULT_RULES",
)
"""What every kind says whose values are described by JSON schemas."""

FAMILIES: Final[Mapping[ContractKind, tuple[str, ...]]] = {
    ContractKind.OPENAPI: (
        "evreview.kinds.openapi.rules_operations.OPERATION_RULES",
        "evreview.kinds.openapi.rules_parameters.PARAMETER_RULES",
        "evreview.kinds.openapi.rules_bodies.RULES",
        "evreview.kinds.openapi.rules_operations.CALL_RULES",
        "evreview.kinds.openapi.rules_responses.RULES",
        *_SCHEMAS,
        "evreview.comparison.rules.security.RULES",
        "evreview.kinds.openapi.rules_operations.SERVER_RULES",
        "evreview.kinds.openapi.rules_operations.CALLBACK_RULES",
        "evreview.comparison.rules.deprecation.RULES",
        "evreview.kinds.openapi.rules_parameters.SERIALISATION_RULES",
    ),
    ContractKind.ASYNCAPI: (
        "evreview.kinds.asyncapi.rules_operations.RULES",
        "evreview.kinds.asyncapi.rules_connections.RULES",
        *_SCHEMAS,
        "evreview.comparison.rules.deprecation.RULES",
    ),
    ContractKind.GRAPHQL: ("evreview.kinds.graphql.rules_outputs.RULES",),
    ContractKind.PROTOBUF: (
        "evreview.kinds.protobuf.rules_services.SERVICE_RULES",
        "evreview.kinds.protobuf.rules_types.TYPE_RULES",
        "evreview.kinds.protobuf.rules_types.ENUM_RULES",
        "evreview.kinds.protobuf.rules_constraints.RULES",
        "evreview.kinds.protobuf.rules_fields.FIELD_RULES",
        "evreview.kinds.protobuf.rules_fields.FIELD_TYPE_RULES",
        "evreview.kinds.protobuf.rules_services.OPTION_RULES",
    ),
    ContractKind.AVRO: ("evreview.kinds.avro.rules.SCHEMA_RULES", "evreview.kinds.avro.rules.PROTOCOL_RULES"),
    ContractKind.JSON_SCHEMA: (
        "evreview.kinds.jsonschema.rules.RULES",
        *_SCHEMAS,
        "evreview.comparison.rules.deprecation.RULES",
    ),
    ContractKind.PYTHON: ("evreview.kinds.python.rules.RULES",),
}
"""Where the rules of each family stand: module and name."""


@cache
def rules_of(kind: ContractKind) -> tuple[Rule, ...]:
    """The rules that may speak about a contract of the kind, none for an unknown one."""
    return tuple(rule for family in FAMILIES.get(kind, ()) for rule in _rules(family))


def _rules(family: str) -> tuple[Rule, ...]:
    module, _, name = family.rpartition(".")
    rules: tuple[Rule, ...] = getattr(import_module(module), name)
    return rules


# The provers of the kinds whose types are no JSON schemas.


JUDGES: Final[Mapping[ContractKind, str]] = {
    ContractKind.AVRO: "fastavro",
    ContractKind.GRAPHQL: "graphql-core",
    ContractKind.PROTOBUF: "protobuf",
}
"""The distributions that judge replayed witnesses, for the kinds of `replaying` that have one."""

_OWN: Final = frozenset({"call", "checked"})
"""Members of a message of which no distribution says anything: whether a call has an end, what options demand."""


def judge_of(kind: ContractKind, witness: Mapping[str, Json]) -> str:
    """The distribution that judges a witness of a kind again, "" where evreview's own rules do."""
    message = witness.get("message")
    own = isinstance(message, Mapping) and not _OWN.isdisjoint(message)
    return "" if own else JUDGES.get(kind, "")


def prover_of(ledger: Ledger, *, witnesses: bool) -> KindProver | None:
    """The prover of a ledger, None for the kinds whose values are sets of JSON values.

    Args:
        ledger: the rows and both contracts.
        witnesses: False to leave out every proof that no verdict rests on.
    """
    match ledger.released.kind:
        case ContractKind.AVRO:
            from evreview.kinds.avro.prover import AvroProver

            return AvroProver(ledger, witnesses=witnesses)
        case ContractKind.PROTOBUF:
            from evreview.kinds.protobuf.prover import ProtobufProver

            return ProtobufProver(ledger, witnesses=witnesses)
        case ContractKind.GRAPHQL:
            from evreview.kinds.graphql.prover import GraphqlProver

            return GraphqlProver(ledger, witnesses=witnesses)
        case ContractKind.PYTHON:
            from evreview.kinds.python.prover import PythonProver

            return PythonProver(ledger, witnesses=witnesses)
    return None


def replaying(kind: ContractKind) -> Replaying | None:
    """What judges a retained witness of a kind again, None for the kinds whose witnesses are messages of JSON."""
    match kind:
        case ContractKind.AVRO:
            from evreview.kinds.avro.prover import replay as replay_avro

            return replay_avro
        case ContractKind.PROTOBUF:
            from evreview.kinds.protobuf.prover import replay as replay_protobuf

            return replay_protobuf
        case ContractKind.GRAPHQL:
            from evreview.kinds.graphql.prover import replay

            return replay
        case ContractKind.PYTHON:
            from evreview.kinds.python.prover import replay as replay_python

            return replay_python
    return None
