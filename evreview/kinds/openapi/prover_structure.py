"""Witnesses of rows about no set of values: operations, parameters, bodies, media types, statuses, headers, security.

A row has a witness only where a stated demand refuses the message. What OpenAPI leaves open (parameters that nobody
declares, a response that may no longer come, where a token is fetched) stays with the rule, and says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import CONTENT
from evreview.comparison.delta import Delta
from evreview.comparison.pairing import fixed
from evreview.comparison.proof.outcome import ADMITTED, NOT_SENT, OTHER_REASON, closest, each_operation
from evreview.comparison.proof.position import addressed_name
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Change, Direction, Json, Realism, Role, Tristate
from evreview.messages.admission import AdmissionResult, MessageAdmission, demanded
from evreview.messages.composer import Composer, Wish, invented, refused, segments_of, structured
from evreview.messages.media_types import unusual
from evreview.messages.message import Message, Violation
from evreview.messages.parameter_styles import NoCodec, NotOnWire, from_text, style_of, text_of
from evreview.messages.routing import Chain, Chains, chain_at, chains, children_of, part_of
from evreview.schema.validators import PrimaryValidator

# Witnesses as whole messages: composed on the side that sends, judged by both contracts.


UNREACHED = "the message is refused before the value is read, because of another row"
_EARLIER = frozenset({"path", "method", "route", "status", "media-type"})
AMBIGUOUS = "the text on the wire stands for another value"
TOO_MUCH = "the messages of this comparison have more parts than may be judged"
_ALL_PARTS = 300_000
"""How many parameters, headers and path segments all messages of one comparison may carry."""
NO_CHAIN = "no message of the sender's contract reaches the position"


@frozen(kw_only=True)
class MessageWitness:
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


@frozen
class JudgedMessage:
    """One message, with what the sender's contract and the other one say of it."""

    message: Message
    sent: AdmissionResult
    received: AdmissionResult


class ContractSide:
    """One contract as sender and as judge."""

    def __init__(self, name: str, contract: Contract, other: Contract) -> None:
        self.name = name
        self.contract = contract
        self.acceptor = MessageAdmission(contract, PrimaryValidator())
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
        self._sides: tuple[ContractSide, ContractSide] | None = None
        self._left = _ALL_PARTS

    def sides(self, direction: Direction | None) -> tuple[ContractSide, ContractSide]:
        """The side that sends and the side that has to accept. What nobody reads or writes is sent by old clients."""
        if self._sides is None:
            released, candidate = self._contracts
            self._sides = ContractSide("released", released, candidate), ContractSide("candidate", candidate, released)
        released_side, candidate_side = self._sides
        return (candidate_side, released_side) if direction is Direction.WRITTEN else (released_side, candidate_side)

    @property
    def exhausted(self) -> bool:
        """True once the messages so far had as many parts as those of one comparison may."""
        return self._left <= 0

    def carrying(self, position: tuple[Element, Element], value: Json, delta: Delta, operation: str) -> MessageWitness:
        """The message that carries a value which one contract admits at a position and the other refuses.

        Args:
            position: the released and the candidate element with the value set.
            value: of the whole position.
            operation: key of an operation that the position belongs to.
        """
        direction = position[0].direction
        sender, receiver = self.sides(direction)
        own, other = position if direction is Direction.READ else position[::-1]
        chain = sender.chains.to(sender.operation(operation), own)
        if chain is None:
            return MessageWitness(reason=NO_CHAIN)
        wish = self._wish(chain, receiver, other, {id(own): value})
        try:
            heard = self.heard(sender.composer.compose(wish), direction)
        except NoCodec as error:
            return MessageWitness(reason=str(error))
        except NotOnWire as error:
            return MessageWitness(reason=str(error), refuted=True)
        if heard.sent.accepted is Tristate.YES and heard.sent.read.get(part_of(chain)) != value:
            return MessageWitness(reason=AMBIGUOUS, refuted=True)
        return self._judged(heard, value, delta, (sender, receiver))

    def heard(self, message: Message, direction: Direction | None) -> JudgedMessage:
        """What both contracts say of a message."""
        sender, receiver = self.sides(direction)
        self._left -= 1 + len(message.query) + len(message.headers) + len(message.cookies) + message.path.count("/")
        return JudgedMessage(message, sender.acceptor.accepts(message), receiver.acceptor.accepts(message))

    def _wish(self, chain: Chain, receiver: ContractSide, other: Element, values: dict[int, Json]) -> Wish:
        media = other if other.kind is ElementKind.MEDIA_TYPE else None
        top = receiver.operation(chain[0].key)
        counterpart = mapped(chain, top)
        # A range may stand for a status that the other contract describes by itself: both have to mean that one.
        there = receiver.chains.to(top, other) or counterpart
        response = next((each for each in there if each.kind is ElementKind.RESPONSE), None)
        operation = next((each for each in reversed(counterpart) if each.kind is ElementKind.OPERATION), None)
        return Wish(chain=chain, values=values, other=operation, response=response, media=media)

    def _judged(
        self, heard: JudgedMessage, value: Json, delta: Delta, sides: tuple[ContractSide, ContractSide]
    ) -> MessageWitness:
        if heard.sent.accepted is not Tristate.YES:
            return MessageWitness(reason="; ".join(heard.sent.open) or NOT_SENT)
        if heard.received.accepted is Tristate.YES:
            return MessageWitness(reason=ADMITTED, refuted=True)
        if heard.received.accepted is Tristate.UNKNOWN:
            return MessageWitness(reason="; ".join(heard.received.open))
        violation = closest(heard.received.violations, delta, reads=sides[0].name == "released")
        if violation.keyword in _EARLIER:
            return MessageWitness(reason=UNREACHED)
        return MessageWitness(witness=witness_of(heard.message, value, sides, violation))


