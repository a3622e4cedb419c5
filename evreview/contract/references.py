"""Where a `$ref` leads. Works on documents that are already in memory: nothing here opens a file or the network."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final
from urllib.parse import unquote

from evreview.contract.model import Place
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Absent, Json

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_DRIVE: Final = re.compile(r"[A-Za-z]:([/\\]|$)")


class RefKind(StrEnum):
    """What a reference asks for; only LOCAL and FILE are ever followed."""

    LOCAL = "local"
    FILE = "file"
    REMOTE = "remote"
    OUTSIDE = "outside"


def classify_ref(base: str, ref: str) -> tuple[RefKind, str, str]:
    """Kind, file and fragment of a reference written in the file `base`, percent-encoding undone once.

    The file is relative to the root folder, as `Contract.documents` names it. Backslashes count as slashes,
    because tools on Windows write them.
    """
    location, _, fragment = ref.partition("#")
    location, fragment = unquote(location).replace("\\", "/"), unquote(fragment)
    if not location:
        return RefKind.LOCAL, base, fragment
    if location.startswith("/") or _DRIVE.match(location):
        return (RefKind.REMOTE if location.startswith("//") else RefKind.OUTSIDE), location, fragment
    if _SCHEME.match(location):
        is_file = location.lower().startswith("file:")
        return (RefKind.OUTSIDE if is_file else RefKind.REMOTE), location, fragment
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), location))
    if path == ".." or path.startswith(("../", "/")) or "\x00" in path:
        return RefKind.OUTSIDE, path, fragment
    return (RefKind.LOCAL if path == base else RefKind.FILE), path, fragment


class Resolver:
    """Follows references between documents in memory; remembers what it found."""

    def __init__(self, documents: Mapping[str, Json]) -> None:
        self._documents = documents
        self._found: dict[tuple[str, str], tuple[Place, Json] | None] = {}
        self._ends: dict[tuple[str, str], tuple[Place, Json] | None] = {}
        self._names: dict[str, tuple[Place, Json]] | None = None

    @property
    def documents(self) -> Mapping[str, Json]:
        """The documents by file."""
        return self._documents

    def target(self, place: Place, ref: str) -> tuple[Place, Json] | None:
        """Where `ref`, written at `place`, leads: the place and its node; None when it leads nowhere.

        The node may itself be a reference: see `follow`.
        """
        key = (place.file, ref)
        if key not in self._found:
            self._found[key] = self._search(place.file, ref)
        return self._found[key]

    def resolves(self, file: str, ref: str) -> bool:
        """True when a pointer written in `file` leads somewhere, and the chain behind it too."""
        found = self.target(Place(file, ""), ref)
        return found is not None and self.follow(*found) is not None

    def follow(self, place: Place, node: Json) -> tuple[Place, Json] | None:
        """The first node that is no reference, starting at `node`; None for a dangling or circular chain.

        Where a chain ends is remembered for all its links, so that long chains cost what their length is.
        """
        passed: set[tuple[str, str]] = set()
        end: tuple[Place, Json] | None = (place, node)
        while end is not None:
            ref = end[1].get("$ref") if isinstance(end[1], dict) else None
            if not isinstance(ref, str):
                break
            key = (end[0].file, ref)
            if key in self._ends:
                end = self._ends[key]
                break
            end = None if key in passed else self.target(end[0], ref)
            passed.add(key)
        for key in passed:
            self._ends[key] = end
        return end

    def _search(self, base: str, ref: str) -> tuple[Place, Json] | None:
        # Nearly every reference is such, and needs no look at what a file's name may be.
        plain = ref[:1] == "#" and "%" not in ref
        kind, file, fragment = (RefKind.LOCAL, base, ref[1:]) if plain else classify_ref(base, ref)
        if kind in (RefKind.LOCAL, RefKind.FILE) and file in self._documents:
            found = follow(self._documents[file], fragment)
            if not isinstance(found, Absent):
                return Place(file, fragment), found
        return self._named().get(f"{file}#{fragment}" if fragment else file)

    def _named(self) -> dict[str, tuple[Place, Json]]:
        """Schemas by `$id` and by file and `$anchor`, indexed once and only when a pointer does not help."""
        if self._names is None:
            self._names = {}
            for file, document in self._documents.items():
                self._index(file, document)
        return self._names

    def _index(self, file: str, document: Json) -> None:
        names = self._names if self._names is not None else {}
        stack: list[tuple[Place, Json]] = [(Place(file, ""), document)]
        while stack:
            place, node = stack.pop()
            if isinstance(node, dict):
                for keyword in ("$anchor", "$dynamicAnchor"):
                    if isinstance(node.get(keyword), str):
                        names.setdefault(f"{file}#{node[keyword]}", (place, node))
                name = node.get("$id")
                if isinstance(name, str):
                    names.setdefault(name.removesuffix("#"), (place, node))
                stack.extend((place.child(key), member) for key, member in node.items() if type(member) in (dict, list))
            elif isinstance(node, list):
                stack.extend(
                    (place.child(at), member) for at, member in enumerate(node) if type(member) in (dict, list)
                )


# Finds the references of a document: a fast look at the bytes, and the exact walk for when that is not enough.


_LOCAL: Final = re.compile(rb'\$ref(?:(?<="\$ref)"[ \t\r\n]*:[ \t\r\n]*"(#[^"\\]*)")?')
"""Every `$ref`; the group is empty for one that is not surely a reference into the own file."""
_TEXT: Final = rb'"(?:[^"\\]|\\.)*"[ \t\r\n]*'
_MAPPING: Final = re.compile(
    rb'"mapping"[ \t\r\n]*:[ \t\r\n]*\{([ \t\r\n]*(?:' + _TEXT + rb":[ \t\r\n]*" + _TEXT + rb"(?:,[ \t\r\n]*)?)*)\}"
)
_TARGET: Final = re.compile(rb':[ \t\r\n]*"([^"\\]*)"')
_ESCAPED: Final = re.compile(rb"\\u00(?:24|72|65|66)")
"""A sign of `$ref` written as an escape."""
_FILE: Final = re.compile(r"[#/\\]|\.(?:json|ya?ml)$")

_DATA: Final = frozenset({"example", "default", "enum", "const", "value"})
"""Below these stands data, and what looks like a reference there is none. As names of something they are ordinary."""

_NAMES: Final = frozenset(
    {
        "$defs",
        "callbacks",
        "content",
        "definitions",
        "dependencies",
        "dependentSchemas",
        "encoding",
        "examples",
        "headers",
        "links",
        "parameters",
        "pathItems",
        "paths",
        "patternProperties",
        "properties",
        "requestBodies",
        "responses",
        "schemas",
        "securityDefinitions",
        "securitySchemes",
        "variables",
        "webhooks",
    }
)
"""Below these stand names that the author chose."""


WalkPath = tuple["WalkPath", str | int] | None
"""How the walk came to a node: the way to its parent and the last step. Most ways are never written out."""


@frozen
class Written:
    """One reference: its file, the way to the object that holds it, and its text."""

    file: str
    way: WalkPath
    ref: str

    @property
    def place(self) -> Place:
        """The place of the object that holds the reference."""
        steps: list[str | int] = []
        way = self.way
        while way is not None:
            way, step = way
            steps.append(step)
        return Place(self.file, "").child(*reversed(steps))


def may_hold_refs(data: bytes) -> bool:
    """False when no reference can stand in this text."""
    return b"$ref" in data or b"discriminator" in data or b"\\x" in data or _ESCAPED.search(data) is not None


def sure_local_refs(data: bytes) -> set[str] | None:
    """Every distinct reference of a JSON text when all point into their own file; None when that is not sure."""
    if _ESCAPED.search(data) is not None:
        return None
    found = set(_LOCAL.findall(data))
    if b"" in found:
        return None
    tables = _MAPPING.findall(data)
    named = {target.decode() for table in tables for target in _TARGET.findall(table)}
    named = {target for target in named if _FILE.search(target)}
    return named | {ref.decode() for ref in found} if all(target.startswith("#") for target in named) else None


def scan(document: Json, file: str) -> tuple[Written, ...]:
    """Every reference of a document in reading order, with its place; those inside examples and defaults are none."""
    return tuple(Written(file, way, ref) for way, ref in _walk(document))


def _walk(document: Json) -> Iterator[tuple[WalkPath, str]]:
    stack: list[tuple[Json, WalkPath, bool]] = [(document, None, False)]
    while stack:
        node, way, names = stack.pop()
        below: list[tuple[Json, WalkPath, bool]] = []
        if type(node) is dict:
            if not names:
                yield from _here(node, way)
            for key, member in node.items():
                if type(member) in (dict, list) and (names or (key not in _DATA and not key.startswith("x-"))):
                    below.append((member, (way, key), not names and key in _NAMES))
        elif type(node) is list:
            below = [(item, (way, at), False) for at, item in enumerate(node) if type(item) in (dict, list)]
        stack.extend(reversed(below))


def _here(node: dict[str, Json], way: WalkPath) -> Iterator[tuple[WalkPath, str]]:
    ref = node.get("$ref")
    if isinstance(ref, str):
        yield way, ref
    discriminator = node.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    if isinstance(mapping, dict):
        for name, target in mapping.items():
            if isinstance(target, str) and _FILE.search(target):
                yield (((way, "discriminator"), "mapping"), name), target
