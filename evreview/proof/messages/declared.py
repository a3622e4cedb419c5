"""The parameters of an operation, arranged so that a message asks only those that it may concern."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from evreview.contract.model import Element, ElementKind
from evreview.messages.message import Message
from evreview.messages.parameter_styles import style_of
from evreview.messages.routing import children_of
from evreview.messages.validation import Judge


class Declared:
    """The parameters of one operation.

    Attributes:
        parameters: all, in document order.
        names: by location.
    """

    def __init__(self, operation: Element, judge: Judge) -> None:
        self.parameters = children_of(operation, ElementKind.PARAMETER)
        self.names: dict[str, frozenset[str]] = {}
        self._by_key = {element.key: element for element in self.parameters}
        self._always = [element for element in self.parameters if _spreads(element, judge)]
        by_location: dict[str, set[str]] = {}
        for element in self.parameters:
            by_location.setdefault(element.key.partition(":")[0], set()).add(element.name)
        self.names = {location: frozenset(names) for location, names in by_location.items()}

    def concerned(self, message: Message) -> Iterator[Element]:
        """The parameters that a message has to carry or may carry, each once."""
        keys = [f"query:{unquote(name)}" for name, _ in message.query]
        keys += [f"cookie:{unquote(name)}" for name, _ in message.cookies]
        keys += [f"header:{name}" for name, _ in message.headers]
        named = (self._by_key[key] for key in keys if key in self._by_key)
        yield from {id(element): element for element in (*self._always, *named)}.values()


def _spreads(element: Element, judge: Judge) -> bool:
    """True for a parameter that is asked for, or whose pairs need not bear its name."""
    location = element.key.partition(":")[0]
    if location == "path" or element.facet("required") is True:
        return True
    style = style_of(element, location, element.name)
    if location not in ("query", "cookie") or children_of(element, ElementKind.MEDIA_TYPE):
        return False
    return style.style == "deepObject" or (style.explode and "object" in judge.outline(element).types)
