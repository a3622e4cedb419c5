"""Small contracts for the examples of kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Json

TEXT: Final[Json] = {"type": "string"}
NUMBER: Final[Json] = {"type": "integer"}
_SOME: Final[Json] = {"description": "some JSON", "content": {"application/json": {}}}
OK: Final[Mapping[str, Json]] = {"200": _SOME}
INVALID: Final[Mapping[str, Json]] = {"422": _SOME}
"""What FastAPI answers by itself to input that may be invalid."""


def paths(method: str = "get", path: str = "/orders", **parts: Json) -> Json:
    """One operation; it answers 200, and 422 where it has input, unless `responses` is given."""
    answers = {**OK, **INVALID} if {"parameters", "requestBody"} & parts.keys() else dict(OK)
    return {path: {method: {"responses": answers, **parts}}}


def parameter(name: str, schema: Json, location: str = "query", *, required: bool = False) -> Json:
    """One parameter."""
    return {"name": name, "in": location, "required": required, "schema": schema}


def body(schema: Json, media_type: str = "application/json", *, required: bool = True) -> Json:
    """A request body with one media type."""
    return {"required": required, "content": {media_type: {"schema": schema}}}


def answer(schema: Json, media_type: str = "application/json", headers: Json = None) -> Json:
    """A response with one media type."""
    said: dict[str, Json] = {"description": "answer", "content": {media_type: {"schema": schema}}}
    return said if headers is None else said | {"headers": headers}


def fields(required: tuple[str, ...] = (), /, **properties: Json) -> Json:
    """An object schema."""
    made: dict[str, Json] = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made
