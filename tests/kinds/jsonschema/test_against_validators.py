"""Generated events against the validator of each draft: witnesses hold, and what is safe admits no other value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.proof.outcome import CONTAINED_DECLARED
from evreview.core.vocabulary import Direction, Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract

DRAFTS: dict[str, tuple[str, Any]] = {
    "4": ("http://json-schema.org/draft-04/schema#", Draft4Validator),
    "6": ("http://json-schema.org/draft-06/schema#", Draft6Validator),
    "7": ("http://json-schema.org/draft-07/schema#", Draft7Validator),
    "2019-09": ("https://json-schema.org/draft/2019-09/schema", Draft201909Validator),
    "2020-12": ("https://json-schema.org/draft/2020-12/schema", Draft202012Validator),
}
SCALARS: list[Json] = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "number", "minimum": 1},
    {"type": "string", "maxLength": 1},
    {"type": ["string", "null"]},
    {"enum": ["p", "q"]},
    {"enum": ["p", 1]},
    {"type": "boolean"},
    {"$ref": "#/definitions/shared"},
    {"$ref": "#/definitions/shared", "maxLength": 0},
    {"not": {"type": "string"}},
    {"anyOf": [{"type": "string"}, {"type": "integer", "maximum": 1}]},
    {"type": "array", "items": {"type": "integer"}},
    {},
]
VALUES = st.sampled_from([None, True, 0, 1, 1.5, 2, "", "p", "q", "pq", [], [1], ["p"], {}])


@st.composite
def events(draw: st.DrawFn) -> dict[str, Json]:
    names = draw(st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=3))
    made: dict[str, Json] = {"type": "object", "properties": {name: draw(st.sampled_from(SCALARS)) for name in names}}
    required = draw(st.lists(st.sampled_from(["a", "b"]), unique=True))
    made |= {"required": required} if required else {}
    made["definitions"] = {"shared": draw(st.sampled_from(SCALARS[:4]))}
    closing = draw(st.sampled_from([None, False, {"type": "string"}]))
    made |= {"additionalProperties": closing} if closing is not None else {}
    if draw(st.booleans()):
        made["dependencies"] = {"a": ["b"]}
    return made


def compared(draft: str, released: Mapping[str, Json], candidate: Mapping[str, Json]) -> tuple[Comparison, Any, Any]:
    uri, validator = DRAFTS[draft]
    sides = [{"$schema": uri, **side} for side in (released, candidate)]
    contracts = [read_contract("event.json", lambda _, text=json.dumps(side).encode(): text) for side in sides]  # noqa: B008
    return compare(*contracts), validator(sides[0]), validator(sides[1])


def _for_declared_members(row: JudgedRow) -> bool:
    """True where the row says that it holds for messages of members that the sender's contract names."""
    return row.proof.realism is not None or row.proof.reason.startswith(CONTAINED_DECLARED.reason)


MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("draft", DRAFTS)
@given(
    released=events(), candidate=events(), values=st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), max_size=25)
)
@MANY
def test_witnesses_and_safety(draft: str, released: Any, candidate: Any, values: list[Json]) -> None:
    found, old, new = compared(draft, released, candidate)
    for row in found.rows:
        if row.proof.status is ProofStatus.WITNESSED:
            witness: Any = row.proof.witness
            says = {"released": old.is_valid(witness["value"]), "candidate": new.is_valid(witness["value"])}
            assert says == {witness["accepted_by"]: True, witness["refused_by"]: False}, row.to_dict()
    for direction, writer, reader in ((Direction.READ, old, new), (Direction.WRITTEN, new, old)):
        rows = [row for row in found.rows if row.delta.direction is direction]
        safe = all(row.judgement.verdict is Verdict.COMPATIBLE for row in rows)
        if safe and not any(map(_for_declared_members, rows)):
            assert [value for value in values if writer.is_valid(value) and not reader.is_valid(value)] == []
