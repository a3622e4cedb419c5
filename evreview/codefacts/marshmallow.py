"""Where handlers use marshmallow schemas: Flask-Smorest, webargs, and `load` and `dump` themselves."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.calls import decorators, keyword, returned, value_at
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Event, Frame, is_kind_of, run_through
from evreview.codefacts.handlers import Found
from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, CodeResponse, Location, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Concern, Json
from evreview.sources.marshmallow.schemas import Shaped, members_of, schema_at
from evreview.sources.resolved import Definition, External

SCHEMA_DECORATORS: Final = (
    "arguments", "response", "alt_response", "use_args", "use_kwargs", "input", "output", "paginate", "doc", "etag",
)  # fmt: skip
_PLACES: Final[dict[str, Location]] = {
    "query": "query", "querystring": "query", "headers": "header", "cookies": "cookie", "path": "path",
    "view_args": "path",
}  # fmt: skip
_MEDIA: Final = {
    "json": "application/json", "form": "application/x-www-form-urlencoded", "files": "multipart/form-data",
    "json_or_form": "",
}  # fmt: skip
_SOURCES: Final = {
    "flask.request.get_json": "json", "flask.request.json": "json", "flask.request.args": "query",
    "flask.request.form": "form", "flask.request.headers": "headers",
}  # fmt: skip
REFUSAL: Final = 422
REFUSALS: Final = (External("marshmallow.ValidationError"), External("marshmallow.exceptions.ValidationError"))
"""What a load raises, by each of its names."""


def read_schemas(modules: Modules, function: Definition, found: Found) -> None:
    """Adds what schemas check and send around and within a handler."""
    for name, call in decorators(function.node):
        word = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        if call is None or word not in SCHEMA_DECORATORS:
            continue
        if word in ("arguments", "use_args", "use_kwargs", "input"):
            _arguments(modules, function.scope, call, word, found)
        elif word in ("response", "alt_response", "output"):
            _response(modules, function.scope, call, word, found)
        elif word == "paginate":
            spot = function.scope.spot(call)
            found.notes.append(CodeNote(concern=Concern.PAGINATION, name=ast.unparse(name), spot=spot))
    for event in run_through(modules, function):
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            _loaded(modules, event, event.node, found)
    _dumped(modules, function, found)


def _arguments(modules: Modules, scope: Scope, call: ast.Call, word: str, found: Found) -> None:
    """`@blp.arguments(OrderSchema, location="query")`; webargs refuses with 422."""
    schema = keyword(call, "schema", 0) or keyword(call, "argmap", 0)
    shaped = schema_at(modules, scope, schema, True) if schema is not None else None
    given = keyword(call, "location")
    value = constant(modules, scope, given) if given is not None else "json"
    place = value if isinstance(value, str) and value is not MISSING else ""
    spot = scope.spot(call)
    if shaped is None or (place not in _PLACES and place not in _MEDIA):
        found.unread.append(_unread(scope, call))
        return
    required = constant(modules, scope, keyword(call, "required")) is not False
    _taken(shaped, place, spot, found, required if word == "arguments" else None)
    found.responses.append(
        CodeResponse(
            status=REFUSAL, how="framework", spot=spot, media_type="application/json" if word == "arguments" else ""
        )
    )


def _unread(scope: Scope, call: ast.Call) -> UnreadCode:
    text = ast.unparse(call)[:100]
    return UnreadCode(scope.spot(call), f"what `{text}` checks", "Supply the file that defines the schema.")


def _taken(shaped: Shaped, place: str, spot: Spot, found: Found, required: bool | None) -> None:
    found.unread.extend(shaped.unread)
    found.notes.extend(shaped.checks)
    if place in _MEDIA:
        found.body = CodeBody(
            media_type=_MEDIA[place], spot=spot, required=required, schema=shaped.schema, exact=shaped.exact,
            coerces=shaped.coerces, models=shaped.spots,
        )  # fmt: skip
        return
    for name, schema, needed in members_of(shaped.schema):
        plain = {key: value for key, value in schema.items() if key != "default"}
        found.parameter(
            CodeParameter(
                name=name, location=_PLACES[place], spot=spot, required=needed, schema=plain, exact=shaped.exact,
                default=schema.get("default", MISSING),
            )
        )  # fmt: skip


def _response(modules: Modules, scope: Scope, call: ast.Call, word: str, found: Found) -> None:
    """`@blp.response(201, OrderSchema)` states the status of what is returned."""
    first, second = ("schema", "status_code") if word == "output" else ("status_code", "schema")
    places = {name: keyword(call, name, place) for place, name in enumerate((first, second))}
    given = places["status_code"]
    status = 200 if given is None else whole(constant(modules, scope, given))
    schema = places["schema"]
    shaped = schema_at(modules, scope, schema, False) if schema is not None else None
    found.unread.extend(shaped.unread if shaped is not None else ())
    if word == "alt_response":
        # Documentation: the handler itself tells whether it is sent.
        found.responses.append(
            CodeResponse(
                status=status, how="declared", spot=scope.spot(call), media_type="application/json",
                schema=shaped.schema if shaped is not None else None, models=shaped.spots if shaped is not None else (),
            )
        )  # fmt: skip
        return
    body: Json = shaped.schema if shaped is not None else None
    spot = scope.spot(call)
    found.responses[:] = [one for one in found.responses if one.how != "returned" or one.status is not None]
    found.responses[:] = [replace(one, status=status) if one.how == "returned" else one for one in found.responses]
    found.unread[:] = [one for one in found.unread if "whose status" not in one.found]
    if not any(one.how == "returned" for one in found.responses) or shaped is not None:
        found.responses[:] = [one for one in found.responses if one.how != "returned"]
        found.responses.append(
            CodeResponse(
                status=status, how="returned", spot=spot, media_type="application/json" if status != 204 else "",
                schema=body, exact=shaped is not None and shaped.exact,
                models=shaped.spots if shaped is not None else (),
            )
        )  # fmt: skip


def _loaded(modules: Modules, event: Event, call: ast.Call, found: Found) -> None:
    """`OrderSchema().load(request.get_json())`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("load", "loads", "validate") or not call.args:
        return
    shaped = _instance(modules, event.frame, call.func.value, True)
    place = _source(modules, event.frame, call.args[0])
    if shaped is None or place is None:
        return
    spot = event.frame.scope.spot(call)
    required = found.body.required if found.body is not None else None
    _taken(shaped, place, spot, found, required)


