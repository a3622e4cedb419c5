"""Schema nodes as interned forms: two nodes that say the same are one object, whichever contract they stand in.

A form holds literals, each a small tuple that speaks about one thing. References stay names; a name whose whole closure
is written alike on both sides is one name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson

from evreview.core.json_text import spelled
from evreview.core.vocabulary import Json
from evreview.schema.subsumption.interned_schema import Items, Literal, Members, Values, literals_of
from evreview.schema.to_json_schema import references
from evreview.shapes.keywords import LISTED, MAPPED, SINGLE

if TYPE_CHECKING:
    from evreview.schema.subsumption.constraint_set import Given

Definition = Callable[[str], Json | None]
_BOTH: Final = -1
_SCHEMAS: Final = frozenset(SINGLE) | {"additionalItems"}


class Form:
    """One schema node. Identity is equality of meaning; literals are read when first asked for."""

    __slots__ = ("_literals", "node", "number", "pool", "side")

    def __init__(self, pool: Pool, node: Json, side: int, literals: tuple[Literal, ...] | None = None) -> None:
        self.pool = pool
        self.node = node
        self.side = side
        self._literals = literals
        self.number = pool.counted()

    @property
    def literals(self) -> tuple[Literal, ...]:
        """What the node demands, keyword by keyword; all of them hold at once."""
        if self._literals is None:
            self._literals = literals_of(self)
        return self._literals

    def child(self, node: Json) -> Form:
        """The form of a node below this one."""
        return self.pool.form(node, self.side)


class Pool:
    """Interns the nodes of two sources of definitions, the left one (0) and the right one (1).

    Args:
        left, right: the schema behind a name of a definition.
        shared: True when definitions of one name count as the same, whatever they say: then only what differs around
            them is looked at, and the left one is read.

    Attributes:
        gathered: what holds of a value that meets some forms, for `given.gather` alone.
    """

    def __init__(self, left: Definition, right: Definition, *, shared: bool = False) -> None:
        self._sides = (left, right)
        self._shared = shared
        self._forms: dict[Any, Form] = {}
        self._known: dict[tuple[int, int], tuple[Json, Form]] = {}
        self._same: dict[str, bool] = {}
        self._kept: dict[Any, Any] = {}
        self.gathered: dict[tuple[Form, ...], Given] = {}
        self._count = 0
        self.anything = self._forms.setdefault(True, Form(self, True, _BOTH, ()))
        self.nothing = self._forms.setdefault(False, Form(self, False, _BOTH, (("never",),)))

    def form(self, node: Json, side: int) -> Form:
        """The form of a node of one side."""
        if not isinstance(node, dict):
            return self.nothing if node is False else self.anything
        if len(node) == 1 and (node.get("not") is True or node.get("not") == {}):
            return self.nothing  # what `false` says, in the words of older drafts
        known = self._known.get((id(node), side))
        if known is None:
            key = self._key(node, side)
            made = self._forms.get(key)
            if made is None:
                made = self._forms[key] = Form(self, node, side) if key else self.anything
            known = self._known[id(node), side] = (node, made)
        return known[1]

    def counted(self) -> int:
        """How many forms there were before."""
        self._count += 1
        return self._count

    def of(self, *literals: Literal) -> Form:
        """A form that demands just these literals."""
        key = ("literals", literals)
        if key not in self._forms:
            self._forms[key] = Form(self, {}, _BOTH, literals)
        return self._forms[key]

    def typed(self, kind: str) -> Form:
        """The form of all values of a type."""
        return self.of(("types", frozenset({kind}), False))

    def among(self, values: Iterable[Json]) -> Form:
        """The form of some listed values."""
        return self.of(("enum", self.interned(Values(values))))

    def only(self, name: str, form: Form) -> Members:
        """What is said of a member, and of no other."""
        made: Members = self.interned(Members({name: form}, {}, None))
        return made

    def target(self, side: int, name: str) -> Form | None:
        """The form behind a reference, None for one that leads nowhere."""
        at = max(side, 0)
        node = self._sides[at](name)
        if node is None and side == _BOTH:
            at, node = 1, self._sides[1](name)
        return None if node is None else self.form(node, at)

    def interned(self, made: Members | Items | Values) -> Any:
        """The one object that stands for equal members or items."""
        return self._kept.setdefault(made.key, made)

    def name_side(self, side: int, name: str) -> int:
        """-1 for a name that means the same on both sides, else the side."""
        return _BOTH if side == _BOTH or self._alike(name) else side

    def _key(self, node: Mapping[str, Json], side: int) -> tuple[Any, ...]:
        found: list[Any] = []
        for keyword in sorted(node):
            value = node[keyword]
            if keyword == "$defs":
                continue
            if keyword == "$ref":
                name = str(value).removeprefix("#/$defs/")
                found.append((keyword, self.name_side(side, name), name))
            elif keyword in _SCHEMAS:
                found.append((keyword, self.form(value, side)))
            elif keyword in MAPPED and isinstance(value, (dict, Mapping)):
                found.append((keyword, *[(name, self.form(value[name], side)) for name in sorted(value)]))
            elif keyword in LISTED and isinstance(value, list):
                found.append((keyword, *[self.form(branch, side) for branch in value]))
            else:
                found.append((keyword, text_of(value)))
        return tuple(found)

    def _alike(self, name: str) -> bool:
        """True when a definition and all that it reaches are written alike on both sides; linear in what is reached."""
        if name not in self._same:
            self._compare(name)
        return self._same[name]

    def _compare(self, start: str) -> None:
        if self._shared:
            self._same[start] = True
            return
        above: dict[str, list[str]] = {}
        different: list[str] = []
        waiting, seen = [start], {start}
        while waiting:
            name = waiting.pop()
            if name in self._same:
                different += [] if self._same[name] else [name]
                continue
            left, right = self._sides[0](name), self._sides[1](name)
            if left is None or right is None or text_of(left) != text_of(right):
                different += [name] if left is not None or right is not None else []
                if left is None or right is None:
                    continue
            for below in dict.fromkeys(references(left)):
                above.setdefault(below, []).append(name)
                if below not in seen:
                    seen.add(below)
                    waiting.append(below)
        unlike = set(different)
        while different:
            for name in above.get(different.pop(), ()):
                if name not in unlike:
                    unlike.add(name)
                    different.append(name)
        for name in seen:
            self._same.setdefault(name, name not in unlike)


def text_of(value: Json) -> bytes:
    """One text per JSON value, whatever the order of keys."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except (TypeError, orjson.JSONEncodeError):
        return json.dumps(spelled(value), sort_keys=True).encode()
