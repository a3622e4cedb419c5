"""Pairs of small hostile contracts, each a way to make a comparer run for ever, run out of memory or trip.

A case is a pair of documents (or of texts). Where something changes, the change is real, so that the comparison has to
look at the hostile part and cannot stop at "equal".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Document = Mapping[str, Any]
Pair = tuple[Document, Document]

CASES: dict[str, Callable[[], Pair]] = {}
"""Every case by name."""


def case(make: Callable[[], Pair]) -> Callable[[], Pair]:
    """Registers a case under its function's name."""
    CASES[make.__name__] = make
    return make


def ref(name: str) -> Document:
    """A reference to a schema of the components."""
    return {"$ref": f"#/components/schemas/{name}"}


def api(schema: Any, components: Mapping[str, Any] | None = None, *, version: str = "3.1.0", **parts: Any) -> Document:
    """A contract whose only operation reads and writes one schema.

    Args:
        schema: of the request body and of the response.
        components: the named schemas.
        version: of OpenAPI.
        parts: more members of the operation.
    """
    content = {"application/json": {"schema": schema}}
    operation = {
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": content}},
        **parts,
    }
    return {
        "openapi": version,
        "info": {"title": "hostile", "version": "1"},
        "paths": {"/x": {"post": operation}},
        "components": {"schemas": dict(components or {})},
    }


def text(longest: int) -> Document:
    """The schema of a text."""
    return {"type": "string", "maxLength": longest}


def object_of(**properties: Any) -> Document:
    """The schema of an object."""
    return {"type": "object", "properties": properties}


def both(make: Callable[[int], Document]) -> Pair:
    """The documents for a bound that shrinks: breaking for requests."""
    return make(20), make(10)
