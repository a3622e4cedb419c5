"""Middleware and exception handlers of an application, and what they add to each of its routes."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.asgi.apps import METHODS, Holder, Site
from evreview.codefacts.asgi.inputs import Inputs, frames_of, headers_set, request_reads
from evreview.codefacts.asgi.outcomes import Handler, Outcomes, raises, returns
from evreview.codefacts.asgi.responses import is_raw, raw_answers
from evreview.codefacts.built_lists import parts_of
from evreview.codefacts.calls import Applying, Wrap, called_of, chooses, given_to, handed_back, unfolded
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.control_flow import Event, Frame, conditions, events_of, mentions, resolved_in
from evreview.codefacts.decorators import hands_on
from evreview.codefacts.guards.bypass import unsent_passes
from evreview.codefacts.guards.conditional import pierced
from evreview.codefacts.guards.framework_conventions import asked_for, headers_taken
from evreview.codefacts.model import (
    AccessKind,
    CodeNote,
    CodeResponse,
    Guard,
    OpenInput,
    Spot,
    UnreadPart,
    UnsupportedCode,
)
from evreview.codefacts.modules import FUNCTIONS, Scope, arguments
from evreview.codefacts.names import Definition, External, Modules, remembered
from evreview.codefacts.route_branches import told_apart
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import ABSENT, Concern, Json

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
            found = f"what `{use.name}` puts around the application"
            out.covered(spot, found, _DECLARE_ANSWERS, part=UnreadPart.OTHER)
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
    events = events_of(modules, method) if isinstance(method, Definition) else ()
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
    events = events_of(modules, method)
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
    events = events_of(modules, function, Frame(scope, given) if given and scope is not None else None)
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


def untold_answers(modules: Modules, given: Sequence[Event]) -> Iterator[UnsupportedCode]:
    """Returns of a function around a handler that are neither a known answer nor what the next in line gives."""
    for event in given:
        value = getattr(event.node, "value", None)
        if event.own and not hands_on(modules, event.frame, value):
            word = ast.unparse(value)[:100] if value is not None else ""
            yield UnsupportedCode(
                event.spot, f"what `{word}` answers around the handler", _DECLARE_ANSWERS, part=UnreadPart.AROUND
            )


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


# Decorators of a handler besides the one that registers it: rate limits, guards, wrappers of the supplied files.


_HARMLESS: Final = ("functools", "typing", "builtins", "warnings", "typing_extensions", "fastapi_cache")
REQUIRES: Final = "requires"
KNOWN: Final = "authenticated"
_PHRASES: Final = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found"}
_REGISTERING: Final = (*METHODS, "api_route", "route", "websocket")


def take_decorators(
    modules: Modules, handler: Definition, registering: ast.Call, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """Note what each other decorator says; the guards among them."""
    guards: list[Guard] = []
    written: list[ast.expr] = getattr(handler.node, "decorator_list", [])
    since = written.index(registering) + 1 if registering in written else 0  # what stands above wraps nothing served
    for decorator in written[since:]:
        if _registers(modules, handler.scope, decorator):
            continue
        guards += applied(modules, handler.scope, decorator, handlers, out)
    return tuple(guards)


def applied(
    modules: Modules, scope: Scope, decorator: ast.expr, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """Note what a decorator does, and what it hands back in its place; the guards among it."""
    call = decorator if isinstance(decorator, ast.Call) else None
    name = call.func if call is not None else decorator
    guards: list[Guard] = []
    for at in unfolded(modules, scope, (name, call)):
        guards += _decorator(modules, at, handlers, out)
    if chooses(modules, modules.resolve(scope, name)):
        guards = [replace(one, unless=(*one.unless, scope.spot(decorator))) for one in guards]
    return tuple(guards)


def take_wraps(
    modules: Modules, wraps: Sequence[Wrap], handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    """Note what is called on a handler where its route is added; the guards among it."""
    return tuple(
        guard
        for at, (name, call) in wraps
        for guard in applied(modules, at, call if call is not None else name, handlers, out)
    )


def _registers(modules: Modules, scope: Scope, decorator: ast.expr) -> bool:
    """Another path operation decorator on the same function."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return False
    holder = modules.resolve(scope, decorator.func.value)
    cls = modules.class_of(holder)
    known = modules.is_a(cls, ("fastapi", "starlette"), "FastAPI", "APIRouter", "Starlette", "Router")
    return known and decorator.func.attr in _REGISTERING


