"""A whole message around one part of it: where it travels, and everything else that it carries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.contracts.readers.asyncapi_bindings import described
from evreview.core.vocabulary import Json
from evreview.kinds.asyncapi.messages import CONTENT_TYPE, EventAcceptor, bound
from evreview.messages.composer import Fill
from evreview.messages.routing import Chain, children_of
from evreview.proof.events.event import Event

NO_VALUE: Final = "no small valid value was found for a part that the message must have"
NO_MESSAGE: Final = "the operation names no message"
_VARIABLE: Final = re.compile(r"\{[^{}]*\}")


class NotComposed(Exception):
    """No message shows the row; the text says why."""


class EventComposer:
    """Builds messages that one contract describes."""

    def __init__(self, acceptor: EventAcceptor) -> None:
        self._fill = Fill(acceptor.judge)

    def compose(self, chain: Chain, values: Mapping[int, Json], names: Mapping[str, str]) -> Event:
        """The message.

        Args:
            chain: from the operation down to the element that it is about.
            values: of elements, by `id`; everything else is filled in.
            names: the message that it is meant to be, by side.

        Raises:
            NotComposed: a part has no value that is small and valid.
        """
        operation = chain[0]
        message = message_of(chain)
        content_type = message.facet(CONTENT_TYPE)
        return Event(
            action=operation.name.partition(" ")[0],
            address=self._address(operation, values),
            payload=self._value(message, values),
            headers=next(
                (self._value(each, values) for each in children_of(message, ElementKind.HEADERS)),
                None,
            ),
            reply=any(each.kind is ElementKind.REPLY for each in chain),
            names=names,
            content_type=content_type if isinstance(content_type, str) else "",
            bindings={
                name: self._value(schema, values)
                for owner in (operation, *children_of(operation, ElementKind.CHANNEL), message)
                for name, schema in bound(owner)
                if described(schema) or id(schema) in values
            },
        )

    def _address(self, operation: Element, values: Mapping[int, Json]) -> str:
        address = operation.name.partition(" ")[2]
        variables: dict[str, Element] = {}
        for each in children_of(operation, ElementKind.PARAMETER):
            at = each.key.partition(":")[2]
            variables[at] = each if id(each) in values else variables.get(at, each)
        for parameter in variables.values():
            text = str(self._value(parameter, values))
            address = _VARIABLE.sub(lambda _, text=text: text, address, count=1)  # type: ignore[misc]
        return address

    def _value(self, element: Element, values: Mapping[int, Json]) -> Json:
        if id(element) in values:
            return values[id(element)]
        if element.value is None:
            raise NotComposed("the payload is described in a language that nothing here writes")
        found = self._fill.values(element)
        if not found:
            raise NotComposed(NO_VALUE)
        # Headers and the like are objects: the plainest value of "anything" would be a text.
        return {} if element.kind is ElementKind.HEADERS and {} in found else found[0]


def message_of(chain: Chain) -> Element:
    """The message that a way leads through, or the first one of its operation.

    Raises:
        NotComposed: the operation has none.
    """
    below = next((each for each in chain if each.kind is ElementKind.MESSAGE), None)
    holder = next((each for each in reversed(chain) if each.kind is ElementKind.REPLY), chain[0])
    found = below or next(iter(children_of(holder, ElementKind.MESSAGE)), None)
    if found is None:
        raise NotComposed(NO_MESSAGE)
    return found
