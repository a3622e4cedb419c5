"""The `.proto` texts of a contract under the names by which they import one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from evreview.contract.source import MAX_FILES, Files
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.limits import MAX_BYTES

ENDING: Final = ".proto"
_MOST_PROBLEMS: Final = 50
OWN: Final = "google/protobuf/"
"""Imports below this folder come with the compiler."""

_COMMENT_OR_TEXT: Final = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_IMPORT: Final = re.compile(
    r"\bimport\s*(?:\b(?:public|weak|option)\s*)?(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*;"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
)
"""An import and its name, or a quoted text, whose words are no import."""
_NO_PATH: Final = re.compile(r"[\x00-\x1f\x7f\\]|^[-@/]|//|(?:^|/)\.\.?(?:/|$)|^$")
"""What no import's name holds that names a file below a folder; protoc refuses the most of it as well."""

_BLANKED: Final = re.compile(r"[^\n]")
_WRITTEN: Final = re.compile(rb"(\bimport\s+(?:public\s+|weak\s+|option\s+)?[\"'])([\x20-\x7e]+?)(?=[\"']\s*;)")


@dataclass(slots=True)
class Texts:
    """Texts by import name.

    Attributes:
        files: every text, by the name under which it is imported or compiled.
        named: the file of each, as the contract's user knows it.
        targets: the texts that make up the contract; others are only imported.
        written: the bytes of every file, as they stand there.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    written: list[bytes] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Import:
    """An import as it stands in a text: the name, and where."""

    name: str
    line: int
    column: int

    def refused(self, file: str) -> Problem:
        found = f'Import "{self.name}" was not found'
        advice = (
            "put the imported file below the folder at the path that imports it, or name its folder with --include;"
        )
        advice += " in a bundle list it among the contract's parts"
        if _NO_PATH.search(self.name):
            found = f'Import "{self.name}" is no path below the folder'
            advice = "import the file by its path below the folder, with `/`, without `.` or `..`"
        place = f"line {self.line}, column {self.column}"
        return Problem(code="proto-import-missing", found=found, file=file, place=place, advice=advice)


def without_comments(text: str) -> str:
    """The text with blanks for comments, its lines and its quoted texts kept."""
    return _COMMENT_OR_TEXT.sub(lambda found: _BLANKED.sub(" ", found[0]) if found[0][0] == "/" else found[0], text)


def gather(files: Files) -> Texts:
    """Every text of the contract and what it imports from there.

    Raises:
        BadInput: a file can't be read, `proto-import-missing`, `contract-too-many-files`, `text-too-large`.
    """
    own = list(dict.fromkeys((*([files.entry] if files.entry else ()), *files.named(ENDING))))
    texts = {name: files.load(name) for name in own}
    led = _Led(texts)
    found = Texts(written=list(texts.values()))
    for name, data in texts.items():
        imported = led.called(name)
        found.files[imported] = led.rewritten(name, data)
        found.named[imported] = name
    found.targets = tuple(found.files)
    _follow(files, found)
    return found


def _follow(files: Files, found: Texts) -> None:
    """Adds what is imported and stands beside the listed texts."""
    waiting = [(each, name) for name in found.files for each in imports_of(found.files[name])]
    size = sum(map(len, found.files.values()))
    refused: list[Problem] = []
    while waiting:
        imported, importer = waiting.pop(0)
        name = imported.name
        if name in found.files or (name.startswith(OWN) and not _NO_PATH.search(name)):
            continue
        beside = None if _NO_PATH.search(name) else _beside(files, name)
        if beside is None:
            refused.append(imported.refused(found.named[importer]))
            continue
        found.named[name], data = beside
        size += len(data)
        if len(found.files) >= MAX_FILES or size > MAX_BYTES:
            raise bad_input("contract-too-many-files", f"split over more than {MAX_FILES} files", file=name)
        found.files[name] = data
        found.written.append(data)
        waiting.extend((each, name) for each in imports_of(data))
    if refused:
        raise BadInput(refused[:_MOST_PROBLEMS])


def _beside(files: Files, name: str) -> tuple[str, bytes] | None:
    """An imported text and its file: below the contract's folder, or that folder lies below where imports start."""
    rest = name
    while rest:
        try:
            return rest, files.load(rest)
        except (BadInput, OSError, ValueError):
            rest = rest.partition("/")[2]
    return None


def imports_of(data: bytes) -> Iterator[Import]:
    """The imports of a text, in order."""
    text = without_comments(data.decode("utf-8", "replace"))
    line, read = 1, 0
    for found in _IMPORT.finditer(text):
        line, read = line + text.count("\n", read, found.start()), found.start()
        name = found[1] if found[1] is not None else found[2]
        if name is not None:
            yield Import(name, line, read - text.rfind("\n", 0, read))


class _Led:
    """Where imports lead among the texts of a folder, whose own root may lie above or below theirs."""

    def __init__(self, texts: dict[str, bytes]) -> None:
        self._by_last: dict[str, list[str]] = {}
        for name in texts:
            self._by_last.setdefault(name.rpartition("/")[2], []).append(name)
        self._targets = {
            name: {each.name: self._target(each.name, name) for each in imports_of(texts[name])} for name in texts
        }
        led = [(each, held) for targets in self._targets.values() for each, held in targets.items()]
        roots = {held.removesuffix(each) for each, held in led if held is not None and held.endswith(each)}
        self._root = min(roots, key=lambda root: (len(root), root), default="")

    def _target(self, imported: str, importer: str) -> str | None:
        """The text that an import means: the one of that name, else the nearest whose name ends so."""
        if _NO_PATH.search(imported):
            return None
        held = self._by_last.get(imported.rpartition("/")[2], [])
        if imported in held:
            return imported
        near = [name for name in held if name.endswith(f"/{imported}")]
        # The contract may be named from a folder below the one that its imports start at.
        near = near or [name for name in held if imported.endswith(f"/{name}")]
        return min(near, key=lambda name: (-_shared(name, importer), len(name), name), default=None)

    def called(self, name: str) -> str:
        """The name under which a text is compiled."""
        return _ended(name.removeprefix(self._root))

    def rewritten(self, name: str, data: bytes) -> bytes:
        """The text with each import under the name that its target is compiled as; no line moves."""
        led = self._targets[name].items()
        moved = {each: self.called(held) for each, held in led if held is not None and self.called(held) != each}
        if not moved:
            return data
        return _WRITTEN.sub(lambda found: found[1] + moved.get(found[2].decode(), found[2].decode()).encode(), data)


def _shared(left: str, right: str) -> int:
    """How many leading folders two names share."""
    pairs = zip(left.split("/")[:-1], right.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _ended(name: str) -> str:
    return name if name.endswith(ENDING) else f"{name}{ENDING}"