def witness_of(message: Message, value: Json, sides: tuple[ContractSide, ContractSide], violation: Violation) -> Json:
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


NO_OPERATION: Final = "no operation of the sender's contract shows the row"
READ_OTHERWISE: Final = "both contracts admit the message, and read different values from it"
CALLED_BACK: Final = "a callback goes to a URL that its client names, which no contract routes"
ELSEWHERE: Final = "the other contract routes the request to"
EMPTY_VALUE: Final = "allowEmptyValue"
EMPTY_ANYWAY: Final = "the schema admits the empty text by itself, and the standard leaves open how the two go together"
_OPEN: Final = {
    ElementKind.PARAMETER: "what becomes of a parameter that nobody declares is not in the contract",
    ElementKind.RESPONSE: "a response that is declared need never be sent, so that no message shows its removal",
    ElementKind.HEADER: "a header that is not required need never be sent, so that no message shows its removal",
    ElementKind.SECURITY_SCHEME: "how credentials are obtained is not in any message",
    ElementKind.SERVER: "which address an old client calls is not in the message",
    ElementKind.LINK: "links are followed by clients, no message breaks one",
}
_ADMITTED: Final = "none of the messages that were tried is refused because of the row"
_KEYWORDS: Final = {
    ElementKind.OPERATION: frozenset({"path", "method", "route"}),
    ElementKind.SECURITY: frozenset({"security"}),
    ElementKind.SECURITY_SCHEME: frozenset({"security"}),
    ElementKind.SERVER: frozenset({"path", "servers"}),
    ElementKind.RESPONSE: frozenset({"status"}),
    ElementKind.MEDIA_TYPE: frozenset({"media-type"}),
}
"""The violations that are about an element as such."""
_STYLED: Final = ("style", "explode", "name", CONTENT)
"""The facets of rows about how one value becomes text."""
_SENT: Final = ("readOnly", "writeOnly")
"""What says in which direction a member is sent."""
_MOST_OPERATIONS: Final = 5
_MOST_WITH_A_PARAMETER: Final = 100
"""Of a parameter that operations lose or gain: what else they demand differs, and may have no message."""
_MOST_WISHES: Final = 14


def structural(messages: Messages, delta: Delta) -> MessageWitness:
    """A message that shows the row, or why there is none."""
    sender, receiver = messages.sides(delta.direction)
    reason, seen = _OPEN.get(delta.element, NO_OPERATION), 0
    whole = delta.element is ElementKind.PARAMETER and not delta.facet
    most = _MOST_WITH_A_PARAMETER if whole else _MOST_OPERATIONS
    for key in each_operation(delta):
        top = sender.operation(key)
        if top is None:
            continue
        seen += 1
        if seen > most:
            break
        found = _shown(messages, delta, top, receiver.operation(key))
        if found.witness is not None or found.refuted:
            return found
        reason = found.reason
    return MessageWitness(reason=reason)


