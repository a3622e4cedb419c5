"""Avro schemas and protocols: parser, resolution, rules and proofs by encoded data.

Takes `.avsc`, `.avpr` or `.avdl` text.
Gives a contract, rules of schema resolution, and witnesses as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords
from evreview.core.vocabulary import ContractKind, Direction, Json

if TYPE_CHECKING:
    from evreview.comparison.delta import Delta
    from evreview.comparison.kind_spec import KindProver, WitnessReplay
    from evreview.comparison.ledger import Ledger
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files

PRIMITIVES: Final = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
NAMED: Final = ("record", "error", "enum", "fixed")
ENDINGS: Final = (".avsc", ".avpr")
_ONLY_AVRO: Final = frozenset(PRIMITIVES) - {"null", "boolean", "string"}
_JSON_SCHEMA: Final = frozenset({"$schema", "$id", "$ref", "$defs", "definitions", "properties", "additionalItems"})
"""Keywords that no Avro schema has at its top."""

_CHECKS: Final = {
    Direction.READ: "Every record that was written with the released schema at {at} is read with the candidate, "
    "each value as it was written.",
    Direction.WRITTEN: "Every record that the candidate writes at {at} is read with the released one; whether every "
    "value arrives as it was written is recorded.",
}


class _Avro(KindSpec):
    """Avro schemas and protocols."""

    kind = ContractKind.AVRO
    title = "Avro"
    opening = "an Avro schema is a record, an enum, a fixed, or a list of types"
    words = KindWords(operation="message", by_member={"type": "event"})
    operation_word = "message"
    data_only = True
    endings = ENDINGS
    name_facets = frozenset({"type"})

    def recognises(self, files: Files) -> bool:
        if files.is_folder:
            return bool(files.named(*ENDINGS))
        return files.entry.lower().endswith(ENDINGS) or _is_avro(files.root)

    def read(self, files: Files) -> Contract:
        from evreview.kinds.avro.reader import read

        return read(files)

    def with_shared_names(self, released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
        from evreview.kinds.avro.reader import aligned

        found = aligned(released, candidate)
        return found.released, found.candidate

    def rules(self) -> tuple[Rule, ...]:
        from evreview.kinds.avro.rules import PROTOCOL_RULES, SCHEMA_RULES

        return (*SCHEMA_RULES, *PROTOCOL_RULES)

    def prover(self, ledger: Ledger, *, witnesses: bool) -> KindProver:
        from evreview.kinds.avro.prover import AvroProver

        return AvroProver(ledger, witnesses=witnesses)

    def replaying(self) -> WitnessReplay:
        from evreview.kinds.avro.prover import replay

        return replay

    def judge(self, witness: Mapping[str, Json]) -> str:
        return "fastavro"

    def proposed_check(self, delta: Delta, direction: Direction | None) -> str:
        return _CHECKS[direction].format(at=delta.address) if direction is not None else ""


SPEC: Final = _Avro()


def _is_avro(node: Json) -> bool:
    """True for what no other kind of contract would write."""
    if isinstance(node, str):
        return node in PRIMITIVES
    if isinstance(node, list):
        return bool(node) and all(
            isinstance(each, (str, dict)) and (_is_avro(each) or (isinstance(each, str) and "." in each))
            for each in node
        )
    if not isinstance(node, dict):
        return False
    if not _JSON_SCHEMA.isdisjoint(node):
        return False
    if "protocol" in node:
        return "messages" in node or "types" in node
    sort = node.get("type")
    if sort in NAMED:
        return "name" in node
    if isinstance(sort, str) and sort in _ONLY_AVRO:
        return True
    if sort == "map":
        return "values" in node
    inner = node.get("items") if sort == "array" else None
    return isinstance(inner, str) or _is_union(inner) or _is_avro(inner)


def _is_union(inner: Json) -> bool:
    """True for a list in which a type is named, or that holds one of Avro's: JSON Schema lists schemas there."""
    return isinstance(inner, list) and any(isinstance(each, str) or _is_avro(each) for each in inner)
