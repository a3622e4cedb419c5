"""What a discriminator means: subtypes that it selects, branches that exclude each other, what it demands of branches.

OpenAPI, "Composition and Inheritance": a value whose discriminating member names a component matches that component
too. The names are those of `mapping`, and the components whose `allOf` leads to the discriminated schema.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final
from urllib.parse import quote

import orjson

from evreview.contract.model import Place
from evreview.contract.references import Resolver
from evreview.core.json_text import list_or_empty
from evreview.core.vocabulary import Json
from evreview.schema.reader import discriminator_of, json_type
from evreview.schema.view import Discriminator, Part, SchemaView, Sub

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


# Whether the branches of a composition exclude each other: only then is "exactly one of them" the same as "any".


_NULL = "null"


def token(value: Json) -> str:
    """One text per JSON value: 1 and 1.0 share it, `true` and 1 do not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"number:{float(value)!r}" if abs(value) < 2**53 else f"number:{value!r}"
    try:
        return f"{json_type(value)}:{orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()}"
    except (TypeError, orjson.JSONEncodeError):
        return f"{json_type(value)}:{value!r}"


def are_disjoint(views: Sequence[SchemaView], read: Callable[[Sub], SchemaView]) -> bool:
    """True when no value can meet two of the branches: by type, by listed values, or by a field that each one fixes.

    Args:
        views: the branches.
        read: gives the view of a member.
    """
    said = [_Said(view, read) for view in views]
    if _are_disjoint_by_values([one.values for one in said]) or _by_one_field(said):
        return True
    return all(_exclude(left, right) for left, right in combinations(said, 2))


class _Said:
    """What one branch says, sorted out once for all the others that it is held against."""

    def __init__(self, view: SchemaView, read: Callable[[Sub], SchemaView]) -> None:
        self._read = read
        self._members: Mapping[str, Sub] = view.properties
        self._listed: dict[str, frozenset[str] | None] = {}
        self.never = view.never
        self.null = view.null
        self.types = _widened(view.types) if view.types is not None else None
        self.values = _enum_tokens(view)
        self.required = view.required
        self.is_object = view.types == frozenset({"object"}) and not view.null

    def listed(self, name: str) -> frozenset[str] | None:
        """The values that a member lists, None for any other member."""
        if name not in self._listed:
            self._listed[name] = _enum_tokens(self._read(self._members[name])) if name in self._members else None
        return self._listed[name]


def _are_disjoint_by_values(values: Sequence[frozenset[str] | None]) -> bool:
    """True when every branch lists its values and none is listed twice: thousands of branches are no pairs then."""
    listed = [each for each in values if each is not None]
    return len(listed) == len(values) and sum(map(len, listed)) == len(frozenset().union(*listed))


def _by_one_field(said: Sequence[_Said]) -> bool:
    """True when all branches are objects that demand one field, and no two list the same value for it."""
    if not said or not all(one.is_object and one.values is None for one in said):
        return False
    common = frozenset(said[0].required).intersection(*(one.required for one in said))
    return any(_are_disjoint_by_values([one.listed(name) for one in said]) for name in sorted(common))


def _exclude(left: _Said, right: _Said) -> bool:
    if left.never or right.never or _types_exclude(left, right):
        return True
    if left.values is not None and right.values is not None:
        return left.values.isdisjoint(right.values)
    return _fields_exclude(left, right)


def _types_exclude(left: _Said, right: _Said) -> bool:
    if left.types is None or right.types is None or (left.null and right.null):
        return False
    return left.types.isdisjoint(right.types)


def _widened(types: Iterable[str]) -> frozenset[str]:
    return frozenset("number" if name == "integer" else name for name in types)


def _enum_tokens(view: SchemaView) -> frozenset[str] | None:
    if view.enum is None:
        return None
    return frozenset(map(token, view.enum)) | ({_NULL} if view.null else frozenset())


def _fields_exclude(left: _Said, right: _Said) -> bool:
    """True for two objects that both demand a field whose listed values have nothing in common."""
    if not (left.is_object and right.is_object):
        return False
    return any(_are_disjoint(left.listed(name), right.listed(name)) for name in left.required & right.required)


def _are_disjoint(left: frozenset[str] | None, right: frozenset[str] | None) -> bool:
    return left is not None and right is not None and left.isdisjoint(right)


# What a discriminator demands of the branches of the union beside it: the value of its member names the branch.
#
# OpenAPI 3.1.1, section 4.8.25: where the value matches no implicit or explicit mapping, "no schema can be determined
# and validation SHOULD fail". So a branch holds only values that name it. A branch that lists the values of the member
# itself is left as it is written, whatever the names of components say; so is a branch that does not describe the
# member.


