"""What a field takes, in words: its type, its allowed values, and where what it names has to stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel

from evreview.core.json_pointer import Step
from evreview.evidence.records.review import NAMED

_FORMATS: Final = {"date": "day", "date-time": "time with time zone"}
_SIMPLE: Final = {"integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}


def type_text(schema: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    """A field's type in words: `list of policy rule`, `text or null`, or its allowed values."""
    if NAMED in node:
        return str(node[NAMED])
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        target = schema["$defs"][name]
        return name if target.get("type") == "object" else type_text(schema, target)
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return ", ".join(f"`{word}`" for word in node["enum"])
    members = node.get("anyOf") or node.get("oneOf")
    if members:
        return " or ".join(type_text(schema, member) for member in members)
    return _simple(schema, node)


def _simple(schema: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    kind = node.get("type")
    if kind == "array":
        return f"list of {type_text(schema, node.get('items', {}))}"
    if kind == "object":
        return "mapping of texts"
    if kind == "string":
        return "day" if "pattern" in node else _FORMATS.get(str(node.get("format")), "text")
    return _SIMPLE.get(str(kind), "any JSON value")


def wanted(schema: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    """What a person writes into a field: its type without null, of entries also their fields."""
    target = resolved(schema, node)
    element = resolved(schema, target.get("items", {}))
    if "properties" in element:
        return f"list of entries with {_fields(element)}"
    if "enum" in element:
        return f"list of {' | '.join(map(str, element['enum']))}"
    if "enum" in target:
        return " | ".join(map(str, target["enum"]))
    return f"entry with {_fields(target)}" if "properties" in target else type_text(schema, target)


def is_special(schema: Mapping[str, Any], node: Mapping[str, Any]) -> bool:
    """True for a field that takes more than a text, or several, of somebody's own words or of words listed."""
    target = resolved(schema, node)
    element = resolved(schema, target.get("items", target))
    return element.get("type") != "string" or bool({NAMED, "format", "pattern"} & element.keys())


def _fields(node: Mapping[str, Any]) -> str:
    return ", ".join(node.get("required") or node["properties"])


def resolved(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node behind references, and the first member of a union that is not null."""
    if "$ref" in node:
        return resolved(schema, schema["$defs"][node["$ref"].rsplit("/", 1)[-1]])
    members = () if "properties" in node else node.get("anyOf") or node.get("oneOf") or ()
    for member in members:
        if member.get("type") != "null":
            return resolved(schema, member)
    return node


def wanted_at(model: type[BaseModel], steps: Sequence[Step]) -> str:
    """What a place of a record takes, for one entry of a list the whole list; "" where the model has no such place."""
    schema = _schema_of(model)
    node: Mapping[str, Any] = schema
    for step in steps[:-1] if steps and isinstance(steps[-1], int) else steps:
        target = resolved(schema, node)
        more = target.get("additionalProperties")
        inside = target.get("items") if isinstance(step, int) else target.get("properties", {}).get(step, more)
        if not isinstance(inside, Mapping):
            return ""
        node = inside
    return wanted(schema, node)


@lru_cache(maxsize=64)
def _schema_of(model: type[BaseModel]) -> Mapping[str, Any]:
    return model.model_json_schema()
