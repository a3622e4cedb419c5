"""A witness judged once more, from nothing but both contracts and the message, by whichever validator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evreview.contracts.model import Contract
from evreview.proof.messages.accept import Acceptance, Acceptor
from evreview.proof.messages.message import Message, from_json
from evreview.shapes.check import SchemaCheck
from evreview.vocab import Answer, Json

SIDES = ("released", "candidate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What both contracts say of a witness's message.

    Attributes:
        message: as retained.
        released, candidate: what each contract says of it.
        accepted_by, refused_by: what the witness claims.
        part: for a witness that is read as two different values, the part of the message; "" for all others.
    """

    message: Message
    released: Acceptance
    candidate: Acceptance
    accepted_by: str
    refused_by: str
    part: str = ""

    @property
    def confirmed(self) -> bool:
        """True when the contracts say what the witness claims."""
        accepting, refusing = self.side(self.accepted_by), self.side(self.refused_by)
        if accepting.accepted is not Answer.YES:
            return False
        if not self.part:
            return refusing.accepted is Answer.NO
        missing = self.part not in accepting.read or self.part not in refusing.read
        return not missing and accepting.read[self.part] != refusing.read[self.part]

    def side(self, name: str) -> Acceptance:
        """What the contract of a side says."""
        return self.released if name == "released" else self.candidate


def replay(released: Contract, candidate: Contract, witness: Json, check: SchemaCheck) -> Replayed:
    """The message of a witness, judged by both contracts.

    Args:
        released, candidate: read anew.
        witness: as a ledger row carries it.
        check: the validator.

    Raises:
        ValueError: the witness holds no message, or not the sides that it claims.
    """
    if not isinstance(witness, Mapping) or "message" not in witness:
        raise ValueError("the witness holds no whole message")
    claimed = [witness.get("accepted_by"), witness.get("refused_by")]
    if sorted(map(str, claimed)) != sorted(SIDES):
        raise ValueError("the witness does not say which side accepts and which refuses")
    message = from_json(witness["message"])
    violation = witness.get("violation")
    part = violation.get("in") if "read_as" in witness and isinstance(violation, Mapping) else ""
    return Replayed(
        message=message,
        released=Acceptor(released, check, whole=True).accepts(message),
        candidate=Acceptor(candidate, check, whole=True).accepts(message),
        accepted_by=str(claimed[0]),
        refused_by=str(claimed[1]),
        part=str(part),
    )
