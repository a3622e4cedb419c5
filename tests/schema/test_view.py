"""Equal meanings give equal views, whatever the dialect and the spelling."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import Place, SchemaDialect
from evreview.contract.references import Resolver
from evreview.schema.view import Bound, Part, SchemaView, Sub
from evreview.schema.views import Views

V2, V30, V31 = SchemaDialect.SWAGGER_2, SchemaDialect.OPENAPI_3_0, SchemaDialect.OPENAPI_3_1


def view(schema: Any, dialect: SchemaDialect = V30, **schemas: Any) -> SchemaView:
    document = {"schema": schema, "schemas": schemas}
    views = Views(Resolver({"f": document}), dialect)
    return views.view(views.resolve(Sub((Part(schema, Place("f", "/schema")),))))


def meaning(found: SchemaView) -> tuple[object, ...]:
    """A view without the places and identities of its members."""
    return (
        found.never, found.types, found.null, found.enum, found.minimum, found.maximum, dict(found.keywords),
        sorted(found.properties), found.required, found.closed, len(found.any_of), len(found.one_of), len(found.all_of),
    )  # fmt: skip


SAME: list[tuple[SchemaDialect, Any, SchemaDialect, Any]] = [
    (V30, {"type": "string", "nullable": True}, V31, {"type": ["string", "null"]}),
    (V2, {"type": "string", "x-nullable": True}, V31, {"type": ["null", "string"]}),
    (V31, {"type": ["string", "null"]}, V31, {"oneOf": [{"type": "null"}, {"type": "string"}]}),
    (V31, {"const": "a"}, V31, {"enum": ["a"]}),
    (V31, {"type": "string", "enum": ["a", "b"]}, V31, {"anyOf": [{"const": "a"}, {"const": "b"}]}),
    (V30, {"type": "number", "minimum": 1, "exclusiveMinimum": True}, V31, {"type": "number", "exclusiveMinimum": 1}),
    (V30, {"type": "number", "minimum": 1, "exclusiveMinimum": False}, V31, {"type": "number", "minimum": 1.0}),
    (V30, {"type": "integer", "maximum": 5}, V31, {"type": "integer", "exclusiveMaximum": 6}),
    (V30, {"type": "string", "minLength": 0, "readOnly": False}, V31, {"type": "string"}),
    (V30, {"allOf": [{"type": "string"}, {"maxLength": 5}, {"maxLength": 3}]}, V30, {"type": "string", "maxLength": 3}),
    (V30, {"allOf": [{"type": "number"}, {"type": "integer"}]}, V30, {"type": "integer"}),
    (V31, {"type": ["number", "integer"]}, V31, {"type": "number"}),
    (V31, {"type": ["string", "integer"]}, V31, {"oneOf": [{"type": "string"}, {"type": "integer"}]}),
    (V31, {"enum": ["a", "b", 1]}, V31, {"oneOf": [{"const": "a"}, {"enum": ["b"]}, {"const": 1}]}),
    (V31, {"enum": [True, 1]}, V31, {"oneOf": [{"const": True}, {"const": 1}]}),
    (V30, {"type": "object", "additionalProperties": {}}, V30, {"type": "object", "additionalProperties": True}),
]


@pytest.mark.parametrize(("dialect", "schema", "other_dialect", "other"), SAME)
def test_equal_meanings_are_equal_views(
    dialect: SchemaDialect, schema: Any, other_dialect: SchemaDialect, other: Any
) -> None:
    assert meaning(view(schema, dialect)) == meaning(view(other, other_dialect))


DIFFERENT: list[tuple[SchemaDialect, Any, SchemaDialect, Any]] = [
    (V31, {"type": "string", "nullable": True}, V30, {"type": "string", "nullable": True}),
    (V30, {"type": "string"}, V30, {"type": "string", "nullable": True}),
    (V31, {"enum": [True]}, V31, {"enum": [1]}),
    (V30, {"type": "number", "minimum": 1}, V30, {"type": "number", "minimum": 1, "exclusiveMinimum": True}),
    (V31, False, V31, True),
    *[(V31, {"anyOf": parts}, V31, {"oneOf": parts}) for parts in (
        [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}],
        [{"type": "integer"}, {"type": "number"}],
        [{"type": "string"}, {"type": "string"}],
        [{"const": 1}, {"const": 1.0}],
        [{"type": "string"}, {"type": ["string", "integer"]}],
        [{"type": ["string", "null"]}, {"type": "null"}],
        [{"type": ["string", "null"]}, {"type": ["integer", "null"]}],
    )],
    (V31, {"type": "number"}, V31, {"oneOf": [{"type": "integer"}, {"type": "number"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schema", "other_dialect", "other"), DIFFERENT)
def test_different_meanings_are_different_views(
    dialect: SchemaDialect, schema: Any, other_dialect: SchemaDialect, other: Any
) -> None:
    assert repr(meaning(view(schema, dialect))) != repr(meaning(view(other, other_dialect)))


REF = {"$ref": "#/schemas/Text"}
TEXT = {"type": "string", "maxLength": 9}


def test_siblings_of_a_reference_count_in_3_1_only() -> None:
    schema = {**REF, "maxLength": 3}
    assert view(schema, V30, Text=TEXT).keywords["maxLength"] == 9
    assert view(schema, V31, Text=TEXT).keywords["maxLength"] == 3


def test_merging_keeps_the_shared_member_and_its_fields() -> None:
    schema = {"allOf": [{"$ref": "#/schemas/Base"}, {"properties": {"b": {}}, "required": ["a"]}]}
    found = view(schema, V30, Base={"type": "object", "properties": {"a": TEXT}})
    assert (sorted(found.properties), found.required, found.all_of) == (["a", "b"], {"a"}, ())
    assert [member.place.pointer for member in found.members] == ["/schemas/Base"]
    assert found.properties["a"].owner == found.members[0].key


@pytest.mark.parametrize(
    "parts",
    [
        [{"properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}],
        [{"pattern": "^a"}, {"pattern": "b$"}],
        [{"oneOf": [{"type": "string"}, {"maxLength": 2}]}, {"oneOf": [{"type": "object"}, {"minLength": 2}]}],
        [{"not": {"type": "string"}}, {"not": {"type": "object"}}],
    ],
)
def test_what_one_view_cannot_say_stays_composed(parts: list[Any]) -> None:
    assert view({"allOf": parts}, V31).all_of


def test_two_schemas_of_one_field_both_hold() -> None:
    parts = [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"maxLength": 2}}}]
    field = view({"allOf": parts}).properties["a"]
    assert [part.node for part in field.parts] == [{"type": "string"}, {"maxLength": 2}]


def test_bounds_are_the_tighter_ones() -> None:
    found = view({"type": "number", "minimum": 2, "exclusiveMinimum": 2, "maximum": 9, "exclusiveMaximum": 10}, V31)
    assert (found.minimum, found.maximum) == (Bound(2, True), Bound(9))


@pytest.mark.parametrize(
    "schema", [{"allOf": [{"$ref": "#/schema"}]}, {"anyOf": [{"$ref": "#/schema"}, {"type": "null"}]}]
)
def test_a_schema_that_holds_itself_ends(schema: Any) -> None:
    assert view(schema, V31) is not None


def test_a_dangling_reference_stays_visible() -> None:
    assert view({"$ref": "#/nowhere"}).keywords["$ref"] == "#/nowhere"


@pytest.mark.parametrize(
    "schema", [None, 3, "x", [], {"type": 3}, {"enum": "a"}, {"properties": []}, {"allOf": {}}, {"minimum": "1"}]
)
def test_malformed_nodes_are_read_without_fault(schema: Any) -> None:
    assert view({"properties": {"a": schema}, "items": schema}) is not None
    assert view(schema) is not None
