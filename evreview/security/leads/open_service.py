"""Services in which no route asks who calls, and routes that are opened by name among guarded ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import Route
from evreview.codefacts.names import External
from evreview.core.quoted_text import Subject, Text, text
from evreview.workflows.w3.access_control.access_words import PEOPLE, says
from evreview.workflows.w3.access_control.entry_points import FRAMEWORK
from evreview.workflows.w3.access_control.request_values import LIBRARIES, unverified
from evreview.workflows.w3.access_control.rule import Hit
from evreview.workflows.w3.access_control.sibling_routes import (
    guarded_beside,
    is_public,
    may_hide_a_guard,
    opened_by_name,
    refusing,
)
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_REFUSALS: Final = frozenset({401, 403})
_VERIFYING: Final = frozenset(
    {"hmac.compare_digest", "secrets.compare_digest", "google.oauth2.id_token.verify_oauth2_token",
     "firebase_admin.auth.verify_id_token", "itsdangerous.URLSafeTimedSerializer.loads",
     "django.core.signing.loads", "django.contrib.auth.authenticate"}
)  # fmt: skip
_MEANT: Final[Text] = ("who decided that everybody may use the route, and what it gives",)


def services_without_authentication(reading: Reading) -> Iterator[Hit]:
    """One hit for a service of which every route was read and none asks who calls, though some change or tell people.

    The hit stands at the first route that changes something, else at the first one about people.
    """
    routes = [route for route in reading.routes if not is_public(route) and route.framework != FRAMEWORK]
    if not routes or any(_asks(route) for route in reading.routes) or _verifies(reading):
        return
    changing = [route for route in routes if route.method not in _SAFE]
    telling = [route for route in routes if says(route.path, PEOPLE) or says(route.handler, PEOPLE)]
    for route, what in [(one, " changes something") for one in changing] + [
        (one, " is about people") for one in telling
    ]:
        name = Subject(f"{route.method} {route.path}")
        count = f"{len(routes)} routes" if len(routes) > 1 else "the one route"
        told = text(f"no route authenticates its caller; of {count}, ", name, what)
        yield replace(_at(route, told), route=ALL_ROUTES, symbol="")
        return


def _asks(route: Route) -> bool:
    """True for a route that refuses somebody, that says by name whom it lets in, or of which that could not be read."""
    refused = any(one.status in _REFUSALS and one.how in ("raised", "returned") for one in route.responses)
    return bool(route.guards) or refused or route.framework == "declared" or may_hide_a_guard(route)


def _verifies(reading: Reading) -> bool:
    """True where code that a route runs verifies a token or a signature: what fails there refuses by its exception."""
    for unit, frame, call in reading.calls():
        found = reading.modules.called(frame.scope, call)
        if not unit.route or not isinstance(found, External):
            continue
        decodes = found.package in LIBRARIES and found.last == "decode"
        if found.name in _VERIFYING or (decodes and not unverified(reading.modules, frame.scope, call, found)):
            return True
    return False


def routes_opened_by_name(reading: Reading) -> Iterator[Hit]:
    """One hit per route that names everybody as its caller, beside guarded ones of its resource or service."""
    for route in reading.routes:
        if route.framework == "declared" or is_public(route) or refusing(route) or not opened_by_name(reading, route):
            continue
        beside = guarded_beside(route, reading.routes)
        if beside:
            nearest = beside[0]
            told = text("the code opens it to everybody, beside ", Subject(f"{nearest.method} {nearest.path}"))
            yield replace(_at(route, told), lacks=_MEANT)


def _at(route: Route, told: Text) -> Hit:
    return Hit(
        path=route.spot.path, symbol=route.handler, spot=route.spot, order=(route.spot.first, 0),
        route=f"{route.method} {route.path}", says=told,
    )  # fmt: skip
