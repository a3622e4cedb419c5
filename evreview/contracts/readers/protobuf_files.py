"""The `.proto` texts of a contract under the names by which they import one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evreview.contracts.source import MAX_FILES, Files
from evreview.documents.limits import MAX_BYTES
from evreview.errors import BadInput, bad_input

ENDING: Final = ".proto"
OWN: Final = "google/protobuf/"
"""Imports below this folder come with the compiler."""

_COMMENT_OR_TEXT: Final = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_IMPORT: Final = re.compile(r"\bimport\s+(?:public\s+|weak\s+|option\s+)?[\"']([^\"'\n]+)[\"']\s*;")


@dataclass(slots=True)
class Texts:
    """Texts by import name.

    Attributes:
        files: every text, by the name under which it is imported or compiled.
        named: the file of each, as the contract's user knows it.
        targets: the texts that make up the contract; others are only imported.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    targets: tuple[str, ...] = ()


def without_comments(text: str) -> str:
    """The text with blanks for comments, its quoted texts kept."""
    return _COMMENT_OR_TEXT.sub(lambda found: " " if found[0][0] == "/" else found[0], text)


def gather(files: Files) -> Texts:
    """Every text of the contract and what it imports from there.

    Raises:
        BadInput: a file can't be read, `contract-too-many-files`, `text-too-large`.
    """
    own = list(dict.fromkeys((*([files.entry] if files.entry else ()), *files.named(ENDING))))
    texts = {name: files.load(name) for name in own}
    roots = _roots(texts)
    found = Texts()
    for name, data in texts.items():
        imported = _imported_as(name, roots)
        if imported in found.files and found.files[imported] != data:
            imported = _ended(name)
        found.files[imported] = data
        found.named.setdefault(imported, name)
    found.targets = tuple(found.files)
    _follow(files, found)
    return found


def _follow(files: Files, found: Texts) -> None:
    """Adds what is imported and stands beside the listed texts; what is nowhere is left for the compiler to tell."""
    waiting = [name for data in found.files.values() for name in imports(data)]
    size = sum(map(len, found.files.values()))
    while waiting:
        name = waiting.pop()
        if name in found.files or name.startswith(OWN):
            continue
        try:
            data = files.load(name)
        except (BadInput, OSError, ValueError):
            continue
        size += len(data)
        if len(found.files) >= MAX_FILES or size > MAX_BYTES:
            raise bad_input("contract-too-many-files", f"split over more than {MAX_FILES} files", file=name)
        found.files[name] = data
        found.named[name] = name
        waiting.extend(imports(data))


def imports(data: bytes) -> Iterator[str]:
    """The names that a text imports."""
    yield from _IMPORT.findall(without_comments(data.decode("utf-8", "replace")))


def _roots(texts: dict[str, bytes]) -> tuple[str, ...]:
    """The folders below which imports are named, the longest first."""
    by_last: dict[str, list[str]] = {}
    for name in sorted(texts, key=lambda name: (len(name), name)):
        by_last.setdefault(name.rpartition("/")[2], []).append(name)
    roots: set[str] = set()
    for name in {name for data in texts.values() for name in imports(data)}:
        if name not in texts:
            held = next((own for own in by_last.get(name.rpartition("/")[2], ()) if own.endswith(f"/{name}")), None)
            roots.update({held.removesuffix(name)} if held else ())
    return tuple(sorted(roots, key=lambda root: (-len(root), root)))


def _imported_as(name: str, roots: tuple[str, ...]) -> str:
    root = next((root for root in roots if name.startswith(root)), "")
    return _ended(name.removeprefix(root))


def _ended(name: str) -> str:
    return name if name.endswith(ENDING) else f"{name}{ENDING}"
