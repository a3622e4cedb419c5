"""Witnesses as whole messages: composed on the side that sends, judged by both contracts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Answer, Json, Polarity, Realism
from evreview.messages.admission import Acceptance, Acceptor
from evreview.messages.composer import Composer, Wish, segments_of
from evreview.messages.message import Message, Violation
from evreview.messages.parameter_styles import NoCodec, NotOnWire
from evreview.messages.routing import Chain, Chains, part_of
from evreview.schema.validators import FirstCheck

SIDES = ("released", "candidate")
ADMITTED = "the other contract admits every message that was tried"
NOT_SENT = "the sender's own contract does not admit the message"
OTHER_REASON = "the other contract refuses the message, but not because of this row"
UNREACHED = "the message is refused before the value is read, because of another row"
_EARLIER = frozenset({"path", "method", "route", "status", "media-type"})
AMBIGUOUS = "the text on the wire stands for another value"
TOO_MUCH = "the messages of this comparison have more parts than may be judged"
_ALL_PARTS = 300_000
"""How many parameters, headers and path segments all messages of one comparison may carry."""
NO_CHAIN = "no message of the sender's contract reaches the position"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A message witness, or why there is none.

    Attributes:
        witness: message, value, accepted_by, refused_by and violation; None without one.
        reason: why there is none, or what it shows.
        refuted: True when a message was composed and the other contract admits it, or when nothing can carry the
            value: then the value is no witness either.
        realism: whether a peer would send it, None where that is not asked.
    """

    witness: Json = None
    reason: str = ""
    refuted: bool = False
    realism: Realism | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, with what the sender's contract and the other one say of it."""

    message: Message
    sent: Acceptance
    received: Acceptance


class Side:
    """One contract as sender and as judge."""

    def __init__(self, name: str, contract: Contract, other: Contract) -> None:
        self.name = name
        self.contract = contract
        self.acceptor = Acceptor(contract, FirstCheck())
        servers = (child.key for child in other.root.children if child.kind is ElementKind.SERVER)
        self.composer = Composer(self.acceptor, frozenset(servers), segments_of(other))
        self.chains = Chains(contract)

    def operation(self, key: str) -> Element | None:
        """The operation with this key."""
        return self.acceptor.routes.operation(key)


