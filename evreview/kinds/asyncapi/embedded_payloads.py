"""Payloads in a language of their own, compared by that language: its rows stand below the message, one way each.

What the application receives has to be read by the candidate when the released side wrote it, what it sends by the
released side when the candidate wrote it. The rows of the language are judged for the one direction that counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from evreview.comparison.build import diff_contracts
from evreview.comparison.compare import classified_types, verdict_of
from evreview.comparison.comparison import JudgedRow
from evreview.comparison.delta import Delta, Noise
from evreview.comparison.kind_spec import Decision, DirectionalProver, JudgedComparison, KindProver, Specs
from evreview.comparison.ledger import Ledger
from evreview.comparison.noise import NoiseReason
from evreview.comparison.proof.outcome import Proof, replay_command, unproven
from evreview.comparison.rules.classifier import Classification
from evreview.contract.model import Contract, Element, ElementKind, Place, UnsupportedConstruct
from evreview.contract.source import Files, Load
from evreview.core.document_text import without_gc
from evreview.core.errors import BadInput
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import (
    ABSENT,
    Absent,
    Address,
    Change,
    ContractKind,
    DeltaId,
    Direction,
    Form,
    Json,
    ProofStatus,
    Tristate,
)
from evreview.kinds.asyncapi.prover import EventMessage, from_json
from evreview.kinds.asyncapi.reader_servers import AVRO_KEY, PayloadLanguage, payload_facet
from evreview.messages.routing import children_of

# Parts of messages in a language of their own: each is a contract of that language inside the message.

LANGUAGE: Final = "language"
"""Where a witness names the language of its payload."""


class PartLanguage(NamedTuple):
    """How a part of a message is read: its kind of contract, the file that it is read as, and its place in bindings.

    Attributes:
        kind: of the contract that the part is.
        file: its name.
        binding: where a message carries it below `bindings`, "" for the payload.
        is_text: True where a text is the contract itself, and no JSON text.
    """

    kind: ContractKind
    file: str
    binding: str = ""
    is_text: bool = False

    def carried(self, value: Json) -> dict[str, Json]:
        """The part as a member of a message."""
        return {"bindings": {self.binding: value}} if self.binding else {"payload": value}

    def of(self, message: Mapping[str, Json]) -> Json | Absent:
        """The part of a message, ABSENT where it has none."""
        bindings = message.get("bindings", {})
        holder = bindings if self.binding else message
        return holder.get(self.binding or "payload", ABSENT) if isinstance(holder, Mapping) else ABSENT


SPOKEN: Final[Mapping[str, PartLanguage]] = {
    payload_facet(PayloadLanguage.AVRO): PartLanguage(ContractKind.AVRO, "payload.avsc"),
    payload_facet(PayloadLanguage.PROTOBUF): PartLanguage(ContractKind.PROTOBUF, "payload.proto", is_text=True),
    AVRO_KEY: PartLanguage(ContractKind.AVRO, "key.avsc", "kafka key"),
}
"""By the facet that holds the description."""


def spoken(facet: str, payload: Form, specs: Specs) -> Contract:
    """The contract that a payload is.

    Raises:
        BadInput: it can't be read.
    """
    told = SPOKEN[facet]
    data = (payload if told.is_text and isinstance(payload, str) else json.dumps(payload)).encode()
    spec = specs(told.kind)
    with without_gc():
        return spec.as_payload(spec.read_as_named(Files(told.file, _only(told.file, data), ())))


def _only(file: str, data: bytes) -> Load:
    def load(name: str) -> bytes:
        if name != file:
            raise FileNotFoundError(name)
        return data

    return load


def payloads(sides: tuple[Contract, Contract], witness: Mapping[str, Json], specs: Specs) -> tuple[Contract, Contract]:
    """What describes the part that a witness is about, from both contracts.

    Raises:
        ValueError: the contracts have no such messages.
    """
    message, facet = witness.get("message"), _facet(witness)
    if not facet or not isinstance(message, Mapping):
        raise ValueError("the witness names no language that payloads are read in")
    event = from_json({"payload": None, **message})
    found = [
        spoken(facet, _described(side, name, event, facet), specs)
        for side, name in zip(sides, ("released", "candidate"), strict=True)
    ]
    return found[0], found[1]


def part(witness: Mapping[str, Json]) -> Json:
    """What a witness carries in a language of its own."""
    message, facet = witness.get("message"), _facet(witness)
    found = SPOKEN[facet].of(message) if facet and isinstance(message, Mapping) else ABSENT
    return None if isinstance(found, Absent) else found


def _facet(witness: Mapping[str, Json]) -> str:
    """The facet that describes what a witness carries, "" for no such witness."""
    message, language = witness.get("message"), witness.get(LANGUAGE)
    if not isinstance(message, Mapping):
        return ""
    fits = (name for name, each in SPOKEN.items() if each.kind == language and each.of(message) is not ABSENT)
    return next(fits, "")


def _described(contract: Contract, side: str, event: EventMessage, facet: str) -> Form:
    """What one contract says of the part."""
    for operation in contract.operations:
        if operation.name.partition(" ")[2] == event.address and operation.name.startswith(f"{event.action} "):
            for message in _messages_of(operation, reply=event.reply):
                found = next((said for each in holders(message) if (said := each.facet(facet)) is not None), None)
                if message.key == event.names.get(side) and found is not None and not isinstance(found, Absent):
                    return found
    raise ValueError(f"the {side} contract has no such message")


def holders(message: Element) -> tuple[Element, ...]:
    """The elements of a message that may hold a description in a language of its own."""
    return (message, *children_of(message, ElementKind.BINDING))


def _messages_of(operation: Element, *, reply: bool) -> list[Element]:
    holding = children_of(operation, ElementKind.REPLY) if reply else (operation,)
    return [each for holder in holding for each in children_of(holder, ElementKind.MESSAGE)]


OTHER_WAY: Final = "the data that was found shows the other direction only"
_UNREAD: Final = "The payload can't be read: {found}."


def embedded(found: JudgedComparison, specs: Specs, *, witnesses: bool) -> JudgedComparison:
    """The comparison with the rows of payloads' own languages in place of the one that says that they differ."""
    ledger, rows, noise = found
    made: list[JudgedRow] = []
    quiet, unread = list(noise), list(ledger.unread)
    for row in rows:
        delta = row.delta
        if delta.facet not in SPOKEN or delta.change is not Change.CHANGED or delta.direction is None:
            made.append(row)
            continue
        try:
            inner = _looked_into(row, ledger, specs, witnesses=witnesses)
        except BadInput as error:
            told = "; ".join(problem.found for problem in error.problems)
            why = f"{row.judgement.why} {_UNREAD.format(found=told)}"
            made.append(JudgedRow(delta, replace(row.judgement, why=why), _Settled(), row.proof))
            continue
        unread += inner.ledger.unread
        made += inner.rows
        quiet += inner.noise if inner.rows else [Noise(delta=delta, reason=NoiseReason.RESPELLED)]
    if len(made) == len(rows) and all(one is other for one, other in zip(made, rows, strict=True)):
        return found
    made.sort(key=lambda row: row.delta.address)
    deltas = tuple(row.delta for row in made)
    return JudgedComparison(replace(ledger, deltas=deltas, unread=tuple(unread)), tuple(made), tuple(quiet))


