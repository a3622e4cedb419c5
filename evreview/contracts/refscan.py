"""Finds the references of a document: a fast look at the bytes, and the exact walk for when that is not enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evreview.contracts.model import Place
from evreview.vocab import Json

_LOCAL: Final = re.compile(rb'"\$ref"[ \t\r\n]*:[ \t\r\n]*"(#[^"\\]*)"')
_ESCAPED: Final = (b"\\u0024", b"\\u0072", b"\\u0065", b"\\u0066")
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


@dataclass(frozen=True, slots=True)
class Written:
    """One reference: the place of the object that holds it, and its text."""

    place: Place
    ref: str


def may_hold_refs(data: bytes) -> bool:
    """False when no reference can stand in this text."""
    return b"$ref" in data or b"discriminator" in data or any(escape in data for escape in (*_ESCAPED, b"\\x"))


def sure_local_refs(data: bytes) -> set[str] | None:
    """Every distinct reference of a JSON text when all point into their own file; None when that is not sure."""
    if b'"mapping"' in data or any(escape in data for escape in _ESCAPED):
        return None
    found = _LOCAL.findall(data)
    if len(found) != data.count(b"$ref"):
        return None
    return {ref.decode() for ref in set(found)}


def scan(document: Json, file: str) -> tuple[Written, ...]:
    """Every reference of a document in reading order, with its place; those inside examples and defaults are none."""
    return tuple(_walk(document, file))


def _walk(document: Json, file: str) -> Iterator[Written]:
    stack: list[tuple[Json, Place, bool]] = [(document, Place(file, ""), False)]
    while stack:
        node, place, names = stack.pop()
        if isinstance(node, dict):
            if not names:
                yield from _here(node, place)
            below = [
                (member, place.child(key), not names and key in _NAMES)
                for key, member in node.items()
                if type(member) in (dict, list) and (names or _leads_on(key))
            ]
            stack.extend(reversed(below))
        elif isinstance(node, list):
            stack.extend(
                (node[at], place.child(at), False)
                for at in reversed(range(len(node)))
                if type(node[at]) in (dict, list)
            )


def _leads_on(key: str) -> bool:
    return key not in _DATA and not key.startswith("x-")


def _here(node: dict[str, Json], place: Place) -> Iterator[Written]:
    ref = node.get("$ref")
    if isinstance(ref, str):
        yield Written(place, ref)
    discriminator = node.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    if isinstance(mapping, dict):
        for name, target in mapping.items():
            if isinstance(target, str) and _FILE.search(target):
                yield Written(place.child("discriminator", "mapping", name), target)
