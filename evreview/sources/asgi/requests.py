"""What a handler reads from a request object: headers, query parameters, cookies, the body."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event, Frame, resolved_in, value_in
from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, Location, OpenInput, Spot
from evreview.codefacts.modules import arguments
from evreview.codefacts.names import Modules
from evreview.codefacts.request_mappings import WITHOUT_QUERY, copied_of, uses
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.sources.around_lines import parents
from evreview.sources.resolved import Definition

_PARTS: Final[dict[str, Location]] = {
    "headers": "header", "query_params": "query", "cookies": "cookie", "path_params": "path",
}  # fmt: skip
_PLACES: Final[dict[str, Location]] = {name: place for name, place in _PARTS.items() if place != "path"}
_BODIES: Final = {"json": "application/json", "form": "", "body": "", "stream": ""}
_IN_SCOPE: Final[dict[str, Location]] = {"query_string": "query", "headers": "header"}
_PACKAGES: Final = ("fastapi", "starlette")


@dataclass(slots=True)
class Reads:
    """What is read from request objects."""

    parameters: list[CodeParameter] = field(default_factory=list)
    bodies: list[CodeBody] = field(default_factory=list)
    notes: list[CodeNote] = field(default_factory=list)
    open_inputs: list[OpenInput] = field(default_factory=list)


def request_reads(modules: Modules, frames: Iterable[Frame], assume_first: bool = False) -> Reads:
    """What the functions read from their `Request` parameters; the first one is a request if `assume_first`."""
    reads = Reads()
    for place, frame in enumerate(frames):
        names = dict.fromkeys(_requests(modules, frame, assume_first and place == 0), "")
        names |= _handed(modules, frame, assume_first)
        if not names:
            continue
        for node in ast.walk(frame.scope.node):
            _read(modules, reads, frame, names, node)
            _whole(modules, reads, frame, names, node)
    return reads


def _handed(modules: Modules, frame: Frame, assume_first: bool, hops: int = 4) -> dict[str, str]:
    """Names that stand for a request (""), or for a part of one (`query_params`): arguments given, and local names."""
    found: dict[str, str] = {}
    node = frame.scope.node
    for one in arguments(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ():
        given = frame.given.get(id(one))
        if given is None or hops <= 0:
            continue
        outer = dict.fromkeys(_requests(modules, given[0], assume_first and given[0].depth == 0), "")
        outer |= _handed(modules, given[0], assume_first, hops - 1)
        if isinstance(given[1], ast.Name) and given[1].id in outer:
            found[one.arg] = outer[given[1].id]
        elif _part(given[1], outer) in _PARTS:
            found[one.arg] = _part(given[1], outer)
    own = found | dict.fromkeys(_requests(modules, frame, assume_first and frame.depth == 0), "")
    for name, bound in frame.scope.names.items():
        value = bound[0].node if len(bound) == 1 else None
        if isinstance(value, ast.expr) and not isinstance(value, ast.Name) and _part(value, own) in _PARTS:
            found[name] = _part(value, own)
    return found


def _whole(modules: Modules, reads: Reads, frame: Frame, names: Mapping[str, str], node: ast.AST) -> None:
    """A request, or all its parameters of one place, handed to what is not followed."""
    if isinstance(node, ast.Name) and names.get(node.id) == "" and isinstance(node.ctx, ast.Load):
        places = list(_PLACES.values())
    elif (
        isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load) and _part(node, names) in _PLACES
    ):
        places = [_PLACES[_part(node, names)]]
    else:
        return
    above = parents(modules, frame.scope).get(id(node))
    if isinstance(node, ast.Name) and isinstance(above, ast.Attribute):
        return
    for use in uses(modules, frame, node):
        for name in use.names if len(places) == 1 else ():
            one = CodeParameter(
                name=name, location=places[0], spot=use.spot, required=None, schema={}, exact=False
            )  # fmt: skip
            reads.parameters.append(one)
        said = f"`{ast.unparse(node)[:60]}` is handed on whole, and what reads it is not told"
        reads.open_inputs += [OpenInput(one, use.spot, said) for one in places if use.open]


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


def _part(node: ast.expr, names: Mapping[str, str]) -> str:
    """`headers` of `request.headers`, and of a copy of it: `dict(request.headers)`."""
    copied = copied_of(node)
    if copied is not None:
        return _part(copied, names)
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and names.get(node.value.id) == "":
        return node.attr
    return ""


def _read(modules: Modules, reads: Reads, frame: Frame, names: Mapping[str, str], node: ast.AST) -> None:
    match node:
        case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if _part(value, names) in _PARTS:
            _parameter(modules, reads, frame, (_part(value, names), key, MISSING), node)
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "getlist" as attr), args=[key, *rest]) if (
            _part(value, names) in _PARTS
        ):
            default = constant(modules, frame.scope, rest[0]) if rest and attr == "get" else MISSING
            _parameter(modules, reads, frame, (_part(value, names), key, default), node)
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[value]) if _part(value, names) in _PARTS:
            _parameter(modules, reads, frame, (_part(value, names), key, MISSING), node)
        case ast.Attribute(attr="url" | "scope" as attr) if isinstance(node.value, ast.Name) and _part(node, names):
            _beside(modules, reads, frame, node, attr)
        case ast.Call(func=ast.Attribute(attr=attr) as function) if _part(function, names) in _BODIES:
            spot = frame.scope.spot(node)
            body = CodeBody(media_type=_BODIES[attr], spot=spot, required=None, schema={}, exact=False)
            reads.bodies.append(body)


def _beside(modules: Modules, reads: Reads, frame: Frame, node: ast.Attribute, attr: str) -> None:
    """What stands beside the parts and holds them too: the query in `request.url`, everything in `request.scope`."""
    above = parents(modules, frame.scope).get(id(node))
    if attr == "url" and isinstance(above, ast.Attribute) and above.attr in WITHOUT_QUERY:
        return
    key = above.slice.value if isinstance(above, ast.Subscript) and isinstance(above.slice, ast.Constant) else None
    if attr == "scope" and isinstance(key, str) and key not in _IN_SCOPE:
        return
    places = [_IN_SCOPE[key]] if isinstance(key, str) and key in _IN_SCOPE else list(_PLACES.values())
    places = ["query"] if attr == "url" else places
    found = f"`{ast.unparse(node)[:60]}` holds the parameters too, and what is read of it is not told"
    reads.open_inputs += [OpenInput(one, frame.scope.spot(node), found) for one in places]


def _parameter(modules: Modules, reads: Reads, frame: Frame, read: tuple[str, ast.expr, Form], node: ast.expr) -> None:
    part, key, default = read
    name = value_in(modules, frame, key)
    spot: Spot = frame.scope.spot(node)
    location = _PARTS[part]
    if not isinstance(name, str) or name is MISSING:
        reads.open_inputs.append(OpenInput(location, spot, f"a {location} parameter whose name is not constant"))
        return
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


def hands_response(modules: Modules, event: Event) -> bool:
    """True for a call of what no supplied file holds that gets the `Response` whose status FastAPI sends."""
    call = event.node
    if event.kind is not ast.Call or not isinstance(call, ast.Call):
        return False
    if isinstance(resolved_in(modules, event.frame, call.func), Definition):
        return False
    given = [*call.args, *(word.value for word in call.keywords)]
    return any(
        isinstance(found := modules.resolve(event.frame.scope, one), Definition)
        and isinstance(found.node, ast.arg)
        and modules.is_a(modules.class_of(found), _PACKAGES, "Response")
        for one in given
        if isinstance(one, ast.Name)
    )


def statuses_set(modules: Modules, events: Iterable[Event]) -> Iterator[tuple[Form, Event]]:
    """Statuses assigned to `response.status_code`."""
    for event in events:
        statement = event.statement
        if event.kind is ast.Assign and isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Attribute) and target.attr == "status_code":
                    yield value_in(modules, event.frame, statement.value), event
