"""The cells of the control x route matrix: what each listed control does on each route, and each area without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import Spot
from evreview.codefacts.names import overlapping
from evreview.core.quoted_text import Text, UserText, listed
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Control, Excerpt, SecurityInventory
from evreview.workflows.w3.access_control.entry_points import is_route
from evreview.workflows.w3.excerpts import Shown, cited, shown
from evreview.workflows.w3.inventory.listing import Listing, covers
from evreview.workflows.w3.inventory.routes import (
    ONLY_WHERE_USED,
    UNSURE,
    AreaEvidence,
    Decided,
    InspectedRoute,
    InspectedRoutes,
    read_area,
)
from evreview.workflows.w3.model import CellReason, ControlCell, Standing

EVERY: Final = "*"
_CODE_DECIDES: Final = frozenset(
    {
        (Area.SECRETS, Standing.PRESENT),
        (Area.SECRETS, Standing.ABSENT),
        (Area.INPUT_HANDLING, Standing.ABSENT),
        (Area.INPUT_HANDLING, Standing.NOT_APPLICABLE),
    }
)
"""What the code shows whatever lines a control names: lines that are referred to need not be used for this."""
_REFUSING: Final = frozenset({Area.AUTHENTICATION, Area.AUTHORIZATION})
"""Areas whose controls refuse callers: lines that only find out who calls are none."""

TYING: Final = {
    Area.AUTHENTICATION: "authentication",
    Area.AUTHORIZATION: "authentication and scopes, or its refusals",
    Area.INPUT_HANDLING: "parameters, body or refusals",
}
"""What a reviewer can declare about a route that ties a control of an area to it; without it nothing is concluded."""
_SOMETIMES: Final = "its lines belong to the route; "
_CONDITION: Final = " checks under a condition only, or in a form that is not known"


@dataclass(frozen=True, slots=True)
class _Lines:
    """The quoted lines of a control that stand: of code and middleware, and of deployment wiring."""

    code: tuple[tuple[Excerpt, Shown], ...]
    wiring: tuple[tuple[Excerpt, Shown], ...]
    stated: bool
    none: bool


def matrix(listing: Listing, inspected_routes: InspectedRoutes) -> tuple[ControlCell, ...]:
    """Every cell: by area, then control, then route in the order registered."""
    inventory = listing.inventory
    cells: list[ControlCell] = []
    for area in Area:
        controls = [(place, one) for place, one in enumerate(inventory.record.controls) if one.area is area]
        for place, control in controls:
            cells.extend(_of_control(listing, inspected_routes, control, listing.at(place)))
        out = _out_of_scope(inventory, area)
        if out is not None and not controls:
            cells.append(out)
        else:
            cells.extend(_of_area(inspected_routes, area, [control for _, control in controls]))
    first = {(cell.control, cell.route): cell for cell in reversed(cells)}  # of two controls with one id the first
    return tuple(cell for cell in cells if first[cell.control, cell.route] is cell)


def _out_of_scope(inventory: Cited[SecurityInventory], area: Area) -> ControlCell | None:
    for place, left in enumerate(inventory.record.not_in_scope):
        if left.area is area:
            at = (inventory.at(f"/not_in_scope/{place}"),)
            return _cell(area.value, area, EVERY, AreaEvidence(Standing.NOT_IN_SCOPE, (UserText(left.why),), at))
    return None


def _of_area(inspected_routes: InspectedRoutes, area: Area, controls: Sequence[Control]) -> Iterator[ControlCell]:
    """The routes that no listed control of the area covers, as the code shows them."""
    for seen in inspected_routes.all:
        if not any(covers(control, seen.name) for control in controls):
            yield _cell(area.value, area, seen.name, read_area(seen, area))


def _of_control(
    listing: Listing, inspected_routes: InspectedRoutes, control: Control, own: Citation
) -> Iterator[ControlCell]:
    lines = _lines(listing, control)
    covered = [seen for seen in inspected_routes.all if covers(control, seen.name)]
    for seen in covered:
        found = _standing(inspected_routes, control, lines, seen)
        on = cited(found.citations, (own,))
        yield _cell(control.id, control.area, seen.name, replace(found, citations=on))
    known = {operation_key(seen.name) for seen in covered}
    for route in dict.fromkeys(control.routes):
        if route != EVERY and operation_key(route) not in known:
            reason = CellReason.UNREGISTERED if is_route(route) else CellReason.NO_FUNCTION
            why: Text = (reason.text, " this route") if is_route(route) else (reason.text,)
            yield _cell(control.id, control.area, route, AreaEvidence(Standing.UNKNOWN, why, (own,), reason))
    if EVERY in control.routes and not covered:
        reason = CellReason.UNREGISTERED
        why = (reason.text, " a route")
        yield _cell(control.id, control.area, EVERY, AreaEvidence(Standing.UNKNOWN, why, (own,), reason))


def _cell(control: str, area: Area, route: str, found: AreaEvidence) -> ControlCell:
    return ControlCell(
        control=control, area=area, route=route, standing=found.standing, why=found.why, citations=found.citations,
        reason=found.reason,
    )  # fmt: skip


def _lines(listing: Listing, control: Control) -> _Lines:
    def standing(excerpts: Sequence[Excerpt]) -> tuple[tuple[Excerpt, Shown], ...]:
        checked = [(excerpt, shown(listing.bundle, excerpt)) for excerpt in excerpts]
        return tuple((excerpt, found) for excerpt, found in checked if found.stands)

    lists = (control.source, control.middleware, control.deployment)
    return _Lines(
        code=standing((*(control.source or ()), *(control.middleware or ()))),
        wiring=standing(control.deployment or ()),
        stated=all(one is not None for one in lists),
        none=not any(lists),
    )


def _standing(inspected_routes: InspectedRoutes, control: Control, lines: _Lines, seen: InspectedRoute) -> AreaEvidence:
    """What the quoted lines and the code together show of a control on a route."""
    code = read_area(seen, control.area)
    if (control.area, code.standing) in _CODE_DECIDES:
        return code
    spared = _spared(inspected_routes, control, lines, seen)
    if spared is not None:
        return spared
    tied = _tied(inspected_routes, control, lines, seen)
    if tied is not None and (control.area not in _REFUSING or tied.standing is not Standing.PRESENT):
        return tied
    if tied is not None:
        return _refusing(inspected_routes, lines, seen, (tied, code))
    if lines.wiring:
        quote = UserText(lines.wiring[0][0].quote)
        why: Text = ("in the deployment wiring, as the inventory states: ", quote)
        return AreaEvidence(Standing.PRESENT, why, cited(*(one.citations for _, one in lines.wiring)))
    if lines.none and lines.stated:
        return AreaEvidence(Standing.ABSENT, ("the inventory states no code, middleware or wiring for it",), ())
    if not lines.code:
        return AreaEvidence(Standing.UNKNOWN, (CellReason.UNQUOTED.text,), (), CellReason.UNQUOTED)
    return _untied(inspected_routes, control, lines, seen)


def _spared(
    inspected_routes: InspectedRoutes, control: Control, lines: _Lines, seen: InspectedRoute
) -> AreaEvidence | None:
    """Lines of something around the route, all of them, or all that refuse, in branches that it never takes here."""
    found: list[Decided] = []
    for excerpt, window in ((excerpt, window) for excerpt, one in lines.code for window in one.windows):
        each = next((one for one in seen.around if one.left_of(excerpt.item, *window) is not None), None)
        left = each.left_of(excerpt.item, *window) if each is not None else None
        if each is None or left is None:
            return None
        refused = control.area in _REFUSING and inspected_routes.refusals.at(excerpt.item, *window)
        if any(not refused or inspected_routes.refusals.at(excerpt.item, line, line) for line in left):
            return None
        found.append(each)
    if not found:
        return None
    on = cited(seen.route.spot.citations, *(spot.citations for each in found for spot in each.spots))
    names = listed(dict.fromkeys(each.one.name for each in found))
    return AreaEvidence(Standing.ABSENT, (*names, " lets this route past: its lines stand in a branch for others"), on)


def _refusing(
    inspected_routes: InspectedRoutes, lines: _Lines, seen: InspectedRoute, readings: tuple[AreaEvidence, AreaEvidence]
) -> AreaEvidence:
    """A check of callers that belongs to a route: it counts where its lines refuse, else as the code shows."""
    tied, code = readings
    windows = [(excerpt.item, window) for excerpt, found in lines.code for window in found.windows]
    read = [(item, window) for item, window in windows if item in inspected_routes.python]
    if not read or any(inspected_routes.refusals.at(item, *window) for item, window in read):
        return tied
    set_there = {name for item, window in read for name in inspected_routes.refusals.kept(item, *window)}
    # What they set and what asks for it are one control; what refuses for another reason is what the inventory says.
    refusing = inspected_routes.asked_of(seen, set_there) or seen.guards("unknown")
    if refusing:
        names = listed(dict.fromkeys(guard.name for guard in refusing))
        on = cited(tied.citations, *(guard.spot.citations for guard in refusing))
        return AreaEvidence(Standing.PRESENT, ("as the inventory states; callers are refused by ", *names), on)
    why: Text = ("its lines belong to the route and refuse nobody; of the code: ", *code.why)
    return AreaEvidence(code.standing, why, cited(tied.citations, code.citations))


def _untied(inspected_routes: InspectedRoutes, control: Control, lines: _Lines, seen: InspectedRoute) -> AreaEvidence:
    """A control whose quoted lines are none that the route's code was seen to refer to."""
    on = cited(seen.route.spot.citations, *(one.citations for _, one in lines.code))
    if control.area in ONLY_WHERE_USED and seen.read:
        return AreaEvidence(Standing.NOT_APPLICABLE, ("the route's code does not refer to its lines",), on)
    if not seen.read or not all(excerpt.item in inspected_routes.python for excerpt, _ in lines.code):
        return _declared(control, seen, on)
    if seen.hidden:
        hidden = seen.hidden[0]
        return AreaEvidence(Standing.UNREAD, ("not read: ", UserText(hidden.found)), cited(hidden.spot.citations, on))
    return AreaEvidence(Standing.ABSENT, ("the route's code does not refer to the control's lines",), on)