def _shown(messages: Messages, delta: Delta, top: Element, other: Element | None) -> MessageWitness:
    """The first message about one operation that shows the row."""
    sender, receiver = messages.sides(delta.direction)
    reason = _ADMITTED if delta.facet else _OPEN.get(delta.element, _ADMITTED)
    count = 0
    for wish in _row_wishes(delta, (top, other), (sender, receiver)):
        count += 1
        if count > _MOST_WISHES:
            break
        try:
            heard = messages.heard(sender.composer.compose(wish), delta.direction)
        except NotOnWire as error:
            reason = str(error)
            continue
        if delta.role is Role.RESPONSE and not heard.message.is_response:
            continue
        if heard.sent.accepted is not Tristate.YES:
            reason = "; ".join(heard.sent.open) or reason
            continue
        found = _found(heard, wish, delta, (sender, receiver))
        if found.witness is not None or found.refuted:
            return replace(found, realism=_realism(wish, delta, sender)) if found.witness is not None else found
        reason = found.reason or reason
    return MessageWitness(reason=reason)


def _realism(wish: Wish, delta: Delta, sender: ContractSide) -> Realism | None:
    """Whether a peer would send the value that a row about its text is shown with."""
    if delta.facet not in _STYLED and delta.element is not ElementKind.ENCODING:
        return None
    judge = sender.acceptor.judge
    held = [(each, value) for each in _valued_elements(wish) if (value := wish.values.get(id(each))) is not None]
    letter = any(invented(judge.outline(each), value) for each, value in held)
    return Realism.LETTER if letter else Realism.DECLARED


def _valued_elements(wish: Wish) -> tuple[Element, ...]:
    return (*wish.chain, *children_of(wish.chain[-1], ElementKind.MEDIA_TYPE))


def _found(heard: JudgedMessage, wish: Wish, delta: Delta, sides: tuple[ContractSide, ContractSide]) -> MessageWitness:
    value = heard.sent.read.get(part_of(wish.chain))
    own = next((each for each in heard.received.violations if _is_own(each, delta, wish.chain[-1])), None)
    if own is not None:
        return MessageWitness(witness=witness_of(heard.message, value, sides, own))
    if heard.received.accepted is Tristate.NO:
        return MessageWitness(reason=OTHER_REASON)
    if heard.received.accepted is Tristate.UNKNOWN:
        return MessageWitness(reason="; ".join(heard.received.open))
    if delta.element is ElementKind.OPERATION and any(each.kind is ElementKind.CALLBACK for each in wish.chain):
        return MessageWitness(reason=CALLED_BACK)
    if delta.element is ElementKind.OPERATION and heard.received.operation:
        return MessageWitness(reason=f"{ELSEWHERE} {heard.received.operation}, which admits it")
    if delta.facet == EMPTY_VALUE and "" in wish.values.values() and part_of(wish.chain) in heard.received.read:
        return MessageWitness(reason=EMPTY_ANYWAY, refuted=True)
    return _misread(heard, wish, delta, sides)


def _misread(
    heard: JudgedMessage, wish: Wish, delta: Delta, sides: tuple[ContractSide, ContractSide]
) -> MessageWitness:
    """Serialisation rows: the same text is read as another value."""
    if delta.facet not in (*_STYLED, "contentType") and delta.element is not ElementKind.ENCODING:
        return MessageWitness()
    part = part_of(wish.chain)
    if part not in heard.sent.read or (
        part in heard.received.read and _same_texts(heard.received.read[part], heard.sent.read[part])
    ):
        return MessageWitness()
    place = _expected_place(delta) or wish.chain[-1].place
    made = witness_of(
        heard.message, heard.sent.read[part], sides, Violation(part, "", place, delta.facet or "encoding")
    )
    said = {sides[0].name: heard.sent.read, sides[1].name: heard.received.read}
    # Where one side finds nothing of the part, it has no reading.
    read = {name: readings[part] for name, readings in said.items() if part in readings}
    return MessageWitness(witness={**made, "read_as": read}, reason=READ_OTHERWISE)  # type: ignore[dict-item]


