"""An implementation diff: files, hunks, changed symbols, and drafts of a mapping. The text is read, never applied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk as PatchedHunk
from unidiff.patch import PatchedFile, PatchSet

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.delta import Delta
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Json

FileChange = Literal["added", "removed", "modified", "renamed", "binary"]
Mark = Literal["+", "-", " "]

_LOOKS_LIKE_DIFF: Final = re.compile(r"^(diff --git |--- \S|@@ -\d)", re.MULTILINE)
NO_ELEMENT: Final = "none"
"""What an entry names where the lines concern no element of the contract."""
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


# The function, method or class that each line of a hunk stands in, as far as the diff shows it.
#
# The hunk's heading tells what its first lines stand in; definitions in its lines tell the rest, by their indentation.
# A changed line at the top of a file belongs to the name that it assigns, or to none.


_DEFINED: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:export|public|private|protected|static|async|default|pub|abstract|final)\s+)*"
    r"(?:def|class|func|function|fn|interface|struct|trait|impl|module)\s+(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_$][\w$]*)"
)
_ASSIGNED: Final = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)\s*(?::[^=]+)?=(?!=)")
_LISTING: Final = re.compile(r"=__\w+__")
_CLOSING: Final = re.compile(r"\s*[)\]}]")
Stack = list[tuple[int, str]]


def symbols(hunk: Hunk) -> dict[int, str]:
    """By the line of the diff the dotted name of what it stands in; at the top "", or `=` and what it assigns."""
    stacks: dict[bool, Stack] = {old: _heading(hunk) for old in (True, False)}
    found: dict[int, str] = {}
    for at, line in enumerate(hunk.lines):
        sides = {"-": (True,), "+": (False,)}.get(line.mark, (True, False))
        for old in sides:
            _enter(stacks[old], line, _following(hunk.lines, at))
        stack = stacks[sides[-1]]
        assigned = _ASSIGNED.match(line.text) if not stack else None
        found[line.at] = ".".join(name for _, name in stack) or (f"={assigned['name']}" if assigned else "")
    return found


def names(symbol: str, wanted: str) -> bool:
    """True when a symbol is the one that a reviewer names, with or without its module before it."""
    symbol = symbol.removeprefix("=")
    return bool(symbol) and (f".{symbol}".endswith(f".{wanted}") or f".{wanted}".endswith(f".{symbol}"))


def _heading(hunk: Hunk) -> Stack:
    match = _DEFINED.match(hunk.heading.strip())
    return [(-1, match["name"])] if match is not None else []


def _following(lines: Sequence[DiffLine], at: int) -> str:
    """The first line behind a decorator or a blank that says how deep it stands."""
    return next((line.text for line in lines[at:] if line.text.strip() and not line.text.lstrip().startswith("@")), "")


def _enter(stack: Stack, line: DiffLine, following: str) -> None:
    """Leaves what ended before a line, and enters what it defines."""
    text = following if line.text.lstrip().startswith("@") else line.text
    if not text.strip() or _CLOSING.match(text):
        return
    indent = len(text) - len(text.lstrip())
    match = _DEFINED.match(text)
    while stack and (stack[-1][0] >= indent or (stack[-1][0] < 0 and indent == 0)):
        stack.pop()
    if match is not None:
        stack.append((indent, match["name"]))


def parts(run: Sequence[DiffLine], of: dict[int, str]) -> Iterator[tuple[DiffLine, ...]]:
    """A run of changed lines by the functions and classes that they stand in, or the names that they assign, in order.

    Imports and names like `__all__`, which list what stands elsewhere, are one part. Blank lines and further lines of a
    value go with what is before them. What got another name, and nothing else beside it, is one part.
    """
    grouped: dict[str, list[DiffLine]] = {}
    last = next((owner(of[line.at]) for line in run if line.text.strip()), "")
    for line in run:
        last = owner(of[line.at]) if _begins(line, of) else last
        grouped.setdefault(last, []).append(line)
    sides = [{line.mark for line in part} for part in grouped.values()]
    yield from [tuple(run)] if sides == [{"-"}, {"+"}] else map(tuple, grouped.values())


def owner(symbol: str) -> str:
    """The function, class or assigned name that a line belongs to, "" for what lists other things."""
    return "" if _LISTING.fullmatch(symbol) else symbol


def _begins(line: DiffLine, of: dict[int, str]) -> bool:
    """False for a blank line, and for one that goes on with the value above it."""
    going_on = not of[line.at] and (line.text[:1] in " \t" or bool(_CLOSING.match(line.text)))
    return bool(line.text.strip()) and not going_on


# Drafts of mapping entries: one for each changed symbol of a diff, with the difference that its lines name, if any.


@dataclass(frozen=True, slots=True)
class Draft:
    """One entry that nobody has reviewed.

    Attributes:
        path, symbol: the file, and the function, class or assigned name; "" where the diff shows none.
        lines, quote: what stands there, for an entry without a symbol.
        element, why: the address of the difference that the lines name, and by which word; `none` and "" where none is.
    """

    path: str
    symbol: str
    lines: str
    quote: str
    element: str
    why: str

    @property
    def entry(self) -> dict[str, Json]:
        """The draft as an entry of a mapping."""
        where: dict[str, Json] = {"symbol": self.symbol} if self.symbol else {"lines": self.lines, "quote": self.quote}
        return {"path": self.path, **where, "element": self.element, "why": self.why, "reviewed": False}


def drafts(files: Iterable[FileDiff], targets: Sequence[Target]) -> tuple[Draft, ...]:
    """One draft per file, changed symbol and difference that its lines name, one with `none` where they name none."""
    found: dict[tuple[str, str], dict[str, Draft]] = {}
    for file in files:
        for hunk in file.hunks:
            for draft in _of_hunk(file, hunk, targets):
                found.setdefault((draft.path, draft.symbol or draft.lines), {}).setdefault(draft.element, draft)
    return tuple(draft for each in found.values() for draft in _naming(each))


def _naming(by_element: dict[str, Draft]) -> Iterator[Draft]:
    """The drafts of one symbol that name a difference, else the one that names none."""
    named = [draft for element, draft in by_element.items() if element != NO_ELEMENT]
    yield from named or by_element.values()


def _of_hunk(file: FileDiff, hunk: Hunk, targets: Sequence[Target]) -> Iterator[Draft]:
    of = symbols(hunk)
    for run in hunk.branches:
        for part in parts(run, of):
            said = [line for line in part if line.text.strip()] or list(part)
            first = of[said[0].at]
            symbol = first.removeprefix("=")
            for element, why in _named(said, targets):
                yield Draft(file.path, symbol, _line_range(part), said[0].text.strip(), element, why)


def _line_range(part: Sequence[DiffLine]) -> str:
    new = [line.new for line in part if line.new is not None]
    old = [line.old for line in part if line.old is not None]
    return f"{new[0]}-{new[-1]}" if new else f"-{old[0]}-{old[-1]}"


def _named(said: Sequence[DiffLine], targets: Sequence[Target]) -> list[tuple[str, str]]:
    """The differences that words of the lines name, each with a word, `none` where there is none.

    Words that the two revisions hold unequally often come first: with one of them no other word counts. A word that
    several differences share names the first of these only.
    """
    counts = Counter[str]()
    for line in said:
        for word in _WORD.findall(line.text):
            counts[word] += {"+": 1, "-": -1}.get(line.mark, 0)
    changed = {word for word, count in counts.items() if count}
    for words in (changed, set(counts)):
        found: dict[str, str] = {}
        for target in targets:
            new = sorted((words & target.words) - set(found.values()))
            if new:
                found[target.address] = new[0]
        if found:
            return [(address, f"{word} stands in the changed lines") for address, word in found.items()]
    return [(NO_ELEMENT, "")]


_WORD: Final = re.compile(r"[A-Za-z_$][\w$-]*")


@dataclass(frozen=True, slots=True)
class Target:
    """A difference of the ledger, and the words by which code would name it: its own, and values that came or went."""

    address: str
    words: frozenset[str]


def targets_of(rows: Iterable[JudgedRow]) -> tuple[Target, ...]:
    """What the rows of a ledger may be named by, in their order."""
    return tuple(_target(row.delta) for row in rows)


def _target(delta: Delta) -> Target:
    address = str(delta.address)
    words = {re.split(r"[ .:>\[\]{}]+", address.rstrip("[]{} "))[-1]}
    sides = [form if isinstance(form, list) else [form] for form in (delta.released, delta.candidate)]
    values = [{value for value in side if isinstance(value, str) and _WORD.fullmatch(value)} for side in sides]
    return Target(address, frozenset(words | (values[0] ^ values[1])))
