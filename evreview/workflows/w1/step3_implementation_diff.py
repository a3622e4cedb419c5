"""An implementation diff as files, hunks and changed branches. The text is read, never applied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk as PatchedHunk
from unidiff.patch import PatchedFile, PatchSet

from evreview.core.errors import bad_input

FileChange = Literal["added", "removed", "modified", "renamed", "binary"]
Mark = Literal["+", "-", " "]

_LOOKS_LIKE_DIFF: Final = re.compile(r"^(diff --git |--- \S|@@ -\d)", re.MULTILINE)
_MARKS: Final[dict[str, Mark]] = {"+": "+", "-": "-", " ": " ", "": " "}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a hunk: its mark, its number in the old and the new file (None where it has none), its text.

    `at` is its line in the diff itself, counted from 1: what a citation of the evidence item names.
    """

    mark: Mark
    old: int | None
    new: int | None
    text: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One hunk. `id` is `<path>@@-old+new`; `old_path` differs for a renamed file; `heading` stands behind `@@`."""

    id: str
    path: str
    old_path: str
    old_start: int
    old_length: int
    new_start: int
    new_length: int
    lines: tuple[DiffLine, ...]
    heading: str = ""

    @property
    def branches(self) -> tuple[tuple[DiffLine, ...], ...]:
        """The runs of changed lines, parted by unchanged ones."""
        runs = groupby(self.lines, key=lambda line: line.mark != " ")
        return tuple(tuple(lines) for changed, lines in runs if changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    """One file of a diff. A binary file and a pure rename have no hunks."""

    path: str
    old_path: str
    change: FileChange
    hunks: tuple[Hunk, ...]


def is_diff(text: str) -> bool:
    """True when the text is meant as a unified diff; other text is evidence to cite, and nothing is derived from it."""
    return bool(_LOOKS_LIKE_DIFF.search(text))


def parse_diff(text: str, file: str) -> tuple[FileDiff, ...]:
    """The files of a unified diff, in its order.

    Args:
        text: the diff.
        file: its name, for problems.

    Raises:
        BadInput: `bad-diff` when hunks do not hold what their headers promise, or when there is no file in it.
    """
    try:
        patch = PatchSet(text.replace("\r\n", "\n"))
    except (UnidiffParseError, ValueError, IndexError) as error:
        found = f"the diff can't be read: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
        raise bad_input("bad-diff", found, file=file, advice="Supply the whole output of `git diff`") from error
    if not patch:
        raise bad_input("bad-diff", "the diff changes no file", file=file, advice="Supply the output of `git diff`")
    return tuple(_file(patched) for patched in patch)


def _file(patched: PatchedFile) -> FileDiff:
    old, new = _bare(patched.source_file), _bare(patched.target_file)
    path = new or old
    return FileDiff(
        path=path,
        old_path=old or path,
        change=_change(patched, old, new),
        hunks=tuple(_hunk(hunk, path, old or path) for hunk in patched),
    )


def _change(patched: PatchedFile, old: str, new: str) -> FileChange:
    if getattr(patched, "is_binary_file", False):
        return "binary"
    if patched.is_added_file or not old:
        return "added"
    if patched.is_removed_file or not new:
        return "removed"
    return "renamed" if old != new else "modified"


def _hunk(hunk: PatchedHunk, path: str, old_path: str) -> Hunk:
    return Hunk(
        id=f"{path}@@-{hunk.source_start}+{hunk.target_start}",
        path=path,
        old_path=old_path,
        old_start=hunk.source_start,
        old_length=hunk.source_length,
        new_start=hunk.target_start,
        new_length=hunk.target_length,
        lines=tuple(_lines(hunk)),
        heading=hunk.section_header or "",
    )


def _lines(hunk: PatchedHunk) -> Iterator[DiffLine]:
    """The lines without the remark that a file lacks its final newline."""
    for line in hunk:
        mark = _MARKS.get(line.line_type.strip("\n"))
        if mark is not None:
            yield DiffLine(
                mark, line.source_line_no, line.target_line_no, line.value.rstrip("\n"), line.diff_line_no or 1
            )


def _bare(name: str | None) -> str:
    """A path without git's `a/` and `b/`; "" for a file that is absent on that side."""
    if not name or name == "/dev/null":
        return ""
    path = name.split("\t")[0].strip('"')
    return path[2:] if path[:2] in ("a/", "b/") else path
