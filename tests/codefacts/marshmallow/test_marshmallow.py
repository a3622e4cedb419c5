"""marshmallow schemas: what loading checks, what dumping sends, and where handlers use them."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.flask.read import read_flask
from evreview.codefacts.marshmallow import schema_at
from tests.codefacts.routes import only, parameters, read, responses
from tests.codefacts.snippets import modules

HEAD = """from marshmallow import Schema, fields, validate, EXCLUDE, INCLUDE, validates, pre_load
from flask import Flask, request
from flask_smorest import Api, Blueprint, abort
from enum import Enum
class Colour(Enum):
  RED = 1
app = Flask("a")
"""


def shaped(body: str, takes: bool = True, use: str = "Order") -> Any:
    import ast

    inner = "\n".join(f"  {line}" for line in body.splitlines())
    found = modules(f"{HEAD}class Inner(Schema):\n  a = fields.Int(required=True)\nclass Order(Schema):\n{inner}\n")
    shape = schema_at(found, found.scope(found.all[0]), ast.parse(use, mode="eval").body, takes)
    assert shape is not None
    return shape


INNER = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("field", "schema", "exact", "coerces"),
    [
        ("fields.Str()", {"type": "string"}, True, False),
        ("fields.Int()", {"type": "integer"}, True, True),
        ("fields.Int(strict=True)", {"type": "integer"}, True, False),
        ("fields.UUID()", {"type": "string", "format": "uuid"}, False, False),
        (
            "fields.Str(validate=validate.Length(min=1, max=3))",
            {"type": "string", "minLength": 1, "maxLength": 3},
            True,
            False,
        ),
        (
            "fields.Str(validate=validate.Length(equal=2))",
            {"type": "string", "minLength": 2, "maxLength": 2},
            True,
            False,
        ),
        (
            "fields.List(fields.Str(), validate=validate.Length(1))",
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
            True,
            False,
        ),
        (
            "fields.Float(validate=validate.Range(0, 1, max_inclusive=False), strict=True)",
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
            True,
            False,
        ),
        ("fields.Str(validate=[validate.OneOf(['a', 'b'])])", {"type": "string", "enum": ["a", "b"]}, True, False),
        ("fields.Str(validate=validate.Regexp('[a-z]+$'))", {"type": "string", "pattern": "^(?:[a-z]+$)"}, True, False),
        ("fields.Str(validate=lambda v: v != 'x')", {"type": "string"}, False, False),
        ("fields.Str(validate=validate.OneOf(make()))", {"type": "string"}, False, False),
        ("fields.Str(allow_none=True)", {"anyOf": [{"type": "string"}, {"type": "null"}]}, True, False),
        (
            "fields.Str(load_default=None)",
            {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            True,
            False,
        ),
        ("fields.Str(load_default='x')", {"type": "string", "default": "x"}, True, False),
        ("fields.Nested(Inner)", INNER, True, True),
        ("fields.Nested('Inner', many=True)", {"type": "array", "items": {}}, False, False),
        (
            "fields.Nested(lambda: Inner(exclude=('a',)))",
            {"type": "object", "properties": {}, "additionalProperties": False},
            True,
            False,
        ),
        ("fields.Enum(Colour)", {"enum": ["RED"]}, True, False),
        ("fields.Enum(Colour, by_value=True)", {"enum": [1]}, True, True),
        (
            "fields.Dict(values=fields.Str())",
            {"type": "object", "additionalProperties": {"type": "string"}},
            True,
            False,
        ),
        ("fields.Method('x')", {}, False, False),
        ("Own()", {}, False, False),
    ],
)
def test_fields(field: str, schema: Any, exact: bool, coerces: bool) -> None:
    found = shaped(f"x = {field}")
    assert found.schema["properties"] == {"x": schema}
    assert (found.exact, found.coerces) == (exact, coerces)
    assert bool(found.unread) is (schema == {} or ("{}" in str(schema) and "Inner'" in field))


@pytest.mark.parametrize(
    ("body", "use", "schema"),
    [
        (
            "x = fields.Str(required=True, data_key='X')",
            "Order",
            {
                "type": "object",
                "properties": {"X": {"type": "string"}},
                "required": ["X"],
                "additionalProperties": False,
            },
        ),
        (
            "x = fields.Str(dump_only=True)",
            "Order",
            {"type": "object", "properties": {}, "additionalProperties": False},
        ),
        (
            "class Meta:\n  unknown = EXCLUDE\nx = fields.Str()",
            "Order",
            {"type": "object", "properties": {"x": {"type": "string"}}},
        ),
        ("x = fields.Str()", "Order(unknown=INCLUDE)", {"type": "object", "properties": {"x": {"type": "string"}}}),
        (
            "x = fields.Str(required=True)",
            "Order(partial=True, unknown='exclude')",
            {"type": "object", "properties": {"x": {"type": "string"}}},
        ),
        (
            "x = fields.Str()\ny = fields.Str()",
            "Order(only=('x',), many=True)",
            {
                "type": "array",
                "items": {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False},
            },
        ),
    ],
)
def test_classes(body: str, use: str, schema: Any) -> None:
    assert shaped(body, use=use).schema == schema


def test_functions_of_a_schema_make_it_inexact() -> None:
    assert not shaped("x = fields.Str()\n@validates('x')\ndef check(self, v): pass").exact
    changed = shaped("x = fields.Str()\n@pre_load\ndef change(self, data, **k): return data")
    assert not changed.exact and len(changed.unread) == 1


def test_dumping_does_not_validate() -> None:
    found = shaped(
        "x = fields.Str(required=True, validate=validate.OneOf(['a']))\ny = fields.Str(load_only=True)",
        False,
    )
    assert found.schema["properties"]["x"]["type"] == "string" and "enum" not in found.schema["properties"]["x"]
    assert "y" not in found.schema["properties"] and "required" not in found.schema and not found.exact


SMOREST = (
    HEAD
    + """
