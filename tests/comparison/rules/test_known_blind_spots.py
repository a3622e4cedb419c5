"""Changes that other comparers miss or judge the wrong way round: here each has its verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import ABSENT, Form, Json, Verdict
from tests.pipeline import compared, edited

B, C, U = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
OBJECT: Json = {"type": "object"}
BODY: dict[str, Json] = {"schema": OBJECT}


def query(**more: Json) -> Json:
    return {"name": "q", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}, **more}


def hook(*required: str, **fields: Json) -> Json:
    schema: Json = {"type": "object", "properties": fields, "required": list(required)}
    content: Json = {"application/json": {"schema": schema}}
    return {
        "changed": {
            "post": {"requestBody": {"required": True, "content": content}, "responses": {"204": {"description": "ok"}}}
        }
    }


def _names(schema: Json) -> Json:
    return {"type": "object", "propertyNames": schema}


def _object(schema: Json) -> Json:
    return {"type": "object", "properties": {"p": schema}}


def _codes(*codes: str) -> Json:
    return {code: {"description": "none"} for code in codes}


TEXT: Json = {"type": "string"}
SENT: dict[str, Json] = {"type": "string", "readOnly": True}
ANYWHERE: dict[str, Callable[[Json], Json]] = {
    "items": lambda schema: {"type": "array", "items": schema},
    "other members": lambda schema: {"type": "object", "additionalProperties": schema},
    "branch": lambda schema: {"anyOf": [schema, {"type": "integer"}]},
    "branch of a property": lambda schema: _object({"anyOf": [schema, {"type": "integer"}]}),
}
SHORT: Json = {"maxLength": 3}
OVERLAPPING: Json = [{"const": None}, {"pattern": "^a"}]
LIST_OF_A: Json = {"type": "array", "items": {"type": "string"}, "default": ["a"]}
FREE: list[dict[str, Json]] = [{}, {"items": {}}, {"items": True}]
ITEMS: dict[str, Json] = {
    "multipleOf": {"multipleOf": 2},
    "pattern": {"pattern": "^a"},
    "required": {"required": ["a"]},
    "allOf": {"allOf": [SHORT]},
    "not": {"not": {"const": 1}},
}
CASES: list[tuple[str, Slot, Form, Form, Verdict]] = [
    (
        "multipleOf in a response widened",
        Slot.RESPONSE_FIELD,
        {"type": "integer", "multipleOf": 4},
        {"type": "integer", "multipleOf": 2},
        B,
    ),
    ("maxItems in a body", Slot.REQUEST_FIELD, {"type": "array"}, {"type": "array", "maxItems": 2}, B),
    ("maxProperties in a response", Slot.RESPONSE_FIELD, {"type": "object", "maxProperties": 2}, OBJECT, B),
    ("object closed for requests", Slot.REQUEST_FIELD, OBJECT, {"type": "object", "additionalProperties": False}, B),
    ("object opened in responses", Slot.RESPONSE_FIELD, {"type": "object", "additionalProperties": False}, OBJECT, B),
    ("minimum dropped in a response", Slot.RESPONSE_FIELD, {"type": "integer", "minimum": 1}, {"type": "integer"}, B),
    ("pattern dropped in a response", Slot.RESPONSE_FIELD, {"type": "string", "pattern": "^a$"}, TEXT, B),
    ("enum dropped in a request", Slot.REQUEST_FIELD, {"type": "string", "enum": ["a"]}, TEXT, C),
    ("enum dropped in a response", Slot.RESPONSE_FIELD, {"type": "string", "enum": ["a"]}, TEXT, B),
    ("enum introduced in a response", Slot.RESPONSE_FIELD, TEXT, {"type": "string", "enum": ["a"]}, C),
    ("not turns the direction", Slot.REQUEST_FIELD, {"not": {"enum": ["a"]}}, {"not": {"enum": ["a", "b"]}}, B),
    ("allOf in a parameter", Slot.PARAMETER_SCHEMA, TEXT, {"allOf": [TEXT, {"maxLength": 3}]}, B),
    ("const in a parameter", Slot.PARAMETER_SCHEMA, TEXT, {"type": "string", "const": "a"}, B),
    ("explode of a parameter", Slot.PARAMETERS, query(explode=True), query(explode=False), B),
    ("style of a parameter", Slot.PARAMETERS, query(style="form"), query(style="pipeDelimited"), B),
    ("callback removed", Slot.CALLBACKS, {"done": {"{$request.query.u}": {"post": {"responses": {}}}}}, ABSENT, B),
    ("webhook sends one field more", Slot.WEBHOOKS, hook(a=TEXT), hook("b", a=TEXT, b=TEXT), C),
    ("webhook field no longer promised", Slot.WEBHOOKS, hook("a", a=TEXT), hook(a=TEXT), B),
    ("webhook enum grew", Slot.WEBHOOKS, hook(a={"enum": ["x"]}), hook(a={"enum": ["x", "y"]}), B),
    ("security demanded", Slot.OPERATION_SECURITY, ABSENT, [{"key": []}], B),
    ("either became both", Slot.OPERATION_SECURITY, [{"key": []}, {"login": []}], [{"key": [], "login": []}], B),
    (
        "server removed",
        Slot.SERVERS,
        [{"url": "https://a.test"}, {"url": "https://b.test"}],
        [{"url": "https://a.test"}],
        B,
    ),
    (
        "response header widened",
        Slot.HEADER_SCHEMA,
        {"type": "string", "enum": ["a"]},
        {"type": "string", "enum": ["a", "b"]},
        B,
    ),
    ("response header type", Slot.HEADER_SCHEMA, {"type": "integer"}, {"type": "boolean"}, B),
    (
        "form part re-encoded",
        Slot.REQUEST_CONTENT,
        {"multipart/form-data": {**BODY, "encoding": {"a": {"contentType": "text/plain"}}}},
        {"multipart/form-data": {**BODY, "encoding": {"a": {"contentType": "image/png"}}}},
        B,
    ),
    ("default response removed", Slot.RESPONSES, {"default": {"description": "error"}}, {}, C),
    ("status became its range", Slot.RESPONSES, {"202": {"description": "ok"}}, {"2XX": {"description": "ok"}}, B),
    *(
        (
            f"items of any kind get {keyword}",
            Slot.REQUEST_BODY,
            {"type": "array", **free},
            {"type": "array", "items": bound},
            B,
        )
        for keyword, bound in ITEMS.items()
        for free in FREE
    ),
    *(
        (
            f"readOnly where no property is defined: {name}",
            Slot.REQUEST_BODY,
            form(SENT),
            form({**SENT, "maxLength": 1}),
            B,
        )
        for name, form in ANYWHERE.items()
    ),
    (
        "default of what is always sent",
        Slot.PARAMETERS,
        query(required=True),
        query(required=True, schema=LIST_OF_A),
        C,
    ),
    (
        "rest of a range falls to the default",
        Slot.RESPONSES,
        _codes("201", "2XX", "default"),
        _codes("201", "default"),
        U,
    ),
    ("rest of a range is gone", Slot.RESPONSES, _codes("201", "2XX"), _codes("201"), C),
    ("null below not", Slot.RESPONSE_BODY, {"not": {"const": None}}, {"not": {"oneOf": OVERLAPPING}}, U),
    ("readOnly property", Slot.REQUEST_BODY, _object(SENT), _object({**SENT, "maxLength": 1}), C),
    ("items lose their bound", Slot.RESPONSE_BODY, {"type": "array", "items": {"maxLength": 3}}, {"type": "array"}, B),
    ("names of names", Slot.REQUEST_BODY, _names(_names(SHORT)), _names(_names({"pattern": "^a"})), U),
    ("names", Slot.REQUEST_BODY, _names(SHORT), _names({"pattern": "^a"}), B),
    ("media type became a range", Slot.REQUEST_CONTENT, {"application/json": BODY}, {"application/*": BODY}, C),
]


@pytest.mark.parametrize(("name", "slot", "released", "candidate", "verdict"), CASES, ids=[case[0] for case in CASES])
def test_verdict(name: str, slot: Slot, released: Form, candidate: Form, verdict: Verdict) -> None:
    comparison = edited(slot, released, candidate)
    assert comparison.rows
    assert comparison.summary["breaking"] == {B: True, C: False, U: "unknown"}[verdict]


def test_a_parameter_moved_to_its_path_changes_nothing() -> None:
    def document(item: Json, operation: Json) -> Json:
        responses: Json = {"responses": {"200": {"description": "ok"}}}
        return {
            "openapi": "3.0.3",
            "info": {"title": "t", "version": "1"},
            "paths": {"/a": {**item, "get": {**responses, **operation}}},  # type: ignore[dict-item]
        }

    parameters: Json = {"parameters": [query()]}
    assert compared(document({}, parameters), document(parameters, {})).rows == ()
