"""Messages whose keys differ, paired by what their authors left alone: names of messages do not travel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from evreview.comparison.pairing import Paired
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Missing


def pair_messages(found: Paired) -> None:
    """Moves messages of `gone` and `come` to `both`: those that share a title, an id, a description, or are left over.

    Each sign counts only where it names one message on either side.
    """
    if not any(_messages(found.gone)) or not any(_messages(found.come)):
        return
    for sign in _SIGNS:
        gone, come = (_by(sign, elements) for elements in (found.gone, found.come))
        for name in gone.keys() & come.keys():
            old, new = gone[name], come[name]
            if old is not None and new is not None:
                found.both.append((old, new))
                found.gone.remove(old)
                found.come.remove(new)


def has_new_name(released: Element, candidate: Element) -> bool:
    """True for a pair that another name is a row of; a message's name is a facet of its own, and off the wire."""
    return released.key != candidate.key and released.kind is not ElementKind.MESSAGE


def _by(sign: Callable[[Element], str], elements: list[Element]) -> dict[str, Element | None]:
    """The messages by a sign of theirs, None for one that several share."""
    made: dict[str, Element | None] = {}
    for element in _messages(elements):
        name = sign(element)
        if name:
            made[name] = None if name in made else element
    return made


def _messages(elements: list[Element]) -> Iterator[Element]:
    return (element for element in elements if element.kind is ElementKind.MESSAGE)


def _facet(name: str) -> Callable[[Element], str]:
    def read(element: Element) -> str:
        value = element.facet(name)
        return "" if value is None or isinstance(value, Missing) else str(value)

    return read


def _payload(element: Element) -> str:
    """The payload as written, for one that says something."""
    node = element.value.node if element.value is not None else None
    return canonical(node).decode() if isinstance(node, dict) and node else ""


def _left(_element: Element) -> str:
    return "the only one left"


_SIGNS: Final = (_facet("messageId"), _facet("title"), _facet("component"), _payload, _left)
