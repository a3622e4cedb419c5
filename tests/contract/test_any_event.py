"""Whatever an Avro schema or a JSON Schema holds, it is read or refused, and what is read can be compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.contract.test_any_document import changed, spots

AVRO: dict[str, Any] = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "aliases": ["Purchase"],
    "fields": [
        {
            "name": "id",
            "type": {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2},
            "aliases": ["key"],
        },
        {
            "name": "state",
            "type": {"type": "enum", "name": "State", "symbols": ["A", "B"], "default": "A"},
            "default": "A",
        },
        {
            "name": "lines",
            "type": ["null", {"type": "array", "items": {"type": "map", "values": "Order"}}],
            "default": None,
        },
        {"name": "mark", "type": {"type": "fixed", "name": "Mark", "size": 2}},
    ],
}
PROTOCOL: dict[str, Any] = {
    "protocol": "Shop",
    "namespace": "shop",
    "types": [AVRO],
    "messages": {"buy": {"request": [{"name": "order", "type": "Order"}], "response": "null", "errors": ["State"]}},
}
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$id": "https://a.test/order",
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"$ref": "#/definitions/id"}, "tags": {"type": "array", "items": [{"enum": ["a"]}]}},
    "additionalProperties": {"$ref": "#named"},
    "dependencies": {"id": ["tags"], "tags": {"not": {"const": 1}}},
    "definitions": {"id": {"$id": "#named", "type": ["string", "null"], "readOnly": True}},
}
TEXTS = ["", "x", "null", "Order", "#", "#/definitions/id", "https://a.test/order", "../x", "%zz"]
NODES = [[], {}, [[]], [None], {"type": "Order"}, {"$ref": "#"}, ["null"], {"": ""}]
ODD = st.sampled_from([None, True, 0, -1, 1.5, *TEXTS, *NODES])


def read(kind: ContractKind, document: object) -> Contract | None:
    def load(name: str) -> bytes:
        if name != "event":
            raise FileNotFoundError(name)
        return json.dumps(document).encode()

    try:
        return read_contract("event", load, kind=kind)
    except BadInput as error:
        assert all(problem.found for problem in error.problems)
        return None


CASES = [(ContractKind.AVRO, AVRO), (ContractKind.AVRO, PROTOCOL), (ContractKind.JSON_SCHEMA, SCHEMA)]


@pytest.mark.parametrize(("kind", "document"), CASES, ids=["avro", "protocol", "jsonschema"])
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_document_with_anything_anywhere_is_read_or_refused(
    kind: ContractKind, document: dict[str, Any], data: st.DataObject
) -> None:
    made: object = document
    for _ in range(data.draw(st.integers(1, 2))):
        made = changed(made, data.draw(st.sampled_from(spots(made))), data.draw(ODD))
    found, whole = read(kind, made), read(kind, document)
    assert whole is not None
    if found is not None:
        for sides in ((whole, found), (found, whole)):
            for row in compare(*sides).rows:
                assert row.proof.reason