class Order(Schema):
  id = fields.Str(required=True)
class Page(Schema):
  limit = fields.Int(load_default=20, validate=validate.Range(max=100))
blp = Blueprint("o", __name__, url_prefix="/o")
Api(app).register_blueprint(blp)
"""
)


def test_smorest_arguments_and_responses() -> None:
    route = only(
        read_flask,
        SMOREST
        + """
@blp.route("/", methods=["POST"])
@blp.arguments(Page, location="query")
@blp.arguments(Order)
@blp.response(201, Order)
@blp.alt_response(409, schema=Order)
def make(page, data):
  if taken(): abort(409, message="taken")
  return store(data)
""",
    )
    assert (route.method, route.path, parameters(route)) == ("POST", "/o/", [("limit", "query", False)])
    assert (route.parameters[0].schema, route.parameters[0].default) == ({"type": "integer", "maximum": 100}, 20)
    assert route.body is not None and (route.body.exact, route.body.required, len(route.body.models)) == (True, True, 1)
    assert responses(route) == {
        (422, "framework", "application/json"),
        (201, "returned", "application/json"),
        (409, "raised", "application/json"),
        (409, "declared", "application/json"),
    }
    assert route.unread == ()


def test_load_and_dump() -> None:
    route = only(
        read_flask,
        SMOREST
        + """
@app.post("/a")
def a():
  data = Order().load(request.get_json(silent=True))
  return Order().dump(data), 202
""",
    )
    assert route.body is not None and route.body.schema["required"] == ["id"]  # type: ignore[index,call-overload]
    (found,) = route.responses
    assert (found.status, found.media_type, found.schema, found.exact) == (
        202,
        "application/json",
        {"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": False},
        False,
    )
    assert route.unread == ()


def test_a_schema_that_is_not_supplied_is_unread() -> None:
    facts = read(
        read_flask, SMOREST + "from x import Other\n@blp.get('/')\n@blp.arguments(Other)\ndef a(data): return {}"
    )
    assert len(facts.routes[0].unread) == 1 and facts.routes[0].body is None
