"""The table of acceptances, joined to rows by their id. No fact and no judgement changes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from evreview.acceptance.read import Entry
from evreview.core.vocabulary import DeltaId, Json


class State(StrEnum):
    """ACCEPTED: the row does not count for `--fail-on`. EXPIRED: it counts again."""

    ACCEPTED = "accepted"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Accepted:
    """What an accept file says about one row of today's ledger."""

    entry: Entry
    state: State

    def to_dict(self) -> dict[str, Json]:
        """The acceptance as it stands beside its row in `evreview diff --format json`."""
        return {"state": self.state.value, **_written(self.entry)}


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry that accepts nothing any more, and why."""

    entry: Entry
    found: str

    def to_dict(self) -> dict[str, Json]:
        """The entry as `evreview diff --format json` lists it."""
        return {"id": self.entry.id, **_written(self.entry), "found": self.found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """All entries of the accept files, against one ledger and one day.

    Attributes:
        today: the day on which expiry was judged.
        by_id: for each row that an entry names, what it says.
        stale: the entries that name no row, or one that reaches more than they list, in the files' order.
    """

    today: date
    by_id: Mapping[DeltaId, Accepted]
    stale: tuple[Stale, ...]

    def covers(self, row: DeltaId) -> bool:
        """True when the row is accepted today."""
        found = self.by_id.get(row)
        return found is not None and found.state is State.ACCEPTED

    def count(self, state: State) -> int:
        """How many rows have this state."""
        return sum(found.state is state for found in self.by_id.values())

    def summary(self) -> dict[str, Json]:
        """Counts of accepted and expired rows and of stale entries."""
        return {**{state.value: self.count(state) for state in State}, "stale": len(self.stale)}


def join(
    entries: Iterable[Entry],
    rows: Mapping[DeltaId, Sequence[str]],
    noise: Iterable[DeltaId],
    *,
    today: date,
    content: Callable[[DeltaId], str],
) -> Acceptance:
    """What the entries say about the rows.

    Args:
        entries: of all accept files.
        rows: the operations that each of today's rows reaches.
        noise: the ids of the differences without effect on the wire.
        today: an entry holds up to and including the day on which it expires.
        content: what a row takes in that its id does not say, see `Contents`; asked where an entry states it.
    """
    quiet = frozenset(noise)
    found: dict[DeltaId, Accepted] = {}
    stale: list[Stale] = []
    for entry in entries:
        listed = entry.operations
        others = [each for each in rows.get(entry.id, ()) if listed is not None and each not in listed]
        if others:
            stale.append(Stale(entry, f"{MORE}: {', '.join(others[:_TOLD])}{', …' * (len(others) > _TOLD)}"))
        elif entry.id in rows and entry.content is not None and entry.content != content(entry.id):
            stale.append(Stale(entry, OTHER))
        elif entry.id in rows:
            expired = date.fromisoformat(entry.expires) < today
            found[entry.id] = Accepted(entry, State.EXPIRED if expired else State.ACCEPTED)
        else:
            stale.append(Stale(entry, NOISE if entry.id in quiet else GONE))
    return Acceptance(today=today, by_id=found, stale=tuple(stale))


GONE = "no row has this id: the difference is gone, or it changed and is not covered"
MORE = "the difference reaches what the entry does not list, so it is not covered"
OTHER = "what comes with the difference is not what the entry was written for, so it is not covered"
_TOLD = 5
NOISE = "the difference has no effect on the wire, so there is nothing to accept"


def _written(entry: Entry) -> dict[str, Json]:
    return {
        "reason": entry.reason,
        "owner": entry.owner,
        "expires": entry.expires,
        "note": entry.note,
        "source": entry.file,
        "line": entry.line,
    }
