"""The routes of Starlette applications: `Route`, `Mount` and `Router` lists, endpoint functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.answers import side_effects
from evreview.codefacts.asgi.apps import PLAIN, Holder, RouterPath, Site, reaches, registrations, site_of
from evreview.codefacts.asgi.fastapi import CONVERTER
from evreview.codefacts.asgi.guards import (
    add_middleware,
    handlers_of,
    listed_middleware,
    signed_in,
    take_decorators,
    take_wraps,
    wrapping,
)
from evreview.codefacts.asgi.inputs import frames_of, headers_set, notes_of_pages, request_reads
from evreview.codefacts.asgi.outcomes import Handler, Outcomes, checks_before, lookups, raises, returns
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import Wrap, function_named, unwrapped
from evreview.codefacts.constants import constant, texts
from evreview.codefacts.control_flow import Frame, events_of, stores
from evreview.codefacts.guards.inline import inline_guards
from evreview.codefacts.handlers import caps, once
from evreview.codefacts.model import CodeFacts, CodeNote, CodeParameter, Route, RouteIdentity, Spot, UnsupportedCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Definition, External, Modules
from evreview.codefacts.schema_reading import Schema, keywords
from evreview.core.vocabulary import ABSENT, Concern, Json

_PACKAGE: Final = ("starlette", "fastapi")
_VERBS: Final = ("get", "post", "put", "delete", "patch", "options", "head")
_DISPATCHING: Final = ("dispatch", "__init__", "__await__", "__call__")
"""Methods of an endpoint's class that run before the one that answers."""
_BASES: Final = ("starlette", "fastapi", "builtins", "abc", "typing")
"""Packages whose classes, as bases of an endpoint, refuse nobody."""
MAX_MOUNTS: Final = 25
CONVERTED: Final[dict[str, Schema]] = {
    "": {"type": "string"}, "str": {"type": "string"}, "path": {"type": "string"},
    "int": {"type": "integer", "minimum": 0}, "float": {"type": "number", "minimum": 0},
    "uuid": {"type": "string", "format": "uuid"},
}  # fmt: skip
"""What each path converter of Starlette lets through."""


