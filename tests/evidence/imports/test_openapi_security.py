"""What an OpenAPI document declares of security, told beside the inventory of controls."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import Area, EvidenceType
from evreview.evidence.imports.model import Imported, Reviewed, Supplied
from evreview.evidence.imports.openapi_security import read
from evreview.evidence.records.security import Control

YAML = """\
openapi: 3.0.3
info: {title: Parcels, version: "1"}
servers: [{url: "https://{host}/{v}", variables: {host: {default: a.example.test}, v: {default: v1}}}]
security: [{token: []}]
paths:
  x-note: {get: 5}
  /parcels/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: ok}}}
    delete:
      security: [{desk: [parcels:write, parcels:audit]}]
      responses: {"204": {description: gone}}
  /health:
    get:
      security: []
      responses: {"200": {description: ok}}
  /search:
    get:
      security: [{}, {token: []}]
      responses: {"200": {description: ok}}
  /hook:
    $ref: "#/components/x-items/hook"
components:
  x-items:
    hook:
      post:
        security: [{lost: []}]
        responses: {"204": {description: ok}}
        callbacks: {done: {"{$url}": {post: {security: [{back: []}]}}}}
  securitySchemes:
    token: {type: http, scheme: bearer}
    back: {type: http, scheme: basic}
    spare: {type: apiKey, in: header, name: X-Key}
    desk:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: https://login.example.test/token
          scopes: {"parcels:read": read, "parcels:write": write}
"""
SWAGGER: dict[str, object] = {
    "swagger": "2.0",
    "info": {"title": "Parcels", "version": "1"},
    "basePath": "/v1/",
    "paths": {"/parcels": {"get": {"security": [{"desk": ["read"]}]}, "post": {}}},
    "securityDefinitions": {
        "desk": {"type": "oauth2", "flow": "application", "tokenUrl": "https://x.test", "scopes": {"read": "r"}},
        "spare": {"type": "basic"},
    },
}


def control(name: str, area: Area, *routes: str) -> Control:
    return Control(id=name, area=area, name=name, routes=routes or ("*",))


def made(document: object, *controls: Control, known: bool = True) -> Imported:
    text = document if isinstance(document, str) else json.dumps(document)
    reviewed = Reviewed(controls=controls if known else None)
    return read(Supplied(name="api", files={"": text.encode()}, reviewed=reviewed))


def told(imported: Imported) -> Mapping[str, list[str]]:
    """The lines by their first word; a line that goes on stands with the one before it."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in imported.told:
        label = line[:12].strip() or label
        found.setdefault(label, []).append(line[12:])
    assert label == "no control"
    return found


AUTHENTICATION, AUTHORIZATION, SECRETS = Area.AUTHENTICATION, Area.AUTHORIZATION, Area.SECRETS


@pytest.mark.parametrize(
    ("controls", "places"),
    [
        ((), {9, 10, 21}),
        ((control("a", AUTHENTICATION),), {14, 18}),
        ((control("a", AUTHENTICATION, "GET /parcels/{parcel_id}", "DELETE /v1/parcels/<id>", "post /hook"),), set()),
        ((control("a", AUTHENTICATION, "GET /v1/parcels/{id}"),), {10, 21}),
        ((control("a", AUTHENTICATION, "GET /v2/parcels/{id}", "PUT /parcels/{id}"),), {9, 10, 21}),
        ((control("a", AUTHORIZATION),), {9, 10, 14, 18, 21}),
        ((control("a", SECRETS),), {9, 10, 21}),
        ((control("a", AUTHENTICATION), control("b", AUTHORIZATION, "GET /health")), {14, 18}),
    ],
)
def test_operations_that_document_and_controls_tell_differently(
    controls: tuple[Control, ...], places: set[int]
) -> None:
    lines = told(made(YAML, *controls)).get("act on", [])
    assert {int(line.split(":")[1]) for line in lines} == places and len(lines) == len(places)


def test_schemes_and_scopes_are_told() -> None:
    lines = told(made(YAML, known=False))
    assert lines["declares"][0].startswith("5 operations: 3 ")
    assert lines["declares"][1].endswith(": GET /health, GET /search")
    assert lines["unused"] == ["spare (api:33)"]
    assert lines["undeclared"][0].startswith("lost:")
    assert lines["scopes"] == [
        "desk: demanded parcels:write, parcels:audit; not declared parcels:audit; never demanded parcels:read"
    ]
    assert "act on" not in lines and len(lines["compared"]) == 1