def _declared(control: Control, seen: InspectedRoute, on: tuple[Citation, ...]) -> AreaEvidence:
    """Lines of code that no reader reads: a fact that is declared about the route ties them to it, nothing else."""
    code = read_area(seen, control.area)
    if code.standing is Standing.PRESENT:
        why: Text = ("as the inventory states, and shown of the route: ", *code.why)
        return AreaEvidence(Standing.PRESENT, why, cited(on, code.citations))
    how = TYING.get(control.area)
    fact: Text = (f"declare a fact about its {how} with the line that shows it, or ",) if how else ()
    reason = CellReason.UNTIED
    told = (reason.text, *fact, "quote the line of its handler or registration that does")
    return AreaEvidence(Standing.UNKNOWN, told, on, reason)


def _tied(
    inspected_routes: InspectedRoutes, control: Control, lines: _Lines, seen: InspectedRoute
) -> AreaEvidence | None:
    """The first quoted lines that belong to the route: its code, its guards, or what runs around it."""
    route = seen.route
    named = [spot for guard in route.guards for spot in inspected_routes.definition_named(guard.name)]
    facts = [one.spot for one in route.parameters] + [one.spot for one in route.notes]
    facts += [one.spot for one in route.responses] + ([route.body.spot] if route.body is not None else [])
    places: tuple[tuple[str, Sequence[Spot]], ...] = (
        ("a guard of the route", [*(guard.spot for guard in route.guards), *named]),
        ("lines of the route", [route.spot, *facts, *seen.own]),
        ("lines that the route's code refers to", seen.spots),
        ("lines that run around the route", seen.around_spots),
    )
    for excerpt, found in lines.code:
        for what, spots in places:
            spots_of = (overlapping(spots, excerpt.item, *window) for window in found.windows)
            spot = next((spot for spot in spots_of if spot is not None), None)
            if spot is not None:
                on = cited(found.citations, route.spot.citations)
                return (
                    _by_path(control, seen, spot, on)
                    or _presence_only(inspected_routes, seen, spot, on)
                    or _pierced(inspected_routes, seen, spot, on)
                    or _only_open(control, seen, on)
                    or AreaEvidence(Standing.PRESENT, (f"{what}{spot.mark}: ", UserText(excerpt.quote)), on)
                )
    return None


