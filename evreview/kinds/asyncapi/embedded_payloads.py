"""Payloads in a language of their own, compared by that language: its rows stand below the message, one way each.

What the application receives has to be read by the candidate when the released side wrote it, what it sends by the
released side when the candidate wrote it. The rows of the language are judged for the one direction that counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison.build import diff_contracts
from evreview.comparison.compare import classified_types, verdict_of
from evreview.comparison.comparison import JudgedRow
from evreview.comparison.delta import Delta, Noise
from evreview.comparison.kind_spec import Decision, DirectionalProver, JudgedComparison, KindProver, Specs
from evreview.comparison.ledger import Ledger
from evreview.comparison.noise import NoiseReason
from evreview.comparison.proof.outcome import Proof, unproven
from evreview.comparison.proof.whole_messages import replay_command
from evreview.comparison.rules.classifier import Classification
from evreview.contract.model import Contract, Element, ElementKind, Place, UnsupportedConstruct
from evreview.core.errors import BadInput
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Address, Change, DeltaId, Direction, Json, ProofStatus, Tristate
from evreview.kinds.asyncapi.part_languages import LANGUAGE, SPOKEN, holders, spoken

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
