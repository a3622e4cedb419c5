"""Rows about how a value becomes text show messages of declared members, and say whether a peer would send them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.core.vocabulary import ProofStatus, Realism
from tests.comparison.pairs import Doc, document
from tests.pipeline import compared

TEXT: Any = {"type": "string"}
POINT: Any = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}
ONE: Any = {"type": "object", "properties": {"a": TEXT}}
OWED: Any = {**POINT, "required": ["x", "y"]}
FREE: Any = {"type": "object"}
MAP: Any = {"type": "object", "additionalProperties": {"type": "integer"}}


def asking(schema: Any, style: str, explode: bool = True) -> Doc:
    parameter = {"name": "f", "in": "query", "style": style, "explode": explode, "schema": schema}
    return document(
        {"/a": {"get": {"parameters": [parameter], "responses": {"204": {"description": ""}}}}}, {}, "3.1.0"
    )


def form(fields: Any, encoding: Any) -> Doc:
    media = {"schema": {"type": "object", "properties": fields}, "encoding": encoding}
    body = {"content": {"multipart/form-data": media}}
    return document({"/a": {"post": {"requestBody": body, "responses": {"204": {"description": ""}}}}}, {}, "3.1.0")


def shown(released: Doc, candidate: Doc) -> str:
    """The message of the row as a text, whose value its sender declares."""
    rows = compared(released, candidate).rows
    assert {row.proof.status for row in rows} == {ProofStatus.WITNESSED}
    assert {row.proof.realism for row in rows} == {Realism.DECLARED}
    return json.dumps([row.proof.witness for row in rows])


@pytest.mark.parametrize("schema", [POINT, ONE, OWED])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("deepObject", True), ("form", True)),
        (("form", True), ("deepObject", True)),
        (("deepObject", True), ("form", False)),
        (("form", True), ("form", False)),
    ],
)
def test_a_style_shows_in_declared_members(schema: Any, before: Any, after: Any) -> None:
    assert "x0" not in shown(asking(schema, *before), asking(schema, *after))


@pytest.mark.parametrize("schema", [FREE, MAP])
def test_members_of_a_free_object_are_what_it_is_for(schema: Any) -> None:
    assert "f[" in shown(asking(schema, "deepObject"), asking(schema, "form"))


@pytest.mark.parametrize(
    ("fields", "before", "after"),
    [
        (
            {"meta": ONE, "n": TEXT},
            {"meta": {"contentType": "application/json"}},
            {"meta": {"contentType": "application/xml"}},
        ),
        ({"meta": OWED}, {"meta": {"contentType": "application/json"}}, {"meta": {"contentType": "application/cbor"}}),
        ({"n": TEXT}, {"n": {"contentType": "text/plain"}}, {"n": {"contentType": "text/csv"}}),
        ({"meta": ONE}, {}, {"meta": {"contentType": "application/xml"}}),
    ],
)  # fmt: skip
def test_an_encoding_shows_in_declared_members(fields: Any, before: Any, after: Any) -> None:
    assert "x0" not in shown(form(fields, before), form(fields, after))
