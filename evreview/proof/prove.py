"""Verdicts about values, computed: contained, refuted by a concrete value, or openly unproven."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from evreview.ledger.delta import Delta
from evreview.ledger.ledger import Ledger
from evreview.proof.contained import Contained
from evreview.proof.outcome import (
    CONTAINED,
    CONTAINED_AS_TEXT,
    CONTAINED_DECLARED,
    UNCOMPUTED,
    Finding,
    Found,
    Proof,
    agreeing,
    unproven,
    witnessed,
)
from evreview.proof.questions import Questions
from evreview.proof.witnesses import Witnesses
from evreview.vocab import DeltaId, ProofStatus

if TYPE_CHECKING:
    from evreview.proof.messages.whole import Whole

__all__ = ["UNCOMPUTED", "Finding", "Found", "Proof", "Prover", "agreeing", "unproven", "witnessed"]


class Prover:
    """Decides the rows of one comparison; witnesses are looked for when somebody asks.

    Args:
        ledger: the rows and where they stand.
        witnesses: False to decide by containment alone and to look for no value.
    """

    def __init__(self, ledger: Ledger, *, witnesses: bool = True) -> None:
        self._asked = witnesses
        self._ledger = ledger
        questions = Questions(ledger)
        self._contained = Contained(questions)
        self._witnesses = Witnesses(questions, self._contained)
        self._proofs: dict[DeltaId, Proof] = {}

    @cached_property
    def _whole(self) -> Whole:
        """The makers of messages, loaded for the first one."""
        from evreview.proof.messages.whole import Whole

        return Whole(self._ledger.released, self._ledger.candidate)

    def finding(self, delta: Delta) -> Finding:
        """What containment says about a row; quick, no value is looked for."""
        return self._contained.finding(delta)

    def containment(self, delta: Delta) -> Proof:
        """The proof of a row that `finding` called safe."""
        if self._contained.as_text(delta):
            return CONTAINED_AS_TEXT
        return CONTAINED_DECLARED if self._contained.assumed(delta) else CONTAINED

    def doubt(self, delta: Delta) -> str:
        """What stands against deciding a row by its value sets, once `finding` was asked; "" for nothing."""
        return self._contained.doubt(delta)

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same."""
        return self._contained.differs(delta)

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row that containment left open or that is about no values: a message, or why there is none."""
        if delta.id not in self._proofs:
            self._proofs[delta.id] = self._searched(delta)
        return self._proofs[delta.id]

    def _searched(self, delta: Delta) -> Proof:
        if not self._asked:
            return self._witnesses.unasked(delta)
        found = self._witnesses.proof(delta)
        if found.status is ProofStatus.WITNESSED:
            return self._whole.carried(delta, found, self._witnesses.found(delta))
        return self._whole.structural(delta) if found.status is ProofStatus.NOT_APPLICABLE else found

    def found(self, delta: Delta) -> Iterator[Found]:
        """Every value found for a row, the best first; each position at most twice."""
        return self._witnesses.found(delta)
