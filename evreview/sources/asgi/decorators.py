"""Decorators of a handler besides the one that registers it: rate limits, guards, wrappers of the supplied files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.sources.asgi.middleware import through
from evreview.sources.asgi.outcomes import Handler, Outcomes
from evreview.sources.asgi.registrations import METHODS
from evreview.sources.constants import constant, texts
from evreview.sources.model import CodeNote, Guard, UnreadCode
from evreview.sources.modules import Scope
from evreview.sources.names import Modules
from evreview.sources.resolved import Definition, External
from evreview.vocab import MISSING, Concern

_HARMLESS: Final = ("functools", "typing", "builtins", "warnings", "typing_extensions", "fastapi_cache")
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
        guards += _decorator(modules, handler.scope, decorator, handlers, out)
    return tuple(guards)


def _registers(modules: Modules, scope: Scope, decorator: ast.expr) -> bool:
    """Another path operation decorator on the same function."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return False
    holder = modules.resolve(scope, decorator.func.value)
    cls = modules.class_of(holder)
    known = modules.is_a(cls, ("fastapi", "starlette"), "FastAPI", "APIRouter", "Starlette", "Router")
    return known and decorator.func.attr in _REGISTERING


def _decorator(
    modules: Modules, scope: Scope, decorator: ast.expr, handlers: Sequence[Handler], out: Outcomes
) -> tuple[Guard, ...]:
    call = decorator if isinstance(decorator, ast.Call) else None
    function = call.func if call else decorator
    found = modules.resolve(scope, function)
    spot = scope.spot(decorator)
    if isinstance(found, External) and found.name == "starlette.authentication.requires":
        scopes = texts(modules, scope, call.args[0]) if call and call.args else None
        return (Guard(name="requires", kind="authorization", spot=spot, scopes=scopes or ()),)
    if isinstance(found, External) and found.package == "slowapi":
        if call and call.args and found.last in ("limit", "shared_limit"):
            value = constant(modules, scope, call.args[0])
            name = value if isinstance(value, str) and value is not MISSING else ast.unparse(decorator)[:200]
            out.notes.append(CodeNote(concern=Concern.RATE_LIMITS, name=name, spot=spot, value=value))
        return ()
    if isinstance(found, External) and found.package in _HARMLESS:
        return ()
    if isinstance(found, Definition) and isinstance(found.node, ast.FunctionDef | ast.AsyncFunctionDef):
        return tuple(
            guard
            for inner in _wrappers(modules, found)
            for guard in through(modules, inner, spot, handlers, out)
        )  # fmt: skip
    word = found.name if isinstance(found, External) else ast.unparse(function)[:100]
    text = f"the decorator `{word}`, which no supplied file defines"
    out.unread.append(UnreadCode(spot, text, "Supply the file that does."))
    return ()


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
