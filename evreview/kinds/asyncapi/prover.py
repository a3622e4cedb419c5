"""Messages of event contracts, composed and admitted, and proofs with them, payloads of other languages among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import chain as chained
from itertools import islice
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.noise import without_version
from evreview.comparison.proof.outcome import (
    ADMITTED,
    NOT_SENT,
    OTHER_REASON,
    Proof,
    ProofReason,
    RefusedValue,
    closest,
    each_operation,
    replay_command,
    unproven,
)
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Change, Direction, Json, ProofMethod, ProofStatus, Tristate
from evreview.kinds.asyncapi.reader_servers import has_constraints
from evreview.messages.admission import AdmissionResult
from evreview.messages.composer import Fill
from evreview.messages.message import Violation, placed
from evreview.messages.routing import Chain, Chains, chains, children_of
from evreview.messages.validation import Judge, Notes
from evreview.schema.validators import PrimaryValidator, SchemaCheck

# Messages of event contracts: what one is, which a contract admits, and how a whole one is composed around a part.

# A message as a witness shows it: where it travels, what it carries, and how it is written.


KIND: Final = "event"
_LONGEST: Final = 2_000


@frozen(kw_only=True)
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


@frozen
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


UNADDRESSED: Final = "the contract leaves the address open, so that no message can be sent there"
_UNADDRESSED: Final = "("
"""Starts what stands for an address that a contract leaves open: the channel's name."""
_MOST_POSITIONS: Final = 4
_MOST_OPERATIONS: Final = 5
NO_CHAIN: Final = "no message of the sender's contract reaches the position"
TWIN: Final = "another message of the contract admits the same content, and nothing in it tells the two apart"
_OPEN: Final = {
    ElementKind.SERVER: "which server is used is not in the message",
    ElementKind.CHANNEL: "which server is used is not in the message",
    ElementKind.SECURITY: "what a connection proves is not in the message",
    ElementKind.SECURITY_SCHEME: "how credentials are obtained is not in any message",
    ElementKind.BINDING: "what the protocol does with a message is not in the message",
    ElementKind.REPLY: "that nobody answers, or elsewhere, no message shows",
    ElementKind.PARAMETER: "where a value stands in the message the address does not show",
}
_ABSENT: Final = "that a message no longer comes, no message shows"
_UNDIRECTED: Final = "the contract does not say who sends it"


@frozen
class _EventSide:
    """One contract as sender and as judge."""

    acceptor: EventAdmission
    composer: EventComposer
    chains: Chains

    @property
    def name(self) -> str:
        """Which of the two contracts it is."""
        return self.acceptor.side

    def operation(self, key: str) -> Element | None:
        """The operation with this key."""
        return next((each for each in self.acceptor.contract.operations if each.key == key), None)


