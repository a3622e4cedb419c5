"""aiohttp routes of the supplied files, with what their handlers and middlewares show.

What an aiohttp handler reads of its request, and what it answers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.aiohttp.routes import (
    PACKAGE,
    VERBS,
    AiohttpOperation,
    Table,
    applications_of,
    read_dispatch,
    read_path,
    routes_of,
)
from evreview.codefacts.answers import UNKNOWN, Literal, literal, untold
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import applied_before, is_function, keyword, value_at
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Event, Frame, conditions, exception_of, own_nodes, parents, value_in
from evreview.codefacts.handlers import (
    RouteFacts,
    Written,
    is_request,
    read_decorator,
    read_gate,
    read_handler,
    with_found,
)
from evreview.codefacts.model import (
    CodeBody,
    CodeFacts,
    CodeNote,
    CodeParameter,
    CodeResponse,
    Location,
    OpenInput,
    Route,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import Scope, calls_in, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered
from evreview.codefacts.request_mappings import WITHOUT_QUERY, copied_of, uses
from evreview.core.vocabulary import ABSENT, Concern

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
        return found if how == "returned" else replace(found, how="raised", models=(), sometimes=())

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


_REGISTERING: Final = (*VERBS, "route", "view")
_LISTS: Final = ("middlewares", "on_response_prepare")
"""What an application runs around its handlers."""
_LOOKING: Final = ("len", "print", "list", "tuple", "sorted", "repr", "str", "bool", "any", "all")
"""Functions that only look at such a list."""
_AROUND: Final = ("__init__", "__await__", "_iter")
"""Methods of a view that run before the one that answers."""
_BASES: Final = ("builtins", "abc", "typing", "aiohttp_cors", "aiohttp_session")
"""Packages whose classes, as bases of a view, refuse nobody."""


def read_aiohttp(modules: Modules) -> CodeFacts:
    """Every route that the files declare, and what could not be read."""
    table = Table(modules)
    routes = [_route(modules, table, one, path, (app, added)) for one, path, app, added in routes_of(table)]
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys(table.unread)))


def _route(modules: Modules, table: Table, one: AiohttpOperation, path: str, at: tuple[int | None, bool]) -> Route:
    found, dialect = RouteFacts(), AiohttpDialect(modules)
    spot = one.function.scope.spot(one.function.node)
    app, added = at
    for outer in _outwards(table, app):
        _of_app(modules, dialect, outer, found)
    for written in applied_before(one.function.node, _REGISTERING):
        if last_name(written[0]) != "middleware":
            read_decorator(modules, dialect, one.function.scope, written, found)
    if one.cls is not None:
        _of_view(modules, dialect, one.cls, found)
    read_handler(modules, dialect, one.function, found)
    if not added:
        found.unread.append(
            UnsupportedCode(
                spot,
                "a route table that no supplied file adds",
                "Supply the file that does.",
                part=UnreadPart.ROUTE_TABLE,
            )
        )
    path, in_path = read_path(path, spot)
    name = one.function.qualname
    route = Route(method=one.method, path=path, handler=name, framework="aiohttp", spot=spot, parameters=in_path)
    return with_found(route, found)


def _outwards(table: Table, app: int | None) -> Iterator[Definition]:
    """The app and those around it; the middlewares of all of them run."""
    for _ in range(10):
        if app is None or app not in table.apps:
            return
        yield table.apps[app]
        app = next((parent for parent, _ in table.parents.get(app, [])), None)


def _of_app(modules: Modules, dialect: AiohttpDialect, app: Definition, found: RouteFacts) -> None:
    """Adds what an application's middlewares refuse, and its limit on request bodies."""
    call = app.node
    if not isinstance(call, ast.Call):
        return
    spot = app.scope.spot(call)
    read_dispatch(modules, dialect, app, found)
    size = keyword(call, "client_max_size")
    value = whole(constant(modules, app.scope, size)) if size is not None else None
    if value is not None:
        found.notes.append(CodeNote(concern=Concern.LIMITS, name="client_max_size", spot=spot, value=value))
    given = keyword(call, "middlewares")
    frame, listed = value_at(modules, Frame(app.scope), given)
    made = modules.called(frame.scope, listed) if isinstance(listed, ast.Call) else None
    inner = modules.body(made) if isinstance(made, Definition) and is_function(made) else None
    values = [one.value for one in own_nodes(inner.node) if isinstance(one, ast.Return)] if inner is not None else []
    if inner is not None and len(values) == 1:  # `middlewares=make_middlewares()`
        frame, listed = value_at(modules, Frame(inner), values[0])
    if given is not None and not isinstance(listed, ast.List | ast.Tuple):
        found.unread.append(
            UnsupportedCode(
                spot, "middlewares that are not listed where the application is made", part=UnreadPart.MIDDLEWARE
            )
        )
    for one in listed.elts if isinstance(listed, ast.List | ast.Tuple) else ():
        _middleware(modules, dialect, (frame.scope, one), found)
    found.unread += _handed_on(modules, app)
    for scope, one, sure, name in _added_later(modules, app, found):
        since = len(found.guards)
        _middleware(modules, dialect, (scope, one), found, answers=name == "middlewares")
        if not sure:
            spots = (scope.spot(one),)
            found.guards[since:] = [replace(each, unless=(*each.unless, *spots)) for each in found.guards[since:]]


