"""Middleware and exception handlers of an application, and what they add to each of its routes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.asgi.apps import Holder, Site
from evreview.codefacts.asgi.outcomes import Handler, Outcomes, raises, returns
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.constants import constant, whole
from evreview.codefacts.control_flow import Event, Frame, run_through
from evreview.codefacts.model import CodeNote, Guard, OpenInput, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.route_branches import told_apart
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import Concern
from evreview.sources.around_lines import conditions
from evreview.sources.asgi.raw import is_raw, raw_answers
from evreview.sources.asgi.requests import frames_of, headers_set, request_reads
from evreview.sources.challenges import asked_for, headers_taken
from evreview.sources.handing_on import hands_on
from evreview.sources.holes import pierced
from evreview.sources.resolved import Definition, External

NOTED: Final = {
    "CORSMiddleware": Concern.HEADERS, "GZipMiddleware": Concern.HEADERS, "SessionMiddleware": Concern.HEADERS,
    "TrustedHostMiddleware": Concern.ERRORS, "HTTPSRedirectMiddleware": Concern.ERRORS,
    "SlowAPIMiddleware": Concern.RATE_LIMITS,
}  # fmt: skip
"""Known middleware and the concern of an operation that it touches."""
SIGNS_IN: Final = "AuthenticationMiddleware"
"""The class that finds out who calls, and leaves it to `requires` to refuse."""
BY_FUNCTION: Final = "BaseHTTPMiddleware"
"""The class that takes its function as `dispatch`."""
PASSED: Final = frozenset({"ProxyHeadersMiddleware", "ServerErrorMiddleware", "ExceptionMiddleware"})
"""Known middleware that changes no answer."""
_KEPT_OPEN: Final = frozenset({"build_middleware_stack"})
_DECLARE_ANSWERS: Final = "Declare with quotes what it answers."


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
        added: tuple[Guard, ...] = ()
        if use.holder in apps and use.name == "middleware" and use.function is not None:
            added = through(modules, use.function, use.scope.spot(use.call), handlers, out)
        elif use.holder in apps and use.name == "add_middleware":
            added = _class(modules, use.scope, use.call, handlers, out)
        elif use.holder in apps and use.name in _KEPT_OPEN:
            spot = use.scope.spot(use.call)
            out.covered(spot, f"what `{use.name}` puts around the application", _DECLARE_ANSWERS)
        guards += _if_at_all(modules, use.scope, use.function.node if use.function else use.call, added)
    for app in apps:
        guards += listed_middleware(modules, app.scope, app.words.get("middleware"), handlers, out)
    return tuple(guards)


def _cls(call: ast.Call) -> ast.expr | None:
    """The class of `add_middleware(SomeClass, …)` and of `Middleware(cls=SomeClass)`."""
    return call.args[0] if call.args else keywords(call).get("middleware_class", keywords(call).get("cls"))


def _if_at_all(modules: Modules, scope: Scope, node: ast.AST, guards: Sequence[Guard]) -> list[Guard]:
    """The guards, with the conditions under which they are put around the application."""
    spots = tuple(scope.spot(one) for one in conditions(modules, scope, node)) if guards else ()
    return [replace(guard, unless=(*guard.unless, *spots)) for guard in guards]


def listed_middleware(
    modules: Modules, scope: Scope, given: ast.expr | None, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """What `middleware=[Middleware(SomeClass, …)]` of an application, mount or route adds; the guards among it."""
    if given is None:
        return ()
    guards: list[Guard] = []
    listed = parts_of(modules, scope, given)
    for at, part, sure in listed.parts:
        called = part.func if isinstance(part, ast.Call) else None
        if isinstance(part, ast.Call) and modules.is_a(
            modules.resolve(at, called), ("starlette", "fastapi"), "Middleware"
        ):
            found = _class(modules, at, part, handlers, out)
            guards += found if sure else [replace(one, unless=(*one.unless, at.spot(part))) for one in found]
        else:
            word = ast.unparse(part)[:100]
            out.covered(at.spot(part), f"the middleware `{word}`, which can't be told", _DECLARE_ANSWERS, composed=True)
    if not listed.whole:
        out.covered(scope.spot(given), "a list of middleware that can't be told", _DECLARE_ANSWERS, composed=True)
    return tuple(guards)


def _class(
    modules: Modules, scope: Scope, call: ast.Call, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    cls = _cls(call)
    found = modules.resolve(scope, cls)
    spot = scope.spot(call)
    if isinstance(found, Definition):
        for name in ("dispatch", "__call__"):
            method = modules.member(found, name)
            if isinstance(method, Definition):
                return by_method(modules, method, spot, handlers, out)
    given = keywords(call).get("dispatch") if isinstance(found, External) and found.last == BY_FUNCTION else None
    dispatch = modules.resolve(scope, given)
    if isinstance(dispatch, Definition):
        return through(modules, dispatch, spot, handlers, out)
    if isinstance(found, External) and found.last == SIGNS_IN:
        return (_signing_in(modules, scope, call, spot),)
    if isinstance(found, External) and found.last in NOTED:
        out.notes.append(CodeNote(concern=NOTED[found.last], name=found.last, spot=spot))
        return ()
    if isinstance(found, External) and found.last in PASSED:
        return ()
    if isinstance(found, Definition) and any(
        isinstance(base, External) and base.last in (*NOTED, *PASSED) for base in modules.ancestry(found)
    ):
        return ()
    word = found.name if isinstance(found, External | Definition) else ast.unparse(cls)[:100] if cls else "none"
    text = f"the middleware `{word}`, which no supplied file defines"
    out.covered(spot, text, "Supply the file that does.")
    return ()


def wrapping(
    modules: Modules, scope: Scope, call: ast.Call, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """What a class of middleware adds that is called on an application by hand: `Gate(inner)`."""
    made = ast.copy_location(ast.Call(func=call.func, args=[call.func], keywords=call.keywords), call)
    return _class(modules, scope, made, handlers, out)


def _signing_in(modules: Modules, scope: Scope, call: ast.Call, spot: Spot) -> Guard:
    """Starlette's `AuthenticationMiddleware`: it finds out who calls and lets callers without credentials on."""
    given = keywords(call).get("backend")
    made = modules.called(scope, given) if isinstance(given, ast.Call) else modules.resolve(scope, given)
    backend = made if isinstance(given, ast.Call) else modules.class_of(made)
    method = modules.member(backend, "authenticate") if isinstance(backend, Definition) else None
    events = run_through(modules, method) if isinstance(method, Definition) else ()
    scheme, also = asked_for(events)
    return Guard(name=SIGNS_IN, kind="unknown", spot=spot, scheme=scheme, also=also)


