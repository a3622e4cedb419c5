"""The parts that nobody could read, seen from a schema node. What depends on them is neither proved nor witnessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from evreview.contracts.model import ValueSet
from evreview.shapes.json_schema import Source, is_gap, references
from evreview.vocab import Json

UNREAD: Final = "a part of the schema could not be read"
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")


def gaps_in_place(source: Source, value: ValueSet) -> frozenset[str]:
    """The unread parts that judge the same value as the node: its references and compositions, no members."""
    return _reached(
        _references_in_place(source.schema(value)), lambda name: _references_in_place(source.definition(name))
    )


def _reached(names: Iterable[str], used: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The unread parts among names and all that those use."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(() if is_gap(name) else used(name))
    return frozenset(name for name in seen if is_gap(name))


def _references_in_place(schema: Json) -> Iterator[str]:
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, Mapping):
            continue
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
        for keyword in _IN_PLACE:
            below = node.get(keyword)
            if keyword == "dependentSchemas" and isinstance(below, Mapping):
                stack.extend(below.values())
            elif isinstance(below, list):
                stack.extend(below)
            else:
                stack.append(below)


def gaps_concerning(source: Source, value: ValueSet, keyword: str, member: str | None) -> frozenset[str]:
    """The unread parts that a row about `keyword` (or about a property) of a node depends on."""
    schema = source.schema(value)
    found = gaps_in_place(source, value)
    if not isinstance(schema, Mapping):
        return found
    if member is not None:
        properties = schema.get("properties")
        schema = {"a": properties.get(member, True)} if isinstance(properties, Mapping) else {}
    else:
        schema = schema if keyword == "schema" else {"a": schema.get(keyword, True)}
    return found | _reached(references(schema), source.used)
