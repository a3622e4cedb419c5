"""The controls and attack surfaces, reconciled with code, configuration and tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.middleware import AroundKind, Middleware
from evreview.codefacts.model import CodeFacts, SourceText
from evreview.codefacts.names import Modules
from evreview.codefacts.test_functions import read_tests
from evreview.core.quoted_text import Part, UserText, listed, text
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Control, SecurityInventory, TrustModel
from evreview.workflows.w3.access_control.entry_points import function_of
from evreview.workflows.w3.access_control.route_guards import SAFE, guarded_beside, is_public, refusing
from evreview.workflows.w3.excerpts import CODE, cited, is_partial, is_whole, readable
from evreview.workflows.w3.inventory.cells import EVERY, TYING, matrix
from evreview.workflows.w3.inventory.listing import Listing, Testing, gap, listed_gaps, listing_of, path_of
from evreview.workflows.w3.inventory.routes import InspectedRoute, InspectedRoutes, repeated
from evreview.workflows.w3.model import (
    CellReason,
    ControlCell,
    Inventory,
    InventoryGap,
    InventoryGapKind,
    MiddlewareRow,
    Standing,
    TestRow,
)

# Which routes of a control no negative test asks: a test of one route shows nothing about the next.


REFUSING: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING)
"""Areas whose controls refuse somebody or something on each route by itself."""
_REFUSED: Final = 400


def uncovered(listing: Listing, cells: Sequence[ControlCell], rows: Sequence[TestRow]) -> Iterator[InventoryGap]:
    """A gap for each sensitive control that stands on routes which none of its negative tests asks.

    A control without any negative test has a gap already.
    """
    for place, control in enumerate(listing.inventory.record.controls):
        negative = [row for row in rows if row.control == control.id and row.negative and row.asserts]
        if not negative or not control.sensitive or control.area not in REFUSING:
            continue
        asked = {operation_key(name) for row in negative for name, status in row.asserts if status >= _REFUSED}
        own = [cell for cell in cells if cell.control == control.id and cell.standing is Standing.PRESENT]
        missing = [cell.route for cell in own if operation_key(cell.route) not in asked]
        if missing:
            words = ("a negative test of each of ", *listed(dict.fromkeys(missing)))
            yield gap(
                control, InventoryGapKind.NEGATIVE_TESTS, words, (listing.at(place, "negative_tests"),), decides=False
            )


def absent(listing: Listing, cells: Sequence[ControlCell]) -> Iterator[InventoryGap]:
    """A gap for each sensitive control that the code lacks on routes which it shall protect."""
    for place, control in enumerate(listing.inventory.record.controls):
        if not control.sensitive or control.area not in REFUSING:
            continue
        own = [cell for cell in cells if cell.control == control.id and cell.standing is Standing.ABSENT]
        if own:
            words = ("the control, or what stands in for it, at ", *listed([cell.route for cell in own]))
            on = cited((listing.at(place),), *(cell.citations for cell in own))
            yield gap(control, InventoryGapKind.CONTROL, words, on, decides=False)


# Unguarded routes beside guarded ones of the same resource or file. A hint where to look, no finding.


GUARDED: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
_SHARE: Final = 2 / 3
"""The share of a file's routes that are guarded, from which on an unguarded one of it is odd."""
_FEWEST: Final = 3


def with_odd(cells: Sequence[ControlCell], seen: Sequence[InspectedRoute]) -> tuple[ControlCell, ...]:
    """The cells, those marked odd that are the only absent ones among their neighbours."""
    return tuple(_marked(cells, {one.name: one for one in seen}))