def _same_texts(one: Json, other: Json) -> bool:
    """True when two readings have the same texts: what types they are read as is the schemas' matter."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same_texts(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same_texts, one, other))
    try:
        return text_of(one) == text_of(other)
    except NotOnWire:
        return one == other


def _is_own(violation: Violation, delta: Delta, about: Element) -> bool:
    """True when a violation is what the row says."""
    if delta.facet == "schema":
        return violation.part not in ("path", "security", "server", "status", "content-type")
    if delta.facet in _SENT:
        return any(_is_owed(each, delta) for each in violation.walk())
    keywords = _KEYWORDS.get(delta.element)
    if keywords is not None:
        return violation.keyword in keywords
    if delta.element is ElementKind.BODY:
        return violation.part in ("body", "content-type") and violation.keyword in ("required", "media-type")
    if delta.element is ElementKind.ENCODING:
        return violation.part == "body"
    if comparison_delta.SENT_IN in delta.facts and about.key == delta.facts[comparison_delta.SENT_IN]:
        return violation.part == addressed_name(delta)
    if delta.element in (ElementKind.PARAMETER, ElementKind.HEADER):
        return _named(violation.part, delta, about) or _stands_at(violation, delta)
    return False


def _is_owed(violation: Violation, delta: Delta) -> bool:
    """True when a violation is that the object around the row's member lacks something that has to be sent now."""
    place = _expected_place(delta)
    owner, named, _ = place.pointer.rpartition("/properties/") if place is not None else ("", "", "")
    return violation.keyword == "required" and (not named or violation.place.pointer == owner)


def _named(part: str, delta: Delta, about: Element) -> bool:
    """True when a part of a message is the parameter or header of the row."""
    if delta.element is about.kind:
        location = about.key.partition(":")[0] if about.kind is ElementKind.PARAMETER else "header"
        return part == f"{location} {about.name}"
    step = addressed_name(delta).lower()
    return f" {step}".endswith(f" {part.partition(' ')[2].lower()}")


def _stands_at(violation: Violation, delta: Delta) -> bool:
    """True when a variable of the path, which may have two names, is the one of the row."""
    place, expected = violation.place, _expected_place(delta)
    if expected is None or not violation.part.startswith("path "):
        return False
    return place.file == expected.file and f"{expected.pointer}/".startswith(f"{place.pointer}/")


def _expected_place(delta: Delta) -> Place | None:
    return delta.released_place if delta.direction is Direction.WRITTEN else delta.candidate_place


def _row_wishes(
    delta: Delta, tops: tuple[Element, Element | None], sides: tuple[ContractSide, ContractSide]
) -> Iterator[Wish]:
    (top, other), sender = tops, sides[0]
    if delta.element in (ElementKind.SECURITY, ElementKind.SECURITY_SCHEME):
        yield from _credentialed(delta, top, other, sender)
        return
    if delta.element is ElementKind.SERVER:
        if other is not None:
            yield from _addressed(delta, top, sender)
        return
    if comparison_delta.SENT_IN in delta.facts:
        yield from _as_member(delta, top, other, sender)
    for chain in _chains(delta, top, other):
        counterpart = mapped(chain, other)
        plain = Wish(
            chain=chain,
            other=other if other is not None and other.kind is ElementKind.OPERATION else None,
            response=next((each for each in counterpart if each.kind is ElementKind.RESPONSE), None),
            media=next((each for each in counterpart if each.kind is ElementKind.MEDIA_TYPE), None),
        )
        encoded = _encoded_field(delta, chain, other)
        if encoded or delta.facet in _STYLED:
            yield from _valued(plain, sender, encoded)
        if delta.facet == EMPTY_VALUE and delta.element is ElementKind.PARAMETER:
            yield replace(plain, values={id(chain[-1]): ""})
        named = chain[-1].key if chain[-1].kind is ElementKind.MEDIA_TYPE else ""
        if "*" in named:
            yield from (replace(plain, content_type=kind) for kind in unusual(named))
        yield plain
        if delta.element is ElementKind.PARAMETER:
            # Another way to prove oneself may leave out a key that is the parameter.
            yield from (replace(plain, credentials=each) for each in demanded(top)[1])
        if delta.facet in _SENT and len(counterpart) == len(chain):
            # The object that lacks the member may stand in another one, which nobody has to send.
            judges = sides[0].acceptor.judge, sides[1].acceptor.judge
            lacking = refused(judges, (chain[-1], counterpart[-1]))
            yield from (replace(plain, values={id(chain[-1]): value}) for value in lacking)


