"""Values that a contract itself shows, `example`, `examples` and `default`, in the place of values that were made up.

A witness says more where it looks like what peers send: the contract's own values come first, and each is held against
both contracts like any other. What the redactor would withhold is never taken: a message with a gap can't be sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from evreview.contract.model import Element, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow, pointer, steps_of
from evreview.core.json_text import same, sorted_text
from evreview.core.vocabulary import Json
from evreview.redaction.scanner import scan
from evreview.schema.evaluator import At
from evreview.schema.reader import json_type, listed_values

_HOLDERS: Final[Mapping[str, str]] = {"schema": "", "payload": "payload", "headers": "headers"}
"""Keywords under which a parameter, media type or message holds its schema; the member of an example that is for it."""
_SHOWING: Final = frozenset({"example", "examples", "default"})
_CHOICES: Final = ("allOf", "anyOf", "oneOf")
_ALIKE: Final[Mapping[str, tuple[str, ...]]] = dict.fromkeys(("integer", "number"), ("integer", "number"))
_DEEP: Final = 8
_LEAVES: Final = 12
_EACH: Final = 3
_LONGEST: Final = 300
"""Characters of an example that is taken as it is; longer ones only lend their parts."""


class Leaf(NamedTuple):
    """A scalar of a value.

    Attributes:
        at: the way to it.
        shown: the values of its type that the contract shows there, those shown for the whole first.
    """

    at: At
    shown: tuple[Json, ...]


class ContractExamples:
    """The values that the documents of one contract show."""

    def __init__(self, documents: Mapping[str, Json]) -> None:
        self._resolver = Resolver(documents)
        self._wholes: dict[tuple[str, str], tuple[Json, ...]] = {}

    @cached_property
    def _any(self) -> bool:
        """False where no document shows a value anywhere, so that nobody looks for one row by row."""
        waiting: list[Json] = list(self._resolver.documents.values())
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                if not _SHOWING.isdisjoint(node):
                    return True
                waiting += [each for each in node.values() if type(each) in (dict, list)]
            elif isinstance(node, list):
                waiting += [each for each in node if type(each) in (dict, list)]
        return False

    def whole(self, element: Element) -> tuple[Json, ...]:
        """What is shown for an element as a whole: beside its schema first, then in it."""
        value = element.value
        if value is None or not self._any:
            return ()
        key = (value.place.file, value.place.pointer)
        if key not in self._wholes:
            nodes = self._nodes(value.place, value.node)
            found = [*self._beside(value), *(each for _, node in nodes for each in _shown(node))]
            self._wholes[key] = tuple(found)
        return self._wholes[key]

    def short(self, element: Element) -> Iterator[Json]:
        """Those of them that a message may carry as they are."""
        return (each for each in self.whole(element) if _is_free(element.name, each))

    def dressed(self, element: Element, value: Json, holds: Callable[[Json], bool]) -> Json:
        """The value with what the contract shows in the place of its scalars, as far as it still holds.

        Args:
            element: with the value set.
            value: a value of it.
            holds: whether a value serves as well.
        """
        if element.value is None or not self._any:
            return value
        leaves = list(self._leaves(element, value))[:_LEAVES]
        every = value
        for leaf in leaves:
            every = _put(every, leaf.at, leaf.shown[0])
        if leaves and holds(every):
            return every
        for leaf in leaves if len(leaves) > 1 or any(len(leaf.shown) > 1 for leaf in leaves) else ():
            tried = (_put(value, leaf.at, shown) for shown in leaf.shown)
            value = next((each for each in tried if holds(each)), value)
        return value

    def _leaves(self, element: Element, value: Json) -> Iterator[Leaf]:
        if element.value is not None:
            shown = self.whole(element)
            yield from self._below(((element.value.place, element.value.node),), value, shown, (), element.name)

    def _below(
        self, schemas: tuple[tuple[Place, Json], ...], value: Json, shown: tuple[Json, ...], at: At, name: str
    ) -> Iterator[Leaf]:
        nodes = [each for place, node in schemas for each in self._nodes(place, node)]
        shown = (*shown, *(each for _, node in nodes for each in _shown(node) if at))
        if isinstance(value, dict):
            for key, member in value.items():
                below = tuple(
                    (place.child("properties", key), _properties(node)[key])
                    for place, node in nodes
                    if key in _properties(node)
                )
                given = tuple(each[key] for each in shown if isinstance(each, dict) and key in each)
                yield from self._below(below, member, given, (*at, key), key)
        elif isinstance(value, list):
            below = tuple((place.child("items"), node["items"]) for place, node in nodes if "items" in node)
            given = tuple(item for each in shown if isinstance(each, list) for item in each)
            for index, item in enumerate(value[:_EACH]):
                yield from self._below(below, item, given, (*at, index), name)
        elif all(listed_values(node) is None for _, node in nodes):
            fitting = _fitting(value, shown, name)
            if fitting:
                yield Leaf(at, fitting)

    def _nodes(self, place: Place, node: Json) -> list[tuple[Place, Mapping[str, Json]]]:
        """The node and what speaks of the same value: behind a reference, in a part or a branch."""
        found: list[tuple[Place, Mapping[str, Json]]] = []
        waiting = [(place, node, 0)]
        seen: set[tuple[str, str]] = set()
        while waiting:
            place, node, depth = waiting.pop(0)
            if not isinstance(node, dict) or depth > _DEEP or (place.file, place.pointer) in seen:
                continue
            seen.add((place.file, place.pointer))
            found.append((place, node))
            ref = node.get("$ref")
            target = self._resolver.target(place, ref) if isinstance(ref, str) else None
            waiting += [(*target, depth + 1)] if target is not None else []
            for keyword in _CHOICES:
                branches = node.get(keyword)
                for index, branch in enumerate(branches if isinstance(branches, list) else ()):
                    waiting.append((place.child(keyword, index), branch, depth + 1))
        return found

    def _beside(self, value: ValueSet) -> list[Json]:
        """The examples of the parameter, media type or message that holds the schema."""
        steps = steps_of(value.place.pointer)
        if not steps or steps[-1] not in _HOLDERS:
            return []
        holder = follow(self._resolver.documents.get(value.place.file), pointer(steps[:-1]))
        if not isinstance(holder, dict):
            return []
        part = _HOLDERS[steps[-1]]
        found = [holder["example"]] if "example" in holder and not part else []
        listed = holder.get("examples")
        for each in listed.values() if isinstance(listed, dict) else listed if isinstance(listed, list) else ():
            followed = self._resolver.follow(value.place, each)
            if followed is not None and isinstance(followed[1], dict) and (part or "value") in followed[1]:
                found.append(followed[1][part or "value"])
        return found


def _shown(node: Mapping[str, Json]) -> Iterator[Json]:
    """The values that a schema node shows."""
    if "example" in node:
        yield node["example"]
    listed = node.get("examples")
    yield from listed if isinstance(listed, list) else ()
    if "default" in node:
        yield node["default"]


def _properties(node: Mapping[str, Json]) -> Mapping[str, Json]:
    said = node.get("properties")
    return said if isinstance(said, dict) else {}


def _fitting(value: Json, shown: tuple[Json, ...], name: str) -> tuple[Json, ...]:
    """A few of the shown values that are of the value's type and may be told; none where it is one of them."""
    kinds = _ALIKE.get(json_type(value), (json_type(value),))
    if value is None or any(same(each, value) for each in shown):
        return ()
    fitting = (each for each in shown if json_type(each) in kinds and _is_free(name, each))
    return tuple({sorted_text(each): each for each in fitting}.values())[:_EACH]


def _is_free(name: str, value: Json) -> bool:
    """True for a value that is short, and in which the redactor finds nothing to withhold."""
    text = json.dumps(value, default=str)
    return len(text) <= _LONGEST and not scan(f"{name}: {text}")


def _put(value: Json, at: At, leaf: Json) -> Json:
    """The value with another one at the end of a way."""
    if not at:
        return leaf
    if isinstance(value, list):
        return [_put(item, at[1:], leaf) if index == at[0] else item for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {name: _put(item, at[1:], leaf) if name == at[0] else item for name, item in value.items()}
    return value
