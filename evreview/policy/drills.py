"""Whether the evidence of a rollback shows that this rollback was exercised, and succeeded when it last was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evreview.core.vocabulary import EvidenceId
from evreview.evidence.contradictions import other_state, undone
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.compatibility import RollbackDrill, RolloutRecord
from evreview.evidence.records.review import day_of, same_words
from evreview.evidence.records.test_runs import CheckResult, TestRecord


class DrillFault(NamedTuple):
    """Why no success of a rollback is shown, as a clause, and the item that says so."""

    clause: str
    item: EvidenceId


def drill_faults(record: RolloutRecord, items: Mapping[EvidenceId, EvidenceItem], as_of: str) -> tuple[DrillFault, ...]:
    """Why the evidence shows no success of the rollback; none when it does, or when none is named.

    Args:
        record: the rollout record.
        items: the evidence items by id; of all drills that went back to the boundary, those of the last day count.
        as_of: the review's date; a later drill does not count.
    """
    back = record.rollback
    if back is None or back.evidence is None:
        return ()
    item = items.get(back.evidence)
    shown = item.record if item else None
    if isinstance(shown, RollbackDrill):
        fault = _of_drill(shown, back.boundary, back.evidence, as_of)
    elif isinstance(shown, TestRecord):
        fault = _of_checks(shown, back.boundary, back.evidence)
    else:
        fault = f"{back.evidence} is neither a rollback drill nor a test record, so no success is shown"
    if fault:
        return (DrillFault(fault, back.evidence),)
    drills = [(id_, drill) for id_, drill in _drills(items) if same_words(drill.boundary, back.boundary)]
    days = [drill.on for _, drill in drills if drill.on <= as_of]
    last = [(id_, drill) for id_, drill in drills if days and drill.on == max(days)]
    # Of one day nobody can tell which came last, so every drill of it has to have succeeded.
    return tuple(DrillFault(f"{said}, on {drill.on}", id_) for id_, drill in last if (said := _failure(drill, id_)))


def _drills(items: Mapping[EvidenceId, EvidenceItem]) -> Iterator[tuple[EvidenceId, RollbackDrill]]:
    for id_, item in items.items():
        if isinstance(item.record, RollbackDrill):
            yield id_, item.record


def _of_drill(drill: RollbackDrill, boundary: str, item: EvidenceId, as_of: str) -> str:
    if not same_words(drill.boundary, boundary):
        return f"the drill of {item} went back to {drill.boundary}"
    if drill.on > as_of:
        return f"the drill of {item} is of {drill.on}, after the review's date"
    return _failure(drill, item)


def _failure(drill: RollbackDrill, item: EvidenceId) -> str:
    """How a drill says that it did not succeed, "" when it succeeded."""
    if drill.result != "succeeded":
        return f"the drill of {item} {drill.result}"
    said = undone(drill.text or "")
    return f"the drill of {item} is called succeeded, and its own text says `{said}`" if said else ""


def _of_checks(record: TestRecord, boundary: str, item: EvidenceId) -> str:
    own = [check for check in record.checks if _is_of(check, boundary)]
    failed = [check for check in record.checks if not check.lacking and check.result != "passed"]
    if failed:
        return f"the check {failed[0].id} of {item} {failed[0].result}"
    if not any(not check.lacking for check in own):
        return f"{item} holds no executed check of the rollback to {boundary}"
    return ""


def _is_of(check: CheckResult, boundary: str) -> bool:
    """True for a check of this boundary: by its field, else by the boundary's own name in what it checks."""
    if check.boundary is not None:
        return same_words(check.boundary, boundary)
    return " ".join(boundary.split()).casefold() in " ".join(check.what.split()).casefold()


def approval_fault(record: RolloutRecord, manager: str, as_of: str) -> str:
    """Why the rollout record is not shown to be approved, "" when it is."""
    given = record.approval
    if given is None:
        return "its approval is not shown"
    if given.state != "approved":
        return f"its approval is {given.state}"
    if given.role != manager:
        return f"{given.role} approved it, who is not the release manager"
    if day_of(given.at) > as_of:
        return "it was approved after the review's date"
    found = other_state(record.approval_state)
    return f"it is called approved, and its own state is `{found}`" if found else ""
