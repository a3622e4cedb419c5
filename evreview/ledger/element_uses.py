"""Where shared parts of messages (parameters, responses, bodies, headers) are used, by where they are written.

What tells two of them with one form apart; see `first_uses` for schemas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.ledger.addresses import element_step

Steps = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElementUse:
    """One use of a shared element: its steps from the operation down, and the element as it is there."""

    steps: Steps
    element: Element

    @property
    def rank(self) -> tuple[str, int, Steps]:
        """By operation, there by the shortest way."""
        return self.steps[0], len(self.steps), self.steps


def is_shared(parent: Element, element: Element) -> bool:
    """True for an element that is written elsewhere than its parent, so that others may refer to it."""
    around, own = parent.place, element.place
    if own.file != around.file or not own.pointer.startswith(around.pointer):
        return True
    end = len(around.pointer)
    return own.pointer[end : end + 1] not in ("", "/")


def is_the_paths(parent: Element, element: Element) -> bool:
    """True for what an operation has from its path item."""
    around, own = parent.place, element.place
    beside = around.pointer.rpartition("/")[0] + "/"
    return parent.kind is ElementKind.OPERATION and own.file == around.file and own.pointer.startswith(beside)


def element_uses(contract: Contract) -> Mapping[Place, tuple[ElementUse, ElementUse]]:
    """The first and the last use of every shared element, by where it is written."""
    found: dict[Place, tuple[ElementUse, ElementUse]] = {}
    for operation in contract.operations:
        for use in _below(operation):
            known = found.get(use.element.place)
            found[use.element.place] = (use, use) if known is None else _around(*known, use)
    return found


def _around(first: ElementUse, last: ElementUse, use: ElementUse) -> tuple[ElementUse, ElementUse]:
    rank = use.rank
    return use if rank < first.rank else first, use if rank > last.rank else last


def _below(operation: Element) -> Iterator[ElementUse]:
    waiting: list[tuple[Element, tuple[Element, ...]]] = [(operation, ())]
    while waiting:
        parent, chain = waiting.pop()
        for child in parent.children:
            if is_shared(parent, child) and not is_the_paths(parent, child):
                yield ElementUse((operation.key, *map(element_step, (*chain, child))), child)
            if child.children:
                waiting.append((child, (*chain, child)))
