"""Routes without a guard beside guarded ones, and guards that ask only whether credentials are there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.asgi.security_schemes import scheme_of
from evreview.codefacts.constants import constant
from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.conditional import may_be_empty
from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.model import ACCESS_BY_STATUS, Guard, Route, UnreadPart
from evreview.codefacts.modules import all_given, last_name
from evreview.codefacts.names import Definition, External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ABSENT, Area
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, PEOPLE, PUBLIC, says, words
from evreview.workflows.w3.access_control.caller_decisions import Condition, conditions
from evreview.workflows.w3.access_control.entry_points import FRAMEWORK
from evreview.workflows.w3.access_control.request_values import LIBRARIES, RequestSource, unverified
from evreview.workflows.w3.access_control.units import ALL_ROUTES, CodeUnit, Hit, RuleInput, hit, hit_at

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN: Final = frozenset(
    {
        UnreadPart.DEPENDENCY,
        UnreadPart.DECORATOR,
        UnreadPart.MIDDLEWARE,
        UnreadPart.AUTHENTICATION_CLASSES,
        UnreadPart.PERMISSION_CLASSES,
        UnreadPart.CHECKS,
        UnreadPart.FIELD_CHECKS,
    }
)
_NAMED_OPEN: Final = re.compile(r"AllowAny|ReadOnly|Public|Anyone|Everybody|Open")
_WHO_CALLS: Final = 401
_UNDECLARED: Final = ": declare a fact about its authentication with a quote, or supply the code"
LEAST_GUARDED: Final = 2
"""Guarded routes of the whole service from which on an unguarded one stands out, when they are the most."""


def unguarded_siblings(reading: RuleInput) -> Iterator[Hit]:
    """One hit per unguarded route that has a guarded neighbour with a method of the same kind."""
    for route in reading.routes:
        if route.framework == FRAMEWORK or _is_guarded(route) or opened_by_name(reading, route) or is_public(route):
            continue
        if (may_hide_a_guard(route) and route.public is None) or _refuses_itself(route):
            continue
        beside = guarded_beside(route, reading.routes)
        if not beside:
            continue
        nearest = beside[0]
        kinds = {kind for other in beside for kind in _kinds(other)}
        area = Area.AUTHENTICATION if "authentication" in kinds else Area.AUTHORIZATION
        names = f"{nearest.method} {nearest.path}"
        with_ = (" with ", UserText(refusing(nearest)[0].name)) if refusing(nearest) else (", which refuses callers",)
        declared = route.framework == "declared"
        none = "no guard is declared, beside " if declared else "no guard, beside "
        lacks = text("what runs before ", UserText(f"{route.method} {route.path}"), _UNDECLARED) if declared else ()
        yield replace(hit_at(route, text(none, UserText(names), *with_)), area=area, lacks=lacks)


def guarded_beside(route: Route, routes: Sequence[Route]) -> list[Route]:
    """The guarded routes beside which one without a guard stands out, nearest first."""
    near = [other for other in neighbours(route, routes) if _is_guarded(other) and alike(route, other)]
    return near or _elsewhere(route, routes)


def opened_by_name(reading: RuleInput, route: Route) -> bool:
    """True where the view itself names who may come in: `AllowAny`; a default or an empty list names nobody."""
    if route.public is None or route.public.path != route.spot.path:
        return False
    for source in reading.sources:
        if source.item == route.public.item and source.path == route.public.path:
            lines = source.text.splitlines()[route.public.first - source.first_line : route.public.last]
            return bool(_NAMED_OPEN.search("\n".join(lines)))
    return True


def _refuses_itself(route: Route) -> bool:
    """True for a handler that answers 401 by itself, as the control matrix takes it."""
    return any(one.status == _WHO_CALLS and one.how in ("raised", "returned") for one in route.responses)


def _is_guarded(route: Route) -> bool:
    return bool(_kinds(route))


def _kinds(route: Route) -> tuple[str, ...]:
    """What the guards ask for; of a declared route its refusals tell as well."""
    found = tuple(guard.kind for guard in refusing(route))
    if found or route.framework != "declared":
        return found
    return tuple(ACCESS_BY_STATUS[one.status] for one in route.responses if one.status in ACCESS_BY_STATUS)


def refusing(route: Route) -> tuple[Guard, ...]:
    """The guards that may refuse; Starlette's middleware alone only notes who calls."""
    return tuple(guard for guard in route.guards if guard.name.rpartition(".")[2] != "AuthenticationMiddleware")


def _elsewhere(route: Route, routes: Sequence[Route]) -> list[Route]:
    """The guarded routes of a service that guards most of what is not meant for everybody."""
    others = [other for other in routes if other is not route and not is_public(other)]
    guarded = [other for other in others if _is_guarded(other)]
    most = len(guarded) >= LEAST_GUARDED and 2 * len(guarded) > len(others)
    return [other for other in guarded if alike(route, other)] if most else []


