"""Members that a sender does not send: `readOnly` ones in requests, `writeOnly` ones in responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.contract.model import Contract, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json, Polarity

HIDDEN: Final = "the value is sent only in a member that is readOnly in a request or writeOnly in a response"
_MARKS: Final = {Polarity.READ: "readOnly", Polarity.WRITTEN: "writeOnly"}
_CERTAIN: Final = ("allOf",)
_POSSIBLE: Final = ("allOf", "anyOf", "oneOf", "if", "then", "else")
_MOST: Final = 200
_Node = tuple[Place, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class Hidden:
    """What one contract as sender keeps back."""

    _resolver: Resolver
    _mark: str
    _known: dict[tuple[object, ...], list[_Node]] = field(default_factory=dict, repr=False, compare=False)
    _kept_back: dict[tuple[int, int, str], bool] = field(default_factory=dict, repr=False, compare=False)

    def without(self, where: ValueSet, value: Json) -> Json:
        """The value as it is sent."""
        return self._sent([(where.place, where.node)], value)

    def _sent(self, about: list[tuple[Place, Json]], value: Json) -> Json:
        """What is left of a value that some schemas are about."""
        nodes = self._parts(about)
        if isinstance(value, Mapping):
            kept: dict[str, Json] = {}
            certain = self._parts(about, _CERTAIN)
            for name, member in value.items():
                if self._is_kept_back(certain, nodes, name):
                    continue
                below = list(_members(nodes, name))
                kept[name] = self._sent(below, member) if isinstance(member, (dict, list)) else member
            return kept
        if isinstance(value, list):
            return [self._sent(list(_items(nodes, at)), item) for at, item in enumerate(value)]
        return value

    def _is_kept_back(self, certain: list[_Node], possible: list[_Node], name: str) -> bool:
        """True for a declared property whose own schema has the mark: other members and branches know none.

        What only some variants of a union declare so is sent by the others. Asked again for every value; both lists are
        among those of `_parts`, so that their identity holds.
        """
        key = (id(certain), id(possible), name)
        if key not in self._kept_back:
            self._kept_back[key] = self._is_marked(certain, possible, name)
        return self._kept_back[key]

    def _is_marked(self, certain: list[_Node], possible: list[_Node], name: str) -> bool:
        if any(self._marked(each) for each in _declared(certain, name)):
            return True
        declared = _declared(possible, name)
        return bool(declared) and all(map(self._marked, declared))

    def _marked(self, property_: tuple[Place, Json]) -> bool:
        return any(node.get(self._mark) is True for _, node in self._parts([property_], _CERTAIN))

    def _parts(self, found: list[tuple[Place, Json]], through: tuple[str, ...] = _POSSIBLE) -> list[_Node]:
        """The nodes that speak about the same value, through references and branches; asked again for every value."""
        key = (through, *[id(node) for _, node in found])
        if key not in self._known:
            self._known[key] = self._together(list(found), through)
        return self._known[key]

    def _together(self, found: list[tuple[Place, Json]], through: tuple[str, ...]) -> list[_Node]:
        made: list[_Node] = []
        seen: set[int] = set()
        while found and len(made) < _MOST:
            place, node = found.pop()
            if not isinstance(node, Mapping) or id(node) in seen:
                continue
            seen.add(id(node))
            made.append((place, node))
            end = self._resolver.follow(place, node)
            found += [end] if end is not None else []
            for key in through:
                branches = node.get(key, [])
                found += [(place, branch) for branch in (branches if isinstance(branches, list) else [branches])]
        return made


def hidden(contract: Contract, polarity: Polarity | None) -> Hidden | None:
    """What a contract's sender keeps back in messages of a direction, None without one."""
    return None if polarity is None else Hidden(Resolver(contract.documents), _MARKS[polarity])


def _properties(node: Mapping[str, Json]) -> Mapping[str, Json]:
    found = node.get("properties")
    return found if isinstance(found, Mapping) else {}


def _declared(nodes: list[_Node], name: str) -> list[tuple[Place, Json]]:
    return [(place, _properties(node)[name]) for place, node in nodes if name in _properties(node)]


def _members(nodes: list[_Node], name: str) -> Iterator[tuple[Place, Json]]:
    for place, node in nodes:
        if name in _properties(node):
            yield place, _properties(node)[name]
        elif "additionalProperties" in node:
            yield place, node["additionalProperties"]


def _items(nodes: list[_Node], at: int) -> Iterator[tuple[Place, Json]]:
    for place, node in nodes:
        first = node.get("prefixItems")
        if isinstance(first, list) and at < len(first):
            yield place, first[at]
        elif "items" in node:
            yield place, node["items"]
