"""Every place where another control could stand, searched: what was found there, or what to ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.evidence.citation import at_lines
from evreview.evidence.cited import records_of
from evreview.evidence.item import Citation
from evreview.evidence.mention import operation_key
from evreview.evidence.records.controls import Control, Surrounding
from evreview.evidence.records.trust import DeploymentRecord
from evreview.prose import Subject, Text, text
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.challenging.wiring import Asked, Wired, wired
from evreview.security.excerpts import cited, shown
from evreview.security.leads.placing import named
from evreview.security.leads.units import ALL_ROUTES
from evreview.security.model import Challenge, Standing
from evreview.sources.model import Guard, Route, Spot, UnreadCode
from evreview.vocab import Area, EvidenceId

_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
_BY_AREA: Final = {
    Area.AUTHENTICATION: frozenset({"authentication", "authorization"}),
    Area.AUTHORIZATION: frozenset({"authorization"}),
    Area.ERROR_DISCLOSURE: frozenset({"errors"}),
}
_AROUND: Final = ("dependency", "decorator", "middleware", "authentication classes", "permission classes", "checks",
                  "prefix", "arguments that are not written out")  # fmt: skip
_EFFECTS: Final = {
    "network": "the wiring lets no outsider reach the route",
    "authentication": "the wiring asks who calls",
    "header": "the wiring replaces what the caller wrote in the header",
    "address": "the wiring writes the address itself",
    "errors": "the wiring answers failures itself",
    "unclear": "the wiring limits access; whether to the assumed attacker can't be told",
}

Listed = tuple[Control, Citation]


def challenges(material: Material, one: Suspicion, controls: Sequence[Listed]) -> tuple[Challenge, ...]:
    """One challenge per place: the route's own checks, middleware, deployment wiring, each surrounding file."""
    route = material.route(one.route) if one.route and not one.whole else None
    found = [*_own_checks(material, one, route)]
    found.append(_middleware(material, one, route, controls))
    found += _deployment(material, one, route, controls)
    found += _surrounding(material, one, controls)
    return tuple(found)


def compensating(one: Suspicion) -> frozenset[str]:
    """The kinds of control that would make the weakness harmless."""
    own = one.rule.compensates if one.rule is not None else _BY_AREA.get(one.area, frozenset())
    return own | {"network"}


def controls_for(material: Material, one: Suspicion) -> tuple[Listed, ...]:
    """The controls of the inventory that are concerned: the one named or standing on the lines, else by route."""
    every = list(material.controls())
    named_one = one.stated[0].control if one.stated else None
    exact = [each for each in every if each[0].id == named_one]
    exact = exact or [each for each in every if each[0].area is one.area and _stands_on(material, one, each[0])]
    if exact:
        return tuple(exact)
    kin = _ACCESS if one.area in _ACCESS else (one.area,)
    there = [each for each in every if _covers(each[0], one.route)]
    return tuple([each for each in there if each[0].area in kin] or there)


def _stands_on(material: Material, one: Suspicion, control: Control) -> bool:
    if one.route and not one.whole and not _covers(control, one.route):
        return False
    for excerpt in control.source or ():
        found = shown(material.bundle, excerpt)
        spot = Spot(EvidenceId(excerpt.item), found.first, found.last)
        for lead in one.shown:
            here = lead.spot
            if here and found.stands and here.item == spot.item and here.first <= spot.last and spot.first <= here.last:
                return True
    return False


def _covers(control: Control, route: str) -> bool:
    if "*" in control.routes:
        return True
    return bool(route) and operation_key(route) in {operation_key(each) for each in control.routes}


# The route's own decorators and dependencies


