"""The checks of a review: what ran with a retained result, what is proposed, and which rows wait for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import pandas as pd

from evreview.comparison.delta import BASE_ASPECT, Delta
from evreview.core.vocabulary import Aspect, Basis, DeltaId, Direction, EvidenceType, Role, Tristate, Verdict
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.kinds.registry import spec_of
from evreview.workflows.w1.element_lookup import concerns
from evreview.workflows.w1.facts import ClassifiedRow

COLUMNS: Final = (
    *("check", "status", "what", "command", "revision", "fixture", "result", "direction", "client"),
    *("deltas", "missing", "evidence"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The checks of a review.

    Attributes:
        executed: with all four facts retained, in the order supplied.
        proposed: everything else: named by the evidence without a result, then asked for by evreview.
        unverified: rows whose classification no executed check supports, in ledger order.
        verifying: for each row and direction, the executed checks that verify it.
        elsewhere: of the executed ones those of the service at another revision than the candidate's.
    """

    executed: tuple[Executed, ...]
    proposed: tuple[Proposed, ...]
    unverified: tuple[DeltaId, ...]
    verifying: Mapping[tuple[DeltaId, CheckedDirection], tuple[Executed, ...]] = field(default_factory=dict)
    elsewhere: tuple[Executed, ...] = ()

    def executed_for(self, delta_id: DeltaId) -> tuple[Executed, ...]:
        """The executed checks that are about one row, whatever they verify (see `verifies`)."""
        return tuple(check for check in self.executed if delta_id in check.deltas)

    def verifies(self, delta_id: DeltaId, direction: CheckedDirection) -> tuple[Executed, ...]:
        """The executed checks that verify one direction of one row, in the order supplied."""
        return self.verifying.get((delta_id, direction), ())

    def replayed(self, delta_id: DeltaId) -> tuple[Executed, ...]:
        """The passed checks of the two contracts alone, such as a replayed witness; they verify no direction."""
        return tuple(
            check for check in self.executed_for(delta_id) if check.direction == "contract" and check.result == "passed"
        )

    def proposed_for(self, delta_id: DeltaId) -> tuple[Proposed, ...]:
        """The checks that one row waits for."""
        return tuple(check for check in self.proposed if delta_id in check.deltas)


def collect(
    tests: Sequence[Cited[TestRecord]], rows: Sequence[ClassifiedRow], candidate: Iterable[str | None] | None = None
) -> Checks:
    """The executed and the proposed checks, and the rows that stay unverified.

    A recorded check that lacks command, revision, fixture or result is unexecuted. A row is unverified while no check
    verifies each direction that concerns it (see `verifying.verifies`), or while a check that the evidence names for it
    has no result. Breaking and unknown rows get a proposed check per direction that lacks one.

    Args:
        tests: the retained checks.
        rows: all rows of the comparison.
        candidate: the candidate's revisions; a check of the service at another one verifies no row. None for any.
    """
    revisions = None if candidate is None else tuple(candidate)
    recorded = [
        (check, cited.at(f"/checks/{place}"), tuple(row.delta.id for row in rows if concerns(check, row.delta)))
        for cited in tests
        for place, check in enumerate(cited.record.checks)
    ]
    executed = tuple(_executed(check, at, ids) for check, at, ids in recorded if not check.lacking)
    unexecuted = [_unexecuted(check, at, ids) for check, at, ids in recorded if check.lacking]
    waiting = {delta_id for check in unexecuted for delta_id in check.deltas}
    verifying = {
        (row.delta.id, direction): found
        for row in rows
        for direction in directions_of(row)
        if (found := tuple(check for check in executed if verifies(check, row, direction, revisions)))
    }
    open_directions = [
        (row, tuple(each for each in directions_of(row) if (row.delta.id, each) not in verifying)) for row in rows
    ]
    asked = [
        propose(row, direction)
        for row, directions in open_directions
        if row.judgement.verdict is not Verdict.COMPATIBLE
        for direction in directions
    ]
    unverified = tuple(row.delta.id for row, directions in open_directions if directions or row.delta.id in waiting)
    return Checks(
        executed=executed,
        proposed=(*unexecuted, *asked),
        unverified=unverified,
        verifying=verifying,
        elsewhere=tuple(check for check in executed if _is_elsewhere(check, revisions)),
    )


