"""Rewrites of schemas: each gives another document with the same messages, or None where it does not apply."""

from __future__ import annotations

import copy
from typing import Any

from tests.rewrites.documents import (
    Doc,
    discriminating,
    is_31,
    is_swagger,
    mapped,
    recursive,
    references,
    schema_slots,
    target,
)

_CLOSING = {"additionalProperties", "unevaluatedProperties", "patternProperties", "discriminator", "allOf", "$ref"}


def split_objects(document: Doc) -> Doc | None:
    """Every open object with two fields or more as an `allOf` of two."""

    def split(node: Doc) -> Any:
        fields = node.get("properties")
        if node.get("type") != "object" or not isinstance(fields, dict) or len(fields) < 2 or _CLOSING & node.keys():
            return node
        names = list(fields)
        half = len(names) // 2
        rest = {key: value for key, value in node.items() if key not in ("type", "properties", "required", "nullable")}
        if rest.keys() - {"description", "title"} or node.get("nullable"):
            return node
        parts = []
        for chosen in (names[:half], names[half:]):
            part: Doc = {"type": "object", "properties": {name: fields[name] for name in chosen}}
            owed = [name for name in node.get("required", []) if name in chosen or name not in fields]
            parts.append({**part, "required": owed} if owed else part)
        return {**rest, "allOf": parts}

    return mapped(document, split)


def wrap_in_all_of(document: Doc) -> Doc | None:
    """Every reference in a field, item or branch as an `allOf` of one."""

    def wrapped(node: Doc) -> Any:
        return {"allOf": [node]} if node.keys() == {"$ref"} else node

    return None if discriminating(document) else mapped(document, wrapped)


def flatten_all_of(document: Doc) -> Doc | None:
    """An `allOf` of plain inline objects, and of references to such, as one object."""

    def flat(node: Doc) -> Any:
        parts = [target(document, part) for part in node.get("allOf", [])]
        if not parts or node.keys() - {"allOf", "description", "title", "type"}:
            return node
        plain = {"type", "properties", "required", "description", "title", "example"}
        objects = all(
            isinstance(part, dict) and part.keys() <= plain and part.get("type") == "object" for part in parts
        )
        names = [name for part in parts if isinstance(part, dict) for name in part.get("properties", {})]
        if not objects or len(set(names)) < len(names):
            return node
        owed = sorted({name for part in parts for name in part.get("required", [])})
        fields = {name: copy.deepcopy(field) for part in parts for name, field in part.get("properties", {}).items()}
        made = {**{key: node[key] for key in ("description", "title") if key in node}, "type": "object"}
        return {**made, "properties": fields, **({"required": owed} if owed else {})}

    return mapped(document, flat)


def enums_as_branches(document: Doc) -> Doc | None:
    """Every enumeration of texts as `oneOf` of single values."""
    if is_swagger(document):
        return None

    def branched(node: Doc) -> Any:
        values = node.get("enum")
        if node.keys() - {"type", "enum", "description", "default", "example", "title"} or node.get("type") != "string":
            return node
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            return node
        distinct = list(dict.fromkeys(values))
        rest = {key: value for key, value in node.items() if key not in ("enum", "type")}
        if is_31(document):
            return {**rest, "type": "string", "oneOf": [{"const": value} for value in distinct]}
        return {**rest, "oneOf": [{"type": "string", "enum": [value]} for value in distinct]}

    return mapped(document, branched)


def single_enums_as_const(document: Doc) -> Doc | None:
    if not is_31(document):
        return None

    def fixed(node: Doc) -> Any:
        values = node.get("enum")
        if not isinstance(values, list) or len(values) != 1:
            return node
        return {**{key: value for key, value in node.items() if key != "enum"}, "const": values[0]}

    return mapped(document, fixed)


def null_in_a_branch(document: Doc) -> Doc | None:
    """`type: [x, null]` as `anyOf` of both."""
    if not is_31(document):
        return None

    def apart(node: Doc) -> Any:
        kinds = node.get("type")
        if not isinstance(kinds, list) or "null" not in kinds or len(kinds) != 2 or {"enum", "const"} & node.keys():
            return node
        kind = next(name for name in kinds if name != "null")
        around = ("description", "title", "default", "readOnly", "writeOnly", "deprecated")
        outer = {key: node[key] for key in around if key in node}
        inner = {key: value for key, value in node.items() if key not in around}
        return {**outer, "anyOf": [{**inner, "type": kind}, {"type": "null"}]}

    return mapped(document, apart)


def null_in_the_type(document: Doc) -> Doc | None:
    """`anyOf` of a schema without further composition and null as a type list."""
    if not is_31(document):
        return None

    def together(node: Doc) -> Any:
        branches = node.get("anyOf")
        if not isinstance(branches, list) or len(branches) != 2 or {"type": "null"} not in branches:
            return node
        other = next((branch for branch in branches if branch != {"type": "null"}), {})
        if not isinstance(other.get("type"), str) or {"enum", "const", "anyOf", "oneOf", "allOf"} & other.keys():
            return node
        rest = {key: value for key, value in node.items() if key != "anyOf"}
        return {**other, **rest, "type": [other["type"], "null"]} if not {"type"} & rest.keys() else node

    return mapped(document, together)


def type_lists(document: Doc) -> Doc | None:
    """`type: x` as `type: [x]`."""
    if not is_31(document):
        return None
    return mapped(
        document, lambda node: {**node, "type": [node["type"]]} if isinstance(node.get("type"), str) else node
    )