def refusing_loads(modules: Modules, function: Definition) -> Iterator[Event]:
    """The loads of a handler whose ValidationError nothing in it catches."""
    for event in run_through(modules, function):
        call = event.node
        if event.kind is not ast.Call or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in ("load", "loads") or not call.args:
            continue
        caught = any(_catches(modules, event.frame, one) for one in _around(event.frame.scope.node, call))
        if not caught and _instance(modules, event.frame, call.func.value, True) is not None:
            yield event


def _around(function: ast.AST, call: ast.Call) -> Iterator[ast.ExceptHandler]:
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and any(inner is call for one in node.body for inner in ast.walk(one)):
            yield from node.handlers


def _catches(modules: Modules, frame: Frame, handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        kind is None or is_kind_of(modules, refusal, modules.resolve(frame.scope, kind))
        for kind in kinds
        for refusal in REFUSALS
    )


def _instance(modules: Modules, frame: Frame, expression: ast.expr, takes: bool) -> Shaped | None:
    inner, at = value_at(modules, frame, expression)
    return schema_at(modules, inner.scope, at, takes) if at is not None else None


def _source(modules: Modules, frame: Frame, expression: ast.expr) -> str | None:
    """Which part of the request an expression is."""
    inner, at = value_at(modules, frame, expression)
    if isinstance(at, ast.BoolOp):
        return _source(modules, inner, at.values[0])
    node = at.func if isinstance(at, ast.Call) else at
    if isinstance(node, ast.Attribute) and node.attr == "to_dict":
        node = node.value
    resolved = modules.resolve(inner.scope, node)
    return _SOURCES.get(resolved.name) if isinstance(resolved, External) else None


def _dumped(modules: Modules, function: Definition, found: Found) -> None:
    """`return OrderSchema().dump(order), 201`: the schema of the answer."""
    events = run_through(modules, function)
    for event in returned(modules, events):
        shaped = _dump(modules, event.frame, getattr(event.node, "value", None))
        if shaped is None:
            continue
        found.unread[:] = [one for one in found.unread if one.spot != event.spot]
        found.unread.extend(shaped.unread)
        for place, one in enumerate(found.responses):
            if one.spot == event.spot and one.how == "returned":
                status = one.status
                if status is None and not isinstance(getattr(event.node, "value", None), ast.Tuple):
                    status = 200
                found.responses[place] = replace(
                    one,
                    status=status,
                    schema=shaped.schema,
                    exact=shaped.exact,
                    media_type="application/json",
                    models=shaped.spots,
                )


def _dump(modules: Modules, frame: Frame, expression: ast.expr | None) -> Shaped | None:
    inner, at = value_at(modules, frame, expression)
    if isinstance(at, ast.Tuple) and at.elts:
        return _dump(modules, inner, at.elts[0])
    if not isinstance(at, ast.Call):
        return None
    called = modules.called(inner.scope, at)
    if isinstance(called, External) and called.of(("flask",), "jsonify", "make_response") and len(at.args) > 0:
        return _dump(modules, inner, at.args[0])
    if isinstance(at.func, ast.Attribute) and at.func.attr == "dump":
        shaped = _instance(modules, inner, at.func.value, False)
        many = constant(modules, inner.scope, keyword(at, "many"))
        if shaped is not None and many is True:
            return replace(shaped, schema={"type": "array", "items": shaped.schema})
        return shaped
    return None
