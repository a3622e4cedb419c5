"""What Django and REST framework views read and answer."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.answers import UNKNOWN, Literal, literal
from evreview.codefacts.calls import keyword, value_at
from evreview.codefacts.constants import of, whole
from evreview.codefacts.control_flow import Event, Frame, exception_of, value_in
from evreview.codefacts.handlers import Found, is_request
from evreview.codefacts.model import CodeBody, CodeParameter, CodeResponse, Location, UnreadCode
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.raised import untold
from evreview.sources.resolved import Definition, External, Resolved

JSON: Final = "application/json"
HTML: Final = "text/html"
RESPONSES: Final = {
    "HttpResponse": 200, "HttpResponseRedirect": 302, "HttpResponsePermanentRedirect": 301,
    "HttpResponseNotModified": 304, "HttpResponseBadRequest": 400, "HttpResponseNotFound": 404,
    "HttpResponseForbidden": 403, "HttpResponseNotAllowed": 405, "HttpResponseGone": 410,
    "HttpResponseServerError": 500, "StreamingHttpResponse": 200, "FileResponse": 200,
}  # fmt: skip
EXCEPTIONS: Final = {
    "Http404": 404, "PermissionDenied": 403, "SuspiciousOperation": 400, "BadRequest": 400, "ValidationError": 400,
    "ParseError": 400, "AuthenticationFailed": None, "NotAuthenticated": None, "NotFound": 404,
    "MethodNotAllowed": 405, "NotAcceptable": 406, "UnsupportedMediaType": 415, "Throttled": 429, "APIException": 500,
}  # fmt: skip
"""Statuses of exceptions; None for 401 or 403, which depends on the authentication classes."""
_PLACES: Final[dict[str, Location]] = {
    "GET": "query", "query_params": "query", "headers": "header", "COOKIES": "cookie",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DjangoDialect:
    """How views read and answer; `rest` for those of the REST framework."""

    modules: Modules
    rest: bool = False

    def inputs(self, frame: Frame, node: ast.AST, found: Found) -> None:
        """Reads of the request."""
        match node:
            case ast.Subscript(value=ast.Attribute(attr="META") as holder, slice=key):
                self._meta(frame, holder, key, found)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="META") as holder, attr="get"), args=[key, *_]):
                self._meta(frame, holder, key, found)
            case ast.Subscript(value=ast.Attribute() as holder, slice=key, ctx=ast.Load()):
                # A missing key is an error of the server here, no refusal.
                self._named(frame, holder, (key, None), found)
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as holder, attr="get" | "getlist")):
                self._named(frame, holder, (keyword(node, "key", 0), keyword(node, "default", 1)), found)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute() as holder]):
                self._named(frame, holder, (key, None), found)
            case ast.Attribute(attr="data" | "POST" | "FILES" | "body" as attr, value=holder, ctx=ast.Load()):
                self._body(frame, node, holder, attr, found)

    def _body(self, frame: Frame, node: ast.AST, holder: ast.expr, attr: str, found: Found) -> None:
        if (attr == "data" and not self.rest) or not self._is_request(frame, holder) or found.body is not None:
            return
        media = "multipart/form-data" if attr == "FILES" else ""
        spot = frame.scope.spot(node)
        found.body = CodeBody(media_type=media, spot=spot, required=None, schema={}, exact=False)

    def _meta(self, frame: Frame, holder: ast.Attribute, key: ast.expr, found: Found) -> None:
        name = value_in(self.modules, frame, key)
        if self._is_request(frame, holder.value) and isinstance(name, str) and name.startswith("HTTP_"):
            header = name.removeprefix("HTTP_").replace("_", "-").title()
            self._add(frame, holder, (header, "header"), MISSING, found)

    def _named(
        self, frame: Frame, holder: ast.Attribute, read: tuple[ast.expr | None, ast.expr | None], found: Found
    ) -> None:
        place = _PLACES.get(holder.attr)
        if place is None or not self._is_request(frame, holder.value):
            return
        name = value_in(self.modules, frame, read[0])
        if not isinstance(name, str) or name is MISSING:
            spot = frame.scope.spot(holder)
            found.unread.append(UnreadCode(spot, f"a {place} parameter whose name is not constant"))
            return
        default = value_in(self.modules, frame, read[1]) if read[1] is not None else MISSING
        self._add(frame, holder, (name, place), default, found)

    def _add(self, frame: Frame, node: ast.AST, named: tuple[str, Location], default: object, found: Found) -> None:
        stated = default is not MISSING and default is not None
        found.parameter(
            CodeParameter(
                name=named[0], location=named[1], spot=frame.scope.spot(node), required=False if stated else None,
                schema={}, exact=False, default=default if stated else MISSING,  # type: ignore[arg-type]
            )
        )  # fmt: skip

    def _is_request(self, frame: Frame, expression: ast.expr) -> bool:
        """True for a parameter called `request`, what is given for one, and `self.request`."""
        return is_request(self.modules, frame, expression, lambda found: found.name == "request")

    def raised(self, event: Event) -> Iterator[CodeResponse]:
        """The responses of raised exceptions, of `get_object_or_404` and of `is_valid(raise_exception=True)`."""
        if event.kind is ast.Call and isinstance(event.node, ast.Call):
            called = self.modules.called(event.frame.scope, event.node)
            name = event.node.func.attr if isinstance(event.node.func, ast.Attribute) else ""
            missing = isinstance(called, External) and called.last in ("get_object_or_404", "get_list_or_404")
            fetched = name == "get_object" and self.rest and not isinstance(called, Definition)
            strict = value_in(self.modules, event.frame, keyword(event.node, "raise_exception")) is True
            if missing or fetched:
                yield self._failed(event, 404)
            elif name == "is_valid" and self.rest and strict:
                yield self._failed(event, 400)
        elif event.kind is ast.Raise and isinstance(event.node, ast.Raise) and event.node.exc is not None:
            chosen = untold(self.modules, event)
            if chosen is not None:
                yield chosen
            else:
                yield from self._raised(event, exception_of(self.modules, event.frame, event.node.exc))

    def _failed(self, event: Event, status: int | None) -> CodeResponse:
        media = JSON if self.rest else HTML
        return CodeResponse(status=status, how="raised", spot=event.spot, media_type=media)

    def _raised(self, event: Event, cls: Resolved) -> Iterator[CodeResponse]:
        ancestry = self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        for base in ancestry:
            if not isinstance(base, External) or base.last not in EXCEPTIONS:
                continue
            if base.package not in ("django", "rest_framework") or (
                base.package == "django" and base.last == "ValidationError"
            ):
                continue
            status = EXCEPTIONS[base.last]
            if isinstance(cls, Definition):
                status = whole(of(self.modules, self.modules.member(cls, "status_code"))) or status
            yield self._failed(event, status)
            return

    def returned(self, event: Event, events: Sequence[Event]) -> Iterator[CodeResponse]:
        """The response that a return sends."""
        frame, at = value_at(self.modules, event.frame, getattr(event.node, "value", None))
        if at is None:
            return
        found = self.modules.called(frame.scope, at) if isinstance(at, ast.Call) else None
        if not isinstance(at, ast.Call) or not isinstance(found, External):
            if not self._passes_on(event, at):
                yield CodeResponse(status=None, how="returned", spot=event.spot)
            return
        answer = self._called(event, frame, at, found)
        yield answer if answer is not None else CodeResponse(status=None, how="returned", spot=event.spot)

    def _passes_on(self, event: Event, value: ast.expr) -> bool:
        """True for a decorator's `return view(request)` and a middleware's `return self.get_response(request)`."""
        name = value.func if isinstance(value, ast.Call) else None
        if isinstance(name, ast.Attribute):
            return name.attr == "get_response"
        found = self.modules.lookup(event.frame.scope, name.id) if isinstance(name, ast.Name) else None
        return isinstance(found, Definition) and isinstance(found.node, ast.arg)

    def _called(self, event: Event, frame: Frame, call: ast.Call, found: External) -> CodeResponse | None:
        if found.package == "rest_framework" and found.last == "Response":
            return self._made(event, frame, call, (200, JSON, "data"), 1)
        if found.package != "django":
            return None
        if found.last == "JsonResponse":
            return self._made(event, frame, call, (200, JSON, "data"), None)
        if found.last in RESPONSES:
            return self._made(event, frame, call, (RESPONSES[found.last], HTML, ""), 2)
        if found.last == "redirect":
            permanent = value_in(self.modules, frame, keyword(call, "permanent")) is True
            status = 301 if permanent else 302
            return CodeResponse(status=status, how="returned", spot=event.spot, headers=("Location",))
        if found.last == "render":
            return self._made(event, frame, call, (200, HTML, ""), 4)
        return None

    def _made(
        self, event: Event, frame: Frame, call: ast.Call, plain: tuple[int, str, str], place: int | None
    ) -> CodeResponse:
        """A response by its arguments; `plain` is its status, media type and the name of its JSON body."""
        given = keyword(call, "status", place)
        status = plain[0] if given is None else whole(value_in(self.modules, frame, given))
        kind = keyword(call, "content_type")
        media = plain[1] if kind is None else value_in(self.modules, frame, kind)
        text = media.partition(";")[0].strip() if isinstance(media, str) and media is not MISSING else ""
        body = literal(self.modules, frame, keyword(call, plain[2], 0)) if plain[2] else UNKNOWN
        bare = status in (204, 304)
        body = Literal(None, False) if bare else body
        inner, headers = value_at(self.modules, frame, keyword(call, "headers"))
        keys = headers.keys if isinstance(headers, ast.Dict) else []
        names = [value_in(self.modules, inner, key) for key in keys if key is not None]
        return CodeResponse(
            status=status, how="returned", spot=event.spot, media_type="" if bare else text, schema=body.schema,
            exact=body.exact, codes=body.codes if status is None or status >= 400 else (),
            headers=tuple(name for name in names if isinstance(name, str) and name is not MISSING),
        )  # fmt: skip
