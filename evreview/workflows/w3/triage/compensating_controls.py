"""Every place where another control could stand, searched: what was found there, or what to ask for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from evreview.codefacts.model import Guard, Route, Spot, UnreadPart, UnsupportedCode
from evreview.core.quoted_text import Part, Text, UserText, listed, text
from evreview.core.vocabulary import Area, EvidenceId, EvidenceType
from evreview.evidence.citation import at_lines
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Control, DeploymentRecord, Excerpt, Surrounding
from evreview.workflows.w3.abuse_cases.lead_intake import named
from evreview.workflows.w3.access_control.caller_decisions import checks_credential
from evreview.workflows.w3.access_control.route_guards import refusing
from evreview.workflows.w3.access_control.units import ALL_ROUTES, rests_on
from evreview.workflows.w3.excerpts import cited, reviewed, revision_of, shown
from evreview.workflows.w3.leads.rules_access import GUARD_RULES, OPEN
from evreview.workflows.w3.model import ControlCandidate, InventoryGapKind, Standing
from evreview.workflows.w3.triage.lead_groups import (
    LeadGroup,
    Listed,
    TriageInput,
    compensating,
    header_of,
    kinds_of,
    lacking,
)
from evreview.workflows.w3.triage.nginx import wired
from evreview.workflows.w3.triage.proxies import ProxyQuestion, WiredControl
from evreview.workflows.w3.trust.trust_map import deployment_tie

# What stands before the service: the supplied wiring searched, or what to ask for.


_CONFIGURATION: Final = frozenset({EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.ROLLOUT_RECORD})
_WIRING: Final = re.compile(
    r"\bkind:\s*(?:Ingress|IngressRoute|HTTPRoute|Gateway|VirtualService|AuthorizationPolicy|NetworkPolicy|EnvoyFilter"
    r"|RequestAuthentication|Middleware)\b|\btraefik\.|nginx\.ingress\.kubernetes\.io|envoy\.filters|\bproxy_pass\b"
    r"|\breverse_proxy\b|\bforward_auth\b|\bauth_request\b|\bhttp-request deny\b|\bhttp_filters\b"
)
_EFFECTS: Final = {
    "network": "the wiring lets no outsider reach the route",
    "authentication": "the wiring asks who calls",
    "header": "the wiring replaces what the caller wrote in the header",
    "address": "the wiring writes the address itself",
    "errors": "the wiring answers failures itself",
    "unclear": "what stands there may limit access; for whom and for which routes is not read",
}


def deployment(
    material: TriageInput, one: LeadGroup, route: Route | None, controls: Sequence[Listed]
) -> Iterator[ControlCandidate]:
    """Every piece of supplied wiring that was searched, or what to request where none was."""
    place: Text = ("deployment wiring",)
    items = [source.item for source in material.sources if "deployment" in source.parts]
    items += _alike(material)
    items += [excerpt.item for control, _ in controls for excerpt in control.deployment or ()]
    found, strong = _weakest(material, one, items, _paths(material, one, route))
    if strong:
        untied = standing_elsewhere(material, *(item for item, _ in strong))
        yield _wiring(place, Standing.PRESENT, *strong[0]) if untied is None else _untied(place, strong[0], untied)
        return
    unclear = [(item, each) for item, each in found if each.effect == "unclear"]
    if unclear:
        names = [_file(material, item) for item in dict.fromkeys(item for item, _ in unclear)]
        yield _wiring(place, Standing.UNKNOWN, *unclear[0], names)
        return
    missing = lacking(material, controls, InventoryGapKind.DEPLOYMENT)
    if missing is not None:
        yield ControlCandidate(place=place, standing=Standing.UNKNOWN, why=missing[0], citations=missing[1])
        return
    quoted = [excerpt for control, _ in controls for excerpt in control.deployment or ()]
    if quoted:
        why = text("the inventory quotes wiring for this control whose form is not read; state in `surrounding` of the "
                   "inventory what it does")  # fmt: skip
        yield ControlCandidate(
            place=place, standing=Standing.UNKNOWN, why=why, citations=shown(material.bundle, quoted[0]).citations
        )
        return
    told = _told(material) if not items else None
    if told is not None:
        yield told
        return
    if not controls and not items:
        why = text("supply what stands before ", UserText(one.route or one.path), ": proxy, gateway, network policy")
        yield ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=())
        return
    seen = cited([Citation(item) for item in dict.fromkeys(items)], [at for _, at in controls])
    yield ControlCandidate(place=place, standing=Standing.ABSENT, why=("nothing there does it",), citations=seen)


_Found = list[tuple[EvidenceId, WiredControl]]


def _paths(material: TriageInput, one: LeadGroup, route: Route | None) -> list[str]:
    """The paths that the wiring is asked about: of a service that asks nobody who calls, each that attackers reach."""
    if route is not None:
        return [route.path]
    reached = [path.route for path in material.trust.paths if path.in_reach and path.route]
    asked = [known.path for name in dict.fromkeys(reached) if (known := material.route(name)) is not None]
    return asked if asked and one.whole and one.area is Area.AUTHENTICATION else ["/"]


def _weakest(
    material: TriageInput, one: LeadGroup, items: Sequence[EvidenceId], paths: Sequence[str]
) -> tuple[_Found, _Found]:
    """What stands before the path that is held least: everything, and what would do it."""
    best: tuple[_Found, _Found] = ([], [])
    for path in paths:
        asked = ProxyQuestion(path=path, header=header_of(one))
        found = [(item, each) for item in dict.fromkeys(items) for each in _wired(material, item, asked)]
        strong = [(item, each) for item, each in found if each.effect in compensating(one)]
        best = (found, strong)
        if not strong:
            break
    return best


def standing_elsewhere(material: TriageInput, *items: EvidenceId) -> tuple[Text, tuple[Citation, ...]] | None:
    """What shows that wiring stands around another revision than the reviewed one; None where nothing does."""
    wanted = reviewed(material.bundle)
    for item in items:
        own = revision_of(material.bundle, item)
        if own and wanted and not same_revision(own, wanted):
            return ("it is of ", UserText(own), ", not of the reviewed revision"), (Citation(item),)
    tie = deployment_tie(material.bundle)
    return (tie.why, tie.citations) if tie.other else None


def _untied(
    place: Text, strong: tuple[EvidenceId, WiredControl], other: tuple[Text, tuple[Citation, ...]]
) -> ControlCandidate:
    """Wiring that would do it, around another revision: it refutes nothing."""
    item, each = strong
    at = at_lines(item, each.line) if each.line else Citation(item)
    why = text(_EFFECTS[each.effect], ", but ", *other[0], "; supply the record of a deployment of the reviewed one")
    return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=cited((at,), other[1]))


def _told(material: TriageInput) -> ControlCandidate | None:
    """Wiring that a deployment record speaks of, while no configuration of it was supplied."""
    for cited_record in records_of(material.bundle, DeploymentRecord):
        if cited_record.record.wiring:
            why = text("supply the configuration of ", UserText(cited_record.record.wiring[0]))
            on = (cited_record.at("/wiring/0"),)
            return ControlCandidate(place=("deployment wiring",), standing=Standing.UNKNOWN, why=why, citations=on)
    return None


def _wired(material: TriageInput, item: EvidenceId, asked: ProxyQuestion) -> tuple[WiredControl, ...]:
    found = material.bundle.items.get(item)
    return wired(found.content, asked) if found is not None else ()


def _alike(material: TriageInput) -> Iterator[EvidenceId]:
    """Configuration that looks like wiring, whatever part it is mapped to."""
    for item in material.bundle.items.values():
        if item.type in _CONFIGURATION and item.record is None and _WIRING.search(item.content):
            yield item.id


def _file(material: TriageInput, item: EvidenceId) -> str:
    """The path of a piece of wiring, its id where none is known."""
    paths = [source.path for source in material.sources if source.item == item]
    found = material.bundle.items.get(item)
    return paths[0] if paths else (found.file if found is not None and found.file else str(item))


def _wiring(
    place: Text, standing: Standing, item: EvidenceId, each: WiredControl, names: Sequence[str] = ()
) -> ControlCandidate:
    at = at_lines(item, each.line) if each.line else Citation(item)
    why: Text = (_EFFECTS[each.effect],)
    if standing is Standing.UNKNOWN:
        why = text(
            "another control may stand in ", *listed(names), ": ", *why,
            "; supply the block that answers the route as plain configuration, or a retained check of it",
        )  # fmt: skip
    return ControlCandidate(place=place, standing=standing, why=why, citations=(at,))


# The files that were searched for another control, one by one.


def surrounding(material: TriageInput, one: LeadGroup, controls: Sequence[Listed]) -> Iterator[ControlCandidate]:
    """Every surrounding file that the inventory names, with what was found in it or that it was not supplied."""
    listed = [(each, at) for control, at in controls for each in control.surrounding or ()]
    if not listed:
        on = tuple(at for _, at in controls)
        about = one.symbol or one.route or one.path
        why: Text = ("name the files around ", UserText(about), " that were searched for another control")
        yield ControlCandidate(place=("surrounding files",), standing=Standing.UNKNOWN, why=why, citations=on)
    seen: set[tuple[str, str | None]] = set()
    for each, at in listed:
        if (each.path, each.item) not in seen:
            seen.add((each.path, each.item))
            yield _searched(material, one, each, at)


def _searched(material: TriageInput, one: LeadGroup, each: Surrounding, at: Citation) -> ControlCandidate:
    place: Text = ("the file ", UserText(each.path))
    if each.item is None or each.item not in material.bundle.items:
        why: Text = ("supply ", UserText(each.path))
        return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=(at,))
    says = UserText(each.says) if each.says else ""
    if each.control is None:
        why = text(says or "no other control, as the reviewer states")
        searched = (Citation(EvidenceId(each.item)), at)
        return ControlCandidate(place=place, standing=Standing.ABSENT, why=why, citations=searched)
    standing, why, on = _other(material, one, each.control, says)
    return ControlCandidate(place=place, standing=standing, why=why, citations=cited(on, (at,)))


def _other(
    material: TriageInput, one: LeadGroup, control: Excerpt, says: Part
) -> tuple[Standing, Text, tuple[Citation, ...]]:
    """What the quoted lines of another control are worth."""
    found = shown(material.bundle, control)
    if not found.stands:
        return Standing.UNKNOWN, ("supply the lines of the other control as they stand: ", *found.why), found.citations
    if _suspected(material, one, Spot(EvidenceId(control.item), found.first, found.last)):
        why: Text = ("name another control; the quoted lines are those that are suspected",)
        return Standing.UNKNOWN, why, found.citations
    stands = says or "another control stands there"
    does = _does(material, one, control.item, (found.first, found.last))
    if not does:
        why = text("the lines are not read as a control; the reviewer says: ", stands)
        return Standing.UNKNOWN, why, found.citations
    elsewhere = standing_elsewhere(material, control.item) if does == "wiring" else None
    if elsewhere is not None:
        why = text("supply the record of a deployment of the reviewed revision; ", *elsewhere[0])
        return Standing.UNKNOWN, why, cited(found.citations, elsewhere[1])
    return Standing.PRESENT, text(stands), found.citations


def _does(material: TriageInput, one: LeadGroup, item: str, lines: tuple[int, int]) -> Literal["wiring", "guard", ""]:
    """How the quoted lines are read as a control that would do it: as wiring, as a guard of the route, or not."""
    route = material.route(one.route) if one.route else None
    content = material.bundle.items[EvidenceId(item)].content
    asked = ProxyQuestion(path=route.path if route is not None else "/", header=header_of(one))
    if any(each.effect in compensating(one) and lines[0] <= each.line <= lines[1] for each in wired(content, asked)):
        return "wiring"
    guards = route.guards if route is not None else ()
    stands = any(
        guard.spot.item == item and guard.spot.first <= lines[1] and lines[0] <= guard.spot.last
        for guard in guards
        if kinds_of(guard) & compensating(one)
    )
    return "guard" if stands else ""


def _suspected(material: TriageInput, one: LeadGroup, spot: Spot) -> bool:
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


_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
_OF_GUARDS: Final = frozenset({"caller-controlled-decision", "client-address-decision"}) | GUARD_RULES
"""Rules by which a guard itself is suspected."""
_ABSENT: Final = frozenset(rule.id for rule in OPEN)
"""Rules about what the whole application lacks: no lines show that."""
_BESIDE: Final = "unguarded-sibling"
_AROUND: Final = frozenset(
    {
        UnreadPart.DEPENDENCY,
        UnreadPart.DECORATOR,
        UnreadPart.MIDDLEWARE,
        UnreadPart.AUTHENTICATION_CLASSES,
        UnreadPart.PERMISSION_CLASSES,
        UnreadPart.CHECKS,
        UnreadPart.FIELD_CHECKS,
        UnreadPart.PREFIX,
        UnreadPart.UNINCLUDED,
        UnreadPart.ARGUMENTS,
    }
)


def challenges(material: TriageInput, one: LeadGroup, controls: Sequence[Listed]) -> tuple[ControlCandidate, ...]:
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


def _printed(material: TriageInput, one: LeadGroup) -> Iterator[ControlCandidate]:
    """A cell of the control matrix by which the route is not shown to have no guard: the artifact says one thing."""
    key = operation_key(one.route)
    cells = [cell for cell in material.taken.cells if cell.area in _ACCESS and operation_key(cell.route) == key]
    for cell in cells:
        undecided = cell.area is one.area and cell.standing in (Standing.UNKNOWN, Standing.UNREAD)
        if undecided or cell.standing is Standing.PRESENT:
            why = text("show why it does not do there; ", UserText(cell.control), f" is {cell.standing}: ", *cell.why)
            place: Text = ("the control matrix",)
            yield ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=cell.citations)
            return


def _matrix(material: TriageInput, one: LeadGroup) -> ControlCandidate:
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
        return ControlCandidate(
            place=place, standing=Standing.ABSENT, why=why, citations=cited(*(cell.citations for cell in cells))
        )
    if other is None:
        why = ("list the control and what shows it on the route",)
        return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=())
    why = text("show why it does not do there; ", UserText(other.control), f" is {other.standing} there")
    return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=other.citations)


def controls_for(material: TriageInput, one: LeadGroup) -> tuple[Listed, ...]:
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


def _stands_on(material: TriageInput, one: LeadGroup, control: Control) -> bool:
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


def _covers(material: TriageInput, control: Control, one: LeadGroup) -> bool:
    """True for a control of the route; of lines that run for every route, for one of all that are registered."""
    if "*" in control.routes:
        return True
    listed = {operation_key(each) for each in control.routes}
    if one.whole and one.kind not in _ABSENT:
        return bool(listed) and {operation_key(f"{each.method} {each.path}") for each in material.code.routes} <= listed
    return bool(one.route) and operation_key(one.route) in listed


# The route's own decorators and dependencies


def _own_checks(material: TriageInput, one: LeadGroup, route: Route | None) -> Iterator[ControlCandidate]:
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
        why = text("state in the inventory what ", UserText(untold[0].name), " checks; the code does not tell")
        yield ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=untold[0].spot.citations)
        return
    weak = [guard.name for guard in around]
    why = text("none that would do it", "; the route has " if weak else "", *(UserText(name) for name in weak[:1]))
    yield ControlCandidate(place=place, standing=Standing.ABSENT, why=why, citations=route.spot.citations)


def _strong(place: Text, guard: Guard) -> ControlCandidate:
    """A guard that would do it, if it always checks."""
    if not guard.unless:
        why = text("the route has the guard ", UserText(guard.name))
        return ControlCandidate(place=place, standing=Standing.PRESENT, why=why, citations=guard.spot.citations)
    why = text("show when ", UserText(guard.name), " checks; a condition may let a request past it")
    on = cited(guard.spot.citations, *(spot.citations for spot in guard.unless))
    return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=on)


def passed(material: TriageInput, one: LeadGroup) -> tuple[Guard, ...]:
    """The guards of the route that an attacker has to get past first."""
    route = material.route(one.route) if one.route and not one.whole else None
    return tuple(guard for guard in (refusing(route) if route else ()) if not _is_itself(material, one, guard))


def _is_itself(material: TriageInput, one: LeadGroup, guard: Guard) -> bool:
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


def _handler(material: TriageInput, one: LeadGroup) -> str:
    route = material.route(one.route)
    return route.handler if route is not None else ""


def _open_parts(route: Route, *, middleware: bool) -> tuple[UnsupportedCode, ...]:
    """What could not be read around the handler, and may hold a check."""
    return tuple(
        each for each in route.unread if each.part in _AROUND and (each.part is UnreadPart.MIDDLEWARE) is middleware
    )


def _asked(place: Text, parts: Sequence[UnsupportedCode]) -> ControlCandidate:
    first = parts[0]
    why = text("not read: ", UserText(first.found), ". ", first.advice or "Supply it.")
    return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=first.spot.citations)


# Middleware


def _middleware(
    material: TriageInput, one: LeadGroup, route: Route | None, controls: Sequence[Listed]
) -> ControlCandidate:
    place: Text = ("middleware",)
    open_parts = _open_parts(route, middleware=True) if route is not None else ()
    stripped = _strips(material, header_of(one))
    if stripped is not None:
        why: Text = ("it takes the header away before the handler runs",)
        return ControlCandidate(place=place, standing=Standing.PRESENT, why=why, citations=stripped.citations)
    if open_parts:
        return _asked(place, open_parts)
    missing = lacking(material, controls, InventoryGapKind.MIDDLEWARE)
    if missing is not None:
        return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=missing[0], citations=missing[1])
    if not controls:
        why = ("supply the middleware that runs before ", UserText(one.route or one.path), ", or state that none does")
        return ControlCandidate(place=place, standing=Standing.UNKNOWN, why=why, citations=())
    seen = cited(*(row.citations for row in material.taken.middleware), *((at,) for _, at in controls))
    why = ("no middleware that would do it",)
    return ControlCandidate(place=place, standing=Standing.ABSENT, why=why, citations=seen)


def _strips(material: TriageInput, header: str) -> Spot | None:
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