def _as_member(delta: Delta, top: Element, other: Element | None, sender: ContractSide) -> Iterator[Wish]:
    """Requests that carry the added parameter's name as the member of an exploded object."""
    listed = children_of(top, ElementKind.PARAMETER)
    holder = next((each for each in listed if each.key == delta.facts[comparison_delta.SENT_IN]), None)
    name = addressed_name(delta).partition(" ")[2]
    if holder is None:
        return
    found = structured(sender.acceptor.judge, holder, name)
    # A name without a text may be read as not sent.
    for value in sorted(found, key=lambda each: isinstance(each, dict) and each.get(name) == ""):
        yield Wish(chain=(top, holder), values={id(holder): value}, other=other)


def _encoded_field(delta: Delta, chain: Chain, other: Element | None) -> str:
    """The field of a form whose encoding the row is about, "" for none; one of the sides may leave it unwritten."""
    there = None
    if delta.element is ElementKind.ENCODING and other is not None:
        there = chain_at(other, delta.element, delta.candidate_place or delta.released_place)
    return next((each.key for each in (*chain, *(there or ())) if each.kind is ElementKind.ENCODING), "")


def _valued(wish: Wish, sender: ContractSide, field: str) -> Iterator[Wish]:
    """The wish with values that have structure, which is what a serialisation shows."""
    described = children_of(wish.chain[-1], ElementKind.MEDIA_TYPE)
    target = next((each for each in (*described, *reversed(wish.chain)) if each.value is not None), None)
    if target is None:
        return
    for value in structured(sender.acceptor.judge, target, field):
        yield replace(wish, values={id(target): value})


def _chains(delta: Delta, top: Element, other: Element | None) -> Iterator[Chain]:
    """The way to the row's element on the sending side; where that side lacks it, to what would hold it."""
    if delta.facet in _SENT:
        # The member may stand in a component, which no element holds.
        yield from (chain for chain in chains(top) if chain[-1].value is not None and _carries(chain[-1], delta))
        return
    written = delta.direction is Direction.WRITTEN
    own, theirs = (delta.candidate_place, delta.released_place)[:: 1 if written else -1]
    lacks = delta.facet == "" and delta.change is (Change.REMOVED if written else Change.ADDED)
    if not lacks:
        chain = chain_at(top, delta.element, own)
        if chain is not None:
            # What is no longer owed shows in a message that leaves it out.
            yield chain[:-1] if delta.facet == "required" else chain
            return
    there = chain_at(other, delta.element, theirs) if other is not None else None
    yield mapped(there, top) if there is not None else (top,)


def _carries(element: Element, delta: Delta) -> bool:
    return element.kind is ElementKind.MEDIA_TYPE and (element.role, element.direction, element.in_error) == (
        delta.role,
        delta.direction,
        delta.in_error,
    )


def _credentialed(delta: Delta, top: Element, other: Element | None, sender: ContractSide) -> Iterator[Wish]:
    """One message per alternative that the sender's contract names, the plainest first; of a scheme, those with it."""
    about = {
        child.key
        for child in sender.contract.root.children
        if delta.element is ElementKind.SECURITY_SCHEME
        and delta.released_place is not None
        and child.kind is ElementKind.SECURITY_SCHEME
        and f"{delta.released_place}/".startswith(f"{child.place}/")
    }
    for alternative in sorted(demanded(top)[1], key=lambda each: (len(each), sorted(each))):
        if delta.element is ElementKind.SECURITY or about & alternative.keys():
            yield Wish(chain=(top,), credentials=alternative, other=other)