def _decorator(modules: Modules, at: Applying, handlers: Sequence[Handler], out: Outcomes) -> tuple[Guard, ...]:
    scope, call, function = at.scope, at.call, at.name
    decorator = call or function
    found = resolved_in(modules, at.frame, function)
    spot = scope.spot(decorator)
    if isinstance(found, External) and found.name == "starlette.authentication.requires":
        return _requires(modules, scope, decorator, out, handled=bool(handlers))
    if isinstance(found, External) and found.package == "slowapi":
        if call and call.args and found.last in ("limit", "shared_limit"):
            value = constant(modules, scope, call.args[0])
            name = value if isinstance(value, str) and value is not ABSENT else ast.unparse(decorator)[:200]
            out.notes.append(CodeNote(concern=Concern.RATE_LIMITS, name=name, spot=spot, value=value))
        return ()
    if isinstance(found, External) and found.package in _HARMLESS:
        return ()
    if isinstance(found, Definition) and (target := called_of(modules, found)) is not None:
        out.given = given_to(modules, target, at) if target is found else {}
        out.passed = frozenset(id(one.value) for one in handed_back(modules, target, at))
        whole = [target] if target is not found and call is None else []
        inner = [*whole, *_wrappers(modules, target)]
        guards = tuple(guard for one in inner for guard in through(modules, one, spot, handlers, out))
        out.given, out.passed = {}, frozenset()
        return guards
    word = found.name if isinstance(found, External) else ast.unparse(function)[:100]
    text = f"the decorator `{word}`, which no supplied file defines"
    out.unread.append(UnsupportedCode(spot, text, "Supply the file that does.", part=UnreadPart.DECORATOR))
    return ()


def _requires(
    modules: Modules, scope: Scope, decorator: ast.expr, out: Outcomes, *, handled: bool
) -> tuple[Guard, ...]:
    """Starlette's `requires`: `authenticated` is its word for every known caller, and no scope of the contract."""
    call = decorator if isinstance(decorator, ast.Call) else ast.Call(func=decorator, args=[], keywords=[])
    words, spot = keywords(call), scope.spot(decorator)
    given = words.get("scopes", call.args[0] if call.args else None)
    scopes = texts(modules, scope, given) if given is not None else ()
    if "redirect" not in words:
        stated = words.get("status_code", call.args[1] if len(call.args) > 1 else None)
        status = 403 if stated is None else whole(constant(modules, scope, stated))
        out.responses.append(_refusal(status, spot, plain=out.plain, handled=handled))
    kept = tuple(each for each in scopes or () if each != KNOWN)
    kind: AccessKind = "authentication" if scopes and not kept else "authorization"
    return (Guard(name=REQUIRES, kind=kind, spot=spot, scopes=kept),)


def _refusal(status: int | None, spot: Spot, *, plain: bool, handled: bool) -> CodeResponse:
    """What is answered to a caller that `requires` lets not in; unknown where exceptions have handlers."""
    known = status in _PHRASES
    phrase: Json = {"const": _PHRASES[status]} if status in _PHRASES else {"type": "string"}
    if handled:
        return CodeResponse(status=status, how="framework", spot=spot)
    if plain:
        return CodeResponse(
            status=status, how="framework", spot=spot, media_type="text/plain", schema=phrase, exact=known
        )
    body: Json = {"type": "object", "properties": {"detail": phrase}, "required": ["detail"]}
    return CodeResponse(
        status=status, how="framework", spot=spot, media_type="application/json", schema=body, exact=known
    )


def signed_in(guards: Sequence[Guard]) -> list[Guard]:
    """The guards, `requires` with the credentials that the middleware before it looks for.

    That middleware lets everybody on: beside `requires` nothing is open about it.
    """
    before = next((one for one in guards if one.name == SIGNS_IN), None)
    if before is None or not any(one.name == REQUIRES for one in guards):
        return list(guards)
    return [
        replace(one, scheme=before.scheme, also=before.also) if one.name == REQUIRES else one
        for one in guards
        if one is not before
    ]


def _wrappers(modules: Modules, function: Definition, levels: int = 3) -> Iterator[Definition]:
    """The functions within a decorator that take the handler's place."""
    inner = modules.body(function)
    if inner is None or levels <= 0:
        return
    for statement in getattr(inner.node, "body", []):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            one = Definition(statement, inner, statement.name, statement)
            yield one
            yield from _wrappers(modules, one, levels - 1)


# Guards of FastAPI that other code opens: dependencies that are replaced, or that let in who sends nothing.


_DECLARE_AT_ROUTE: Final = "Declare it where the route is, or retain the routes of the running service."


def optional(
    modules: Modules, guards: list[Guard], refusing: Sequence[Definition], named: Collection[str]
) -> list[Guard]:
    """The guards, all open where every dependency that refuses lets callers pass who send nothing."""
    found = [unsent_passes(modules, scope, named) if (scope := modules.body(one)) else () for one in refusing]
    if not found or not all(found):
        return guards
    names = {one.qualname for one in refusing}
    spots = [spot for several in found for spot in several]
    return [
        replace(one, unless=tuple(dict.fromkeys((*one.unless, *spots)))) if one.name in names else one for one in guards
    ]