def _pierced(
    inspected_routes: InspectedRoutes, seen: InspectedRoute, spot: Spot, on: tuple[Citation, ...]
) -> AreaEvidence | None:
    """A guard that checks only under a condition: nobody knows whether it does here."""
    for guard in seen.route.guards:
        own = (guard.spot, *inspected_routes.definition_named(guard.name))
        if guard.unless and spot in own:
            reason = _past(bool(seen.past.intersection(guard.unless)))
            why: Text = (reason.text or _SOMETIMES, UserText(guard.name), _CONDITION)
            return AreaEvidence(Standing.UNKNOWN, why, cited(on, *(one.citations for one in guard.unless)), reason)
    return None


def _only_open(control: Control, seen: InspectedRoute, on: tuple[Citation, ...]) -> AreaEvidence | None:
    """Lines of a route whose every guard of the control's area lets callers past: nobody knows whether they check."""
    if control.area not in _REFUSING:
        return None
    guards = [guard for guard in seen.route.guards if guard.kind == control.area.value]
    if not guards and seen.late and control.area is Area.AUTHENTICATION:
        late: Text = (_SOMETIMES, UserText(seen.route.handler), UNSURE)
        return AreaEvidence(Standing.UNKNOWN, late, cited(on, *(spot.citations for spot in seen.late)))
    if not guards or not all(guard.unless or guard in seen.presence_only for guard in guards):
        return None
    reason = _past(all(guard in seen.presence_only or seen.past.intersection(guard.unless) for guard in guards))
    why: Text = (reason.text or _SOMETIMES, UserText(guards[0].name), " does not check every caller")
    spots = [spot for guard in guards for spot in (guard.spot, *guard.unless)]
    return AreaEvidence(Standing.UNKNOWN, why, cited(on, *(spot.citations for spot in spots)), reason)


