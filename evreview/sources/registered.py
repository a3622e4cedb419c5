"""Which of several routes with one method and path answers: the one that is registered first, mounts included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cmp_to_key
from typing import Final

from evreview.codefacts.model import Route

_PARAMETER: Final = re.compile(r"\{[^{}]*\}")


def first_registered(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes as they stand; those of one method and path change places where the later one is registered first."""
    same: dict[tuple[str, str], list[int]] = {}
    for at, route in enumerate(routes):
        if route.registered:
            same.setdefault((route.method, _PARAMETER.sub("{}", route.path)), []).append(at)
    found = list(routes)
    for places in same.values():
        ordered = sorted((routes[at] for at in places), key=cmp_to_key(_compared))
        for at, route in zip(places, ordered, strict=True):
            found[at] = route
    return tuple(found)


def _compared(left: Route, right: Route) -> int:
    """Below 0 where the left one is registered first; 0 where nothing tells: of two functions or files."""
    if left.registered[:1] != right.registered[:1]:  # of different applications
        return 0
    for one, other in zip(left.registered, right.registered, strict=False):
        if one[:2] != other[:2]:
            return 0
        if one != other:
            return -1 if one < other else 1
    return 0
