"""What the owner's recorded words do to discrepancies, and which words count for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.evidence.records.review import Disposition, day_of
from evreview.reference.model import Discrepancy, Disposal

_DISPOSALS: Final[Mapping[str, Disposal]] = {
    "contract": Disposal.PUBLISH_CONTRACT,
    "withhold": Disposal.WITHHOLD,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedDisposition:
    """A recorded disposition that counts for nothing: its place in `decisions.yaml`'s list of dispositions, and why."""

    position: int
    subject: str
    role: str
    reason: str


def disposed(
    rows: Sequence[Discrepancy], dispositions: Sequence[Disposition], *, owner_role: str, as_of: str | None
) -> tuple[tuple[Discrepancy, ...], tuple[RefusedDisposition, ...]]:
    """The discrepancies with the last word that counts for each, and the words that do not.

    A word counts when the owner's role gave it, not after the day of the review, says what to do with the claims, says
    what was reviewed, and names the digest of the forms that are found now. Dispositions of other things than
    discrepancies are none of this.
    """
    known = {str(row.id): row for row in rows}
    last: dict[str, Disposition] = {}
    refused: list[RefusedDisposition] = []
    for position, entry in enumerate(dispositions):
        if not entry.subject.startswith("X-"):
            continue
        reason = _refusal(entry, known.get(entry.subject), owner_role, as_of)
        if reason:
            refused.append(RefusedDisposition(position=position, subject=entry.subject, role=entry.role, reason=reason))
        elif entry.subject not in last or entry.at >= last[entry.subject].at:
            last[entry.subject] = entry
    return tuple(_judged(row, last.get(str(row.id))) for row in rows), tuple(refused)


def _refusal(entry: Disposition, row: Discrepancy | None, owner_role: str, as_of: str | None) -> str:
    """Why a word counts for nothing, "" when it counts."""
    if row is None:
        return "no discrepancy of this id is found now"
    if entry.role.strip().casefold() != owner_role.strip().casefold():
        return "only the role that owns the discrepancy disposes of it"
    if as_of is not None and day_of(entry.at) > as_of:
        return "it was given after the day of the review"
    if entry.publish is None:
        return "it does not say what to do with the claims; write `publish: contract` or `publish: withhold`"
    if not entry.reviewed:
        return "it does not say what was reviewed"
    if entry.of is None:
        return "it does not say over which forms it was given; write their digest from the register as `of`"
    if entry.of != row.digest:
        return "it was given over other forms than those that are found now"
    return ""


def _judged(row: Discrepancy, entry: Disposition | None) -> Discrepancy:
    if entry is None or entry.publish is None:
        return row
    return replace(row, disposal=_DISPOSALS[entry.publish], disposition=entry.decision)