_DEEPEST: Final = 8
Schema = dict[str, Json]


def named(node: Mapping[str, Json], place: Place, branches: list[Json], resolver: Resolver) -> list[Schema | None]:
    """For each branch the schema of the member that names it, None where nothing more is demanded."""
    said = discriminator_of(node, place) if "discriminator" in node else None
    if said is None:
        return [None] * len(branches)
    found = [_Branch(said, (place, branch), resolver) for branch in branches]
    return [branch.demand if branch.described and not branch.listed else None for branch in found]


def decides(node: Json, place: Place, resolver: Resolver) -> bool:
    """True when the schemas of a union alone say which values its discriminator takes to which branch."""
    said = discriminator_of(node, place) if isinstance(node, (dict, Mapping)) and "discriminator" in node else None
    if said is None or not isinstance(node, (dict, Mapping)):
        return False
    branches = [branch for key in ("oneOf", "anyOf") for branch in list_or_empty(node.get(key))]
    found = [_Branch(said, (place, branch), resolver) for branch in branches]
    return bool(found) and all(branch.named and branch.described and branch.listed <= branch.named for branch in found)


def spelled_out(node: Json, place: Place, resolver: Resolver) -> bool:
    """True for a schema that means the same without its discriminator: each branch lists the values that select it."""
    if not isinstance(node, (dict, Mapping)) or "discriminator" not in node:
        return True
    said = discriminator_of(node, place)
    branches = [branch for key in ("oneOf", "anyOf") for branch in list_or_empty(node.get(key))]
    found = [_Branch(said, (place, branch), resolver) for branch in branches] if said is not None else []
    return bool(found) and all(branch.listed and branch.listed <= branch.named for branch in found)


class _Branch:
    """One branch: the values that name it, and what it says itself of the member."""

    def __init__(self, said: Discriminator, at: tuple[Place, Json], resolver: Resolver) -> None:
        self._member = said.property
        self.named = frozenset(_selecting_values(said.values, at[1]))
        self.described = list(_described(said.property, at, resolver, 0))
        self.listed = frozenset(str(value) for each in self.described for value in _listed(each))

    @property
    def demand(self) -> Schema | None:
        """That the member names the branch, None for one that nothing names."""
        texts = sorted(self.named)
        values: list[Json] = [*texts, *(other for text in texts for other in _untexted(text))]
        return {"properties": {self._member: {"enum": values}}} if values else None


def _selecting_values(values: Mapping[str, str], branch: Json) -> list[str]:
    """The values that select a branch: those mapped to it, else the name of its component."""
    ref = branch.get("$ref") if isinstance(branch, dict) else None
    if not isinstance(ref, str):
        return []
    return [value for value, target in values.items() if _tail(target) == _tail(ref)]


def _untexted(value: str) -> Iterator[Json]:
    """A mapping's keys are texts: the number or truth value that one may stand for."""
    try:
        read = json.loads(value)
    except ValueError:
        return
    if isinstance(read, (bool, int)):
        yield read


def _described(member: str, at: tuple[Place, Json], resolver: Resolver, depth: int) -> Iterator[Mapping[str, Json]]:
    """Every schema of a member that a branch has, through references and `allOf`."""
    found = resolver.follow(*at)
    place, node = found if found is not None else at
    if depth > _DEEPEST or found is None or not isinstance(node, (dict, Mapping)):
        return
    own = node.get("properties")
    if isinstance(own, (dict, Mapping)) and member in own:
        yield from _parts((place, own[member]), resolver, depth)
    for part in list_or_empty(node.get("allOf")):
        yield from _described(member, (place, part), resolver, depth + 1)


def _parts(at: tuple[Place, Json], resolver: Resolver, depth: int) -> Iterator[Mapping[str, Json]]:
    found = resolver.follow(*at)
    place, node = found if found is not None else at
    if depth > _DEEPEST or found is None or not isinstance(node, (dict, Mapping)):
        return
    yield node
    for key in ("allOf", "anyOf", "oneOf"):
        for part in list_or_empty(node.get(key)):
            yield from _parts((place, part), resolver, depth + 1)


def _listed(node: Mapping[str, Json]) -> Iterator[Json]:
    if "const" in node:
        yield node["const"]
    yield from list_or_empty(node.get("enum"))


def _tail(ref: str) -> str:
    return ref.rsplit("/", 1)[-1]
