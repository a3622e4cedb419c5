"""What a Flask handler returns or aborts with, as responses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.answers import UNKNOWN, Literal, literal, members, untold
from evreview.codefacts.calls import decorators, is_function, keyword, returned, value_at
from evreview.codefacts.constants import constant, of, whole
from evreview.codefacts.control_flow import Event, Frame, events_of, exception_of, is_kind_of, value_in
from evreview.codefacts.model import CodeResponse, Spot
from evreview.codefacts.names import Definition, External, Modules, Resolved
from evreview.core.vocabulary import ABSENT

# Error handlers of Flask apps and blueprints, and what is known of werkzeug's exceptions.


EXCEPTIONS: Final = {
    "BadRequest": 400, "Unauthorized": 401, "Forbidden": 403, "NotFound": 404, "MethodNotAllowed": 405,
    "NotAcceptable": 406, "RequestTimeout": 408, "Conflict": 409, "Gone": 410, "LengthRequired": 411,
    "PreconditionFailed": 412, "RequestEntityTooLarge": 413, "RequestURITooLarge": 414, "UnsupportedMediaType": 415,
    "RequestedRangeNotSatisfiable": 416, "ExpectationFailed": 417, "ImATeapot": 418, "UnprocessableEntity": 422,
    "Locked": 423, "FailedDependency": 424, "PreconditionRequired": 428, "TooManyRequests": 429,
    "RequestHeaderFieldsTooLarge": 431, "UnavailableForLegalReasons": 451, "InternalServerError": 500,
    "NotImplemented": 501, "BadGateway": 502, "ServiceUnavailable": 503, "GatewayTimeout": 504,
    "HTTPVersionNotSupported": 505, "BadRequestKeyError": 400,
}  # fmt: skip
"""Status of each class of `werkzeug.exceptions`."""
_BY_STATUS: Final = {status: name for name, status in reversed(EXCEPTIONS.items())}


@dataclass(frozen=True, slots=True)
class ErrorHandler:
    """One error handler: for a status or a class, by which function, of which app or blueprint."""

    status: int | None
    cls: Resolved
    function: Definition
    owner: int | None


class ErrorHandlers:
    """Every error handler that the supplied files register."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.all: list[ErrorHandler] = []
        for scope, statement in modules.statements():
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                for name, call in decorators(statement):
                    if isinstance(name, ast.Attribute) and name.attr in ("errorhandler", "app_errorhandler") and call:
                        owner = None if name.attr == "app_errorhandler" else modules.resolve(scope, name.value)
                        function = Definition(statement, scope, statement.name, statement)
                        self._add(scope, call.args[:1], function, owner)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                call = statement.value
                if isinstance(call.func, ast.Attribute) and call.func.attr == "register_error_handler":
                    found = modules.resolve(scope, call.args[1]) if len(call.args) > 1 else None
                    if isinstance(found, Definition) and is_function(found):
                        self._add(scope, call.args[:1], found, modules.resolve(scope, call.func.value))

    def _add(self, scope: object, given: list[ast.expr], function: Definition, owner: Resolved) -> None:
        for one in given:
            status = whole(constant(self.modules, scope, one))  # type: ignore[arg-type]
            cls = None if status is not None else self.modules.resolve(scope, one)  # type: ignore[arg-type]
            blueprint = self.modules.is_a(self.modules.class_of(owner), ("flask", "flask_smorest"), "Blueprint")
            key = id(owner.node) if blueprint and isinstance(owner, Definition) else None
            self.all.append(ErrorHandler(status, cls, function, key))

    def for_status(self, status: int, owner: int | None) -> Definition | None:
        """The handler of an aborted status."""
        raised = External(f"werkzeug.exceptions.{_BY_STATUS.get(status, 'HTTPException')}")
        exact = [one for one in self._of(owner) if one.status == status]
        return (exact[0].function if exact else None) or self.for_class(raised, owner)

    def for_class(self, raised: Resolved, owner: int | None) -> Definition | None:
        """The handler of a raised class, that of the nearest class first."""
        ancestry = self.modules.ancestry(raised) if isinstance(raised, Definition) else (raised,)
        for base in ancestry:
            for one in self._of(owner):
                if _same(one.cls, base):
                    return one.function
        status = self.status_of(raised)
        http = [one for one in self._of(owner) if isinstance(one.cls, External) and one.cls.last == "HTTPException"]
        if status is not None and http:
            return http[0].function
        rest = [one for one in self._of(owner) if one.cls is not None and is_kind_of(self.modules, raised, one.cls)]
        return rest[0].function if rest else None

    def status_of(self, raised: Resolved) -> int | None:
        """The status of an HTTP exception, by werkzeug's class or by the `code` that a class states."""
        if isinstance(raised, Definition):
            for base in self.modules.ancestry(raised):
                if isinstance(base, Definition) and self._sets_code(base):
                    return None
                if isinstance(base, External):
                    return self.status_of(base)
                code = whole(of(self.modules, self.modules.member(raised, "code")))
                if code is not None and self.modules.is_a(raised, ("werkzeug",), "HTTPException", *EXCEPTIONS):
                    return code
            return None
        if isinstance(raised, External) and raised.package in ("werkzeug", "flask"):
            return EXCEPTIONS.get(raised.last)
        return None

    def is_answer(self, raised: Resolved) -> bool:
        """True for an HTTP exception of werkzeug's, which Flask answers with its status."""
        return self.modules.is_a(raised, ("werkzeug", "flask"), "HTTPException", *EXCEPTIONS)

    def _sets_code(self, cls: Definition) -> bool:
        """True where objects of a class get a status or an answer of their own: `self.code = code`."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in ("code", "response")
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            for node in ast.walk(cls.node)
        )

    def _of(self, owner: int | None) -> list[ErrorHandler]:
        """The handlers that hold for a blueprint's routes, its own first."""
        return [one for one in self.all if one.owner == owner and owner is not None] + [
            one for one in self.all if one.owner is None
        ]


