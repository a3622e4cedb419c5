"""Functions that Flask runs before every request of an application or a blueprint."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from evreview.codefacts.calls import decorators, is_function, last_name, returned
from evreview.codefacts.control_flow import Event, run_through, value_in
from evreview.codefacts.flask.routes import Apps
from evreview.codefacts.handlers import Dialect, Found, Written, read_decorator, read_gate
from evreview.codefacts.model import Spot, Told, UnreadCode
from evreview.codefacts.modules import Scope, arguments
from evreview.codefacts.names import Modules
from evreview.codefacts.route_branches import told_apart
from evreview.core.vocabulary import MISSING
from evreview.sources.around_lines import conditions
from evreview.sources.resolved import Definition, External

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


def read_hook(modules: Modules, dialect: Dialect, hook: Hook, told: Told, found: Found) -> None:
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
        found.unread.append(UnreadCode(hook.spot, f"what `{word}` answers {when} the handler", _DECLARE, composed=True))
    if hook.unless:
        found.guards[since:] = [replace(one, unless=(*one.unless, *hook.unless)) for one in found.guards[since:]]


def _replaced(modules: Modules, dialect: Dialect, function: Definition, found: Found) -> None:
    """Adds what a function that is given the answer sends in its place."""
    events = run_through(modules, function)
    taken = arguments(function.node) if isinstance(function.node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    given = taken[-1].arg if taken else ""
    for event in returned(modules, events):
        value = getattr(event.node, "value", None)
        if isinstance(value, ast.Name) and value.id == given and not _bound_again(function.node, given):
            continue
        sent = [one for one in dialect.returned(event, events) if one.status is not None]
        found.responses.extend(sent)
        if not sent:
            found.unread.append(UnreadCode(event.spot, f"what `{function.name}` answers after the handler", _DECLARE))
    for event in events:
        if any(True for _ in dialect.raised(event)) or _may_refuse(modules, event):
            found.unread.append(UnreadCode(event.spot, f"what `{function.name}` makes of the answer", _DECLARE))


def _bound_again(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store) for one in ast.walk(node)
    )


def _may_refuse(modules: Modules, event: Event) -> bool:
    """True for `response.status_code = …` of a status that may be 401; the others are told by what is rewritten."""
    targets = getattr(event.node, "targets", []) if event.kind is ast.Assign else []
    sets = any(isinstance(one, ast.Attribute) and one.attr in ("status", "status_code") for one in targets)
    value = value_in(modules, event.frame, getattr(event.node, "value", None)) if sets else None
    return sets and (value is MISSING or str(value).startswith("401"))
