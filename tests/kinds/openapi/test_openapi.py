"""What the reader makes of each part of a document."""

from __future__ import annotations

import pytest

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Aspect, Direction, Json, Role
from evreview.kinds.openapi.reader import server_key
from evreview.messages.media_types import media_type_key
from tests.contract.texts import codes, contract, every, facets, keys, one, v30

K = ElementKind


def operation(document: object) -> Element:
    return contract(document).operations[0]


PARAMETERS = [
    ({"name": "l", "in": "query", "schema": {}}, "query:l", {"style": "form", "explode": True}),
    ({"name": "x", "in": "path", "schema": {}}, "path:0", {"style": "simple", "explode": False, "required": True}),
    ({"name": "y", "in": "path", "schema": {}}, "path:y", {"required": True}),
    ({"name": "X-T", "in": "header", "schema": {}}, "header:x-t", {"style": "simple"}),
    ({"name": "c", "in": "cookie", "schema": {}}, "cookie:c", {"style": "form"}),
    (
        {"name": "l", "in": "query", "style": "deepObject", "schema": {}},
        "query:l",
        {"style": "deepObject", "explode": False},
    ),
    ({"name": "l", "in": "query", "explode": False, "schema": {"type": "integer"}}, "query:l", {"explode": True}),
    ({"name": "l", "in": "query", "allowReserved": True, "schema": {}}, "query:l", {"allowReserved": True}),
    ({"name": "l", "in": "query", "deprecated": True, "schema": {}}, "query:l", {"deprecated": True}),
    ({"name": "l", "in": "query", "x-sunset": "2030-01-01", "schema": {}}, "query:l", {"x-sunset": "2030-01-01"}),
]


@pytest.mark.parametrize(("written", "key", "expected"), PARAMETERS)
def test_a_parameter_has_its_key_and_effective_facets(written: Json, key: str, expected: dict[str, Json]) -> None:
    found = one(operation(v30(parameters=[written])), K.PARAMETER, key)
    assert facets(found).items() >= expected.items()
    assert (found.role, found.direction) == (Role.REQUEST, Direction.READ)


def test_an_operations_parameter_replaces_the_path_items() -> None:
    document = v30(parameters=[{"name": "q", "in": "query", "required": True, "schema": {"type": "string"}}])
    document["paths"]["/a/{x}"]["parameters"] = [
        {"name": "q", "in": "query", "schema": {}},
        {"name": "r", "in": "query", "schema": {}},
    ]
    found = operation(document)
    assert keys(found, K.PARAMETER) == ["query:q", "query:r"]
    assert one(found, K.PARAMETER, "query:q").place.pointer == "/paths/~1a~1{x}/get/parameters/0"


def test_headers_that_the_format_ignores_are_no_parameters() -> None:
    names = ["Accept", "content-type", "Authorization", "X-Kept"]
    written = [{"name": name, "in": "header", "schema": {}} for name in names]
    assert keys(operation(v30(parameters=written)), K.PARAMETER) == ["header:x-kept"]


def test_a_parameter_with_content_has_a_media_type() -> None:
    written = {"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    found = one(operation(v30(parameters=[written])), K.PARAMETER)
    assert keys(found, K.MEDIA_TYPE) == ["application/json"]
    assert "style" not in facets(found)


RESPONSES = [
    ("200", "200", False, Aspect.STATUS_CODES),
    ("3xx", "3XX", False, Aspect.STATUS_CODES),
    ("404", "404", True, Aspect.ERRORS),
    ("5XX", "5XX", True, Aspect.ERRORS),
    ("default", "default", True, Aspect.ERRORS),
]


@pytest.mark.parametrize(("status", "key", "in_error", "aspect"), RESPONSES)
def test_a_response_knows_whether_it_is_an_error(status: str, key: str, in_error: bool, aspect: Aspect) -> None:
    headers = {"X-A": {"schema": {}}, "Content-Type": {"schema": {}}}
    response = {"description": "", "headers": headers, "content": {"Text/Plain": {"schema": {}}}}
    found = one(operation(v30(responses={status: response})), K.RESPONSE)
    assert (found.key, found.aspect) == (key, aspect)
    assert {each.in_error for each in every(found)} == {in_error}
    assert {each.direction for each in every(found)} == {Direction.WRITTEN}
    assert keys(found, K.HEADER) == ["x-a"]
    assert keys(found, K.MEDIA_TYPE) == ["text/plain"]


def test_links_and_encodings_are_elements() -> None:
    multipart = {"schema": {}, "encoding": {"f": {"contentType": "image/png", "headers": {"X-B": {"schema": {}}}}}}
    response = {"description": "", "links": {"next": {"operationId": "o", "parameters": {"a": "$response.body#/a"}}}}
    found = operation(v30(requestBody={"content": {"multipart/form-data": multipart}}, responses={"200": response}))
    assert facets(one(found, K.LINK, "next")) == {"operationId": "o", "parameters": {"a": "$response.body#/a"}}
    assert facets(one(found, K.ENCODING, "f"))["contentType"] == "image/png"
    assert one(found, K.HEADER, "x-b").direction is Direction.READ


def test_callbacks_and_webhooks_turn_the_direction_round() -> None:
    item = {
        "post": {
            "requestBody": {"content": {"application/json": {"schema": {}}}},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {}}}}},
        }
    }
    document = v30(callbacks={"done": {"{$request.body#/url}": item}})
    document |= {"openapi": "3.1.0", "webhooks": {"newPet": item}}
    root = contract(document).root
    callback = one(root, K.CALLBACK, "done")
    webhook = one(root, K.OPERATION, "WEBHOOK newPet POST")
    assert keys(callback, K.OPERATION) == ["POST {$request.body#/url}"]
    for found, role in ((callback, Role.CALLBACK), (webhook, Role.WEBHOOK)):
        body, response = one(found, K.BODY), one(found, K.RESPONSE)
        assert {(each.role, each.direction) for each in every(body)} == {(role, Direction.WRITTEN)}
        assert {(each.role, each.direction) for each in every(response)} == {(role, Direction.READ)}


