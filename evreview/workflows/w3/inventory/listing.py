"""What the inventory lists for each control, checked line by line. What is missing is asked for exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import SourceText
from evreview.core.quoted_text import Part, Text, UserText, listed, text
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation, EvidenceItem, Reference, parse_integrity
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Control, Excerpt, SecurityInventory, Surrounding
from evreview.workflows.w3.excerpts import Shown, cited, reviewed, revision_of, shown
from evreview.workflows.w3.model import InventoryGap, InventoryGapKind

_CODE: Final = frozenset({EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT})
_WIRING: Final = frozenset(
    {EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.ROLLOUT_RECORD, EvidenceType.SOURCE_EXCERPT}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One list of a control.

    Attributes:
        field: its name in the record; without it nothing can be concluded.
        lacks: what it is called in a gap.
        request: what is asked for when the list is not there.
        types: kinds of evidence that may show its excerpts.
        when_empty: what is asked for when it says that there is none; "" where that is an answer.
    """

    field: str
    lacks: InventoryGapKind
    request: str
    types: frozenset[EvidenceType] = frozenset()
    when_empty: str = ""


WANTED: Final = (
    Wanted(
        field="source",
        lacks=InventoryGapKind.SOURCE,
        types=_CODE,
        request="the file, lines and quoted text where the control stands; an empty list says that it is not in code",
    ),
    Wanted(
        field="middleware",
        lacks=InventoryGapKind.MIDDLEWARE,
        types=_CODE,
        request="the middleware that it depends on, with lines and quoted text; an empty list says that there is none",
    ),
    Wanted(
        field="deployment",
        lacks=InventoryGapKind.DEPLOYMENT,
        types=_WIRING,
        request="the deployment wiring that it depends on, quoted; an empty list says that there is none",
    ),
    Wanted(
        field="positive_tests",
        lacks=InventoryGapKind.POSITIVE_TESTS,
        request="the tests that show that whoever may, can; an empty list says that there is none",
        when_empty="a test that whoever may, can, with its retained result",
    ),
    Wanted(
        field="negative_tests",
        lacks=InventoryGapKind.NEGATIVE_TESTS,
        request="the tests that show that whoever may not, can't; an empty list says that there is none",
        when_empty="a test that whoever may not, can't, with its retained result",
    ),
    Wanted(
        field="surrounding",
        lacks=InventoryGapKind.SURROUNDING,
        request="the files that were searched for another control; an empty list says that none was",
        when_empty="the names of the files that were searched for another control",
    ),
)
"""Spec, W3 required inputs, security-relevant inventory."""
_EXCERPTS: Final = ("source", "middleware", "deployment")
_AROUND: Final = frozenset({"middleware", "configuration", "deployment", "shared"})
"""Parts of a source in which a control of many routes stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The inventory with what it is checked against."""

    inventory: Cited[SecurityInventory]
    sources: Mapping[EvidenceId, SourceText]
    bundle: Bundle

    @property
    def wanted(self) -> str:
        """The revision that everything has to be of, "" when none is known."""
        return reviewed(self.bundle) or self.inventory.record.revision or ""

    def at(self, place: int, *steps: object) -> Citation:
        """A citation of one place of a control."""
        return self.inventory.at("/".join(("/controls", str(place), *map(str, steps))))


def listing_of(inventory: Cited[SecurityInventory], sources: Sequence[SourceText], bundle: Bundle) -> Listing:
    """The inventory with the inspected files by their items."""
    by_item: dict[EvidenceId, SourceText] = {}
    for source in sources:
        by_item.setdefault(source.item, source)
    return Listing(inventory, by_item, bundle)


def gap(
    control: Control,
    lacks: InventoryGapKind,
    request: Sequence[Part],
    on: tuple[Citation, ...],
    *,
    decides: bool = True,
) -> InventoryGap:
    """A gap of one control."""
    return InventoryGap(
        control=control.id, area=control.area, lacks=lacks, request=text(*request), citations=on, decides=decides
    )


def listed_gaps(listing: Listing) -> Iterator[InventoryGap]:
    """Everything that the lists of every control lack, tests left out: `testing` resolves those."""
    counted = Counter(control.id for control in listing.inventory.record.controls)
    for place, control in enumerate(listing.inventory.record.controls):
        if counted[control.id] > 1:
            words = (f"an id of its own; {counted[control.id]} controls have the id ", UserText(control.id))
            yield gap(control, InventoryGapKind.ID, words, (listing.at(place),))
        yield from _inventory_revision(listing, control)
        for wanted in WANTED:
            yield from _list(listing, place, control, wanted)
        for number, surrounding in enumerate(control.surrounding or ()):
            yield from _surrounding(listing, control, surrounding, listing.at(place, "surrounding", number))


