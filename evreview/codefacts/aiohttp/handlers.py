"""What an aiohttp handler reads of its request, and what it answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.answers import UNKNOWN, Literal, literal, untold
from evreview.codefacts.calls import keyword, value_at
from evreview.codefacts.constants import whole
from evreview.codefacts.control_flow import Event, Frame, exception_of, parents, value_in
from evreview.codefacts.handlers import RouteFacts, is_request
from evreview.codefacts.model import CodeBody, CodeParameter, CodeResponse, Location, OpenInput, Spot
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.request_mappings import WITHOUT_QUERY, copied_of, uses
from evreview.core.vocabulary import ABSENT

JSON: Final = "application/json"
TEXT: Final = "text/plain"
STATUSES: Final = {
    "HTTPOk": 200, "HTTPCreated": 201, "HTTPAccepted": 202, "HTTPNonAuthoritativeInformation": 203,
    "HTTPNoContent": 204, "HTTPResetContent": 205, "HTTPPartialContent": 206, "HTTPMultipleChoices": 300,
    "HTTPMovedPermanently": 301, "HTTPFound": 302, "HTTPSeeOther": 303, "HTTPNotModified": 304,
    "HTTPTemporaryRedirect": 307, "HTTPPermanentRedirect": 308, "HTTPBadRequest": 400, "HTTPUnauthorized": 401,
    "HTTPPaymentRequired": 402, "HTTPForbidden": 403, "HTTPNotFound": 404, "HTTPMethodNotAllowed": 405,
    "HTTPNotAcceptable": 406, "HTTPRequestTimeout": 408, "HTTPConflict": 409, "HTTPGone": 410,
    "HTTPLengthRequired": 411, "HTTPPreconditionFailed": 412, "HTTPRequestEntityTooLarge": 413,
    "HTTPRequestURITooLong": 414, "HTTPUnsupportedMediaType": 415, "HTTPRequestRangeNotSatisfiable": 416,
    "HTTPExpectationFailed": 417, "HTTPMisdirectedRequest": 421, "HTTPUnprocessableEntity": 422,
    "HTTPFailedDependency": 424, "HTTPUpgradeRequired": 426, "HTTPPreconditionRequired": 428,
    "HTTPTooManyRequests": 429, "HTTPRequestHeaderFieldsTooLarge": 431, "HTTPUnavailableForLegalReasons": 451,
    "HTTPInternalServerError": 500, "HTTPNotImplemented": 501, "HTTPBadGateway": 502, "HTTPServiceUnavailable": 503,
    "HTTPGatewayTimeout": 504, "HTTPVersionNotSupported": 505, "HTTPInsufficientStorage": 507,
}  # fmt: skip
"""Status of each of `aiohttp.web`'s exceptions."""
_PLACES: Final[dict[str, Location]] = {"query": "query", "headers": "header", "cookies": "cookie", "match_info": "path"}
_WITH_QUERY: Final = frozenset({"query_string", "url", "rel_url", "path_qs", "raw_path"})
"""What of a request holds the query as a text."""
_HEADERS_DICT: Final = "headers"


