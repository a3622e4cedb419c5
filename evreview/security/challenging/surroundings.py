"""The files that were searched for another control, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from evreview.codefacts.model import Spot
from evreview.core.quoted_text import Part, Subject, Text, text
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Excerpt, Surrounding
from evreview.security.challenging.asking import Listed, compensating, header_of, kinds_of
from evreview.security.challenging.deployed import standing_elsewhere
from evreview.security.challenging.material import Material, Suspicion
from evreview.security.leads.placing import named
from evreview.workflows.w3.excerpts import cited, shown
from evreview.workflows.w3.model import Challenge, Standing
from evreview.workflows.w3.step5_triage.nginx import wired
from evreview.workflows.w3.step5_triage.proxy_rules import Asked


def surrounding(material: Material, one: Suspicion, controls: Sequence[Listed]) -> Iterator[Challenge]:
    """Every surrounding file that the inventory names, with what was found in it or that it was not supplied."""
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
        searched = (Citation(EvidenceId(each.item)), at)
        return Challenge(place=place, standing=Standing.ABSENT, why=why, citations=searched)
    standing, why, on = _other(material, one, each.control, says)
    return Challenge(place=place, standing=standing, why=why, citations=cited(on, (at,)))


def _other(
    material: Material, one: Suspicion, control: Excerpt, says: Part
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


def _does(material: Material, one: Suspicion, item: str, lines: tuple[int, int]) -> Literal["wiring", "guard", ""]:
    """How the quoted lines are read as a control that would do it: as wiring, as a guard of the route, or not."""
    route = material.route(one.route) if one.route else None
    content = material.bundle.items[EvidenceId(item)].content
    asked = Asked(path=route.path if route is not None else "/", header=header_of(one))
    if any(each.effect in compensating(one) and lines[0] <= each.line <= lines[1] for each in wired(content, asked)):
        return "wiring"
    guards = route.guards if route is not None else ()
    stands = any(
        guard.spot.item == item and guard.spot.first <= lines[1] and lines[0] <= guard.spot.last
        for guard in guards
        if kinds_of(guard) & compensating(one)
    )
    return "guard" if stands else ""


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