def _marked(cells: Sequence[ControlCell], known: Mapping[str, InspectedRoute]) -> Iterator[ControlCell]:
    guarded = {area: _guarded(cells, area) for area in GUARDED}
    beside = {area: _Beside(area, known, guarded[area]) for area in GUARDED}
    for cell in cells:
        if cell.area not in GUARDED or not _is_bare(cell, known) or cell.route in guarded[cell.area]:
            yield cell
            continue
        neighbour = beside[cell.area].of(cell.route)
        if neighbour:
            yield replace(cell, odd=True, why=(*cell.why, ", beside ", UserText(neighbour), ", which has one"))
        else:
            yield cell


def _is_bare(cell: ControlCell, known: Mapping[str, InspectedRoute]) -> bool:
    """True where nothing checks callers: no code does, or of a declared route no fact says so."""
    seen = known.get(cell.route)
    declared = seen is not None and seen.route.framework == "declared"
    return cell.standing is Standing.ABSENT or (declared and cell.standing is Standing.UNKNOWN)


def _guarded(cells: Sequence[ControlCell], area: Area) -> frozenset[str]:
    return frozenset(cell.route for cell in cells if cell.area is area and cell.standing is Standing.PRESENT)


class _Beside:
    """The guarded neighbours of each route."""

    def __init__(self, area: Area, known: Mapping[str, InspectedRoute], guarded: frozenset[str]) -> None:
        self._area = area
        self._known = known
        self._guarded = [one for one in known.values() if one.name in guarded]
        self._files: dict[str, list[InspectedRoute]] = defaultdict(list)
        for one in known.values():
            self._files[one.route.spot.item].append(one)

    def of(self, name: str) -> str:
        """A guarded route of the same resource, or of a file or service that is mostly guarded; "" for none.

        Of a declared route any guarded one of its file will do. A route for everybody by its path is never odd.
        """
        seen = self._known.get(name)
        if seen is None or is_public(seen.route):
            return ""
        # Reading is often open where writing is not; the other way round is odd.
        fitting = [one for one in self._guarded if one.route.method in SAFE or seen.route.method not in SAFE]
        if self._area is Area.AUTHORIZATION:  # whether a caller owns an object is no question about a list
            fitting = [one for one in fitting if ("{" in one.route.path) is ("{" in seen.route.path)]
        same = [one for one in fitting if resource(one.route.path) == resource(seen.route.path)]
        if same:
            return same[0].name
        own = self._files[seen.route.spot.item]
        inside = [one for one in fitting if one.route.spot.item == seen.route.spot.item]
        mostly = len(own) >= _FEWEST and len(inside) >= _SHARE * (len(own) - 1)
        mostly |= seen.route.framework == "declared"  # who declares one guard is asked for each that is missing
        if mostly and inside:
            return inside[0].name
        return self._suspected(seen) if self._area is Area.AUTHENTICATION else ""

    def _suspected(self, seen: InspectedRoute) -> str:
        """What the lead rule for such routes takes: both parts of one review call the same routes odd."""
        if refusing(seen.route):
            return ""
        guarded = {one.name for one in self._guarded}
        near = guarded_beside(seen.route, [one.route for one in self._known.values()])
        return next((name for one in near if (name := f"{one.method} {one.path}") in guarded), "")


def resource(path: str) -> str:
    """The steps of a path before its first parameter: `/v1/orders/{id}/lines` is about `/v1/orders`."""
    steps: list[str] = []
    for step in path.strip("/").split("/"):
        if "{" in step:
            break
        steps.append(step)
    return "/".join(steps)


# What applications run around their handlers, as rows with the area that each is about.


def middleware_rows(inspected_routes: InspectedRoutes) -> tuple[MiddlewareRow, ...]:
    """One row per middleware, dependency, function before requests and error handler, in the order of running."""
    return tuple(_row(inspected_routes, one) for one in inspected_routes.around)


def _row(inspected_routes: InspectedRoutes, one: Middleware) -> MiddlewareRow:
    defined = one.definition.scope.spot(one.definition.statement).citations if one.definition else ()
    return MiddlewareRow(
        application=one.application,
        kind=one.kind,
        place=one.place,
        name=one.name,
        area=_area(inspected_routes, one),
        citations=cited(one.spot.citations, defined),
    )


