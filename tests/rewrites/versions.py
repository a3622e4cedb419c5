"""The same API in a newer version of the format: Swagger 2.0 to 3.0, and 3.0 to 3.1."""

from __future__ import annotations

import copy
from typing import Any

from tests.rewrites.documents import METHODS, Doc, is_31, is_swagger, mapped, path_items, reaches_inside, target

_PLACES = {"definitions": "schemas", "parameters": "parameters", "responses": "responses"}
_SCHEMA_KEYS = (
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable",
)  # fmt: skip
_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited"}
_FORM, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


def to_openapi_3_1(document: Doc) -> Doc | None:
    """3.0 as 3.1: null by type lists, exclusive bounds as numbers, base64 by its encoding, octets by their
    media type."""
    if is_31(document) or is_swagger(document) or reaches_inside(document):
        return None

    def modern(node: Doc) -> Any:
        if "$ref" in node:
            return {"$ref": node["$ref"]}
        made = dict(node)
        null = made.pop("nullable", False) is True and isinstance(made.get("type"), str)
        if null:
            made["type"] = [made["type"], "null"]
        if made.get("format") == "byte":
            del made["format"]
            made["contentEncoding"] = "base64"
        if made.get("format") == "binary":
            del made["format"]
            made["contentMediaType"] = "application/octet-stream"
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
                made[exclusive] = made.pop(bound)
        return made

    made = mapped(document, modern) or copy.deepcopy(document)
    made["openapi"] = "3.1.0"
    return made


def to_openapi_3_0(document: Doc) -> Doc | None:
    """Swagger 2.0 as 3.0; None for what has no counterpart (`tsv`, no media type stated)."""
    if not is_swagger(document):
        return None
    return _Upgrade(document).made()


class _Upgrade:
    def __init__(self, document: Doc) -> None:
        self.document = document
        self.fits = True

    def made(self) -> Doc | None:
        old = self.document
        made: Doc = {"openapi": "3.0.3", "info": old["info"], "servers": self.servers(), "paths": {}}
        if "security" in old:
            made["security"] = old["security"]
        for path, item in path_items(old):
            made["paths"][path] = self.item(item)
        made["components"] = {
            "schemas": {name: self.schema(node) for name, node in old.get("definitions", {}).items()},
            "securitySchemes": {n: self.scheme(node) for n, node in old.get("securityDefinitions", {}).items()},
        }
        return made if self.fits else None

    def servers(self) -> list[Doc]:
        old = self.document
        base = "/" + str(old.get("basePath", "/")).lstrip("/")
        if "host" not in old:
            return [{"url": base}]
        return [
            {"url": f"{scheme}{old['host']}{base}"} for scheme in [f"{s}://" for s in old.get("schemes", [])] or ["//"]
        ]

    def scheme(self, node: Doc) -> Doc:
        if node["type"] == "basic":
            return {"type": "http", "scheme": "basic"}
        if node["type"] != "oauth2":
            return node
        flow = {"accessCode": "authorizationCode", "application": "clientCredentials"}.get(node["flow"], node["flow"])
        kept = {key: node[key] for key in ("authorizationUrl", "tokenUrl", "scopes") if key in node}
        return {"type": "oauth2", "flows": {flow: kept}}

    def item(self, item: Doc) -> Doc:
        shared = item.get("parameters", [])
        if "$ref" in item:
            self.fits = False
        return {method: self.operation(item[method], shared) for method in METHODS if method in item}

    def operation(self, node: Doc, shared: list[Any]) -> Doc:
        made = {key: node[key] for key in ("operationId", "tags", "summary", "security", "deprecated") if key in node}
        own = [target(self.document, one) for one in node.get("parameters", [])]
        named = {(one["in"], one["name"]) for one in own}
        inherited = [target(self.document, one) for one in shared]
        everything = [*(one for one in inherited if (one["in"], one["name"]) not in named), *own]
        consumes = node.get("consumes", self.document.get("consumes", []))
        self.body(made, everything, consumes)
        made["parameters"] = [self.parameter(one) for one in everything if one["in"] not in ("body", "formData")]
        produces = node.get("produces", self.document.get("produces", []))
        found = {status: target(self.document, one) for status, one in node["responses"].items()}
        made["responses"] = {status: self.response(one, produces) for status, one in found.items()}
        return made

    def body(self, made: Doc, parameters: list[Doc], consumes: list[str]) -> None:
        for one in parameters:
            if one["in"] == "body":
                self.fits &= bool(consumes)
                content = {name: {"schema": self.schema(one.get("schema", {}))} for name in consumes}
                made["requestBody"] = {"required": one.get("required", False), "content": content}
        fields = [one for one in parameters if one["in"] == "formData"]
        if fields:
            has_file = any(one["type"] == "file" for one in fields)
            names = [name for name in consumes if name in (_FORM, _MULTIPART)] or [_MULTIPART if has_file else _FORM]
            schema: Doc = {"type": "object", "properties": {one["name"]: self.inline(one) for one in fields}}
            owed = [one["name"] for one in fields if one.get("required")]
            schema |= {"required": owed} if owed else {}
            spread = {one["name"]: self.style(one, "query") for one in fields if one["type"] == "array"}
            content = {
                name: {"schema": schema, **({"encoding": spread} if spread and name == _FORM else {})} for name in names
            }
            made["requestBody"] = {"required": bool(owed), "content": content}

    def parameter(self, node: Doc) -> Doc:
        made = {key: node[key] for key in ("name", "in", "required", "description", "allowEmptyValue") if key in node}
        return {
            **made,
            "schema": self.inline(node),
            **(self.style(node, node["in"]) if node["type"] == "array" else {}),
        }

    def style(self, node: Doc, place: str) -> Doc:
        written = node.get("collectionFormat", "csv")
        if written == "tsv":
            self.fits = False
        default = "form" if place == "query" else "simple"
        return {"style": _STYLES.get(written, default), "explode": written == "multi"}

    def response(self, node: Doc, produces: list[str]) -> Doc:
        made: Doc = {"description": node.get("description", "")}
        if "schema" in node:
            self.fits &= bool(produces)
            made["content"] = {name: {"schema": self.schema(node["schema"])} for name in produces}
        if "headers" in node:
            made["headers"] = {name: {"schema": self.inline(one)} for name, one in node["headers"].items()}
            for name, one in node["headers"].items():
                if one.get("type") == "array":
                    made["headers"][name] |= {"style": "simple", "explode": False}
        return made

    def inline(self, node: Doc) -> Doc:
        return self.schema({key: node[key] for key in _SCHEMA_KEYS if key in node})  # type: ignore[no-any-return]

    def schema(self, node: Any) -> Any:
        """The schema with references, files and null as 3.0 writes them."""
        if isinstance(node, list):
            return [self.schema(member) for member in node]
        if not isinstance(node, dict):
            return node
        made = {key: self.schema(value) for key, value in node.items()}
        if isinstance(made.get("$ref"), str):
            return {"$ref": made["$ref"].replace("#/definitions/", "#/components/schemas/")}
        if made.get("type") == "file":
            made |= {"type": "string", "format": "binary"}
        if isinstance(made.get("discriminator"), str):
            made["discriminator"] = {"propertyName": made["discriminator"]}
        if made.get("x-nullable") is True:
            made["nullable"] = made.pop("x-nullable")
            self.fits &= "type" in made and "enum" not in made
        return made


VERSION_REWRITES = (to_openapi_3_0, to_openapi_3_1)
