"""The smallest use of every shared schema that a message may hold: what tells components of one look apart.

A use has no component name, no position in a list and no order of keys, so that none of them moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from operator import itemgetter
from typing import Final, NamedTuple

from evreview.contracts.model import Contract, Element, ElementKind, Place
from evreview.contracts.refs import Resolver
from evreview.ledger.addresses import element_step
from evreview.shapes.hierarchy import Hierarchy
from evreview.shapes.keywords import LISTED, MAPPED, SINGLE
from evreview.shapes.reading import discriminator_of
from evreview.vocab import Json

Use = tuple[str, ...]
_SINGLE: Final = frozenset(SINGLE)
_MAPPED: Final = frozenset(MAPPED)
_LISTED: Final = frozenset(LISTED)
_LEADING: Final = _SINGLE | _MAPPED | _LISTED | {"$ref", "discriminator"}
"""A node without any of these leads nowhere."""


class _Member(NamedTuple):
    """A schema below another one: the steps that the use keeps, the node, and the steps that lead there."""

    steps: Use
    node: Json
    inner: tuple[str | int, ...]


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
    for _, _, elements, place, node in sorted(_roots(contract), key=itemgetter(0, 1, 2)):
        heap: list[tuple[int, Use, int, Json, Place, tuple[str | int, ...]]] = [(0, (), 0, node, place, ())]
        count = 0
        while heap:
            length, steps, _, node, base, inner = heappop(heap)
            if not isinstance(node, dict) or id(node) in seen:
                continue
            seen.add(id(node))
            end = resolver.follow(base, node) if isinstance(node.get("$ref"), str) else None
            if end is not None:
                found.setdefault(id(end[1]), (*elements, "", *steps))
                count += 1
                heappush(heap, (length, steps, count, end[1], end[0], ()))
            for member in _below(node, base, inner, hierarchy):
                if isinstance(member.node, dict) and not _LEADING.isdisjoint(member.node):
                    count += 1
                    way = (*steps, *member.steps)
                    heappush(heap, (len(way), way, count, member.node, base, (*inner, *member.inner)))
    return found


def _roots(contract: Contract) -> Iterator[tuple[str, int, Use, Place, Json]]:
    """The values of all messages: operation, length of the way, way, place and node."""
    stack: list[tuple[Element, str, Use]] = [(contract.root, "", ())]
    while stack:
        element, operation, steps = stack.pop()
        if element.value is not None:
            yield operation, len(steps), steps, element.value.place, element.value.node
        for child in element.children:
            starts = child.kind is ElementKind.OPERATION and not operation
            stack.append((child, child.key if starts else operation, (*steps, element_step(child))))


def _below(
    node: Mapping[str, Json], base: Place, inner: tuple[str | int, ...], hierarchy: Hierarchy
) -> Iterator[_Member]:
    for keyword, value in node.items():
        if keyword in _SINGLE:
            yield _Member((keyword,), value, (keyword,))
        elif keyword in _MAPPED and isinstance(value, dict):
            for name, member in value.items():
                yield _Member((keyword, name), member, (keyword, name))
        elif keyword in _LISTED and isinstance(value, list):
            for at, member in enumerate(value):
                # A union may be written with one branch or many, and each branch anywhere in it.
                yield _Member((), member, (keyword, at))
    if "discriminator" in node:
        told = discriminator_of(node, base.child(*inner))
        for name, sub in hierarchy.selected(told).items() if told is not None else ():
            yield _Member(("discriminator", name), sub.parts[0].node, ())
