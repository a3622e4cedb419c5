"""Messages of event contracts: what one is, which a contract admits, and how a whole one is composed around a part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Json, Tristate
from evreview.kinds.asyncapi.reader_servers import has_constraints
from evreview.messages.admission import AdmissionResult
from evreview.messages.composer import Fill
from evreview.messages.message import Violation, placed
from evreview.messages.routing import Chain, children_of
from evreview.messages.validation import Judge, Notes
from evreview.schema.validators import SchemaCheck

# A message as a witness shows it: where it travels, what it carries, and how it is written.


KIND: Final = "event"
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage:
    """One message.

    Attributes:
        action: what the application does with it: receive or send.
        address: of the channel, its variables filled in.
        reply: True for what answers a message of that operation.
        names: the message that it is meant to be, by side; a side that has none by that name is not asked for one.
        content_type: "" where the contract names none.
        headers, payload: as values.
        bindings: what the protocol carries beside them, by its place below `bindings` (`kafka key`).
    """

    action: str
    address: str
    payload: Json
    headers: Json = None
    reply: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    content_type: str = ""
    bindings: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """The message as JSON; what it does not have is left out."""
        made: dict[str, Json] = {"kind": KIND, "action": self.action, "address": self.address}
        named: dict[str, Json] = {"reply": self.reply, "message": dict(self.names), "content_type": self.content_type}
        named |= {"headers": self.headers, "bindings": dict(self.bindings)}
        made |= {key: value for key, value in named.items() if value not in (False, "", {}, None)}
        return {**made, "payload": self.payload}


def from_json(stated: Mapping[str, Json]) -> EventMessage:
    """The message that `to_json` wrote.

    Raises:
        ValueError: it is not one.
    """
    names, bindings = stated.get("message", {}), stated.get("bindings", {})
    if not isinstance(names, Mapping) or not isinstance(bindings, Mapping):
        raise ValueError("message and bindings are objects")
    if "payload" not in stated:
        raise ValueError("an event has a payload")
    return EventMessage(
        action=_text(stated, "action"),
        address=_text(stated, "address"),
        payload=stated["payload"],
        headers=stated.get("headers", {}),
        reply=stated.get("reply") is True,
        names={str(side): str(name) for side, name in names.items()},
        content_type=_text(stated, "content_type"),
        bindings=bindings,
    )


def _text(stated: Mapping[str, Json], key: str) -> str:
    value = stated.get(key, "")
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise ValueError(f"{key}: not a text of up to {_LONGEST} characters")
    return value


ADDRESS: Final = "address"
MESSAGE: Final = "message"
CONTENT_TYPE: Final = "contentType"
OPAQUE: Final = "the payload is described in a language that is not judged here"
_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class _RoutedEvent:
    """An operation at the message's address, and the texts that its variables stand for."""

    operation: Element
    texts: tuple[str, ...]