def overridden(modules: Modules, guards: list[Guard], functions: Sequence[Definition]) -> list[Guard]:
    """The guards, those open whose dependency the code replaces: `app.dependency_overrides[user] = …`."""
    known = remembered(modules, "dependency_overrides", lambda: tuple(_overrides(modules)))
    own = {id(one.node) for one in functions}
    replaced = {found.qualname: spot for found, spot in known if id(found.node) in own}
    return [replace(one, unless=(*one.unless, replaced[one.name])) if one.name in replaced else one for one in guards]


def replaced(modules: Modules, functions: Sequence[Definition]) -> Iterator[UnsupportedCode]:
    """Dependencies of a route that the code replaces: what stands in their place may ask who calls."""
    known = remembered(modules, "dependency_overrides", lambda: tuple(_overrides(modules)))
    own = {id(one.node) for one in functions}
    for found, spot in known:
        if id(found.node) in own:
            yield UnsupportedCode(
                spot,
                f"what replaces the dependency `{found.qualname}`",
                _DECLARE_AT_ROUTE,
                composed=True,
                part=UnreadPart.DEPENDENCY,
            )


def _overrides(modules: Modules) -> Iterator[tuple[Definition, Spot]]:
    """What the code replaces, and where."""
    for scope, statement in modules.statements():
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            match target:
                case ast.Subscript(value=ast.Attribute(attr="dependency_overrides"), slice=key):
                    found = modules.resolve(scope, key)
                    if isinstance(found, Definition):
                        yield found, scope.spot(statement)


# Security schemes that refuse nobody by themselves (`auto_error=False`), where nothing else refuses for them.


def idle_guards(modules: Modules, inputs: Inputs, handler: Definition, handlers: Sequence[Handler]) -> frozenset[str]:
    """The names of the guards of optional schemes that let everybody in.

    One stays a guard where what it gives is refused: a function that takes it raises or hands it to code that is not
    supplied, which may raise, or another function of the route answers 401.
    """
    if not inputs.optional:
        return frozenset()
    functions = [function for function, _ in inputs.functions] + [handler]
    found: set[str] = set()
    for name in {guard.name for guard, _ in inputs.optional}:
        takers = [taker or handler for one, taker in inputs.optional if one.name == name]
        nodes = {id(taker.node) for taker in takers}
        others = [one for one in functions if id(one.node) not in nodes]
        refused = any(401 in _statuses(modules, one, handlers) for one in others)
        if not refused and all(_admits_unauthenticated(modules, one, one is handler, handlers) for one in takers):
            found.add(name)
    return frozenset(found)


def _statuses(modules: Modules, function: Definition, handlers: Sequence[Handler]) -> set[int | None]:
    sent = raises(modules, events_of(modules, function), handlers, Outcomes())
    return {one.status for one in sent}


def _admits_unauthenticated(modules: Modules, taker: Definition, answers: bool, handlers: Sequence[Handler]) -> bool:
    """True where a caller without credentials gets through what takes them."""
    if not isinstance(taker.node, FUNCTIONS):
        return False
    taken = _taken(taker.node)
    if any(_returns_without(statement, taken) for statement in taker.node.body):
        return True
    events = events_of(modules, taker)
    if any(_handed_out(modules, taker.node, event, taken) for event in events):
        return False
    if answers:  # a handler refuses for many reasons
        return not {401, 403} & _statuses(modules, taker, handlers)
    return not any(event.kind is ast.Raise and getattr(event.statement, "exc", None) for event in events)


def _taken(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The parameters, and the names that are bound to something made of them."""
    found = {one.arg for one in arguments(function)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and mentions(node.value, found):
            found |= {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return frozenset(found)


def _returns_without(statement: ast.stmt, taken: Collection[str]) -> bool:
    """`if credentials is None: return …`: who sends none gets in."""
    if not isinstance(statement, ast.If):
        return False
    match statement.test:
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            pass
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]):
            pass
        case _:
            return False
    inside = [node for part in statement.body for node in ast.walk(part)]
    given = [node for node in inside if isinstance(node, ast.Return)]
    others = any(mentions(node, taken) for node in given)  # other credentials, or the request
    refused = any(isinstance(node, ast.Raise) for node in inside)
    return bool(given) and mentions(asked, taken) and not others and not refused


def _handed_out(modules: Modules, function: ast.AST, event: Event, taken: Collection[str]) -> bool:
    """True for a call of code that is not supplied, which may refuse what it is given, unless that is caught."""
    if not isinstance(event.node, ast.Call):
        return False
    called = modules.called(event.frame.scope, event.node)
    if not isinstance(called, External) or called.package == "builtins" or called.last[:1].isupper():
        return False
    given = [*event.node.args, *(word.value for word in event.node.keywords)]
    if event.own and not any(mentions(one, taken) for one in given):
        return False
    return bool(given) and not any(event.node is node for one in _caught(function) for node in ast.walk(one))


def _caught(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements whose failures a handler takes that raises nothing itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and node.handlers:
            raised = any(isinstance(one, ast.Raise) for handler in node.handlers for one in ast.walk(handler))
            if not raised:
                yield from node.body
