"""The verification plan: what ran with a retained result, what did not, and which rows wait for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import pandas as pd

from evreview.checks.check import Direction, Executed, Proposed
from evreview.checks.propose import propose
from evreview.checks.verifying import directions_of, verifies
from evreview.clients.touch import concerns
from evreview.core.vocabulary import DeltaId, Verdict
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.policy.row import Row

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
    """

    executed: tuple[Executed, ...]
    proposed: tuple[Proposed, ...]
    unverified: tuple[DeltaId, ...]
    verifying: Mapping[tuple[DeltaId, Direction], tuple[Executed, ...]] = field(default_factory=dict)

    def executed_for(self, delta_id: DeltaId) -> tuple[Executed, ...]:
        """The executed checks that are about one row, whatever they verify (see `verifies`)."""
        return tuple(check for check in self.executed if delta_id in check.deltas)

    def verifies(self, delta_id: DeltaId, direction: Direction) -> tuple[Executed, ...]:
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
    tests: Sequence[Cited[TestRecord]], rows: Sequence[Row], candidate: Iterable[str | None] | None = None
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
    return Checks(executed=executed, proposed=(*unexecuted, *asked), unverified=unverified, verifying=verifying)


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


def _direction(check: CheckResult) -> Direction | None:
    """Consumer for every check of a client's parser, whatever else it says of itself."""
    return "consumer" if check.client else check.direction