class EventMessageProver:
    """Makes message witnesses of one comparison of event contracts."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._paths = [released.path, candidate.path]
        self._sides = _side("released", released), _side("candidate", candidate)

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof of a value's witness with the message that carries it; unproven where no message shows it."""
        first = () if proof.found is None else (proof.found,)
        reason = ""
        for each in islice(chained(first, islice(found, len(first), None)), _MOST_POSITIONS):
            made, said = self._carrying(delta, each)
            if made is not None:
                return replace(proof, witness=made, command=self._command(delta))
            reason = reason or said
        return unproven(f"no message shows the difference: {reason}")

    def structural(self, delta: Delta) -> Proof:
        """The proof of a row about no set of values: a message, or the rule alone with the reason."""
        unknown = delta.element is ElementKind.OPERATION and delta.operation.partition(" ")[2].startswith(_UNADDRESSED)
        witness, reason = (None, UNADDRESSED) if unknown else self._shown(delta)
        if witness is None:
            why = f"{ProofReason.BY_RULE}: {reason}"
            return Proof(status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=why)
        said = witness if isinstance(witness, Mapping) else {}
        return Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.VALIDATION,
            witness=witness,
            command=self._command(delta),
            reason=f"a message that the {said.get('accepted_by')} contract admits and the {said.get('refused_by')} "
            "contract refuses",
        )

    def _towards(self, direction: Direction | None) -> tuple[_EventSide, _EventSide]:
        """Who sends and who has to accept: old senders towards the candidate, the candidate towards old consumers."""
        return self._sides[::-1] if direction is Direction.WRITTEN else self._sides

    def _carrying(self, delta: Delta, found: RefusedValue) -> tuple[Json, str]:
        """The witness of a value, or why there is none."""
        position = found.root.position
        sender, receiver = self._towards(position.released.direction)
        both = (position.released, position.candidate)
        own, other = both if sender.name == "released" else both[::-1]
        chain = sender.chains.to(sender.operation(position.operation), own)
        if chain is None:
            return None, NO_CHAIN
        names = self._names(chain, receiver.chains.to(receiver.operation(position.operation), other), sender, receiver)
        try:
            event = sender.composer.compose(chain, {id(own): found.value}, names)
        except NotComposed as error:
            return None, str(error)
        sent, received = sender.acceptor.accepts(event), receiver.acceptor.accepts(event)
        if sent.accepted is not Tristate.YES:
            return None, "; ".join(sent.open) or NOT_SENT
        if received.accepted is not Tristate.NO:
            return None, "; ".join(received.open) or ADMITTED
        if all(each.keyword in (ADDRESS, MESSAGE, CONTENT_TYPE) for each in received.violations):
            return None, OTHER_REASON
        nearest = closest(received.violations, delta, reads=sender.name == "released")
        return _witness(event, found.value, (sender, receiver), nearest), ""

    def _names(
        self, chain: Chain, counterpart: Chain | None, sender: _EventSide, receiver: _EventSide
    ) -> dict[str, str]:
        """The message that is meant, by side; none where the row is about the channel and any message shows it."""
        found = {}
        for side, way in ((sender, chain), (receiver, counterpart)):
            message = next((each for each in way or () if each.kind is ElementKind.MESSAGE), None)
            if message is not None:
                found[side.name] = message.key
        return found

    def _shown(self, delta: Delta) -> tuple[Json, str]:
        """A message that shows a row about an element, or why there is none."""
        if delta.direction is None:
            moved = delta.element is ElementKind.OPERATION and delta.facet == "path"
            return self._moved(delta) if moved else (None, _OPEN.get(delta.element, _UNDIRECTED))
        gone = Change.ADDED if delta.direction is Direction.READ else Change.REMOVED
        if not delta.facet and delta.change is gone and delta.element not in _OPEN:
            return None, _ABSENT
        if delta.element in _OPEN or delta.facet not in ("", CONTENT_TYPE):
            return None, _OPEN.get(delta.element, "what it changes is not in the message")
        sender, receiver = self._towards(delta.direction)
        reason = NO_CHAIN
        for chain in islice(self._ways(delta, sender), _MOST_OPERATIONS):
            witness, reason = self._tried(delta, chain, (sender, receiver))
            if witness is not None:
                return witness, ""
        return None, reason

    def _moved(self, delta: Delta) -> tuple[Json, str]:
        """A message at an address of the one version that the other one does not have."""
        bare = {without_version(key)[0] for key in delta.operations}
        reason = NO_CHAIN
        for direction in Direction:
            sides = self._towards(direction)
            tops = [each for each in sides[0].acceptor.contract.operations if each.direction is direction]
            for top in islice((each for each in tops if without_version(each.key)[0] in bare), _MOST_OPERATIONS):
                witness, reason = self._tried(delta, (top,), sides)
                if witness is not None:
                    return witness, ""
        return None, reason

    def _ways(self, delta: Delta, sender: _EventSide) -> Iterator[Chain]:
        """The ways to the element of a row in the sender's contract."""
        place = delta.released_place if sender.name == "released" else delta.candidate_place
        for key in each_operation(delta):
            top = sender.operation(key)
            for chain in chains(top) if top is not None and place is not None else ():
                at = chain[-1].place
                inside = (
                    place is not None and at.file == place.file and f"{place.pointer}/".startswith(f"{at.pointer}/")
                )
                if chain[-1].kind is delta.element and inside and chain[-1].direction is delta.direction:
                    yield chain

    def _tried(self, delta: Delta, chain: Chain, sides: tuple[_EventSide, _EventSide]) -> tuple[Json, str]:
        sender, receiver = sides
        try:
            names = {sender.name: message_of(chain).key}
            if delta.facet == CONTENT_TYPE:
                names[receiver.name] = names[sender.name]
            event = sender.composer.compose(chain, {}, names)
        except NotComposed as error:
            return None, str(error)
        sent, received = sender.acceptor.accepts(event), receiver.acceptor.accepts(event)
        if sent.accepted is not Tristate.YES:
            return None, "; ".join(sent.open) or NOT_SENT
        return self._judged(delta, event, received, sides)

    def _judged(
        self, delta: Delta, event: EventMessage, received: AdmissionResult, sides: tuple[_EventSide, _EventSide]
    ) -> tuple[Json, str]:
        if received.accepted is Tristate.YES:
            return None, TWIN
        whole = ADDRESS if delta.element is ElementKind.OPERATION else MESSAGE
        wanted = CONTENT_TYPE if delta.facet == CONTENT_TYPE else whole
        own = next((each for each in received.violations if each.keyword == wanted), None)
        if own is None:
            return None, "; ".join(received.open) or OTHER_REASON
        return _witness(event, event.payload, sides, own), ""

    def _command(self, delta: Delta) -> str:
        return replay_command(self._paths, delta.id)


def _side(name: str, contract: Contract) -> _EventSide:
    acceptor = EventAdmission(name, contract, PrimaryValidator())
    return _EventSide(acceptor, EventComposer(acceptor), Chains(contract))


def _witness(event: EventMessage, value: Json, sides: tuple[_EventSide, _EventSide], violation: Violation) -> Json:
    return {
        "message": event.to_json(),
        "value": value,
        "accepted_by": sides[0].name,
        "refused_by": sides[1].name,
        "violation": violation.to_json(),
    }