def _same(left: Resolved, right: Resolved) -> bool:
    if isinstance(left, Definition) and isinstance(right, Definition):
        return left.node is right.node
    return isinstance(left, External) and isinstance(right, External) and left == right


JSON: Final = "application/json"
HTML: Final = "text/html"
_FLASK: Final = ("flask", "werkzeug", "flask_smorest", "flask_restful", "apiflask")
_TEXTS: Final = frozenset({"builtins.str", "builtins.repr", "builtins.ascii", "html.escape", "textwrap.dedent"})
_DUMPING: Final = frozenset({"json", "flask", "simplejson", "ujson", "orjson"})
"""Functions, and packages whose `dumps`, give a text."""
OR_404: Final = frozenset({"get_or_404", "first_or_404", "one_or_404"})
"""Methods of Flask-SQLAlchemy that answer 404 where nothing is found."""
_RESPONSES: Final = ("Response", "JSONResponse", "BaseResponse", "response_class")


class Answers:
    """Reads responses; `owner` is the blueprint whose error handlers hold, None for the app's."""

    def __init__(self, modules: Modules, errors: ErrorHandlers, owner: int | None = None) -> None:
        self.modules = modules
        self.errors = errors
        self.owner = owner
        self._handling = False

    def returned(self, event: Event, events: Sequence[Event]) -> Iterator[CodeResponse]:
        """The response that a return statement sends."""
        value = getattr(event.node, "value", None)
        spot = event.spot
        if value is None:
            return
        answer = self.value(event.frame, value, spot)
        name = value.id if isinstance(value, ast.Name) else ""
        if isinstance(value, ast.Tuple) and value.elts and isinstance(value.elts[0], ast.Name):
            name = value.elts[0].id
        yield final(self._changed(answer, name, event, events) if name else answer)

    def value(self, frame: Frame, expression: ast.expr, spot: Spot) -> CodeResponse:
        """A returned value as Flask turns it into a response."""
        frame, at = value_at(self.modules, frame, expression)
        if isinstance(at, ast.Tuple) and 1 < len(at.elts) < 4:
            answer = self.value(frame, at.elts[0], spot)
            return self._with_rest(frame, answer, at.elts[1:])
        if self._is_text(frame, at):
            return _answer(spot, 200, HTML, UNKNOWN)
        if isinstance(at, ast.Call):
            return self._called(frame, at, spot)
        if isinstance(at, ast.Dict | ast.List | ast.ListComp):
            return _answer(spot, 200, JSON, literal(self.modules, frame, at))
        text = value_in(self.modules, frame, at)
        if isinstance(at, ast.JoinedStr) or (isinstance(text, str) and text is not ABSENT):
            return _answer(spot, 200, HTML, UNKNOWN)
        return _answer(spot, None, "", UNKNOWN)

    def _is_text(self, frame: Frame, node: ast.AST | None) -> bool:
        """True for what surely is a text: `"".join(…)`, `str(…)`, a sum or a filled-in template of texts."""
        match node:
            case ast.JoinedStr() | ast.Constant(value=str()):
                return True
            case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
                return self._is_text(frame, left)
            case ast.Call(func=ast.Attribute(value=holder, attr="join" | "format" | "strip" | "replace")):
                return self._is_text(frame, holder)
            case ast.Call():
                found = self.modules.called(frame.scope, node)
                return isinstance(found, External) and (found.name in _TEXTS or found.of(_DUMPING, "dumps"))
        return False

    def _with_rest(self, frame: Frame, answer: CodeResponse, rest: list[ast.expr]) -> CodeResponse:
        """A body with the status and the headers that stand beside it."""
        for part in rest:
            frame_of, node = value_at(self.modules, frame, part)
            if isinstance(node, ast.Dict):
                names = [value_in(self.modules, frame_of, key) for key in node.keys if key is not None]
                headers = [name for name in names if isinstance(name, str) and name is not ABSENT]
                answer = replace(answer, headers=(*answer.headers, *headers))
            elif not isinstance(node, ast.List | ast.Tuple):
                answer = replace(answer, status=self._status(frame, part))
        return answer

    def _status(self, frame: Frame, expression: ast.expr | None) -> int | None:
        value = value_in(self.modules, frame, expression)
        if isinstance(value, str) and value is not ABSENT and value[:3].isdigit():
            return int(value[:3])
        return whole(value)

    def _called(self, frame: Frame, call: ast.Call, spot: Spot) -> CodeResponse:
        found = self.modules.called(frame.scope, call)
        if not isinstance(found, External):
            return _answer(spot, None, "", UNKNOWN)
        if found.of(_FLASK, "jsonify"):
            return _answer(spot, 200, JSON, self._jsonified(frame, call))
        if found.of(_FLASK, "make_response") and call.args:
            inner = self.value(frame, call.args[0], spot)
            return self._with_rest(frame, inner, call.args[1:])
        if found.of(_FLASK, "redirect"):
            status = keyword(call, "code", 1)
            number = 302 if status is None else self._status(frame, status)
            return replace(_answer(spot, number, HTML, UNKNOWN), headers=("Location",))
        if found.of(_FLASK, *_RESPONSES):
            return self._response(frame, call, spot)
        if found.of(_FLASK, "render_template", "render_template_string"):
            return _answer(spot, 200, HTML, UNKNOWN)
        if found.of(_FLASK, "send_file", "send_from_directory"):
            return _answer(spot, 200, "", UNKNOWN)
        return _answer(spot, None, "", UNKNOWN)

    def _jsonified(self, frame: Frame, call: ast.Call) -> Literal:
        if call.keywords and not call.args:
            return members(self.modules, frame, call)
        if len(call.args) == 1:
            return literal(self.modules, frame, call.args[0])
        return UNKNOWN

    def _response(self, frame: Frame, call: ast.Call, spot: Spot) -> CodeResponse:
        status = keyword(call, "status", 1)
        kind = keyword(call, "mimetype", 3) or keyword(call, "content_type", 4)
        media = HTML if kind is None else value_in(self.modules, frame, kind)
        text = media.partition(";")[0].strip() if isinstance(media, str) and media is not ABSENT else ""
        body = UNKNOWN
        first = keyword(call, "response", 0)
        if isinstance(first, ast.Call) and ast.unparse(first.func) in ("json.dumps", "dumps") and first.args:
            body = literal(self.modules, frame, first.args[0])
        answer = _answer(spot, 200 if status is None else self._status(frame, status), text, body)
        headers = keyword(call, "headers", 2)
        return self._with_rest(frame, answer, [headers]) if isinstance(headers, ast.Dict) else answer

    def _changed(self, answer: CodeResponse, name: str, event: Event, events: Sequence[Event]) -> CodeResponse:
        """The response with what is assigned to its status and headers before."""
        for one in events:
            targets = getattr(one.node, "targets", []) if one.kind is ast.Assign else []
            if one.frame.scope is not event.frame.scope:
                continue
            for target in targets:
                match target:
                    case ast.Attribute(value=ast.Name(id=held), attr="status_code" | "status") if held == name:
                        answer = replace(answer, status=self._status(one.frame, getattr(one.node, "value", None)))
                    case ast.Subscript(value=ast.Attribute(value=ast.Name(id=held), attr="headers"), slice=key):
                        header = value_in(self.modules, one.frame, key)
                        if held == name and isinstance(header, str) and header is not ABSENT:
                            answer = replace(answer, headers=(*answer.headers, header))
        return answer

    def raised(self, event: Event) -> Iterator[CodeResponse]:
        """The responses of a `raise` and of an `abort`."""
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            found = self.modules.called(event.frame.scope, event.node)
            name = event.node.func.attr if isinstance(event.node.func, ast.Attribute) else ""
            if isinstance(found, External) and found.of(_FLASK, "abort"):
                yield from self._aborted(event, event.node, found)
            elif name in OR_404 and not isinstance(found, Definition):
                yield from self.of_status(404, event.spot)
        elif event.kind is ast.Raise and isinstance(event.node, ast.Raise) and event.node.exc is not None:
            chosen, cls = untold(self.modules, event), exception_of(self.modules, event.frame, event.node.exc)
            yield from self._raised(event, cls) if chosen is None else (chosen,)

    def _aborted(self, event: Event, call: ast.Call, found: External) -> Iterator[CodeResponse]:
        given = keyword(call, "http_status_code" if found.package == "flask_smorest" else "code", 0)
        if isinstance(given, ast.Call):
            yield replace(self.value(event.frame, given, event.spot), how="raised")
            return
        status = self._status(event.frame, given)
        media = HTML if found.package in ("flask", "werkzeug") else JSON
        if status is not None:
            yield from self.of_status(status, event.spot, media)
        else:
            yield CodeResponse(status=None, how="raised", spot=event.spot, media_type=media)

    def of_status(self, status: int, spot: Spot, media: str = HTML) -> Iterator[CodeResponse]:
        """What an error of werkzeug with this status is answered with: by its error handler, else by Flask."""
        handler = self.errors.for_status(status, self.owner)
        if handler is not None:
            yield from self.handled(handler, status, None, spot)
        else:
            yield CodeResponse(status=status, how="raised", spot=spot, media_type=media)

    def _raised(self, event: Event, cls: Resolved) -> Iterator[CodeResponse]:
        status = self.errors.status_of(cls)
        handler = self.errors.for_class(cls, self.owner) if cls is not None else None
        if handler is not None:
            yield from self.handled(handler, status, cls, event.spot)
        elif status is not None:
            yield CodeResponse(status=status, how="raised", spot=event.spot, media_type=HTML)
        elif self.errors.is_answer(cls):  # its `code`, or its `response`, is set where nobody can tell
            yield CodeResponse(status=None, how="raised", spot=event.spot)

    def handled(self, handler: Definition, status: int | None, cls: Resolved, spot: Spot) -> Iterator[CodeResponse]:
        """What an error handler answers, at the lines that raise."""
        if self._handling:
            return
        self._handling = True
        events = events_of(self.modules, handler)
        for event in returned(self.modules, events):
            for answer in self.returned(event, events):
                known = answer.status
                if known is None or (known == 200 and not isinstance(getattr(event.node, "value", None), ast.Tuple)):
                    known = self._of_error(event, cls, status) if known is None else known
                yield replace(answer, status=known, how="raised", spot=spot)
        self._handling = False

    def _of_error(self, event: Event, cls: Resolved, status: int | None) -> int | None:
        """The status when it is an attribute of the error: `return {...}, error.code`."""
        value = getattr(event.node, "value", None)
        parts = value.elts[1:] if isinstance(value, ast.Tuple) else []
        for part in parts:
            if isinstance(part, ast.Attribute):
                if part.attr == "code" and status is not None:
                    return status
                if isinstance(cls, Definition):
                    return whole(of(self.modules, self.modules.member(cls, part.attr)))
        return None


def final(answer: CodeResponse) -> CodeResponse:
    """The response once its status is known: a success has no error codes, a 204 has no body."""
    if answer.status is not None and answer.status < 400:
        answer = replace(answer, codes=())
    return replace(answer, media_type="", schema=None, exact=False) if answer.status == 204 else answer


def _answer(spot: Spot, status: int | None, media: str, body: Literal) -> CodeResponse:
    return CodeResponse(
        status=status, how="returned", spot=spot, media_type=media, schema=body.schema, exact=body.exact,
        codes=body.codes,
    )  # fmt: skip
