"""Approval gates: who must have said yes, in which order, having seen what. Pure; people answer, not code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum

from evreview.evidence.records.decisions import Approval


class GateState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSpec:
    """A gate as the specification defines it.

    Attributes:
        id: the name used in `decisions.yaml`.
        title: how the specification words it.
        reviewed: what an approval must list as reviewed, all of it.
        stages: the capacities that answer, in order; everybody of one stage before anybody of the next.
        names: those of `reviewed` that are words of the evidence: what exactly an answer is about.
    """

    id: str
    title: str
    reviewed: tuple[str, ...]
    stages: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """One approval that a gate needs: a capacity, the role that holds it, and the client for a client owner."""

    stands_for: str
    role: str
    client: str = ""

    def __str__(self) -> str:
        return f"{self.role} for client {self.client}" if self.client else self.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A gate in one run.

    Attributes:
        spec: its definition.
        state: open, approved, rejected or not needed.
        seats: who has to answer.
        approvals: the valid answers, in the order recorded.
        missing: what keeps it from being approved, in words.
        about: the digest of what an answer is about, "" where none is asked for.
    """

    spec: GateSpec
    state: GateState
    seats: tuple[Seat, ...]
    approvals: tuple[Approval, ...] = ()
    missing: tuple[str, ...] = ()
    about: str = ""


def judge_gate(spec: GateSpec, seats: Sequence[Seat], approvals: Sequence[Approval], as_of: str = "") -> Gate:
    """The gate's state from what people recorded.

    Args:
        spec: the gate.
        seats: who has to answer.
        approvals: everything recorded.
        as_of: the review's date, ISO; an answer of a later day is not counted yet. "" counts every answer.

    The last answer of a seat counts. An approval that does not list everything to be reviewed is no approval. An
    answer of a later stage counts only when it was given after every answer of the stage before it.
    """
    answers = {seat: _last_answer(seat, spec.id, approvals) for seat in seats}
    given = tuple(sorted((found for found in answers.values() if found), key=lambda answer: answer.at))
    rejected = [f"{seat} rejected it" for seat, found in answers.items() if found and found.decision == "rejected"]
    if rejected:
        return Gate(spec=spec, state=GateState.REJECTED, seats=tuple(seats), approvals=given, missing=tuple(rejected))
    missing = [part for seat, found in answers.items() for part in _lacks(spec, seat, found)]
    missing += [
        f"{seat} answered after the review's date {as_of}"
        for seat, found in answers.items()
        if found and as_of and found.at.astimezone(UTC).date().isoformat() > as_of
    ]
    missing += _out_of_order(spec, answers)
    state = GateState.OPEN if missing else GateState.APPROVED
    return Gate(spec=spec, state=state, seats=tuple(seats), approvals=given, missing=tuple(missing))


def _last_answer(seat: Seat, gate: str, approvals: Sequence[Approval]) -> Approval | None:
    answers = [
        answer
        for answer in approvals
        if answer.gate == gate
        and answer.stands_for == seat.stands_for
        and (answer.client or "") == seat.client
        and answer.role == seat.role
    ]
    return answers[-1] if answers else None


def _lacks(spec: GateSpec, seat: Seat, answer: Approval | None) -> list[str]:
    if answer is None:
        return [f"{seat} has not answered"]
    unseen = [item for item in spec.reviewed if item not in answer.reviewed]
    return [f"{seat} did not review: {', '.join(unseen)}"] if unseen else []


def _out_of_order(spec: GateSpec, answers: dict[Seat, Approval | None]) -> list[str]:
    problems: list[str] = []
    for earlier, later in zip(spec.stages, spec.stages[1:], strict=False):
        before = [(seat, found) for seat, found in answers.items() if found and seat.stands_for in earlier]
        for seat, found in answers.items():
            if not found or seat.stands_for not in later:
                continue
            problems += [f"{seat} answered before {other}" for other, answer in before if found.at <= answer.at]
    return problems
