"""The parts that nobody could read, seen from a schema node. What depends on them is neither proved nor witnessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from evreview.contract.model import Place, ValueSet
from evreview.core.vocabulary import Json
from evreview.schema.to_json_schema import Source, is_gap, references

UNREAD: Final = "a part of the schema could not be read"
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")


class Gaps:
    """The unread parts that the nodes of one source depend on. Where there is none, nobody looks twice."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._whole: set[str] = set()
        """Definitions that reach no unread part at all."""
        self._in_place: dict[Place, frozenset[str]] = {}
        self._concerning: dict[tuple[Place, int, str, str | None], frozenset[str]] = {}

    def in_place(self, value: ValueSet) -> frozenset[str]:
        """The unread parts that judge the same value as the node: its references and compositions, no members."""
        if value.place not in self._in_place:
            names = _references_in_place(self._source.schema(value))
            self._in_place[value.place] = self._reached(names, self._used_in_place)[0]
        return self._in_place[value.place]

    def concerning(self, value: ValueSet, keyword: str, member: str | None) -> frozenset[str]:
        """The unread parts that a row about `keyword` (or about a property) of a node depends on."""
        key = (value.place, id(value.node), keyword, member)
        # A choice of thousands has a row for each of its branches.
        if key not in self._concerning:
            self._concerning[key] = self._found(value, keyword, member)
        return self._concerning[key]

    def _found(self, value: ValueSet, keyword: str, member: str | None) -> frozenset[str]:
        schema = self._source.schema(value)
        found = self.in_place(value)
        if not isinstance(schema, (dict, Mapping)):
            return found
        if member is not None:
            properties = schema.get("properties")
            schema = {"a": properties.get(member, True)} if isinstance(properties, (dict, Mapping)) else {}
        else:
            schema = schema if keyword == "schema" else {"a": schema.get(keyword, True)}
        below, seen = self._reached(references(schema), self._source.used)
        if not below:
            self._whole |= seen
        return found | below

    def _used_in_place(self, name: str) -> Iterator[str]:
        return _references_in_place(self._source.definition(name))

    def _reached(self, names: Iterable[str], used: Callable[[str], Iterable[str]]) -> tuple[frozenset[str], set[str]]:
        """The unread parts among names and all that those use, and all names that were looked at."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in seen and name not in self._whole:
                seen.add(name)
                waiting.extend(() if is_gap(name) else used(name))
        return frozenset(name for name in seen if is_gap(name)), seen


def _references_in_place(schema: Json) -> Iterator[str]:
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, (dict, Mapping)):
            continue
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
        for keyword in _IN_PLACE:
            below = node.get(keyword)
            if keyword == "dependentSchemas" and isinstance(below, (dict, Mapping)):
                stack.extend(below.values())
            elif isinstance(below, list):
                stack.extend(below)
            else:
                stack.append(below)
