"""What a handler reads from a request object: headers, query parameters, cookies, the body."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evreview.sources.constants import constant
from evreview.sources.flow import Event, Frame, value_in
from evreview.sources.model import CodeBody, CodeNote, CodeParameter, Location, Spot
from evreview.sources.modules import arguments
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition
from evreview.vocab import MISSING, Concern, Form

_PARTS: Final[dict[str, Location]] = {
    "headers": "header", "query_params": "query", "cookies": "cookie", "path_params": "path",
}  # fmt: skip
_BODIES: Final = {"json": "application/json", "form": "", "body": "", "stream": ""}
_PACKAGES: Final = ("fastapi", "starlette")


@dataclass(slots=True)
class Reads:
    """What is read from request objects."""

    parameters: list[CodeParameter] = field(default_factory=list)
    bodies: list[CodeBody] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)


def request_reads(modules: Modules, frames: Iterable[Frame], assume_first: bool = False) -> Reads:
    """What the functions read from their `Request` parameters; the first one is a request if `assume_first`."""
    reads = Reads()
    for place, frame in enumerate(frames):
        names = set(_requests(modules, frame, assume_first and place == 0))
        if not names:
            continue
        for node in ast.walk(frame.scope.node):
            _read(modules, reads, frame, names, node)
    return reads


def _requests(modules: Modules, frame: Frame, assume_first: bool) -> Iterator[str]:
    node = frame.scope.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    given = arguments(node)
    for argument in given:
        one = Definition(argument, frame.scope, argument.arg, argument)
        if modules.is_a(modules.class_of(one), _PACKAGES, "Request", "HTTPConnection"):
            yield argument.arg
    plain = [argument for argument in given if not (frame.scope.owner and argument is given[0])]
    if assume_first and plain:
        yield plain[0].arg


def _part(node: ast.expr, names: set[str]) -> str:
    """`headers` of `request.headers`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
        return node.attr
    return ""


def _read(modules: Modules, reads: Reads, frame: Frame, names: set[str], node: ast.AST) -> None:
    match node:
        case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if _part(value, names) in _PARTS:
            _parameter(modules, reads, frame, (_part(value, names), key, MISSING), node)
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "getlist" as attr), args=[key, *rest]) if (
            _part(value, names) in _PARTS
        ):
            default = constant(modules, frame.scope, rest[0]) if rest and attr == "get" else MISSING
            _parameter(modules, reads, frame, (_part(value, names), key, default), node)
        case ast.Call(func=ast.Attribute(attr=attr) as function) if _part(function, names) in _BODIES:
            spot = frame.scope.spot(node)
            body = CodeBody(media_type=_BODIES[attr], spot=spot, required=None, schema={}, exact=False)
            reads.bodies.append(body)


def _parameter(modules: Modules, reads: Reads, frame: Frame, read: tuple[str, ast.expr, Form], node: ast.expr) -> None:
    part, key, default = read
    name = value_in(modules, frame, key)
    if not isinstance(name, str) or name is MISSING:
        return
    spot: Spot = frame.scope.spot(node)
    location = _PARTS[part]
    parameter = CodeParameter(
        name=name, location=location, spot=spot, required=True if location == "path" else None, schema={}, exact=False,
        default=default,
    )  # fmt: skip
    reads.parameters.append(parameter)
    if location == "header" and name.lower() == "idempotency-key":
        reads.notes.append(CodeNote(concern=Concern.IDEMPOTENCY, name=name, spot=spot))


def frames_of(events: Iterable[Event], own: Frame | None) -> list[Frame]:
    """The handler's frame and those of the functions that it calls, each function once."""
    found = {id(own.scope.node): own} if own else {}
    for event in events:
        found.setdefault(id(event.frame.scope.node), event.frame)
    return list(found.values())


def headers_set(modules: Modules, events: Iterable[Event]) -> tuple[tuple[str, Spot], ...]:
    """Headers set on a response object: `response.headers["X"] = …`, `response.set_cookie(…)`, with their lines."""
    found: dict[str, Spot] = {}
    for event in events:
        statement = event.statement
        if event.kind is ast.Assign and isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Subscript) and _is_headers(target.value):
                    name = value_in(modules, event.frame, target.slice)
                    if isinstance(name, str) and name is not MISSING:
                        found.setdefault(name, event.spot)
        elif isinstance(event.node, ast.Call) and _method(event.node) in ("set_cookie", "delete_cookie"):
            found.setdefault("Set-Cookie", event.spot)
    return tuple(found.items())


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_headers(node: ast.expr) -> bool:
    """`response.headers`, and not a header of a request or of a call to elsewhere."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "headers"
        and isinstance(node.value, ast.Name)
        and "request" not in node.value.id.lower()
    )


def statuses_set(modules: Modules, events: Iterable[Event]) -> Iterator[tuple[Form, Event]]:
    """Statuses assigned to `response.status_code`."""
    for event in events:
        statement = event.statement
        if event.kind is ast.Assign and isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and target.attr == "status_code":
                    yield value_in(modules, event.frame, statement.value), event