def _is_elsewhere(check: Executed, candidate: Sequence[str | None] | None) -> bool:
    """True for a check of the service at another revision; a client's parser and two contracts alone have their own."""
    own = not check.client and check.direction != "contract"
    return bool(candidate) and own and not _at(check.revision, candidate or ())


def checks_frame(checks: Checks) -> pd.DataFrame:
    """One row per check, executed ones first; key `check` within one evidence item.

    Columns, all text: check, status ("executed", "unexecuted", "proposed"), what, command, revision, fixture, result
    ("passed", "failed", "error", or "" without one), direction, client, deltas, missing (", " between several, "" for
    none), evidence (a citation or "").
    """
    ran = [
        (
            *(check.id, "executed", check.what, check.command, check.revision, check.fixture, check.result),
            *(check.direction or "", check.client, ", ".join(check.deltas), "", str(check.citation)),
        )
        for check in checks.executed
    ]
    waiting = [
        (
            *(check.id, check.status, check.what, check.command, "", "", ""),
            *(check.direction or "", check.client, ", ".join(check.deltas), ", ".join(check.missing)),
            str(check.citation or ""),
        )
        for check in checks.proposed
    ]
    return pd.DataFrame([*ran, *waiting], columns=list(COLUMNS), dtype="string")


def _executed(check: CheckResult, at: Citation, deltas: tuple[DeltaId, ...]) -> Executed:
    if check.result is None or check.result == "skipped":
        raise ValueError("a check without a result is not executed")
    return Executed(
        id=check.id,
        what=check.what,
        command=check.command or "",
        revision=check.revision or "",
        fixture=check.fixture or "",
        result=check.result,
        citation=at,
        deltas=deltas,
        direction=_direction(check),
        client=check.client or "",
        parses=check.parses or "",
        output=check.output,
    )


def _unexecuted(check: CheckResult, at: Citation, deltas: tuple[DeltaId, ...]) -> Proposed:
    return Proposed(
        id=check.id,
        what=check.what,
        why=f"Not retained: {', '.join(check.lacking)}.",
        command=check.command or "",
        deltas=deltas,
        status="unexecuted",
        missing=check.lacking,
        direction=_direction(check),
        client=check.client or "",
        citation=at,
    )


def _direction(check: CheckResult) -> CheckedDirection | None:
    """Consumer for every check of a client's parser, whatever else it says of itself."""
    return "consumer" if check.client else check.direction


# A check is executed or proposed, and nothing in between.


Result = Literal["passed", "failed", "error"]
CheckedDirection = Literal["producer", "consumer", "contract"]
"""`contract`: only the two contracts were compared. That verifies neither what a producer nor what a parser does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """A check whose command, revision, fixture and result are all retained.

    Attributes:
        id, what: the check.
        command, revision, fixture, result: what ran where, and how it ended.
        citation: where the result is retained.
        deltas: the rows that it verifies.
        direction: which direction it verifies, None when not recorded.
        client: the client whose parser was executed, "" for none.
        parses: the form it was given, "" when not recorded.
        output: retained output.

    Raises:
        ValueError: one of the four is empty.
    """

    id: str
    what: str
    command: str
    revision: str
    fixture: str
    result: Result
    citation: Citation
    deltas: tuple[DeltaId, ...] = ()
    direction: CheckedDirection | None = None
    client: str = ""
    parses: str = ""
    output: str = ""

    def __post_init__(self) -> None:
        four = {
            "command": self.command,
            "revision": self.revision,
            "fixture": self.fixture,
            "result": self.result,
        }
        lacking = [name for name, value in four.items() if not value.strip()]
        if lacking:
            raise ValueError(f"an executed check needs its {', '.join(lacking)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A check without a retained result.

    Attributes:
        id, what: the check; `what` is an objective assertion.
        why: why it is needed, or what is not retained.
        command: the recorded or suggested command, "" for none.
        deltas: the rows whose classification waits for it.
        status: `unexecuted` for a check that the evidence names, `proposed` for one that evreview asks for.
        missing: which of command, revision, fixture and result are not retained.
        direction, client: as for `Executed`.
        citation: where the evidence names it, None when evreview asks for it.
    """

    id: str
    what: str
    why: str
    command: str = ""
    deltas: tuple[DeltaId, ...] = ()
    status: Literal["proposed", "unexecuted"] = "proposed"
    missing: tuple[str, ...] = ()
    direction: CheckedDirection | None = None
    client: str = ""
    citation: Citation | None = None


