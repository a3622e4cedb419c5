"""Proofs by whole messages: what every kind's maker of them gives and says, and the command that repeats a proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from evreview.comparison.delta import Delta
from evreview.comparison.proof.outcome import UNCOMPUTED, Proof, ProofReason, RefusedValue
from evreview.contract.model import Contract
from evreview.core.quoted_text import command_line
from evreview.core.vocabulary import Json
from evreview.messages.message import Violation

SIDES: Final = ("released", "candidate")
ADMITTED: Final = "the other contract admits every message that was tried"
NOT_SENT: Final = "the sender's own contract does not admit the message"
OTHER_REASON: Final = "the other contract refuses the message, but not because of this row"
NO_ROUTE: Final = "an event is its value and has no route that could be missing"


class WholeMessages(Protocol):
    """Makes the messages of one comparison."""

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof of a value's witness with the message that carries it, or why no message shows it.

        Args:
            delta: the row.
            proof: witnessed by a value.
            found: the values and their positions, the best first.
        """

    def structural(self, delta: Delta) -> Proof:
        """The proof of a row about no set of values: a message, or the rule alone with the reason."""


class Values:
    """Messages that are nothing but a value: the witness says where its value set is written on both sides."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._paths = [released.path, candidate.path]

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof by a value that is all that a message carries."""
        if proof.found is None:
            return proof
        return replace(proof, witness=placed_value(proof, proof.found), command=replay_command(self._paths, delta.id))

    def structural(self, delta: Delta) -> Proof:
        """The rule alone: a value is sent to nowhere."""
        return replace(UNCOMPUTED, reason=f"{ProofReason.BY_RULE}: {NO_ROUTE}")


def placed_value(proof: Proof, found: RefusedValue) -> Json:
    """The witness of a value, and where its value set is written on both sides."""
    position = found.root.position
    sides = zip(SIDES, (position.released, position.candidate), strict=True)
    at = {name: str(side.value.place) for name, side in sides if side.value}
    stated = proof.witness if isinstance(proof.witness, Mapping) else {}
    return {**stated, "value": found.value, "at": at}


def replay_command(paths: Sequence[str], row: str, options: Sequence[str] = ()) -> str:
    """The command line that judges a row's witness again; a path that looks like an option is named from its folder."""
    files = [f"./{path}" if path.startswith("-") else path for path in paths]
    return command_line(["evreview", "replay", *files, row, *options])


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
