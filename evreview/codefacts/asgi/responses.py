"""Responses that are built in the code: `JSONResponse(…)` and its kin, literals, and exceptions with a status."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.constants import whole
from evreview.codefacts.control_flow import (
    Event,
    Frame,
    argument_of,
    bind,
    run_through,
    stated_here,
    value_in,
    values_in,
)
from evreview.codefacts.model import CodeResponse, Spot
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.asgi.content import codes_in, content_schema
from evreview.sources.resolved import Definition, External, Resolved

PACKAGES: Final = ("fastapi", "starlette")
MEDIA: Final = {
    "JSONResponse": "application/json", "ORJSONResponse": "application/json", "UJSONResponse": "application/json",
    "HTMLResponse": "text/html", "PlainTextResponse": "text/plain", "Response": "", "StreamingResponse": "",
    "FileResponse": "", "RedirectResponse": "", "EventSourceResponse": "text/event-stream",
}  # fmt: skip
"""Media type of each response class of Starlette and FastAPI, "" where the class has none."""
_STATUS_PLACE: Final = {"RedirectResponse": 1, "FileResponse": 1}
_DEFAULT_STATUS: Final = {"RedirectResponse": 307}
NO_BODY: Final = (204, 205, 304)
How = Literal["returned", "raised", "framework", "declared"]


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The arguments of a response or exception that the code builds, with the frame that holds them."""

    frame: Frame
    status: ast.expr | None
    content: ast.expr | None
    headers: ast.expr | None
    media: ast.expr | None = None


def response_class(modules: Modules, found: Resolved) -> str:
    """The last known response class that a class is or derives from, "" for none."""
    for name in MEDIA:
        if name != "Response" and modules.is_a(found, (*PACKAGES, "sse_starlette"), name):
            return name
    return "Response" if modules.is_a(found, PACKAGES, "Response") else ""


def built(modules: Modules, frame: Frame, value: ast.expr | None, spot: Spot) -> tuple[CodeResponse, ...] | None:
    """The responses that a returned expression is; None when it is no response object.

    A call of a supplied function that returns a response is followed with its arguments.
    """
    return _built(modules, frame, value, spot, 6)


def _built(
    modules: Modules, frame: Frame, value: ast.expr | None, spot: Spot, hops: int
) -> tuple[CodeResponse, ...] | None:
    if hops <= 0 or value is None:
        return None
    if isinstance(value, ast.Await):
        return _built(modules, frame, value.value, spot, hops - 1)
    if isinstance(value, ast.IfExp):
        both = [_built(modules, frame, part, spot, hops - 1) for part in (value.body, value.orelse)]
        return (*both[0], *both[1]) if both[0] is not None and both[1] is not None else None
    if isinstance(value, ast.Name):
        found = modules.resolve(frame.scope, value)
        if isinstance(found, Definition) and isinstance(found.node, ast.Call) and found.scope is frame.scope:
            return _built(modules, frame, found.node, spot, hops - 1)
        return None
    if not isinstance(value, ast.Call):
        return None
    called = modules.called(frame.scope, value)
    name = response_class(modules, called)
    if name:
        return _made(modules, frame, value, name, spot)
    if isinstance(called, Definition) and isinstance(called.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return _returned_by(modules, frame, called, value, hops - 1)
    return None


def _returned_by(
    modules: Modules, frame: Frame, function: Definition, call: ast.Call, hops: int
) -> tuple[CodeResponse, ...] | None:
    inner = bind(modules, function, call, frame)
    if inner is None:
        return None
    found: list[CodeResponse] = []
    events = [event for event in run_through(modules, function, inner) if event.kind is ast.Return and event.own]
    for event in events:
        value = event.statement.value if isinstance(event.statement, ast.Return) else None
        one = _built(modules, event.frame, value, event.spot, hops)
        if one is None:
            return None
        found += one
    return tuple(found) if found else None


def _made(modules: Modules, frame: Frame, call: ast.Call, name: str, spot: Spot) -> tuple[CodeResponse, ...]:
    words = keywords(call)
    place = _STATUS_PLACE.get(name, 1)
    status = words.get("status_code", call.args[place] if len(call.args) > place else None)
    content = words.get("content", call.args[0] if call.args else None)
    parts = Parts(frame, status, content, words.get("headers"), words.get("media_type"))
    default = _DEFAULT_STATUS.get(name, 200)
    made = of_parts(modules, parts, "returned", spot, default)
    media = media_of(modules, parts, MEDIA[name])
    extra = ("Location",) if name == "RedirectResponse" else ()
    named = [replace(one, headers=tuple(dict.fromkeys([*one.headers, *extra]))) for one in made]
    return tuple(_with_body(modules, parts, one, media) for one in named)


def _with_body(modules: Modules, parts: Parts, one: CodeResponse, media: str) -> CodeResponse:
    if one.status in NO_BODY:
        return replace(one, exact=True)
    if media != "application/json":
        return replace(one, media_type=media)
    schema, exact = content_schema(modules, parts.frame, parts.content)
    return replace(one, media_type=media, schema=schema, exact=exact)


def media_of(modules: Modules, parts: Parts, default: str) -> str:
    """The media type that is stated, without parameters; "" when it is not constant."""
    if parts.media is None:
        return default
    value = value_in(modules, parts.frame, parts.media)
    return value.partition(";")[0].strip() if isinstance(value, str) and value is not MISSING else ""


def of_parts(modules: Modules, parts: Parts, how: How, spot: Spot, default: int | None) -> tuple[CodeResponse, ...]:
    """One response per constant status; the status None where it can't be told."""
    if parts.status is None:
        statuses: list[int | None] = [default]
    else:
        statuses = [whole(value) for value in values_in(modules, parts.frame, parts.status)] or [None]
    if parts.frame.spot is not None and not stated_here(modules, parts.frame, parts.status, parts.content):
        spot = parts.frame.spot
    codes = codes_in(modules, parts.frame, parts.content)
    headers = header_names(modules, parts)
    return tuple(CodeResponse(status=one, how=how, spot=spot, codes=codes, headers=headers) for one in statuses)


def header_names(modules: Modules, parts: Parts) -> tuple[str, ...]:
    """Constant names of the headers in a dict."""
    given = argument_of(modules, parts.frame, parts.headers)
    frame, expression = given if given is not None else (parts.frame, parts.headers)
    found = modules.resolve(frame.scope, expression)
    node = found.node if isinstance(found, Definition) else expression
    if not isinstance(node, ast.Dict):
        return ()
    names = [value_in(modules, frame, key) for key in node.keys if key is not None]
    return tuple(name for name in names if isinstance(name, str) and name is not MISSING)


def exception_parts(modules: Modules, event: Event, raised: ast.expr) -> Parts | None:
    """Status, detail and headers of a raised `HTTPException`, own subclasses included; None for another exception."""
    call = raised if isinstance(raised, ast.Call) else None
    frame = event.frame
    if isinstance(raised, ast.Name):
        named = modules.resolve(frame.scope, raised)
        if isinstance(named, Definition) and isinstance(named.node, ast.Call):
            call, frame = named.node, Frame(named.scope, frame.given, frame.spot, frame.depth)
            raised = named.node
    cls = modules.called(frame.scope, call) if call else modules.resolve(frame.scope, raised)
    return _parts_of(modules, frame, cls, call, 8)


def _parts_of(modules: Modules, frame: Frame, cls: Resolved, call: ast.Call | None, hops: int) -> Parts | None:
    if isinstance(cls, Definition) and isinstance(cls.node, ast.FunctionDef | ast.AsyncFunctionDef) and call and hops:
        return _from_maker(modules, frame, cls, call, hops - 1)
    if not modules.is_a(cls, PACKAGES, "HTTPException") or hops <= 0:
        return None
    if isinstance(cls, External):
        words = keywords(call) if call else {}
        args = call.args if call else []
        at = {name: words.get(name, args[place] if len(args) > place else None) for place, name in enumerate(_ARGS)}
        return Parts(frame, at["status_code"], at["detail"], at["headers"])
    if not isinstance(cls, Definition):
        return None
    return _own_exception(modules, frame, cls, call, hops - 1)


_ARGS: Final = ("status_code", "detail", "headers")


def _from_maker(modules: Modules, frame: Frame, made: Definition, call: ast.Call, hops: int) -> Parts | None:
    """`raise not_found("order")`, where the supplied function returns an `HTTPException`."""
    inner = bind(modules, made, call, frame)
    node = made.node
    if inner is None or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for statement in node.body:
        if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Call):
            cls = modules.called(inner.scope, statement.value)
            return _parts_of(modules, inner, cls, statement.value, hops)
    return None


