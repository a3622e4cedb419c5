"""Rows about no set of values: a message that one contract admits and the other refuses, or the reason for none."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import Contract
from evreview.core.vocabulary import Json, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.openapi.prover_structure import Messages, MessageWitness, structural
from evreview.kinds.replay import replay
from evreview.messages.message import Message, from_json
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.messages.contracts import OK, contract, operation, query

JSON = "application/json"
OBJECT: Json = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
LIST: Json = {"type": "array", "items": {"type": "integer"}}
CONTENT: Any = {JSON: {"schema": OBJECT}}
XML: Any = {"application/xml": {"schema": OBJECT}}
BODY: Any = {"required": True, "content": CONTENT}
FORM = "application/x-www-form-urlencoded"
URL: dict[str, Any] = {"content_type": FORM}
FORM_VALUE: Json = {"type": "object", "required": ["a"], "properties": {"a": LIST}}
SCHEMES: Any = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "key"},
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "any": {"type": "apiKey", "in": "header", "name": "Authorization"},
    "login": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://a.example.test", "scopes": {"r": "", "w": ""}}},
    },
}


def secured(*security: Any) -> Contract:
    return contract(operation(), security=list(security), components={"securitySchemes": SCHEMES})


def responses(**parts: Any) -> Any:
    return operation(responses={**OK, **parts})


def answering(**parts: Any) -> Any:
    return operation(responses={"200": {"description": "ok", **parts}})


def owing(mark: Any) -> Any:
    member = {"type": "integer", **mark}
    owed = {"type": "object", "required": ["a"], "properties": {"a": member}}
    return {"required": True, "content": {JSON: {"schema": owed}}}


def part_of(content_type: str, schema: Json = True, **encoding: Any) -> Any:
    media = {"schema": {"properties": {"a": schema}}, "encoding": {"a": {"contentType": content_type, **encoding}}}
    return operation("post", requestBody={"required": True, "content": {"multipart/form-data": media}})


def form_of(*, explode: bool | None, schema: Json = FORM_VALUE) -> Any:
    encoding = {} if explode is None else {"encoding": {"a": {"explode": explode}}}
    return operation("post", requestBody={"content": {FORM: {"schema": schema, **encoding}}})


# name, released, candidate, part and keyword of the violation, and a few members of the message
WITNESSED: list[tuple[str, Any, Any, str, str, dict[str, Any]]] = [
    ("operation removed", operation(), operation(path="/other"), "path", "path", {"method": "GET", "path": "/things"}),
    (
        "method removed",
        {"/things": {**operation()["/things"], **operation("put")["/things"]}},
        operation("put"),
        "path",
        "method",
        {"method": "GET"},
    ),
    (
        "path of another version",
        operation(path="/v1/things"),
        operation(path="/v2/things"),
        "path",
        "path",
        {"path": "/v1/things"},
    ),
    (
        "required parameter added",
        operation(),
        operation(parameters=[query(required=True)]),
        "query q",
        "required",
        {"query": ()},
    ),
    (
        "parameter became required",
        operation(parameters=[query()]),
        operation(parameters=[query(required=True)]),
        "query q",
        "required",
        {},
    ),
    (
        "required header added",
        operation(),
        operation(parameters=[{"name": "X-A", "in": "header", "required": True, "schema": {}}]),
        "header X-A",
        "required",
        {},
    ),
    (
        "required cookie added",
        operation(),
        operation(parameters=[{"name": "c", "in": "cookie", "required": True, "schema": {}}]),
        "cookie c",
        "required",
        {},
    ),
    ("required body added", operation("post"), operation("post", requestBody=BODY), "body", "required", {"body": None}),
    (
        "body became required",
        operation("post", requestBody={**BODY, "required": False}),
        operation("post", requestBody=BODY),
        "body",
        "required",
        {"body": None},
    ),
    (
        "request media type removed",
        operation("post", requestBody={"content": {**CONTENT, "text/plain": {}}}),
        operation("post", requestBody={"content": CONTENT}),
        "content-type",
        "media-type",
        {"content_type": "text/plain"},
    ),
    (
        "response media type added",
        answering(content=CONTENT),
        answering(content={**CONTENT, "text/plain": {"schema": {"type": "string"}}}),
        "content-type",
        "media-type",
        {"content_type": "text/plain"},
    ),
    ("status added", responses(), responses(**{"201": {"description": "made"}}), "status", "status", {"status": 201}),
    ("range added", responses(), responses(**{"4XX": {"description": "no"}}), "status", "status", {"status": 400}),
    (
        "response header became optional",
        answering(headers={"X-A": {"required": True, "schema": {}}}),
        answering(headers={"X-A": {"schema": {}}}),
        "header X-A",
        "required",
        {"status": 200},
    ),
    (
        "required response header removed",
        answering(headers={"X-A": {"required": True, "schema": {}}}),
        answering(),
        "header X-A",
        "required",
        {"status": 200},
    ),
    (
        "list no longer exploded",
        operation(parameters=[query(LIST, explode=True)]),
        operation(parameters=[query(LIST, explode=False)]),
        "query q",
        "style",
        {},
    ),
    (
        "object in another style",
        operation(parameters=[query(OBJECT, style="deepObject", required=True)]),
        operation(parameters=[query(OBJECT, style="form", explode=False, required=True)]),
        "query q",
        "required",
        {},
    ),
    (
        "an optional object of which the other style finds nothing",
        operation(parameters=[query({"type": "object", "properties": {"a": {"type": "string"}}})]),
        operation(parameters=[query({"type": "object", "properties": {"a": {"type": "string"}}}, style="deepObject")]),
        "query q",
        "style",
        {},
    ),
    (
        "media type of a part",
        part_of("image/png", {"type": "string"}),
        part_of("image/jpeg", {"type": "string"}),
        "body",
        "contentType",
        {"content_type": "multipart/form-data"},
    ),
    (
        "range of media types of a part",
        part_of("image/*", {"type": "string"}),
        part_of("image/png", {"type": "string"}),
        "body",
        "contentType",
        {"content_type": "multipart/form-data"},
    ),
    (
        "header of a part demanded",
        part_of("text/plain", {"type": "string"}),
        part_of("text/plain", {"type": "string"}, headers={"X-A": {"required": True, "schema": {}}}),
        "header X-A",
        "required",
        {"content_type": "multipart/form-data"},
    ),
    (
        "range of media types narrowed",
        operation("post", requestBody={"content": {"application/*": {}}}),
        operation("post", requestBody={"content": CONTENT}),
        "content-type",
        "media-type",
        {"content_type": "application/vnd.example+json"},
    ),
    (
        "empty value no longer allowed",
        operation(parameters=[query({"type": "integer"}, allowEmptyValue=True)]),
        operation(parameters=[query({"type": "integer"})]),
        "query q",
        "type",
        {"query": (("q", ""),)},
    ),
    (
        "required member no longer readOnly",
        operation("post", requestBody=owing({"readOnly": True})),
        operation("post", requestBody=owing({})),
        "body",
        "required",
        {},
    ),
    (
        "promised member now writeOnly",
        answering(content=owing({})["content"]),
        answering(content=owing({"writeOnly": True})["content"]),
        "body",
        "required",
        {},
    ),
    (
        "schema where there was none",
        operation("post", requestBody={"required": True, "content": {JSON: {}}}),
        operation("post", requestBody=BODY),
        "body",
        "type",
        {},
    ),
    *(
        (name, form_of(explode=explode, schema=schema), form_of(explode=False, schema=schema), "body", "encoding", URL)
        for name, explode, schema in (
            ("form field no longer exploded", True, FORM_VALUE),
            ("form field no longer exploded by default", None, FORM_VALUE),
            ("optional form field no longer exploded", None, {"type": "object", "properties": {"a": LIST}}),
        )
    ),
]

SECURED: list[tuple[str, list[Any], list[Any], dict[str, tuple[str, ...]]]] = [
    ("credentials demanded", [], [{"key": []}], {}),
    ("another scheme", [{"basic": []}], [{"key": []}], {"http basic": ()}),
    ("key moved", [{"key": []}], [{"query": []}], {"apiKey header x-key": ()}),
    ("alternative removed", [{"key": []}, {"basic": []}], [{"key": []}], {"http basic": ()}),
    ("one more at once", [{"key": []}], [{"key": [], "basic": []}], {"apiKey header x-key": ()}),
    ("scope added", [{"login": ["r"]}], [{"login": ["r", "w"]}], {"oauth2": ("r",)}),
]

UNWITNESSED: list[tuple[str, Any, Any]] = [
    ("optional parameter removed", operation(parameters=[query()]), operation()),
    ("success status removed", responses(**{"201": {"description": "made"}}), responses()),
    ("optional response header removed", answering(headers={"X-A": {"schema": {}}}), answering()),
    ("body removed", operation("post", requestBody=BODY), operation("post")),
]


def found_in(released: Contract, candidate: Contract) -> list[MessageWitness]:
    """What is found for each row, as if it were breaking; a second validator confirms each message."""
    messages = Messages(released, candidate)
    found = [structural(messages, row.delta) for row in compare(released, candidate).rows]
    for carried in found:
        if carried.witness is not None:
            assert replay(released, candidate, carried.witness, CrossCheckValidator()).confirmed
    return found


def message_of(carried: MessageWitness) -> Message:
    assert isinstance(carried.witness, dict)
    return from_json(carried.witness["message"])


@pytest.mark.parametrize(
    ("released", "candidate", "part", "keyword", "members"), [c[1:] for c in WITNESSED], ids=[c[0] for c in WITNESSED]
)
def test_rows_with_a_message(released: Any, candidate: Any, part: str, keyword: str, members: dict[str, Any]) -> None:
    found = [each for each in found_in(contract(released), contract(candidate)) if each.witness is not None]
    violations = [each.witness["violation"] for each in found]  # type: ignore[index, call-overload]
    assert (part, keyword) in [(each["in"], each["keyword"]) for each in violations]
    message = message_of(found[0])
    assert {name: getattr(message, name) for name in members} == members


@pytest.mark.parametrize(("released", "candidate", "presented"), [c[1:] for c in SECURED], ids=[c[0] for c in SECURED])
def test_security_rows_name_what_the_caller_presents(
    released: list[Any], candidate: list[Any], presented: dict[str, tuple[str, ...]]
) -> None:
    found = [each for each in found_in(secured(*released), secured(*candidate)) if each.witness is not None]
    assert presented in [dict(message_of(each).credentials) for each in found]


@pytest.mark.parametrize("scheme", ["basic", "bearer", "login"])
def test_a_key_in_authorization_may_be_any_credentials_there(scheme: str) -> None:
    for pair in (([{scheme: []}], [{"any": []}]), ([{"any": []}], [{scheme: []}])):
        (carried,) = found_in(secured(*pair[0]), secured(*pair[1]))
        assert carried.witness is None and carried.reason
    assert [each.witness is not None for each in found_in(secured({scheme: []}), secured({"any": [], "key": []}))]


@pytest.mark.parametrize(("released", "candidate"), [c[1:] for c in UNWITNESSED], ids=[c[0] for c in UNWITNESSED])
def test_what_the_contract_leaves_open_has_no_message(released: Any, candidate: Any) -> None:
    for carried in found_in(contract(released), contract(candidate)):
        assert carried.witness is None
        assert carried.reason


@pytest.mark.parametrize(
    ("schema", "verdict"),
    [
        ({"type": "integer"}, Verdict.BREAKING),
        ({"type": "string", "minLength": 1}, Verdict.BREAKING),
        ({"type": "string"}, Verdict.UNKNOWN),
        (LIST, Verdict.BREAKING),
        ({"type": "array", "items": {"type": "string"}}, Verdict.UNKNOWN),
    ],
)
def test_an_empty_value_that_the_schema_admits_is_left_open(schema: Json, verdict: Verdict) -> None:
    """How `allowEmptyValue` and the schema go together is not said; what the schema refuses is refused."""
    sides = [contract(operation(parameters=[query(schema, **more)])) for more in ({"allowEmptyValue": True}, {})]
    for witnesses in (True, False):
        [row] = compare(*sides, witnesses=witnesses).rows
        assert row.judgement.verdict is verdict
    [back] = compare(*sides[::-1]).rows
    assert back.judgement.verdict is Verdict.COMPATIBLE


def test_base_paths_are_part_of_the_message() -> None:
    sides = [contract(operation(), servers=[{"url": f"https://a.example.test/{name}"}]) for name in ("one", "two")]
    found = [each for each in found_in(*sides) if each.witness is not None]
    assert message_of(found[0]).path == "/one/things"


@pytest.mark.parametrize("place", ["https://{v}.example.test", "https://a.example.test/{v}"])
def test_a_variable_that_loses_a_value_shows_in_the_address(place: str) -> None:
    def served(*values: str) -> Contract:
        return contract(operation(), servers=[{"url": place, "variables": {"v": {"default": "eu", "enum": [*values]}}}])

    [found] = [each for each in found_in(served("eu", "us"), served("eu")) if each.witness is not None]
    message = message_of(found)
    assert "us" in message.server + message.path
    assert all(each.witness is None for each in found_in(served("eu"), served("eu", "us")))


def test_the_same_text_read_as_another_value_is_a_witness() -> None:
    """Commas are items for one contract and letters for the other; both admit the text."""
    texts: Json = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    sides = [contract(operation(parameters=[query(texts, explode=explode)])) for explode in (False, True)]
    found = [each.witness for each in found_in(*sides) if each.witness is not None]
    assert isinstance(found[0], dict)
    read = found[0]["read_as"]
    assert isinstance(read, dict) and read["released"] != read["candidate"]


def test_messages_survive_json() -> None:
    released = contract(operation("post", requestBody=BODY, parameters=[query(LIST, required=True)], path="/t/{id}"))
    [found] = found_in(released, contract())
    message = message_of(found)
    assert from_json(message.to_json()) == message
    assert message.body is not None and message.query


def test_a_callback_goes_to_no_path_of_the_contract() -> None:
    """OpenAPI 3.0.3, section 4.7.18: its URL is known at run time only, and is no path of the contract."""

    def made(member: str) -> Contract:
        called: Any = {"{$request.body#/" + member + "}": {"post": {"responses": OK}}}
        return contract(operation("post", callbacks={"done": called}))

    (row,) = (row for row in compare(made("u"), made("url")).rows if row.judgement.verdict is Verdict.BREAKING)
    assert row.proof.witness == {}
    assert "routes the request to" not in row.proof.reason