class Messages:
    """Message witnesses of one comparison; nothing is built before the first is asked for."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._contracts = (released, candidate)
        self._sides: tuple[Side, Side] | None = None
        self._left = _ALL_PARTS

    def sides(self, polarity: Polarity | None) -> tuple[Side, Side]:
        """The side that sends and the side that has to accept. What nobody reads or writes is sent by old clients."""
        if self._sides is None:
            released, candidate = self._contracts
            self._sides = Side("released", released, candidate), Side("candidate", candidate, released)
        released_side, candidate_side = self._sides
        return (candidate_side, released_side) if polarity is Polarity.WRITTEN else (released_side, candidate_side)

    @property
    def exhausted(self) -> bool:
        """True once the messages so far had as many parts as those of one comparison may."""
        return self._left <= 0

    def carrying(self, position: tuple[Element, Element], value: Json, delta: Delta, operation: str) -> Carried:
        """The message that carries a value which one contract admits at a position and the other refuses.

        Args:
            position: the released and the candidate element with the value set.
            value: of the whole position.
            delta: the row.
            operation: key of an operation that the position belongs to.
        """
        polarity = position[0].polarity
        sender, receiver = self.sides(polarity)
        own, other = position if polarity is Polarity.READ else position[::-1]
        chain = sender.chains.to(sender.operation(operation), own)
        if chain is None:
            return Carried(reason=NO_CHAIN)
        wish = self._wish(chain, receiver, other, {id(own): value})
        try:
            heard = self.heard(sender.composer.compose(wish), polarity)
        except NoCodec as error:
            return Carried(reason=str(error))
        except NotOnWire as error:
            return Carried(reason=str(error), refuted=True)
        if heard.sent.accepted is Answer.YES and heard.sent.read.get(part_of(chain)) != value:
            return Carried(reason=AMBIGUOUS, refuted=True)
        return self._judged(heard, value, delta, (sender, receiver))

    def heard(self, message: Message, polarity: Polarity | None) -> Heard:
        """What both contracts say of a message."""
        sender, receiver = self.sides(polarity)
        self._left -= 1 + len(message.query) + len(message.headers) + len(message.cookies) + message.path.count("/")
        return Heard(message, sender.acceptor.accepts(message), receiver.acceptor.accepts(message))

    def _wish(self, chain: Chain, receiver: Side, other: Element, values: dict[int, Json]) -> Wish:
        media = other if other.kind is ElementKind.MEDIA_TYPE else None
        top = receiver.operation(chain[0].key)
        counterpart = mapped(chain, top)
        # A range may stand for a status that the other contract describes by itself: both have to mean that one.
        there = receiver.chains.to(top, other) or counterpart
        response = next((each for each in there if each.kind is ElementKind.RESPONSE), None)
        operation = next((each for each in reversed(counterpart) if each.kind is ElementKind.OPERATION), None)
        return Wish(chain=chain, values=values, other=operation, response=response, media=media)

    def _judged(self, heard: Heard, value: Json, delta: Delta, sides: tuple[Side, Side]) -> Carried:
        if heard.sent.accepted is not Answer.YES:
            return Carried(reason="; ".join(heard.sent.open) or NOT_SENT)
        if heard.received.accepted is Answer.YES:
            return Carried(reason=ADMITTED, refuted=True)
        if heard.received.accepted is Answer.UNKNOWN:
            return Carried(reason="; ".join(heard.received.open))
        violation = closest(heard.received.violations, delta, reads=sides[0].name == "released")
        if violation.keyword in _EARLIER:
            return Carried(reason=UNREACHED)
        return Carried(witness=witness_of(heard.message, value, sides, violation))


def witness_of(message: Message, value: Json, sides: tuple[Side, Side], violation: Violation) -> Json:
    """The witness as a row carries it."""
    return {
        "message": message.to_json(),
        "value": value,
        "accepted_by": sides[0].name,
        "refused_by": sides[1].name,
        "violation": violation.to_json(),
    }


def mapped(chain: Chain, top: Element | None) -> Chain:
    """The same way in the other contract, as far as it goes there."""
    if top is None:
        return ()
    found = [top]
    for element in chain[1:]:
        same = (child for child in found[-1].children if (child.kind, child.key) == (element.kind, element.key))
        below = next(same, None)
        if below is None:
            break
        found.append(below)
    return tuple(found)


def closest(violations: tuple[Violation, ...], delta: Delta, *, reads: bool) -> Violation:
    """The violation that stands nearest to the row: at its node and keyword, below it, above it, else the first."""
    place = (delta.candidate_place if reads else delta.released_place) or delta.released_place or delta.candidate_place
    if place is None:
        return violations[0]

    def nearness(violation: Violation) -> int:
        return max(_near(each, place.file, place.pointer, delta.facet) for each in violation.walk())

    return max(violations, key=nearness)


def _near(violation: Violation, file: str, pointer: str, facet: str) -> int:
    at = violation.place
    if at.file != file:
        return 0
    keyword = 1 if violation.keyword == facet else 0
    if at.pointer == pointer or f"{at.pointer}/{violation.keyword}" == pointer:
        return 1000 + keyword
    if pointer.startswith(f"{at.pointer}/") or at.pointer.startswith(f"{pointer}/"):
        return 500 - abs(len(pointer) - len(at.pointer)) // 4 + keyword
    return keyword


def each_operation(delta: Delta) -> Iterator[str]:
    """Keys of operations that a row reaches, its own first."""
    if delta.operation:
        yield delta.operation
    yield from (key for key in delta.operations if key != delta.operation)