def neighbours(route: Route, routes: Sequence[Route]) -> tuple[Route, ...]:
    """The other routes of the same resource: those whose path has the same first segment that is no version."""
    own = resource(route.path)
    return tuple(other for other in routes if other is not route and resource(other.path) == own)


def is_public(route: Route) -> bool:
    """True for a route whose path says that it is meant for everybody."""
    return any(word in PUBLIC for segment in route.path.split("/") for word in words(segment) if "{" not in segment)


def resource(path: str) -> str:
    """The first segment of a path that is no version; "" without one."""
    segments = [part for part in path.strip("/").split("/") if part]
    kept = [part for part in segments if part != "api" and not (part[:1] == "v" and part[1:].isdigit())]
    return kept[0] if kept and "{" not in kept[0] else ""


def alike(route: Route, other: Route) -> bool:
    """Reading may be open where only writing is guarded."""
    return route.method not in SAFE or other.method in SAFE


def may_hide_a_guard(route: Route) -> bool:
    """True when something that may guard the route could not be read."""
    return any(unread.part in _OPEN for unread in route.unread)


# Services in which no route asks who calls, and routes that are opened by name among guarded ones.


_VERIFYING: Final = frozenset(
    {"hmac.compare_digest", "secrets.compare_digest", "google.oauth2.id_token.verify_oauth2_token",
     "firebase_admin.auth.verify_id_token", "itsdangerous.URLSafeTimedSerializer.loads",
     "django.core.signing.loads", "django.contrib.auth.authenticate"}
)  # fmt: skip
_MEANT: Final[Text] = ("who decided that everybody may use the route, and what it gives",)


def services_without_authentication(reading: RuleInput) -> Iterator[Hit]:
    """One hit for a service of which every route was read and none asks who calls, though some change or tell people.

    The hit stands at the first route that changes something, else at the first one about people.
    """
    routes = [route for route in reading.routes if not is_public(route) and route.framework != FRAMEWORK]
    if not routes or any(_asks(route) for route in reading.routes) or _verifies(reading):
        return
    changing = [route for route in routes if route.method not in SAFE]
    telling = [route for route in routes if says(route.path, PEOPLE) or says(route.handler, PEOPLE)]
    for route, what in [(one, " changes something") for one in changing] + [
        (one, " is about people") for one in telling
    ]:
        name = UserText(f"{route.method} {route.path}")
        count = f"{len(routes)} routes" if len(routes) > 1 else "the one route"
        told = text(f"no route authenticates its caller; of {count}, ", name, what)
        yield replace(hit_at(route, told), route=ALL_ROUTES, symbol="")
        return


def _asks(route: Route) -> bool:
    """True for a route that refuses somebody, that says by name whom it lets in, or of which that could not be read."""
    refused = any(one.status in REFUSING and one.how in ("raised", "returned") for one in route.responses)
    return bool(route.guards) or refused or route.framework == "declared" or may_hide_a_guard(route)


def _verifies(reading: RuleInput) -> bool:
    """True where code that a route runs verifies a token or a signature: what fails there refuses by its exception."""
    for unit, frame, call in reading.calls():
        found = reading.modules.called(frame.scope, call)
        if not unit.route or not isinstance(found, External):
            continue
        decodes = found.package in LIBRARIES and found.last == "decode"
        if found.name in _VERIFYING or (decodes and not unverified(reading.modules, frame.scope, call, found)):
            return True
    return False


def routes_opened_by_name(reading: RuleInput) -> Iterator[Hit]:
    """One hit per route that names everybody as its caller, beside guarded ones of its resource or service."""
    for route in reading.routes:
        if route.framework == "declared" or is_public(route) or refusing(route) or not opened_by_name(reading, route):
            continue
        beside = guarded_beside(route, reading.routes)
        if beside:
            nearest = beside[0]
            told = text("the code opens it to everybody, beside ", UserText(f"{nearest.method} {nearest.path}"))
            yield replace(hit_at(route, told), lacks=_MEANT)


