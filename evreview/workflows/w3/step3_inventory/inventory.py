"""Step 3 of a security review: the controls and attack surfaces, reconciled with code, configuration and tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.codefacts.names import Modules
from evreview.codefacts.test_functions import read_tests
from evreview.core.quoted_text import Part, Subject, text
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Control, SecurityInventory, TrustModel
from evreview.security.inventory.covering import absent, uncovered
from evreview.security.inventory.neighbours import with_odd
from evreview.security.inventory.surroundings import middleware_rows
from evreview.security.partial import CODE, is_partial, is_whole, readable
from evreview.workflows.w3.access_control.entry_points import function_of
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.model import ControlCell, Inventory, InventoryGap, Standing
from evreview.workflows.w3.step3_inventory.cells import (
    EVERY,
    NO_FUNCTION,
    SHOWN_OPEN,
    TYING,
    UNREGISTERED,
    UNTIED,
    matrix,
)
from evreview.workflows.w3.step3_inventory.control_tests import Testing
from evreview.workflows.w3.step3_inventory.listing import Listing, gap, listed_gaps, listing_of, path_of
from evreview.workflows.w3.step3_inventory.routes import Sights, repeated

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
    sights = Sights(code, sources)
    cells = with_odd(matrix(listing, sights), sights.all)
    functions = read_tests(Modules(_test_texts(listing)))
    rows, wrong_tests = Testing(listing, functions, code.routes).rows()
    gaps = [
        *_areas(listing, inventory is not None),
        *listed_gaps(listing),
        *wrong_tests,
        *_cells(listing, cells, partial=is_partial(code, sources) or _otherwise(bundle)),
        *absent(listing, cells),
        *uncovered(listing, cells, rows),
        *_repeated(code),
        *_unread(code, sources),
    ]
    if not code.routes:
        wanted = ("the source that registers the routes, or declared facts about them",)
        gaps.append(_whole("route", wanted, (), decides=not (_otherwise(bundle) and readable(code, sources))))
    return Inventory(cells=cells, gaps=_once(gaps), middleware=middleware_rows(sights), tests=rows)


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
            yield InventoryGap(control=area.value, area=area, lacks="source", request=words, citations=at)
        elif area in named & left_out:
            words = (f"which of both holds: {area} has a control, and is said to be not in scope",)
            yield InventoryGap(control=area.value, area=area, lacks="scope", request=words, citations=at, decides=False)


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
            elsewhere = cell.why[:1] == (NO_FUNCTION,) or (partial and cell.why[:1] == (UNREGISTERED,))
            yield replace(found, decides=False) if elsewhere else found
        elif cell.standing is Standing.UNREAD:
            words = text("what was not read at ", Subject(cell.route), ": ", *cell.why)
            yield InventoryGap(
                control=cell.control, area=cell.area, lacks="source", request=words, citations=cell.citations,
                decides=False,
            )  # fmt: skip


def _open(control: Control, cell: ControlCell) -> InventoryGap:
    if cell.standing is Standing.UNREAD:
        words: tuple[Part, ...] = ("the code of ", Subject(cell.route), " that was ", *cell.why)
        return gap(control, "source", words, cell.citations)
    unregistered = cell.why[:1] != ("no quoted lines show where it stands",)
    lacks = "route" if unregistered else "source"
    where: Part = "every route" if cell.route == EVERY else Subject(cell.route)
    # Of other areas no fact can be declared, and what the code shows to be open is told by leads.
    decides = (control.area in TYING or cell.why[:1] != (UNTIED,)) and cell.why[:1] != (SHOWN_OPEN,)
    return gap(control, lacks, ("what shows it at ", where, ": ", *cell.why), cell.citations, decides=decides)


def _repeated(code: CodeFacts) -> Iterator[InventoryGap]:
    for several in repeated(code.routes):
        name = Subject(f"{several[0].method} {several[0].path}")
        words = ("which of ", str(len(several)), " registrations answers ", name, "; the first one read is judged")
        yield _whole("route", words, cited(*(one.spot.citations for one in several)), decides=False)


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
        words = ("what was not read in ", Subject(one.spot.path), ": ", Subject(one.found), f". {one.advice}")
        yield _whole("source", words, one.spot.citations, decides=decides)


def _whole(lacks: str, request: Sequence[Part], on: tuple[Citation, ...], *, decides: bool = True) -> InventoryGap:
    """A gap that concerns every control; it stands under the first area."""
    return InventoryGap(
        control=EVERY, area=Area.AUTHENTICATION, lacks=lacks, request=text(*request), citations=cited(on),
        decides=decides,
    )  # fmt: skip


def _once(gaps: Sequence[InventoryGap]) -> tuple[InventoryGap, ...]:
    return tuple(dict.fromkeys(gaps))
