"""What rewrites need to walk an OpenAPI document: its operations, schemas and references."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Doc = dict[str, Any]
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_MAPPED = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_SINGLE = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")


def is_swagger(document: Doc) -> bool:
    return "swagger" in document


def is_31(document: Doc) -> bool:
    return str(document.get("openapi", "")).startswith("3.1")


def target(document: Doc, node: Any) -> Any:
    """The node behind a chain of local references, itself when it is none, None when one leads nowhere."""
    for _ in range(20):
        if not (isinstance(node, dict) and isinstance(node.get("$ref"), str)):
            return node
        if not node["$ref"].startswith("#/"):
            return None
        found: Any = document
        for step in node["$ref"][2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
            found = found.get(name) if isinstance(found, dict) else None
        node = found
    return None


def path_items(document: Doc) -> Iterator[tuple[str, Doc]]:
    for path, item in document.get("paths", {}).items():
        if isinstance(item, dict) and path.startswith("/"):
            yield path, item


def operations(document: Doc) -> Iterator[tuple[str, Doc, Doc]]:
    """Path, path item and operation."""
    for path, item in path_items(document):
        for method in METHODS:
            if isinstance(item.get(method), dict):
                yield path, item, item[method]


def content_holders(document: Doc) -> Iterator[Doc]:
    """Request bodies, responses, parameters and headers that are written in operations or components."""
    components = document.get("components", {})
    for kind in ("requestBodies", "responses", "parameters", "headers"):
        yield from (node for node in components.get(kind, {}).values() if isinstance(node, dict))
    for _, item, operation in operations(document):
        listed = [*item.get("parameters", []), *operation.get("parameters", []), operation.get("requestBody")]
        yield from (node for node in listed if isinstance(node, dict))
        for response in operation.get("responses", {}).values():
            if isinstance(response, dict):
                yield response
                yield from (node for node in response.get("headers", {}).values() if isinstance(node, dict))


def schema_slots(document: Doc) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) that holds the schema at the top of a position or component."""
    seen: set[int] = set()
    for holder in content_holders(document):
        media = [node for node in holder.get("content", {}).values() if isinstance(node, dict)]
        for node in [holder, *media]:
            if "schema" in node and id(node) not in seen:
                seen.add(id(node))
                yield node, "schema"
    schemas = document.get("components", {}).get("schemas", {}) or document.get("definitions", {})
    for name in list(schemas):
        yield schemas, name


def mapped(document: Doc, change: Callable[[Doc], Any]) -> Doc | None:
    """A copy in which every schema node, innermost first, is what `change` makes of it; None when nothing changed."""
    if reaches_inside(document):
        return None
    made = copy.deepcopy(document)
    changes = 0

    def turned(node: Any) -> Any:
        nonlocal changes
        if not isinstance(node, dict):
            return node
        fresh = dict(node)
        for key in _MAPPED:
            if isinstance(fresh.get(key), dict):
                fresh[key] = {name: turned(member) for name, member in fresh[key].items()}
        for key in _SINGLE:
            if isinstance(fresh.get(key), dict):
                fresh[key] = turned(fresh[key])
        for key in _LISTED:
            if isinstance(fresh.get(key), list):
                fresh[key] = [turned(member) for member in fresh[key]]
        after = change(fresh)
        changes += after is not fresh
        return after

    for container, key in schema_slots(made):
        container[key] = turned(container[key])
    return made if changes else None


def references(node: Any) -> Iterator[Doc]:
    """Every node with a textual `$ref` below a node."""
    stack = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, dict):
            if isinstance(found.get("$ref"), str):
                yield found
            stack += found.values()
        elif isinstance(found, list):
            stack += found


def reaches_inside(document: Doc) -> bool:
    """True when a reference leads below a named schema: a rewrite of that schema would break it."""
    depths = {"#/components/schemas/": 3, "#/definitions/": 2}
    return any(
        reference["$ref"].startswith(prefix) and reference["$ref"].count("/") > depth
        for reference in references(document)
        for prefix, depth in depths.items()
    )


def recursive(document: Doc, name: str) -> bool:
    """True when the component schema reaches itself, or more than fifty others."""
    schemas = document["components"]["schemas"]
    seen: set[str] = set()
    stack = [name]
    while stack:
        for reference in references(schemas.get(stack.pop())):
            tail = reference["$ref"].rsplit("/", 1)[-1]
            if tail == name or len(seen) > 50:
                return True
            if tail not in seen:
                seen.add(tail)
                stack.append(tail)
    return False


def discriminating(document: Doc) -> bool:
    """True when component names may travel as values of a discriminator."""
    shelves = document.get("definitions", {}), document.get("components", {}).get("schemas", {})
    stack: list[Any] = [*shelves, document.get("paths", {})]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if isinstance(node.get("discriminator"), (dict, str)):
                return True
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    return False
