"""What kinds of values a schema speaks of: enough to read text as the value that was meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.core.vocabulary import Json

Definition = Callable[[str], Json | None]
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_DEEPEST: Final = 12
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf")
_TELLING: Final = frozenset({"$ref", "type", "enum", "const", *_IN_PLACE})
_EVERY: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


@dataclass(slots=True)
class TypeOutline:
    """The types, members and items that a schema names, its references and branches taken together.

    Attributes:
        types: as named; empty when every type is possible.
        members: by name.
        rest: members without a name of their own.
        patterned: True where patterns of names say what further members are.
        items: None when nothing is said.
        octets: True where a format says that a text stands for octets.
    """

    types: set[str] = field(default_factory=set)
    members: dict[str, TypeOutline] = field(default_factory=dict)
    rest: TypeOutline | None = None
    items: TypeOutline | None = None
    octets: bool = False
    patterned: bool = False

    def may_be(self, *names: str) -> bool:
        """True when a value of one of the types is possible."""
        return not self.types or bool(self.types.intersection(names))

    def member(self, name: str) -> TypeOutline:
        """The outline of one member."""
        return self.members.get(name) or (None if self.patterned else self.rest) or TypeOutline()

    @property
    def item(self) -> TypeOutline:
        return self.items or TypeOutline()


def outline(schema: Json, definition: Definition) -> TypeOutline:
    """The outline of a schema whose references `definition` looks up."""
    made = TypeOutline()
    _add(made, schema, definition, 0)
    return made


def _add(made: TypeOutline, schema: Json, definition: Definition, depth: int) -> None:
    for node in _parts(schema, definition, depth):
        made.types.update(_EVERY if _is_open(node) else _types(node))
        made.patterned = made.patterned or bool(_mapping(node, "patternProperties"))
        made.octets = made.octets or node.get("format") == "binary"
        for name, member in _mapping(node, "properties").items():
            below = made.members.setdefault(name, TypeOutline())
            if depth < 3:
                _add(below, member, definition, depth + 1)
        if isinstance(node.get("additionalProperties"), Mapping) and depth < 3:
            made.rest = made.rest or TypeOutline()
            _add(made.rest, node["additionalProperties"], definition, depth + 1)
        if "items" in node and depth < 3:
            made.items = made.items or TypeOutline()
            _add(made.items, node["items"], definition, depth + 1)
        first = node.get("prefixItems")
        if isinstance(first, list) and depth < 3:
            made.items = made.items or TypeOutline()
            for item in first:
                _add(made.items, item, definition, depth + 1)


def _is_open(node: Mapping[str, Json]) -> bool:
    """True for a choice one of whose branches says nothing of types."""
    listed = [node[keyword] for keyword in ("anyOf", "oneOf") if isinstance(node.get(keyword), list)]
    branches = [branch for each in listed for branch in each]  # type: ignore[union-attr]
    return "type" not in node and any(branch is True or _is_untyped(branch) for branch in branches)


def _is_untyped(branch: Json) -> bool:
    return isinstance(branch, Mapping) and not branch.keys() & _TELLING and not any(_types(branch))


def _parts(schema: Json, definition: Definition, depth: int) -> Iterator[Mapping[str, Json]]:
    """The schema and what judges the same value: its references and branches."""
    seen: set[str] = set()
    waiting = [(schema, depth)]
    while waiting:
        node, level = waiting.pop(0)
        if not isinstance(node, Mapping) or level > _DEEPEST:
            continue
        yield node
        ref = node.get("$ref")
        if isinstance(ref, str) and ref not in seen:
            seen.add(ref)
            waiting.append((definition(ref.removeprefix("#/$defs/")), level + 1))
        for keyword in _IN_PLACE:
            branches = node.get(keyword)
            waiting += [(branch, level + 1) for branch in branches] if isinstance(branches, list) else []


def _types(node: Mapping[str, Json]) -> Iterator[str]:
    named = node.get("type")
    yield from (str(name) for name in (named if isinstance(named, list) else [named]) if name is not None)
    if named is None:
        values = [
            *(node["enum"] if isinstance(node.get("enum"), list) else ()),
            *([node["const"]] if "const" in node else ()),
        ]  # type: ignore[misc]
        yield from (type_name(value) for value in values)
        if isinstance(node.get("properties"), Mapping):
            yield "object"
        if "items" in node:
            yield "array"


def type_name(value: Json) -> str:
    """The JSON type of a value, `integer` told from `number`."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case _:
            return "object" if isinstance(value, Mapping) else "array"


def readings(text: str, form: TypeOutline) -> list[Json]:
    """The values that a text may stand for, the one that was most likely meant first; never empty."""
    found: list[Json] = []
    match = _NUMBER.fullmatch(text)
    if match and form.types & {"integer", "number"}:
        found.append(int(text) if not any(match.groups()) else float(text))
    if text in ("true", "false") and "boolean" in form.types:
        found.append(text == "true")
    if form.may_be("string") or not found:
        found.append(text)
    if not form.types and match:
        found.append(int(text) if not any(match.groups()) else float(text))
    if not form.types and text in ("true", "false"):
        found.append(text == "true")
    if text == "" and "null" in form.types:
        found.append(None)
    return found


def _mapping(node: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = node.get(key)
    return value if isinstance(value, Mapping) else {}
