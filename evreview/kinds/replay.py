"""A witness judged once more, from nothing but both contracts and the message, by whichever validator.

The validator judges values. Which operation, parameter, media type or credential a message has is read by the same
rules that found the witness, so that nobody else confirms a refusal that lies there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.comparison.build import dialect_of
from evreview.comparison.kind_spec import Retained
from evreview.comparison.proof.outcome import SIDES
from evreview.contract.model import Contract, Place, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Direction, Json, Tristate
from evreview.kinds.registry import spec_of
from evreview.messages.admission import AdmissionResult
from evreview.messages.message import placed
from evreview.messages.validation import Judge
from evreview.schema.validators import SchemaCheck

_ABSENT: Final = object()
"""A part that one contract finds nothing of in the message."""


@frozen(kw_only=True)
class Replayed:
    """What both contracts say of a witness's message.

    Attributes:
        message: as retained, of an event contract an event; None for a witness that is a value only.
        value: of the witness.
        released, candidate: what each contract says of it.
        accepted_by, refused_by: what the witness claims.
        part: for a witness that is read as two different values, the part of the message; "" for all others.
    """

    message: Retained | None
    value: Json
    released: AdmissionResult
    candidate: AdmissionResult
    accepted_by: str
    refused_by: str
    part: str = ""

    @property
    def confirmed(self) -> bool:
        """True when the contracts say what the witness claims."""
        accepting, refusing = self.side(self.accepted_by), self.side(self.refused_by)
        if accepting.accepted is not Tristate.YES:
            return False
        if not self.part:
            return refusing.accepted is Tristate.NO
        readings = [side.read.get(self.part, _ABSENT) for side in (accepting, refusing)]
        return refusing.accepted is Tristate.YES and readings[0] != readings[1]

    @property
    def by_validator(self) -> bool:
        """True when what the validator says of values decides, not only how the message is read here."""
        said = (*self.released.violations, *self.candidate.violations)
        return self.message is None or any(each.by_schema for each in said)

    def side(self, name: str) -> AdmissionResult:
        """What the contract of a side says."""
        return self.released if name == "released" else self.candidate


def replay(released: Contract, candidate: Contract, witness: Json, check: SchemaCheck) -> Replayed:
    """The message of a witness, judged by both contracts; of a witness without a message, its value.

    Args:
        released, candidate: read anew.
        witness: as a ledger row carries it.

    Raises:
        ValueError: the witness holds neither a message nor the place of its value, or not the sides that it claims.
    """
    if not isinstance(witness, Mapping) or not ("message" in witness or "at" in witness):
        raise ValueError("the witness holds neither a message nor the place of its value")
    claimed = [witness.get("accepted_by"), witness.get("refused_by")]
    if sorted(map(str, claimed)) != sorted(SIDES):
        raise ValueError("the witness does not say which side accepts and which refuses")
    contracts = (released, candidate)
    if "message" in witness:
        message, said = spec_of(released.kind).heard(contracts, witness["message"], check)
    else:
        message, said = None, tuple(_of_value(contracts, witness, check))
    violation = witness.get("violation")
    part = violation.get("in") if "read_as" in witness and isinstance(violation, Mapping) else ""
    return Replayed(
        message=message,
        value=witness.get("value"),
        released=said[0],
        candidate=said[1],
        accepted_by=str(claimed[0]),
        refused_by=str(claimed[1]),
        part=str(part),
    )


def _of_value(
    contracts: tuple[Contract, Contract], witness: Mapping[str, Json], check: SchemaCheck
) -> list[AdmissionResult]:
    """What the value sets at the witness's places say of its value."""
    at, value = witness["at"], witness.get("value")
    direction = Direction.READ if witness.get("accepted_by") == "released" else Direction.WRITTEN
    found = []
    for name, contract in zip(SIDES, contracts, strict=True):
        named, _, pointer = str(at.get(name) if isinstance(at, Mapping) else "").partition("#")
        # A ledger in a file names documents below the folder that its user named.
        file = max((own for own in contract.documents if f"/{named}".endswith(f"/{own}")), key=len, default=named)
        node = follow(contract.documents.get(file), pointer)
        if not isinstance(node, (dict, bool)):
            raise ValueError("the place of the witness's value is not in the contract")
        judge = Judge(contract, check, whole=True)
        found.append(_judged(judge, ValueSet(Place(file, pointer), node, dialect_of(contract)), direction, value))
    return found


def _judged(judge: Judge, where: ValueSet, direction: Direction, value: Json) -> AdmissionResult:
    errors = judge.errors(where, direction, value)
    if isinstance(errors, str):
        return AdmissionResult(accepted=Tristate.UNKNOWN, violations=(), open=(errors,), read={})
    violations = placed(errors, where, judge.source(direction), judge.contract, "value")
    answer = Tristate.NO if violations else Tristate.YES
    return AdmissionResult(accepted=answer, violations=violations, open=(), read={})