def _area(inspected_routes: InspectedRoutes, one: Middleware) -> Area | None:
    """By the guard that it is on some route, by what kind of thing it is, by what it calls."""
    if one.kind is AroundKind.ERROR_HANDLER:
        return Area.ERROR_DISCLOSURE
    for seen in inspected_routes.all:
        for guard in seen.route.guards:
            if guard.name.rpartition(".")[2] == one.name.rpartition(".")[2] or guard.spot == one.spot:
                found = {"authentication": Area.AUTHENTICATION, "authorization": Area.AUTHORIZATION}
                return found.get(guard.kind)
    return Area.LOGGING if inspected_routes.logs_in(one) else None


_OPEN: Final = (Standing.UNREAD, Standing.UNKNOWN)


def take_inventory(
    inventory: Cited[SecurityInventory] | None, code: CodeFacts, sources: Sequence[SourceText], bundle: Bundle
) -> Inventory:
    """The matrix of controls and routes, and everything that the inventory lacks.

    Args:
        inventory: the listed controls; without one every area is a gap.
        code: the routes that the sources register, declared ones included.
        sources: the inspected files.
        bundle: for excerpts, tests, retained results and the revision under review.
    """
    empty = Cited(SecurityInventory(controls=()), Citation(next(iter(bundle.items))))
    listing = listing_of(inventory or empty, sources, bundle)
    inspected_routes = InspectedRoutes(code, sources)
    cells = with_odd(matrix(listing, inspected_routes), inspected_routes.all)
    functions = read_tests(Modules(_test_texts(listing)))
    rows, unusable_tests = Testing(listing, functions, code.routes).rows()
    gaps = [
        *_areas(listing, inventory is not None),
        *listed_gaps(listing),
        *unusable_tests,
        *_cells(listing, cells, partial=is_partial(code, sources) or _otherwise(bundle)),
        *absent(listing, cells),
        *uncovered(listing, cells, rows),
        *_repeated(code),
        *_unread(code, sources),
    ]
    if not code.routes:
        wanted = ("the source that registers the routes, or declared facts about them",)
        gaps.append(
            _whole(InventoryGapKind.ROUTE, wanted, (), decides=not (_otherwise(bundle) and readable(code, sources)))
        )
    return Inventory(
        cells=cells, gaps=tuple(dict.fromkeys(gaps)), middleware=middleware_rows(inspected_routes), tests=rows
    )


def _test_texts(listing: Listing) -> list[SourceText]:
    """The Python files that hold listed tests, those that no source map lists as well."""
    found: dict[str, SourceText] = {}
    for control in listing.inventory.record.controls:
        for test in (*(control.positive_tests or ()), *(control.negative_tests or ())):
            item = listing.bundle.items.get(test.item)
            if item is None or item.record is not None:
                continue
            path = path_of(listing, item) or item.file
            if path.endswith((".py", ".pyi")):
                own = SourceText(item=item.id, path=path, parts=("test",), text=item.content)
                found.setdefault(item.id, listing.sources.get(item.id, own))
    return list(found.values())


def _areas(listing: Listing, supplied: bool) -> Iterator[InventoryGap]:
    """Areas without a control and without a reason, and areas with both."""
    record = listing.inventory.record
    at = (listing.inventory.citation,) if supplied else ()
    named = {control.area for control in record.controls}
    left_out = {one.area for one in record.not_in_scope}
    for area in Area:
        if area not in named | left_out:
            words = (f"a control for {area}, with its lines and tests, or the reason why it is not in scope",)
            yield InventoryGap(
                control=area.value, area=area, lacks=InventoryGapKind.SOURCE, request=words, citations=at
            )
        elif area in named & left_out:
            words = (f"which of both holds: {area} has a control, and is said to be not in scope",)
            yield InventoryGap(
                control=area.value, area=area, lacks=InventoryGapKind.SCOPE, request=words, citations=at, decides=False
            )


