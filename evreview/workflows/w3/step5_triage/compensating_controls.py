"""Every place where another control could stand, searched: what was found there, or what to ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.codefacts.model import Guard, Route, Spot, UnreadCode
from evreview.core.quoted_text import Subject, Text, text
from evreview.core.vocabulary import Area, EvidenceId
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.records.security import Control
from evreview.security.challenging.asking import Listed, compensating, header_of, kinds_of, lacking
from evreview.security.challenging.deployed import deployment
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.challenging.surroundings import surrounding
from evreview.security.leads.identities import checks_credential
from evreview.security.leads.placing import named
from evreview.security.leads.rules_open import OPEN
from evreview.workflows.w3.access_control.sibling_routes import refusing
from evreview.workflows.w3.access_control.units import ALL_ROUTES, rests_on
from evreview.workflows.w3.excerpts import cited, shown
from evreview.workflows.w3.model import Challenge, Standing
from evreview.workflows.w3.step4_leads.rules_guards import GUARD_RULES

_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
_OF_GUARDS: Final = frozenset({"caller-controlled-decision", "client-address-decision"}) | GUARD_RULES
"""Rules by which a guard itself is suspected."""
_ABSENT: Final = frozenset(rule.id for rule in OPEN)
"""Rules about what the whole application lacks: no lines show that."""
_BESIDE: Final = "unguarded-sibling"
_AROUND: Final = ("dependency", "decorator", "middleware", "authentication classes", "permission classes", "checks",
                  "prefix", "arguments that are not written out")  # fmt: skip


def challenges(material: Material, one: Suspicion, controls: Sequence[Listed]) -> tuple[Challenge, ...]:
    """One challenge per place: the route's own checks, middleware, deployment wiring, each surrounding file."""
    route = material.route(one.route) if one.route and not one.whole else None
    found = [*_own_checks(material, one, route)]
    found.append(_middleware(material, one, route, controls))
    found += deployment(material, one, route, controls)
    found += surrounding(material, one, controls)
    if one.rule is None:
        found.append(_matrix(material, one))
    elif one.rule.id == _BESIDE and route is not None:
        found += _printed(material, one)
    return tuple(found)


def _printed(material: Material, one: Suspicion) -> Iterator[Challenge]:
    """A cell of the control matrix by which the route is not shown to have no guard: the artifact says one thing."""
    key = operation_key(one.route)
    cells = [cell for cell in material.taken.cells if cell.area in _ACCESS and operation_key(cell.route) == key]
    for cell in cells:
        undecided = cell.area is one.area and cell.standing in (Standing.UNKNOWN, Standing.UNREAD)
        if undecided or cell.standing is Standing.PRESENT:
            why = text("show why it does not do there; ", Subject(cell.control), f" is {cell.standing}: ", *cell.why)
            place: Text = ("the control matrix",)
            yield Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=cell.citations)
            return


def _matrix(material: Material, one: Suspicion) -> Challenge:
    """What the control matrix says of the control that a reviewer or scanner suspects; only absence bears it out."""
    place: Text = ("the control matrix",)
    control = one.stated[0].control if one.stated is not None else None
    key = operation_key(one.route)
    cells = [
        cell
        for cell in material.taken.cells
        if (cell.control == control if control else cell.area is one.area)
        and (cell.route == "*" or (one.route and operation_key(cell.route) == key))
    ]
    other = next((cell for cell in cells if cell.standing is not Standing.ABSENT), None)
    if cells and other is None:
        why: Text = ("the control is absent there",)
        return Challenge(
            place=place, standing=Standing.ABSENT, why=why, citations=cited(*(cell.citations for cell in cells))
        )
    if other is None:
        why = ("list the control and what shows it on the route",)
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=())
    why = text("show why it does not do there; ", Subject(other.control), f" is {other.standing} there")
    return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=other.citations)


def controls_for(material: Material, one: Suspicion) -> tuple[Listed, ...]:
    """The controls of the inventory that are concerned: the one named or standing on the lines, else by route."""
    every = list(material.controls())
    named_one = one.stated[0].control if one.stated else None
    exact = [each for each in every if each[0].id == named_one]
    exact = exact or [each for each in every if each[0].area is one.area and _stands_on(material, one, each[0])]
    if exact:
        return tuple(exact)
    kin = _ACCESS if one.area in _ACCESS else (one.area,)
    there = [each for each in every if _covers(material, each[0], one)]
    return tuple([each for each in there if each[0].area in kin] or there)


def _stands_on(material: Material, one: Suspicion, control: Control) -> bool:
    if one.route and not one.whole and not _covers(material, control, one):
        return False
    for excerpt in control.source or ():
        found = shown(material.bundle, excerpt)
        spot = Spot(EvidenceId(excerpt.item), found.first, found.last)
        for lead in one.shown:
            here = lead.spot
            if here and found.stands and here.item == spot.item and here.first <= spot.last and spot.first <= here.last:
                return True
    return False


def _covers(material: Material, control: Control, one: Suspicion) -> bool:
    """True for a control of the route; of lines that run for every route, for one of all that are registered."""
    if "*" in control.routes:
        return True
    listed = {operation_key(each) for each in control.routes}
    if one.whole and one.kind not in _ABSENT:
        return bool(listed) and {operation_key(f"{each.method} {each.path}") for each in material.code.routes} <= listed
    return bool(one.route) and operation_key(one.route) in listed