def _addressed(delta: Delta, top: Element, sender: ContractSide) -> Iterator[Wish]:
    """Messages to the server that the row is about, with each value that a variable may have."""
    place = delta.released_place
    for server in (*children_of(top, ElementKind.SERVER), *sender.acceptor.routes.servers(None)):
        if place is None or not f"{place.pointer}/".startswith(f"{server.place.pointer}/"):
            continue
        named = re.fullmatch(r"variables\.([0-9]+)\.enum", delta.facet)
        listed = server.facet(delta.facet) if named else None
        for value in listed if isinstance(listed, list) else ():
            yield Wish(chain=(top, server), variables={int(named[1]): str(value)} if named else {})
        yield Wish(chain=(top, server))


# Added operations that answer requests which a released path template answered: are these requests still admitted?


EXCLUDED: Final = "the released contract admits no request to this path: its parameter excludes the text"
UNDECIDED: Final = "whether the released path parameter admits the text is not known"
STILL: Final = "every request that was tried is admitted before and after, by another operation"
_MOST_MESSAGES: Final = 40
_FREE: Final = "{}"


def shadowed_request(messages: Messages, delta: Delta) -> MessageWitness:
    """A request that the released template admitted and the added operation refuses, or why there is none.

    `refuted` where the released contract admitted no request to the path at all.
    """
    sender, receiver = messages.sides(Direction.READ)
    key = str(delta.facts[comparison_delta.TAKES_OVER])
    top = sender.operation(key)
    if top is None:
        return MessageWitness(reason=NO_OPERATION)
    path = _path_values(sender, top, fixed(key, delta.operation) or ())
    if isinstance(path, MessageWitness):
        return path
    reason = STILL
    for wish in islice(_request_wishes(sender, top, receiver.operation(delta.operation), path), _MOST_MESSAGES):
        try:
            heard = messages.heard(sender.composer.compose(wish), Direction.READ)
        except NotOnWire as error:
            reason = str(error)
            continue
        if heard.sent.accepted is not Tristate.YES or heard.sent.operation != key:
            reason = "; ".join(heard.sent.open) or reason
        elif heard.received.operation == key:
            return MessageWitness(reason="the candidate contract still routes the request to the template")
        elif heard.received.accepted is Tristate.NO:
            broken = heard.received.violations[0]
            value = heard.sent.read.get(broken.part)
            return MessageWitness(witness=witness_of(heard.message, value, (sender, receiver), broken))
    return MessageWitness(reason=reason)


def _path_values(sender: ContractSide, top: Element, texts: tuple[str, ...]) -> dict[int, Json] | MessageWitness:
    """The values of the path parameters that the concrete path writes out."""
    judge = sender.acceptor.judge
    declared = {element.key: element for element in children_of(top, ElementKind.PARAMETER)}
    found: dict[int, Json] = {}
    for at, text in enumerate(texts):
        element = declared.get(f"path:{at}")
        if text == _FREE:
            continue
        if element is None or children_of(element, ElementKind.MEDIA_TYPE):
            return MessageWitness(reason=UNDECIDED)
        readings = from_text(text, style_of(element, "path", element.name), judge.outline(element))
        where = element.value
        errors = [judge.errors(where, element.direction, each) if where is not None else () for each in readings]
        if any(isinstance(each, str) for each in errors):
            return MessageWitness(reason=UNDECIDED)
        if () not in errors:
            return MessageWitness(reason=EXCLUDED, refuted=True)
        found[id(element)] = readings[errors.index(())]
    return found


def _request_wishes(
    sender: ContractSide, top: Element, other: Element | None, path: Mapping[int, Json]
) -> Iterator[Wish]:
    """The plainest request, then one per way to present credentials and per value of each part, the parts in turn."""
    yield Wish(chain=(top,), values=path, other=other)
    for alternative in demanded(top)[1]:
        yield Wish(chain=(top,), values=path, other=other, credentials=alternative)
    for chain in _parts(top):
        target = chain[-1]
        values = sender.composer.values(target) if target.value is not None else ()
        for value in values if id(target) not in path else ():
            yield Wish(chain=chain, values={**path, id(target): value}, other=other)


def _parts(top: Element) -> Iterator[tuple[Element, ...]]:
    for child in children_of(top, ElementKind.PARAMETER):
        yield top, child
    for body in children_of(top, ElementKind.BODY):
        for media in children_of(body, ElementKind.MEDIA_TYPE):
            yield top, body, media
