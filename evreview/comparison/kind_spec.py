"""What a kind of contract with a type system of its own gives: verdicts computed from both sides, and witnesses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from evreview.comparison.delta import Delta
from evreview.comparison.proof.outcome import Proof
from evreview.contract.model import Contract
from evreview.core.vocabulary import Answer, Json, Plane, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What computing both sides says about a row.

    Attributes:
        accepts_old_requests, emits_old_compatible: the two producer questions; for data without a direction, whether
            the candidate reads what the released side wrote, and whether the released side reads what the candidate
            writes.
        proof: how that is known.
        planes: the verdict in each plane, for kinds where they differ.
    """

    accepts_old_requests: Answer
    emits_old_compatible: Answer
    proof: Proof
    planes: tuple[tuple[Plane, Verdict], ...] = ()


class KindProver(Protocol):
    """The proofs of one comparison, made when somebody asks."""

    def decision(self, delta: Delta) -> Decision | None:
        """What computing says of the row, None when its verdict rests on its rule."""

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row whose verdict rests on its rule: a witness of it, or why there is none."""


@runtime_checkable
class OneWay(Protocol):
    """A prover that knows each direction by itself: data of one side, read by the other."""

    def one_way(self, delta: Delta, writer: int) -> Proof | None:
        """The proof of what the released side (0) or the candidate (1) writes; None for a row that its rule judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one contract says of a witness.

    Attributes:
        accepted: whether it takes the witness as meant.
        says: in one line, what it reads, or why it refuses.
    """

    accepted: Answer
    says: str


class Replaying(Protocol):
    """Judges a retained witness of one kind once more, from both contracts read anew."""

    def __call__(self, released: Contract, candidate: Contract, witness: Json) -> tuple[Told, Told]:
        """What the released and the candidate contract say of the witness.

        Raises:
            ValueError: it is no witness of this kind.
        """