_PLACES: Final = ("header", "cookie", "query", "credential")
_NOT: Final = frozenset({"csrf", "xsrf", "csrftoken", "type", "hint", "idempotency", "partition", "sort", "cache"})
"""Words in names of what is no credential, though another word is one of theirs."""
_SHAPE: Final = frozenset({"startswith", "endswith", "lower", "upper", "strip", "isascii", "isdigit", "isalnum"})
_QUIET: Final = frozenset(
    {"len", "bool", "str", "isinstance", "type", "print", "debug", "info", "warning", "error", "exception", "log",
     "bind", "call_next", "get_response", "startswith", "endswith", "setattr", "append"}
)  # fmt: skip
_ANSWERS: Final = ("Response", "Exception", "Error", "Unauthorized", "Forbidden")
_SCHEMES: Final = frozenset({"bearer", "basic", "digest", "token", "jwt", "apikey", "null", "undefined", "none"})
"""Constants that name a scheme and are no secret."""
_SETTING: Final[Text] = ("whether every deployment sets it",)
_READERS: Final[Text] = ("who can read the source and what is built from it",)
_UNREAD: Final = frozenset({UnreadPart.DEPENDENCY, UnreadPart.DECORATOR, UnreadPart.MIDDLEWARE, UnreadPart.ARGUMENTS})


@dataclass(frozen=True, slots=True, eq=False)
class PresenceOnlyGuard:
    """A guard that checks nothing: where, on which route (`*` for all), the names by which routes know it."""

    route: str
    names: frozenset[str]
    found: Hit


def unchecked_credentials(reading: RuleInput) -> Iterator[Hit]:
    """One hit per refusal for missing credentials, where nothing on the route looks at what they are."""
    yield from (one.found for one in presence_only_guards(reading))


def presence_only_guards(reading: RuleInput) -> Iterator[PresenceOnlyGuard]:
    """The guards that ask only whether credentials are there."""
    for unit in reading.units:
        if unit.route and not (unit.facts is not None and _unread(unit.facts)):
            for frame in unit.frames:
                for condition in conditions(reading, unit, frame):
                    asked = _presence(reading, frame, condition)
                    if asked and not any(_is_checked(reading, unit.route, one) for one in asked):
                        name = UserText(asked[0].name or asked[0].place)
                        says_so = text("callers are refused without ", name, ", and nothing looks at what they send")
                        names = frozenset(frame.scope.qualname.split("."))
                        yield PresenceOnlyGuard(unit.route, names, hit(frame, condition.test, unit.route, says_so))
    yield from _schemes(reading)


def is_presence_only(found: Sequence[PresenceOnlyGuard], route: str, guard: Guard) -> bool:
    """True for a guard of a route that is one of them."""
    name = guard.name.rpartition(".")[2]
    return any(one.route in (route, ALL_ROUTES) and name in one.names for one in found)


def _unread(route: Route) -> bool:
    return any(unread.part in _UNREAD for unread in route.unread)


def _is_credential(origin: RequestSource) -> bool:
    if origin.place == "credential":
        return True
    return origin.place in _PLACES and says(origin.name, CREDENTIALS) and not _NOT.intersection(words(origin.name))


# Asked for, and looked at


def _presence(reading: RuleInput, frame: Frame, condition: Condition) -> tuple[RequestSource, ...]:
    """The credentials without which a condition refuses; () where it asks anything else."""
    if not condition.refused & REFUSING:
        return ()
    found: list[RequestSource] = []
    for part in _parts(condition.test):
        asked = _asked(reading, frame, part)
        if not asked:
            return ()
        found += asked
    return tuple(dict.fromkeys(found))


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _parts(part)
    else:
        yield test


def _asked(reading: RuleInput, frame: Frame, part: ast.expr) -> tuple[RequestSource, ...]:
    """The credentials that one part asks the presence or the form of."""
    while isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
        part = part.operand
    match part:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[holder]):
            name = constant(reading.modules, frame.scope, left)
            held = [one for one in reading.origins.of(frame, holder) if not one.name]
            named = [RequestSource(one.place, name) for one in held if isinstance(name, str)]
            return tuple(one for one in named if _is_credential(one))
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[asked]), comparators=[ast.Constant()]):
            pass
        case ast.Compare(left=asked, comparators=[ast.Constant(value=None | "")]):
            pass
        case ast.Call(func=ast.Attribute(value=asked, attr="startswith" | "endswith")):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.NamedExpr():
            asked = part
        case ast.Call(func=ast.Attribute(attr="get")):
            asked = part
        case _:
            return ()
    return tuple(one for one in reading.origins.of(frame, asked) if _is_credential(one))


def _is_checked(reading: RuleInput, route: str, asked: RequestSource) -> bool:
    """True when something that runs for the route looks at what the credentials are, or hands them on."""
    for unit in reading.units:
        if unit.route not in (route, ALL_ROUTES) and route != ALL_ROUTES:
            continue
        for frame in unit.frames:
            if any(_looks(reading, frame, node, asked) for node in reading.nodes(frame.scope.node)):
                return True
    return False


