"""Members that nobody sends: an object that declares members carries none that only the expecting side declares."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from evreview.core.vocabulary import Json
from evreview.schema.evaluator import At, Violation


def refused_of(strays: Iterable[At], broken: Collection[Violation]) -> frozenset[At]:
    """Those of some members whose own values are refused, in some branch at least."""
    return frozenset(way for way in strays if any(_inside(way, one) for one in broken))


def _inside(way: At, violation: Violation) -> bool:
    below = violation.at[: len(way)] == way
    return below or any(_inside(way, one) for branch in violation.branches for one in branch)


def without(value: Json, ways: Collection[At]) -> Json:
    """The value without some members, each by the way to it."""
    if isinstance(value, list):
        return [without(item, _below(ways, at)) for at, item in enumerate(value)]
    if isinstance(value, dict):
        return {name: without(member, _below(ways, name)) for name, member in value.items() if (name,) not in ways}
    return value


def _below(ways: Collection[At], step: str | int) -> frozenset[At]:
    return frozenset(way[1:] for way in ways if len(way) > 1 and way[0] == step)
