"""Accept files in, entries out, or every problem of every file with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from evreview.acceptance.record import AcceptedDelta, AcceptFile
from evreview.documents.text import line_of, parse_text
from evreview.errors import BadInput, Problem
from evreview.evidence.reading import read_model
from evreview.vocab import DeltaId


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted difference and where it is written.

    Attributes:
        id: of the row that it accepts.
        reason, owner, note: as written.
        expires: the last day on which it holds, as `2027-01-31`.
        file: as the user named it.
        line: of the entry.
    """

    id: DeltaId
    reason: str
    owner: str
    expires: str
    note: str
    file: str
    line: int | None


def read_accept_files(files: Iterable[tuple[str, bytes]]) -> tuple[Entry, ...]:
    """The entries of all files, in order.

    Args:
        files: the name of each, as the user gave it, and its bytes.

    Raises:
        BadInput: every problem of every file: what `parse_text` and `read_model` find, and `accepted-twice`.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    for file, data in files:
        try:
            entries += _entries(file, data)
        except BadInput as error:
            problems += error.problems
    problems += _twice(entries)
    if problems:
        raise BadInput(problems)
    return tuple(entries)


def _entries(file: str, data: bytes) -> Iterator[Entry]:
    found, problems = read_model(AcceptFile, parse_text(data, file), file=file)
    if found is None:
        raise BadInput(replace(problem, line=line_of(data, problem.place)) for problem in problems)
    for at, accepted in enumerate(found.accept):
        yield _entry(accepted, file, line_of(data, f"/accept/{at}"))


def _entry(accepted: AcceptedDelta, file: str, line: int | None) -> Entry:
    return Entry(
        id=DeltaId(accepted.id),
        reason=accepted.reason,
        owner=accepted.owner,
        expires=accepted.expires,
        note=accepted.note,
        file=file,
        line=line,
    )


def _twice(entries: Iterable[Entry]) -> Iterator[Problem]:
    """A problem per entry whose id another one before it has: which of both reasons holds is not for us to choose."""
    first: dict[DeltaId, Entry] = {}
    for entry in entries:
        known = first.setdefault(entry.id, entry)
        if known is not entry:
            place = f"{known.file} line {known.line}"
            yield Problem(
                code="accepted-twice",
                found=f"{entry.id} is accepted already in {place}",
                file=entry.file,
                line=entry.line,
                advice="Keep one of the two entries",
            )
