"""Functions that Flask runs before every request of an application or a blueprint."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.sources.around_lines import conditions
from evreview.sources.calls import decorators, is_function, last_name
from evreview.sources.flask.apps import Apps
from evreview.sources.handlers import Dialect, Found, Written, read_decorator, read_gate
from evreview.sources.model import Spot, Told, UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition
from evreview.sources.told_apart import told_apart

_FOR_ALL: Final = frozenset({"before_app_request", "app_url_value_preprocessor"})
HOOKS: Final = frozenset({"before_request", "url_value_preprocessor"}) | _FOR_ALL
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
    """

    owner: int | None
    function: Definition | None
    spot: Spot
    unless: tuple[Spot, ...]
    scope: Scope
    written: ast.expr


def hooks_of(modules: Modules, apps: Apps) -> tuple[Hook, ...]:
    """Every hook of the supplied files, registered by decorator or by a call."""
    return tuple(_hooks(modules, apps))


def _hooks(modules: Modules, apps: Apps) -> Iterator[Hook]:
    for scope, statement in modules.statements():
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for name, _ in decorators(statement):
                    if isinstance(name, ast.Attribute) and name.attr in HOOKS:
                        function = Definition(statement, scope, statement.name, statement)
                        yield from _hook(apps, scope, (name, function, statement))
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attr) as name, args=[given])) if attr in HOOKS:
                found = modules.resolve(scope, given)
                called = found if isinstance(found, Definition) and is_function(found) else None
                for one in _hook(apps, scope, (name, called, statement)):
                    yield replace(one, written=given)
            case _:
                yield from _by_hand(scope, statement)


def _hook(apps: Apps, scope: Scope, on: tuple[ast.Attribute, Definition | None, ast.stmt]) -> Iterator[Hook]:
    name, function, statement = on
    holder, spot = apps.holder(scope, name.value), scope.spot(statement)
    doubt = () if holder is not None else (spot,)
    of_app = holder is None or name.attr in _FOR_ALL or not apps.is_blueprint(holder)
    if holder is None and not apps.may_be(scope, name.value):
        return
    unless = (*doubt, *(scope.spot(one) for one in conditions(apps.modules, scope, statement)))
    yield Hook(None if of_app or holder is None else id(holder.node), function, spot, unless, scope, name)


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
        read_gate(modules, dialect, [function], Written(hook.function.name, hook.spot), found)
    elif isinstance(hook.written, ast.Call):
        read_decorator(modules, dialect, hook.scope, (hook.written.func, None), found)
    else:
        word = ast.unparse(hook.written)[:100]
        found.unread.append(UnreadCode(hook.spot, f"what `{word}` answers before the handler", _DECLARE, composed=True))
    if hook.unless:
        found.guards[since:] = [replace(one, unless=(*one.unless, *hook.unless)) for one in found.guards[since:]]