def test_names_and_words_do_not_reach_the_wire() -> None:
    document = v30(operationId="o", summary="s", description="d", tags=["t"], **{"x-a": 1})
    document["paths"]["/a/{x}"]["description"] = "p"
    found = operation(document)
    off = {facet.name for facet in found.facets if not facet.on_wire}
    assert off == {"operationId", "summary", "description", "tags", "x-a", "path.description"}
    assert found.key == "GET /a/{}" and found.name == "GET /a/{x}"


PATHS = [
    (["/a/{x}", "/a/{x}/"], ["GET /a/{}", "GET /a/{}/"]),
    (["/a/{x}", "/a/{y}"], ["GET /a/{x}", "GET /a/{y}"]),
    (["/a/{x}.{y}"], ["GET /a/{}.{}"]),
    (["/a b/{x y}"], ["GET /a%20b/{}"]),
    (["/\u00e9/%c3%a9"], ["GET /%C3%A9/%C3%A9"]),
    (["/a", "x-paths"], ["GET /a"]),
]


@pytest.mark.parametrize(("paths", "expected"), PATHS)
def test_an_operations_key_is_free_of_variable_names(paths: list[str], expected: list[str]) -> None:
    document = v30() | {"paths": {path: {"get": {"responses": {}}} for path in paths}}
    assert keys(contract(document).root, K.OPERATION) == expected


def test_templates_of_several_methods_need_no_names() -> None:
    """OpenAPI 3.0.3, section 4.7.8.2 Path Templating: only one method of both would leave open which one is meant."""
    paths = {"/a/{x}": ("get", "put"), "/a/{y}": ("post", "put")}
    responses: Json = {"responses": {}}
    document = v30() | {"paths": {path: dict.fromkeys(methods, responses) for path, methods in paths.items()}}
    found = contract(document).root
    assert keys(found, K.OPERATION) == ["GET /a/{}", "PUT /a/{x}", "POST /a/{}", "PUT /a/{y}"]


MEDIA_TYPES = [
    ("Application/JSON", "application/json"),
    ('text/plain; Charset="UTF-8"', "text/plain;charset=utf-8"),
    ("a/b; y=2;x=1", "a/b;x=1;y=2"),
    ("*/*", "*/*"),
]


@pytest.mark.parametrize(("written", "key"), MEDIA_TYPES)
def test_a_media_type_has_one_spelling(written: str, key: str) -> None:
    assert media_type_key(written) == key


SERVERS = [
    ("https://API.example.com:443/v1/", "https://api.example.com/v1"),
    ("http://a:8080", "http://a:8080"),
    ("https://{region}.example.com/{v}", "https://{}.example.com/{}"),
    ("/v1/", "/v1"),
    ("", "/"),
    ("//Host/x", "//host/x"),
    ("./v1", "v1"),
    ("../v1", "../v1"),
    ("/a/./b/../v1", "/a/v1"),
    ("https://a/../../v1/.", "https://a/v1"),
    ("https://a/{v}/../v1", "https://a/{}/../v1"),
]


@pytest.mark.parametrize(("url", "key"), SERVERS)
def test_a_server_has_one_spelling(url: str, key: str) -> None:
    assert server_key(url) == key


def test_servers_hold_base_path_and_variables_and_may_be_an_operations_own() -> None:
    variables = {"v": {"default": "v1", "enum": ["v1", "v2"]}}
    document = v30(servers=[{"url": "https://own.example.com"}])
    document["servers"] = [{"url": "https://h.example.com/base/{v}", "variables": variables}]
    root = contract(document).root
    server = next(child for child in root.children if child.kind is K.SERVER)
    assert facets(server) == {
        "basePath": "/base/{}",
        "variables.0.default": "v1",
        "variables.0.enum": ["v1", "v2"],
    }
    assert keys(operation(document), K.SERVER) == ["https://own.example.com"]
    assert keys(contract(v30()).root, K.SERVER) == ["/"]


