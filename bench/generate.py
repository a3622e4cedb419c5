"""Contracts that grow in one dimension: in operations, in the share that changed, or in the depth of references.

Nothing is random: the same numbers give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What a generated pair looks like.

    Attributes:
        operations: how many; each has a component of its own for the body that it reads and writes.
        changed: how many of these components differ between the two sides.
        depth: how many references lie between a component and the one at the end that all of them reach.
    """

    operations: int = 200
    changed: int = 20
    depth: int = 5


FACTORS = (1, 10, 30, 100)
GROWTH: dict[str, tuple[Size, ...]] = {
    "operations": tuple(Size(operations=50 * by, changed=5 * by) for by in FACTORS),
    "changed share": tuple(Size(operations=1000, changed=10 * by) for by in FACTORS),
    "reference depth": tuple(Size(depth=10 * by) for by in FACTORS),
}
"""Each dimension grows 10, 30 and 100 times; what grows in it is `extent`."""


def extent(dimension: str, size: Size) -> int:
    """The number that grows."""
    return {"operations": size.operations, "changed share": size.changed, "reference depth": size.depth}[dimension]


def write_pair(folder: Path, size: Size) -> tuple[Path, Path]:
    """Both sides of a pair as JSON files."""
    sides = []
    for name, document in (("released", contract(replace(size, changed=0))), ("candidate", contract(size))):
        path = folder / f"{name}-{size.operations}-{size.changed}-{size.depth}.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        sides.append(path)
    return sides[0], sides[1]


def contract(size: Size) -> Json:
    """An OpenAPI 3.0 document; the components 0, 1, … `changed` - 1 are edited, each in one of four ways."""
    schemas = {f"Item{at}": _item(at, size.operations, edited=at < size.changed) for at in range(size.operations)}
    links = {f"Link{at}": _link(at, size.depth) for at in range(size.depth)}
    return {
        "openapi": "3.0.3",
        "info": {"title": "generated", "version": "1"},
        "paths": {f"/things{at}/{{id}}": {"post": _operation(at)} for at in range(size.operations)},
        "components": {"schemas": {**schemas, **links}},
    }


def _operation(at: int) -> Json:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/Item{at}"}}}
    return {
        "operationId": f"postThing{at}",
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
        ],
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
    }


def _item(at: int, count: int, *, edited: bool) -> Json:
    """A component; its neighbour and the chain hang on it, so that uses spread through references."""
    item: Json = {
        "type": "object",
        "required": ["name", "state"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 80},
            "state": {"type": "string", "enum": ["new", "open", "closed"]},
            "amount": {"type": "integer", "minimum": 0, "maximum": 1000 + at},
            "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"}, "maxItems": 20},
            "address": {"type": "object", "properties": {"street": {"type": "string"}, "zip": {"type": "string"}}},
            "note": {"type": "string", "nullable": True},
        },
    }
    if at % 10 == 9:
        item["properties"]["neighbour"] = {"$ref": f"#/components/schemas/Item{(at + 1) % count}"}
    item["properties"]["chain"] = {"$ref": "#/components/schemas/Link0"}
    if edited:
        EDITS[at % len(EDITS)](item)
    return item


def _shorter(item: Json) -> None:
    item["properties"]["name"]["maxLength"] = 40


def _required(item: Json) -> None:
    item["required"].append("note")


def _more_states(item: Json) -> None:
    item["properties"]["state"]["enum"].append("lost")


def _other_type(item: Json) -> None:
    item["properties"]["amount"] = {"type": "number"}


EDITS: tuple[Callable[[Json], None], ...] = (_shorter, _required, _more_states, _other_type)


def _link(at: int, depth: int) -> Json:
    follow = {"next": {"$ref": f"#/components/schemas/Link{at + 1}"}} if at + 1 < depth else {}
    return {"type": "object", "properties": {"label": {"type": "string", "maxLength": 10 + at}, **follow}}
