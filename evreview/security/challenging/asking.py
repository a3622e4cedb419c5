"""What every search for another control asks: what would do it, on which header, what step 3 found missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.codefacts.model import Guard
from evreview.core.quoted_text import Subject, Text
from evreview.core.vocabulary import Area
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Control
from evreview.security.challenging.material import Material, Suspicion

_BY_AREA: Final = {
    Area.AUTHENTICATION: frozenset({"authentication", "authorization"}),
    Area.AUTHORIZATION: frozenset({"authorization"}),
    Area.ERROR_DISCLOSURE: frozenset({"errors"}),
}
_NO_RIGHT: Final = frozenset({"authenticated"})
"""Scopes that everybody who is signed in has."""

Listed = tuple[Control, Citation]
"""A control of the inventory and its place."""


def compensating(one: Suspicion) -> frozenset[str]:
    """The kinds of control that would make the weakness harmless."""
    own = one.rule.compensates if one.rule is not None else _BY_AREA.get(one.area, frozenset())
    return own | {"network"}


def header_of(one: Suspicion) -> str:
    """The header that a decision rests on, "" for none."""
    for lead in one.leads:
        words = [str(part) for part in lead.says if isinstance(part, Subject)]
        if lead.tool == "evreview" and words and any("the header" in str(part) for part in lead.says):
            return words[-1].removeprefix("HTTP_").replace("_", "-")
    return ""


def lacking(material: Material, controls: Sequence[Listed], lacks: str) -> tuple[Text, tuple[Citation, ...]] | None:
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


def kinds_of(guard: Guard) -> frozenset[str]:
    """What a guard does; one that demands scopes asks for a right as well, unless being signed in is all of it."""
    if guard.scopes and set(guard.scopes) <= _NO_RIGHT:
        return frozenset({"authentication"})
    return frozenset({guard.kind, "authorization"} if guard.scopes else {guard.kind})
