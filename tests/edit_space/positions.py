"""Where in a message a value can stand, and the smallest contract that has it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.edit_space.forms import ALL, LATEST, PARAMETER_KEYWORDS, THREE, Form, Schema

Document = dict[str, Any]
JSON: Final = "application/json"
NOTED: Final = {"204": {"description": "noted"}}


@dataclass(frozen=True, eq=False)
class Position:
    """One position.

    Attributes:
        name: for the table.
        read: True when the producer reads what stands here.
        text: True when a value is written as text, so that `1` and `"1"` are the same on the wire.
        operation: the parts of an operation that hold the schema, by form.
        forms: the forms that have the position.
        host: `path`, `callback` or `webhook`: who makes the call.
        field: the value is one field of a form; the whole value is an object.
        plain: Swagger 2.0 writes the schema's keywords into the parameter itself.
    """

    name: str
    read: bool
    operation: Callable[[Any, Form], Mapping[str, Any]]
    text: bool = False
    forms: frozenset[Form] = ALL
    host: str = "path"
    field: bool = False
    plain: bool = False

    def expresses(self, schema: Schema, form: Form) -> bool:
        """False for what Swagger 2.0 can't say here."""
        if form is not Form.V20 or not self.plain:
            return True
        keys = _keys(schema)
        return isinstance(schema, dict) and "type" in schema and keys <= PARAMETER_KEYWORDS and _simple(schema)


def _keys(schema: Any) -> set[str]:
    inner = schema.get("items") if isinstance(schema, dict) else None
    return set(schema) | (_keys(inner) if inner is not None else set()) if isinstance(schema, dict) else {"(boolean)"}


def _simple(schema: dict[str, Any]) -> bool:
    items = schema.get("items")
    whole = schema["type"] != "array" or (isinstance(items, dict) and "type" in items and _simple(items))
    return whole and schema["type"] != "object"


def _parameter(location: str) -> Callable[[Any, Form], Mapping[str, Any]]:
    def build(schema: Any, form: Form) -> Mapping[str, Any]:
        value = schema if form is Form.V20 else {"schema": schema}
        needed = {"required": True} if location == "path" else {}
        return {
            "parameters": [{"name": "X-Value" if location == "header" else "value", "in": location, **needed, **value}]
        }

    return build


def _carried(location: str) -> Callable[[Any, Form], Mapping[str, Any]]:
    return lambda schema, form: {
        "parameters": [{"name": "value", "in": location, "content": {JSON: {"schema": schema}}}]
    }


def _body(media_type: str = JSON) -> Callable[[Any, Form], Mapping[str, Any]]:
    def build(schema: Any, form: Form) -> Mapping[str, Any]:
        if form is Form.V20:
            parameter = {"name": "body", "in": "body", "required": True, "schema": schema}
            return {"consumes": [media_type], "parameters": [parameter]}
        return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}

    return build


def _field(media_type: str) -> Callable[[Any, Form], Mapping[str, Any]]:
    def build(schema: Any, form: Form) -> Mapping[str, Any]:
        if form is Form.V20:
            return {"consumes": [media_type], "parameters": [{"name": "f", "in": "formData", **schema}]}
        whole = {"type": "object", "properties": {"f": schema}}
        return {"requestBody": {"required": True, "content": {media_type: {"schema": whole}}}}

    return build


def _response(status: str, media_type: str = JSON) -> Callable[[Any, Form], Mapping[str, Any]]:
    def build(schema: Any, form: Form) -> Mapping[str, Any]:
        if form is Form.V20:
            return {"produces": [media_type], "responses": {status: {"description": "said", "schema": schema}}}
        return {"responses": {status: {"description": "said", "content": {media_type: {"schema": schema}}}}}

    return build


def _header(*, required: bool = False, content: bool = False) -> Callable[[Any, Form], Mapping[str, Any]]:
    def build(schema: Any, form: Form) -> Mapping[str, Any]:
        value = {"content": {JSON: {"schema": schema}}} if content else {"schema": schema}
        header = schema if form is Form.V20 else {"required": required, **value}
        return {"responses": {"200": {"description": "said", "headers": {"X-Value": header}}}}

    return build


_FORM: Final = "application/x-www-form-urlencoded"
_PARTS: Final = "multipart/form-data"
POSITIONS: Final = (
    Position("path parameter", True, _parameter("path"), text=True, plain=True),
    Position("query parameter", True, _parameter("query"), text=True, plain=True),
    Position("header parameter", True, _parameter("header"), text=True, plain=True),
    Position("cookie parameter", True, _parameter("cookie"), text=True, forms=THREE),
    Position("query parameter, content", True, _carried("query"), forms=THREE),
    Position("request body", True, _body()),
    Position("request body, other type", True, _body("application/vnd.thing+json")),
    Position("urlencoded field", True, _field(_FORM), text=True, field=True, plain=True),
    Position("multipart field", True, _field(_PARTS), text=True, field=True, plain=True),
    Position("success response", False, _response("200")),
    Position("error response", False, _response("404")),
    Position("default response", False, _response("default")),
    Position("range response", False, _response("2XX"), forms=THREE),
    Position("error range response", False, _response("4XX"), forms=THREE),
    Position("response header", False, _header(), text=True, plain=True),
    Position("required response header", False, _header(required=True), text=True, forms=THREE),
    Position("response header, content", False, _header(content=True), forms=THREE),
    Position("callback request", False, _body(), forms=THREE, host="callback"),
    Position("callback response", True, _response("200"), forms=THREE, host="callback"),
    Position("callback query parameter", False, _parameter("query"), text=True, forms=THREE, host="callback"),
    Position("webhook request", False, _body(), forms=LATEST, host="webhook"),
    Position("webhook response", True, _response("200"), forms=LATEST, host="webhook"),
    Position("webhook header parameter", False, _parameter("header"), text=True, forms=LATEST, host="webhook"),
)


def document(position: Position, schema: Schema, form: Form, named: Mapping[str, Schema]) -> Document:
    """The contract with one value, whose schema is `schema`.

    Args:
        position: where the value stands.
        schema: of the value.
        form: how the contract is written.
        named: schemas that `schema` may refer to.
    """
    operation = {"responses": NOTED, **position.operation(schema, form)}
    whole = _hosted(operation, position)
    if named:
        inner: dict[str, Any] = dict(named)
        for key in reversed(form.components):
            inner = {key: inner}
        whole = {**whole, **inner}
    return {**_head(form), **whole}


def _head(form: Form) -> Document:
    info = {"title": "cell", "version": "1"}
    versions = {Form.V20: {"swagger": "2.0"}, Form.V30: {"openapi": "3.0.3"}, Form.V31: {"openapi": "3.1.0"}}
    return {**versions[form], "info": info}


def _hosted(operation: Mapping[str, Any], position: Position) -> Document:
    if position.host == "webhook":
        return {"paths": {}, "webhooks": {"told": {"post": operation}}}
    if position.host == "callback":
        called = {"done": {"{$request.query.url}": {"post": operation}}}
        return {"paths": {"/a": {"post": {"responses": NOTED, "callbacks": called}}}}
    path = "/a/{value}" if position.name == "path parameter" else "/a"
    return {"paths": {path: {"post": operation}}}
