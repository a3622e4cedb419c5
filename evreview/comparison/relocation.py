"""Where the parts of a contract are written: in place, in a named component, beside the operations, in another file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison.elements import ElementDifference, Position
from evreview.comparison.noise import MOVED, ONE_NAME
from evreview.contract.http import as_sent
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.json_pointer import steps_of
from evreview.core.vocabulary import Aspect, Change, Role
from evreview.ledger.addresses import element_step
from evreview.ledger.difference import Difference

IN_PLACE: Final = "in place"
PATH_ITEM: Final = "the path item"
DOCUMENT: Final = "the document"
_DOCUMENT: Final = ("servers", "security", "host", "basePath", "schemes")
_VARIABLE: Final = re.compile(r"\{[^{}]*\}")
_SPELLED: Final = (ElementKind.MEDIA_TYPE, ElementKind.HEADER, ElementKind.SERVER)
_CALLED: Final = ("/paths/", "/webhooks/")
_OLD: Final = ("definitions", "parameters", "responses")


def moved_rows(positions: Iterable[Position], entries: tuple[str, ...]) -> list[ElementDifference]:
    """One noise row per part and pair of homes that differ, unless the part around it moved the same way.

    Args:
        positions: the pairs of elements, each after the one that it stands in.
        entries: the files that both contracts start at.
    """
    moves: dict[tuple[str, ...], tuple[str, str]] = {}
    seen: set[tuple[str, ...]] = set()
    rows = []
    for position in positions:
        old, new = position.released.place, position.candidate.place
        before, after = position.released, position.candidate
        if before.name != after.name and before.key == after.key and _is_respelled(before, after):
            key = (element_step(before), before.name, after.name)
            if key not in seen:
                rows.append(_renamed(position))
            seen.add(key)
        if (old.pointer == new.pointer and old.file == new.file) or old.line is not None:
            continue
        homes = _home_in(old, entries[0]), _home_in(new, entries[1])
        if homes[0] == homes[1]:
            continue
        moves[position.steps] = homes
        key = (element_step(position.released), *homes)
        if key not in seen and moves.get(position.steps[:-1]) != homes:
            rows.append(_row(position, *homes))
        seen.add(key)
    return rows


def _is_respelled(before: Element, after: Element) -> bool:
    """True when two names are one in two spellings; of paths, whatever their variables are called."""
    if before.kind in _SPELLED:
        return True
    if before.kind is not ElementKind.OPERATION or before.role is not Role.REQUEST:
        return False
    old, new = (_VARIABLE.sub("{}", element.name) for element in (before, after))
    return old != new and as_sent(old) == as_sent(new)


def _home_in(place: Place, entry: str) -> str:
    return home(place) if place.file == entry else f"{place.file} {home(place)}"


def home(place: Place) -> str:
    """`parameters/Limit` for a component, "the path item" for what all its operations share, "in place" otherwise."""
    pointer = place.pointer
    if pointer.startswith("/components/"):
        return "/".join((steps_of(pointer) or ())[1:3])
    if pointer.startswith(_CALLED):
        return PATH_ITEM if _in_item((steps_of(pointer) or ())[2:]) in ("parameters", "servers") else IN_PLACE
    steps = steps_of(pointer) or ()
    if steps and steps[0] in _DOCUMENT:
        return DOCUMENT
    return "/".join(steps[:2]) if steps and steps[0] in _OLD else IN_PLACE


def _in_item(steps: Sequence[str]) -> str:
    """The step below the innermost path item, whose operations may have callbacks with path items; "" for none."""
    while len(steps) > 1 and steps[1] == "callbacks":
        # The operation, its callbacks, the name of one, and the expression.
        steps = steps[4:]
    return steps[0] if steps else ""


def _renamed(position: Position) -> ElementDifference:
    difference = Difference(
        aspect=Aspect.IDENTIFIERS,
        facet="spelling",
        released=position.released.name,
        candidate=position.candidate.name,
        released_place=position.released.place,
        candidate_place=position.candidate.place,
        element=position.released.kind,
        change=Change.CHANGED,
        reason=ONE_NAME,
    )
    return ElementDifference(position, position.steps, position.released, difference)


def _row(position: Position, old: str, new: str) -> ElementDifference:
    difference = Difference(
        aspect=Aspect.IDENTIFIERS,
        facet="written at",
        released=old,
        candidate=new,
        released_place=position.released.place,
        candidate_place=position.candidate.place,
        element=position.released.kind,
        reason=MOVED,
    )
    return ElementDifference(position, position.steps, position.released, difference)
