"""Responses that are built in the code: `JSONResponse(…)` and its kin, literals, and exceptions with a status."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.annotations import shape_of
from evreview.codefacts.answers import codes_of_value, is_code, names_code
from evreview.codefacts.calls import changed
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.control_flow import Event, Frame, argument_of, bind, events_of, stated_here, value_in, values_in
from evreview.codefacts.model import CodeResponse, Spot
from evreview.codefacts.modules import FUNCTIONS, arguments, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import ABSENT, Json

# Values that the code writes out, dictionaries above all, as JSON Schema.


MAX_LEVELS: Final = 12
_TEXTS: Final = ("str", "format", "join", "isoformat", "strftime", "lower", "upper")


def content_schema(
    modules: Modules, frame: Frame, value: ast.expr | None, levels: int = MAX_LEVELS
) -> tuple[Json, bool]:
    """The schema of a written value and whether that is all there is; None where nothing is known."""
    if value is None or levels <= 0:
        return None, False
    given = argument_of(modules, frame, value)
    if given is not None:
        return content_schema(modules, given[0], given[1], levels - 1)
    known = value_in(modules, frame, value)
    if known is not ABSENT and not isinstance(known, dict | list):
        return {"const": known}, True
    match value:
        case ast.Dict():
            return _object(modules, frame, value, levels)
        case ast.List() | ast.ListComp() | ast.Tuple():
            return {"type": "array"}, False
        case ast.JoinedStr():
            return {"type": "string"}, True
        case ast.IfExp(body=body, orelse=orelse):
            left, right = (content_schema(modules, frame, part, levels - 1) for part in (body, orelse))
            return ({"anyOf": [left[0], right[0]]}, left[1] and right[1]) if left[0] and right[0] else (None, False)
        case ast.Call():
            return _called(modules, frame, value)
        case ast.Name():
            return _named(modules, frame, value, levels)
    return None, False


def _object(modules: Modules, frame: Frame, value: ast.Dict, levels: int) -> tuple[Json, bool]:
    properties: dict[str, Json] = {}
    exact = closed = True
    for key, part in zip(value.keys, value.values, strict=True):
        name = value_in(modules, frame, key) if key is not None else ABSENT
        if not isinstance(name, str) or name is ABSENT:
            exact = closed = False
            continue
        inner, whole = content_schema(modules, frame, part, levels - 1)
        properties[name] = inner if inner is not None else {}
        exact = exact and whole
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    required: list[Json] = list(properties)
    schema |= {"required": required} if required else {}
    # Values may be unknown; which members a literal has is not.
    return (schema | {"additionalProperties": False} if closed else schema), exact


def _called(modules: Modules, frame: Frame, call: ast.Call) -> tuple[Json, bool]:
    """`str(error)` is a text; a model that is made, or dumped, is its members."""
    name = last_name(call.func)
    if name in _TEXTS:
        return {"type": "string"}, True
    made = call
    if name in ("model_dump", "dict", "jsonable_encoder"):
        inner = call.func.value if isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
        if not isinstance(inner, ast.Call):
            return None, False
        made = inner
    found = modules.called(frame.scope, made)
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        shape = shape_of(modules, frame.scope, made.func, "written")
        return (shape.schema, shape.exact) if shape.schema != {} else (None, False)
    return None, False


def _named(modules: Modules, frame: Frame, value: ast.Name, levels: int) -> tuple[Json, bool]:
    found = modules.resolve(frame.scope, value)
    if isinstance(found, Definition) and changed(found):
        return {"type": "object"} if isinstance(found.node, ast.Dict) else None, False
    if isinstance(found, Definition) and isinstance(found.node, ast.Dict | ast.Call | ast.JoinedStr | ast.List):
        inner = Frame(found.scope, frame.given, frame.spot, frame.depth)
        return content_schema(modules, inner, found.node, levels - 1)
    return None, False


def codes_in(
    modules: Modules, frame: Frame, value: ast.expr | None, *, named: bool = False, levels: int = 6
) -> tuple[str, ...]:
    """The error codes in a written value; `named`: it is the value of a member that holds codes."""
    if value is None or levels <= 0:
        return ()
    given = argument_of(modules, frame, value)
    if given is not None:
        return codes_in(modules, *given, named=named, levels=levels - 1)
    known = value_in(modules, frame, value)
    if known is not ABSENT:
        return tuple(dict.fromkeys(codes_of_value(known, named=named)))
    found = (
        codes_in(modules, frame, part, named=inner, levels=levels - 1)
        for part, inner in _parts(modules, frame, value, named)
    )
    return tuple(dict.fromkeys(code for codes in found for code in codes))


def _parts(modules: Modules, frame: Frame, value: ast.expr, named: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The parts of a written value, each with whether it holds codes."""
    match value:
        case ast.Dict(keys=keys, values=parts):
            for key, part in zip(keys, parts, strict=True):
                name = value_in(modules, frame, key) if key is not None else ABSENT
                yield part, isinstance(name, str) and name is not ABSENT and names_code(name)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from ((part, named) for part in parts)
        case ast.IfExp(body=body, orelse=orelse):
            yield from ((body, named), (orelse, named))
        case ast.Call(keywords=words, args=args):
            yield from ((part, named) for part in args)
            yield from ((word.value, names_code(word.arg or "")) for word in words)


