"""Proofs with whole messages of event contracts, payloads in a language of their own among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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
from evreview.core.vocabulary import Change, Direction, Json, ProofMethod, ProofStatus, Tristate
from evreview.kinds.asyncapi.messages import (
    ADDRESS,
    CONTENT_TYPE,
    MESSAGE,
    EventAdmission,
    EventComposer,
    EventMessage,
    NotComposed,
    message_of,
)
from evreview.messages.admission import AdmissionResult
from evreview.messages.message import Violation
from evreview.messages.routing import Chain, Chains, chains
from evreview.schema.validators import PrimaryValidator

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


@dataclass(frozen=True, slots=True)
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
