"""Patterns of paths, written as in `.gitignore`; the only file that knows the library for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Patterns below one folder.

    Attributes:
        lines: as written.
        folder: below which they hold, ending with `/`; "" for the root.
    """

    lines: tuple[str, ...]
    folder: str = ""
    _compiled: GitIgnoreSpec = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", GitIgnoreSpec.from_lines(self.lines))

    def match(self, path: str) -> bool:
        """True for a path that they mean, itself or by a folder around it; that of a folder ends with `/`."""
        below = path.removeprefix(self.folder)
        return path.startswith(self.folder) and bool(below) and self._compiled.match_file(below)

    def folders(self, files: Iterable[str]) -> Iterator[str]:
        """The outermost folders that they mean, of those that hold one of the files."""
        holding = {name[: at + 1] for name in files for at, sign in enumerate(name) if sign == "/"}
        meant = {folder for folder in holding if self.match(folder)}
        return (folder for folder in sorted(meant) if not any(around in meant for around in _around(folder)))


def _around(folder: str) -> Iterator[str]:
    """The folders around a folder."""
    inner = folder[:-1]
    return (inner[: at + 1] for at, sign in enumerate(inner) if sign == "/")


def pattern_problem(line: str) -> str:
    """Why a pattern can't be one, "" where it can."""
    if not line.strip() or line.startswith("#"):
        return "it names nothing"
    try:
        says = any(each.include is not None for each in GitIgnoreSpec.from_lines([line]).patterns)
    except ValueError:
        says = False
    return "" if says else "it is no pattern as in .gitignore"
