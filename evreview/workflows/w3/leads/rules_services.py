"""What reviewers of services look for by hand: secrets in logs, and rights that routes beside ask for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.model import Guard, Route
from evreview.codefacts.modules import all_given, last_name
from evreview.codefacts.names import Definition
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.access_words import words
from evreview.workflows.w3.access_control.entry_points import FRAMEWORK
from evreview.workflows.w3.access_control.request_values import bindings
from evreview.workflows.w3.access_control.route_guards import (
    SAFE,
    alike,
    is_public,
    may_hide_a_guard,
    neighbours,
    refusing,
)
from evreview.workflows.w3.access_control.units import Hit, LeadRule, RuleInput, hit, hit_at
from evreview.workflows.w3.leads.check_then_act import checks_then_acts
from evreview.workflows.w3.leads.sender_signatures import unsigned_webhooks

_LEVELS: Final = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_LOGGERS: Final = re.compile(r"(?:^|\.|_)(?:log|logger|logging)s?$", re.IGNORECASE)
_SECRET: Final = re.compile(
    r"(?:^|(?<!page)(?<!next)(?<!csrf)(?<!xsrf)(?<!sync)(?<!cursor)[_-])(?:password|passwd|secret|token|authorization|credentials?|api[_-]?key|private[_-]?key)$",
    re.IGNORECASE,
)
_FILTER: Final = re.compile(
    r"addFilter|logging\.Filter|\bFilter\)|processors|[Rr]edact|[Ss]crub|[Ss]anitiz|\bmask|before_send|Config\(.{0,40}log"
    r"|Formatter\)|patcher|\.configure\("
)
"""What takes values out of what is logged, or may."""
_KEEPING: Final = frozenset({"str", "repr", "format", "get", "strip", "decode", "encode", "join", "dict"})
"""Calls whose outcome still holds the value."""
_HOPS: Final = 5
_READER: Final[Text] = ("who may read what is logged, and whether a filter takes the value out",)
_MANAGING: Final = frozenset(
    {"admin", "administration", "staff", "internal", "manage", "management", "ops", "backoffice"}
)
_REFUSED: Final[Text] = ("whether what the route beside it asks for certainly refuses somebody",)
_DECIDED: Final[Text] = ("who decided that everybody who is signed in may do it",)
_ALTERING: Final = frozenset({"PUT", "PATCH", "DELETE"})
_SEVERAL: Final = 2


# Logs


def secrets_in_logs(reading: RuleInput) -> Iterator[Hit]:
    """Log lines and prints that hold a value which is named like a secret."""
    for unit, frame, call in reading.calls():
        if not _is_log(call):
            continue
        given = all_given(call)
        name = next((found for one in given for found in _held_by(reading, frame, one)), "")
        if name:
            says = text("a log line holds ", UserText(name))
            shown = _is_sent(reading, frame, given) and not _filters(reading)
            yield (
                hit(frame, call, unit.route, says)
                if shown
                else replace(hit(frame, call, unit.route, says), lacks=_READER)
            )


def _is_sent(reading: RuleInput, frame: Frame, given: Sequence[ast.expr]) -> bool:
    """True where the caller's own secret flows into the line, not only something of such a name."""
    found = (origin for one in given for origin in reading.origins.of(frame, one))
    return any(not origin.name or _SECRET.search(origin.name) for origin in found)


def _filters(reading: RuleInput) -> bool:
    """True where something in the sources may take values out of what is logged."""
    if "log_filters" not in reading.kept:
        reading.kept["log_filters"] = any(_FILTER.search(source.text) for source in reading.sources)
    return bool(reading.kept["log_filters"])


