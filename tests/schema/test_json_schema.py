"""OpenAPI's own meaning, written out as JSON Schema 2020-12."""

from __future__ import annotations

import pytest

from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.core.vocabulary import Direction, Json
from evreview.schema.to_json_schema import standalone
from evreview.schema.validators import accepts
from tests.pipeline import contract

V2, V30, V31 = SchemaDialect.SWAGGER_2, SchemaDialect.OPENAPI_3_0, SchemaDialect.OPENAPI_3_1


def holder(schema: Json) -> Contract:
    return contract(
        {"openapi": "3.0.3", "info": {}, "paths": {}, "components": {"schemas": {"S": schema, "T": {"type": "string"}}}}
    )


def written(schema: Json, dialect: SchemaDialect, direction: Direction | None = None) -> Json:
    return standalone(ValueSet(Place("api.json", "/components/schemas/S"), schema, dialect), holder(schema), direction)


CASES: list[tuple[str, SchemaDialect, Json, list[Json], list[Json]]] = [
    ("nullable", V30, {"type": "string", "nullable": True}, ["", None], [1]),
    ("nullable means nothing in 3.1", V31, {"type": "string", "nullable": True}, [""], [None]),
    ("x-nullable", V2, {"type": "string", "x-nullable": True}, [None], [1]),
    ("nullable enum", V30, {"type": "string", "enum": ["a"], "nullable": True}, ["a"], ["b", None]),
    ("nullable beside allOf", V30, {"nullable": True, "allOf": [{"type": "string"}]}, [""], [1, None]),
    ("exclusive as boolean", V30, {"type": "integer", "minimum": 3, "exclusiveMinimum": True}, [4], [3]),
    ("int32 is a bound", V30, {"type": "integer", "format": "int32"}, [2**31 - 1], [2**31]),
    ("int32 without a type", V30, {"format": "int32"}, [2**31 - 1, "4294967296", None], [2**31, 1e10]),
    ("int32 of a list of types", V31, {"type": ["integer", "null"], "format": "int32"}, [7, None], [2**31]),
    ("a format is a constraint", V30, {"type": "string", "format": "date"}, ["2024-01-31"], ["soon"]),
    ("an unknown format is none", V30, {"type": "string", "format": "colour"}, ["red"], [1]),
    ("siblings of a 3.0 reference", V30, {"$ref": "#/components/schemas/T", "maxLength": 0}, ["abc"], [1]),
    ("siblings of a 3.1 reference", V31, {"$ref": "#/components/schemas/T", "maxLength": 0}, [""], ["abc"]),
    ("a dangling reference", V30, {"$ref": "#/components/schemas/None"}, [1, "x"], []),
    (
        "a cycle",
        V31,
        {"type": "object", "properties": {"n": {"$ref": "#/components/schemas/S"}}},
        [{"n": {}}],
        [{"n": 1}],
    ),
    ("a file", V2, {"type": "file"}, ["bytes"], []),
    (
        "a property called enum",
        V31,
        {"properties": {"enum": {"$ref": "#/components/schemas/T"}}},
        [{"enum": ""}],
        [{"enum": 1}],
    ),
    ("required as a flag", V2, {"type": "string", "required": True, "name": "q", "in": "query"}, ["x"], [1]),
]


@pytest.mark.parametrize(("name", "dialect", "schema", "inside", "outside"), CASES, ids=[case[0] for case in CASES])
def test_meaning(name: str, dialect: SchemaDialect, schema: Json, inside: list[Json], outside: list[Json]) -> None:
    made = written(schema, dialect)
    assert [accepts(made, value) for value in inside] == [True] * len(inside)
    assert [accepts(made, value) for value in outside] == [False] * len(outside)


HIDDEN: Json = {
    "type": "object",
    "required": ["id", "secret"],
    "properties": {"id": {"type": "string", "readOnly": True}, "secret": {"type": "string", "writeOnly": True}},
}


@pytest.mark.parametrize(
    ("direction", "instance", "accepted"),
    [
        (Direction.READ, {"secret": "s"}, True),
        (Direction.READ, {"id": "1"}, False),
        (Direction.WRITTEN, {"id": "1"}, True),
        (Direction.WRITTEN, {"secret": "s"}, False),
        (None, {"id": "1"}, False),
    ],
)
def test_what_one_direction_never_owes(direction: Direction | None, instance: Json, accepted: bool) -> None:
    assert accepts(written(HIDDEN, V30, direction), instance) is accepted
