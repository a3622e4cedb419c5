"""The small contract that carries a rule's example: one skeleton, one slot filled, or the whole contract as written."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any, Final

from evreview.comparison.rules.rule import Example, Slot, Whole
from evreview.core.vocabulary import Absent, Form, Json

_OBJECT: Final = {"type": "object", "properties": {"subject": {"type": "string"}}}
_SKELETON: Final[Mapping[str, Any]] = {
    "openapi": "3.1.0",
    "info": {"title": "Example", "version": "1"},
    "paths": {
        "/things/{id}": {
            "post": {
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "requestBody": {"required": True, "content": {"application/json": {"schema": _OBJECT}}},
                "responses": {
                    "200": {"description": "done", "content": {"application/json": {"schema": _OBJECT}}},
                    "400": {"description": "refused", "content": {"application/problem+json": {"schema": _OBJECT}}},
                },
            }
        }
    },
}
_POST: Final = ("paths", "/things/{id}", "post")
_REQUEST: Final = (*_POST, "requestBody", "content")
_OK: Final = (*_POST, "responses", "200")
_ERROR: Final = (*_POST, "responses", "400", "content")
_SUBJECT: Final = ("schema", "properties", "subject")
_HOOK: Final = ("webhooks", "thingChanged", "post")
_HOOK_BODY: Final = (*_HOOK, "requestBody", "content", "application/json")

_PATHS: Final[Mapping[Slot, tuple[str | int, ...]]] = {
    Slot.REQUEST_FIELD: (*_REQUEST, "application/json", *_SUBJECT),
    Slot.RESPONSE_FIELD: (*_OK, "content", "application/json", *_SUBJECT),
    Slot.REQUEST_BODY: (*_REQUEST, "application/json", "schema"),
    Slot.RESPONSE_BODY: (*_OK, "content", "application/json", "schema"),
    Slot.ERROR_BODY: (*_ERROR, "application/problem+json", "schema"),
    Slot.WEBHOOK_FIELD: (*_HOOK_BODY, *_SUBJECT),
    Slot.REQUEST_CONTENT: _REQUEST,
    Slot.RESPONSE_CONTENT: (*_OK, "content"),
    Slot.ERROR_CONTENT: _ERROR,
    Slot.BODY: (*_POST, "requestBody"),
    Slot.PARAMETERS: (*_POST, "parameters", 1),
    Slot.PARAMETER_SCHEMA: (*_POST, "parameters", 1, "schema"),
    Slot.RESPONSES: (*_POST, "responses"),
    Slot.HEADERS: (*_OK, "headers"),
    Slot.HEADER_SCHEMA: (*_OK, "headers", "X-Subject", "schema"),
    Slot.OPERATION: _POST,
    Slot.OPERATION_SECURITY: (*_POST, "security"),
    Slot.TWIN_SECURITY: (*_POST, "security"),
    Slot.CALLBACKS: (*_POST, "callbacks"),
    Slot.LINKS: (*_OK, "links"),
    Slot.PATHS: ("paths",),
    Slot.WEBHOOKS: ("webhooks",),
    Slot.WEBHOOK_PARAMETERS: (*_HOOK, "parameters", 0),
    Slot.SERVERS: ("servers",),
    Slot.SECURITY: ("security",),
    Slot.SECURITY_SCHEMES: ("components", "securitySchemes"),
    Slot.DEMANDED_SCHEMES: ("components", "securitySchemes"),
}
"""Where each slot stands. A slot that holds a map keeps the skeleton's own entries beside the fragment's."""

_PREPARED: Final = frozenset({Slot.PARAMETER_SCHEMA, Slot.HEADER_SCHEMA, Slot.WEBHOOK_FIELD, Slot.WEBHOOK_PARAMETERS})
_MERGED: Final = frozenset({Slot.OPERATION, Slot.PATHS, Slot.RESPONSES})
_SCHEMES: Final = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "login": {
        "type": "oauth2",
        "flows": {
            "clientCredentials": {
                "tokenUrl": "https://auth.example.test/token",
                "scopes": {"read": "reads", "write": "writes"},
            }
        },
    },
}


def pair(example: Example) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
    """The released and the candidate contract of an example: file name and bytes."""
    return supplied(example.slot, example.released), supplied(example.slot, example.candidate)


def supplied(slot: Slot | Whole, fragment: Form) -> tuple[str, bytes]:
    """Name and bytes of the contract with `fragment` in `slot`."""
    if isinstance(slot, Slot):
        return "api.json", json.dumps(expand(slot, fragment)).encode()
    if slot.file.endswith(".whl") and isinstance(fragment, Mapping):
        return slot.file, _wheel(fragment)
    return slot.file, (fragment if isinstance(fragment, str) else json.dumps(fragment)).encode()


def _wheel(files: Mapping[str, object]) -> bytes:
    """A wheel of these files, the same bytes each time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), str(text))
    return made.getvalue()


