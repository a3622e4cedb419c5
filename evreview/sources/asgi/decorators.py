"""Decorators of a handler besides the one that registers it: rate limits, guards, wrappers of the supplied files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from evreview.codefacts.asgi.guards import SIGNS_IN, through
from evreview.codefacts.asgi.outcomes import Handler, Outcomes
from evreview.codefacts.calls import Applying, Wrap, called_of, chooses, given_to, handed_back, unfolded
from evreview.codefacts.constants import constant, texts, whole
from evreview.codefacts.control_flow import resolved_in
from evreview.codefacts.model import CodeNote, CodeResponse, Guard, Spot, UnreadCode
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import MISSING, Concern, Json
from evreview.sources.asgi.registrations import METHODS
from evreview.sources.resolved import Definition, External

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
            name = value if isinstance(value, str) and value is not MISSING else ast.unparse(decorator)[:200]
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
    out.unread.append(UnreadCode(spot, text, "Supply the file that does."))
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
    kind: Literal["authentication", "authorization"] = "authentication" if scopes and not kept else "authorization"
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
