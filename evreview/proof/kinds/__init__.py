"""The provers of the kinds whose types are no JSON schemas. Each is loaded for the first contract of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from evreview.core.vocabulary import ContractKind, Json

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import KindProver, Replaying
    from evreview.comparison.ledger import Ledger

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
