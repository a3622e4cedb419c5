"""Several releases of events: which levels hold, and the first pair of releases that breaks each one that does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from evreview.comparison.history import History
from evreview.contract.model import Contract
from evreview.core.vocabulary import CompatibilityLevel, Direction, Json, ProofStatus, Tristate
from evreview.kinds.compare import compare_history
from evreview.kinds.load import read_contract

TEXT: dict[str, Json] = {"type": "string"}
WHOLE: dict[str, Json] = {"type": "integer"}
LEVELS = [level for level in CompatibilityLevel if level is not CompatibilityLevel.NONE]
Pair = tuple[int, int]


def release(name: str, document: Json) -> Contract:
    return read_contract(name, lambda _: json.dumps(document).encode())


def event(**properties: Json) -> dict[str, Any]:
    return {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties}


def closed(*owed: str, **properties: Json) -> dict[str, Any]:
    return {**event(**properties), "additionalProperties": False, "required": list(owed)}


def record(*fields: tuple[str, Json] | tuple[str, Json, Json]) -> dict[str, Any]:
    made = [dict(zip(("name", "type", "default"), field, strict=False)) for field in fields]
    return {"type": "record", "name": "Order", "fields": made}


def sent(payload: dict[str, Any], version: str = "3.0.0") -> dict[str, Any]:
    message = {"name": "placed", "contentType": "application/json", "payload": payload}
    head: dict[str, Any] = {"asyncapi": version, "info": {"title": "T", "version": "1"}}
    if version.startswith("2"):
        return {**head, "channels": {"orders": {"subscribe": {"message": message}}}}
    on = {"address": "orders", "messages": {"m": message}}
    operations = {"o": {"action": "send", "channel": {"$ref": "#/channels/c"}}}
    return {**head, "channels": {"c": on}, "operations": operations}


def expected(**broken: Pair) -> dict[CompatibilityLevel, Pair | None]:
    """For each level the first pair that breaks it; `full` levels break with the first of both directions."""
    found: dict[CompatibilityLevel, Pair | None] = {
        level: broken.get(level.value.replace("-", "_")) for level in LEVELS
    }
    return found


INSTANT: Json = {"type": "long", "logicalType": "timestamp-millis"}
FINER: Json = {"type": "long", "logicalType": "timestamp-micros"}
# Releases, and for each level that does not hold the first pair that breaks it.
LADDERS: list[tuple[str, str, list[Json], dict[CompatibilityLevel, Pair | None]]] = [
    ("nothing changes", "event.json", [event(a=TEXT)] * 3, expected()),
    (
        "a member comes back as another type",
        "event.json",
        [event(a=TEXT, b=WHOLE), event(a=TEXT), event(a=TEXT, b=TEXT)],
        expected(backward_transitive=(0, 2), forward_transitive=(0, 2), full_transitive=(0, 2)),
    ),
    (
        "members are added to a closed object",
        "event.json",
        [closed(a=TEXT), closed(a=TEXT, b=TEXT), closed(a=TEXT, b=TEXT, c=TEXT)],
        expected(forward=(0, 1), full=(0, 1), forward_transitive=(0, 1), full_transitive=(0, 1)),
    ),
    (
        "a member is owed at last",
        "event.json",
        [closed(a=TEXT), closed(a=TEXT, b=TEXT), closed("b", a=TEXT, b=TEXT)],
        expected(
            backward=(1, 2),
            backward_transitive=(1, 2),
            forward=(0, 1),
            forward_transitive=(0, 1),
            full=(0, 1),
            full_transitive=(0, 1),
        ),
    ),
    (
        "a default is taken back",
        "event.avsc",
        [record(("a", "int")), record(("a", "int"), ("b", "string", "")), record(("a", "int"), ("b", "string"))],
        expected(backward_transitive=(0, 2), full_transitive=(0, 2)),
    ),
    (
        "a number is promoted twice",
        "event.avsc",
        [record(("a", "int")), record(("a", "long")), record(("a", "double"))],
        expected(forward=(0, 1), full=(0, 1), forward_transitive=(0, 1), full_transitive=(0, 1)),
    ),
    (
        "a unit changes at last",
        "event.avsc",
        [record(("a", INSTANT)), record(("a", INSTANT), ("b", "int", 0)), record(("a", FINER), ("b", "int", 0))],
        dict.fromkeys(LEVELS, (1, 2)),
    ),
    (
        "what is sent grows over two generations",
        "events.json",
        [sent(closed(a=TEXT), "2.6.0"), sent(closed(a=TEXT)), sent(closed(a=TEXT, b=TEXT))],
        expected(forward=(1, 2), full=(1, 2), forward_transitive=(1, 2), full_transitive=(1, 2)),
    ),
    (
        "what is sent comes back as another type",
        "events.json",
        [sent(event(a=TEXT, b=WHOLE)), sent(event(a=TEXT)), sent(event(a=TEXT, b=TEXT), "3.1.0")],
        expected(forward_transitive=(0, 2), full_transitive=(0, 2)),
    ),
]


def first(history: History, level: CompatibilityLevel) -> Pair | None:
    standing = history.standing(level)
    assert standing.holds is (Tristate.NO if standing.broken else Tristate.YES)
    return (standing.broken[0].earlier, standing.broken[0].later) if standing.broken else None


@pytest.mark.parametrize(("file", "documents", "told"), [row[1:] for row in LADDERS], ids=[row[0] for row in LADDERS])
def test_each_level_names_the_first_pair_that_breaks_it(
    file: str, documents: list[Json], told: dict[CompatibilityLevel, Pair | None]
) -> None:
    found = compare_history([release(file, document) for document in documents])
    assert {level: first(found, level) for level in LEVELS} == told
    broken = [pair for pair in found.pairs if any(pair.rows(level, Tristate.NO) for level in LEVELS)]
    statuses = {row.proof.status for pair in broken for row in pair.rows(CompatibilityLevel.FULL, Tristate.NO)}
    assert statuses <= {ProofStatus.WITNESSED}


@pytest.mark.parametrize("documents", [row[2] for row in LADDERS if row[1] == "event.json"])
def test_witnesses_of_every_pair_are_what_the_validator_says(documents: list[Any]) -> None:
    found = compare_history([release("event.json", document) for document in documents])
    validators = [Draft7Validator(document) for document in documents]
    for pair in found.pairs:
        sides = {"released": validators[pair.earlier], "candidate": validators[pair.later]}
        for row in pair.rows(CompatibilityLevel.FULL, Tristate.NO):
            witness: Any = row.proof.witness
            assert sides[witness["accepted_by"]].is_valid(witness["value"])
            assert not sides[witness["refused_by"]].is_valid(witness["value"])
            assert (witness["accepted_by"] == "released") is (row.delta.direction is Direction.READ)