def integers_as_multiples(document: Doc) -> Doc | None:
    def multiple(node: Doc) -> Any:
        if node.get("type") != "integer" or "multipleOf" in node or "enum" in node or "format" in node:
            return node
        return {**node, "type": "number", "multipleOf": 1}

    return None if is_swagger(document) else mapped(document, multiple)


def defaults_of_schemas_spelled(document: Doc) -> Doc | None:
    """Keywords that say nothing, written out."""

    def spelled(node: Doc) -> Any:
        if "$ref" in node or "type" not in node:
            return node
        idle: Doc = {}
        if node["type"] == "object" and not _CLOSING & node.keys() and "anyOf" not in node and "oneOf" not in node:
            idle["minProperties"] = 0
        if node["type"] == "string" and "enum" not in node:
            idle["minLength"] = 0
        if node["type"] == "array":
            idle |= {"minItems": 0, "uniqueItems": False}
        if not is_31(document) and not is_swagger(document):
            idle["nullable"] = False
        if not is_swagger(document):
            idle |= {"readOnly": False, "writeOnly": False, "deprecated": False}
        return {**idle, **node} if idle.keys() - node.keys() else node

    return mapped(document, spelled)


def open_objects_spelled(document: Doc) -> Doc | None:
    """`additionalProperties: true` where an object says nothing about other members."""

    def opened(node: Doc) -> Any:
        silent = node.get("type") == "object" and not (_CLOSING | {"anyOf", "oneOf"}) & node.keys()
        return {**node, "additionalProperties": True} if silent else node

    return mapped(document, opened)


def reworded(document: Doc) -> Doc | None:
    """Other descriptions, titles and examples, and a vendor extension."""

    def other(node: Doc) -> Any:
        if "$ref" in node:
            return node
        kept = {key: value for key, value in node.items() if key not in ("title", "example")}
        return {**kept, "description": "other words", "x-team": "shop"}

    return mapped(document, other)


def reordered(document: Doc) -> Doc | None:
    """Values, required names, branches and fields in the opposite order."""

    def turned(node: Doc) -> Any:
        lists = ("enum", "required", "anyOf", "oneOf", "allOf")
        made = {key: value[::-1] if key in lists and isinstance(value, list) else value for key, value in node.items()}
        if isinstance(made.get("properties"), dict):
            made["properties"] = dict(reversed(made["properties"].items()))
        return made if repr(made) != repr(node) else node

    return mapped(document, turned)


def branches_twice(document: Doc) -> Doc | None:
    """The first branch of every `anyOf`, and the first part of every `allOf`, once more."""

    def twice(node: Doc) -> Any:
        if "discriminator" in node:
            return node
        keys = [key for key in ("anyOf", "allOf") if isinstance(node.get(key), list) and node[key]]
        return {**node, **{key: [*node[key], node[key][0]] for key in keys}} if keys else node

    return mapped(document, twice)


def components_inlined(document: Doc) -> Doc | None:
    """What is not recursive, written where it is used: at the top of positions."""
    if is_swagger(document) or discriminating(document):
        return None
    made = copy.deepcopy(document)
    changed = False
    schemas = document.get("components", {}).get("schemas", {})
    for container, key in schema_slots(made):
        node = container[key]
        name = node["$ref"].rsplit("/", 1)[-1] if isinstance(node, dict) and node.keys() == {"$ref"} else ""
        if name in schemas and node["$ref"].startswith("#/components/schemas/") and not recursive(document, name):
            container[key] = copy.deepcopy(schemas[name])
            changed = True
    return made if changed else None


def schemas_extracted(document: Doc) -> Doc | None:
    """Every inline object at the top of a message as a component of its own."""
    if is_swagger(document) or any("/content/" in reference["$ref"] for reference in references(document)):
        return None
    made = copy.deepcopy(document)
    schemas = made.setdefault("components", {}).setdefault("schemas", {})
    for at, (container, key) in enumerate(list(schema_slots(made))):
        node = container[key]
        if container is not schemas and isinstance(node, dict) and "$ref" not in node:
            schemas[f"Extracted{at}"] = node
            container[key] = {"$ref": f"#/components/schemas/Extracted{at}"}
    return made if made != document else None


def components_renamed(document: Doc) -> Doc | None:
    """Every component schema by another name."""
    if discriminating(document):
        return None
    swagger = is_swagger(document)
    made = copy.deepcopy(document)
    owner = made if swagger else made.get("components", {})
    key = "definitions" if swagger else "schemas"
    if not owner.get(key):
        return None
    prefix = f"#/{key}/" if swagger else f"#/components/{key}/"
    owner[key] = {f"Other{name}": schema for name, schema in owner[key].items()}
    stack: list[Any] = [made]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            ref = node.get("$ref")
            if isinstance(ref, str) and ref.startswith(prefix):
                node["$ref"] = f"{prefix}Other{ref.removeprefix(prefix)}"
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    return made


SCHEMA_REWRITES = (
    split_objects, wrap_in_all_of, flatten_all_of, enums_as_branches, single_enums_as_const, null_in_a_branch,
    null_in_the_type, type_lists, integers_as_multiples, defaults_of_schemas_spelled, open_objects_spelled, reworded,
    reordered,
    branches_twice, components_inlined, schemas_extracted, components_renamed,
)  # fmt: skip
