"""Whole messages around one part: everything else that the sender must give is there, small, valid and the same."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Json, Tristate
from evreview.kinds.load import read_named
from evreview.kinds.openapi.prover_structure import ContractSide
from evreview.messages.admission import MessageAdmission
from evreview.messages.composer import Wish
from evreview.messages.message import Body, Message
from evreview.messages.parameter_styles import NoCodec, NotOnWire
from evreview.messages.routing import Chain, chains
from evreview.redaction.redactor import Redactor
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.messages.contracts import OK, contract, operation, query

JSON, FORM, MULTIPART = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
OBJECT: Json = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
NESTED: Json = {"type": "object", "required": ["o"], "properties": {"o": OBJECT}}
FILE: Json = {"type": "object", "required": ["f"], "properties": {"f": {"type": "string", "format": "binary"}}}


def side(where: Contract) -> ContractSide:
    return ContractSide("released", where, where)


def ways(where: Contract, kind: ElementKind) -> Iterator[Chain]:
    for top in where.operations:
        yield from (chain for chain in chains(top) if chain[-1].kind is kind)


def composed(where: Contract, kind: ElementKind = ElementKind.OPERATION, **values: Json) -> Message:
    """The message around the last element of a kind; values by parameter name, or `body`."""
    chain = list(ways(where, kind))[-1]
    wished = {id(each): values[name_of(each)] for top in chain for each in below(top) if name_of(each) in values}
    return side(where).composer.compose(Wish(chain=chain, values=wished))


def below(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from below(child)


def name_of(element: Element) -> str:
    return "body" if element.kind is ElementKind.MEDIA_TYPE else element.name


def body_of(media: str, schema: Json, **parts: Any) -> Contract:
    content = {media: {"schema": schema, **parts}}
    return contract(operation("post", requestBody={"required": True, "content": content}))


def as_json_text(name: str) -> Any:
    return {"encoding": {name: {"contentType": JSON}}}


BODIES: list[tuple[str, Contract, Json, str, Body]] = [
    ("JSON", body_of(JSON, OBJECT), {"a": 1}, JSON, Body("json", {"a": 1})),
    ("JSON by suffix", body_of("application/x+json", OBJECT), {"a": 1}, "application/x+json", Body("json", {"a": 1})),
    ("a range", body_of("application/*", OBJECT), {"a": 1}, JSON, Body("json", {"a": 1})),
    ("anything", body_of("*/*", OBJECT), {"a": 1}, JSON, Body("json", {"a": 1})),
    ("form", body_of(FORM, OBJECT), {"a": 1, "b": "x y&z"}, FORM, Body("form", "a=1&b=x%20y%26z")),
    (
        "form with JSON",
        body_of(FORM, NESTED, **as_json_text("o")),
        {"o": {"a": 1}},
        FORM,
        Body("form", "o=%7B%22a%22%3A1%7D"),
    ),
    (
        "multipart",
        body_of(MULTIPART, NESTED),
        {"o": {"a": 1}},
        MULTIPART,
        Body("multipart", [{"name": "o", "content_type": JSON, "text": '{"a":1}'}]),
    ),
    (
        "multipart with octets",
        body_of(MULTIPART, FILE, encoding={"f": {"contentType": "image/png"}}),
        {"f": "é"},
        MULTIPART,
        Body("multipart", [{"name": "f", "content_type": "image/png", "base64": base64.b64encode(b"\xe9").decode()}]),
    ),
    ("text", body_of("text/plain", {"type": "string"}), "x", "text/plain", Body("text", "x")),
    ("octets", body_of("image/png", {"type": "string"}), "x", "image/png", Body("base64", "eA==")),
]


@pytest.mark.parametrize(
    ("where", "value", "content_type", "body"), [c[1:] for c in BODIES], ids=[c[0] for c in BODIES]
)
def test_bodies_by_media_type(where: Contract, value: Json, content_type: str, body: Body) -> None:
    message = composed(where, ElementKind.MEDIA_TYPE, body=value)
    assert (message.content_type, message.body) == (content_type, body)
    read = MessageAdmission(where, CrossCheckValidator()).accepts(message)
    assert read.accepted is Tristate.YES and read.read["body"] == value


REFUSED: list[tuple[str, Contract, Json, type[NotOnWire]]] = [
    ("XML", body_of("application/xml", OBJECT), {"a": 1}, NoCodec),
    ("events", body_of("text/event-stream", {"type": "string"}), "a", NoCodec),
    ("mixed parts", body_of("multipart/mixed", OBJECT), {"a": 1}, NoCodec),
    ("a form that is no object", body_of(FORM, {"type": "string"}), "a", NotOnWire),
    ("a nested object in a form", body_of(FORM, NESTED), {"o": {"a": 1}}, NotOnWire),
    ("null in a form", body_of(FORM, {"properties": {"a": True}}), {"a": None}, NotOnWire),
    ("an object as octets", body_of("image/png", OBJECT), {"a": 1}, NotOnWire),
]


@pytest.mark.parametrize(("where", "value", "error"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_bodies_that_a_format_cannot_carry(where: Contract, value: Json, error: type[NotOnWire]) -> None:
    with pytest.raises(NotOnWire) as caught:
        composed(where, ElementKind.MEDIA_TYPE, body=value)
    assert caught.type is error


def test_everything_owed_is_there_and_nothing_else() -> None:
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
        query({"enum": ["x"]}, required=True),
        {"name": "free", "in": "query", "schema": True},
        {"name": "X-A", "in": "header", "required": True, "schema": {"type": "string", "minLength": 3}},
        {"name": "c", "in": "cookie", "required": True, "schema": {"type": "boolean"}},
        {"name": "j", "in": "query", "required": True, "content": {JSON: {"schema": OBJECT}}},
    ]
    scheme = {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    where = contract(
        operation(
            "post",
            "/things/{id}",
            parameters=parameters,
            requestBody={"required": True, "content": {JSON: {"schema": OBJECT}}},
        ),
        servers=[{"url": "https://a.example.test/{v}", "variables": {"v": {"default": "v1"}}}],
        components={"securitySchemes": scheme},
        security=[{"k": []}],
    )
    message = composed(where)
    assert (message.method, message.path, message.server) == ("POST", "/v1/things/1", "https://a.example.test")
    assert message.query[0] == ("q", "x") and [name for name, _ in message.query] == ["q", "j"]
    assert [name for name, _ in message.headers] == ["x-a"] and message.cookies == (("c", "true"),)
    assert message.credentials == {"apiKey header x-key": ()}
    assert isinstance(message.body, Body) and message.body.content == {"a": 0}


@pytest.mark.parametrize(
    ("responses", "status"),
    [
        ({"2XX": {"description": "ok"}, "200": {"description": "ok"}}, 201),
        ({"200": {"description": "ok"}, "default": {"description": "no"}}, 500),
        ({"500": {"description": "no"}, "default": {"description": "no"}}, 400),
    ],
)
def test_ranges_get_a_status_that_is_theirs(responses: Any, status: int) -> None:
    where = contract(operation(responses=responses))
    named = [chain for chain in ways(where, ElementKind.RESPONSE) if not chain[-1].key.isdecimal()]
    assert side(where).composer.compose(Wish(chain=named[0])).status == status


def test_a_range_whose_statuses_are_all_described_has_no_message() -> None:
    codes = {str(code): {"description": "ok"} for code in range(200, 300)}
    where = contract(operation(responses={**codes, "2XX": {"description": "ok"}}))
    with pytest.raises(NotOnWire):
        side(where).composer.compose(
            Wish(chain=next(c for c in ways(where, ElementKind.RESPONSE) if c[-1].key == "2XX"))
        )


def test_callbacks_and_webhooks_go_the_other_way() -> None:
    inner = operation("put", requestBody={"required": True, "content": {JSON: {"schema": OBJECT}}})["/things"]
    where = contract(operation("post", callbacks={"done": {"{$url}": inner}}), webhooks={"made": inner})
    found = [side(where).composer.compose(Wish(chain=chain)) for chain in ways(where, ElementKind.OPERATION)]
    routes = {message.route: message.method for message in found}
    assert routes == {"": "POST", "POST /things > done > PUT {$url}": "PUT", "WEBHOOK made PUT": "PUT"}


def test_credentials_are_no_secrets_to_the_guard() -> None:
    scheme = {"t": {"type": "http", "scheme": "bearer"}, "k": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}
    message = composed(contract(operation(), components={"securitySchemes": scheme}, security=[{"t": [], "k": []}]))
    text = str(message.to_json())
    assert Redactor().clean(text) == text


REAL = ("openapi2/firecracker-1.13.0_1.14.0", "openapi2/rekor-0.12_1.0", "openapi3.1/jupyterhub-4.1.6_5.0.0")


@pytest.mark.parametrize("name", REAL)
def test_real_contracts_admit_their_own_messages(name: str, corpus: Path) -> None:
    """By both validators; what cannot be composed says why."""
    where = read_named(next((corpus / name).glob("released.*")))[0]
    sender, second = side(where), MessageAdmission(where, CrossCheckValidator(), whole=True)
    made = 0
    for kind in (ElementKind.OPERATION, ElementKind.PARAMETER, ElementKind.RESPONSE, ElementKind.MEDIA_TYPE):
        for chain in ways(where, kind):
            try:
                message = sender.composer.compose(Wish(chain=chain))
            except NotOnWire:
                continue
            made += 1
            assert sender.acceptor.accepts(message).accepted is Tristate.YES
            assert second.accepts(message).accepted is Tristate.YES
    assert made > 50


def test_two_runs_compose_the_same() -> None:
    where = contract(operation("post", parameters=[query(OBJECT, required=True)], responses=OK))
    assert composed(where) == composed(where)
