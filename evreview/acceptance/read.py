"""Accept files in, entries out, or every problem of every file with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import DeltaId, Json
from evreview.evidence.records.accept_file import AcceptedDelta, AcceptFile
from evreview.evidence.typed_reader import MARK, read_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted difference and where it is written.

    Attributes:
        id: of the row that it accepts.
        reason, owner, note: as written.
        expires: the last day on which it holds, as `2027-01-31`.
        operations: those that the row may reach, None where the id alone decides.
        content: of a row that takes in a whole schema, None where the id alone decides.
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
    operations: frozenset[str] | None = None
    content: str | None = None


def read_accept_files(files: Iterable[tuple[str, bytes]]) -> tuple[Entry, ...]:
    """The entries of all files, in order.

    Args:
        files: the name of each, as the user gave it, and its bytes.

    Raises:
        BadInput: every problem of every file: what `parse_text` and `read_model` find, and `accepted-twice`.
    """
    entries: list[Entry] = []
    named: list[tuple[str, str, int | None]] = []
    problems: list[Problem] = []
    for file, data in files:
        try:
            value = parse_text(data, file)
            named += _named(value, file, data)
            entries += _entries(value, file, data)
        except BadInput as error:
            problems += error.problems
    problems += _twice(named)
    if problems:
        raise BadInput(problems)
    return tuple(entries)


def _named(value: Json, file: str, data: bytes) -> Iterator[tuple[str, str, int | None]]:
    """Every id with its file and line, also of entries in which something else is wrong."""
    listed = value.get("accept") if isinstance(value, Mapping) else None
    for at, entry in enumerate(listed if isinstance(listed, list) else ()):
        name = entry.get("id") if isinstance(entry, Mapping) else None
        if isinstance(name, str) and name != MARK:
            yield name, file, line_of(data, f"/accept/{at}")


def _entries(value: Json, file: str, data: bytes) -> Iterator[Entry]:
    found, problems = read_model(AcceptFile, value, file=file)
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
        operations=None if accepted.operations is None else frozenset(accepted.operations),
        content=accepted.content,
    )


def _twice(named: Iterable[tuple[str, str, int | None]]) -> Iterator[Problem]:
    """A problem per entry whose id another one before it has: which of both reasons holds is not for us to choose."""
    first: dict[str, str] = {}
    for name, file, line in named:
        if name in first:
            found = f"{name} is accepted already in {first[name]}"
            yield Problem(
                code="accepted-twice", found=found, file=file, line=line, advice="Keep one of the two entries"
            )
        else:
            first[name] = f"{file} line {line}"
