"""aiohttp routes of the supplied files, with what their handlers and middlewares show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.sources.aiohttp.handlers import AiohttpDialect
from evreview.sources.aiohttp.routes import VERBS, Declared, Table, read_path, routes_of
from evreview.sources.calls import applied_before, is_function, keyword, last_name, value_at
from evreview.sources.constants import constant, whole
from evreview.sources.flow import Frame
from evreview.sources.handlers import Found, Written, read_decorator, read_gate, read_handler, with_found
from evreview.sources.model import CodeFacts, CodeNote, Route, UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition
from evreview.vocab import Concern

_REGISTERING: Final = (*VERBS, "route", "view")


def read_aiohttp(modules: Modules) -> CodeFacts:
    """Every route that the files declare, and what could not be read."""
    table = Table(modules)
    routes = [_route(modules, table, one, path, (app, added)) for one, path, app, added in routes_of(table)]
    return CodeFacts(routes=tuple(routes), unread=tuple(dict.fromkeys(table.unread)))


def _route(modules: Modules, table: Table, one: Declared, path: str, at: tuple[int | None, bool]) -> Route:
    found, dialect = Found(), AiohttpDialect(modules)
    spot = one.function.scope.spot(one.function.node)
    app, added = at
    for outer in _outwards(table, app):
        _of_app(modules, dialect, outer, found)
    for written in applied_before(one.function.node, _REGISTERING):
        if last_name(written[0]) != "middleware":
            read_decorator(modules, dialect, one.function.scope, written, found)
    read_handler(modules, dialect, one.function, found)
    if not added:
        found.unread.append(UnreadCode(spot, "a route table that no supplied file adds", "Supply the file that does."))
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


def _of_app(modules: Modules, dialect: AiohttpDialect, app: Definition, found: Found) -> None:
    """Adds what an application's middlewares refuse, and its limit on request bodies."""
    call = app.node
    if not isinstance(call, ast.Call):
        return
    spot = app.scope.spot(call)
    size = keyword(call, "client_max_size")
    value = whole(constant(modules, app.scope, size)) if size is not None else None
    if value is not None:
        found.notes.append(CodeNote(concern=Concern.LIMITS, name="client_max_size", spot=spot, value=value))
    given = keyword(call, "middlewares")
    frame, listed = value_at(modules, Frame(app.scope), given)
    if given is not None and not isinstance(listed, ast.List | ast.Tuple):
        found.unread.append(UnreadCode(spot, "middlewares that are not listed where the application is made"))
    for one in listed.elts if isinstance(listed, ast.List | ast.Tuple) else ():
        _middleware(modules, dialect, frame.scope, one, found)
    for scope, one in _added_later(modules, app):
        _middleware(modules, dialect, scope, one, found)


def _middleware(modules: Modules, dialect: AiohttpDialect, scope: Scope, one: ast.expr, found: Found) -> None:
    middleware, text = modules.resolve(scope, one), ast.unparse(one)[:80]
    if isinstance(middleware, Definition) and is_function(middleware):
        read_gate(modules, dialect, [middleware], Written(text, scope.spot(one)), found)
    else:
        unread = UnreadCode(scope.spot(one), f"the middleware `{text}`", "Supply the file that defines it.")
        found.unread.append(unread)


def _added_later(modules: Modules, app: Definition) -> Iterator[tuple[Scope, ast.expr]]:
    """`app.middlewares.append(gate)`, and the list or the insertion of one."""
    for scope, statement in modules.statements():
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(value=holder, attr="middlewares")))):
                parts = statement.value.args[-1:] if isinstance(statement.value, ast.Call) else []
            case ast.AugAssign(target=ast.Attribute(value=holder, attr="middlewares"), value=value):
                parts = [value]
            case _:
                continue
        made = modules.resolve(scope, holder)
        if isinstance(made, Definition) and made.node is app.node:
            for part in parts:
                yield from ((scope, one) for one in (part.elts if isinstance(part, ast.List | ast.Tuple) else [part]))
