"""Rows that the row of a type of another kind says: its parts, and the fields of an object that became a root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evreview.comparison.elements import ElementDifference
from evreview.comparison.noise import NoiseReason
from evreview.comparison.redundant_rows import told
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Aspect, Change

_KIND: Final = "kind"
_WITH_FIELDS: Final = frozenset({"object", "interface", "input object"})
_HOLDERS: Final[Mapping[tuple[ElementKind, Aspect], frozenset[str]]] = {
    (ElementKind.FIELD, Aspect.FIELDS): _WITH_FIELDS,
    (ElementKind.MEMBER, Aspect.INHERITANCE): frozenset({"object", "interface"}),
    (ElementKind.MEMBER, Aspect.COMPOSITION): frozenset({"union"}),
    (ElementKind.ENUM_VALUE, Aspect.ENUMS): frozenset({"enum"}),
}
"""The kinds of types that hold parts of a kind."""


def told_by_types(rows: list[ElementDifference], released: Contract, candidate: Contract) -> list[ElementDifference]:
    """The rows, those as noise that say of a part what the row of its type says of all."""
    types = _Types(released, candidate)
    return told(told(rows, types.is_of_kind, NoiseReason.TOLD_BY_KIND), types.is_of_root, NoiseReason.OF_ROOT)


@dataclass(frozen=True)
class _Types:
    """The named types of both sides of a GraphQL schema."""

    released: Contract
    candidate: Contract

    @cached_property
    def _both(self) -> tuple[dict[str, Element], dict[str, Element]]:
        old, new = (
            {each.key: each for each in side.root.children if each.kind is ElementKind.TYPE}
            for side in (self.released, self.candidate)
        )
        return old, new

    def _kinds(self, name: str) -> tuple[str, str] | None:
        """The kinds of a type that both sides have, where they differ."""
        old, new = (types.get(name) for types in self._both)
        if old is None or new is None:
            return None
        kinds = str(old.facet(_KIND)), str(new.facet(_KIND))
        return kinds if kinds[0] != kinds[1] else None

    def is_of_kind(self, row: ElementDifference) -> bool:
        """True for a part that only one of two kinds has, and for an implementation of what is no interface there."""
        here, about = row.position.released.key, row.about
        added = row.difference.direction is Change.ADDED
        holders = _HOLDERS.get((about.kind, about.aspect), frozenset())
        kinds = self._kinds(here)
        if kinds is not None and holders and kinds[0 if added else 1] not in holders:
            return set(kinds) != {"interface", "union"} or holders != {"union"} or self._stays_possible(here, about.key)
        kinds = self._kinds(about.key) if about.aspect is Aspect.INHERITANCE else None
        if kinds is None or "interface" not in kinds:
            return False
        return "union" not in kinds or self._stays_possible(about.key, here)

    def _stays_possible(self, abstract: str, name: str) -> bool:
        """Whether a value of an interface or union may be of a type on both sides."""
        return all(
            _has(types.get(abstract), name, Aspect.COMPOSITION) or _has(types.get(name), abstract, Aspect.INHERITANCE)
            for types in self._both
        )

    def is_of_root(self, row: ElementDifference) -> bool:
        """True for a field of a type that is a root on the other side, and for a root that comes or goes as a whole.

        The fields of a root stand as operations; no other object is without fields.
        """
        side = 1 if row.difference.direction is Change.ADDED else 0
        if row.about.kind is ElementKind.FIELD:
            other = self._both[1 - side].get(row.position.released.key)
            return other is not None and _is_root(other)
        word = row.about.key.lower()
        other_side = (self.released, self.candidate)[1 - side]
        return (
            row.about.kind is ElementKind.TYPE
            and row.about.key == word.capitalize()
            and _is_root(row.about)
            and not any(each.key.startswith(f"{word} ") for each in other_side.root.children)
        )


def _has(element: Element | None, name: str, aspect: Aspect) -> bool:
    return element is not None and any(
        child.kind is ElementKind.MEMBER and child.key == name and child.aspect is aspect for child in element.children
    )


def _is_root(element: Element) -> bool:
    return element.facet(_KIND) == "object" and not any(child.kind is ElementKind.FIELD for child in element.children)
