"""Says at C speed that two written schemas can't differ: equal bytes, and every reference leads to equal schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import orjson

from evreview.comparison.delta import RawDifference
from evreview.comparison.wire_forms import Forms
from evreview.contract.model import Place
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, Form, Json
from evreview.schema.discriminators import Hierarchy
from evreview.schema.view import Part, SchemaView, Sub
from evreview.schema.views import Views

_REF: Final = re.compile(rb'"\$ref":"((?:[^"\\]|\\.)*)"')
_REF_SIGN: Final = b'"$ref"'
_RESOLVED_LATE: Final = re.compile(rb'"\$(?:dynamic|recursive)Ref":')
"""Nobody follows these here: texts that hold one may mean different schemas, and somebody has to look."""
_DISCRIMINATOR: Final = b'"discriminator":'
RefPair = tuple[str, str, str]


def written(node: Json) -> bytes | None:
    """The node as bytes, None when it can't be written (nested too deeply, numbers beyond 64 bits)."""
    try:
        return orjson.dumps(node)
    except (TypeError, RecursionError, orjson.JSONEncodeError):
        return None


def refs_in(node: bytes) -> list[str]:
    """Every reference written below a node; a text that only looks like one does no harm."""
    if _REF_SIGN not in node:
        return []
    return sorted(map(_text, set(_REF.findall(node))))


def _text(ref: bytes) -> str:
    text = orjson.loads(b'"' + ref + b'"') if b"\\" in ref else ref.decode("utf-8", "replace")
    return str(text)


class Equality:
    """Answers `surely_equal` for pairs of positions, and remembers the answer per pair of references.

    A cycle of references is cut by assumption: it is equal unless something on it differs.
    """

    def __init__(self, released: Resolver, candidate: Resolver, *, one_dialect: bool) -> None:
        self._hierarchies = Hierarchy(released), Hierarchy(candidate)
        self._released = released
        self._candidate = candidate
        self._one_dialect = one_dialect
        self._dirty: dict[RefPair, bool] = {}

    def surely_equal(self, released: Sub, candidate: Sub) -> bool:
        """True when the two positions admit the same and say the same; False when somebody has to look."""
        if not self._one_dialect or len(released.parts) != len(candidate.parts):
            return False
        return all(self._parts_equal(old, new) for old, new in zip(released.parts, candidate.parts, strict=True))

    def plainly_equal(self, released: Sub, candidate: Sub) -> bool:
        """True when two positions are written alike in place, as most members of changed schemas are."""
        if not self._one_dialect or len(released.parts) != 1 or len(candidate.parts) != 1:
            return False
        text = written(released.parts[0].node)
        return (
            text is not None
            and _REF_SIGN not in text
            and _DISCRIMINATOR not in text
            and not _RESOLVED_LATE.search(text)
            and text == written(candidate.parts[0].node)
        )

    def _parts_equal(self, old: Part, new: Part) -> bool:
        left, right = written(old.node), written(new.node)
        refs = self._refs(old, new, left) if left is not None and left == right else None
        return refs is not None and not any(self._is_dirty((old.place.file, new.place.file, ref)) for ref in refs)

    def _refs(self, old: Part, new: Part, text: bytes) -> list[str] | None:
        """The references of one text on both sides, None when a discriminator selects others or nobody follows one."""
        if _RESOLVED_LATE.search(text):
            return None
        refs = refs_in(text)
        if _DISCRIMINATOR not in text:
            return refs
        released, candidate = (
            sorted(hierarchy.written_in(part)) for hierarchy, part in zip(self._hierarchies, (old, new), strict=True)
        )
        return sorted({*refs, *(ref for _, ref in released)}) if released == candidate else None

    def _is_dirty(self, start: RefPair) -> bool:
        if start not in self._dirty:
            self._explore(start)
        return self._dirty[start]

    def _explore(self, start: RefPair) -> None:
        """Settles every pair of references that `start` reaches and that is not settled yet."""
        users: dict[RefPair, list[RefPair]] = {start: []}
        dirty: list[RefPair] = []
        stack = [start]
        while stack:
            pair = stack.pop()
            below = self._below(pair)
            if below is None:
                dirty.append(pair)
                continue
            for member in below:
                if member in self._dirty:
                    if self._dirty[member]:
                        dirty.append(pair)
                elif member in users:
                    users[member].append(pair)
                else:
                    users[member] = [pair]
                    stack.append(member)
        self._settle(users, dirty)

    def _settle(self, users: Mapping[RefPair, Sequence[RefPair]], dirty: Iterable[RefPair]) -> None:
        reached = set(dirty)
        stack = list(reached)
        while stack:
            for user in users[stack.pop()]:
                if user not in reached:
                    reached.add(user)
                    stack.append(user)
        self._dirty |= {pair: pair in reached for pair in users}

    def _below(self, pair: RefPair) -> list[RefPair] | None:
        """The pairs of references right below a pair, None when the two targets are not written alike."""
        old_file, new_file, ref = pair
        old = _find(self._released, old_file, ref)
        new = _find(self._candidate, new_file, ref)
        if old is None or new is None:
            return [] if old is new else None
        left, right = written(old.node), written(new.node)
        refs = self._refs(old, new, left) if left is not None and left == right else None
        return None if refs is None else [(old.place.file, new.place.file, below) for below in refs]


def _find(resolver: Resolver, file: str, ref: str) -> Part | None:
    found = resolver.target(Place(file, ""), ref)
    return None if found is None else Part(found[1], found[0])


# Two resolved schema positions, and what is found between them while they are compared.


class MemberPair(NamedTuple):
    """A pair of members one step below a pair; `required`: of a released property, None for any other member."""

    step: str
    reverses: bool
    released: Sub
    candidate: Sub
    required: bool | None = None


@dataclass(slots=True)
class PairDifferences:
    """What one pair shows: its differences (noise among them), the pairs below it, and released members that went."""

    differences: list[RawDifference] = field(default_factory=list)
    steps: list[MemberPair] = field(default_factory=list)
    lost: list[tuple[str, Sub]] = field(default_factory=list)


@frozen
class SchemaReaders:
    """One contract's readers of schemas."""

    views: Views
    forms: Forms

    def view(self, sub: Sub) -> SchemaView:
        return self.views.of(sub)


@dataclass(slots=True)
class NodePair:
    """Two resolved schema positions with their views, and what is found between them."""

    old: SchemaReaders
    new: SchemaReaders
    released: Sub
    candidate: Sub
    before: SchemaView
    after: SchemaView
    found: PairDifferences = field(default_factory=PairDifferences)

    def add(self, aspect: Aspect, facet: str, released: Form, candidate: Form, **more: object) -> None:
        """Records a difference of this pair."""
        fields = {"released_place": self.released.place, "candidate_place": self.candidate.place, **more}
        self.found.differences.append(
            RawDifference(aspect=aspect, facet=facet, released=released, candidate=candidate, **fields)  # type: ignore[arg-type]
        )

    def go(self, step: str, released: Sub, candidate: Sub, *, reverses: bool = False) -> None:
        """Asks for a pair below this one."""
        self.found.steps.append(MemberPair(step, reverses, released, candidate))

    def go_property(self, step: str, released: Sub, candidate: Sub, *, required: bool) -> None:
        """Asks for the pair of a property that both sides have."""
        self.found.steps.append(MemberPair(step, False, released, candidate, required))
