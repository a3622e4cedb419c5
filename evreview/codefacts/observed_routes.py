"""What an application said about its own routes, beside what its code shows: it tells how the parts were put together.

It decides nothing about what a handler or a guard does: that is still read from the code. What it names and no supplied
file defines stays open.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from evreview.codefacts.aiohttp.handlers import AiohttpDialect
from evreview.codefacts.asgi.apps import site_of
from evreview.codefacts.asgi.guards import NOTED, PASSED, by_method, handlers_of
from evreview.codefacts.asgi.outcomes import Outcomes
from evreview.codefacts.asgi.starlette import route_of
from evreview.codefacts.calls import applied_before
from evreview.codefacts.flask.answers import ErrorHandlers
from evreview.codefacts.flask.read import flask_dialect
from evreview.codefacts.handlers import (
    Dialect,
    RouteFacts,
    Written,
    read_decorator,
    read_gate,
    read_handler,
    with_found,
)
from evreview.codefacts.middleware import KNOWN
from evreview.codefacts.model import (
    PATH_PARAMETER,
    CodeFacts,
    CodeParameter,
    Guard,
    Route,
    RouteIdentity,
    SourceText,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.names import Definition, Modules
from evreview.codefacts.route_branches import told_apart
from evreview.evidence.cited_records import Cited
from evreview.evidence.records.reference import FIRST_LINE, Before, Callee, ObservedRoute, RouteTable

OBSERVED: Final = "observed"
_LOCALS: Final = ".<locals>"
_PARTS: Final = {
    "middleware": UnreadPart.MIDDLEWARE,
    "dependency": UnreadPart.DEPENDENCY,
    "decorator": UnreadPart.DECORATOR,
}
_HARMLESS: Final = frozenset({*NOTED, *PASSED, *KNOWN} - {"AuthenticationMiddleware"})
_ROUTING: Final = ("get", "post", "put", "delete", "patch", "head", "options", "route", "view")
_SUPPLY: Final = "Supply the file that defines it."


def with_tables(code: CodeFacts, tables: Sequence[Cited[RouteTable]], sources: Sequence[SourceText]) -> CodeFacts:
    """The facts of the code, with what the tables tell about how they are put together; as they are without tables."""
    if not tables:
        return code
    modules = Modules(sources)
    routes = list(code.routes)
    for table in tables:
        routes = _joined(modules, routes, table)
    return CodeFacts(routes=tuple(routes), unread=tuple(one for one in code.unread if not one.composed))


@dataclass(frozen=True, slots=True)
class _Said:
    """One route of a table and its line."""

    route: ObservedRoute
    spot: Spot


def _joined(modules: Modules, routes: Sequence[Route], table: Cited[RouteTable]) -> list[Route]:
    name = f"routes of {table.record.application}"
    said = [
        _Said(route, Spot(table.citation.id, line, line, name))
        for line, route in enumerate(table.record.routes, FIRST_LINE)
    ]
    left = list(said)
    found: list[Route] = []
    for route in routes:
        own = _answering(route, left)
        if own is not None:
            left.remove(own)
        found.append(route if own is None else _with(modules, route, own, table.record))
    shapes = {(route.method, _shape(route.path)) for route in found}
    more = [one for one in left if one.route.method != "*" and _key(one) not in shapes]
    return [*found, *(_only_told(modules, one, table.record) for one in more)]


def _key(one: _Said) -> tuple[str, str]:
    return one.route.method, _shape(one.route.path)


def _shape(path: str) -> str:
    return PATH_PARAMETER.sub("{}", path)


def _answering(route: Route, said: Sequence[_Said]) -> _Said | None:
    """The route of the table that a route of the code is: of its handler and path, else of one of these alone."""
    method = [one for one in said if one.route.method in (route.method, "*")]
    handler = [one for one in method if _is_handler(route, one.route)]
    path = [one for one in method if _shape(one.route.path) == _shape(route.path)]
    both = [one for one in handler if one in path]
    if both:
        return both[0]
    return handler[0] if len(handler) == 1 else path[0] if path and not handler else None


def _is_handler(route: Route, said: ObservedRoute) -> bool:
    file, name = said.handler.file, said.handler.name.replace(_LOCALS, "")
    same = route.spot.path == file or route.spot.path.endswith(f"/{file}")
    return bool(file) and same and name == route.handler


def _with(modules: Modules, route: Route, said: _Said, table: RouteTable) -> Route:
    """The route where the application has it; what was open in how it is put together is told by the table."""
    open_before = any(one.composed for one in route.unread)
    guards, unread = list(route.guards), [one for one in route.unread if not one.composed]
    responses = list(route.responses)
    for one in said.route.before if open_before else ():
        guard = _scheme(one, said.spot)
        if guard is not None:
            guards += [] if any(guard.scheme == known.scheme for known in guards) else [guard]
        elif one.name.rpartition(".")[2] not in _HARMLESS:
            more = _read(modules, one, said, table.framework)
            known = {known.name.rpartition(".")[2] for known in guards}
            guards += [each for each in more.guards if each.name.rpartition(".")[2] not in known]
            responses += [each for each in more.responses if each not in responses]
            unread += more.unread
    return replace(
        route,
        path=said.route.path if said.route.method != "*" else route.path,
        guards=tuple(guards),
        responses=tuple(responses),
        unread=tuple(unread),
        either_slash=said.route.either_slash,
    )


def _scheme(one: Before, spot: Spot) -> Guard | None:
    """The guard that a security scheme is; one that lets callers without credentials pass is none by itself."""
    if one.kind != "security" or not one.refuses:
        return None
    return Guard(name=one.name, kind="authentication", spot=spot, scheme=one.scheme)


def _read(modules: Modules, one: Before, said: _Said, framework: str) -> RouteFacts:
    """What the code of something around a handler does; open where no supplied file defines it."""
    found = RouteFacts()
    definition = _definition(modules, one)
    told = RouteIdentity(said.route.method, said.route.path)
    if definition is None or framework == "django":
        if one.kind != "security":
            word = f"{one.module}.{one.name}".strip(".")
            text = f"the {one.kind} `{word}` before the handler, which no supplied file defines"
            found.unread.append(UnsupportedCode(said.spot, text, _SUPPLY, part=_PARTS.get(one.kind, UnreadPart.OTHER)))
        return found
    function = told_apart(modules, definition, told)
    if framework in _DIALECTS:
        dialect = _DIALECTS[framework](modules)
        read_gate(modules, dialect, [function], Written(definition.name, said.spot), found)
        return found
    out = Outcomes(told=told)
    apps = [holder for holder in site_of(modules).holders.values() if holder.is_app]
    handlers = handlers_of(modules, site_of(modules), apps[0] if len(apps) == 1 else None)
    found.guards += by_method(modules, function, said.spot, handlers, out)
    found.responses += out.responses
    found.unread += [each for each in out.unread if one.kind != "dependency" or each.part is not UnreadPart.AROUND]
    return found


def _definition(modules: Modules, one: Callee) -> Definition | None:
    """The function of the supplied files that it is; of a class, what runs on a request."""
    name = one.name.replace(_LOCALS, "")
    found = _inner(modules, one.module, name.split("."))
    if found is None:
        return None
    for method in ("dispatch", "__call__"):
        inner = modules.member(found, method) if modules.body(found) is not None and _is_class(found) else None
        if isinstance(inner, Definition):
            return inner
    return None if _is_class(found) else found


def _is_class(found: Definition) -> bool:
    scope = found.node
    return type(scope).__name__ == "ClassDef"


def _inner(modules: Modules, module: str, parts: Sequence[str]) -> Definition | None:
    found = modules.find(module, parts[0])
    for part in parts[1:]:
        scope = modules.body(found) if isinstance(found, Definition) else None
        found = modules.lookup(scope, part) if scope is not None and part in scope.names else None
    return found if isinstance(found, Definition) else None


def _flask(modules: Modules) -> Dialect:
    return flask_dialect(modules, ErrorHandlers(modules))


_DIALECTS: Final[Mapping[str, Callable[[Modules], Dialect]]] = MappingProxyType(
    {"flask": _flask, "aiohttp": AiohttpDialect}
)


def _only_told(modules: Modules, said: _Said, table: RouteTable) -> Route:
    """A route that only the table shows; a function of the supplied files that it names is read as its handler."""
    given, handler = said.route, _definition(modules, said.route.handler)
    plain = handler is not None and isinstance(handler.node, ast.FunctionDef | ast.AsyncFunctionDef)
    if handler is None or not plain or handler.scope.kind == "class" or said.route.method == "*":
        return _unknown(said)
    if table.framework == "starlette":
        route = route_of(modules, handler, given.method, given.path)
    elif table.framework in _DIALECTS:
        route = _read_handler(modules, _DIALECTS[table.framework](modules), said, handler, table.framework)
    else:
        return _unknown(said)
    told = UnsupportedCode(said.spot, "what stands before the handler", composed=True)
    return _with(modules, replace(route, unread=(*route.unread, told)), said, table)


def _read_handler(modules: Modules, dialect: Dialect, said: _Said, handler: Definition, framework: str) -> Route:
    """What a handler and its decorators show; values of the path are not told."""
    found, spot = RouteFacts(), handler.scope.spot(handler.node)
    for written in applied_before(handler.node, _ROUTING):
        read_decorator(modules, dialect, handler.scope, written, found)
    read_handler(modules, dialect, handler, found)
    names = (match[0].strip("{}") for match in PATH_PARAMETER.finditer(said.route.path))
    path = tuple(CodeParameter(name=name, location="path", spot=spot, required=True) for name in names)
    route = Route(
        method=said.route.method, path=said.route.path, handler=handler.qualname, framework=framework, spot=spot,
        parameters=path,
    )  # fmt: skip
    return with_found(route, found)


def _unknown(said: _Said) -> Route:
    """A route of whose handler the supplied files show nothing.

    What the table tells of it decides who is let in, and nothing of what it does.
    """
    named = said.route.handler.name.replace(_LOCALS, "")
    guards = tuple(_guards(said.route.before, said.spot))
    text = f"the handler `{named}`, which the supplied files do not show as one"
    return Route(
        method=said.route.method,
        path=said.route.path,
        handler=named,
        framework=OBSERVED,
        spot=said.spot,
        guards=guards,
        unread=(UnsupportedCode(said.spot, text, _SUPPLY),),
        either_slash=said.route.either_slash,
    )


def _guards(before: Iterable[Before], spot: Spot) -> Iterator[Guard]:
    for one in before:
        guard = _scheme(one, spot)
        if guard is not None:
            yield guard