def _held_by(reading: RuleInput, frame: Frame, node: ast.expr, hops: int = _HOPS) -> Iterator[str]:
    """The names of secrets in an expression, and in what its names were given."""
    yield from _secrets(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "locals":
            yield from (name for name in frame.scope.names if _SECRET.search(name))
    for name in _shown(node) if hops > 0 else ():
        if isinstance(name, ast.Attribute):
            yield from ["headers"] if reading.origins.requests.is_request(frame, name.value) else []
            continue
        for where, binding in bindings(frame, name):
            if not isinstance(binding.node, ast.arg):
                if isinstance(binding.node, ast.expr) and where.scope is frame.scope:
                    yield from _held_by(reading, where, binding.node, hops - 1)
                continue
            given = where.given.get(id(binding.node))
            if given is not None:
                yield from _held_by(reading, given[0], given[1], hops - 1)
            yield from _members_of(reading, where, binding.node)


def _shown(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """The names, and the headers of requests, whose whole value is part of an expression's."""
    match node:
        case ast.Name() | ast.Attribute(attr="headers"):
            yield node
        case ast.Call(func=function, args=args):
            if last_name(function) in _KEEPING - {"get"}:
                yield from (found for one in args for found in _shown(one))
        case ast.JoinedStr() | ast.FormattedValue() | ast.BinOp() | ast.Tuple() | ast.List() | ast.Dict():
            yield from (found for one in ast.iter_child_nodes(node) for found in _shown(one))


def _members_of(reading: RuleInput, frame: Frame, argument: ast.arg) -> Iterator[str]:
    """The secret members of the model that a parameter is; those that print nothing of themselves left out."""
    cls = reading.modules.class_of(Definition(argument, frame.scope, argument.arg, argument))
    if not isinstance(cls, Definition) or not reading.modules.is_a(
        cls, ("pydantic", "sqlmodel"), "BaseModel", "SQLModel"
    ):
        return
    for base in reading.modules.ancestry(cls):
        for one in getattr(base.node, "body", ()) if isinstance(base, Definition) else ():
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and _SECRET.search(one.target.id):
                yield from [] if "Secret" in ast.unparse(one.annotation) else [one.target.id]


def _is_log(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _LEVELS:
        return bool(_LOGGERS.search(ast.unparse(call.func.value).removesuffix("()")))
    return isinstance(call.func, ast.Name) and call.func.id == "print"


def _secrets(node: ast.AST) -> Iterator[str]:
    """The names of secrets whose values are part of an expression's value."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if _SECRET.search(name):
            yield name
        case ast.Subscript(slice=ast.Constant(value=str(name))) if _SECRET.search(name):
            yield name
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]) if _SECRET.search(name):
            yield name
        case ast.Call(func=function, args=args):
            if last_name(function) in _KEEPING:
                inner = [*args, *([function.value] if isinstance(function, ast.Attribute) else [])]
                yield from (found for one in inner for found in _secrets(one))
        case ast.IfExp(body=body, orelse=other):
            yield from (*_secrets(body), *_secrets(other))
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                named = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
                plain = isinstance(value, ast.Name | ast.Attribute | ast.Subscript)
                yield from [named] if plain and _SECRET.search(named) else _secrets(value)
        case ast.JoinedStr() | ast.FormattedValue() | ast.BinOp() | ast.Tuple() | ast.List():
            yield from (found for one in ast.iter_child_nodes(node) for found in _secrets(one))


# Rights


def weaker_siblings(reading: RuleInput) -> Iterator[Hit]:
    """A route that asks only who calls, beside routes of its resource that ask for a right as well."""
    for route in reading.routes:
        kinds = {guard.kind for guard in refusing(route)}
        if route.framework in (FRAMEWORK, "declared") or kinds != {"authentication"} or is_public(route):
            continue
        if may_hide_a_guard(route) or any(guard.scopes for guard in route.guards) or _refuses(reading, route):
            continue
        others = [one for one in neighbours(route, reading.routes) if alike(route, one)]
        beside = [(one, guard) for one in others if (guard := _asks_more(one)) is not None]
        managing = bool(_MANAGING & set(words(route.path)))
        if beside and (managing or _stands_out(reading, route, beside)):
            nearest, guard = next((pair for pair in beside if not pair[1].unless), beside[0])
            says = text("asks only who calls; ", UserText(f"{nearest.method} {nearest.path}"), " beside it has ",
                        UserText(guard.name))  # fmt: skip
            lacks = _REFUSED if guard.unless else () if managing else _DECIDED
            yield replace(hit_at(route, says), lacks=lacks)
        elif managing and (inline := next((one for one in others if _refuses_inside(reading, one)), None)) is not None:
            says = text(
                "asks only who calls; ", UserText(f"{inline.method} {inline.path}"), " beside it refuses others"
            )
            yield hit_at(route, says)


def _refuses_inside(reading: RuleInput, route: Route) -> bool:
    """True for a handler that refuses with 403 itself, by what it asks of who calls."""
    return any(
        isinstance(node, ast.If)
        and 403 in reading.denials.of(frame, node.body)
        and reading.principals.decides(frame, node.test)
        for frame in _frames(reading, route)
        for node in reading.nodes(frame.scope.node)
    )


def _stands_out(reading: RuleInput, route: Route, beside: Sequence[tuple[Route, Guard]]) -> bool:
    """True for a change that asks less than all others of its resource, and whose code looks at no caller.

    Elsewhere some may do less than others by design: who makes a ticket reads none of others.
    """
    certain = [one for one, guard in beside if one.method not in SAFE and not guard.unless]
    others = [one for one in neighbours(route, reading.routes) if one.method not in SAFE]
    if route.method not in _ALTERING or len(certain) < _SEVERAL or len(certain) < len(others):
        return False
    return not any(
        reading.principals.within(frame, statement)
        for frame in _frames(reading, route)
        for statement in getattr(frame.scope.node, "body", [])
    )


def _frames(reading: RuleInput, route: Route) -> Iterator[Frame]:
    """The functions that a route's handler runs, its own first."""
    name = f"{route.method} {route.path}"
    for unit in reading.units:
        if unit.route == name and unit.function.qualname == route.handler:
            yield from unit.frames


def _refuses(reading: RuleInput, route: Route) -> bool:
    """True where the handler refuses by who calls; that something does not exist is nobody's refusal."""
    if any(one.status == 403 and one.how in ("raised", "returned") for one in route.responses):
        return True
    for frame in _frames(reading, route):
        for node in reading.nodes(frame.scope.node):
            if isinstance(node, ast.If | ast.IfExp) and reading.principals.decides(frame, node.test):
                return True
    return False


def _asks_more(route: Route) -> Guard | None:
    """What asks for a right, sooner one that certainly refuses."""
    found = [guard for guard in refusing(route) if guard.kind == "authorization"]
    return next((guard for guard in found if not guard.unless), found[0] if found else None)


# Lead rules about what reviewers of services look for by hand.


_HEAD: Final = """
import logging
from flask import Flask, request
app = Flask(__name__)
log = logging.getLogger(__name__)
"""
_GUARDS: Final = """
from fastapi import Depends, FastAPI, Header, HTTPException
from tokens import verify
app = FastAPI()

def signed_in(authorization: str = Header("")):
    user = verify(authorization)
    if user is None:
        raise HTTPException(401)
    return user

def staff(user=Depends(signed_in)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.get("/admin/users")
def users(user=Depends(staff)): return []
"""

SERVICES: Final = (
    LeadRule(
        id="secret-in-log",
        title="A log line holds a secret",
        area=Area.LOGGING,
        why="Logs are kept for long, copied and read by many; what shows who calls shows it to all of them.",
        attacker="can read the logs, or what is made of them",
        impact="Whoever reads the log may act as the caller or the service.",
        verify="Read what is written. In an isolated fixture, a synthetic mark sent as the secret must not stand in "
        "the log.",
        compensates=frozenset(),
        brief="isolated fixture: a synthetic mark sent as the secret is not in the log",
        look=secrets_in_logs,
        example=_HEAD
        + """
@app.post("/login")
def login():
    log.info("login with %s", request.form["password"])
    return ""
""",
        counter_examples=(
            _HEAD
            + """
@app.post("/login")
def login():
    log.info("login with a password of %s characters", len(request.form["password"]))
    return ""
""",
        ),
    ),
    LeadRule(
        id="unsigned-webhook",
        title="A webhook does not look at who sends its messages",
        area=Area.AUTHENTICATION,
        why="Whoever knows the address can send what looks like the other service's message.",
        attacker="can send a request to the webhook",
        impact="A caller may have the service act on an event that never happened.",
        verify="Read where the signature is checked. In an isolated fixture, a synthetic event without a signature "
        "must be refused.",
        compensates=frozenset({"authentication", "network"}),
        brief="isolated fixture, an event without a signature: refused",
        look=unsigned_webhooks,
        example=_HEAD
        + """
@app.post("/webhooks/payments")
def paid():
    store.paid(request.get_json()["order"])
    return ""
""",
        counter_examples=(
            _HEAD
            + """
import hmac

@app.post("/webhooks/payments")
def paid():
    mac = hmac.new(KEY, request.get_data(), "sha256").hexdigest()
    if not hmac.compare_digest(mac, request.headers["X-Signature"]):
        return "", 401
    store.paid(request.get_json()["order"])
    return ""
""",
        ),
    ),
    LeadRule(
        id="check-then-act",
        title="A count is checked in one step and taken from in another",
        area=Area.INPUT_HANDLING,
        why="Two calls at once may both pass the check before either takes from the count.",
        attacker="can send two requests at once",
        impact="A caller may spend the same amount twice.",
        verify="Read what keeps a second call out between check and change. In an isolated fixture with synthetic "
        "data, of two calls at once for the last unit one must be refused.",
        compensates=frozenset(),
        brief="isolated fixture, two calls at once for the last unit: one is refused",
        look=checks_then_acts,
        example=_HEAD
        + """
@app.post("/coupons")
def redeem():
    coupon = store.coupon(request.form["code"])
    if coupon.remaining < 1:
        return "", 409
    coupon.remaining -= 1
    store.save(coupon)
    return ""
""",
        counter_examples=(
            _HEAD
            + """
@app.post("/coupons")
def redeem():
    coupon = store.coupon(request.form["code"], for_update=True)
    if coupon.remaining < 1:
        return "", 409
    coupon.remaining -= 1
    store.save(coupon)
    return ""
""",
        ),
    ),
    LeadRule(
        id="weaker-sibling",
        title="A route asks only who calls, though routes beside it ask for a right",
        area=Area.AUTHORIZATION,
        why="A right that neighbours ask for is often forgotten, not left out.",
        attacker="can sign in, without the right",
        impact="A caller without the right may do what the neighbours keep for those who have it.",
        verify="In an isolated fixture with synthetic data, call the route as a principal without the right; it must "
        "be refused as its neighbours refuse.",
        compensates=frozenset({"authorization"}),
        brief="isolated fixture, a caller without the right: refused as its neighbours refuse",
        look=weaker_siblings,
        example=_GUARDS
        + """
@app.delete("/admin/users/{n}")
def remove(n: int, user=Depends(signed_in)): return store.remove(n)
""",
        counter_examples=(
            _GUARDS
            + """
@app.delete("/admin/users/{n}")
def remove(n: int, user=Depends(staff)): return store.remove(n)
""",
        ),
    ),
)
