"""Proofs with whole messages: a value's witness gets the message that carries it, a row about no values may get one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.proof.outcome import (
    UNCOMPUTED,
    Proof,
    ProofReason,
    RefusedValue,
    placed_value,
    proved,
    replay_command,
    unproven,
)
from evreview.contract.model import Contract
from evreview.core.vocabulary import Direction, Json, ProofMethod, ProofStatus
from evreview.kinds.openapi.prover_structure import TOO_MUCH, Messages, shadowed_request, structural
from evreview.messages.bodies import HIDDEN, UnsentMembers, hidden

_MOST_POSITIONS: Final = 4


class MessageProver:
    """Makes message witnesses of one comparison."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._contracts = (released, candidate)
        self._messages = Messages(released, candidate)
        self._keepers: dict[tuple[int, Direction | None], UnsentMembers | None] = {}

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof of a value's witness with the message that carries it.

        Unproven where every message that carries such a value is admitted by both contracts, or none can carry it: what
        the wire does not tell apart breaks nobody. Without a message where the format has no codec here.

        Args:
            proof: witnessed by a value.
            found: the values and their positions, the best first.
        """
        if self._messages.exhausted:
            return unproven(TOO_MUCH)
        reason, fallback = "", None
        first = () if proof.found is None else (proof.found,)
        for each in islice(chain(first, islice(found, len(first), None)), _MOST_POSITIONS):
            position = each.root.position
            sent = self._sent(each)
            if sent is None:
                reason = reason or HIDDEN
                continue
            sides = (position.released, position.candidate)
            carried = self._messages.carrying(sides, sent.value, delta, position.operation)
            if carried.witness is not None:
                command, realism = self._command(delta), each.realism
                return replace(proof, witness=carried.witness, command=command, realism=realism)
            if not carried.refuted and fallback is None:
                fallback = self._without_message(delta, proof, sent, carried.reason)
            reason = reason or carried.reason
        return fallback or (unproven(f"no message shows the difference: {reason}") if reason else proof)

    def _sent(self, found: RefusedValue) -> RefusedValue | None:
        """The value as its sender sends it, None where members have to go and it shows the row no longer for sure.

        What both contracts keep back, neither of them misses. What the sender's contract demands all the same is sent.
        """
        position = found.root.position
        direction, sides = position.released.direction, (position.released.value, position.candidate.value)
        kept = []
        for contract, where in zip(self._contracts, sides, strict=True):
            key = (id(contract), direction)
            if key not in self._keepers:
                self._keepers[key] = hidden(contract, direction)
            keeper = self._keepers[key]
            kept.append(found.value if keeper is None or where is None else keeper.without(where, found.value))
        mine, theirs = kept if direction is Direction.READ else kept[::-1]
        where = sides[0] if direction is Direction.READ else sides[1]
        judge = self._messages.sides(direction)[0].acceptor.judge
        if mine == found.value or where is None or judge.errors(where, direction, mine) != ():
            return found
        return replace(found, value=mine) if found.alone and mine == theirs else None

    def _without_message(self, delta: Delta, proof: Proof, found: RefusedValue, why: str) -> Proof:
        """The proof by the value alone, which says where it stands on both sides."""
        reason = f"{proof.reason}; without a whole message: {why}"
        return replace(proof, witness=placed_value(proof, found), command=self._command(delta), reason=reason)

    def structural(self, delta: Delta) -> Proof:
        """The proof of a row about no set of values: a message, or the rule alone with the reason."""
        if self._messages.exhausted:
            return replace(UNCOMPUTED, reason=f"{ProofReason.BY_RULE}: {TOO_MUCH}")
        replaced = comparison_delta.TAKES_OVER in delta.facts
        found = (shadowed_request if replaced else structural)(self._messages, delta)
        if found.refuted:
            return proved(found.reason) if replaced else unproven(found.reason)
        if found.witness is None:
            reason = f"{ProofReason.BY_RULE}: {found.reason}"
            return Proof(
                status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=reason
            )
        read_twice = "read_as" in found.witness if isinstance(found.witness, Mapping) else False
        return Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.ENCODING if read_twice else ProofMethod.VALIDATION,
            witness=found.witness,
            command=self._command(delta),
            reason=found.reason or _said(found.witness),
            realism=found.realism,
        )

    def _command(self, delta: Delta) -> str:
        return replay_command([contract.path for contract in self._contracts], delta.id)


def _said(witness: Json) -> str:
    sides = witness if isinstance(witness, Mapping) else {}
    accepting, refusing = sides.get("accepted_by"), sides.get("refused_by")
    return f"a message that the {accepting} contract admits and the {refusing} contract refuses"