# The route's own decorators and dependencies


def _own_checks(material: Material, one: Suspicion, route: Route | None) -> Iterator[Challenge]:
    place: Text = ("decorators and dependencies",)
    if one.whole or route is None:
        return
    around = [guard for guard in refusing(route) if not _is_itself(material, one, guard)]
    strong = [guard for guard in around if kinds_of(guard) & compensating(one)]
    if strong:
        yield _strong(place, next((guard for guard in strong if not guard.unless), strong[0]))
        return
    open_parts = _open_parts(route, middleware=False)
    if open_parts:
        yield _asked(place, open_parts)
        return
    access = bool(compensating(one) & {"authentication", "authorization"})
    untold = [guard for guard in around if guard.kind == "unknown"]
    if untold and access:
        why = text("state in the inventory what ", Subject(untold[0].name), " checks; the code does not tell")
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=untold[0].spot.citations)
        return
    weak = [guard.name for guard in around]
    why = text("none that would do it", "; the route has " if weak else "", *(Subject(name) for name in weak[:1]))
    yield Challenge(place=place, standing=Standing.ABSENT, why=why, citations=route.spot.citations)


def _strong(place: Text, guard: Guard) -> Challenge:
    """A guard that would do it, if it always checks."""
    if not guard.unless:
        why = text("the route has the guard ", Subject(guard.name))
        return Challenge(place=place, standing=Standing.PRESENT, why=why, citations=guard.spot.citations)
    why = text("show when ", Subject(guard.name), " checks; a condition may let a request past it")
    on = cited(guard.spot.citations, *(spot.citations for spot in guard.unless))
    return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=on)


def passed(material: Material, one: Suspicion) -> tuple[Guard, ...]:
    """The guards of the route that an attacker has to get past first."""
    route = material.route(one.route) if one.route and not one.whole else None
    return tuple(guard for guard in (refusing(route) if route else ()) if not _is_itself(material, one, guard))


def _is_itself(material: Material, one: Suspicion, guard: Guard) -> bool:
    """True for the guard that the suspicion is about."""
    for lead in one.shown:
        if lead.tool == "evreview" and lead.rule in _OF_GUARDS:
            noted = lead.area is Area.AUTHORIZATION and kinds_of(guard) == {"authentication"}
            if noted and checks_credential(material.reading, one.route, lead.symbol):
                continue  # an attacker has to get past its check of a credential first
            names = {lead.symbol, lead.symbol.rpartition(".")[2], *lead.symbol.split(".")}
            if rests_on(material.reading, one.route, guard.name, lead.symbol):
                return True
            if guard.name in names or guard.name.rpartition(".")[2] in names:
                return True
            where = named(material.reading, lead.spot.item, lead.path, lead.symbol) if lead.spot else None
            spot = guard.spot
            within = where and lead.spot and spot.item == lead.spot.item and where.first <= spot.first <= where.last
            if within and lead.symbol != _handler(material, one):
                return True
    return False


def _handler(material: Material, one: Suspicion) -> str:
    route = material.route(one.route)
    return route.handler if route is not None else ""


def _open_parts(route: Route, *, middleware: bool) -> tuple[UnreadCode, ...]:
    """What could not be read around the handler, and may hold a check."""
    return tuple(
        each
        for each in route.unread
        if any(word in each.found for word in _AROUND) and ("middleware" in each.found) == middleware
    )


def _asked(place: Text, parts: Sequence[UnreadCode]) -> Challenge:
    first = parts[0]
    why = text("not read: ", Subject(first.found), ". ", first.advice or "Supply it.")
    return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=first.spot.citations)


# Middleware


def _middleware(material: Material, one: Suspicion, route: Route | None, controls: Sequence[Listed]) -> Challenge:
    place: Text = ("middleware",)
    open_parts = _open_parts(route, middleware=True) if route is not None else ()
    stripped = _strips(material, header_of(one))
    if stripped is not None:
        why: Text = ("it takes the header away before the handler runs",)
        return Challenge(place=place, standing=Standing.PRESENT, why=why, citations=stripped.citations)
    if open_parts:
        return _asked(place, open_parts)
    missing = lacking(material, controls, "middleware")
    if missing is not None:
        return Challenge(place=place, standing=Standing.UNKNOWN, why=missing[0], citations=missing[1])
    if not controls:
        why = ("supply the middleware that runs before ", Subject(one.route or one.path), ", or state that none does")
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=())
    seen = cited(*(row.citations for row in material.taken.middleware), *((at,) for _, at in controls))
    why = ("no middleware that would do it",)
    return Challenge(place=place, standing=Standing.ABSENT, why=why, citations=seen)


def _strips(material: Material, header: str) -> Spot | None:
    """The middleware that deletes the header, or leaves it out of what it passes on."""
    names = {header.lower(), header.lower().encode()}
    for unit in material.reading.units if header else ():
        for frame in unit.frames if unit.route == ALL_ROUTES else ():
            for node in material.reading.nodes(frame.scope.node):
                removing = isinstance(node, ast.Delete) or (
                    isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotEq | ast.NotIn)
                )
                constants = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)] if removing else []
                if any(value.lower() in names for value in constants if isinstance(value, str | bytes)):
                    return frame.scope.spot(node)
    return None
