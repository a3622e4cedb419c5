"""The smallest use of every shared schema that a message may hold: what tells components of one look apart.

A use has no component name, no position in a list and no order of keys, so that none of them moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from operator import itemgetter
from typing import Final, NamedTuple

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.ledger.addresses import element_step
from evreview.schema.discriminators import Hierarchy
from evreview.schema.reader import LISTED, MAPPED, SINGLE, discriminator_of

Steps = tuple[str, ...]
_SINGLE: Final = frozenset(SINGLE)
_MAPPED: Final = frozenset(MAPPED)
_LISTED: Final = frozenset(LISTED)
_LEADING: Final = _SINGLE | _MAPPED | _LISTED | {"$ref", "discriminator"}
"""A node without any of these leads nowhere."""


class Way(NamedTuple):
    """The steps to a schema, the last ones and how it went before; most ways are never written out."""

    above: Way | None
    steps: Steps


@dataclass(frozen=True, slots=True)
class Use:
    """Where a shared schema is used first.

    Attributes:
        order: the same for uses that nothing tells apart, as branches of one union, and smaller for an earlier one.
        elements: the steps to the message's value.
        way: the steps from there.
    """

    order: int
    elements: Steps
    way: Way | None

    @property
    def steps(self) -> list[str]:
        """All steps."""
        found: list[Steps] = []
        way = self.way
        while way is not None:
            found.append(way.steps)
            way = way.above
        return [*self.elements, "", *(step for steps in reversed(found) for step in steps)]


class _Stop(NamedTuple):
    """A schema on the way. Stops are taken by depth, then in the order of those above them, then of their steps."""

    depth: int
    above: int
    steps: Steps
    number: int
    node: Json
    base: Place
    inner: tuple[str | int, ...]
    way: Way | None


def first_uses(contract: Contract, resolver: Resolver, hierarchy: Hierarchy) -> Mapping[int, Use]:
    """For each schema that a reference of a message leads to, by identity of its node: its smallest use.

    The smallest one stands in the first operation; there the shortest way of elements counts, then of schemas.

    Args:
        contract: the contract whose messages are followed.
        resolver: of its references.
        hierarchy: of its subtypes, which a discriminator reaches by name alone.
    """
    found: dict[int, Use] = {}
    seen: set[int] = set()
    order = 0
    for _, _, elements, place, node in sorted(_roots(contract), key=itemgetter(0, 1, 2)):
        heap = [_Stop(0, order, (), 0, node, place, (), None)]
        taken, count = None, 0
        while heap:
            stop = heappop(heap)
            if not isinstance(stop.node, dict) or id(stop.node) in seen:
                continue
            seen.add(id(stop.node))
            order, taken = order + (stop[:3] != taken), stop[:3]
            end = resolver.follow(stop.base, stop.node) if isinstance(stop.node.get("$ref"), str) else None
            if end is not None:
                count += 1
                found.setdefault(id(end[1]), Use(order, elements, stop.way))
                heappush(heap, stop._replace(number=count, node=end[1], base=end[0], inner=()))
            for steps, member, inner in _below(stop.node, stop.base, stop.inner, hierarchy):
                if isinstance(member, dict) and not _LEADING.isdisjoint(member):
                    count += 1
                    heappush(heap, _reached(stop, order, steps, (count, member, stop.base, (*stop.inner, *inner))))
    return found


def _reached(stop: _Stop, order: int, steps: Steps, where: tuple[int, Json, Place, tuple[str | int, ...]]) -> _Stop:
    """The stop of a member; one without steps of its own stands where the schema around it does."""
    if not steps:
        return _Stop(stop.depth, stop.above, stop.steps, *where, stop.way)
    return _Stop(stop.depth + 1, order, steps, *where, Way(stop.way, steps))


def _roots(contract: Contract) -> Iterator[tuple[str, int, Steps, Place, Json]]:
    """The values of all messages that lead anywhere: operation, length of the way, way, place and node."""
    shown: dict[tuple[ElementKind, str, str], str] = {}
    stack: list[tuple[Element, str, Steps]] = [(contract.root, "", ())]
    while stack:
        element, operation, steps = stack.pop()
        value = element.value
        if value is not None and isinstance(value.node, dict) and not _LEADING.isdisjoint(value.node):
            yield operation, len(steps), steps, value.place, value.node
        for child in element.children:
            starts = child.kind is ElementKind.OPERATION and not operation
            key = (child.kind, child.key, child.name)
            if key not in shown:
                shown[key] = element_step(child)
            stack.append((child, child.key if starts else operation, (*steps, shown[key])))


def _below(
    node: Mapping[str, Json], base: Place, inner: tuple[str | int, ...], hierarchy: Hierarchy
) -> Iterator[tuple[Steps, Json, tuple[str | int, ...]]]:
    """The schemas one step below a node: the steps that a use keeps, the schema, and the steps that lead there."""
    for keyword, value in node.items():
        if keyword in _SINGLE:
            yield (keyword,), value, (keyword,)
        elif keyword in _MAPPED and isinstance(value, dict):
            for name, member in value.items():
                yield (keyword, name), member, (keyword, name)
        elif keyword in _LISTED and isinstance(value, list):
            for at, member in enumerate(value):
                # A union may be written with one branch or many, and each branch anywhere in it.
                yield (), member, (keyword, at)
    if "discriminator" in node:
        told = discriminator_of(node, base.child(*inner))
        for name, sub in hierarchy.selected(told).items() if told is not None else ():
            yield ("discriminator", name), sub.parts[0].node, ()