StatedMiddleware = tuple[Scope, ast.expr | None]
"""A list of middleware that a mount, router or route states for itself."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedRoute:
    """One `Route(…)` of a list, with the path of the mounts around it, and the middleware that these state.

    Attributes:
        gates: middleware that is called on what is mounted: `Mount("/x", Gate(inner))`.
        wraps: decorators that are called on the endpoint.
        sure: False where a condition decides whether it is in the list.
        before: what the class of the endpoint runs before its method, and is not read.
    """

    prefix: str
    call: ast.Call
    scope: Scope
    apps: tuple[Holder, ...]
    around: tuple[StatedMiddleware, ...] = ()
    gates: tuple[tuple[Scope, ast.Call], ...] = ()
    wraps: tuple[Wrap, ...] = ()
    sure: bool = True
    before: tuple[UnsupportedCode, ...] = ()


def read_starlette(modules: Modules) -> CodeFacts:
    """Every route of every Starlette application, and what could not be read."""
    site = site_of(modules)
    unread: list[UnsupportedCode] = []
    found: list[tuple[RouterPath, list[Route]]] = []
    for reach in reaches(modules, site):
        if "{?}" not in reach.prefix:
            found.append((reach, list(_of_holder(modules, site, reach, unread))))
    routes = [route for reach, own in found if id(reach.outer[0].call) not in site.listed for route in own]
    return CodeFacts(routes=tuple(routes), unread=tuple(unread))


def _of_holder(modules: Modules, site: Site, reach: RouterPath, unread: list[UnsupportedCode]) -> Iterator[Route]:
    holder = reach.holder
    apps = tuple(one for one in reach.outer if one.is_app)
    given = holder.words.get("routes", holder.call.args[0] if holder.call.args and not holder.fast else None)
    for scope, call, sure in _calls(modules, holder.scope, given, unread):
        listed = ListedRoute(reach.prefix, call, scope, apps, sure=sure)
        yield from _of_call(modules, site, listed, unread, MAX_MOUNTS)
    for use in site.uses:
        if use.holder is not holder or (holder.fast and use.name not in PLAIN):
            continue
        for one in registrations(modules, use, unread):
            path = reach.prefix + one.path
            for method in one.methods:
                listed = ListedRoute(reach.prefix, use.call, use.scope, apps, wraps=one.wraps)
                yield _route(modules, site, listed, (method, path, one.spot), one.handler)


def _calls(
    modules: Modules, scope: Scope, given: ast.expr | None, unread: list[UnsupportedCode]
) -> Iterator[tuple[Scope, ast.Call, bool]]:
    """The calls in a list of routes, and whether each surely is in it."""
    if given is None:
        return
    listed = parts_of(modules, scope, given)
    for at, part, sure in listed.parts:
        if isinstance(part, ast.Call):
            yield at, part, sure
        else:
            unread.append(UnsupportedCode(at.spot(part), "a route that can't be told", "Declare it with a quote."))
    if not listed.whole:
        unread.append(UnsupportedCode(scope.spot(given), "a list of routes that can't be told", "Declare the routes."))


def _of_call(
    modules: Modules, site: Site, one: ListedRoute, unread: list[UnsupportedCode], hops: int
) -> Iterator[Route]:
    called = modules.called(one.scope, one.call)
    name = called.last if isinstance(called, External) and called.package in _PACKAGE else ""
    words = keywords(one.call)
    spot = one.scope.spot(one.call)
    path = constant(modules, one.scope, words.get("path", one.call.args[0] if one.call.args else None))
    if name in ("WebSocketRoute", "APIWebSocketRoute"):
        unread.append(UnsupportedCode(spot, "a WebSocket route, which is no HTTP operation", ""))
    elif name not in ("Route", "Mount") or not isinstance(path, str) or path is ABSENT:
        unread.append(UnsupportedCode(spot, "a route that can't be told", "Declare it with a quote."))
    elif name == "Mount":
        yield from _mounted(modules, site, one, (path, words, hops), unread)
    else:
        yield from _listed_route(modules, site, one, (path, words), unread)


def _mounted(
    modules: Modules,
    site: Site,
    one: ListedRoute,
    stated: tuple[str, dict[str, ast.expr], int],
    unread: list[UnsupportedCode],
) -> Iterator[Route]:
    path, words, hops = stated
    prefix = one.prefix + path.rstrip("/")
    given = words.get("routes")
    if given is not None and hops > 0:
        around = (*one.around, (one.scope, words.get("middleware")))
        for scope, call, sure in _calls(modules, one.scope, given, unread):
            inside = replace(one, prefix=prefix, call=call, scope=scope, around=around, sure=one.sure and sure)
            yield from _of_call(modules, site, inside, unread, hops - 1)
        return
    app = words.get("app", one.call.args[1] if len(one.call.args) > 1 else None)
    gates, app = _gates(modules, site, one.scope, app)
    found = modules.resolve(one.scope, app) if app is not None else None
    node = found.node if isinstance(found, Definition) else app
    holder = site.holders.get(id(node))
    if holder is not None and holder.fast and not gates:  # its routes are read with what it is mounted on
        return
    if holder is not None and not holder.fast and hops > 0:
        site.listed.add(id(holder.call))
        inner = holder.words.get("routes", holder.call.args[0] if holder.call.args else None)
        apps = (*one.apps, holder) if holder.is_app else one.apps
        around = (*one.around, (one.scope, words.get("middleware")))
        if not holder.is_app:
            around = (*around, (holder.scope, holder.words.get("middleware")))
        for scope, call, sure in _calls(modules, holder.scope, inner, unread):
            inside = ListedRoute(prefix, call, scope, apps, around, (*one.gates, *gates), sure=one.sure and sure)
            yield from _of_call(modules, site, inside, unread, hops - 1)
        return
    spot = one.scope.spot(one.call)
    unread.append(UnsupportedCode(spot, f"what is mounted at `{prefix}`", "Supply the file that makes it."))


def _gates(
    modules: Modules, site: Site, scope: Scope, app: ast.expr | None
) -> tuple[tuple[tuple[Scope, ast.Call], ...], ast.expr | None]:
    """The middleware that is called on an application, outermost first, and the application."""
    found: list[tuple[Scope, ast.Call]] = []
    while len(found) < MAX_MOUNTS:
        known = modules.resolve(scope, app) if isinstance(app, ast.Name | ast.Attribute) else None
        node = known.node if isinstance(known, Definition) else app
        given = keywords(node).get("app", node.args[0] if node.args else None) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or id(node) in site.holders or given is None:
            break
        scope = known.scope if isinstance(known, Definition) else scope
        found.append((scope, node))
        app = given
    return tuple(found), app


def _listed_route(
    modules: Modules,
    site: Site,
    one: ListedRoute,
    stated: tuple[str, dict[str, ast.expr]],
    unread: list[UnsupportedCode],
) -> Iterator[Route]:
    path, words = stated
    spot = one.scope.spot(one.call)
    given = words.get("endpoint", one.call.args[1] if len(one.call.args) > 1 else None)
    handler, wraps = unwrapped(modules, (one.scope, given), lambda at, node: function_named(modules, at, node))
    if handler is None:
        word = ast.unparse(given)[:100] if given is not None else path
        unread.append(
            UnsupportedCode(spot, f"the endpoint `{word}`, which no supplied file defines", "Supply the file.")
        )
        return
    whole = one.prefix + path
    listed = replace(one, around=(*one.around, (one.scope, words.get("middleware"))), wraps=wraps)
    if isinstance(handler.node, ast.ClassDef):
        listed = replace(listed, before=tuple(_before(modules, handler, handler.node)))
        for verb in _VERBS:
            method = modules.member(handler, verb)
            if isinstance(method, Definition):
                yield _route(modules, site, listed, (verb.upper(), whole, spot), method)
        return
    methods = texts(modules, one.scope, words["methods"]) if "methods" in words else ("GET",)
    if methods is None:
        unread.append(UnsupportedCode(spot, "methods that are not constant", "Declare the route with a quote."))
    for name in methods or ():
        yield _route(modules, site, listed, (name.upper(), whole, spot), handler)


def _before(modules: Modules, cls: Definition, node: ast.ClassDef) -> Iterator[UnsupportedCode]:
    """What an endpoint's class does before its method: a `dispatch` of its own, decorators, bases nobody supplied."""
    for name in _DISPATCHING:
        method = modules.member(cls, name)
        if isinstance(method, Definition):
            found = f"`{method.qualname}`, which runs before the method that answers"
            yield UnsupportedCode(method.scope.spot(method.node), found, "State what it refuses, or guard the methods.")
    for decorator in node.decorator_list:
        found = f"`{ast.unparse(decorator)[:100]}`, which decorates the endpoint's class"
        yield UnsupportedCode(cls.scope.spot(decorator), found, "Decorate the methods.")
    for base in modules.ancestry(cls):
        if not isinstance(base, Definition) and not (isinstance(base, External) and base.package in _BASES):
            name = base.name if isinstance(base, External) else "a base"
            yield UnsupportedCode(
                cls.scope.spot(node), f"`{name}`, a base of the endpoint", "Supply the file that defines it."
            )