def by_method(
    modules: Modules, method: Definition, spot: Spot, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """What the method of a middleware class answers by itself; that of an ASGI class is told by what it sends."""
    if method.name != "__call__" or not is_raw(method):
        return through(modules, method, spot, handlers, out)
    method = told_apart(modules, method, out.told) if out.told is not None else method
    raw = raw_answers(modules, method)
    if not raw.whole:
        out.covered(spot, f"what the middleware `{method.scope.qualname}` answers by itself", _DECLARE_ANSWERS)
    out.responses += raw.responses
    events = run_through(modules, method)
    raised = raises(modules, events, handlers, out)
    guards = guards_by_status(method, spot, {one.status for one in (*raw.responses, *raised)}, events)
    return pierced(modules, [method], events, guards)


def through(
    modules: Modules,
    function: Definition,
    spot: Spot,
    handlers: Sequence[Handler],
    out: Outcomes,
) -> tuple[Guard, ...]:
    """What a function that runs around or before a handler returns, raises and sets; the guard that it is."""
    function = told_apart(modules, function, out.told) if out.told is not None else function
    given, scope = out.given, modules.body(function)
    events = run_through(modules, function, Frame(scope, given) if given and scope is not None else None)
    made, plain = returns(modules, events)
    out.responses += made
    out.unread += untold_answers(
        modules, [one for one in plain if id(getattr(one.node, "value", None)) not in out.passed]
    )
    raised = raises(modules, events, handlers, out)
    out.open_inputs += _read_on_the_way(modules, function, events)
    for name, where in headers_set(modules, events):
        out.notes.append(CodeNote(concern=Concern.HEADERS, name=name, spot=where))
    guards = guards_by_status(function, spot, {one.status for one in (*made, *raised)}, events)
    return pierced(modules, [function], events, guards, given)


def _read_on_the_way(modules: Modules, function: Definition, events: Sequence[Event]) -> Iterator[OpenInput]:
    """What a function around a handler reads of the request, by name or as a whole; the next in line gets the rest."""
    scope = modules.body(function)
    reads = request_reads(modules, frames_of(events, Frame(scope) if scope else None), assume_first=True)
    for one in reads.parameters:
        yield OpenInput(one.location, one.spot, "read around the handler", one.name, certain=True)
    yield from reads.open_inputs


def untold_answers(modules: Modules, given: Sequence[Event]) -> Iterator[UnreadCode]:
    """Returns of a function around a handler that are neither a known answer nor what the next in line gives."""
    for event in given:
        value = getattr(event.node, "value", None)
        if event.own and not hands_on(modules, event.frame, value):
            word = ast.unparse(value)[:100] if value is not None else ""
            yield UnreadCode(event.spot, f"what `{word}` answers around the handler", _DECLARE_ANSWERS)


def guards_by_status(
    function: Definition, spot: Spot, statuses: set[int | None], events: Sequence[Event]
) -> tuple[Guard, ...]:
    """A function that answers 401 finds out who calls, one that answers 403 what the caller may do.

    Args:
        events: what runs in it; the texts there tell which credentials it looks for.
    """
    found: list[Guard] = []
    if 401 in statuses:
        scheme, also = asked_for(events, headers_taken(function))
        found.append(Guard(name=function.qualname, kind="authentication", spot=spot, scheme=scheme, also=also))
    if 403 in statuses:
        found.append(Guard(name=function.qualname, kind="authorization", spot=spot))
    return tuple(found)
