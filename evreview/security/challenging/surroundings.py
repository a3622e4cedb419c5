"""The files that were searched for another control, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evreview.evidence.item import Citation
from evreview.evidence.records.controls import Surrounding
from evreview.prose import Subject, Text, text
from evreview.security.challenging.asking import Listed
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.excerpts import cited, shown
from evreview.security.leads.placing import named
from evreview.security.model import Challenge, Standing
from evreview.sources.model import Spot
from evreview.vocab import EvidenceId


def surrounding(material: Material, one: Suspicion, controls: Sequence[Listed]) -> Iterator[Challenge]:
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
