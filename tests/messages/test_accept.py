"""Which messages a contract admits, by two validators; each refusal names the demand and where it stands."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from evreview.core.vocabulary import Json, Tristate
from evreview.messages.message import Body, Message
from tests.messages.contracts import OK, contract, json_body, judged, operation, query

INTEGER: Json = {"type": "integer"}
CLOSED: Json = {"type": "object", "required": ["a"], "properties": {"a": INTEGER}, "additionalProperties": False}
BEARER: Any = {"components": {"securitySchemes": {"t": {"type": "http", "scheme": "bearer"}}}, "security": [{"t": []}]}


def sent(method: str = "GET", path: str = "/things", **parts: Any) -> Message:
    return Message(method=method, path=path, **parts)


def body_of(media: str, schema: Json, *, required: bool = True, **parts: Any) -> Any:
    return {"requestBody": {"required": required, "content": {media: {"schema": schema, **parts}}}}


def responding(**parts: Any) -> Any:
    return {"responses": {"200": {"description": "ok", **parts}}}


JSON = "application/json"
CONTENT: Any = {JSON: {"schema": CLOSED}}
FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"

# name, paths and other members, message, part, place, keyword of the one violation ("" for an admitted message)
CASES: list[tuple[str, Any, Message, str, str, str]] = [
    ("no such path", operation(), sent(path="/other"), "path", "/paths", "path"),
    ("no such method", operation(), sent("PUT"), "path", "/paths", "method"),
    ("plain", operation(), sent(), "", "", ""),
    ("undeclared query", operation(), sent(query=(("x", "1"),)), "", "", ""),
    ("query", operation(parameters=[query(INTEGER)]), sent(query=(("q", "1"),)), "", "", ""),
    (
        "query of a wrong type",
        operation(parameters=[query(INTEGER)]),
        sent(query=(("q", "x"),)),
        *("query q", "/paths/~1things/get/parameters/0/schema", "type"),
    ),
    (
        "query missing",
        operation(parameters=[query(INTEGER, required=True)]),
        sent(),
        *("query q", "/paths/~1things/get/parameters/0", "required"),
    ),
    (
        "an exploded object without its name",
        operation(parameters=[query({"type": "object", "properties": {"a": INTEGER}})]),
        sent(query=(("a", "x"),)),
        *("query q", "/paths/~1things/get/parameters/0/schema/properties/a", "type"),
    ),
    (
        "a member that another parameter claims",
        operation(
            parameters=[
                query({"type": "object", "properties": {"a": INTEGER}}),
                {"name": "a", "in": "query", "schema": {"type": "string"}},
            ]
        ),
        sent(query=(("a", "x"),)),
        *("", "", ""),
    ),
    (
        "an encoded name",
        operation(parameters=[{"name": "a b", "in": "query", "schema": INTEGER}]),
        sent(query=(("a%20b", "x"),)),
        *("query a b", "/paths/~1things/get/parameters/0/schema", "type"),
    ),
    (
        "query in another style",
        operation(parameters=[query({"type": "array", "items": INTEGER}, explode=False)]),
        sent(query=(("q", "1"), ("q", "2"))),
        *("query q", "/paths/~1things/get/parameters/0", "style"),
    ),
    (
        "empty allowed",
        operation(parameters=[query(INTEGER, allowEmptyValue=True)]),
        sent(query=(("q", ""),)),
        "",
        "",
        "",
    ),
    (
        "empty not allowed",
        operation(parameters=[query(INTEGER)]),
        sent(query=(("q", ""),)),
        *("query q", "/paths/~1things/get/parameters/0/schema", "type"),
    ),
    (
        "query with content",
        operation(parameters=[{"name": "q", "in": "query", "content": CONTENT}]),
        sent(query=(("q", "%7B%22a%22%3A%22x%22%7D"),)),
        *("query q", "/paths/~1things/get/parameters/0/content/application~1json/schema/properties/a", "type"),
    ),
    (
        "query with content that is no JSON",
        operation(parameters=[{"name": "q", "in": "query", "content": CONTENT}]),
        sent(query=(("q", "%7B"),)),
        *("query q", "/paths/~1things/get/parameters/0/content/application~1json", "media-type"),
    ),
    (
        "path parameter",
        operation(path="/things/{id}", parameters=[{"name": "id", "in": "path", "required": True, "schema": INTEGER}]),
        sent(path="/things/x"),
        *("path id", "/paths/~1things~1{id}/get/parameters/0/schema", "type"),
    ),
    (
        "header",
        operation(parameters=[{"name": "X-A", "in": "header", "required": True, "schema": {"minLength": 2}}]),
        sent(headers=(("x-a", "a"),)),
        *("header X-A", "/paths/~1things/get/parameters/0/schema", "minLength"),
    ),
    (
        "header missing",
        operation(parameters=[{"name": "X-A", "in": "header", "required": True, "schema": {}}]),
        sent(),
        *("header X-A", "/paths/~1things/get/parameters/0", "required"),
    ),
    (
        "cookie",
        operation(parameters=[{"name": "c", "in": "cookie", "schema": {"enum": ["a"]}}]),
        sent(cookies=(("c", "b"),)),
        *("cookie c", "/paths/~1things/get/parameters/0/schema", "enum"),
    ),
    (
        "body missing",
        operation("post", **body_of(JSON, CLOSED)),
        sent("POST"),
        "body",
        "/paths/~1things/post/requestBody",
        "required",
    ),
    ("body optional", operation("post", **body_of(JSON, CLOSED, required=False)), sent("POST"), "", "", ""),
    ("body", operation("post", **body_of(JSON, CLOSED)), sent("POST", **json_body({"a": 1})), "", "", ""),
    (
        "body below",
        operation("post", **body_of(JSON, {"items": CLOSED})),
        sent("POST", **json_body([{"a": 1, "b": 2}])),
        *("body", "/paths/~1things/post/requestBody/content/application~1json/schema/items", "additionalProperties"),
    ),
    (
        "other media type",
        operation("post", **body_of("application/xml", CLOSED)),
        sent("POST", **json_body({"a": 1})),
        *("content-type", "/paths/~1things/post/requestBody", "media-type"),
    ),
    (
        "media range",
        operation("post", **body_of("application/*", CLOSED)),
        sent("POST", **json_body({"a": 1})),
        "",
        "",
        "",
    ),
    ("any media", operation("post", **body_of("*/*", CLOSED)), sent("POST", **json_body({"a": 1})), "", "", ""),
    (
        "form",
        operation("post", **body_of(FORM, CLOSED)),
        sent("POST", content_type=FORM, body=Body("form", "a=x")),
        *(
            "body",
            "/paths/~1things/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/a",
            "type",
        ),
    ),
    (
        "form that fits",
        operation("post", **body_of(FORM, {"properties": {"a": {"type": "array", "items": INTEGER}}})),
        sent("POST", content_type=FORM, body=Body("form", "a=1&a=2")),
        *("", "", ""),
    ),
    (
        "multipart",
        operation("post", **body_of(MULTIPART, CLOSED)),
        sent("POST", content_type=MULTIPART, body=Body("multipart", [])),
        *("body", "/paths/~1things/post/requestBody/content/multipart~1form-data/schema", "required"),
    ),
    (
        "multipart that fits",
        operation("post", **body_of(MULTIPART, CLOSED)),
        sent("POST", content_type=MULTIPART, body=Body("multipart", [{"name": "a", "text": "1"}])),
        *("", "", ""),
    ),
    (
        "text",
        operation("post", **body_of("text/plain", {"type": "string", "maxLength": 2})),
        sent("POST", content_type="text/plain", body=Body("text", "abc")),
        *("body", "/paths/~1things/post/requestBody/content/text~1plain/schema", "maxLength"),
    ),
    (
        "octets",
        operation("post", **body_of("application/octet-stream", {"type": "string", "maxLength": 2})),
        sent("POST", content_type="application/octet-stream", body=Body("base64", base64.b64encode(b"abc").decode())),
        *("body", "/paths/~1things/post/requestBody/content/application~1octet-stream/schema", "maxLength"),
    ),
    ("status", operation(**responding()), sent(status=404), "status", "/paths/~1things/get/responses", "status"),
    ("status in a range", operation(responses={"4XX": {"description": "no"}}), sent(status=404), "", "", ""),
    ("status by default", operation(responses={**OK, "default": {"description": "no"}}), sent(status=404), "", "", ""),
    (
        "response body",
        operation(**responding(content=CONTENT)),
        sent(status=200, **json_body({"a": None})),
        *("body", "/paths/~1things/get/responses/200/content/application~1json/schema/properties/a", "type"),
    ),
    (
        "response media type",
        operation(**responding(content=CONTENT)),
        sent(status=200, content_type="text/plain", body=Body("text", "a")),
        *("content-type", "/paths/~1things/get/responses/200", "media-type"),
    ),
    (
        "response header",
        operation(**responding(headers={"X-A": {"required": True, "schema": INTEGER}})),
        sent(status=200),
        *("header X-A", "/paths/~1things/get/responses/200/headers/X-A", "required"),
    ),
    ("no credentials", {"paths": operation(), **BEARER}, sent(), "security", "/security", "security"),
    ("credentials", {"paths": operation(), **BEARER}, sent(credentials={"http bearer": ()}), "", "", ""),
    (
        "anonymous alternative",
        {"paths": operation(security=[{"t": []}, {}]), "components": BEARER["components"]},
        sent(),
        *("", "", ""),
    ),
    ("base path", {"paths": operation(), "servers": [{"url": "/v1"}]}, sent(path="/v1/things"), "", "", ""),
    ("without its base path", {"paths": operation(), "servers": [{"url": "/v1"}]}, sent(), "path", "/paths", "path"),
    (
        "base path with a variable",
        {"paths": operation(), "servers": [{"url": "/{v}/x", "variables": {"v": {"default": "v1"}}}]},
        sent(path="/v2/x/things"),
        *("", "", ""),
    ),
    (
        "another host",
        {"paths": operation(), "servers": [{"url": "https://a.example.test"}]},
        sent(server="https://b.example.test"),
        *("server", "/servers/0", "servers"),
    ),
    (
        "webhook",
        {"webhooks": {"made": operation("post", **body_of(JSON, CLOSED))["/things"]}},
        sent("POST", "", route="WEBHOOK made POST", **json_body({})),
        *("body", "/webhooks/made/post/requestBody/content/application~1json/schema", "required"),
    ),
    (
        "callback",
        operation("post", callbacks={"done": {"{$url}": operation("put", **body_of(JSON, CLOSED))["/things"]}}),
        sent("PUT", "", route="POST /things > done > PUT {$url}", **json_body({"a": "x"})),
        *(
            "body",
            "/paths/~1things/post/callbacks/done/{$url}/put/requestBody/content/application~1json/schema/properties/a",
            "type",
        ),
    ),
    ("no such webhook", operation(), sent("POST", "", route="WEBHOOK made POST"), "path", "/paths", "route"),
]


@pytest.mark.parametrize(
    ("described", "message", "part", "place", "keyword"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_messages(described: Any, message: Message, part: str, place: str, keyword: str) -> None:
    known = {"paths", "servers", "webhooks", "components", "security"}
    where = contract(**described) if known & set(described) else contract(described)
    found = judged(where, message)
    expected = [(part, f"api.json#{place}", keyword)] if keyword else []
    assert [(each.part, str(each.place), each.keyword) for each in found.violations] == expected
    assert found.accepted is (Tristate.NO if keyword else Tristate.YES)


OPEN: list[tuple[str, Any, Message]] = [
    ("a body that nobody declares", operation("post"), sent("POST", **json_body(1))),
    ("a response without its body", operation(**responding(content=CONTENT)), sent(status=200)),
    (
        "a format without a codec",
        operation("post", **body_of("application/xml", CLOSED)),
        sent("POST", content_type="application/xml", body=Body("text", "<a/>")),
    ),
    (
        "another parameter of a media type",
        operation("post", **body_of("application/json;version=2", CLOSED)),
        sent("POST", **json_body({"a": 1})),
    ),
    (
        "an unread schema",
        operation("post", **body_of(JSON, {"$ref": "#/nowhere"})),
        sent("POST", **json_body({"a": 1})),
    ),
    ("an unread parameter", operation(parameters=[{"in": "query"}]), sent()),
    ("an unread security scheme", operation(security=[{"gone": []}]), sent()),
    ("unread paths", {"/things": {"$ref": "#/nowhere"}}, sent()),
]


@pytest.mark.parametrize(("paths", "message"), [c[1:] for c in OPEN], ids=[c[0] for c in OPEN])
def test_what_the_contract_leaves_open_is_unknown(paths: Any, message: Message) -> None:
    found = judged(contract(paths), message)
    assert found.accepted is Tristate.UNKNOWN
    assert found.open and not found.violations


TOKENS: list[tuple[Any, Any, Tristate]] = [
    ([{"t": []}], {"http basic": ()}, Tristate.NO),
    ([{"t": []}], {"oauth2": ("read",)}, Tristate.UNKNOWN),
    ([{"o": ["read"]}], {"oauth2": ()}, Tristate.NO),
    ([{"o": ["read"]}], {"oauth2": ("read", "write")}, Tristate.YES),
    ([{"t": [], "k": []}], {"http bearer": ()}, Tristate.NO),
    ([{"t": []}, {"k": []}], {"apiKey header x-key": ()}, Tristate.YES),
    ([{"k": []}], {"apiKey query x-key": ()}, Tristate.NO),
]


@pytest.mark.parametrize(("demand", "presented", "answer"), TOKENS)
def test_credentials_are_compared_by_shape(demand: Any, presented: Any, answer: Tristate) -> None:
    flow = {"clientCredentials": {"tokenUrl": "https://a.example.test", "scopes": {"read": "", "write": ""}}}
    schemes = {
        "t": {"type": "http", "scheme": "bearer"},
        "o": {"type": "oauth2", "flows": flow},
        "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
    }
    where = contract(operation(), security=demand, components={"securitySchemes": schemes})
    assert judged(where, sent(credentials=presented)).accepted is answer


def test_directions_count() -> None:
    """A member that is only read need not be sent in a request; one that is only written need not come back."""
    schema: Json = {
        "type": "object",
        "required": ["r", "w"],
        "properties": {"r": {"readOnly": True}, "w": {"writeOnly": True}},
    }
    paths = operation("post", **body_of(JSON, schema), **responding(content={JSON: {"schema": schema}}))
    where = contract(paths)
    assert judged(where, sent("POST", **json_body({"w": 1}))).accepted is Tristate.YES
    assert judged(where, sent("POST", **json_body({"r": 1}))).accepted is Tristate.NO
    assert judged(where, sent("POST", status=200, **json_body({"r": 1}))).accepted is Tristate.YES
    assert judged(where, sent("POST", status=200, **json_body({"w": 1}))).accepted is Tristate.NO


def test_the_most_literal_path_wins() -> None:
    paths = {**operation(path="/things/{id}", parameters=[query(required=True)]), **operation(path="/things/mine")}
    assert judged(contract(paths), sent(path="/things/mine")).accepted is Tristate.YES
    assert judged(contract(paths), sent(path="/things/1")).accepted is Tristate.NO


def test_places_follow_references_and_old_spellings() -> None:
    parts = {
        "schemas": {
            "T": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}}
        }
    }
    paths = operation("post", **body_of(JSON, {"$ref": "#/components/schemas/T"}))
    found = judged(contract(paths, version="3.0.3", components=parts), sent("POST", **json_body({"a": 0})))
    assert [(str(each.place), each.at) for each in found.violations] == [
        ("api.json#/components/schemas/T/properties/a", "/a")
    ]