def _route(
    modules: Modules, site: Site, listed: ListedRoute, stated: tuple[str, str, Spot], handler: Definition
) -> Route:
    method, path, spot = stated
    apps, call = listed.apps, listed.call
    app = apps[-1] if apps else None
    handlers: Sequence[Handler] = handlers_of(modules, site, app)
    told = RouteIdentity(method, CONVERTER.sub(r"{\1}", path) or "/")
    out = Outcomes(plain=app is None or not app.fast, told=told)
    out.unread += listed.before
    guards = [*add_middleware(modules, site, apps, handlers, out)]
    for at, given in listed.around:
        guards += listed_middleware(modules, at, given, handlers, out)
    for at, gate in listed.gates:
        guards += wrapping(modules, at, gate, handlers, out)
    if not listed.sure:
        out.unread.append(
            UnsupportedCode(spot, "a route that a condition adds", "Declare it with a quote.", composed=True)
        )
    guards += take_wraps(modules, listed.wraps, handlers, out)
    guards += take_decorators(modules, handler, call, handlers, out)
    guards = signed_in(guards)
    events = events_of(modules, handler)
    made, plain = returns(modules, events)
    out.responses += [*made]
    for name, where in headers_set(modules, events):
        out.notes.append(CodeNote(concern=Concern.HEADERS, name=name, spot=where))
    for event in plain:
        found = "a returned value that is no response whose class is known"
        out.unread.append(UnsupportedCode(event.spot, found, "Declare the response with a quote."))
    raised = raises(modules, events, handlers, out)
    lookups(modules, handler, events, handlers, out)
    guards += inline_guards(modules, events, (*made, *raised))
    scope = modules.body(handler)
    reads = request_reads(modules, frames_of(events, Frame(scope) if scope else None), assume_first=True)
    parameters = [*path_parameters(path, spot), *(one for one in reads.parameters if one.location != "path")]
    out.notes += [*reads.notes, *notes_of_pages(parameters), *side_effects(modules, events)]
    out.notes += [*stores(modules, events), *caps(modules, events), *checks_before(modules, events, made)]
    return Route(
        method=method, path=CONVERTER.sub(r"{\1}", path) or "/", handler=handler.qualname, framework="starlette",
        spot=spot, parameters=once(parameters), body=reads.bodies[0] if reads.bodies else None,
        responses=once(out.responses), guards=tuple(dict.fromkeys(guards)), notes=once(out.notes),
        unread=once(out.unread), elsewhere=once(out.elsewhere),
        rewritten=once(out.rewritten), open_inputs=once((*reads.open_inputs, *out.open_inputs)), told=told,
    )  # fmt: skip


def route_of(modules: Modules, handler: Definition, method: str, path: str) -> Route:
    """The route that a function is for a method and path that the application itself tells."""
    site = site_of(modules)
    apps = [holder for holder in site.holders.values() if holder.is_app]
    call = ast.copy_location(ast.Call(func=ast.Name(id="Route"), args=[], keywords=[]), handler.node)
    listed = ListedRoute("", call, handler.scope, tuple(apps) if len(apps) == 1 else ())
    return _route(modules, site, listed, (method, path, handler.scope.spot(handler.node)), handler)


def path_parameters(path: str, spot: Spot) -> Iterator[CodeParameter]:
    """The parameters of a path with the values that their converters let through; the route's lines show them."""
    for found in CONVERTER.finditer(path):
        name, _, converter = found[0].strip("{}").partition(":")
        schema: Json = CONVERTED.get(converter, {})
        yield CodeParameter(
            name=name, location="path", spot=spot, required=True, schema=schema, exact=converter in CONVERTED
        )