def _middleware(
    modules: Modules, dialect: AiohttpDialect, at: tuple[Scope, ast.expr], found: RouteFacts, answers: bool = True
) -> None:
    scope, one = at
    middleware, text = modules.resolve(scope, one), ast.unparse(one)[:80]
    if isinstance(middleware, Definition) and is_function(middleware):
        read_gate(modules, dialect, [middleware], Written(text, scope.spot(one), answers=answers), found)
        if not answers and any(last_name(each.func) == "set_status" for each in calls_in(middleware.node)):
            found.unread.append(UnsupportedCode(scope.spot(one), f"a status that the hook `{text}` sets"))
    else:
        unread = UnsupportedCode(
            scope.spot(one), f"the middleware `{text}`", "Supply the file that defines it.", part=UnreadPart.MIDDLEWARE
        )
        found.unread.append(unread)


def _added_later(modules: Modules, app: Definition, found: RouteFacts) -> Iterator[tuple[Scope, ast.expr, bool, str]]:
    """What is added to the middlewares and the hooks of an application after it was made, here or in a helper.

    Each with whether it surely is, and the list that it is added to; `found` gets what can't be told.
    """
    for scope, statement, written, values in _adding(modules):
        holders = applications_of(modules, scope, written.value)
        if holders is None:
            if _may_be(modules, scope, written.value):
                text = f"`{ast.unparse(statement)[:100]}`, of an application that can't be told"
                found.unread.append(UnsupportedCode(scope.spot(statement), text, "Supply the file that makes it."))
            continue
        at = [sure for one, sure in holders if one.node is app.node]
        if not at:
            continue
        certain = all(at) and not any(conditions(modules, scope, statement))
        for value in values:
            listed = parts_of(modules, scope, value)
            if not listed.whole:
                found.unread.append(
                    UnsupportedCode(
                        scope.spot(statement), "middlewares that can't be told one by one", part=UnreadPart.MIDDLEWARE
                    )
                )
            yield from ((where, part, sure and certain, written.attr) for where, part, sure in listed.parts)


def _handed_on(modules: Modules, app: Definition) -> Iterator[UnsupportedCode]:
    """Where such a list of the application is taken away: whoever holds it may add to it."""
    for scope, statement, held in remembered(modules, "lists of aiohttp handed on", lambda: tuple(_each_list(modules))):
        holders = applications_of(modules, scope, held.value)
        told = holders is not None and all(one.node is not app.node for one, _ in holders)
        if not told and (holders is not None or _may_be(modules, scope, held.value)):
            text = f"`{ast.unparse(statement)[:100]}`, which takes the list away"
            advice = "Add to it by the application's own name, or list all where the application is made."
            yield UnsupportedCode(scope.spot(statement), text, advice)


def _each_list(modules: Modules) -> Iterator[tuple[Scope, ast.stmt, ast.Attribute]]:
    kept = {id(held) for _, _, held, _ in _adding(modules)}
    for scope, statement in modules.statements():
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return):
            kept |= {id(each) for call in calls_in(statement) if last_name(call.func) in _LOOKING for each in call.args}
            for node in ast.walk(statement):
                if isinstance(node, ast.Attribute) and node.attr in _LISTS and id(node) not in kept:
                    yield scope, statement, node


def _may_be(modules: Modules, scope: Scope, holder: ast.expr) -> bool:
    """True for what may be an application that can't be told: an argument, or nothing that a file defines."""
    found = modules.resolve(scope, holder)
    return found is None or (isinstance(found, Definition) and isinstance(found.node, ast.arg | ast.Call))


_Adding = tuple[Scope, ast.stmt, ast.Attribute, list[ast.expr]]


def _adding(modules: Modules) -> tuple[_Adding, ...]:
    """The statements that add to such a list: the list, and lists of what is added."""
    return remembered(modules, "added to aiohttp applications", lambda: tuple(_each_adding(modules)))


def _each_adding(modules: Modules) -> Iterator[_Adding]:
    for scope, statement in modules.statements():
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr=attr) as held, attr=how), args=[*_, last])
            ) if attr in _LISTS:
                values: list[ast.expr] = (
                    [last] if how == "extend" else [ast.copy_location(ast.List([last], ast.Load()), last)]
                )
            case ast.AugAssign(target=ast.Attribute(attr=attr) as held, value=value) if attr in _LISTS:
                values = [value]
            case _:
                continue
        yield scope, statement, held, values


def _of_view(modules: Modules, dialect: AiohttpDialect, cls: Definition, found: RouteFacts) -> None:
    """What the class of a view does around its methods: decorators, `_iter` and its kin, bases that nobody supplied."""
    for written in applied_before(cls.node, _REGISTERING):
        read_decorator(modules, dialect, cls.scope, written, found)
    for name in _AROUND:
        method = modules.member(cls, name)
        if isinstance(method, Definition) and is_function(method):
            spot = method.scope.spot(method.node)
            read_gate(modules, dialect, [method], Written(method.qualname, spot, answers=name == "_iter"), found)
    for base in modules.ancestry(cls):
        if isinstance(base, External) and base.package in (*PACKAGE, *_BASES):
            continue
        if not isinstance(base, Definition):
            text = f"`{base.name if isinstance(base, External) else 'a base'}`, a base of the view"
            found.unread.append(UnsupportedCode(cls.scope.spot(cls.node), text, "Supply the file that defines it."))
