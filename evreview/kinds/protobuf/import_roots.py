"""From which folders the `.proto` texts of a repository name their imports: what makes one contract of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Final

from evreview.kinds.protobuf.reader import OWN, imports_of

_PACKAGE: Final = re.compile(rb"(?m)^\s*package\s+([A-Za-z_][\w.]*)\s*;")


class ImportRoots:
    """Where imports start. A folder is told as "" or with `/` at its end, as the paths of the texts begin.

    A text belongs to the folder that its imports, and imports of it, are named from. Where none says so, it is the one
    that its package is named from, where its folder says the package; else its own folder.
    """

    def __init__(self, texts: Mapping[str, bytes], asked: Collection[str]) -> None:
        """Args:
        texts: all texts by their path.
        asked: the paths of those that are to say where their imports start.
        """
        self._imports = cache(lambda name: tuple(each.name for each in imports_of(texts[name])))
        self._by_last: dict[str, list[str]] = {}
        for name in sorted(texts):
            self._by_last.setdefault(_last(name), []).append(name)
        self._names = frozenset(texts)
        self._groups = {name: _by_package(name, texts[name]) for name in texts}
        self._roots = self._found([name for name in asked if name in texts])

    def home(self, name: str) -> str:
        """The contract that a text belongs to: a folder, with `/` at its end."""
        return self._roots[self._groups[name][0]] or "/"

    def include(self, folder: str) -> tuple[str, ...]:
        """The folders, "." for the root, from which a contract's texts import what its own folder has not."""
        root = folder.lstrip("/")
        waiting = [name for name in sorted(self._names) if name.startswith(root)]
        found: list[str] = []
        seen = set(waiting)
        while waiting:
            importer = waiting.pop(0)
            for imported in self._imports(importer):
                if self._is_inside(imported, root):
                    continue
                led = next((each + imported for each in found if each + imported in self._names), None)
                led = led or self._target(imported, importer)
                if led is None or led in seen:
                    continue
                seen.add(led)
                waiting.append(led)
                start = led.removesuffix(imported)
                found += [start] if start not in found else []
        return tuple(each.rstrip("/") or "." for each in found)

    def _found(self, asked: Collection[str]) -> dict[str, str]:
        """For each folder of a package the folder that its imports are named from."""
        roots = {group: group for group, _ in self._groups.values()}
        named = set()
        for importer, imported in ((name, each) for name in asked for each in self._imports(name)):
            held = self._target(imported, importer)
            if held is None:
                continue
            start = held.removesuffix(imported)
            for each in (held, importer):
                group, _ = self._groups[each]
                if group.startswith(start):
                    named.add(start)
                    roots[group] = min(roots[group], start, key=len)
        # A folder that says nothing itself goes with the one around it that imports are named from.
        told = {group for group, is_told in self._groups.values() if is_told} | named
        for group in roots.keys() - told:
            around = [start for start in named if roots[group].startswith(start)]
            roots[group] = max(around, key=len, default=roots[group])
        return roots

    def _target(self, imported: str, importer: str) -> str | None:
        """The text that an import means, the nearest where several have such a path; None where none has."""
        if imported.startswith(OWN) or not imported:
            return None
        beside = self._groups[importer][0] + imported
        if beside in self._names:
            return beside
        held = (name for name in self._by_last.get(_last(imported), ()) if f"/{name}".endswith(f"/{imported}"))
        return min(held, key=lambda name: (-_shared(name, importer), len(name), name), default=None)

    def _is_inside(self, imported: str, root: str) -> bool:
        """True where the texts of the folder are read as having the import."""
        held = (name.removeprefix(root) for name in self._by_last.get(_last(imported), ()) if name.startswith(root))
        return any(f"/{name}".endswith(f"/{imported}") or f"/{imported}".endswith(f"/{name}") for name in held)


def _by_package(name: str, data: bytes) -> tuple[str, bool]:
    """The folder that a text's package is named from, and True; else the text's own folder, and False."""
    folder = name[: name.rfind("/") + 1]
    package = _PACKAGE.search(data)
    below = package[1].decode().replace(".", "/") + "/" if package else ""
    if below and f"/{folder}".endswith(f"/{below}"):
        return folder[: len(folder) - len(below)], True
    return folder, False


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _shared(one: str, other: str) -> int:
    """How many leading folders two paths share."""
    return sum(1 for _ in _same(one.split("/")[:-1], other.split("/")[:-1]))


def _same(one: list[str], other: list[str]) -> Iterator[str]:
    for left, right in zip(one, other, strict=False):
        if left != right:
            return
        yield left
