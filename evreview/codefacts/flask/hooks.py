"""Functions that Flask runs before every request of an application or a blueprint."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.application_changes import set_from_outside
from evreview.codefacts.calls import decorators, is_function, returned
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event, conditions, events_of, own_nodes, value_in
from evreview.codefacts.flask.routes import KNOWN, PACKAGES, Apps, converters_of
from evreview.codefacts.handlers import Dialect, RouteFacts, Written, read_decorator, read_gate
from evreview.codefacts.model import RouteIdentity, Spot, UnsupportedCode
from evreview.codefacts.modules import Scope, arguments, last_name
from evreview.codefacts.names import Definition, External, Modules, Resolved, remembered
from evreview.codefacts.outside_calls import unsupplied
from evreview.codefacts.route_branches import told_apart
from evreview.core.vocabulary import ABSENT

_AFTER_HOOKS: Final = frozenset({"after_request", "after_app_request"})
_FOR_ALL: Final = frozenset({"before_app_request", "app_url_value_preprocessor", "after_app_request"})
HOOKS: Final = frozenset({"before_request", "url_value_preprocessor"}) | _AFTER_HOOKS | _FOR_ALL
_SIGNALS: Final = frozenset({"request_started", "appcontext_pushed"})
"""Signals of Flask that are sent before the handler runs; what their receivers raise is answered."""
_CONNECTING: Final = frozenset({"connect", "connect_via"})
_LISTS: Final = frozenset({"before_request_funcs", "view_functions", "url_value_preprocessors"})
"""What Flask keeps hooks and views in; whoever changes it by hand is not followed."""
_DECLARE: Final = "Declare with quotes what it answers, or retain the routes of the running service."


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook.

    Attributes:
        owner: the blueprint of whose routes it runs, None for every route.
        function: what runs, None where it can't be told.
        unless: the conditions under which it is registered, or the lines that leave open on what.
        written: the call or name that is registered.
        way: what becomes of what it returns: it is sent in place of the handler's answer, or of one that it is given,
            or nobody looks at it.
    """

    owner: int | None
    function: Definition | None
    spot: Spot
    unless: tuple[Spot, ...]
    scope: Scope
    written: ast.expr
    way: Literal["before", "after", "signal"] = "before"


def hooks_of(modules: Modules, apps: Apps) -> tuple[Hook, ...]:
    """Every hook of the supplied files, registered by decorator or by a call."""
    return tuple(_hooks(modules, apps))


def _hooks(modules: Modules, apps: Apps) -> Iterator[Hook]:
    for scope, statement in modules.statements():
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                function = Definition(statement, scope, statement.name, statement)
                for name, _ in decorators(statement):
                    if isinstance(name, ast.Attribute) and name.attr in HOOKS:
                        yield from _hook(apps, scope, (name, function, statement))
                    elif isinstance(name, ast.Attribute) and _is_signal(modules, scope, name):
                        yield Hook(None, function, scope.spot(statement), (), scope, name, "signal")
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attr) as name, args=[given])) if attr in HOOKS:
                found = modules.resolve(scope, given)
                called = found if isinstance(found, Definition) and is_function(found) else None
                for one in _hook(apps, scope, (name, called, statement)):
                    yield replace(one, written=given)
            case ast.Expr(value=ast.Call(func=ast.Attribute() as name, args=[given, *_])) if _is_signal(
                modules, scope, name
            ):
                found = modules.resolve(scope, given)
                called = found if isinstance(found, Definition) and is_function(found) else None
                yield Hook(None, called, scope.spot(statement), (), scope, given, "signal")
            case _:
                yield from _by_hand(scope, statement)


def _is_signal(modules: Modules, scope: Scope, name: ast.Attribute) -> bool:
    """True for `request_started.connect`: which application sends it is left open, so that it may be each."""
    held = modules.resolve(scope, name.value) if name.attr in _CONNECTING else None
    return isinstance(held, External) and held.package == "flask" and held.last in _SIGNALS


