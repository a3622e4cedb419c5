"""A plain condition before a refusal narrows the values of a parameter; any other stays a note."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern, Json
from tests.codefacts.snippets import source

FLASK = """from flask import Flask, request, abort
app = Flask(__name__)
STATES = ('open', 'shut')
@app.get('/x')
def h():
"""
FASTAPI = """from fastapi import FastAPI, HTTPException
app = FastAPI()
@app.get('/x')
def h(limit: int = 5, q: str | None = None):
"""
GET = "    state = request.args.get('state', 'open')\n"
ENUM = {"enum": ["open", "shut"]}
NULLABLE = {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (FLASK + GET + "    if state not in ('open', 'shut'): return '', 400\n    return ''\n", "state", ENUM),
        (FLASK + GET + "    if state not in STATES: abort(422)\n    return ''\n", "state", ENUM),
        (FASTAPI + "    if limit > 100: raise HTTPException(400)\n    return 1\n", "limit",
         {"type": "integer", "maximum": 100}),
        (FASTAPI + "    if limit <= 0: raise HTTPException(422)\n    return 1\n", "limit",
         {"type": "integer", "exclusiveMinimum": 0}),
        (FASTAPI + "    if q not in ('a',): raise HTTPException(400)\n    return 1\n", "q", NULLABLE),
    ],
)  # fmt: skip
def test_a_plain_condition_is_a_value_set(text: str, name: str, expected: Json) -> None:
    (route,) = read_sources((source(text),)).routes
    (found,) = [each for each in route.parameters if each.name == name]
    assert found.schema == expected
    assert found.spot.last > found.spot.first or "STATES" not in text
    assert not [note for note in route.notes if note.concern is Concern.VALIDATION and note.name == name]


@pytest.mark.parametrize(
    "text",
    [
        FLASK + GET + "    state = state.lower()\n    if state not in STATES: abort(400)\n    return ''\n",
        FLASK + GET + "    if strict:\n        if state not in STATES: abort(400)\n    return ''\n",
        FLASK + GET + "    if strict and state not in STATES: abort(400)\n    return ''\n",
        FLASK + GET + "    if state in STATES: abort(400)\n    return ''\n",
        FLASK
        + "    state = request.args.get('state').lower()\n    if state not in STATES: abort(400)\n    return ''\n",
        FLASK + GET + "    if state not in unknown: abort(400)\n    return ''\n",
    ],
)
def test_any_other_condition_stays_a_note(text: str) -> None:
    (route,) = read_sources((source(text),)).routes
    assert [each.schema for each in route.parameters] == [{}]
    assert "state" in [note.name for note in route.notes if note.concern is Concern.VALIDATION]


def test_a_condition_that_does_not_refuse_says_nothing() -> None:
    text = FLASK + GET + "    if state not in STATES: abort(404)\n    return ''\n"
    (route,) = read_sources((source(text),)).routes
    assert route.parameters[0].schema == {} and not [note for note in route.notes if note.concern is Concern.VALIDATION]
