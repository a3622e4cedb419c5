"""One API written in Swagger 2.0 and in OpenAPI 3 is the same on the wire, each value set in its own dialect."""

from __future__ import annotations

import pytest

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Json
from tests.contract.texts import contract, every, wire

SWAGGER = {
    "swagger": "2.0",
    "info": {"title": "T", "version": "1"},
    "host": "API.example.com:443",
    "basePath": "/v1/",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "securityDefinitions": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "login": {"type": "basic"},
        "oa": {
            "type": "oauth2",
            "flow": "accessCode",
            "authorizationUrl": "u",
            "tokenUrl": "t",
            "scopes": {"r": "read"},
        },
    },
    "security": [{"key": []}],
    "parameters": {"limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 5, "default": 3}},
    "paths": {
        "/orders/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "type": "string"}],
            "get": {
                "parameters": [
                    {"$ref": "#/parameters/limit"},
                    {"name": "csv", "in": "query", "type": "array", "items": {"type": "string"}},
                    {
                        "name": "many",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "string"},
                        "collectionFormat": "multi",
                    },
                    {"name": "X-A", "in": "header", "type": "string", "required": True},
                ],
                "responses": {
                    "200": {
                        "description": "ok",
                        "schema": {"type": "string"},
                        "headers": {"X-Left": {"type": "integer"}},
                    },
                    "default": {"description": "bad", "schema": {"type": "object"}},
                },
            },
            "put": {
                "security": [{"oa": ["r"]}, {"login": [], "key": []}],
                "parameters": [{"name": "b", "in": "body", "required": True, "schema": {"type": "object"}}],
                "responses": {"204": {"description": "none"}},
            },
            "post": {
                "security": [],
                "consumes": ["application/x-www-form-urlencoded"],
                "parameters": [
                    {"name": "n", "in": "formData", "type": "string", "required": True},
                    {"name": "l", "in": "formData", "type": "array", "items": {"type": "string"}},
                ],
                "responses": {"201": {"description": "made"}},
            },
            "patch": {
                "consumes": ["multipart/form-data"],
                "parameters": [{"name": "f", "in": "formData", "type": "file"}],
                "responses": {"201": {"description": "made"}},
            },
        }
    },
}


def _content(schema: Json, kind: str = "application/json", **more: Json) -> Json:
    return {kind: {"schema": schema, **more}}


OPENAPI = {
    "openapi": "3.0.3",
    "info": {"title": "T", "version": "1"},
    "servers": [{"url": "https://api.example.com/v1"}],
    "components": {
        "securitySchemes": {
            "renamed": {"type": "apiKey", "in": "header", "name": "X-KEY"},
            "login": {"type": "http", "scheme": "Basic"},
            "oa": {
                "type": "oauth2",
                "flows": {
                    "authorizationCode": {"authorizationUrl": "u", "tokenUrl": "t", "scopes": {"r": "other words"}}
                },
            },
        },
        "parameters": {
            "limit": {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 5, "default": 3}}
        },
    },
    "security": [{"renamed": []}],
    "paths": {
        "/orders/{orderId}": {
            "get": {
                "parameters": [
                    {"name": "orderId", "in": "path", "required": True, "schema": {"type": "string"}},
                    {"$ref": "#/components/parameters/limit"},
                    {
                        "name": "csv",
                        "in": "query",
                        "explode": False,
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                    {"name": "many", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "x-a", "in": "header", "required": True, "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "description": "fine",
                        "content": _content({"type": "string"}),
                        "headers": {"x-left": {"schema": {"type": "integer"}}},
                    },
                    "default": {"description": "bad", "content": _content({"type": "object"})},
                },
            },
            "put": {
                "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "string"}}],
                "security": [{"renamed": [], "login": []}, {"oa": ["r"]}],
                "requestBody": {"required": True, "content": _content({"type": "object"})},
                "responses": {"204": {"description": "none"}},
            },
            "post": {
                "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "string"}}],
                "security": [{}],
                "requestBody": {
                    "required": True,
                    "content": _content(
                        {
                            "type": "object",
                            "properties": {
                                "n": {"type": "string"},
                                "l": {"type": "array", "items": {"type": "string"}},
                            },
                            "required": ["n"],
                        },
                        "application/x-www-form-urlencoded",
                        encoding={"l": {"style": "form", "explode": False}},
                    ),
                },
                "responses": {"201": {"description": "made"}},
            },
            "patch": {
                "parameters": [{"name": "orderId", "in": "path", "required": True, "schema": {"type": "string"}}],
                "requestBody": {
                    "content": _content(
                        {"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}},
                        "multipart/form-data",
                    )
                },
                "responses": {"201": {"description": "made"}},
            },
        }
    },
}


@pytest.mark.req("W1I-001")
def test_one_api_in_2_0_and_3_0_is_the_same_on_the_wire() -> None:
    old, new = contract(SWAGGER), contract(OPENAPI)
    assert not old.unread and not new.unread
    assert wire(old.root) == wire(new.root)
    assert (old.version, new.version, old.title, old.release) == ("2.0", "3.0.3", "T", "1")


@pytest.mark.parametrize(
    ("document", "dialect"),
    [
        (SWAGGER, SchemaDialect.SWAGGER_2),
        (OPENAPI, SchemaDialect.OPENAPI_3_0),
        ({**OPENAPI, "openapi": "3.1.0"}, SchemaDialect.OPENAPI_3_1),
        (
            {
                **OPENAPI,
                "openapi": "3.1.0",
                "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            },
            SchemaDialect.DRAFT_2020_12,
        ),
    ],
)
def test_every_value_set_has_the_dialect_of_the_version(document: object, dialect: SchemaDialect) -> None:
    found = {each.value.dialect for each in every(contract(document).root) if each.value}
    assert found == {dialect}