def _inventory_revision(listing: Listing, control: Control) -> Iterator[InventoryGap]:
    stated, wanted = listing.inventory.record.revision, listing.wanted
    at = (listing.inventory.at("/revision"),) if stated else (listing.inventory.citation,)
    if not wanted:
        yield gap(control, InventoryGapKind.REVISION, ("the immutable revision of everything listed",), at)
    elif stated and not same_revision(stated, wanted):
        words = ("an inventory of ", UserText(wanted), "; this one is of ", UserText(stated))
        yield gap(control, InventoryGapKind.REVISION, words, at)


def _list(listing: Listing, place: int, control: Control, wanted: Wanted) -> Iterator[InventoryGap]:
    values = getattr(control, wanted.field)
    at = (listing.at(place),)
    if values is None:
        yield gap(control, wanted.lacks, (wanted.request,), at)
    elif not values and wanted.when_empty:
        words = (wanted.when_empty, *(_candidates(listing, control) if wanted.field == "surrounding" else ()))
        yield gap(control, wanted.lacks, words, at, decides=False)
    elif wanted.field in _EXCERPTS:
        for number, excerpt in enumerate(values):
            own = listing.at(place, wanted.field, number)
            yield from _excerpt(listing, control, wanted, excerpt, own)


def _candidates(listing: Listing, control: Control) -> Text:
    """The supplied files in which another control could stand, and which the control's own lines are not from."""
    own = {excerpt.item for name in _EXCERPTS for excerpt in getattr(control, name) or ()}
    paths = [
        source.path
        for source in listing.sources.values()
        if source.item not in own and not _AROUND.isdisjoint(source.parts)
    ]
    return ("; supplied are ", *listed(sorted(set(paths)))) if paths else ()


def _excerpt(
    listing: Listing, control: Control, wanted: Wanted, excerpt: Excerpt, own: Citation
) -> Iterator[InventoryGap]:
    found = shown(listing.bundle, excerpt, wanted.types)
    if not found.stands:
        request = ("the lines and the text as they stand: ", *found.why)
        yield gap(control, wanted.lacks, request, cited((own,), found.citations))
        return
    item = listing.bundle.items[excerpt.item]
    if wanted.field != "deployment" and not path_of(listing, item):
        request = ("the path in the repository of ", UserText(item.id), "; list it in the source map")
        yield gap(control, wanted.lacks, request, cited((own,), found.citations))
    yield from _revision(listing, control, item, own)


def _revision(listing: Listing, control: Control, item: EvidenceItem, own: Citation) -> Iterator[InventoryGap]:
    """An item that is not, or not shown to be, of the one revision."""
    wanted = listing.wanted
    found = revision_of(listing.bundle, item.id)
    if not wanted or same_revision(found, wanted):
        return
    at = (own, Citation(item.id))
    if not found:
        request: tuple[Part, ...] = ("the commit that ", UserText(item.id), " belongs to; its integrity names none")
    else:
        request = (UserText(item.id), " as of ", UserText(wanted), "; it is of ", UserText(found))
    yield gap(control, InventoryGapKind.REVISION, request, at)


def _surrounding(listing: Listing, control: Control, surrounding: Surrounding, own: Citation) -> Iterator[InventoryGap]:
    path: Part = UserText(surrounding.path)
    if surrounding.item is None:
        words = ("the file ", path, ", which was searched for another control; until then reachability is unknown")
        yield gap(control, InventoryGapKind.SURROUNDING, words, (own,), decides=False)
        return
    item = listing.bundle.items.get(surrounding.item)
    if item is None:
        yield gap(control, InventoryGapKind.SURROUNDING, ("the item ", UserText(surrounding.item)), (own,))
        return
    held = path_of(listing, item)
    if held != surrounding.path:
        holds = (" holds ", UserText(held)) if held else (" names no path",)
        yield gap(control, InventoryGapKind.SURROUNDING, ("the file ", path, "; ", UserText(item.id), *holds), (own,))
    if surrounding.control is not None:
        found: Shown = shown(listing.bundle, surrounding.control)
        if not found.stands:
            request = ("the lines and the text of the other control as they stand: ", *found.why)
            yield gap(control, InventoryGapKind.SURROUNDING, request, cited((own,), found.citations))
    yield from _revision(listing, control, item, own)


def path_of(listing: Listing, item: EvidenceItem) -> str:
    """The path in the repository of an item: by its source map, else by its integrity; "" when neither names one."""
    source = listing.sources.get(item.id)
    if source is not None:
        return source.path
    parsed = parse_integrity(item.integrity, sha256=item.sha256)
    return parsed.path if isinstance(parsed, Reference) else ""
