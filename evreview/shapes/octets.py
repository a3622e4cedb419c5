"""Schemas and media types that say of a value no more than that it is octets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Form, Json
from evreview.schema.reader import OLD_OPENAPI, is_annotation

BINARY_NAMES: Final = ("contentMediaType", "contentEncoding", "format")
OCTET_STREAM: Final = "application/octet-stream"
_TYPED: Final = frozenset({"type", *BINARY_NAMES})
_STRUCTURED: Final = re.compile(
    r"(?:text|multipart|\*)/.*|application/(?:\*|x-www-form-urlencoded)"
    r"|.*[/+](?:json|xml|yaml|x-yaml|cbor|json-seq|x-ndjson|ndjson|jsonl|x-jsonlines|event-stream|stream\+json)"
)
_NESTING: Final = re.compile(r"multipart/.*|application/x-www-form-urlencoded|.*[/+]json.*|.*jsonl.*|.*ndjson")


def is_binary(said: Mapping[str, Form], dialect: SchemaDialect) -> bool:
    """True when what a schema says of `BINARY_NAMES` means octets as they are, in the spelling of its version.

    Args:
        said: the keywords of `BINARY_NAMES` that the schema has.
        dialect: of the schema. OpenAPI 3.0.3, section 4.4: `format: binary` is any sequence of octets; OpenAPI 3.1.1,
            section 4.4.2, says `contentMediaType` instead.
    """
    if dialect in OLD_OPENAPI:
        return said == {"format": "binary"}
    octets = str(said.get("contentMediaType")).lower() == OCTET_STREAM
    return octets and "contentEncoding" not in said and said.get("format", "binary") == "binary"


def refuses_nothing(node: Json) -> bool:
    """True for a schema that says nothing of values."""
    return node is True or (isinstance(node, dict) and all(is_annotation(name) for name in node))


def refuses_no_octets(node: Json, dialect: SchemaDialect) -> bool:
    """True for a schema that refuses nothing, or says no more than that a value is octets."""
    if refuses_nothing(node):
        return True
    said = {name: value for name, value in node.items() if not is_annotation(name)} if isinstance(node, dict) else {}
    binary: dict[str, Form] = {name: value for name, value in said.items() if name != "type"}
    if not said.keys() <= _TYPED or said.get("type", "string") != "string":
        return False
    if dialect in OLD_OPENAPI:
        return "type" in said and is_binary(binary, dialect)
    # Which octets they are, the media type around them says: beside it `contentMediaType` says it again, or nothing.
    return "contentMediaType" in said and "contentEncoding" not in said and said.get("format", "binary") == "binary"


def names_media_types(content_types: str) -> bool:
    """True for media types, parted by commas, that are no ranges, no forms and not JSON."""
    kinds = [kind.partition(";")[0].strip().lower() for kind in content_types.split(",")]
    return all("/" in kind and "*" not in kind and _NESTING.fullmatch(kind) is None for kind in kinds)


def carries_octets(content_type: str) -> bool:
    """True for a media type whose bodies are octets without a text or tree that a schema could describe."""
    kind = content_type.partition(";")[0].strip().lower()
    return "/" in kind and _STRUCTURED.fullmatch(kind) is None
