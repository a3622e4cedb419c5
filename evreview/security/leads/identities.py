"""Who calls, or what they may do, taken from what the caller says instead of from a credential that is checked."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.core.quoted_text import Subject, text
from evreview.core.vocabulary import Area
from evreview.security.leads.bindings import bindings
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, EXEMPT, PRINCIPALS, PRIVILEGES, says, words
from evreview.workflows.w3.access_control.request_values import Origin
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, Unit

IDENTITIES: Final = frozenset(
    {"user", "username", "userid", "account", "customer", "principal", "identity", "email", "subject", "uid", "login",
     "sub", "actor", "member", "caller"}
)  # fmt: skip
_SHOWN: Final = CREDENTIALS | {"signature", "sig", "hmac", "digest", "otp", "nonce"}
_HOPS: Final = 5
_MOST: Final = 60
"""Expressions looked at for one value."""


def caller_identities(reading: Reading) -> Iterator[Hit]:
    """One hit per place that makes what is known of the caller out of an unchecked value of the request."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            for node, value in _established(reading, unit, frame):
                found = _word(reading, unit, frame, value)
                if found is not None and (found[1] is Area.AUTHENTICATION or _decides(reading, unit.route)):
                    origin, area = found
                    says_so = text("who calls is known by the ", origin.place, " ", Subject(origin.name), " alone")
                    yield hit(frame, node, unit.route, says_so, area)


def _established(reading: Reading, unit: Unit, frame: Frame) -> Iterator[tuple[ast.AST, ast.expr]]:
    """Where a function says who calls: what it notes on the request, what a guard returns, a handler's own variable."""
    guard = unit.route != ALL_ROUTES and not _is_handler(reading, unit) and frame.depth == 0
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Assign(targets=[target], value=value):
                if _noted(reading, frame, target) or (_is_handler(reading, unit) and _is_principal(target)):
                    yield node, value
            case ast.Return(value=ast.expr() as value) if guard:
                yield node, value


def _decides(reading: Reading, route: str) -> bool:
    """True when something on the route asks for a right of who calls; otherwise the right is only noted."""
    for unit in reading.units:
        for frame in unit.frames if route in (unit.route, ALL_ROUTES) else ():
            for node in reading.nodes(frame.scope.node):
                if isinstance(node, ast.Compare | ast.If | ast.UnaryOp) and _speaks_of_right(node):
                    return True
    return False


def _speaks_of_right(node: ast.AST) -> bool:
    tested = node.test if isinstance(node, ast.If) else node
    return any(isinstance(part, ast.Attribute) and says(part.attr, PRIVILEGES) for part in ast.walk(tested)) or any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in PRIVILEGES
        for part in ast.walk(tested)
    )


def _is_handler(reading: Reading, unit: Unit) -> bool:
    found = reading.handlers.get(unit.route)
    return found is not None and found.node is unit.function.node


def _noted(reading: Reading, frame: Frame, target: ast.expr) -> bool:
    """True for `g.user`, `request.state.user`, `request.user` and `request["user"]`."""
    requests = reading.origins.requests
    match target:
        case ast.Attribute(value=holder, attr=name):
            return (requests.is_state(frame, holder) or requests.is_request(frame, holder)) and _names_caller(name)
        case ast.Subscript(value=holder, slice=ast.Constant(value=str(name))):
            return requests.is_request(frame, holder) and _names_caller(name)
    return False


def _is_principal(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and words(target.id)[-1:] != () and words(target.id)[-1] in PRINCIPALS


def _names_caller(name: str) -> bool:
    return says(name, PRINCIPALS | PRIVILEGES) and not says(name, {"agent", "locale", "language"})


def _word(reading: Reading, unit: Unit, frame: Frame, value: ast.expr) -> tuple[Origin, Area] | None:
    """The origin that says who calls, with what it is about; None for a value that rests on a credential."""
    if isinstance(value, ast.Compare | ast.BoolOp | ast.Constant):
        return None
    sent = tuple(dict.fromkeys(_sent(reading, frame, value, [_MOST], _HOPS)))
    local = _is_handler(reading, unit)
    for origin in sent:
        if origin.place not in ("header", "cookie", "query") or says(origin.name, _SHOWN | EXEMPT):
            continue
        if local and origin.place != "header":
            continue
        if says(origin.name, PRIVILEGES) and isinstance(value, ast.Call | ast.Dict | ast.Await):
            return origin, Area.AUTHORIZATION
        if says(origin.name, IDENTITIES) and not any(_shows(one) for one in sent) and not _checks(reading, frame):
            return origin, Area.AUTHENTICATION
    return None


def _sent(reading: Reading, frame: Frame, node: ast.AST, left: list[int], hops: int) -> Iterator[Origin]:
    """The origins of a value, and of what the calls that make it are given."""
    left[0] -= 1
    if hops <= 0 or left[0] <= 0:
        return
    yield from reading.origins.of(frame, node)
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            for argument in (*part.args, *(word.value for word in part.keywords)):
                yield from reading.origins.of(frame, argument)
        elif isinstance(part, ast.Name):
            for where, binding in bindings(frame, part):
                if isinstance(binding.node, ast.expr) and where.scope is frame.scope:
                    yield from _sent(reading, where, binding.node, left, hops - 1)


def _shows(origin: Origin) -> bool:
    return origin.place == "credential" or says(origin.name, _SHOWN)


def checks_credential(reading: Reading, route: str, symbol: str) -> bool:
    """True when the function of that qualified name, run for a route, gives a credential to a check."""
    for unit in reading.units:
        if unit.route == route and unit.function.qualname == symbol:
            return any(_checks(reading, frame) for frame in unit.frames[:1])
    return False


def _checks(reading: Reading, frame: Frame) -> bool:
    """True when the function gives a credential of the caller to a check."""
    for node in reading.nodes(frame.scope.node):
        match node:
            case ast.Call(args=given, keywords=named):
                parts = [*given, *(word.value for word in named)]
            case ast.Compare(left=first, comparators=others):
                parts = [first, *others]
            case _:
                continue
        if any(_shows(origin) for part in parts for origin in reading.origins.of(frame, part)):
            return True
    return False