def lone_code(modules: Modules, frame: Frame, value: ast.expr | None) -> tuple[str, ...]:
    """The one text that a value is, where it may be a code."""
    known = value_in(modules, frame, value) if value is not None else ABSENT
    return (known,) if isinstance(known, str) and known is not ABSENT and is_code(known) else ()


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
    events = [event for event in events_of(modules, function, inner) if event.kind is ast.Return and event.own]
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
    return value.partition(";")[0].strip() if isinstance(value, str) and value is not ABSENT else ""


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
    return tuple(name for name in names if isinstance(name, str) and name is not ABSENT)


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


# What a plain ASGI class or function answers by itself to an HTTP request, before or instead of what is in it.


_ROUTING: Final = frozenset({"path", "raw_path", "root_path", "method", "query_string", "headers"})
_START: Final = "http.response.start"


@dataclass(frozen=True, slots=True)
class Raw:
    """The answers of such a class, and whether nothing else of it can reach an HTTP request's answer."""

    responses: tuple[CodeResponse, ...]
    whole: bool


def is_raw(method: Definition) -> bool:
    """True for `__call__(self, scope, receive, send)`."""
    return isinstance(method.node, FUNCTIONS) and len(arguments(method.node)) == 4


def raw_answers(modules: Modules, method: Definition, inner: Collection[str] = ()) -> Raw:
    """What the method answers itself; branches that only sockets and start-up take are left out.

    Args:
        inner: of a function, the names of the applications that it hands on to.
    """
    scope = modules.body(method)
    if scope is None or not (inner or is_raw(method)) or not isinstance(method.node, FUNCTIONS):
        return Raw((), False)
    work = _Work(modules, Frame(scope), *(one.arg for one in arguments(method.node)[-3:]))
    work.inner = inner
    work.block(method.node.body)
    return Raw(tuple(work.responses), work.whole and work.passes)


