"""Approval gates: who must have said yes, in which order, having seen what. Pure; people answer, not code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evreview.evidence.records.review import Approval, day_of
from evreview.workflow.dated import Dated, late_for


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
        any_one: True when one of the capacities is enough. A no of another one stands all the same.
    """

    id: str
    title: str
    reviewed: tuple[str, ...]
    stages: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()
    any_one: bool = False


LOCAL: Final = GateSpec(
    id="execute-locally",
    title="Before executing anything of the bundle in isolation",
    reviewed=("isolated target", "test data"),
    stages=(("sandbox-owner", "security-owner"),),
    any_one=True,
)
ACTIVE: Final = GateSpec(
    id="execute-locally",
    title="Before any active testing, including local fixtures",
    reviewed=(
        "isolated target",
        "revision",
        "method",
        "expected traffic",
        "test data",
        "network boundary",
        "stop conditions",
        "cleanup",
        "rollback evidence",
    ),
    stages=(("security-owner",),),
)
MUTATE: Final = GateSpec(
    id="execute-mutating-example",
    title="Before executing a mutating example",
    reviewed=("isolated target", "test data", "rollback or cleanup", "acceptable side effects"),
    stages=(("sandbox-owner",),),
)


@dataclass(frozen=True, slots=True)
class Seat:
    """One approval that a gate needs: a capacity, the role that holds it, and the client for a client owner."""

    stands_for: str
    role: str
    client: str = ""

    def __str__(self) -> str:
        role = self.role or f"unnamed {self.stands_for.replace('-', ' ')}"
        return f"{role} for client {self.client}" if self.client else role


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


def judge_gate(  # noqa: PLR0913  all that a gate is judged by
    spec: GateSpec,
    seats: Sequence[Seat],
    approvals: Sequence[Approval],
    as_of: str = "",
    about: str = "",
    party: Collection[str] = (),
    dated: Collection[Dated] = (),
) -> Gate:
    """The gate's state from what people recorded.

    Args:
        spec: the gate.
        seats: who has to answer.
        approvals: everything recorded.
        as_of: the review's date, ISO; an answer of a later day does not count. "" counts every answer.
        about: the digest of everything that the gate lists as reviewed, "" where answers are told apart before.
        party: further roles that the review names: a no of theirs stands too, whatever capacity it was given in.
        dated: what was reviewed, with its dates: an approval given before one of them cannot have seen it, and is none.

    The last answer of a seat counts, and a no stands until the same seat answers again. An approval that does not list
    everything to be reviewed, or that does not name `about`, is no approval. An answer of a later stage counts only
    when it was given after every answer of the stage before it.
    """
    own = {seat: _answers(seat, spec.id, approvals) for seat in seats}
    answers = {seat: _last(given, as_of) for seat, given in own.items()}
    given = tuple(sorted((found for found in answers.values() if found), key=lambda answer: answer.at))
    rejected = [f"{seat} rejected it" for seat, found in answers.items() if found and found.decision == "rejected"]
    if rejected:
        state, missing = GateState.REJECTED, rejected
    else:
        lacks = {
            seat: _late(seat, own[seat], as_of)
            or [*_lacks(spec, seat, found, about), *_early(seat, found, dated, as_of)]
            for seat, found in answers.items()
        }
        missing = _one_of(answers, lacks) if spec.any_one else [part for found in lacks.values() for part in found]
        missing += _out_of_order(spec, answers) + _unseated(spec, party, approvals, own, as_of)
        state = GateState.OPEN if missing else GateState.APPROVED
    return Gate(spec=spec, state=state, seats=tuple(seats), approvals=given, missing=tuple(missing), about=about)