def _own_checks(material: Material, one: Suspicion, route: Route | None) -> Iterator[Challenge]:
    place: Text = ("decorators and dependencies",)
    if one.whole or route is None:
        return
    around = [guard for guard in route.guards if not _is_itself(material, one, guard)]
    strong = [guard for guard in around if _kinds(guard) & compensating(one)]
    if strong:
        why = text("the route has the guard ", Subject(strong[0].name))
        yield Challenge(place=place, standing=Standing.PRESENT, why=why, citations=strong[0].spot.citations)
        return
    open_parts = _open_parts(route, middleware=False)
    if open_parts:
        yield _asked(place, open_parts)
        return
    untold = [guard for guard in around if guard.kind == "unknown"]
    if untold:
        why = text("state in the inventory what ", Subject(untold[0].name), " checks; the code does not tell")
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=untold[0].spot.citations)
        return
    weak = [guard.name for guard in around]
    why = text("none that would do it", "; the route has " if weak else "", *(Subject(name) for name in weak[:1]))
    yield Challenge(place=place, standing=Standing.ABSENT, why=why, citations=route.spot.citations)


def _kinds(guard: Guard) -> frozenset[str]:
    """What a guard does; one that demands scopes asks for a right as well."""
    return frozenset({guard.kind, "authorization"} if guard.scopes else {guard.kind})


def _is_itself(material: Material, one: Suspicion, guard: Guard) -> bool:
    """True for the guard that the suspicion is about."""
    for lead in one.shown:
        if lead.tool == "evreview" and lead.rule in ("caller-controlled-decision", "client-address-decision"):
            names = {lead.symbol, lead.symbol.rpartition(".")[2], *lead.symbol.split(".")}
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
    lacking = _lacks(material, controls, "middleware")
    if lacking is not None:
        return Challenge(place=place, standing=Standing.UNKNOWN, why=lacking[0], citations=lacking[1])
    if not controls:
        why = ("supply the middleware that runs before ", Subject(one.route or one.path), ", or state that none does")
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=())
    seen = cited(*(row.citations for row in material.taken.middleware), *((at,) for _, at in controls))
    why = ("no middleware that would do it",)
    return Challenge(place=place, standing=Standing.ABSENT, why=why, citations=seen)


def header_of(one: Suspicion) -> str:
    """The header that a decision rests on, "" for none."""
    for lead in one.leads:
        words = [str(part) for part in lead.says if isinstance(part, Subject)]
        if lead.tool == "evreview" and words and any("the header" in str(part) for part in lead.says):
            return words[-1].removeprefix("HTTP_").replace("_", "-")
    return ""


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


def _lacks(material: Material, controls: Sequence[Listed], lacks: str) -> tuple[Text, tuple[Citation, ...]] | None:
    """What step 3 asked for about one list of the controls concerned."""
    ids = {control.id for control, _ in controls}
    for gap in material.taken.gaps:
        if gap.control in ids and gap.lacks == lacks:
            return ("supply ", *gap.request), gap.citations
    field = {"middleware": "middleware", "deployment wiring": "deployment"}[lacks]
    for control, at in controls:
        if getattr(control, field) is None:
            return ("supply the ", lacks, " of ", Subject(control.id), ", or state that there is none"), (at,)
    return None


# Deployment


def _deployment(
    material: Material, one: Suspicion, route: Route | None, controls: Sequence[Listed]
) -> Iterator[Challenge]:
    place: Text = ("deployment wiring",)
    asked = Asked(path=route.path if route is not None else "/", header=header_of(one))
    items = [source.item for source in material.sources if "deployment" in source.parts]
    items += [excerpt.item for control, _ in controls for excerpt in control.deployment or ()]
    found = [(item, each) for item in dict.fromkeys(items) for each in _wired(material, item, asked)]
    strong = [(item, each) for item, each in found if each.effect in compensating(one)]
    if strong:
        yield _wiring(place, Standing.PRESENT, *strong[0])
        return
    unclear = [(item, each) for item, each in found if each.effect == "unclear"]
    if unclear:
        yield _wiring(place, Standing.UNKNOWN, *unclear[0])
        return
    lacking = _lacks(material, controls, "deployment wiring")
    if lacking is not None:
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=lacking[0], citations=lacking[1])
        return
    quoted = [excerpt for control, _ in controls for excerpt in control.deployment or ()]
    if quoted:
        why = text("the inventory quotes wiring for this control whose form is not read; state in `surrounding` of the "
                   "inventory what it does")  # fmt: skip
        yield Challenge(
            place=place, standing=Standing.UNKNOWN, why=why, citations=shown(material.bundle, quoted[0]).citations
        )
        return
    told = _told(material) if not items else None
    if told is not None:
        yield told
        return
    if not controls and not items:
        why = text("supply what stands before ", Subject(one.route or one.path), ": proxy, gateway, network policy")
        yield Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=())
        return
    seen = cited([Citation(item) for item in dict.fromkeys(items)], [at for _, at in controls])
    yield Challenge(place=place, standing=Standing.ABSENT, why=("nothing there does it",), citations=seen)