def _past(told: bool) -> CellReason:
    return CellReason.SHOWN_OPEN if told else CellReason.NONE


def _presence_only(
    inspected_routes: InspectedRoutes, seen: InspectedRoute, spot: Spot, on: tuple[Citation, ...]
) -> AreaEvidence | None:
    """A guard that asks only whether credentials are there shows no more than that."""
    for guard in seen.presence_only:
        if spot in (guard.spot, *inspected_routes.definition_named(guard.name)):
            reason = CellReason.SHOWN_OPEN
            why: Text = (reason.text, UserText(guard.name), " asks only whether credentials are there")
            return AreaEvidence(Standing.UNKNOWN, why, on, reason)
    return None


def _by_path(control: Control, seen: InspectedRoute, spot: Spot, on: tuple[Citation, ...]) -> AreaEvidence | None:
    """What looks at the path acts on the routes that the inventory names; of all routes that is not believed."""
    for each in seen.around:
        one = each.one
        if each.by_path and spot in each.spots:
            if EVERY in control.routes:
                why: Text = (UserText(one.name), " looks at the path; name the routes that it checks")
                return AreaEvidence(Standing.UNKNOWN, why, on)
            return AreaEvidence(Standing.PRESENT, (UserText(one.name), ", for this route as the inventory states"), on)
    return None
