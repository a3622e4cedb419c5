"""aiohttp routes of the supplied files, with what their handlers and middlewares show."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.aiohttp.dispatch import read_dispatch
from evreview.codefacts.aiohttp.handlers import AiohttpDialect
from evreview.codefacts.aiohttp.routes import (
    PACKAGE,
    VERBS,
    AiohttpOperation,
    Table,
    applications_of,
    read_path,
    routes_of,
)
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import applied_before, is_function, keyword, value_at
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Frame, conditions, own_nodes
from evreview.codefacts.handlers import RouteFacts, Written, read_decorator, read_gate, read_handler, with_found
from evreview.codefacts.model import CodeFacts, CodeNote, Route, UnreadPart, UnsupportedCode
from evreview.codefacts.modules import Scope, calls_in, last_name
from evreview.codefacts.names import Definition, External, Modules, remembered
from evreview.core.vocabulary import Concern

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
