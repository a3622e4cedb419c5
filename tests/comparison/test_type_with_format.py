"""A type that changes takes the format along that said something about the old one, or says it about the new one."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from tests.pipeline import compared


def body(schema: Json) -> Json:
    content = {"application/json": {"schema": {"type": "object", "properties": {"at": schema}}}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"description": "x", "content": content}}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}


@pytest.mark.parametrize(
    ("released", "candidate", "facets"),
    [
        ({"type": "string", "format": "date-time"}, {"type": "integer", "format": "int64"}, ["type"]),
        ({"type": "string", "format": "uuid"}, {"type": "integer"}, ["type"]),
        ({"type": "number", "format": "float"}, {"type": "string"}, ["type"]),
        ({"type": "integer"}, {"type": "string", "format": "date"}, ["type"]),
        ({"type": "integer", "format": "int32"}, {"type": "number", "format": "double"}, ["format", "type"]),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}, ["format"]),
        ({"format": "date"}, {"type": "string"}, ["format", "type"]),
    ],
    ids=str,
)
def test_one_change_of_type_is_one_row_in_each_direction(released: Json, candidate: Json, facets: list[str]) -> None:
    found = [row.delta.facet for row in compared(body(released), body(candidate)).rows]
    assert sorted(set(found)) == facets
    assert len(found) == 2 * len(facets)