class _Work:
    def __init__(self, modules: Modules, frame: Frame, scope: str, receive: str, send: str) -> None:
        self.modules, self.frame = modules, frame
        self.scope, self.receive, self.send = scope, receive, send
        self.responses: list[CodeResponse] = []
        self.whole, self.passes = True, False
        self.inner: Collection[str] = ()

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Looks at statements; False when they end before the last one for every HTTP request."""
        for statement in body:
            if isinstance(statement, ast.If):
                if not self._branches(statement):
                    return False
                continue
            for node in self._nodes(statement):
                self._node(node)
            if isinstance(statement, ast.Return | ast.Raise):
                return False
            for _, inner in ast.iter_fields(statement):
                if isinstance(inner, list) and inner and isinstance(inner[0], ast.stmt):
                    self.block(inner)
                elif isinstance(inner, list) and inner and isinstance(inner[0], ast.ExceptHandler):
                    for handler in inner:
                        self.block(handler.body)
        return True

    def _branches(self, statement: ast.If) -> bool:
        taken = self._holds(statement.test)
        for node in ast.walk(statement.test):
            self._node(node)
        first = self.block(statement.body) if taken is not False else False
        second = self.block(statement.orelse) if taken is not True else False
        return first or second

    def _holds(self, test: ast.expr) -> bool | None:
        """Whether a test of `scope["type"]` holds for HTTP requests; None for any other test."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                found = [self._holds(one) for one in values]
                return False if False in found else True if all(one is True for one in found) else None
            case ast.BoolOp(op=ast.Or(), values=values):
                found = [self._holds(one) for one in values]
                return True if True in found else False if all(one is False for one in found) else None
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                held = self._holds(inner)
                return None if held is None else not held
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if self._is_type(left):
                if isinstance(operator, ast.Eq | ast.NotEq):
                    value = constant(self.modules, self.frame.scope, right)
                    same = None if value is ABSENT else value == "http"
                    return same if same is None or isinstance(operator, ast.Eq) else not same
                listed = texts(self.modules, self.frame.scope, right)
                inside = None if listed is None else "http" in listed
                return inside if inside is None or isinstance(operator, ast.In) else not inside
            case _:
                return None

    def _is_type(self, node: ast.expr) -> bool:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value="type")):
                return name == self.scope
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value="type"), *_]
            ):
                return name == self.scope
            case ast.Name(id=name):
                found = self.modules.lookup(self.frame.scope, name)
                inner = found.node if isinstance(found, Definition) else None
                return isinstance(inner, ast.Subscript | ast.Call) and self._is_type(inner)
            case _:
                return False

    def _nodes(self, statement: ast.stmt) -> Iterator[ast.AST]:
        """The nodes of a statement, those of an inner function included, without the statements of its blocks."""
        if isinstance(statement, FUNCTIONS):
            yield from ast.walk(statement)
            return
        waiting: list[ast.AST] = [statement]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(
                child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt | ast.ExceptHandler)
            )

    def _node(self, node: ast.AST) -> None:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[message]) if name == self.send:
                self._sent(message)
            case ast.Call(func=ast.Call() as inner) if self._given(node):
                made = built(self.modules, self.frame, inner, self.frame.scope.spot(node))
                self._answered(made)
            case ast.Call(func=ast.Name(id=name)) if name in self.inner:
                self.passes = True
            case ast.Call(func=ast.Name() as named) if self._given(node) and not _is_inner(named):
                self._answered(built(self.modules, self.frame, named, self.frame.scope.spot(node)))
            case ast.Call(func=called) if _is_inner(called):
                self.passes = True
            case ast.Call() if self._given(node):
                self.whole = False
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))]):
                self.whole = self.whole and not (name == self.scope and key in _ROUTING)
            case _:
                return

    def _given(self, call: ast.Call) -> bool:
        handed = [*call.args, *(word.value for word in call.keywords)]
        return any(isinstance(one, ast.Name) and one.id == self.send for one in handed)

    def _answered(self, made: tuple[CodeResponse, ...] | None) -> None:
        if made is None:
            self.whole = False
        else:
            self.responses += [replace(one, how="returned") for one in made]

    def _sent(self, message: ast.expr) -> None:
        """What `await send({"type": "http.response.start", …})` sends; a name hands on what the application sends."""
        if isinstance(message, ast.Name):
            return
        pairs = (
            dict(zip(map(_text, message.keys), message.values, strict=True)) if isinstance(message, ast.Dict) else {}
        )
        kind = _text(pairs.get("type"))
        if kind == _START:
            status = whole(constant(self.modules, self.frame.scope, pairs.get("status")))
            self.whole = self.whole and status is not None
            spot = self.frame.scope.spot(message)
            self.responses.append(CodeResponse(status=status, how="returned", spot=spot))
        elif not kind.startswith(("http.response.", "websocket.", "lifespan.")):
            self.whole = False


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_inner(called: ast.expr) -> bool:
    """`self.app`: the application that the middleware stands around."""
    return isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "self"
