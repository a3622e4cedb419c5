"""Finds the references of a document: a fast look at the bytes, and the exact walk for when that is not enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Place
from evreview.core.vocabulary import Json

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


Way = tuple["Way", str | int] | None
"""How the walk came to a node: the way to its parent and the last step. Most ways are never written out."""


@dataclass(frozen=True, slots=True)
class Written:
    """One reference: its file, the way to the object that holds it, and its text."""

    file: str
    way: Way
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


def _walk(document: Json) -> Iterator[tuple[Way, str]]:
    stack: list[tuple[Json, Way, bool]] = [(document, None, False)]
    while stack:
        node, way, names = stack.pop()
        below: list[tuple[Json, Way, bool]] = []
        if type(node) is dict:
            if not names:
                yield from _here(node, way)
            for key, member in node.items():
                if type(member) in (dict, list) and (names or (key not in _DATA and not key.startswith("x-"))):
                    below.append((member, (way, key), not names and key in _NAMES))
        elif type(node) is list:
            below = [(item, (way, at), False) for at, item in enumerate(node) if type(item) in (dict, list)]
        stack.extend(reversed(below))


def _here(node: dict[str, Json], way: Way) -> Iterator[tuple[Way, str]]:
    ref = node.get("$ref")
    if isinstance(ref, str):
        yield way, ref
    discriminator = node.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    if isinstance(mapping, dict):
        for name, target in mapping.items():
            if isinstance(target, str) and _FILE.search(target):
                yield (((way, "discriminator"), "mapping"), name), target
