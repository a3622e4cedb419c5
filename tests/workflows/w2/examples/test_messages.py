"""Whole messages: parameters in their styles, credentials as placeholders, forms and parts, what is kept back."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.examples.examples import Examples, request_example, response_examples
from evreview.workflows.w2.facts import Example, Label, Omitted, Part, Subject, Why, example_id
from tests.workflows.w2.examples.subjects import JSON, both, calling, only, posting, shown

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
LIST = {"type": "array", "items": WHOLE, "minItems": 2}
PLACE = {"type": "object", "required": ["x", "y"], "properties": {"x": WHOLE, "y": WHOLE}}


def parameter(name: str, where: str, schema: Any = TEXT, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "required": True, "schema": schema, **more}


URLS: dict[str, tuple[dict[str, Any], str, str]] = {
    "path": (parameter("orderId", "path"), "/orders/{orderId}", "/orders/example-id-1"),
    "path-number": (parameter("id", "path", WHOLE), "/orders/{id}", "/orders/1001"),
    "path-matrix": (parameter("id", "path", WHOLE, style="matrix"), "/orders/{id}", "/orders/;id=1001"),
    "path-label": (parameter("id", "path", LIST, style="label"), "/orders/{id}", "/orders/.1001,1001"),
    "query": (parameter("limit", "query", WHOLE), "/orders", "/orders?limit=20"),
    "query-text": (parameter("since", "query"), "/orders", "/orders?since=2024-01-31T12%3A00%3A00Z"),
    "query-list": (parameter("n", "query", LIST), "/orders", "/orders?n=1&n=1"),
    "query-commas": (parameter("n", "query", LIST, explode=False), "/orders", "/orders?n=1,1"),
    "query-pipes": (
        parameter("n", "query", LIST, style="pipeDelimited", explode=False),
        "/orders",
        "/orders?n=1%7C1",
    ),
    "query-deep": (parameter("at", "query", PLACE, style="deepObject"), "/orders", "/orders?at[x]=1&at[y]=1"),
}


@pytest.mark.parametrize(("declared", "path", "url"), URLS.values(), ids=URLS)
def test_parameters_are_written_in_their_style(declared: dict[str, Any], path: str, url: str) -> None:
    subject = calling({"parameters": [declared]}, path)
    assert shown(request_example(subject, only(subject))).url == f"https://api.example.com{url}"


def test_headers_and_cookies_are_sent() -> None:
    declared = [parameter("X-Request-Id", "header"), parameter("theme", "cookie", {"enum": ["dark"]})]
    subject = calling({"parameters": declared})
    assert shown(request_example(subject, only(subject))).headers == (
        ("x-request-id", "example-id-1"),
        ("cookie", "theme=dark"),
    )


def test_optional_parameters_are_left_out() -> None:
    subject = calling({"parameters": [{"name": "limit", "in": "query", "schema": WHOLE}]})
    assert shown(request_example(subject, only(subject))).url == "https://api.example.com/things"


SCHEMES: dict[str, tuple[dict[str, Any], tuple[tuple[str, str], ...], str]] = {
    "bearer": ({"type": "http", "scheme": "bearer"}, (("authorization", "Bearer <access-token>"),), ""),
    "basic": ({"type": "http", "scheme": "basic"}, (("authorization", "Basic <credentials>"),), ""),
    "key-header": ({"type": "apiKey", "in": "header", "name": "X-Key"}, (("x-key", "<api-key>"),), ""),
    "key-cookie": ({"type": "apiKey", "in": "cookie", "name": "sid"}, (("cookie", "sid=<api-key>"),), ""),
    "key-query": ({"type": "apiKey", "in": "query", "name": "key"}, (), "?key=API-KEY-PLACEHOLDER"),
}


@pytest.mark.parametrize(("scheme", "headers", "query"), SCHEMES.values(), ids=SCHEMES)
def test_credentials_are_placeholders(scheme: Any, headers: Any, query: str) -> None:
    schemes = {"securitySchemes": {"it": scheme}}
    subject = calling({}, security=[{"it": []}], components=schemes)
    example = shown(request_example(subject, only(subject)))
    assert (example.headers, example.url) == (headers, f"https://api.example.com/things{query}")
    text = "\n".join(f"{name}: {value}" for name, value in example.headers) + example.url
    assert Redactor().clean(text) == text


@pytest.mark.parametrize(
    ("stated", "url"),
    [
        ("", "https://api.example.com/v2/things"),
        ("https://{tenant}.api.example.com/v3", "https://{tenant}.api.example.com/v3/things"),
        ("https://api.somebody.io/v3/", "https://api.example.com/v3/things"),
        ("https://user@api.example.com/v3", "https://api.example.com/v3/things"),
    ],
)
def test_hosts_are_reserved_names(stated: str, url: str) -> None:
    subject = calling({}, servers=[{"url": "https://api.somebody.io/v2"}])
    assert shown(request_example(subject, only(subject), base_url=stated)).url == url


FORM = {
    "type": "object",
    "required": ["name", "size", "tags"],
    "properties": {"name": TEXT, "size": WHOLE, "tags": {"type": "array", "items": TEXT}, "more": PLACE},
}


def test_form_is_written_as_text() -> None:
    example = shown(both(posting(FORM, "application/x-www-form-urlencoded"))[0])
    assert example.body == "name=Example%20name&size=20&tags=example%20tag"
    assert example.headers == (("content-type", "application/x-www-form-urlencoded"),)


def test_parts_are_written_with_their_boundary() -> None:
    schema = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
    example = shown(both(posting(schema, "multipart/form-data"))[0])
    ((_, kind),) = example.headers
    boundary = kind.partition("boundary=")[2]
    assert boundary
    assert example.body.splitlines()[0] == f"--{boundary}"
    assert example.body.splitlines()[-1] == f"--{boundary}--"
    assert "<binary content>" in example.body


@pytest.mark.parametrize(
    ("media", "body"), [("text/plain", "example"), ("application/octet-stream", "<binary content>")]
)
def test_text_and_octets(media: str, body: str) -> None:
    schema = {"type": "string", "format": "binary"} if "octet" in media else TEXT
    assert shown(both(posting(schema, media))[0]).body == body


@pytest.mark.parametrize("media", ["application/xml", "application/yaml", "application/cbor", "text/event-stream"])
def test_formats_that_nothing_here_writes_are_omitted(media: str) -> None:
    found, _ = both(posting(FORM, media))
    assert isinstance(found, Omitted)
    assert (found.why, found.about.media_type) == (Why.NO_FORMAT, media)


def test_json_is_preferred_and_every_media_type_gets_its_own() -> None:
    content = {kind: {"schema": FORM} for kind in ("application/xml", "multipart/form-data", JSON)}
    subject = calling({"requestBody": {"content": content}}, method="post")
    found = Examples(subject).requests(only(subject))
    assert [each.about.media_type for each in found] == [JSON, "multipart/form-data", "application/xml"]
    assert [isinstance(each, Example) for each in found] == [True, True, False]
    assert request_example(subject, only(subject)) == found[0]


def test_responses_come_per_status_with_their_headers() -> None:
    content = {JSON: {"schema": PLACE}}
    total = {"X-Total": {"required": True, "schema": {"type": "integer", "minimum": 3}}}
    answers = {
        "200": {"description": "", "content": content, "headers": total},
        "204": {"description": ""},
        "4XX": {"description": "", "content": content},
        "default": {"description": "", "content": content},
    }
    subject = calling({"responses": answers})
    found = [shown(each) for each in response_examples(subject, only(subject))]
    assert [each.about.status for each in found] == ["200", "204", "4XX", "default"]
    assert [each.message.status for each in found] == [200, 204, 400, 500]
    assert found[0].headers == (("content-type", JSON), ("x-total", "10"))
    assert (found[1].body, found[1].headers) == ("", ())


def test_a_body_that_the_contract_does_not_describe_is_not_invented() -> None:
    subject = calling({"responses": {"200": {"description": "", "content": {JSON: {}}}}})
    (found,) = response_examples(subject, only(subject))
    assert isinstance(found, Omitted)
    assert found.why is Why.UNDESCRIBED


MARKED = {
    "type": "object",
    "required": ["id", "secret_word", "name"],
    "properties": {
        "id": {**WHOLE, "readOnly": True},
        "secret_word": {**TEXT, "writeOnly": True},
        "name": TEXT,
        "inner": {"type": "object", "properties": {"made": {**TEXT, "readOnly": True}, "x": WHOLE}},
    },
}


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_members_are_kept_back_by_direction(version: str) -> None:
    request, response = both(posting({"$ref": "#/components/schemas/M"}, components={"M": MARKED}, version=version))
    sent, given = shown(request).values["body"], shown(response).values["body"]
    assert isinstance(sent, dict)
    assert isinstance(given, dict)
    assert sent.keys() == {"secret_word", "name", "inner"}
    assert sent["inner"].keys() == {"x"}
    assert given.keys() == {"id", "name", "inner"}


def test_required_and_read_only_may_stand_in_different_parts() -> None:
    base = {"type": "object", "properties": {"id": {**WHOLE, "readOnly": True}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/B"}, {"required": ["id", "name"], "properties": {"name": TEXT}}]}
    request, response = both(posting(schema, components={"B": base}))
    assert shown(request).values["body"] == {"name": "Example name"}
    assert shown(response).values["body"] == {"id": 1001, "name": "Example name"}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


PET = {"type": "object", "required": ["kind"], "properties": {"kind": TEXT, "name": TEXT}}
CAT = {**PET, "required": ["kind", "lives"], "properties": {"kind": TEXT, "lives": WHOLE}}
MAPPED = {"propertyName": "kind", "mapping": {"feline": "#/components/schemas/Cat"}}
DISCRIMINATED: dict[str, tuple[Any, Any, str]] = {
    "mapped": ({"oneOf": [ref("Cat")], "discriminator": MAPPED}, {"Cat": CAT}, "feline"),
    "by-name": ({"oneOf": [ref("Cat")], "discriminator": {"propertyName": "kind"}}, {"Cat": CAT}, "Cat"),
    "mapped-by-name": (
        {"anyOf": [ref("Cat")], "discriminator": {"propertyName": "kind", "mapping": {"c": "Cat"}}},
        {"Cat": CAT},
        "c",
    ),
    "of-a-parent": (
        ref("Cat"),
        {"Pet": {**PET, "discriminator": MAPPED}, "Cat": {"allOf": [ref("Pet"), {"properties": {"lives": WHOLE}}]}},
        "feline",
    ),
    "from-a-parent": (
        ref("Pet"),
        {"Pet": {**PET, "discriminator": MAPPED}, "Cat": {"allOf": [ref("Pet"), {"required": ["lives"]}]}},
        "feline",
    ),
    "in-a-list": (
        {"type": "array", "items": {"oneOf": [ref("Cat")], "discriminator": MAPPED}, "minItems": 1},
        {"Cat": CAT},
        "feline",
    ),
}


@pytest.mark.parametrize(("schema", "components", "tag"), DISCRIMINATED.values(), ids=DISCRIMINATED)
def test_discriminator_names_the_branch(schema: Any, components: Any, tag: str) -> None:
    value: Any = shown(both(posting(schema, components=components, version="3.0.3"))[0]).values["body"]
    assert (value[0] if isinstance(value, list) else value)["kind"] == tag


def test_ids_are_stable_and_tell_examples_apart() -> None:
    request, response = both(posting(PLACE))
    again, _ = both(posting({**PLACE, "required": ["x"]}))
    assert shown(request).id == shown(again).id == example_id(request.about, Label.PROPOSED)
    assert shown(request).id.startswith("EX-")
    others = {shown(response).id, example_id(request.about, Label.OBSERVED), shown(request).id}
    assert len(others) == 3
    assert request.about == Subject("POST /things", Part.REQUEST, "", JSON)