class EventAdmission:
    """One contract as a judge of messages."""

    def __init__(self, side: str, contract: Contract, check: SchemaCheck, *, whole: bool = False) -> None:
        self.side = side
        self.contract = contract
        self.judge = Judge(contract, check, whole=whole)

    def accepts(self, event: EventMessage) -> AdmissionResult:
        """What the contract says of a message."""
        notes, found = Notes(), self._at(event)
        if found is None:
            notes.violations.append(Violation(ADDRESS, "", self.contract.root.place, ADDRESS))
        else:
            self._parameters(found, notes)
            self._bound(event, found.operation, notes)
            for channel in children_of(found.operation, ElementKind.CHANNEL):
                self._bound(event, channel, notes)
            self._messages(event, found.operation, notes)
        answer = Tristate.NO if notes.violations else Tristate.UNKNOWN if notes.open else Tristate.YES
        return AdmissionResult(
            accepted=answer,
            violations=tuple(notes.violations),
            open=tuple(notes.open),
            read=notes.read,
            operation=found.operation.key if found is not None else "",
        )

    @cached_property
    def _addresses(self) -> tuple[dict[str, Element], tuple[tuple[re.Pattern[str], Element], ...]]:
        """The operations by action and address, and those whose address has variables, the fewest first."""
        named = {each.name: each for each in self.contract.operations if "{" not in each.name}
        varied = [each for each in self.contract.operations if "{" in each.name]
        varied.sort(key=lambda each: each.name.count("{"))
        return named, tuple((_pattern(each.name), each) for each in varied)

    def _at(self, event: EventMessage) -> _RoutedEvent | None:
        """The operation at the address, one without variables before others."""
        named, varied = self._addresses
        wanted = f"{event.action} {event.address}"
        if wanted in named:
            return _RoutedEvent(named[wanted], ())
        found = ((pattern.fullmatch(wanted), each) for pattern, each in varied)
        return next((_RoutedEvent(each, matched.groups()) for matched, each in found if matched is not None), None)

    def _parameters(self, found: _RoutedEvent, notes: Notes) -> None:
        for parameter in children_of(found.operation, ElementKind.PARAMETER):
            part, _, number = parameter.key.partition(":")
            at = int(number)
            if at < len(found.texts) and part == ADDRESS:
                self._part(parameter, found.texts[at], f"parameter {parameter.name}", notes)

    def _messages(self, event: EventMessage, operation: Element, notes: Notes) -> None:
        """Judges the message that is meant, or all where none is; the first that fits is the one."""
        holders = children_of(operation, ElementKind.REPLY) if event.reply else (operation,)
        known = [each for holder in holders for each in children_of(holder, ElementKind.MESSAGE)]
        named = [each for each in known if each.key == event.names.get(self.side)]
        judged = [self._judged(event, message) for message in named or known]
        fits = next((each for each in judged if not each.violations and not each.open), None)
        open_ = next((each for each in judged if not each.violations), None)
        if fits is not None or open_ is not None:
            best = fits or open_ or notes
            notes.open += best.open
            notes.read.update(best.read)
        elif len(named) == 1:
            notes.violations += judged[0].violations
        else:
            notes.violations.append(Violation(MESSAGE, "", operation.place, MESSAGE))

    def _judged(self, event: EventMessage, message: Element) -> Notes:
        notes = Notes()
        content_type = message.facet(CONTENT_TYPE)
        if isinstance(content_type, str) and event.content_type and content_type != event.content_type:
            notes.violations.append(Violation("content type", "", message.place, CONTENT_TYPE))
        for headers in children_of(message, ElementKind.HEADERS):
            self._part(headers, event.headers if event.headers is not None else {}, "headers", notes)
        self._bound(event, message, notes)
        if message.value is None:
            notes.open.append(OPAQUE)
        else:
            self._part(message, event.payload, "payload", notes)
        return notes

    def _bound(self, event: EventMessage, owner: Element, notes: Notes) -> None:
        for name, schema in bound(owner):
            if name in event.bindings:
                self._part(schema, event.bindings[name], name, notes)

    def _part(self, element: Element, instance: Json, part: str, notes: Notes) -> None:
        if element.value is None:
            return
        errors = self.judge.errors(element.value, element.direction, instance)
        if isinstance(errors, str):
            notes.open.append(errors)
        elif errors:
            source = self.judge.source(element.direction)
            notes.violations += placed(errors, element.value, source, self.contract, part)
        else:
            notes.read[part] = instance


def bound(owner: Element) -> Iterator[tuple[str, Element]]:
    """The schemas that the bindings of an element bring, each with its name in a witness."""
    for binding in children_of(owner, ElementKind.BINDING):
        for schema in children_of(binding, ElementKind.BINDING):
            yield f"{binding.key} {schema.key}", schema


def _pattern(template: str) -> re.Pattern[str]:
    parts = _VARIABLE.split(template)[::2]
    return re.compile("([^{}]+?)".join(re.escape(part) for part in parts))


# A whole message around one part of it: where it travels, and everything else that it carries.


NO_VALUE: Final = "no small valid value was found for a part that the message must have"
NO_MESSAGE: Final = "the operation names no message"
_WHOLE_VARIABLE: Final = re.compile(r"\{[^{}]*\}")


class NotComposed(Exception):
    """No message shows the row; the text says why."""


class EventComposer:
    """Builds messages that one contract describes."""

    def __init__(self, acceptor: EventAdmission) -> None:
        self._fill = Fill(acceptor.judge)

    def compose(self, chain: Chain, values: Mapping[int, Json], names: Mapping[str, str]) -> EventMessage:
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
        return EventMessage(
            action=operation.name.partition(" ")[0],
            address=self._address(operation, values),
            payload=self._value(message, values),
            headers=next((self._value(each, values) for each in children_of(message, ElementKind.HEADERS)), None),
            reply=any(each.kind is ElementKind.REPLY for each in chain),
            names=names,
            content_type=content_type if isinstance(content_type, str) else "",
            bindings={
                name: self._value(schema, values)
                for owner in (operation, *children_of(operation, ElementKind.CHANNEL), message)
                for name, schema in bound(owner)
                if has_constraints(schema) or id(schema) in values
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
            address = _WHOLE_VARIABLE.sub(lambda _, text=text: text, address, count=1)  # type: ignore[misc]
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
