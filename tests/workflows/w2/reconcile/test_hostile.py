"""Declared schemas are hostile text: whatever stands in them, the comparison ends without a fault."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Json
from evreview.workflows.w2.discrepancy_kinds.kind import answer, body, fields, parameter, paths
from tests.workflows.w2.facts import contract_of, evidence_of, reads, reconciled, route, sends, takes

TEXT: Json = {"type": "string"}


def nested(depth: int, node: Json) -> Json:
    for _ in range(depth):
        node = {"type": "object", "properties": {"a": node}}
    return node


def wide(levels: int) -> Json:
    """Two members that are both the next level: 2 to the power of `levels` paths."""
    made: dict[str, Any] = {"L0": TEXT}
    for level in range(1, levels + 1):
        below = {"$ref": f"#/$defs/L{level - 1}"}
        made[f"L{level}"] = {"type": "object", "properties": {"a": below, "b": below}}
    return {"$ref": f"#/$defs/L{levels}", "$defs": made}


SCHEMAS: dict[str, Json] = {
    "type is a number": {"type": 5},
    "types of no kind": {"type": ["string", 3, None]},
    "properties is a number": {"type": "object", "properties": 3},
    "a property is a text": {"type": "object", "properties": {"id": "string"}},
    "required is a text": {"type": "object", "properties": {"id": TEXT}, "required": "id"},
    "required holds numbers": {"type": "object", "properties": {"id": TEXT}, "required": [1, None]},
    "items is a list": {"type": "array", "items": [TEXT]},
    "a reference to nowhere": {"$ref": "#/nope"},
    "a reference to itself": {"$ref": "#"},
    "a reference to a file": {"$ref": "file:///etc/passwd"},
    "a reference to a host": {"$ref": "http://127.0.0.1:1/x"},
    "an expression that never ends": {"type": "string", "pattern": "(a+)+$"},
    "no expression": {"type": "string", "pattern": "("},
    "bounds of texts": {"type": "integer", "minimum": "a"},
    "a number too large": {"type": "number", "maximum": 10**400},
    "never": False,
    "anything": True,
    "nothing": {"not": {}},
    "an enum that is none": {"enum": 3},
    "an empty enum": {"enum": []},
    "deep": nested(200, TEXT),
    "wide": wide(40),
    "a branch that is none": {"anyOf": 3, "oneOf": [], "allOf": [None]},
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_no_schema_breaks_the_comparison(schema: Json) -> None:
    contract = paths(
        "post",
        responses={"200": answer(fields(("id",), id=TEXT)), "404": answer(fields(code={"enum": ["a"]}))},
        parameters=[parameter("limit", {"type": "integer"}), parameter("id", TEXT, "path")],
        requestBody=body(fields(("id",), id=TEXT)),
    )
    code = route(
        "POST",
        parameters=(reads("limit", schema), reads("id", schema, "path", exact=False)),
        body=takes(schema),
        responses=(sends(200, schema), sends(404, schema, exact=False, codes=("b",)), sends(404, codes=("b",))),
    )
    found = reconciled(evidence_of(contract_of(contract), code))
    assert all(each.citations for each in found.discrepancies)
