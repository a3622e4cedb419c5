"""Approval gates: who must have said yes, in which order, having seen what. Pure; people answer, not code."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Remedy
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import (
    AdoptionRecord,
    DeprecationNotice,
    RollbackDrill,
    RolloutRecord,
    UsageMetrics,
    window_end,
)
from evreview.evidence.records.reference import ContractApproval
from evreview.evidence.records.review import Approval, Disposition, ExecutionPlan, Record, Roles, day_of
from evreview.report.statement import Statement, limited, observed


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


UNKNOWN_ROLE: Final = "unknown role"
UNKNOWN_OWNER: Final = "unknown owner"
_NOBODY: Final = frozenset({"", UNKNOWN_ROLE, UNKNOWN_OWNER})
"""The role of a seat for which the review names nobody."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One approval that a gate needs: a capacity, the role that holds it, and the client for a client owner."""

    stands_for: str
    role: str
    client: str = ""

    @property
    def is_named(self) -> bool:
        """True where the review names a role for it."""
        return self.role not in _NOBODY

    def __str__(self) -> str:
        role = self.role or f"unnamed {self.stands_for.replace('-', ' ')}"
        return f"{role} for client {self.client}" if self.client else role


@dataclass(frozen=True, slots=True)
class Unmet:
    """What a gate lacks besides answers, as clause, and the role that mends it: "" for whoever prepares the review."""

    text: str
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A gate in one run.

    Attributes:
        spec: its definition.
        state: open, approved, rejected or not needed.
        seats: who has to answer.
        approvals: the valid answers, in the order recorded.
        missing: what keeps it from being approved, in words.
        waiting: the seats whose answer is missing or lacks something, in order.
        faults: of what is missing all that is more than an answer which nobody gave yet.
        about: the digest of what an answer is about, "" where none is asked for.
        lacks: of what is missing that which the answer of each seat would have to mend, by seat.
        unmet: of what is missing that which no answer mends.
    """

    spec: GateSpec
    state: GateState
    seats: tuple[Seat, ...]
    approvals: tuple[Approval, ...] = ()
    missing: tuple[str, ...] = ()
    waiting: tuple[Seat, ...] = ()
    faults: tuple[str, ...] = ()
    about: str = ""
    lacks: tuple[tuple[Seat, tuple[str, ...]], ...] = ()
    unmet: tuple[Unmet, ...] = ()

    def lacks_of(self, seat: Seat) -> tuple[str, ...]:
        """What is missing as far as one seat's answer is concerned."""
        return next((found for each, found in self.lacks if each == seat), ())


def answer_first(gate: Gate, seat: Seat) -> tuple[Seat, ...]:
    """The seats of an earlier stage that still have to answer: an approval given before theirs never counts."""
    stages = gate.spec.stages
    at = next((number for number, stage in enumerate(stages) if seat.stands_for in stage), 0)
    earlier = {capacity for stage in stages[:at] for capacity in stage}
    return tuple(each for each in gate.waiting if each.stands_for in earlier)


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
    unmet: tuple[Unmet, ...] = ()
    if rejected:
        state, missing, faults = GateState.REJECTED, rejected, rejected
        waiting = [seat for seat, found in answers.items() if found and found.decision == "rejected"]
        lacks = {seat: [f"{seat} rejected it"] for seat in waiting}
    else:
        lacks = {
            seat: _late(seat, own[seat], as_of)
            or [*_lacks(spec, seat, found, about), *_early(seat, found, dated, as_of)]
            for seat, found in answers.items()
        }
        waiting = [seat for seat, found in lacks.items() if found]
        if spec.any_one and len(waiting) < len(lacks):
            waiting = []
        missing = _one_of(answers, lacks) if spec.any_one else [part for found in lacks.values() for part in found]
        early, unseated = _out_of_order(spec, answers), _unseated(spec, party, approvals, own, as_of)
        stray = [told for _, told in early] + [each.text for each in unseated]
        missing += stray
        faults = [part for seat in waiting if own[seat] or not seat.role for part in lacks[seat]] + stray
        for seat, told in early:
            lacks[seat] = [*lacks[seat], told]
            waiting += [] if seat in waiting else [seat]
        unmet = tuple(unseated)
        state = GateState.OPEN if missing else GateState.APPROVED
    return Gate(spec=spec, state=state, seats=tuple(seats), approvals=given, missing=tuple(missing),
                waiting=tuple(waiting), faults=tuple(faults), about=about,
                lacks=tuple((seat, tuple(found)) for seat, found in lacks.items()), unmet=unmet)  # fmt: skip


