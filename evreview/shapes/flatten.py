"""One schema as plain nodes without references, `allOf` or unions: one node for each way to meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from evreview.core.json_values import same
from evreview.core.vocabulary import Json

TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_WAYS: Final = 24
_TRIED: Final = 400
_DEEP: Final = 30
_LOWEST: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_HIGHEST: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_NESTED: Final = frozenset({"items", "additionalProperties", "propertyNames", "contains", "unevaluatedProperties"})
_BY_NAME: Final = frozenset({"properties", "patternProperties"})
_TAKEN_APART: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "$defs"})
Node = dict[str, Any]
Definition = Callable[[str], Json | None]


def alternatives(schema: Json, definition: Definition, *, unions: bool = True) -> Iterator[Node]:
    """The plain nodes of a schema in reading order; a `type` in them is a list, `const` an `enum`.

    `not`, conditions and dependent schemas are left in: whoever makes values of a node asks the schema in the end.

    Args:
        schema: its references are `#/$defs/<name>`.
        definition: the schema behind a name.
        unions: False leaves `anyOf` and `oneOf` aside.
    """
    yield from islice(_Flattening(definition, unions).of(schema, 0, frozenset()), _WAYS)


def ways_to(schema: Json, definition: Definition, most: int) -> list[Node] | None:
    """The plain nodes of a schema, which admit all that it admits; None for more than `most`, or where one is lost."""
    flattening = _Flattening(definition, unions=True)
    found = list(islice(flattening.of(schema, 0, frozenset()), most + 1))
    return None if len(found) > most or flattening.cut else found


class _Flattening:
    def __init__(self, definition: Definition, unions: bool) -> None:
        self._definition = definition
        self._unions = unions
        self._left = _TRIED
        self.cut = False
        """Whether a way was left out."""

    def of(self, schema: Any, depth: int, passed: frozenset[str]) -> Iterator[Node]:
        if not isinstance(schema, Mapping):
            if schema is not False:
                yield {}
            return
        self._left -= 1
        ref = schema.get("$ref")
        if self._left < 0 or depth > _DEEP or ref in passed:
            self.cut = True
            return
        own = _plain(schema)
        if own is None:
            return
        parts: list[list[Json]] = [[part] for part in schema.get("allOf", ())]
        if isinstance(ref, str):
            passed = passed | {ref}
            target = self._definition(ref.removeprefix("#/$defs/"))
            parts.append([True if target is None else target])
        if self._unions:
            parts += [list(schema[name]) for name in ("anyOf", "oneOf") if schema.get(name)]
        yield from self._with(own, parts, depth, passed)

    def _with(self, node: Node, parts: list[list[Json]], depth: int, passed: frozenset[str]) -> Iterator[Node]:
        if not parts:
            yield node
            return
        for branch in parts[0]:
            for flat in self.of(branch, depth + 1, passed):
                both = merged(node, flat)
                if both is not None:
                    yield from self._with(both, parts[1:], depth, passed)


def _plain(schema: Mapping[str, Any]) -> Node | None:
    node = {key: value for key, value in schema.items() if key not in _TAKEN_APART}
    if "type" in node:
        node["type"] = listed(node["type"])
    if "const" in node:
        only = [node.pop("const")]
        node["enum"] = [one for one in only if "enum" not in node or any(same(one, other) for other in node["enum"])]
    return node if node.get("enum", True) != [] else None


def merged(one: Node, other: Node) -> Node | None:
    """Both plain nodes as one; None when no value can meet both."""
    made = dict(one)
    for key, value in other.items():
        if key not in made:
            made[key] = value
            continue
        mine = made[key]
        if key == "type":
            made[key] = [name for name in TYPES if _has(mine, name) and _has(value, name)]
        elif key == "enum":
            made[key] = [item for item in mine if any(same(item, there) for there in value)]
        elif key == "required":
            made[key] = sorted({*mine, *value})
        elif key in _BY_NAME:
            both = {name: together(mine[name], value[name]) for name in mine.keys() & value.keys()}
            made[key] = {**mine, **value, **both}
        elif key in _NESTED and mine != value:
            made[key] = together(mine, value)
        elif key in _LOWEST:
            made[key] = max(mine, value)
        elif key in _HIGHEST:
            made[key] = min(mine, value)
        elif key == "prefixItems" and len(value) > len(mine):
            made[key] = value
    return None if made.get("type", True) == [] or made.get("enum", True) == [] else made


def together(*schemas: Json) -> Json:
    """One schema for all of them at once, each node said once: what leads to itself would grow with every round."""
    parts = list({id(part): part for schema in schemas for part in conjuncts(schema)}.values())
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def conjuncts(schema: Json) -> list[Json]:
    """The schemas that hold together, where a schema says nothing but that; else the schema alone."""
    if isinstance(schema, dict) and len(schema) == 1 and isinstance(parts := schema.get("allOf"), list):
        return [part for branch in parts for part in conjuncts(branch)]
    return [schema]


def _has(names: list[Any], name: str) -> bool:
    return name in names or (name == "integer" and "number" in names)


def listed(value: Any) -> list[Any]:
    """A list as it is, anything else as the only member of one."""
    return value if isinstance(value, list) else [value]


def types_of(node: Node) -> list[str]:
    """The types that a plain node admits, in a fixed order; those that its keywords are about first."""
    said = node.get("type")
    if said is not None:
        return [name for name in TYPES if name in said]
    about = [name for name, keys in _ABOUT.items() if keys & node.keys()]
    return [*about, *(name for name in TYPES if name not in about)]


_ABOUT: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset({"properties", "required", "additionalProperties", "patternProperties", "minProperties"}),
    "array": frozenset({"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "integer": frozenset({"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}),
}
