"""One contract that states something of every kind, each with a word that stands nowhere else."""

from __future__ import annotations

import copy
from typing import Any

from evreview.contract.model import Contract
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Entry
from evreview.workflows.w2.facts import Operation
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import read

ERROR = {
    "type": "object",
    "required": ["code"],
    "properties": {
        "code": {"type": "string", "const": "order_missing"},
        "detail": {"type": "string", "maxLength": 777},
    },
}

RICH: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Orders", "version": "1.2.9"},
    "servers": [{"url": "https://{tenant}.api.example.com/v1", "variables": {"tenant": {"default": "acme"}}}],
    "security": [{"oauth": ["orders:write"]}, {"keyed": [], "basic": []}],
    "paths": {
        "/orders/{order_id}": {
            "parameters": [
                {"name": "order_id", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^ord_"}}
            ],
            "put": {
                "operationId": "putOrder",
                "summary": "Replaces an order",
                "description": "This operation is idempotent. Sends a letter to the customer. At most 55 changes.",
                "x-rate-limit": "12 per minute",
                "parameters": [
                    {
                        "name": "page_size",
                        "in": "query",
                        "description": "How many",
                        "schema": {"type": "integer", "minimum": 3, "maximum": 97, "default": 31},
                    },
                    {"name": "tags", "in": "query", "style": "pipeDelimited", "schema": {"type": "array", "items": {}}},
                    {"name": "Idempotency-Key", "in": "header", "required": True, "schema": {"type": "string"}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}},
                },
                "responses": {
                    "200": {
                        "description": "replaced",
                        "headers": {
                            "X-Total-Seen": {"schema": {"type": "integer", "minimum": 19}},
                            "X-RateLimit-Left": {"schema": {"type": "integer"}},
                        },
                        "content": {"application/vnd.order+json": {"schema": {"$ref": "#/components/schemas/Order"}}},
                    },
                    "404": {"description": "gone", "content": {"application/problem+json": {"schema": ERROR}}},
                    "409": {
                        "description": "conflict",
                        "content": {
                            "application/json": {
                                "schema": {"type": "object", "properties": {"error": {"type": "object"}}},
                                "examples": {"busy": {"value": {"error": {"code": "order_busy"}}}},
                            }
                        },
                    },
                    "429": {"description": "slow down"},
                    "default": {"description": "anything else"},
                },
            },
        }
    },
    "components": {
        "securitySchemes": {
            "oauth": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://t", "scopes": {}}}},
            "keyed": {"type": "apiKey", "in": "header", "name": "X-Secret-Key"},
            "basic": {"type": "http", "scheme": "basic"},
        },
        "schemas": {
            "Order": {
                "allOf": [
                    {"$ref": "#/components/schemas/Base"},
                    {
                        "type": "object",
                        "required": ["state"],
                        "properties": {
                            "state": {"type": "string", "enum": ["open", "shut"]},
                            "parent": {"$ref": "#/components/schemas/Order"},
                            "lines": {
                                "type": "array",
                                "maxItems": 23,
                                "items": {
                                    "type": "object",
                                    "required": ["sku"],
                                    "properties": {"sku": {"type": "string", "minLength": 5}},
                                },
                            },
                            "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 41}},
                            "payment": {
                                "oneOf": [
                                    {"$ref": "#/components/schemas/Card"},
                                    {"$ref": "#/components/schemas/Transfer"},
                                ],
                                "discriminator": {"propertyName": "kind"},
                            },
                        },
                    },
                ]
            },
            "Base": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": {"type": "string", "format": "uuid", "readOnly": True},
                    "passcode": {"type": "string", "writeOnly": True},
                },
            },
            "Card": {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"const": "Card"}, "digits": {"type": "string"}},
            },
            "Transfer": {
                "type": "object",
                "required": ["kind"],
                "properties": {"kind": {"const": "Transfer"}, "iban": {"type": ["string", "null"]}},
            },
        },
    },
}


def rich(*removed: str) -> tuple[Contract, Operation, Entry]:
    """The contract without what stands at the pointers, its operation, and the operation's entry."""
    document = copy.deepcopy(RICH)
    for where in removed:
        *above, last = [step.replace("~1", "/").replace("~0", "~") for step in where.split("/")[1:]]
        node: Any = document
        for step in above:
            node = node[int(step)] if isinstance(node, list) else node[step]
        del node[int(last) if isinstance(node, list) else last]
    contract = read(document)
    operation = operations_of(contract)[0]
    return contract, operation, Entries(contract, EvidenceId("E1")).entry(operation)