def _looked_into(row: JudgedRow, ledger: Ledger, specs: Specs, *, witnesses: bool) -> JudgedComparison:
    """The rows and noise of a payload's language, with the ledger that says what of it could not be read.

    Raises:
        BadInput: a payload that can't be read at all.
    """
    facet, spec = row.delta.facet, specs(SPOKEN[row.delta.facet].kind)
    sides = spoken(facet, row.delta.released, specs), spoken(facet, row.delta.candidate, specs)
    inner = diff_contracts(*sides, spec)
    prover = spec.prover(inner, witnesses=witnesses)
    if prover is None:
        raise AssertionError(f"{spec.kind} has no prover")
    outer = _Outer(row, ledger, prover)
    return JudgedComparison(
        replace(inner, unread=tuple(outer.unread(each) for each in inner.unread)),
        tuple(outer.row(each) for each in classified_types(inner, prover)),
        tuple(Noise(delta=outer.moved(each.delta), reason=each.reason) for each in inner.noise),
    )


class _Settled:
    """Proves nothing more: the proof of its row is known."""

    def proof(self, delta: Delta) -> Proof:
        """Never asked."""
        raise AssertionError(delta.id)


class _Outer:
    """Puts the rows of one payload below its message."""

    def __init__(self, row: JudgedRow, ledger: Ledger, prover: KindProver) -> None:
        self._about, self._ledger, self._prover = row.delta, ledger, prover
        self._contracts = (ledger.released, ledger.candidate)

    def row(self, inner: JudgedRow) -> JudgedRow:
        """A row of the language, at the message and in its direction."""
        moved = self.moved(inner.delta)
        return JudgedRow(moved, self._directed(inner.judgement), _Settled(), self._proof(inner, moved))

    def moved(self, delta: Delta) -> Delta:
        """A difference of the payload as one of the message."""
        about = self._about
        identity = hashlib.sha256(f"{about.id} {delta.id}".encode()).hexdigest()[:12]
        return replace(
            delta,
            id=DeltaId(f"D-{identity}"),
            operation=about.operation,
            operations=about.operations,
            address=Address(f"{about.address} > {delta.address}" if delta.address else about.address),
            role=about.role,
            direction=about.direction,
            released_place=self._place(0, delta.released_place, about.released_place),
            candidate_place=self._place(1, delta.candidate_place, about.candidate_place),
        )

    def unread(self, found: UnsupportedConstruct) -> UnsupportedConstruct:
        """What of a payload was not read, at its place in the released contract or the candidate."""
        return replace(found, place=self._about.released_place or self._about.candidate_place or found.place)

    def _directed(self, judged: Classification) -> Classification:
        """The judgement for the direction of the message."""
        reads = self._about.direction is Direction.READ
        accepts = judged.accepts_old_requests if reads else Tristate.NOT_APPLICABLE
        emits = Tristate.NOT_APPLICABLE if reads else judged.emits_old_compatible
        decided = Decision(accepts_old_requests=accepts, emits_old_compatible=emits, proof=unproven(""))
        return replace(
            judged, accepts_old_requests=accepts, emits_old_compatible=emits, verdict=verdict_of(decided), planes=()
        )

    def _place(self, at: int, inner: Place | None, outer: Place | None) -> Place | None:
        """Where a part of a payload is written: below the payload, where that is JSON and written in place."""
        if inner is None or outer is None or not inner.pointer.startswith("/"):
            return outer
        place = Place(outer.file, outer.pointer + inner.pointer)
        node = follow(self._contracts[at].documents.get(place.file), place.pointer)
        return outer if node is None or not isinstance(node, (dict, list, str, int, float)) else place

    def _proof(self, inner: JudgedRow, moved: Delta) -> Proof:
        writer = 0 if self._about.direction is Direction.READ else 1
        known = self._prover.one_way(inner.delta, writer) if isinstance(self._prover, DirectionalProver) else None
        proof = known or inner.proof
        if proof.status is not ProofStatus.WITNESSED or not isinstance(proof.witness, Mapping):
            return replace(proof, command="") if proof.command else proof
        if proof.witness.get("accepted_by") != ("released", "candidate")[writer]:
            return unproven(OTHER_WAY)
        paths = [contract.path for contract in self._contracts]
        return replace(proof, witness=self._carried(proof.witness), command=replay_command(paths, moved.id))

    def _carried(self, witness: Mapping[str, Json]) -> Json:
        """The witness as a whole message: the language's own message is its payload."""
        names, content_type, operation, reply = self._message()
        event: dict[str, Json] = {
            "kind": "event",
            "action": operation.name.partition(" ")[0],
            "address": operation.name.partition(" ")[2],
            "message": names,
        }
        event |= {"reply": True} if reply else {}
        event |= {"content_type": content_type} if content_type else {}
        language = SPOKEN[self._about.facet]
        return {
            **witness,
            "message": {**event, **language.carried(witness.get("message"))},
            LANGUAGE: language.kind.value,
        }

    def _message(self) -> tuple[dict[str, Json], str, Element, bool]:
        """The message by side, its content type, and the operation as the writer's contract names it."""
        writer = 0 if self._about.direction is Direction.READ else 1
        names: dict[str, Json] = {}
        told = ("", self._ledger.released.root, False)
        for at, side in enumerate(("released", "candidate")):
            found = next(_holding(self._contracts[at], self._about, at), None)
            if found is not None:
                operation, message, reply = found
                names[side] = message.key
                told = (str(message.facet("contentType") or ""), operation, reply) if at == writer else told
        return names, *told


def _holding(contract: Contract, about: Delta, at: int) -> Iterator[tuple[Element, Element, bool]]:
    """The messages of one side that a row is about, with their operation, and whether they are replies."""
    place, value = ((about.released_place, about.released), (about.candidate_place, about.candidate))[at]
    for operation in contract.operations:
        for message, reply in _messages(operation.children) if operation.key in about.operations else ():
            inside = place is not None and place.file == message.place.file
            held = any(each.facet(about.facet) == value for each in holders(message))
            if inside and message.direction is about.direction and held:
                yield operation, message, reply


def _messages(elements: Sequence[Element], *, reply: bool = False) -> Iterator[tuple[Element, bool]]:
    for element in elements:
        if element.kind is ElementKind.MESSAGE:
            yield element, reply
        elif element.kind is ElementKind.REPLY:
            yield from _messages(element.children, reply=True)
