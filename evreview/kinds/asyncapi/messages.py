"""Whether an event contract admits a message: one of a known address and kind, each part held against its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Answer, Json
from evreview.messages.admission import Acceptance
from evreview.messages.message import Violation, placed
from evreview.messages.routing import children_of
from evreview.messages.validation import Judge, Notes
from evreview.proof.events.event import Event
from evreview.schema.validators import SchemaCheck

ADDRESS: Final = "address"
MESSAGE: Final = "message"
CONTENT_TYPE: Final = "contentType"
OPAQUE: Final = "the payload is described in a language that is not judged here"
_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class _Found:
    """An operation at the message's address, and the texts that its variables stand for."""

    operation: Element
    texts: tuple[str, ...]


class EventAcceptor:
    """One contract as a judge of messages."""

    def __init__(self, side: str, contract: Contract, check: SchemaCheck, *, whole: bool = False) -> None:
        self.side = side
        self.contract = contract
        self.judge = Judge(contract, check, whole=whole)

    def accepts(self, event: Event) -> Acceptance:
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
        answer = Answer.NO if notes.violations else Answer.UNKNOWN if notes.open else Answer.YES
        return Acceptance(
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

    def _at(self, event: Event) -> _Found | None:
        """The operation at the address, one without variables before others."""
        named, varied = self._addresses
        wanted = f"{event.action} {event.address}"
        if wanted in named:
            return _Found(named[wanted], ())
        found = ((pattern.fullmatch(wanted), each) for pattern, each in varied)
        return next((_Found(each, matched.groups()) for matched, each in found if matched is not None), None)

    def _parameters(self, found: _Found, notes: Notes) -> None:
        for parameter in children_of(found.operation, ElementKind.PARAMETER):
            part, _, number = parameter.key.partition(":")
            at = int(number)
            if at < len(found.texts) and part == ADDRESS:
                self._part(parameter, found.texts[at], f"parameter {parameter.name}", notes)

    def _messages(self, event: Event, operation: Element, notes: Notes) -> None:
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

    def _judged(self, event: Event, message: Element) -> Notes:
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

    def _bound(self, event: Event, owner: Element, notes: Notes) -> None:
        for name, schema in bound(owner):
            if name in event.bindings:
                self._part(schema, event.bindings[name], name, notes)

    def _part(self, element: Element, instance: Json, part: str, notes: Notes) -> None:
        if element.value is None:
            return
        errors = self.judge.errors(element.value, element.polarity, instance)
        if isinstance(errors, str):
            notes.open.append(errors)
        elif errors:
            source = self.judge.source(element.polarity)
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
