"""Functions and conditions that may refuse or change values are named with their lines, whatever the framework."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeNote
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern
from tests.codefacts.snippets import source

PYDANTIC = """from typing import Annotated
from fastapi import FastAPI, HTTPException, Query
from pydantic import AfterValidator, BaseModel, Field, field_validator, model_validator
app = FastAPI()
"""
ROUTE = "@app.post('/x')\ndef h(body: M): return 1\n"
FLASK = "from flask import Flask, request, abort\napp = Flask(__name__)\n"
MARSHMALLOW = FLASK + "from marshmallow import Schema, fields, validates, validates_schema\n"
LOAD = "@app.post('/x')\ndef h():\n    M().load(request.get_json())\n    return {}\n"
DRF = """from rest_framework import serializers
from rest_framework.views import APIView
from rest_framework.response import Response
from django.urls import path
class M(serializers.Serializer):
{0}
class V(APIView):
    def post(self, request):
        M(data=request.data).is_valid(raise_exception=True)
        return Response({{}})
urlpatterns = [path('x', V.as_view())]
"""


def checks_of(text: str) -> list[CodeNote]:
    """The notes about checks of the first route."""
    facts = read_sources((source(text),))
    return [note for note in facts.routes[0].notes if note.concern is Concern.VALIDATION and not note.certain]


@pytest.mark.req("W2S-008")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PYDANTIC + "class M(BaseModel):\n    label: str\n    @field_validator('label')\n"
         "    def strip(cls, v): return v\n" + ROUTE, [("label", "strip", 7)]),
        (PYDANTIC + "class M(BaseModel):\n    label: str = Field(alias='parcelLabel')\n    @field_validator('label')\n"
         "    def strip(cls, v): return v\n" + ROUTE, [("parcelLabel", "strip", 7)]),
        (PYDANTIC + "class M(BaseModel):\n    label: str\n    @model_validator(mode='after')\n"
         "    def both(self): return self\n" + ROUTE, [("", "both", 7)]),
        (PYDANTIC + "class M(BaseModel):\n    label: Annotated[str, AfterValidator(strip)]\n" + ROUTE,
         [("label", "AfterValidator(strip)", 6)]),
        (PYDANTIC + "@app.get('/x')\ndef h(q: Annotated[str, AfterValidator(strip)] = ''): return 1\n",
         [("q", "AfterValidator(strip)", 6)]),
        (PYDANTIC + "class M(BaseModel):\n    label: str\n" + ROUTE, []),
        (PYDANTIC + "class M(BaseModel):\n    model_config = {'str_max_length': 9}\n    label: str\n" + ROUTE,
         [("", "str_max_length", 6)]),
        (PYDANTIC + "class M(BaseModel):\n    model_config = {'str_strip_whitespace': False}\n    label: str\n"
         + ROUTE, []),
        (PYDANTIC + "class M(BaseModel):\n    price: str = Field(strip_whitespace=True)\n" + ROUTE,
         [("price", "strip_whitespace", 6)]),
        (MARSHMALLOW + "class M(Schema):\n    title = fields.Str()\n    @validates('title')\n"
         "    def nice(self, value, **more): pass\n" + LOAD, [("title", "nice", 6)]),
        (MARSHMALLOW + "class M(Schema):\n    title = fields.Str(validate=nice, data_key='Title')\n" + LOAD,
         [("Title", "nice", 5)]),
        (MARSHMALLOW + "class M(Schema):\n    title = fields.Str()\n    @validates_schema\n"
         "    def whole(self, data, **more): pass\n" + LOAD, [("", "whole", 6)]),
        (DRF.format("    name = serializers.CharField()\n    def validate_name(self, value): return value"),
         [("name", "validate_name", 7)]),
        (DRF.format("    name = serializers.CharField()\n    def validate(self, data): return data"),
         [("", "validate", 7)]),
        (DRF.format("    name = serializers.CharField(validators=[nice])"), [("name", "[nice]", 6)]),
    ],
)  # fmt: skip
def test_a_function_that_may_refuse_is_named(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert [(note.name, note.value, note.spot.first) for note in checks_of(text)] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("state = request.args.get('state')\n    if len(state) > 3: return '', 400", ["state"]),
        ("if request.args['state'] == 'x': abort(422)", ["state"]),
        ("state = request.args.get('state')\n    if state.strip() == '': abort(400)", ["state"]),
        ("state = request.args.get('state')\n    if state == 'x': abort(404)", []),
        ("limit = int(request.args.get('limit', 5))\n    if limit > 100: limit = 100", ["limit"]),
        ("limit = int(request.args.get('limit', 5))\n    limit = min(limit, 100)", ["limit"]),
        ("limit = int(request.args.get('limit', 5))\n    if other: limit = 100", []),
        ("limit = 5\n    if limit > 100: limit = 100", []),
    ],
)
def test_conditions_of_a_flask_handler(body: str, expected: list[str]) -> None:
    text = f"{FLASK}@app.get('/x')\ndef h():\n    {body}\n    return ''\n"
    assert [note.name for note in checks_of(text)] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if limit > most(): raise HTTPException(400)", ["limit"]),
        ("if limit > 100: raise HTTPException(404)", []),
        ("if body.label == '': raise HTTPException(422)", ["label"]),
        ("if body.label.startswith(' '): raise HTTPException(422)", ["label"]),
        ("limit = min(limit, 100)", ["limit"]),
        ("if OTHER: raise HTTPException(400)", []),
    ],
)
def test_conditions_of_a_fastapi_handler(body: str, expected: list[str]) -> None:
    model = "class M(BaseModel):\n    label: str\n"
    text = f"{PYDANTIC}{model}@app.post('/x')\ndef h(body: M, limit: int = 5):\n    {body}\n    return 1\n"
    assert [note.name for note in checks_of(text)] == expected
