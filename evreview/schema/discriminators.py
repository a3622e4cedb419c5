"""Subtypes that a discriminator selects by name alone: no `oneOf` or `anyOf` beside it lists them.

OpenAPI, "Composition and Inheritance": a value whose discriminating member names a component matches that component
too. The names are those of `mapping`, and the components whose `allOf` leads to the discriminated schema.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final
from urllib.parse import quote

from evreview.contract.model import Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.schema.reader import discriminator_of
from evreview.schema.view import Discriminator, Part, Sub

_SHELVES: Final = (("components", "schemas"), ("definitions",))
_NAME: Final = re.compile(r"[\w.-]+\Z")
_SPELLED: Final = ("x-ms-discriminator-value", "x-discriminator-value")
_Where = tuple[str, str]


class Hierarchy:
    """Finds subtypes in the documents of one contract; nothing is read before somebody asks."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._selected: dict[_Where, Mapping[str, Sub]] = {}
        self._by_place: dict[_Where, Mapping[_Where, list[str]]] = {}
        self._below: dict[_Where, Mapping[_Where, str]] = {}

    def selected(self, discriminator: Discriminator) -> Mapping[str, Sub]:
        """The values that select a subtype, each with a reference to it; empty where a union lists the branches."""
        base = discriminator.written
        if base is None:
            return {}
        key = (base.file, base.pointer)
        if key not in self._selected:
            self._selected[key] = self._values(discriminator, base)
        return self._selected[key]

    def below(self, place: Place) -> Mapping[_Where, str]:
        """The components whose `allOf` leads to a place, directly or not, each with the value that names it."""
        start = (place.file, place.pointer)
        if start not in self._below:
            found: dict[_Where, str] = {}
            waiting = [start]
            while waiting:
                for where, name in self._heirs.get(waiting.pop(), ()):
                    if where not in found and where != start:
                        found[where] = name
                        waiting.append(where)
            self._below[start] = found
        return self._below[start]

    def by_place(self, discriminator: Discriminator) -> Mapping[_Where, list[str]]:
        """The values that select a subtype, by the place of the subtype."""
        base = discriminator.written
        if base is None:
            return {}
        key = (base.file, base.pointer)
        if key not in self._by_place:
            found: dict[_Where, list[str]] = {}
            for value, sub in self.selected(discriminator).items():
                end = self._end(base, _ref(sub))
                if end is not None:
                    found.setdefault(end, []).append(value)
            self._by_place[key] = found
        return self._by_place[key]

    def written_in(self, part: Part) -> Iterator[tuple[str, str]]:
        """Every value that selects a subtype by a discriminator written in or below a node, with the reference."""
        stack = [part]
        while stack:
            node, place = stack.pop()
            if isinstance(node, dict):
                found = discriminator_of(node, place) if "discriminator" in node else None
                if found is not None:
                    for value, sub in self.selected(found).items():
                        yield value, _ref(sub)
                stack.extend(
                    Part(child, place.child(key)) for key, child in node.items() if type(child) in (dict, list)
                )
            elif isinstance(node, list):
                stack.extend(
                    Part(child, place.child(at)) for at, child in enumerate(node) if type(child) in (dict, list)
                )

    def _values(self, discriminator: Discriminator, place: Place) -> Mapping[str, Sub]:
        refs = {value: self._mapped(place, ref) for value, ref in discriminator.values.items()}
        taken = {where for ref in refs.values() if (where := self._end(place, ref)) is not None}
        for where, name in self.below(place).items():
            if where not in taken:
                refs.setdefault(name, _reference(place.file, where))
        own = (place.file, place.pointer)
        return {
            value: Sub((Part({"$ref": ref}, place),))
            for value, ref in sorted(refs.items())
            if self._end(place, ref) not in (None, own)
        }

    def _mapped(self, place: Place, ref: str) -> str:
        """The reference of a mapping: the name of a component, or a reference as everywhere else."""
        if _NAME.match(ref):
            for shelf in _SHELVES:
                named = "#" + Place("", "").child(*shelf, ref).pointer
                if self._resolver.target(place, named) is not None:
                    return named
        return ref

    def _end(self, place: Place, ref: str) -> _Where | None:
        target = self._resolver.target(place, ref)
        found = None if target is None else self._resolver.follow(*target)
        return None if found is None else (found[0].file, found[0].pointer)

    @cached_property
    def _heirs(self) -> Mapping[_Where, list[tuple[_Where, str]]]:
        """Who extends a schema by `allOf`, by the place of the schema, in the order of names."""
        found: dict[_Where, list[tuple[_Where, str]]] = {}
        for file, document in sorted(self._resolver.documents.items()):
            for shelf in _SHELVES:
                node = document
                for step in shelf:
                    node = node.get(step) if isinstance(node, dict) else None
                for name, member in sorted(node.items()) if isinstance(node, dict) else ():
                    place = Place(file, "").child(*shelf, name)
                    for parent in {end for ref in _extended(member) if (end := self._end(place, ref)) is not None}:
                        found.setdefault(parent, []).append(((file, place.pointer), _spelled(name, member)))
        return found


def _extended(member: Json) -> Iterator[str]:
    """The references in the `allOf` of a schema."""
    stack = [member]
    while stack:
        node = stack.pop()
        listed = node.get("allOf") if isinstance(node, dict) else None
        for part in listed if isinstance(listed, list) else ():
            ref = part.get("$ref") if isinstance(part, dict) else None
            if isinstance(ref, str):
                yield ref
            stack.append(part)


def _spelled(name: str, member: Json) -> str:
    written = [member.get(key) for key in _SPELLED] if isinstance(member, dict) else []
    return next((value for value in written if isinstance(value, str)), name)


def _reference(base: str, where: _Where) -> str:
    file, pointer = where
    location = "" if file == base else quote(posixpath.relpath(file, posixpath.dirname(base) or "."), safe="/")
    return f"{location}#{quote(pointer, safe='/~')}"


def _ref(sub: Sub) -> str:
    node = sub.parts[0].node
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref if isinstance(ref, str) else ""
