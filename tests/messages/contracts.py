"""Small contracts for the tests of messages."""

from __future__ import annotations

from typing import Any

import orjson

from evreview.contract.model import Contract
from evreview.core.vocabulary import Json
from evreview.kinds.load import read_contract
from evreview.messages.admission import AdmissionResult, accepts
from evreview.messages.message import Body, Message
from evreview.schema.cross_check_validator import CrossCheckValidator
from evreview.schema.validators import PrimaryValidator, SchemaCheck

CHECKS: tuple[SchemaCheck, ...] = (PrimaryValidator(), CrossCheckValidator())
OK: dict[str, Any] = {"200": {"description": "ok"}}


def contract(paths: Any = None, **parts: Any) -> Contract:
    """The contract of an OpenAPI document with these paths and other top-level members (`version` for its version)."""
    version = parts.pop("version", "3.1.0")
    head = {"swagger": "2.0"} if version == "2.0" else {"openapi": version}
    document = {**head, "info": {"title": "t", "version": "1"}, "paths": paths or {}, **parts}
    data = orjson.dumps(document)
    return read_contract("api.json", lambda name: data)


def operation(method: str = "get", path: str = "/things", **parts: Any) -> Any:
    """The paths of a document with one operation."""
    return {path: {method: {"responses": OK, **parts}}}


def query(schema: Json = True, **parts: Any) -> Any:
    """One query parameter called `q`."""
    return {"name": "q", "in": "query", "schema": schema, **parts}


def json_body(value: Json) -> dict[str, Any]:
    """The arguments of a message that carries a JSON value."""
    return {"content_type": "application/json", "body": Body("json", value)}


def judged(where: Contract, message: Message) -> AdmissionResult:
    """What the contract says of a message; both validators have to agree on the answer and on the places."""
    first, second = (accepts(where, message, check) for check in CHECKS)
    assert first.accepted is second.accepted
    assert {(each.part, each.at, str(each.place), each.keyword) for each in first.violations} == {
        (each.part, each.at, str(each.place), each.keyword) for each in second.violations
    }
    return first