def lacking(gate: Gate, unmet: Iterable[Unmet]) -> Gate:
    """The gate with what it lacks besides answers: nobody can have reviewed what is not there."""
    lacks = tuple(unmet)
    told = tuple(each.text for each in lacks)
    state = GateState.OPEN if lacks and gate.state is GateState.APPROVED else gate.state
    return replace(gate, state=state, missing=(*gate.missing, *told), faults=(*gate.faults, *told),
                   unmet=(*gate.unmet, *lacks))  # fmt: skip


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
) -> list[Unmet]:
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
        Unmet(f"{Seat(capacity, role, client)} rejected it as {_apart(capacity)}", role)
        for (role, capacity, client), answer in strays.items()
        if answer.decision == "rejected" and (role in roles or capacity in capacities)
    ]


def _apart(capacity: str) -> str:
    return f"{capacity.replace('-', ' ')}, which it is not in this review"


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
    if answer is None or not seat.is_named:  # nobody holds the seat, whoever answered under the word for that
        return [f"{seat} has not answered"]
    unseen = [item for item in spec.reviewed if item not in answer.reviewed]
    lacks = [f"{seat} did not review: {', '.join(unseen)}"] if unseen else []
    if about and about not in seen_by(answer):
        told = f"about another content, {_short(answer.of)}" if answer.of else "without naming what it saw under `of`"
        lacks.append(f"{seat} answered {told}; to be seen is {_short(about)}")
    return lacks


def _short(digest: str) -> str:
    """As much of a digest as tells it from another; the register of gates and decisions.yaml have it whole."""
    return _DIGEST.sub(r"\1", digest)


_DIGEST: Final = re.compile(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}")


def unanswered(gates: Iterable[Gate]) -> Iterator[Statement]:
    """What keeps each gate open. It rests on what is not in decisions.yaml, so no evidence item can be cited for it."""
    for gate in gates:
        if gate.state in (GateState.OPEN, GateState.REJECTED):
            for missing in gate.missing:
                remedy = None if missing in gate.faults else Remedy.ANSWER
                yield limited(f"{gate.spec.title}: ", UserText(missing.rstrip(".")), ".", remedy=remedy)


def seen_by(answer: Approval) -> frozenset[str]:
    """What an answer names as seen: the items it lists, and the digest under `of`."""
    return frozenset({*answer.reviewed, answer.of} if answer.of else answer.reviewed)


_WHEN: Final = {True: "before", False: "at the same time as"}
"""Nobody can have seen an answer that was given in the same moment."""


def _out_of_order(spec: GateSpec, answers: dict[Seat, Approval | None]) -> list[tuple[Seat, str]]:
    problems: list[tuple[Seat, str]] = []
    for earlier, later in zip(spec.stages, spec.stages[1:], strict=False):
        before = [(seat, found) for seat, found in answers.items() if found and seat.stands_for in earlier]
        for seat, found in answers.items():
            if not found or seat.stands_for not in later:
                continue
            problems += [(seat, f"{seat} answered {_WHEN[found.at < answer.at]} {other}") for other, answer in before
                         if found.at <= answer.at]  # fmt: skip
    return problems


# Who has to answer a gate, by the roles that `review.yaml` names.


def named_seats(spec: GateSpec, roles: Roles) -> tuple[Seat, ...]:
    """One seat per capacity with the role that holds it.

    Of a gate that one capacity can answer, the capacities without a role are left out while another has one.
    """
    held = {
        "api-owner": roles.api_owner,
        "release-manager": roles.release_manager,
        "security-owner": roles.security_owner,
        "privacy-owner": roles.privacy_owner,
        "sandbox-owner": roles.sandbox_owner,
    }
    capacities = [capacity for stage in spec.stages for capacity in stage]
    known = [capacity for capacity in capacities if held.get(capacity)] if spec.any_one else capacities
    return tuple(Seat(capacity, held.get(capacity) or "") for capacity in known or capacities[:1])


def party(roles: Roles) -> frozenset[str]:
    """Every role that the review names."""
    return frozenset(role for role in roles.model_dump().values() if role)


# What an answer is about: one digest over everything that the gate lists as reviewed.


def digest_of(items: Iterable[EvidenceItem], *told: str) -> str:
    """`sha256:…` over the items with all their files and what is stated of them, and over `told`."""
    lines = [
        f"{item.id} {item.type} {item.sha256} {sorted(item.parts.items())} {item.integrity!r} {item.establishes!r}"
        for item in items
    ]
    return f"sha256:{hashlib.sha256(chr(10).join([*lines, *told]).encode()).hexdigest()}"