@dataclass(frozen=True, slots=True)
class AiohttpDialect:
    """How aiohttp handlers read and answer."""

    modules: Modules

    def inputs(self, frame: Frame, node: ast.AST, found: RouteFacts) -> None:
        """Reads of the request."""
        match node:
            case ast.Attribute(ctx=ast.Load()) | ast.Name(ctx=ast.Load()):
                self._whole(frame, node, found)
            case ast.Subscript(value=holder, slice=key, ctx=ast.Load()):
                # A missing key is an error of the server here, no refusal; so it is not told whether it is required.
                self._named(frame, holder, key, None, found)
            case ast.Call(func=ast.Attribute(value=holder, attr="get" | "getall" | "getone")):
                self._named(frame, holder, keyword(node, "key", 0), keyword(node, "default", 1), found)
            case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[holder]):
                self._named(frame, holder, key, None, found)
            case ast.Call(
                func=ast.Attribute(value=holder, attr="json" | "post" | "multipart" | "read" | "text" as how)
            ):
                if self._is_request(frame, holder) and found.body is None:
                    media = {"json": JSON, "post": "", "multipart": "multipart/form-data"}.get(how, "")
                    spot = frame.scope.spot(node)
                    found.body = CodeBody(media_type=media, spot=spot)

    def _named(
        self, frame: Frame, holder: ast.expr, key: ast.expr | None, given: ast.expr | None, found: RouteFacts
    ) -> None:
        place = self._place(frame, holder)
        if place is None or place == "path":
            return
        name = value_in(self.modules, frame, key)
        spot = frame.scope.spot(holder)
        if not isinstance(name, str) or name is ABSENT:
            found.open_inputs.append(OpenInput(place, spot, f"a {place} parameter whose name is not constant"))
            return
        default = value_in(self.modules, frame, given) if given is not None else ABSENT
        found.parameter(CodeParameter.looked_up(name, place, spot, default))

    def _whole(self, frame: Frame, node: ast.Attribute | ast.Name, found: RouteFacts) -> None:
        """Parameters that are taken at once, and not by their names."""
        place = self._place(frame, node)
        if isinstance(node, ast.Attribute) and node.attr in _WITH_QUERY and self._is_request(frame, node.value):
            above = parents(self.modules, frame.scope).get(id(node))
            known = isinstance(above, ast.Attribute) and (above.attr in WITHOUT_QUERY or above.attr in _PLACES)
            place = None if known else "query"
        elif place is not None:
            each = list(uses(self.modules, frame, node))
            named = [(name, use.spot) for use in each for name in use.names if place != "path"]
            for name, spot in named:
                found.parameter(CodeParameter(name=name, location=place, spot=spot))
            if not any(use.open for use in each):
                return
        if place is not None and place != "path":
            said = f"`{ast.unparse(node)[:60]}` is handed on whole, and what reads it is not told"
            found.open_inputs.append(OpenInput(place, frame.scope.spot(node), said))

    def _place(self, frame: Frame, holder: ast.expr, hops: int = 6) -> Location | None:
        copied = copied_of(holder)
        if copied is not None and hops > 0:
            return self._place(frame, copied, hops - 1)
        if isinstance(holder, ast.Name) and hops > 0:
            bound = frame.scope.names.get(holder.id, [])
            if len(bound) == 1 and isinstance(bound[0].node, ast.Attribute | ast.Call | ast.Dict):
                return self._place(frame, bound[0].node, hops - 1)
        if not isinstance(holder, ast.Attribute):
            return None
        inner = holder.value
        if isinstance(inner, ast.Attribute) and inner.attr in ("rel_url", "url"):
            inner = inner.value
        return _PLACES.get(holder.attr) if self._is_request(frame, inner) else None

    def _is_request(self, frame: Frame, expression: ast.expr) -> bool:
        """True for the handler's first parameter, `self.request`, and what is annotated as a request."""

        def accepts(found: Definition) -> bool:
            return found.name == "request" or self.modules.is_a(self.modules.class_of(found), ("aiohttp",), "Request")

        return is_request(self.modules, frame, expression, accepts)

    def raised(self, event: Event) -> Iterator[CodeResponse]:
        """The responses of raised HTTP exceptions."""
        if event.kind is not ast.Raise or not isinstance(event.node, ast.Raise) or event.node.exc is None:
            return
        chosen = untold(self.modules, event)
        if chosen is not None:
            yield chosen
            return
        cls = exception_of(self.modules, event.frame, event.node.exc)
        for base in self.modules.ancestry(cls) if isinstance(cls, Definition) else (cls,):
            if isinstance(base, External) and base.package == "aiohttp" and base.last in STATUSES:
                call = event.node.exc if isinstance(event.node.exc, ast.Call) else None
                yield self._exception(event.frame, call, base.last, event.spot, "raised")
                return
            if isinstance(base, External) and base.package == "aiohttp" and base.last.startswith("HTTP"):
                yield CodeResponse(status=None, how="raised", spot=event.spot)  # a base, whose subclass states it
                return

    def returned(self, event: Event, events: Sequence[Event]) -> Iterator[CodeResponse]:
        """The response that a return sends."""
        frame, at = value_at(self.modules, event.frame, getattr(event.node, "value", None))
        found = self.modules.called(frame.scope, at) if isinstance(at, ast.Call) else None
        if at is None or self._passes_on(event, at):
            return
        if isinstance(at, ast.Call) and isinstance(found, External) and found.package == "aiohttp":
            if found.last == "json_response":
                yield self._response(frame, at, event.spot, JSON)
                return
            if found.last in ("Response", "StreamResponse", "FileResponse"):
                yield self._response(frame, at, event.spot, TEXT if found.last == "Response" else "")
                return
            if found.last in STATUSES:
                yield self._exception(frame, at, found.last, event.spot, "returned")
                return
        yield CodeResponse(status=None, how="returned", spot=event.spot)

    def _passes_on(self, event: Event, value: ast.expr) -> bool:
        """True for a middleware's `return await handler(request)`."""
        name = value.func if isinstance(value, ast.Call) else None
        found = self.modules.lookup(event.frame.scope, name.id) if isinstance(name, ast.Name) else None
        return isinstance(found, Definition) and isinstance(found.node, ast.arg)

    def _response(self, frame: Frame, call: ast.Call, spot: Spot, plain: str) -> CodeResponse:
        given = keyword(call, "status")
        status = 200 if given is None else whole(value_in(self.modules, frame, given))
        body = literal(self.modules, frame, keyword(call, "data", 0)) if plain == JSON else UNKNOWN
        media = self._media(frame, call, plain)
        if plain == TEXT and keyword(call, "text") is None and keyword(call, "content_type") is None:
            media = "" if keyword(call, "body") is None else "application/octet-stream"
        return _answer(spot, status, media, body, self._headers(frame, call))

    def _exception(self, frame: Frame, call: ast.Call | None, name: str, spot: Spot, how: str) -> CodeResponse:
        status = STATUSES[name]
        text = keyword(call, "text") if call is not None else None
        media = self._media(frame, call, TEXT) if call is not None else TEXT
        body = UNKNOWN
        if isinstance(text, ast.Call) and ast.unparse(text.func) in ("json.dumps", "dumps") and text.args:
            body = literal(self.modules, frame, text.args[0])
        headers = self._headers(frame, call) if call is not None else ()
        found = _answer(spot, status, media, body, headers)
        return found if how == "returned" else _raised(found)

    def _media(self, frame: Frame, call: ast.Call, plain: str) -> str:
        given = keyword(call, "content_type")
        value = plain if given is None else value_in(self.modules, frame, given)
        return value.partition(";")[0].strip() if isinstance(value, str) and value is not ABSENT else ""

    def _headers(self, frame: Frame, call: ast.Call) -> tuple[str, ...]:
        inner, node = value_at(self.modules, frame, keyword(call, _HEADERS_DICT))
        keys = node.keys if isinstance(node, ast.Dict) else []
        names = [value_in(self.modules, inner, key) for key in keys if key is not None]
        return tuple(name for name in names if isinstance(name, str) and name is not ABSENT)


def _answer(spot: Spot, status: int | None, media: str, body: Literal, headers: tuple[str, ...]) -> CodeResponse:
    bare = status in (204, 304)
    return CodeResponse(
        status=status, how="returned", spot=spot, media_type="" if bare else media, headers=headers,
        schema=None if bare else body.schema, exact=body.exact and not bare,
        codes=body.codes if status is None or status >= 400 else (),
    )  # fmt: skip


def _raised(answer: CodeResponse) -> CodeResponse:
    return replace(answer, how="raised", models=(), sometimes=())
