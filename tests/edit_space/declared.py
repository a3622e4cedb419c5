"""Whether a value carries only members that its schema names, or that the schema openly admits without a name.

An object that says nothing about other members is open, yet nobody is known to send any: the contract leaves that to
the reader. A name counts when it holds whatever branch applies, of those that admit the value. A schema that names no
member at all describes a map, whose members are what it is for, save those that either side gives a meaning to; so does
one that writes that any others may come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.edit_space.forms import Schema

_LISTS: Final = ("allOf", "anyOf", "oneOf")
_NODES: Final = ("if", "then", "else")
_OPEN: Final = ("additionalProperties", "unevaluatedProperties")


@dataclass(frozen=True, eq=False)
class Declarations:
    """What one side names.

    Attributes:
        named: the schemas that a reference may lead to.
        mentioned: names that either side gives a meaning to.
        patterns: expressions for such names.
        admits: whether a schema admits a value.
    """

    named: dict[str, Schema]
    mentioned: frozenset[str]
    patterns: frozenset[str]
    admits: Callable[[Schema, Any], bool]

    def cover(self, schema: Schema, value: Any) -> bool:
        """True when every member of `value`, at every depth, is declared."""
        if isinstance(value, dict):
            return self._object(schema, value)
        if isinstance(value, list):
            nodes = [*self._inside(schema)]
            return all(self.cover(_all(_items(nodes, at)), item) for at, item in enumerate(value))
        return True

    def _object(self, schema: Schema, value: dict[str, Any]) -> bool:
        nodes = [*self._inside(schema)]
        rest = [node[key] for node in nodes for key in _OPEN if key in node]
        described = any(isinstance(each, dict) and each for each in rest)
        open_ = any(each is True or each == {} for each in rest)
        patterns = {pattern for node in nodes for pattern in node.get("patternProperties", {})}
        known = self._known(schema, value)
        map_ = not patterns and not any(True for node in nodes for _ in _names(node))
        for name, member in value.items():
            meant = name in self.mentioned or any(re.search(each, name) for each in self.patterns)
            free = described or ((open_ or map_) and not meant) or any(re.search(each, name) for each in patterns)
            if not (free or name in known) or not self.cover(_all(_members(nodes, name)), member):
                return False
        return True

    def _known(self, schema: Schema, value: dict[str, Any]) -> frozenset[str]:
        """The names that hold whatever branch applies."""
        if isinstance(schema, bool):
            return frozenset()
        found = frozenset(_names(schema))
        if "$ref" in schema:
            found |= self._known(self.named[schema["$ref"].rpartition("/")[2]], value)
        for branch in (*schema.get("allOf", []), *([schema["if"]] if "if" in schema else [])):
            found |= self._known(branch, value)
        for key in ("anyOf", "oneOf"):
            applied = [self._known(branch, value) for branch in schema.get(key, []) if self.admits(branch, value)]
            found |= frozenset.intersection(*applied) if applied else frozenset()
        for key in ("then", "else"):
            applies = "if" in schema and self.admits(schema["if"], value) is (key == "then")
            found |= self._known(schema[key], value) if key in schema and applies else frozenset()
        for name, branch in schema.get("dependentSchemas", {}).items():
            found |= self._known(branch, value) if name in value else frozenset()
        return found

    def _inside(self, schema: Schema) -> Iterator[dict[str, Any]]:
        """The node and all nodes that speak about the same value."""
        if isinstance(schema, bool):
            return
        yield schema
        if "$ref" in schema:
            yield from self._inside(self.named[schema["$ref"].rpartition("/")[2]])
        below = [branch for key in _LISTS for branch in schema.get(key, [])]
        below += [schema[key] for key in _NODES if key in schema]
        for branch in (*below, *schema.get("dependentSchemas", {}).values()):
            yield from self._inside(branch)


def names_in(schema: Any) -> Iterator[str]:
    """Every member name that a schema mentions, at any depth."""
    for node in _nodes(schema):
        yield from _names(node)


def patterns_in(schema: Any) -> Iterator[str]:
    """Every expression for member names that a schema mentions, at any depth."""
    for node in _nodes(schema):
        patterns = node.get("patternProperties")
        yield from patterns if isinstance(patterns, dict) else ()


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a schema that may be one."""
    if isinstance(schema, dict):
        if isinstance(schema.get("required", []), list):
            yield schema
        for inner in schema.values():
            yield from _nodes(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _nodes(inner)


def _all(schemas: list[Schema]) -> Schema:
    return {"allOf": schemas}


def _names(node: dict[str, Any]) -> Iterator[str]:
    properties = node.get("properties", {})
    yield from properties if isinstance(properties, dict) else ()
    yield from node.get("required", [])
    yield from node.get("dependentSchemas", {})
    for name, needed in node.get("dependentRequired", {}).items():
        yield from (name, *needed)
    for constant in (*node.get("enum", []), node.get("const")):
        if isinstance(constant, dict):
            yield from constant
    told = node.get("discriminator")
    if isinstance(told, dict):
        yield told["propertyName"]


def _members(nodes: list[dict[str, Any]], name: str) -> list[Schema]:
    found: list[Schema] = []
    for node in nodes:
        found += [node["properties"][name]] if name in node.get("properties", {}) else []
        found += [each for pattern, each in node.get("patternProperties", {}).items() if re.search(pattern, name)]
        found += [node[key] for key in _OPEN if key in node]
    return found


def _items(nodes: list[dict[str, Any]], at: int) -> list[Schema]:
    found: list[Schema] = []
    for node in nodes:
        prefix = node.get("prefixItems", [])
        found += [prefix[at]] if at < len(prefix) else []
        found += [node[key] for key in ("items", "unevaluatedItems") if key in node]
    return found
