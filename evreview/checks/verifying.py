"""What an executed check verifies, and what contradicts the candidate contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.checks.check import Direction, Executed
from evreview.core.vocabulary import Answer, Verdict
from evreview.evidence.records.review import same_revision
from evreview.policy.row import Row

_DECISIVE: Final = frozenset({"passed", "failed"})


def directions_of(row: Row) -> tuple[Direction, ...]:
    """Producer for every row; consumer where responses or other written messages reach a client."""
    if row.judgement.emits_old_compatible is Answer.NOT_APPLICABLE:
        return ("producer",)
    return ("producer", "consumer")


def verifies(check: Executed, row: Row, direction: Direction, candidate: Sequence[str | None] | None = None) -> bool:
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
    checks: Iterable[Executed], candidate_revision: str | None = None, rows: Sequence[Row] = ()
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


def _refusal_is_known(check: Executed, rows: Sequence[Row]) -> bool:
    own = [row for row in rows if row.delta.id in check.deltas] if check.deltas else rows
    return any(row.judgement.accepts_old_requests in (Answer.NO, Answer.UNKNOWN) for row in own)