SECURITY = [
    (None, None, [{}]),
    ([{"k": []}], None, [{"apiKey query k": []}]),
    ([{"k": []}], [], [{}]),
    ([{"k": []}], [{}], [{}]),
    (None, [{"o": ["w", "r"]}, {}], [{"oauth2": ["r", "w"]}, {}]),
    (None, [{"o": []}, {"k": []}], [{"apiKey query k": []}, {"oauth2": []}]),
    (None, [{"o": [], "k": []}], [{"apiKey query k": [], "oauth2": []}]),
    (None, [{"gone": []}], [{"undeclared (gone)": []}]),
]


@pytest.mark.parametrize(("document_wide", "own", "expected"), SECURITY)
def test_security_is_the_effective_choice_of_alternatives(document_wide: Json, own: Json, expected: Json) -> None:
    document = v30(**({} if own is None else {"security": own}))
    schemes = {"k": {"type": "apiKey", "in": "query", "name": "k"}, "o": {"type": "oauth2", "flows": {}}}
    document |= {"components": {"securitySchemes": schemes}}
    if document_wide is not None:
        document["security"] = document_wide
    found = one(operation(document), K.SECURITY)
    assert sorted(map(str, found.facet("requirements"))) == sorted(map(str, expected))
    assert (found.aspect, found.direction) == (Aspect.SECURITY, Direction.READ)


def test_two_schemes_that_look_alike_keep_their_names() -> None:
    document = v30() | {"components": {"securitySchemes": {name: {"type": "oauth2"} for name in "ab"}}}
    assert keys(contract(document).root, K.SECURITY_SCHEME) == ["oauth2 (a)", "oauth2 (b)"]


UNREAD = [
    ({"parameters": [{"in": "query"}, {"name": "q", "in": "query"}]}, "/get/parameters/0"),
    ({"parameters": [{"name": "w", "in": "body"}, {"name": "q", "in": "query"}]}, "/get/parameters/0/in"),
    ({"parameters": ["x", {"name": "q", "in": "query"}]}, "/get/parameters/0"),
    ({"parameters": [{"name": "q", "in": "query"}, {"name": "q", "in": "query"}]}, "/get/parameters/1"),
    ({"parameters": [{"name": "q", "in": "query", "required": "yes"}]}, "/get/parameters/0/required"),
    ({"parameters": [{"name": "q", "in": "query", "schema": "x"}]}, "/get/parameters/0/schema"),
    ({"parameters": [{"name": "q", "in": "query", "style": "odd"}]}, "/get/parameters/0/style"),
    ({"parameters": [{"name": "q", "in": "query"}], "responses": {"200": "text"}}, "/get/responses/200"),
    ({"parameters": [{"name": "q", "in": "query"}], "responses": {"999x": {}}}, "/get/responses/999x"),
    ({"parameters": [{"name": "q", "in": "query"}], "responses": []}, "/get/responses"),
    ({"parameters": [{"name": "q", "in": "query"}], "requestBody": {"content": []}}, "/get/requestBody/content"),
    ({"parameters": [{"name": "q", "in": "query"}], "security": {}}, "/get/security"),
    ({"parameters": [{"name": "q", "in": "query"}], "servers": [{}]}, "/get/servers/0"),
]


@pytest.mark.parametrize(("parts", "pointer"), UNREAD, ids=[pointer for _, pointer in UNREAD])
def test_what_cannot_be_read_stays_visible_and_the_rest_is_read(parts: dict[str, Json], pointer: str) -> None:
    found = contract(v30(**parts))
    assert [row.place.pointer for row in found.unread] == ["/paths/~1a~1{x}" + pointer]
    assert all(row.advice for row in found.unread)
    assert keys(found.root, K.PARAMETER) == ["query:q"]


STRUCTURE = [
    ({"openapi": "3.2.0", "paths": {}}, "openapi-version", "#/openapi"),
    ({"swagger": "1.2", "paths": {}}, "openapi-version", "#/swagger"),
    ({"swagger": "3.0.0", "paths": {}}, "openapi-version", "#/swagger"),
    ({"openapi": None, "paths": {}}, "openapi-version", "#/openapi"),
    ({"openapi": {"a": 1}, "paths": {}}, "openapi-version", "#/openapi"),
    ({"openapi": "3.0.0", "paths": []}, "openapi-paths", "#/paths"),
    ({"openapi": "3.0.0"}, "openapi-paths", "#/paths"),
    ({"info": {}}, "contract-kind-unknown", ""),
    ([], "contract-not-object", ""),
    ("text", "contract-not-object", ""),
]


@pytest.mark.req("W1I-003", "W1P-001")
@pytest.mark.parametrize(("document", "code", "place"), STRUCTURE)
def test_a_document_of_the_wrong_kind_is_refused(document: object, code: str, place: str) -> None:
    assert codes(document) == [(code, place)]
