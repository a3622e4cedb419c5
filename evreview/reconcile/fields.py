"""The fields, arguments and parameters that an operation has, dotted as evidence names them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json

_NAMED: Final = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})
_BRANCHES: Final = ("allOf", "oneOf", "anyOf")
_DEPTH: Final = 5
_MOST: Final = 2000


def fields_of(contract: Contract, operation: Element) -> frozenset[str]:
    """The names of what an operation takes and gives, to a bounded depth and number: enough to find a misspelt one."""
    return frozenset(islice(_below(Resolver(contract.documents), operation), _MOST))


def _below(resolver: Resolver, element: Element) -> Iterator[str]:
    for child in element.children:
        if child.kind is ElementKind.ARGUMENT:
            yield child.key
        elif child.kind in _NAMED:
            yield child.name
        elif child.value is not None:
            yield from _members(resolver, child.value.place, child.value.node, "", _DEPTH)
        yield from _below(resolver, child)


def _members(resolver: Resolver, place: Place, node: Json, before: str, depth: int) -> Iterator[str]:
    target = resolver.follow(place, node)
    if target is None or not isinstance(target[1], Mapping) or not depth:
        return
    at, found = target[0], dict(target[1])
    properties = found.get("properties")
    for name, below in properties.items() if isinstance(properties, Mapping) else ():
        dotted = f"{before}.{name}" if before else name
        yield dotted
        yield from _members(resolver, at, below, dotted, depth - 1)
    if "items" in found:
        yield from _members(resolver, at, found["items"], f"{before}[]", depth - 1)
    for keyword in _BRANCHES:
        listed = found.get(keyword)
        for branch in listed if isinstance(listed, list) else ():
            yield from _members(resolver, at, branch, before, depth - 1)