def _cells(listing: Listing, cells: Sequence[ControlCell], *, partial: bool) -> Iterator[InventoryGap]:
    """Cells from which nothing can be concluded; those of a listed control decide.

    Where files that no reader reads may register a route, or something comes in by other ways than routes, one that no
    read file registers keeps nothing from the rest.
    """
    controls = {control.id: control for control in listing.inventory.record.controls}
    for cell in cells:
        control = controls.get(cell.control)
        if cell.standing not in _OPEN:
            continue
        if control is not None:
            found = _open(control, cell)
            unseen = partial and cell.reason is CellReason.UNREGISTERED
            elsewhere = unseen or cell.reason is CellReason.NO_FUNCTION
            yield replace(found, decides=False) if elsewhere else found
        elif cell.standing is Standing.UNREAD:
            words = text("what was not read at ", UserText(cell.route), ": ", *cell.why)
            yield InventoryGap(
                control=cell.control,
 area=cell.area,
 lacks=InventoryGapKind.SOURCE,
 request=words,
 citations=cell.citations,
                decides=False,
            )  # fmt: skip


def _open(control: Control, cell: ControlCell) -> InventoryGap:
    if cell.standing is Standing.UNREAD:
        words: tuple[Part, ...] = ("the code of ", UserText(cell.route), " that was ", *cell.why)
        return gap(control, InventoryGapKind.SOURCE, words, cell.citations)
    lacks = InventoryGapKind.SOURCE if cell.reason is CellReason.UNQUOTED else InventoryGapKind.ROUTE
    where: Part = "every route" if cell.route == EVERY else UserText(cell.route)
    # Of other areas no fact can be declared, and what the code shows to be open is told by leads.
    undeclared = cell.reason is CellReason.UNTIED and control.area not in TYING
    decides = not undeclared and cell.reason is not CellReason.SHOWN_OPEN
    return gap(control, lacks, ("what shows it at ", where, ": ", *cell.why), cell.citations, decides=decides)


def _repeated(code: CodeFacts) -> Iterator[InventoryGap]:
    for several in repeated(code.routes):
        name = UserText(f"{several[0].method} {several[0].path}")
        words = ("which of ", str(len(several)), " registrations answers ", name, "; the first one read is judged")
        yield _whole(InventoryGapKind.ROUTE, words, cited(*(one.spot.citations for one in several)), decides=False)


def _otherwise(bundle: Bundle) -> bool:
    """True where the trust model says that something comes in by other ways than routes."""
    model = first_of(bundle, TrustModel)
    return any(not entry.route or function_of(entry) for entry in (model.record.entry_points or () if model else ()))


def _unread(code: CodeFacts, sources: Sequence[SourceText]) -> Iterator[InventoryGap]:
    """Files that no reader could read; they decide where nothing else could be read and nothing is declared of them."""
    parts = {source.item: source.parts for source in sources}
    partial = readable(code, sources)
    declared = {route.spot.item for route in code.routes if route.framework == "declared"}
    for one in code.unread:
        played = parts.get(one.spot.item, ())
        if not set(played) & CODE:
            continue
        decides = not partial and "handler" in played and one.spot.item not in declared and is_whole(one)
        words = ("what was not read in ", UserText(one.spot.path), ": ", UserText(one.found), f". {one.advice}")
        yield _whole(InventoryGapKind.SOURCE, words, one.spot.citations, decides=decides)


def _whole(
    lacks: InventoryGapKind, request: Sequence[Part], on: tuple[Citation, ...], *, decides: bool = True
) -> InventoryGap:
    """A gap that concerns every control; it stands under the first area."""
    return InventoryGap(
        control=EVERY, area=Area.AUTHENTICATION, lacks=lacks, request=text(*request), citations=cited(on),
        decides=decides,
    )  # fmt: skip