def expand(slot: Slot, fragment: Form) -> Json:
    """The skeleton contract with `fragment` in `slot`; ABSENT leaves the slot out."""
    document: dict[str, Any] = _copy(_SKELETON)
    if slot in (Slot.OPERATION_SECURITY, Slot.SECURITY, Slot.OPERATION):
        document["components"] = {"securitySchemes": _copy(_SCHEMES)}
    if slot is Slot.TWIN_SECURITY:
        _twins(document)
    if slot in _PREPARED:
        _prepare(document, slot)
    if slot is Slot.DEMANDED_SCHEMES:
        document["paths"]["/things/{id}"]["post"]["security"] = [{"login": []}]
    if not isinstance(fragment, Absent):
        _put(document, _PATHS[slot], fragment, merge=slot in _MERGED)
    elif slot in _MERGED:
        pass
    else:
        _drop(document, _PATHS[slot])
    return document


def _twins(document: dict[str, Any]) -> None:
    """Puts two schemes of one form into the contract, and an operation for each."""
    names = ("user", "robot")
    document["components"] = {"securitySchemes": {name: {"type": "http", "scheme": "bearer"} for name in names}}
    for name in names:
        answer = {"204": {"description": "none"}}
        document["paths"][f"/{name}s"] = {"get": {"security": [{name: []}], "responses": answer}}


def _copy(value: Any) -> Any:
    """A copy in which nothing is shared, so that one edit is one edit."""
    return json.loads(json.dumps(value))


def _prepare(document: dict[str, Any], slot: Slot) -> None:
    post = document["paths"]["/things/{id}"]["post"]
    if slot is Slot.PARAMETER_SCHEMA:
        post["parameters"].append({"name": "subject", "in": "query", "schema": {}})
    elif slot is Slot.HEADER_SCHEMA:
        post["responses"]["200"]["headers"] = {"X-Subject": {"schema": {}}}
    else:
        _put(document, (*_HOOK_BODY, "schema"), {"type": "object", "properties": {}}, merge=False)
        document["webhooks"]["thingChanged"]["post"] |= {
            "responses": {"204": {"description": "noted"}},
            "parameters": [],
        }


def _put(document: Any, path: tuple[str | int, ...], fragment: Json, *, merge: bool) -> None:
    node = document
    for step in path[:-1]:
        node = node.setdefault(step, {}) if isinstance(node, dict) else node[step]
    last = path[-1]
    if isinstance(node, list):
        node[int(last) :] = [fragment]
    elif merge and isinstance(fragment, Mapping):
        node[last] = {**node.get(last, {}), **fragment}
    else:
        node[last] = fragment


def _drop(document: Any, path: tuple[str | int, ...]) -> None:
    node = document
    for step in path[:-1]:
        if isinstance(node, dict) and step not in node:
            return
        node = node[step]
    if isinstance(node, list):
        del node[int(path[-1]) :]
    else:
        node.pop(path[-1], None)
