"""The way from an operation down to one of its elements."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.contract.model import Contract, Element, ElementKind, Place

Chain = tuple[Element, ...]


def chains(top: Element) -> Iterator[Chain]:
    """Every element of an operation with the elements above it, the operation itself first, in document order."""
    waiting: list[Chain] = [(top,)]
    while waiting:
        chain = waiting.pop()
        yield chain
        waiting.extend((*chain, child) for child in reversed(chain[-1].children))


class Chains:
    """The ways to the elements of one contract, gathered once per operation."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._below: dict[int, dict[int, Chain]] = {}

    def to(self, operation: Element | None, target: Element) -> Chain | None:
        """The way to an element, below `operation` if it stands there; operations share elements."""
        found = self._of(operation).get(id(target)) if operation is not None else None
        ways = (self._of(top).get(id(target)) for top in self._contract.operations) if found is None else ()
        return found or next((chain for chain in ways if chain is not None), None)

    def _of(self, top: Element) -> dict[int, Chain]:
        """By identity of the last element; the first way counts."""
        if id(top) not in self._below:
            found: dict[int, Chain] = {}
            for chain in chains(top):
                found.setdefault(id(chain[-1]), chain)
            self._below[id(top)] = found
        return self._below[id(top)]


def chain_at(top: Element, kind: ElementKind, place: Place | None) -> Chain | None:
    """The way to the element of a kind that is written at a place or holds it; the deepest one."""
    if place is None:
        return None
    found = [
        chain
        for chain in chains(top)
        if chain[-1].kind is kind
        and chain[-1].place.file == place.file
        and _holds(chain[-1].place.pointer, place.pointer)
    ]
    return max(found, key=lambda chain: len(chain[-1].place.pointer), default=None)


def part_of(chain: Chain) -> str:
    """What an acceptance calls the part of the message that a chain ends in."""
    for element in chain:
        match element.kind:
            case ElementKind.PARAMETER:
                return f"{element.key.partition(':')[0]} {element.name}"
            case ElementKind.HEADER if not any(each.kind is ElementKind.ENCODING for each in chain):
                return f"header {element.name}"
            case _:
                pass
    return "body"


def _holds(pointer: str, other: str) -> bool:
    return other == pointer or other.startswith(f"{pointer}/")
