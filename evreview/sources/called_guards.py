"""Calls of libraries that refuse callers by themselves, in a handler or in what runs before it. One value each."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from evreview.codefacts.calls import keyword
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Event
from evreview.codefacts.model import Guard, Spot
from evreview.codefacts.modules import Scope
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING
from evreview.sources.resolved import External


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRule:
    """What one call refuses.

    Attributes:
        kind: as of a guard.
        package, name: where it comes from.
        optional: the argument, and its place, that lets callers without credentials pass; "" for none.
    """

    id: str
    why: str
    kind: Literal["authentication", "authorization"]
    package: str
    name: str
    scheme: str = ""
    optional: tuple[str, int | None] = ("", None)
    example: str
    counter: str


CALLS: Final = (
    CallRule(
        id="flask-jwt-in-request", why="Flask-JWT-Extended demands a token", kind="authentication",
        package="flask_jwt_extended", name="verify_jwt_in_request", scheme="http bearer", optional=("optional", 0),
        example="verify_jwt_in_request()", counter="verify_jwt_in_request(optional=True)",
    ),
    CallRule(
        id="aiohttp-authorized", why="aiohttp-security demands a known caller", kind="authentication",
        package="aiohttp_security", name="check_authorized",
        example="await check_authorized(request)", counter="await authorized_userid(request)",
    ),
    CallRule(
        id="aiohttp-permitted", why="aiohttp-security demands a permission", kind="authorization",
        package="aiohttp_security", name="check_permission",
        example='await check_permission(request, "read")', counter='await permits(request, "read")',
    ),
)  # fmt: skip


def called_guards(modules: Modules, events: Iterable[Event]) -> Iterator[Guard]:
    """The guards that calls are; one that stands below a condition has it for a hole."""
    for event in events:
        if event.kind is not ast.Call or not isinstance(event.node, ast.Call):
            continue
        scope = event.frame.scope
        found = modules.called(scope, event.node)
        rule = next((one for one in CALLS if isinstance(found, External) and found.of((one.package,), one.name)), None)
        if rule is None or _is_caught(scope.node, event.node):
            continue
        left_open = lets_pass(modules, scope, event.node, rule.optional)
        if left_open is not True:
            spot = scope.spot(event.node)
            unless = (*(scope.spot(test) for test in event.tests), *left_open)
            yield Guard(name=rule.name, kind=rule.kind, spot=spot, scheme=rule.scheme, unless=unless)


def lets_pass(
    modules: Modules, scope: Scope, call: ast.Call | None, optional: tuple[str, int | None]
) -> tuple[Spot, ...] | Literal[True]:
    """True where the call lets callers without credentials pass; the argument where that can't be told."""
    name, place = optional
    given = keyword(call, name, place) if call is not None and name else None
    if given is None:
        return ()
    value = constant(modules, scope, given)
    if value is MISSING:
        return (scope.spot(given),)
    return True if value else ()


def _is_caught(function: ast.AST, call: ast.Call) -> bool:
    """True for a call whose refusal a handler takes that raises and returns nothing."""
    return any(
        call is node
        for block in ast.walk(function)
        if isinstance(block, ast.Try) and block.handlers
        and not any(isinstance(one, ast.Raise | ast.Return) for handler in block.handlers for one in ast.walk(handler))
        for part in block.body
        for node in ast.walk(part)
    )  # fmt: skip
