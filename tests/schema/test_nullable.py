"""Views and validators read `nullable` alike: by the letter of OpenAPI 3.0.3, section 4.7.24.1."""

from __future__ import annotations

import pytest

from evreview.contract.model import Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.schema.to_json_schema import Source, closed
from evreview.schema.validators import accepts
from evreview.schema.view import Part, Sub
from evreview.schema.views import Views
from tests.pipeline import contract

NAME: Json = {"$ref": "#/components/schemas/Name"}

# schema, whether null is admitted
TABLE: list[tuple[dict[str, Json], bool]] = [
    ({"type": "string"}, False),
    ({"type": "string", "nullable": True}, True),
    ({"type": "string", "nullable": False}, False),
    ({"type": "string", "nullable": True, "enum": ["a"]}, False),
    ({"type": "string", "nullable": True, "enum": ["a", None]}, True),
    ({"enum": ["a"], "nullable": True}, False),
    ({"enum": ["a", None]}, True),
    ({"allOf": [NAME], "nullable": True}, False),
    ({"type": "string", "allOf": [NAME], "nullable": True}, False),
    ({"type": "string", "allOf": [{"type": "string", "nullable": True}], "nullable": True}, True),
    ({"oneOf": [NAME, {"type": "integer"}], "nullable": True}, False),
    ({"oneOf": [NAME, {"type": "integer", "nullable": True}]}, True),
    ({"$ref": "#/components/schemas/Name", "nullable": True}, False),
    ({"type": "integer", "format": "int32", "nullable": True}, True),
    ({"nullable": True}, True),
    ({"type": "string", "x-nullable": True}, True),
    ({"type": "string", "x-nullable": True, "enum": ["a"]}, True),
    ({"allOf": [NAME], "x-nullable": True}, True),
]


def document(schema: Json) -> Json:
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {},
        "components": {"schemas": {"Name": {"type": "string"}, "S": schema}},
    }


@pytest.mark.parametrize(("schema", "admitted"), TABLE, ids=[str(schema) for schema, _ in TABLE])
def test_null_is_admitted_by_the_letter(schema: Json, admitted: bool) -> None:
    read = contract(document(schema))
    place = Place("api.json", "/components/schemas/S")
    source = Source(read, None)
    written = closed(source.schema(ValueSet(place, schema, SchemaDialect.OPENAPI_3_0)), source.definition)
    assert accepts(written, None) is admitted


@pytest.mark.parametrize(("schema", "admitted"), TABLE, ids=[str(schema) for schema, _ in TABLE])
def test_the_view_admits_null_where_validators_do(schema: Json, admitted: bool) -> None:
    read = contract(document(schema))
    views = Views(Resolver(read.documents), SchemaDialect.OPENAPI_3_0)
    sub = Sub((Part(schema, Place("api.json", "/components/schemas/S")),))
    assert null(views, sub) is admitted


def null(views: Views, sub: Sub) -> bool:
    view = views.view(views.resolve(sub))
    branches = [null(views, branch) for branch in (*view.any_of, *view.one_of)]
    # A composition that could not be merged leaves the answer to its branches.
    return view.null if view.typed or not branches else any(branches) or view.null