def test_swagger_is_read_too() -> None:
    imported = made(SWAGGER, control("a", AUTHENTICATION, "GET /v1/parcels", "POST /v1/parcels"))
    lines = told(imported)
    assert ["POST /parcels" in line for line in lines["act on"]] == [True]
    assert lines["scopes"] == ["desk: demanded read"] and lines["unused"] == ["spare (api:1)"]
    assert imported.kept is not None and imported.kept.ending == ".json"


def test_the_document_is_kept_and_nothing_else() -> None:
    imported = made(YAML, control("a", AUTHENTICATION))
    assert imported.record is None and not imported.roles and imported.kept is not None
    assert (imported.kept.text, imported.kept.type) == (YAML, EvidenceType.CONTRACT)


@pytest.mark.parametrize(
    "change",
    [
        ('"#/components/x-items/hook"', '"hooks.yaml#/hook"'),
        ('"#/components/x-items/hook"', '"#/components/x-items/none"'),
        ("hook:\n      post", 'hook:\n      $ref: "#/components/x-items/hook"\n      post'),
        ("back: {type: http, scheme: basic}", 'back: {$ref: "schemes.yaml#/back"}'),
    ],
)
def test_where_a_part_stands_elsewhere_no_scheme_is_called_unused(change: tuple[str, str]) -> None:
    lines = told(made(YAML.replace(*change)))
    assert "unused" not in lines and len(lines["not read"]) == 1


def test_a_demand_of_the_document_that_every_operation_replaces_uses_no_scheme() -> None:
    document = {**SWAGGER, "security": [{"spare": []}]}
    assert "unused" not in told(made(document))
    document["paths"] = {"/parcels": {"get": {"security": [{"desk": ["read"]}]}}}
    assert told(made(document))["unused"] == ["spare (api:1)"]


def test_hostile_names_stay_on_their_line() -> None:
    name = "x\n\x1b[2Jkept        E1\u2028act on\u202e"
    paths = {f"/{name}": {"get": {"security": [{name: [name, "s" * 900]}]}, "post": {"security": []}}}
    document = {**SWAGGER, "paths": paths, "securityDefinitions": {name * 2: {"type": name, "scopes": [name]}}}
    lines = made(document, control("a", AUTHENTICATION, f"POST /{name}")).told
    assert all(line.isprintable() and len(line) < 400 for line in lines), lines
    assert sum(line.startswith("act on") for line in lines) == 2 and "sss" not in "".join(lines)


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ("", {("import-format", "")}),
        ("[]", {("import-format", "")}),
        ("<html/>", {("import-format", "")}),
        ({"asyncapi": "3.0.0"}, {("import-format", "")}),
        ({**SWAGGER, "swagger": "1.2"}, {("import-format", "")}),
        ({**SWAGGER, "openapi": "4.0.0"}, {("import-format", "")}),
        ({**SWAGGER, "openapi": ["3.0.0"]}, {("import-format", "")}),
        ({**SWAGGER, "paths": {}}, {("import-empty", "")}),
        ({**SWAGGER, "paths": []}, {("import-empty", "")}),
        ({**SWAGGER, "paths": {"/a": {"$ref": "a.yaml"}}}, {("import-empty", "")}),
        ({**SWAGGER, "security": {"desk": []}}, {("bad-openapi", "#/security")}),
        (
            {
                **SWAGGER,
                "paths": {"/a": {"get": {"security": None}, "put": {"security": [{"desk": "read"}]}, "post": 1}},
            },
            {
                ("bad-openapi", "#/paths/~1a/get/security"),
                ("bad-openapi", "#/paths/~1a/put/security"),
                ("bad-openapi", "#/paths/~1a/post"),
            },
        ),
    ],
)
def test_what_is_no_document_that_can_be_read_is_refused(document: object, found: set[tuple[str, str]]) -> None:
    with pytest.raises(BadInput) as refused:
        made(document)
    assert {(one.code, one.place) for one in refused.value.problems} == found


def test_no_document_is_dear() -> None:
    started = time.monotonic()
    paths = {f"/{number}": {"get": {"security": [{f"s{number}": []}]}} for number in range(5_000)}
    schemes = {f"s{number}": {"$ref": f"#/securityDefinitions/s{number + 1}"} for number in range(5_000)}
    made({**SWAGGER, "paths": paths, "securityDefinitions": schemes}, control("a", SECRETS))
    assert time.monotonic() - started < 20