def _one_of(answers: Mapping[Seat, Approval | None], lacks: Mapping[Seat, list[str]]) -> list[str]:
    """What is missing where one seat is enough: nothing, what the answers lack, or that nobody answered."""
    if not all(lacks.values()):
        return []
    given = [part for seat, found in lacks.items() if answers[seat] for part in found]
    told = [part for seat, found in lacks.items() if not answers[seat] and not seat.role for part in found]
    return given or told or [f"{' or '.join(map(str, answers))} has not answered"]


def _answers(seat: Seat, gate: str, approvals: Sequence[Approval]) -> tuple[Approval, ...]:
    """The answers of a seat. Where the review names nobody for it, a yes is nobody's, and a no of that seat stands."""
    return tuple(
        answer
        for answer in approvals
        if answer.gate == gate
        and answer.stands_for == seat.stands_for
        and (answer.client or "") == seat.client
        and (answer.role == seat.role or (not seat.role and answer.decision == "rejected"))
    )


def _unseated(
    spec: GateSpec,
    party: Collection[str],
    approvals: Sequence[Approval],
    own: Mapping[Seat, Sequence[Approval]],
    as_of: str,
) -> list[str]:
    """Noes that no seat takes: of a role of the review, or for a capacity that has a seat. They are settled by people.

    The last answer of the same role in the same capacity counts here too.
    """
    taken = [answer for given in own.values() for answer in given]
    strays: dict[tuple[str, str, str], Approval] = {}
    for answer in approvals:
        if answer.gate == spec.id and answer not in taken and (not as_of or day_of(answer.at) <= as_of):
            strays[answer.role, answer.stands_for, answer.client or ""] = answer
    roles, capacities = {seat.role for seat in own} | set(party), {seat.stands_for for seat in own}
    return [
        f"{Seat(capacity, role, client)} rejected it as {capacity.replace('-', ' ')}, which it is not in this review"
        for (role, capacity, client), answer in strays.items()
        if answer.decision == "rejected" and (role in roles or capacity in capacities)
    ]


def _last(answers: Sequence[Approval], as_of: str) -> Approval | None:
    counted = [answer for answer in answers if not as_of or day_of(answer.at) <= as_of]
    return counted[-1] if counted else None


def _late(seat: Seat, answers: Sequence[Approval], as_of: str) -> list[str]:
    late = any(as_of and day_of(answer.at) > as_of for answer in answers)
    return [f"{seat} answered after the review's date {as_of}"] if late and not _last(answers, as_of) else []


def _early(seat: Seat, answer: Approval | None, dated: Collection[Dated], as_of: str) -> list[str]:
    early = late_for(dated, answer.at, as_of) if answer else ""
    return [f"{seat} {early}"] if early else []


def _lacks(spec: GateSpec, seat: Seat, answer: Approval | None, about: str) -> list[str]:
    if not seat.role:
        return [f"review.yaml names no {seat.stands_for.replace('-', ' ')}, so nobody can answer"]
    if answer is None:
        return [f"{seat} has not answered"]
    unseen = [item for item in spec.reviewed if item not in answer.reviewed]
    lacks = [f"{seat} did not review: {', '.join(unseen)}"] if unseen else []
    if about and about not in seen_by(answer):
        told = f"about another content, {answer.of}" if answer.of else "without naming what it saw under `of`"
        lacks.append(f"{seat} answered {told}; to be seen is {about}")
    return lacks


def seen_by(answer: Approval) -> frozenset[str]:
    """What an answer names as seen: the items it lists, and the digest under `of`."""
    return frozenset({*answer.reviewed, answer.of} if answer.of else answer.reviewed)


def _out_of_order(spec: GateSpec, answers: dict[Seat, Approval | None]) -> list[str]:
    problems: list[str] = []
    for earlier, later in zip(spec.stages, spec.stages[1:], strict=False):
        before = [(seat, found) for seat, found in answers.items() if found and seat.stands_for in earlier]
        for seat, found in answers.items():
            if not found or seat.stands_for not in later:
                continue
            problems += [f"{seat} answered before {other}" for other, answer in before if found.at <= answer.at]
    return problems