def _looks(reading: RuleInput, frame: Frame, node: ast.AST, asked: RequestSource) -> bool:
    looked: list[ast.expr] = []
    match node:
        case ast.Call():
            name = last_name(node.func)
            if name in _QUIET | _SHAPE or name.endswith(_ANSWERS):
                return False
            given = all_given(node)
            if any(reading.origins.requests.is_request(frame, one) for one in given):
                return not isinstance(reading.modules.called(frame.scope, node), Definition) and not _next(frame, node)
            looked = given
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            looked = [] if reading.origins.of(frame, right) else [left]
        case ast.Compare(left=left, comparators=[right]):
            sides = (left, right)
            empty = any(isinstance(one, ast.Constant) and one.value in (None, "", 0) for one in sides)
            looked = [] if empty or isinstance(left, ast.Call) else list(sides)
        case ast.Subscript(slice=key):
            looked = [key]
        case ast.Match(subject=subject):
            looked = [subject]
    return any(_same(one, asked) for part in looked for one in reading.origins.of(frame, part))


def _next(frame: Frame, call: ast.Call) -> bool:
    """`await handler(request)`: what is run next is a parameter."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in ("get_response", "app", "dispatch")
    bound = frame.scope.names.get(getattr(call.func, "id", ""), [])
    outer = frame.scope.parent.names.get(getattr(call.func, "id", ""), []) if frame.scope.parent else []
    return any(isinstance(one.node, ast.arg) for one in (*bound, *outer))


def _same(one: RequestSource, asked: RequestSource) -> bool:
    if one.place != asked.place:
        return False
    return one.place == "credential" or not one.name or words(one.name) == words(asked.name)


# FastAPI's schemes, which refuse by themselves who sends nothing


def _schemes(reading: RuleInput) -> Iterator[PresenceOnlyGuard]:
    for route in reading.routes if any(one.framework == "fastapi" for one in reading.routes) else ():
        name = f"{route.method} {route.path}"
        guards = [guard for guard in route.guards if guard.scheme and _is_scheme(reading, guard)]
        others = [guard for guard in route.guards if guard not in guards]
        sent = (RequestSource("credential", ""), RequestSource("header", "authorization"))
        if not guards or others or _unread(route) or any(_is_checked(reading, name, one) for one in sent):
            continue
        said = text(UserText(guards[0].name), " asks for credentials, and nothing looks at what is sent")
        spot = route.spot
        found = Hit(path=spot.path, symbol=route.handler, spot=spot, order=(spot.first, 0), route=name, says=said)
        yield PresenceOnlyGuard(name, frozenset({guards[0].name.rpartition(".")[2]}), found)


def _is_scheme(reading: RuleInput, guard: Guard) -> bool:
    for scope, statement in reading.modules.statements():
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            named = any(isinstance(one, ast.Name) and one.id == guard.name for one in statement.targets)
            made = Definition(statement.value, scope, guard.name, statement)
            if named and scheme_of(reading.modules, made) is not None:
                return True
    return False


# Constants


def constant_credentials(reading: RuleInput) -> Iterator[Hit]:
    """One hit per condition that lets in whoever sends a constant of the source as credentials."""
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            for condition in conditions(reading, unit, frame):
                found = _constant(reading, unit, frame, condition)
                if found is not None:
                    origin, empty = found
                    name = UserText(origin.name or origin.place)
                    what = "a setting that is empty where nothing sets it" if empty else "a constant"
                    said = hit(frame, condition.test, unit.route, text(name, f" is compared with {what}"))
                    yield replace(said, lacks=_SETTING if empty else _READERS)


def _constant(
    reading: RuleInput, unit: CodeUnit, frame: Frame, condition: Condition
) -> tuple[RequestSource, bool] | None:
    """The credential that is compared, and whether with a setting that may be empty."""
    if not condition.refused & REFUSING:
        return None
    for node in ast.walk(condition.test):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[right]):
                sides = (left, right)
            case ast.Call(func=ast.Attribute(attr="compare_digest"), args=[left, right]):
                sides = (left, right)
            case _:
                continue
        for one, other in (sides, sides[::-1]):
            empty = may_be_empty(reading.modules, frame.scope, other) and not _asked_for(condition.test)
            if empty or _is_secret(constant(reading.modules, frame.scope, other)):
                sent = [origin for origin in reading.origins.of(frame, one) if _is_credential(origin)]
                if sent:
                    return sent[0], empty
    return None


def _asked_for(test: ast.expr) -> bool:
    """`not KEY or sent != KEY`: an empty one is refused."""
    return isinstance(test, ast.BoolOp)


def _is_secret(value: object) -> bool:
    """True for a text, or a list of texts, that is no scheme's name."""
    texts = value if isinstance(value, list) and value else [value]
    return value is not ABSENT and all(
        isinstance(one, str) and one.strip() and one.strip().lower() not in _SCHEMES for one in texts
    )