def _hook(apps: Apps, scope: Scope, on: tuple[ast.Attribute, Definition | None, ast.stmt]) -> Iterator[Hook]:
    name, function, statement = on
    holder, spot = apps.holder(scope, name.value), scope.spot(statement)
    doubt = () if holder is not None else (spot,)
    of_app = holder is None or name.attr in _FOR_ALL or not apps.is_blueprint(holder)
    if holder is None and not apps.may_be(scope, name.value):
        return
    unless = (*doubt, *(scope.spot(one) for one in conditions(apps.modules, scope, statement)))
    owner = None if of_app or holder is None else id(holder.node)
    yield Hook(owner, function, spot, unless, scope, name, "after" if name.attr in _AFTER_HOOKS else "before")


def _by_hand(scope: Scope, statement: ast.stmt) -> Iterator[Hook]:
    """`app.before_request_funcs[None] = [check]`, `app.view_functions["x"] = wrapped`."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    value = statement.value if isinstance(statement, ast.Expr) else None
    for node in (*targets, *([value] if value is not None else [])):
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute) and one.attr in _LISTS:
                yield Hook(None, None, scope.spot(statement), (), scope, one)
                break


def read_hook(modules: Modules, dialect: Dialect, hook: Hook, told: RouteIdentity, found: RouteFacts) -> None:
    """Adds what a hook does on the way to one route."""
    since = len(found.guards)
    if hook.function is not None:
        around = list(decorators(hook.function.node))
        last = max((place for place, (name, _) in enumerate(around) if last_name(name) in HOOKS), default=-1)
        for written in around[last + 1 :]:  # those above it wrap what is registered already
            read_decorator(modules, dialect, hook.function.scope, written, found)
        function = told_apart(modules, hook.function, told)
        if hook.way == "after":
            _replaced(modules, dialect, function, found)
        else:
            at = Written(hook.function.name, hook.spot, answers=hook.way == "before")
            read_gate(modules, dialect, [function], at, found)
    elif isinstance(hook.written, ast.Call):
        read_decorator(modules, dialect, hook.scope, (hook.written.func, None), found)
    else:
        word, when = ast.unparse(hook.written)[:100], "after" if hook.way == "after" else "before"
        found.unread.append(
            UnsupportedCode(hook.spot, f"what `{word}` answers {when} the handler", _DECLARE, composed=True)
        )
    if hook.unless:
        found.guards[since:] = [replace(one, unless=(*one.unless, *hook.unless)) for one in found.guards[since:]]


def _replaced(modules: Modules, dialect: Dialect, function: Definition, found: RouteFacts) -> None:
    """Adds what a function that is given the answer sends in its place."""
    events = events_of(modules, function)
    taken = arguments(function.node) if isinstance(function.node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    given = taken[-1].arg if taken else ""
    for event in returned(modules, events):
        value = getattr(event.node, "value", None)
        if isinstance(value, ast.Name) and value.id == given and not _bound_again(function.node, given):
            continue
        sent = [one for one in dialect.returned(event, events) if one.status is not None]
        found.responses.extend(sent)
        if not sent:
            found.unread.append(
                UnsupportedCode(event.spot, f"what `{function.name}` answers after the handler", _DECLARE)
            )
    for event in events:
        if any(True for _ in dialect.raised(event)) or _may_refuse(modules, event):
            found.unread.append(UnsupportedCode(event.spot, f"what `{function.name}` makes of the answer", _DECLARE))


def _bound_again(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store) for one in ast.walk(node)
    )


def _may_refuse(modules: Modules, event: Event) -> bool:
    """True for `response.status_code = …` of a status that may be 401; the others are told by what is rewritten."""
    targets = getattr(event.node, "targets", []) if event.kind is ast.Assign else []
    sets = any(isinstance(one, ast.Attribute) and one.attr in ("status", "status_code") for one in targets)
    value = value_in(modules, event.frame, getattr(event.node, "value", None)) if sets else None
    return sets and (value is ABSENT or str(value).startswith("401"))


# What Flask runs on the way to a handler that is no hook: converters of its path, and proxies that it looks at.


_SUPPLY_FILE: Final = "Supply the file that defines it, or declare with quotes what it answers."
_READING: Final = "to_python"


def read_converters(modules: Modules, dialect: Dialect, rule: tuple[str, Spot], found: RouteFacts) -> None:
    """Adds what the converters of a rule answer where they look at more than the path."""
    written, spot = rule
    for name in converters_of(written):
        cls = _registered(modules).get(name)
        if name in KNOWN and cls is None:
            continue
        method = modules.member(cls, _READING) if isinstance(cls, Definition) else None
        if isinstance(method, Definition) and is_function(method):
            _answered(modules, dialect, events_of(modules, method), found)
        bases = modules.ancestry(cls) if isinstance(cls, Definition) else (cls,)
        if not all(isinstance(one, Definition) or _of_library(one) for one in bases):
            text = f"the converter `{name}`, which no supplied file defines"
            found.unread.append(UnsupportedCode(spot, text, _SUPPLY_FILE, composed=True))


def _of_library(one: Resolved) -> bool:
    return isinstance(one, External) and one.package in ("werkzeug", "builtins", "abc", "typing")


def _registered(modules: Modules) -> dict[str, Resolved]:
    """The classes that the files give the map by `app.url_map.converters["name"] = Class`, by their names."""

    def found() -> dict[str, Resolved]:
        return {name: modules.resolve(scope, cls) for scope, name, cls in _given(modules)}

    return remembered(modules, "converters of flask", found)


def _given(modules: Modules) -> Iterator[tuple[Scope, str, ast.expr]]:
    for scope, statement in modules.statements():
        match statement:
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="converters"), slice=key)], value=cls):
                name = constant(modules, scope, key)
                if isinstance(name, str) and name is not ABSENT:
                    yield scope, name, cls
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr="converters"), attr="update")) as call
            ):
                yield from ((scope, word.arg, word.value) for word in call.keywords if word.arg is not None)
                for given in (one for one in call.args if isinstance(one, ast.Dict)):
                    for part, cls in zip(given.keys, given.values, strict=True):
                        name = constant(modules, scope, part) if part is not None else ABSENT
                        if isinstance(name, str) and name is not ABSENT:
                            yield scope, name, cls


def read_proxies(modules: Modules, dialect: Dialect, function: Definition, found: RouteFacts) -> None:
    """Adds what `LocalProxy(find)` answers where the handler, or what it calls, looks at it.

    Whether it is looked at before anything is answered is not followed, so that it is no guard.
    """
    events = events_of(modules, function)
    body = modules.body(function)
    scopes = {id(one): one for one in (*([body] if body is not None else ()), *(each.frame.scope for each in events))}
    seen: set[int] = set()
    for scope in scopes.values():
        for node in own_nodes(scope.node):
            made = modules.resolve(scope, node) if isinstance(node, ast.Name) else None
            call = made.node if isinstance(made, Definition) and isinstance(made.node, ast.Call) else None
            if isinstance(made, Definition) and call is not None and id(call) not in seen:
                seen.add(id(call))
                if modules.is_a(modules.called(made.scope, call), ("werkzeug",), "LocalProxy"):
                    _proxy(modules, dialect, (made.scope, call), found)


def _proxy(modules: Modules, dialect: Dialect, made: tuple[Scope, ast.Call], found: RouteFacts) -> None:
    scope, call = made
    given = call.args[0] if call.args else None
    finding = modules.resolve(scope, given)
    if isinstance(given, ast.Lambda) and isinstance(given.body, ast.Call):
        finding = modules.called(scope, given.body)
    if isinstance(finding, Definition) and is_function(finding):
        _answered(modules, dialect, events_of(modules, finding), found)
    elif not isinstance(given, ast.Lambda) or isinstance(given.body, ast.Call):
        text = f"what `{ast.unparse(call)[:100]}` does where it is looked at"
        found.unread.append(UnsupportedCode(scope.spot(call), text, _SUPPLY_FILE))


def _answered(modules: Modules, dialect: Dialect, events: Sequence[Event], found: RouteFacts) -> None:
    found.elsewhere.extend(unsupplied(modules, events))
    found.responses.extend(one for event in events for one in dialect.raised(event))


# What an application does itself around each request: methods of its class, and what is set in their place.


_BEFORE: Final = ("__call__", "wsgi_app", "full_dispatch_request", "preprocess_request", "dispatch_request")
_AFTER_METHODS: Final = ("process_response", "finalize_request", "handle_user_exception", "ensure_sync")
_APPLICATIONS: Final = ("Flask", "APIFlask", "OpenAPI")
_BASES: Final = (*PACKAGES, "builtins", "abc", "typing")
_SUPPLY_DEFINITION: Final = "Supply what defines it, or declare with quotes what it answers."
RequestHook = Definition | UnsupportedCode
"""A function that runs around each request, or one that is not followed."""


def around_requests(modules: Modules, apps: Apps) -> tuple[RequestHook, ...]:
    """Everything that applications of the supplied files run around each request beside Flask's own code."""
    return (*_of_classes(modules), *_set_later(modules, apps))


