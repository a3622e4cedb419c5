"""Middleware and exception handlers of an application, and what they add to each of its routes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.sources.asgi.apps import Holder, Site, Use
from evreview.sources.asgi.outcomes import Handler, Outcomes, raises, returns
from evreview.sources.asgi.requests import headers_set
from evreview.sources.constants import constant, whole
from evreview.sources.constraints import keywords
from evreview.sources.flow import run_through
from evreview.sources.holes import pierced
from evreview.sources.model import CodeNote, Guard, Spot, UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition, External
from evreview.vocab import Concern

NOTED: Final = {
    "CORSMiddleware": Concern.HEADERS, "GZipMiddleware": Concern.HEADERS, "SessionMiddleware": Concern.HEADERS,
    "TrustedHostMiddleware": Concern.ERRORS, "HTTPSRedirectMiddleware": Concern.ERRORS,
    "SlowAPIMiddleware": Concern.RATE_LIMITS,
}  # fmt: skip
"""Known middleware and the concern of an operation that it touches."""
BY_FUNCTION: Final = "BaseHTTPMiddleware"
"""The class that takes its function as `dispatch`."""


def handlers_of(modules: Modules, site: Site, app: Holder | None) -> tuple[Handler, ...]:
    """The exception handlers registered on an application."""
    found: list[Handler] = []
    for use in site.uses:
        if use.holder is not app:
            continue
        if use.name == "exception_handler" and use.function is not None and use.call.args:
            found.append(_handler(modules, use.scope, use.call.args[0], use.function))
        elif use.name == "add_exception_handler" and len(use.call.args) > 1:
            function = modules.resolve(use.scope, use.call.args[1])
            if isinstance(function, Definition):
                found.append(_handler(modules, use.scope, use.call.args[0], function))
    return (*found, *_in_words(modules, app))


def _in_words(modules: Modules, app: Holder | None) -> Iterator[Handler]:
    given = app.words.get("exception_handlers") if app else None
    if given is None or app is None:
        return
    found = modules.resolve(app.scope, given)
    node, scope = (found.node, found.scope) if isinstance(found, Definition) else (given, app.scope)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            function = modules.resolve(scope, value)
            if key is not None and isinstance(function, Definition):
                yield _handler(modules, scope, key, function)


def _handler(modules: Modules, scope: Scope, kind: ast.expr, function: Definition) -> Handler:
    status = whole(constant(modules, scope, kind))
    return Handler(None if status is not None else modules.resolve(scope, kind), status, function)


def add_middleware(
    modules: Modules, site: Site, apps: Sequence[Holder], handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """Note what the middleware of the applications around a route adds to it; the guards among it."""
    guards: list[Guard] = []
    for use in site.uses:
        if use.holder in apps and use.name == "middleware" and use.function is not None:
            guards += through(modules, use.function, use.scope.spot(use.call), handlers, out)
        elif use.holder in apps and use.name == "add_middleware" and use.call.args:
            guards += _class(modules, use, use.call.args[0], handlers, out)
    for app in apps:
        for scope, call in _listed(modules, app):
            guards += _class(modules, Use(app, "middleware", call, scope), call.args[0], handlers, out)
    return tuple(guards)


def _listed(modules: Modules, app: Holder) -> Iterator[tuple[Scope, ast.Call]]:
    """`middleware=[Middleware(SomeClass, …)]`."""
    found = modules.resolve(app.scope, app.words.get("middleware"))
    node, scope = (
        (found.node, found.scope) if isinstance(found, Definition) else (app.words.get("middleware"), app.scope)
    )
    for part in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
        if isinstance(part, ast.Call) and part.args:
            yield scope, part


def _class(modules: Modules, use: Use, cls: ast.expr, handlers: Sequence[Handler], out: Outcomes) -> tuple[Guard, ...]:
    found = modules.resolve(use.scope, cls)
    spot = use.scope.spot(use.call)
    if isinstance(found, Definition):
        for name in ("dispatch", "__call__"):
            method = modules.member(found, name)
            if isinstance(method, Definition):
                return through(modules, method, spot, handlers, out)
    given = keywords(use.call).get("dispatch") if isinstance(found, External) and found.last == BY_FUNCTION else None
    dispatch = modules.resolve(use.scope, given)
    if isinstance(dispatch, Definition):
        return through(modules, dispatch, spot, handlers, out)
    if isinstance(found, External) and found.last == "AuthenticationMiddleware":
        return (Guard(name=found.last, kind="authentication", spot=spot),)
    if isinstance(found, External) and found.last in NOTED:
        out.notes.append(CodeNote(concern=NOTED[found.last], name=found.last, spot=spot))
        return ()
    word = found.name if isinstance(found, External | Definition) else ast.unparse(cls)[:100]
    text = f"the middleware `{word}`, which no supplied file defines"
    out.unread.append(UnreadCode(spot, text, "Supply the file that does."))
    return ()


def through(
    modules: Modules, function: Definition, spot: Spot, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """What a function that runs around or before a handler returns, raises and sets; the guard that it is."""
    events = run_through(modules, function)
    made, _ = returns(modules, events)
    out.responses += made
    raised = raises(modules, events, handlers, out)
    for name, where in headers_set(modules, events):
        out.notes.append(CodeNote(concern=Concern.HEADERS, name=name, spot=where))
    guards = guards_by_status(function, spot, {one.status for one in (*made, *raised)})
    return pierced(modules, [function], events, guards)


def guards_by_status(function: Definition, spot: Spot, statuses: set[int | None]) -> tuple[Guard, ...]:
    """A function that answers 401 finds out who calls, one that answers 403 what the caller may do."""
    found: list[Guard] = []
    if 401 in statuses:
        found.append(Guard(name=function.qualname, kind="authentication", spot=spot))
    if 403 in statuses:
        found.append(Guard(name=function.qualname, kind="authorization", spot=spot))
    return tuple(found)
