"""Small contracts for the tests of the ledger: a document as a Python value, read as JSON."""

from __future__ import annotations

import copy
import json
from typing import Any

from evreview.comparison.ledger import Ledger
from evreview.contract.model import Contract
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract

Doc = dict[str, Any]
OBJECT: Doc = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}


def contract(document: Doc) -> Contract:
    return read_contract("openapi.json", lambda _: json.dumps(document).encode())


def diff(released: Doc, candidate: Doc) -> Ledger:
    return diff_contracts(contract(released), contract(candidate))


def document(paths: Doc, schemas: Doc | None = None, version: str = "3.0.3", **more: Any) -> Doc:
    return {
        "openapi": version,
        "info": {"title": "Orders", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas or {}},
        **more,
    }


def json_body(schema: Any) -> Doc:
    return {"content": {"application/json": {"schema": schema}}}


def get(schema: Any, **more: Any) -> Doc:
    return {"get": {"responses": {"200": {"description": "ok", **json_body(schema)}}, **more}}


def post(schema: Any) -> Doc:
    return {"post": {"requestBody": json_body(schema), "responses": {"204": {"description": "done"}}}}


def base() -> Doc:
    """One contract with a place for every aspect; tests edit a copy."""
    order = {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "string"},
            "state": {"type": "string", "enum": ["new", "paid"]},
            "note": {"type": "string"},
            "total": {"type": "integer", "minimum": 0, "maximum": 10},
        },
    }
    error = {"type": "object", "properties": {"code": {"type": "string"}, "detail": {"type": "string"}}}
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 20}}
    listing = {
        "parameters": [limit, {"name": "sort", "in": "query", "schema": {"type": "string"}}],
        "responses": {
            "200": {
                "description": "ok",
                "headers": {"X-Rate": {"schema": {"type": "integer"}}},
                **json_body({"type": "array", "items": {"$ref": "#/components/schemas/Order"}}),
            },
            "400": {"description": "bad", **json_body({"$ref": "#/components/schemas/Error"})},
        },
    }
    creating = {
        "parameters": [{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}],
        "requestBody": json_body({"$ref": "#/components/schemas/Order"}),
        "responses": {"201": {"description": "made", **json_body({"$ref": "#/components/schemas/Order"})}},
    }
    paths = {
        "/orders": {"get": listing, "post": creating},
        "/v1/ping": {"get": {"responses": {"204": {"description": "-"}}}},
    }
    return document(paths, {"Order": order, "Error": error})


def edited(path: str, value: Any = ..., *, start: Doc | None = None) -> Doc:
    """A copy of `base` with the member at a `|`-separated path set, or removed when no value is given."""
    made = copy.deepcopy(start or base())
    node: Any = made
    *steps, last = path.split("|")
    for step in steps:
        node = node[int(step)] if isinstance(node, list) else node[step]
    if value is ...:
        del node[int(last) if isinstance(node, list) else last]
    elif isinstance(node, list) and int(last) == len(node):
        node.append(value)
    elif isinstance(node, list):
        node[int(last)] = value
    else:
        node[last] = value
    return made


def in_field(schema: Any) -> Doc:
    """A document with one field of this schema in a request."""
    return document({"/a": post({"type": "object", "properties": {"f": schema}})})
