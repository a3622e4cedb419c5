"""When what a gate lists as reviewed came to be: nobody can have seen what is dated after their answer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.compatibility import (
    AdoptionRecord,
    DeprecationNotice,
    RollbackDrill,
    RolloutRecord,
    UsageMetrics,
    window_end,
)
from evreview.evidence.records.reference import ContractApproval
from evreview.evidence.records.review import Disposition, Record, day_of

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
