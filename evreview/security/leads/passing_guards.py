"""Ways past a guard that the caller chooses: `?debug=1` before the check, a header that switches it off."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from evreview.codefacts.control_flow import Frame
from evreview.codefacts.guards.bypass import ways_past
from evreview.codefacts.model import Spot
from evreview.core.quoted_text import Subject, text
from evreview.workflows.w3.access_control.caller_decisions import caller_decisions
from evreview.workflows.w3.access_control.denials import REFUSING
from evreview.workflows.w3.access_control.rule import Hit, hit
from evreview.workflows.w3.access_control.units import ALL_ROUTES, Reading, Unit

_PLACES: Final = {
    "header": "the header ", "query": "the query parameter ", "cookie": "the cookie ", "form": "the form field ",
    "body": "the body's member ",
}  # fmt: skip


def ways_past_guards(reading: Reading) -> Iterator[Hit]:
    """One hit per condition on the caller's word under which a guard does not check; decisions are told elsewhere."""
    told = {(one.path, one.order) for one in caller_decisions(reading)}
    for unit in reading.units:
        for frame in unit.frames if unit.route else ():
            left_open = _open(reading, unit, frame)
            for test in ways_past(reading.modules, frame.scope, _arguments(unit)):
                found = hit(frame, test, unit.route, _says(reading, frame, test))
                if frame.scope.spot(test) in left_open and (found.path, found.order) not in told:
                    yield found


def _arguments(unit: Unit) -> frozenset[str]:
    """The names of parameters that stand for values of the request."""
    parameters = unit.facts.parameters if unit.facts is not None and unit.facts.framework == "fastapi" else ()
    return frozenset(one.name.replace("-", "_").lower() for one in parameters if one.location != "path")


def _open(reading: Reading, unit: Unit, frame: Frame) -> frozenset[Spot]:
    """The conditions that leave a guard of the unit's routes open; all of what runs around every route and refuses."""
    routes = (unit.facts,) if unit.facts is not None else reading.routes
    found = {spot for route in routes for guard in route.guards for spot in guard.unless}
    if unit.route == ALL_ROUTES:
        nodes = [node for node in reading.nodes(frame.scope.node) if isinstance(node, ast.stmt)]
        if reading.denials.of(frame, nodes) & REFUSING:
            found |= {frame.scope.spot(test) for test in ways_past(reading.modules, frame.scope)}
    return frozenset(found)


def _says(reading: Reading, frame: Frame, test: ast.expr) -> tuple[str | Subject, ...]:
    for part in ast.walk(test):
        match part:
            case ast.Compare(left=ast.Constant(value=str(name)), comparators=[holder]):
                origins = reading.origins.of(frame, holder)
                named = [(one.place, name) for one in origins if not one.name]
            case ast.expr():
                named = [(one.place, one.name) for one in reading.origins.of(frame, part) if one.name]
            case _:
                continue
        for place, name in named:
            if place in _PLACES:
                return text("the check depends on ", _PLACES[place], Subject(name))
    return text("the check depends on what the caller sends")