def plan_digest(bundle: Bundle, plan: Cited[ExecutionPlan]) -> str:
    """The digest of a plan as supplied, with the digests of the files that it names."""
    return f"sha256:{bundle.items[plan.citation.id].sha256}"


def unbound_files(bundle: Bundle, plan: ExecutionPlan) -> tuple[str, ...]:
    """Why an approval of the plan does not cover the files that it copies, as clauses; none when it does."""
    return tuple(_unbound(bundle, plan))


def _unbound(bundle: Bundle, plan: ExecutionPlan) -> Iterable[str]:
    for entry in plan.files:
        supplied = bundle.items[entry.item].sha256
        if entry.sha256 is None:
            yield f"the plan does not name the digest of {entry.item}, which it copies, so nobody can have approved it"
        elif entry.sha256.removeprefix("sha256:").lower() != supplied:
            yield f"the plan copies another content of {entry.item} than the one supplied, sha256:{supplied}"


def binding(gates: Iterable[Gate], on: tuple[Citation, ...]) -> Iterable[Statement]:
    """The digest that an answer to each gate names; `on` is what the digests are over."""
    for gate in gates:
        if gate.state is not GateState.NOT_NEEDED and gate.about:
            yield observed(f"{gate.spec.title}: an answer names ", UserText(gate.about), " under ", UserText("of"),
                           ", and lapses with it.", on=on)  # fmt: skip


# When what a gate lists as reviewed came to be: nobody can have seen what is dated after their answer.


MOST_NAMED: Final = 6
"""Later items that one sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Something that an answer is about, and when it is of: the day in UTC, and the time where one is known."""

    what: str
    day: str
    at: datetime | None = None

    def after(self, answer: datetime) -> bool:
        """True when it is later than an answer; of one day only a time tells."""
        return self.day > day_of(answer) or (self.at is not None and self.at > answer)

    def __str__(self) -> str:
        return f"{self.what} of {_written(self.at) if self.at else self.day}"


def late_for(dated: Iterable[Dated], answer: datetime, as_of: str) -> str:
    """Why an answer of that time saw not everything, as a clause with both dates; "" when it can have seen it.

    Args:
        dated: what was reviewed.
        answer: when the answer was given.
        as_of: the review's date, "" for none; what is later counts for nothing, so nobody has to have seen it.
    """
    late = {each.what: str(each) for each in sorted(dated, key=lambda each: each.day)
            if each.after(answer) and (not as_of or each.day <= as_of)}  # fmt: skip
    if not late:
        return ""
    more = f" and {len(late) - MOST_NAMED} more" if len(late) > MOST_NAMED else ""
    named = ", ".join(list(late.values())[:MOST_NAMED])
    return f"answered at {_written(answer)} without having seen what came later: {named}{more}"


def dates_of(items: Iterable[EvidenceItem]) -> Iterator[Dated]:
    """Every date by which the records of some items say when something happened."""
    for item in items:
        if item.record is not None:
            yield from (_named(item, what, when) for what, when in _moments(item.record))


def disposed_at(dispositions: Iterable[Disposition]) -> Iterator[Dated]:
    """When each disposition was recorded."""
    for entry in dispositions:
        yield _at(f"the disposition of {entry.subject}", entry.at)


def started(what: str, written: str) -> Iterator[Dated]:
    """When a run started, as its output has it; nothing for a text that is no time."""
    try:
        moment = datetime.fromisoformat(written.strip())
        yield _at(what, moment) if moment.tzinfo else Dated(what=what, day=moment.date().isoformat())
    except (ValueError, OverflowError):
        return


def _named(item: EvidenceItem, what: str, when: datetime | str) -> Dated:
    told = f"{what} in {item.id}"
    return Dated(what=told, day=when) if isinstance(when, str) else _at(told, when)


def _at(what: str, moment: datetime) -> Dated:
    return Dated(what=what, day=day_of(moment), at=moment)


def _moments(record: Record) -> Iterator[tuple[str, datetime | str]]:
    match record:
        case RollbackDrill():
            yield "the drill", record.on
        case DeprecationNotice() if record.given:
            yield "the notice", record.given
        case AdoptionRecord():
            yield from (("the adoption", each.at) for each in record.adoptions)
        case ContractApproval():
            yield "the contract's approval", record.at
        case UsageMetrics():
            yield from (("the end of a count", each.until.isoformat()) for each in record.counts)
        case RolloutRecord():
            if record.approval:
                yield "the rollout's approval", record.approval.at
            ends = (window_end(each.baseline.window) for each in record.signals if each.baseline)
            yield from (("the end of a baseline's window", end) for end in ends if end)


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="minutes")