def _own_exception(modules: Modules, frame: Frame, cls: Definition, call: ast.Call | None, hops: int) -> Parts | None:
    """A supplied subclass: the arguments of its `super().__init__(…)`, or the base's with its own."""
    made = modules.member(cls, "__init__")
    if not isinstance(made, Definition) or not isinstance(made.node, ast.FunctionDef):
        external = next((base for base in modules.ancestry(cls) if isinstance(base, External)), None)
        return _parts_of(modules, frame, external, call, hops)
    empty = ast.copy_location(ast.Call(func=ast.Name(id="", ctx=ast.Load()), args=[], keywords=[]), made.node)
    inner = bind(modules, made, call or empty, frame)
    for node in ast.walk(made.node):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__":
            if inner is None:
                return None
            words = keywords(node)
            shift = 1 if node.args and _is_self(node.args[0], made.node) else 0
            args = node.args[shift:]
            at = {name: words.get(name, args[place] if len(args) > place else None) for place, name in enumerate(_ARGS)}
            return Parts(inner, at["status_code"], at["detail"], at["headers"])
    return None


def _is_self(node: ast.expr, function: ast.FunctionDef) -> bool:
    given = arguments(function)
    return isinstance(node, ast.Name) and bool(given) and node.id == given[0].arg


def raised_response(modules: Modules, parts: Parts, spot: Spot) -> tuple[CodeResponse, ...]:
    """What FastAPI makes of an `HTTPException`: its detail under `detail`."""
    detail, exact = content_schema(modules, parts.frame, parts.content)
    if parts.content is None:
        detail, exact = {"type": "string"}, True
    schema: Json = {"type": "object", "properties": {"detail": detail}, "required": ["detail"]}
    found = of_parts(modules, parts, "raised", spot, None)
    return tuple(
        replace(one, media_type="application/json", schema=schema, exact=exact)
        if one.status not in NO_BODY
        else replace(one, exact=True)
        for one in found
    )


def plain_text(parts: Iterable[CodeResponse]) -> Iterator[CodeResponse]:
    """What Starlette makes of an `HTTPException`: its detail as plain text."""
    for one in parts:
        yield replace(one, media_type="text/plain", schema=None, exact=False) if one.media_type else one
