"""Unguarded routes beside guarded ones of the same resource or file. A hint where to look, no finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import Subject
from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.sibling_routes import guarded_beside, is_public, refusing
from evreview.workflows.w3.model import ControlCell, Standing
from evreview.workflows.w3.step3_inventory.routes import Seen

GUARDED: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SHARE: Final = 2 / 3
"""The share of a file's routes that are guarded, from which on an unguarded one of it is odd."""
_FEWEST: Final = 3


def with_odd(cells: Sequence[ControlCell], seen: Sequence[Seen]) -> tuple[ControlCell, ...]:
    """The cells, those marked odd that are the only absent ones among their neighbours."""
    return tuple(_marked(cells, {one.name: one for one in seen}))


def _marked(cells: Sequence[ControlCell], known: Mapping[str, Seen]) -> Iterator[ControlCell]:
    guarded = {area: _guarded(cells, area) for area in GUARDED}
    beside = {area: _Beside(area, known, guarded[area]) for area in GUARDED}
    for cell in cells:
        if cell.area not in GUARDED or not _is_bare(cell, known) or cell.route in guarded[cell.area]:
            yield cell
            continue
        neighbour = beside[cell.area].of(cell.route)
        if neighbour:
            yield replace(cell, odd=True, why=(*cell.why, ", beside ", Subject(neighbour), ", which has one"))
        else:
            yield cell


def _is_bare(cell: ControlCell, known: Mapping[str, Seen]) -> bool:
    """True where nothing checks callers: no code does, or of a declared route no fact says so."""
    seen = known.get(cell.route)
    declared = seen is not None and seen.route.framework == "declared"
    return cell.standing is Standing.ABSENT or (declared and cell.standing is Standing.UNKNOWN)


def _guarded(cells: Sequence[ControlCell], area: Area) -> frozenset[str]:
    return frozenset(cell.route for cell in cells if cell.area is area and cell.standing is Standing.PRESENT)


class _Beside:
    """The guarded neighbours of each route."""

    def __init__(self, area: Area, known: Mapping[str, Seen], guarded: frozenset[str]) -> None:
        self._area = area
        self._known = known
        self._guarded = [one for one in known.values() if one.name in guarded]
        self._files: dict[str, list[Seen]] = defaultdict(list)
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

    def _suspected(self, seen: Seen) -> str:
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