# The check that a row asks for, with an assertion that a machine can decide.


def propose(row: ClassifiedRow, direction: CheckedDirection) -> Proposed:
    """The proposed check of one direction of `row`; it names no result and no fixture, because none exists."""
    return Proposed(
        id=f"P-{row.delta.id.removeprefix('D-')}-{direction}",
        what=_assertion(row, direction),
        why=f"No executed check verifies the {direction} direction of {row.delta.id}.",
        deltas=(row.delta.id,),
        status="proposed",
        missing=("command", "revision", "fixture", "result"),
        direction=direction,
    )


def _assertion(row: ClassifiedRow, direction: CheckedDirection) -> str:
    delta = row.delta
    if direction == "consumer":
        return (
            f"Each known client's released parser reads the released and the candidate form of {delta.address} "
            "without an error, and both results are recorded."
        )
    if delta.role is Role.SIGNATURE:
        return (
            f"Code that uses {delta.address} as the released contract allows runs against the candidate without an "
            "error, and is checked by a type checker without a new complaint."
        )
    if delta.role is Role.MESSAGE and delta.direction is not None:
        return _of_messages(delta)
    asked_direction = _asked_about(row)
    own = spec_of(delta.kind).proposed_check(delta, asked_direction)
    if own:
        return own
    if asked_direction is Direction.READ:
        return (
            f"The candidate producer answers a request that is valid under the released contract at {delta.address} "
            "with a released success status, never with a client error."
        )
    if asked_direction is Direction.WRITTEN:
        return (
            f"Every response of the candidate producer at {delta.address} validates against the candidate contract; "
            "whether it validates against the released contract is recorded."
        )
    return (
        f"The candidate producer's behaviour at {delta.address} is compared with the released and the candidate "
        "contract, and the one that it matches is recorded."
    )


def _asked_about(row: ClassifiedRow) -> Direction | None:
    """The direction that a row's answers are about, where they tell: a field that documents select is read in them."""
    accepts, emits = row.judgement.accepts_old_requests, row.judgement.emits_old_compatible
    if spec_of(row.delta.kind).over_http or (accepts is Tristate.NO and emits is Tristate.NO):
        return row.delta.direction
    if emits is Tristate.NO:
        return Direction.WRITTEN
    return Direction.READ if accepts is Tristate.NO else row.delta.direction


def _of_messages(delta: Delta) -> str:
    """The assertion about the application that receives or sends messages."""
    if delta.direction is Direction.READ:
        return (
            "The candidate application handles every message that is valid under the released contract at "
            f"{delta.address}, and puts none aside."
        )
    return (
        f"Every message that the candidate application sends at {delta.address} validates against the candidate "
        "contract; whether it validates against the released contract is recorded."
    )


# What an executed check verifies, and what contradicts the candidate contract.


_DECISIVE: Final = frozenset({"passed", "failed"})


def directions_of(row: ClassifiedRow) -> tuple[CheckedDirection, ...]:
    """Producer for every row; consumer where responses or other written messages reach a client."""
    if row.judgement.emits_old_compatible is Tristate.NOT_APPLICABLE:
        return ("producer",)
    return ("producer", "consumer")


