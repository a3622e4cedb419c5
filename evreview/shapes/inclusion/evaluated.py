"""Which members a schema evaluates, and what has to hold for each of them (JSON Schema 2020-12 Core, section 11.3).

A member is evaluated when some schema that looks at the same object and holds names it. What holds in every value of
the node evaluates always; a branch, a condition or a dependent schema evaluates where it holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from evreview.core.vocabulary import Json

if TYPE_CHECKING:
    from evreview.shapes.inclusion.forms import Form, Pool

_DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")
_ALL: Final = ("additionalProperties", "unevaluatedProperties")
_LISTED: Final = ("items", "unevaluatedItems")
_MOST: Final = 400
ALL_ITEMS: Final = -1


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a node evaluates.

    Attributes:
        names: the members, each with the conditions of which one has to hold; `Pool.anything` always does.
        patterns: of names, each with such conditions.
        everything: the conditions under each of which all members are evaluated.
    """

    names: dict[str, list[Form]] = field(default_factory=dict)
    patterns: dict[str, list[Form]] = field(default_factory=dict)
    everything: list[Form] = field(default_factory=list)


def evaluated_by(form: Form, node: Mapping[str, Json]) -> Evaluated | None:
    """What a node evaluates beside its `unevaluatedProperties`.

    None where a schema is not known and no other one evaluates all.
    """
    walk = _Members(form.pool)
    own = {key: value for key, value in node.items() if key != "unevaluatedProperties"}
    known = walk.read(form.child(own), form.pool.anything, ())
    return walk.found if known or form.pool.anything in walk.found.everything else None


def items_evaluated(form: Form, node: Mapping[str, Json]) -> int | None:
    """How many first items a node evaluates beside its `unevaluatedItems`, `ALL_ITEMS` for every one.

    None where a branch or the values of the items decide, or where a schema is not known, and nothing evaluates all.
    """
    walk = _Items(form.pool)
    own = {key: value for key, value in node.items() if key != "unevaluatedItems"}
    known = walk.read(form.child(own), form.pool.anything, ())
    if walk.everything:
        return ALL_ITEMS
    return walk.longest if known else None


class _Walk(ABC):
    """The schemas in place of one node, each with what has to hold for it to evaluate anything."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._left = _MOST

    def read(self, form: Form, when: Form, passed: tuple[Form, ...]) -> bool:
        """Notes what a schema evaluates under a condition; False where that can't be said."""
        node = form.node
        self._left -= 1
        if not isinstance(node, (dict, Mapping)):
            return True
        if self._left < 0 or form in passed or any(keyword in node for keyword in _DYNAMIC):
            return False
        said = self._note(node, when)
        if said is True:
            return True
        # What is not known in one place does not matter where another one evaluates all: each is read.
        known = [
            below is not None and self.read(below, self._both(when, more), (*passed, form))
            for below, more in self._in_place(form, node)
        ]
        return said is None and all(known)

    def _in_place(self, form: Form, node: Mapping[str, Any]) -> Iterator[tuple[Form | None, Form]]:
        """The schemas in place below a node, each with what has to hold for it to count; None for an unread one."""
        pool, always = self._pool, self._pool.anything
        ref = node.get("$ref")
        if isinstance(ref, str):
            name = ref.removeprefix("#/$defs/")
            yield pool.target(pool.name_side(form.side, name), name), always
        for branch in _listed(node, "allOf"):
            yield form.child(branch), always
        for branch in (*_listed(node, "anyOf"), *_listed(node, "oneOf")):
            yield form.child(branch), form.child(branch)
        if "if" in node:
            met = form.child(node["if"])
            yield met, met
            yield form.child(node.get("then", True)), met
            yield form.child(node.get("else", True)), pool.of(("not", met))
        for name, branch in _mapping(node, "dependentSchemas").items():
            yield form.child(branch), pool.of(("required", name))

    def _both(self, one: Form, other: Form) -> Form:
        always = self._pool.anything
        if one is always or other is always:
            return other if one is always else one
        return self._pool.of(("all", one), ("all", other))

    @abstractmethod
    def _note(self, node: Mapping[str, Json], when: Form) -> bool | None:
        """Notes what a node itself evaluates: True where that is all, False where it can't be said, None otherwise."""


class _Members(_Walk):
    """Which members are evaluated."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.found = Evaluated()

    def _note(self, node: Mapping[str, Json], when: Form) -> bool | None:
        if any(keyword in node for keyword in _ALL):
            self.found.everything.append(when)
            return True
        for keyword, told in (("properties", self.found.names), ("patternProperties", self.found.patterns)):
            for name in _mapping(node, keyword):
                told.setdefault(name, []).append(when)
        return None


class _Items(_Walk):
    """Which items are evaluated: a start of the array, or all of them."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.longest = 0
        self.everything = False

    def _note(self, node: Mapping[str, Json], when: Form) -> bool | None:
        first = len(_listed(node, "prefixItems"))
        rest = any(keyword in node for keyword in _LISTED)
        if rest and when is self._pool.anything:
            self.everything = True
            return True
        self.longest = max(self.longest, first)
        doubtful = "contains" in node or (bool(first or rest) and when is not self._pool.anything)
        return False if doubtful else None


def _mapping(node: Mapping[str, Any], keyword: str) -> Mapping[str, Json]:
    found = node.get(keyword)
    return found if isinstance(found, (dict, Mapping)) else {}


def _listed(node: Mapping[str, Any], keyword: str) -> list[Json]:
    found = node.get(keyword)
    return found if isinstance(found, list) else []