def read_around(modules: Modules, dialect: Dialect, around: RequestHook, found: RouteFacts) -> None:
    """Adds what one of them does on the way to a route."""
    if isinstance(around, UnsupportedCode):
        found.unread.append(around)
    else:
        read_gate(modules, dialect, [around], Written(around.qualname, around.scope.spot(around.node)), found)


def _of_classes(modules: Modules) -> Iterator[RequestHook]:
    for cls in modules.classes():
        if not modules.is_a(cls, PACKAGES, *_APPLICATIONS):
            continue
        spot = cls.scope.spot(cls.node)
        for name in (*_BEFORE, *_AFTER_METHODS):
            method = modules.member(cls, name)
            if isinstance(method, Definition):
                yield _one(method, name, spot)
        for base in modules.ancestry(cls):
            if not isinstance(base, Definition) and not (isinstance(base, External) and base.package in _BASES):
                word = base.name if isinstance(base, External) else "a base that can't be told"
                yield UnsupportedCode(spot, f"`{word}`, a base of the application", _SUPPLY_DEFINITION)


def _one(found: Resolved, name: str, spot: Spot) -> RequestHook:
    if isinstance(found, Definition) and is_function(found) and name in _BEFORE:
        return found
    return UnsupportedCode(spot, f"the application's own `{name or 'method'}`", _SUPPLY_DEFINITION)


def _set_later(modules: Modules, apps: Apps) -> Iterator[RequestHook]:
    for one in set_from_outside(modules, (*_BEFORE, *_AFTER_METHODS)):
        if one.name != "wsgi_app" and _is_application(modules, apps, (one.scope, one.holder), bool(one.name)):
            yield _one(modules.resolve(one.scope, one.value), one.name, one.spot)


def _is_application(modules: Modules, apps: Apps, at: tuple[Scope, ast.expr], named: bool) -> bool:
    """True for an application, its class, and what nobody can tell if the name is that of a method of Flask."""
    scope, holder = at
    made = apps.holder(scope, holder)
    if made is not None:
        return not apps.is_blueprint(made)
    found = modules.resolve(scope, holder)
    if isinstance(found, External) and found.of(PACKAGES, *_APPLICATIONS):
        return True
    if isinstance(found, Definition) and isinstance(found.node, ast.ClassDef):
        return modules.is_a(found, PACKAGES, *_APPLICATIONS)
    return named and (found is None or isinstance(found.node if isinstance(found, Definition) else None, ast.arg))