def verifies(
    check: Executed, row: ClassifiedRow, direction: CheckedDirection, candidate: Sequence[str | None] | None = None
) -> bool:
    """True when `check` tests what the row says about `direction`, and has a decisive result (passed or failed).

    A parser check tests the consumer direction only, and only with the candidate form. One parser that passes does
    not show that nothing breaks, so it verifies no breaking row; one that fails verifies no compatible row. What ran
    without a client's parser ran the service, and that verifies something at the candidate's revision only.

    Args:
        check, row, direction: what is asked.
        candidate: the candidate's revisions, None for any.
    """
    if candidate is not None and not check.client and not _at(check.revision, candidate):
        return False
    if row.delta.id not in check.deltas or check.direction != direction or check.result not in _DECISIVE:
        return False
    if direction == "producer":
        return not check.client
    if check.parses == "released":
        return False
    refuting = {Verdict.BREAKING: "passed", Verdict.COMPATIBLE: "failed"}
    return check.result != refuting.get(row.judgement.verdict)


def _at(revision: str, candidate: Sequence[str | None]) -> bool:
    return any(same_revision(revision, each) for each in candidate)


def contradicting(
    checks: Iterable[Executed], candidate_revision: str | None = None, rows: Sequence[ClassifiedRow] = ()
) -> tuple[Executed, ...]:
    """The failed producer checks of the candidate, which contradict the proposed contract (W1-F2), in their order.

    A check is of the candidate when it names that form, or ran at the candidate's revision. A released form that the
    candidate refuses contradicts nothing where a row says so already: the check's rows, or any row when it names none.

    Args:
        checks: executed checks.
        candidate_revision: the implementation revision under review.
        rows: the ledger; without it every failure counts.
    """
    return tuple(
        check
        for check in checks
        if check.direction == "producer"
        and check.result in ("failed", "error")
        and (check.parses == "candidate" or same_revision(check.revision, candidate_revision))
        and not (check.parses == "released" and _refusal_is_known(check, rows))
    )


def _refusal_is_known(check: Executed, rows: Sequence[ClassifiedRow]) -> bool:
    own = [row for row in rows if row.delta.id in check.deltas] if check.deltas else rows
    return any(row.judgement.accepts_old_requests in (Tristate.NO, Tristate.UNKNOWN) for row in own)


# How a behaviour is known: declared by a contract, derived from source code, or observed.


SOURCE_TYPES: Final = frozenset({EvidenceType.IMPLEMENTATION_DIFF, EvidenceType.SOURCE_EXCERPT})


def basis_of(types: Iterable[EvidenceType | str], *, executed: bool) -> Basis:
    """How a claim that rests on items of these types is known.

    Args:
        types: the kinds of the cited items.
        executed: True when at least one of them retains an execution result for the claim. The item's type alone
            never makes a claim observed: a test record may hold checks that did not run.
    """
    kinds = set(types)
    if executed:
        return Basis.OBSERVED
    if kinds & SOURCE_TYPES:
        return Basis.IMPLEMENTATION
    return Basis.CONTRACT if EvidenceType.CONTRACT in kinds else Basis.DECLARED


def runtime_gap(row: ClassifiedRow, bases: Iterable[Basis]) -> str | None:
    """The gap that stays when only schemas speak about a default or an error, None when something else does too.

    A generated schema proves neither runtime defaults nor error behaviour.
    """
    known = set(bases)
    if known & {Basis.OBSERVED, Basis.IMPLEMENTATION}:
        return None
    if Aspect.DEFAULTS in (row.delta.aspect, row.delta.facts.get(BASE_ASPECT)):
        return "Only the contract states this default; what the service uses at runtime is unverified."
    if row.delta.in_error:
        return "Only the contract states this error behaviour; what the service answers is unverified."
    return None