def _told(material: Material) -> Challenge | None:
    """Wiring that a deployment record speaks of, while no configuration of it was supplied."""
    for cited_record in records_of(material.bundle, DeploymentRecord):
        if cited_record.record.wiring:
            why = text("supply the configuration of ", Subject(cited_record.record.wiring[0]))
            on = (cited_record.at("/wiring/0"),)
            return Challenge(place=("deployment wiring",), standing=Standing.UNKNOWN, why=why, citations=on)
    return None


def _wired(material: Material, item: EvidenceId, asked: Asked) -> tuple[Wired, ...]:
    found = material.bundle.items.get(item)
    return wired(found.content, asked) if found is not None else ()


def _wiring(place: Text, standing: Standing, item: EvidenceId, each: Wired) -> Challenge:
    at = at_lines(item, each.line) if each.line else Citation(item)
    why: Text = (_EFFECTS[each.effect],)
    if standing is Standing.UNKNOWN:
        why = (*why, "; state in the inventory's `surrounding` whether it holds here")
    return Challenge(place=place, standing=standing, why=why, citations=(at,))


# Surrounding files


def _surrounding(material: Material, one: Suspicion, controls: Sequence[Listed]) -> Iterator[Challenge]:
    listed = [(each, at) for control, at in controls for each in control.surrounding or ()]
    if not listed:
        on = tuple(at for _, at in controls)
        about = one.symbol or one.route or one.path
        why: Text = ("name the files around ", Subject(about), " that were searched for another control")
        yield Challenge(place=("surrounding files",), standing=Standing.UNKNOWN, why=why, citations=on)
    seen: set[tuple[str, str | None]] = set()
    for each, at in listed:
        if (each.path, each.item) not in seen:
            seen.add((each.path, each.item))
            yield _searched(material, one, each, at)


def _searched(material: Material, one: Suspicion, each: Surrounding, at: Citation) -> Challenge:
    place: Text = ("the file ", Subject(each.path))
    if each.item is None or each.item not in material.bundle.items:
        why: Text = ("supply ", Subject(each.path))
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=(at,))
    says = Subject(each.says) if each.says else ""
    if each.control is None:
        why = text(says or "no other control, as the reviewer states")
        on = (Citation(EvidenceId(each.item)), at)
        return Challenge(place=place, standing=Standing.ABSENT, why=why, citations=on)
    found = shown(material.bundle, each.control)
    if not found.stands:
        why = ("supply the lines of the other control as they stand: ", *found.why)
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=cited((at,), found.citations))
    if _suspected(material, one, Spot(EvidenceId(each.control.item), found.first, found.last)):
        why = ("name another control; the quoted lines are those that are suspected",)
        return Challenge(place=place, standing=Standing.UNKNOWN, why=why, citations=cited(found.citations, (at,)))
    why = text(says or "another control stands there")
    return Challenge(place=place, standing=Standing.PRESENT, why=why, citations=cited(found.citations, (at,)))


def _suspected(material: Material, one: Suspicion, spot: Spot) -> bool:
    """True for lines of the function that is suspected itself."""
    for lead in one.shown:
        here = lead.spot
        if here is None or here.item != spot.item:
            continue
        function = named(material.reading, here.item, lead.path, lead.symbol) if lead.symbol else None
        first, last = (function.first, function.last) if function else (here.first, here.last)
        if first <= spot.first and spot.last <= last:
            return True
    return False
