"""What users of other comparers reported as false alarms or as missed, by theme: each one here as a pair."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from tests import pipeline
from tests.rewrites.documents import Doc

TEXT: Any = {"type": "string"}
STATE: Any = {"$ref": "#/components/schemas/State"}
SCHEMAS: Any = {"State": {"type": "string", "enum": ["open", "shut"]}}
DONE: Any = {"responses": {"204": {"description": ""}}}


def _document(paths: Doc, **more: Any) -> Doc:
    info = {"title": "t", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": SCHEMAS}, **more}


def _body(schema: Any) -> Doc:
    return _document({"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}, **DONE}}})


def _typed(*media_types: str) -> Doc:
    content = {"content": {name: {"schema": TEXT} for name in media_types}}
    made: Doc = {"requestBody": content, "responses": {"200": {"description": "", **content}}}
    return _document({"/a": {"post": made}})


def _answer(schema: Any) -> Doc:
    response = {"description": "", "content": {"application/json": {"schema": schema}}}
    return _document({"/a": {"get": {"responses": {"200": response}}}})


def _path(path: str, server: str = "https://a.example", **operation: Any) -> Doc:
    return _document({path: {"get": {**DONE, **operation}}}, servers=[{"url": server}])


def _secured(*alternatives: Doc) -> Doc:
    made = _path("/a", security=list(alternatives))
    flow = {"tokenUrl": "https://a.example/t", "scopes": {"read": "", "write": ""}}
    made["components"]["securitySchemes"] = {
        "key": {"type": "apiKey", "in": "header", "name": "K"},
        "token": {"type": "oauth2", "flows": {"clientCredentials": flow}},
    }
    return made


SILENT: dict[str, tuple[Doc, Doc]] = {
    "a value may be null, in two spellings": (
        _body({"anyOf": [TEXT, {"type": "null"}]}),
        _body({"type": ["string", "null"]}),
    ),
    "a reference or null, in two spellings": (
        _answer({"oneOf": [{"type": "null"}, STATE]}),
        _answer({"anyOf": [STATE, {"type": "null"}]}),
    ),
    "sub-schemas in another order": (
        _answer({"anyOf": [STATE, {"type": "integer"}]}),
        _answer({"anyOf": [{"type": "integer"}, STATE]}),
    ),
    "an enum that became a component": (_body(SCHEMAS["State"]), _body(STATE)),
    "a prefix that went into the server": (_path("/v1/a"), _path("/a", "https://a.example/v1")),
    "a slash at the end of the server": (_path("/a", "https://a.example/v1/"), _path("/a", "https://a.example/v1")),
    "a path parameter with another name": (
        _path("/a/{id}", parameters=[{"name": "id", "in": "path", "required": True, "schema": TEXT}]),
        _path("/a/{key}", parameters=[{"name": "key", "in": "path", "required": True, "schema": TEXT}]),
    ),
    "a sign in a path that needs no escape": (_path("/%7euser/a%2fb"), _path("/~user/a%2Fb")),
    "a server that stands there twice": (
        _path("/a"),
        _document({"/a": {"get": DONE}}, servers=[{"url": "https://a.example"}, {"url": "https://A.example:443/"}]),
    ),
    "alternatives of security in another order": (
        _secured({"key": []}, {"token": ["read", "write"]}),
        _secured({"token": ["write", "read"]}, {"key": []}),
    ),
    "UTF-8 named beside JSON": (_typed("application/json"), _typed("application/json; charset=UTF-8")),
    "UTF-8 named beside several types of JSON": (
        _typed("application/json", "application/problem+json", "text/csv"),
        _typed('application/json; charset="utf-8"', "application/problem+json;charset=utf-8", "text/csv"),
    ),
    "one alternative of security twice": (_secured({"key": []}), _secured({"key": []}, {"key": []})),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_false_alarm_of_others_is_no_row(name: str) -> None:
    released, candidate = SILENT[name]
    for pair in ((released, candidate), (candidate, released)):
        assert pipeline.compared(*pair).rows == ()


def _told(comparison: Comparison) -> list[tuple[str, str]]:
    return [(row.delta.facet or row.delta.aspect.value, row.judgement.verdict.value) for row in comparison.rows]


def test_a_request_finds_its_operation_however_the_path_is_escaped() -> None:
    demanded: Any = [{"name": "q", "in": "query", "required": True, "schema": TEXT}]
    (row,) = pipeline.compared(
        _path("/%7Euser", "https://a.example/%61"), _path("/~user", "https://a.example/a", parameters=demanded)
    ).rows
    assert (row.delta.facet, row.judgement.verdict, row.proof.status) == ("", "breaking", "witnessed")


def test_two_spellings_of_one_path_in_one_contract_stay_two() -> None:
    both = _document({"/~a": {"get": DONE}, "/%7Ea": {"get": DONE}})
    assert pipeline.compared(both, _document({"/~a": {"get": DONE}})).rows


WIDER: Any = {"oneOf": [TEXT, {"type": "integer"}]}
TOLD: dict[str, tuple[Doc, Doc, list[tuple[str, str]]]] = {
    "a text that may be a number too, read": (_body(TEXT), _body(WIDER), [("type", "compatible")]),
    "a text that may be a number too, written": (_answer(TEXT), _answer(WIDER), [("type", "breaking")]),
    "a text or a number that is a text now, read": (_body(WIDER), _body(TEXT), [("type", "breaking")]),
    "a text or a number that is a text now, written": (_answer(WIDER), _answer(TEXT), [("type", "compatible")]),
    "null beside a shared enum, written": (
        _answer(STATE),
        _answer({"oneOf": [{"type": "null"}, STATE]}),
        [("nullable", "breaking")],
    ),
    "one more branch inside oneOf, written": (
        _answer({"oneOf": [STATE, {"type": "integer"}]}),
        _answer({"oneOf": [STATE, {"type": "integer"}, {"type": "boolean"}]}),
        [("oneOf", "breaking")],
    ),
    "a parameter of the whole path": (
        _path("/a"),
        _document(
            {"/a": {"parameters": [{"name": "q", "in": "query", "required": True, "schema": TEXT}], "get": DONE}},
            servers=[{"url": "https://a.example"}],
        ),
        [("parameters", "breaking")],
    ),
    "a shorter scope list": (
        _secured({"token": ["read", "write"]}),
        _secured({"token": ["read"]}),
        [("requirements", "compatible")],
    ),
    "one way in fewer": (
        _secured({"key": []}, {"token": ["read"]}),
        _secured({"key": []}),
        [("requirements", "breaking")],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_others_miss_or_split_is_one_row(name: str) -> None:
    released, candidate, rows = TOLD[name]
    assert _told(pipeline.compared(released, candidate)) == rows


def test_another_charset_or_one_beside_no_json_is_told() -> None:
    """RFC 8259 speaks of JSON, and JSON is UTF-8."""
    for kind, other in (("application/json", "charset=latin1"), ("text/csv", "charset=utf-8")):
        rows = pipeline.compared(_typed(kind), _typed(f"{kind}; {other}")).rows
        assert {row.delta.aspect for row in rows} == {"content-types"}


@pytest.mark.parametrize("name", ["application/json", "application/problem+json"])
def test_a_spelling_of_json_beside_the_other_one_breaks_nobody(name: str) -> None:
    """Some frameworks list a type with its charset and without: who sends or reads the one has the other."""
    one, both = _typed(name), _typed(name, f"{name}; charset=utf-8")
    for old, new in ((one, both), (both, one)):
        assert not pipeline.compared(old, new).breaking


def test_a_slash_at_the_end_of_a_path_is_another_url() -> None:
    """Policy: servers answer `/a` and `/a/` as they like, so that one does not stand for the other."""
    rows = pipeline.compared(_path("/a"), _path("/a/")).rows
    assert [row.delta.change.value for row in rows] == ["removed", "added"]


@pytest.mark.parametrize("uses", [1, 40])
def test_one_edit_of_a_shared_component_is_one_row(uses: int) -> None:
    def made(longest: int) -> Doc:
        shared = {"type": "object", "properties": {"note": {**TEXT, "maxLength": longest}}}
        ref = {"$ref": "#/components/schemas/Shared"}
        response = {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": ref}}}}
        document = _document({f"/p{at}": {"get": {"responses": {"200": response}}} for at in range(uses)})
        return {**document, "components": {"schemas": {"Shared": shared}}}

    rows = pipeline.compared(made(9), made(12)).rows
    assert len(rows) == 1
    assert len(rows[0].delta.operations) == uses


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "string", "enum": ["a"]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
        ({"type": "string", "const": "a"}, {"enum": ["a", None]}),
    ],
)
def test_one_edit_that_shows_in_several_keywords_is_one_row(released: Any, candidate: Any) -> None:
    assert _told(pipeline.compared(_answer(released), _answer(candidate))) == [("nullable", "breaking")]
