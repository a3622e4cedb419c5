"""Routes without a guard beside routes of the same resource that have one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.guards.denials import REFUSING
from evreview.codefacts.model import ACCESS_BY_STATUS, Guard, Route, UnreadPart
from evreview.codefacts.names import External
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.access_words import PEOPLE, PUBLIC, says, words
from evreview.workflows.w3.access_control.entry_points import FRAMEWORK
from evreview.workflows.w3.access_control.request_values import LIBRARIES, unverified
from evreview.workflows.w3.access_control.rule import Hit, hit_at
from evreview.workflows.w3.access_control.units import ALL_ROUTES, RuleInput

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
