"""The texts that stand for the values of a scalar schema, where a value travels as text and its type does not.

An integer travels as its decimal digits, a number as JSON writes it, a boolean as `true` or `false`, a string as
itself, a listed value as its text. Lists and objects have no text here, and how null is written nobody says. `sent`
never leaves a text out, `expected` never has one too many; each is a schema of strings, or None where the texts are
not known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from evreview.contract.model import SchemaDialect
from evreview.core.vocabulary import Form, Json
from evreview.schema.reader import ASSERTED_FORMATS, OLD_OPENAPI, is_annotation
from evreview.schema.validators import PrimaryValidator

_DEEPEST: Final = 8
_MOST: Final = 1000
_LISTING: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_BOUNDS: Final = _LISTING - {"multipleOf"}
_LENGTHS: Final = frozenset({"minLength", "maxLength", "pattern"})
"""What numbers are never refused for; a format may bound them."""
_STRINGS: Final = _LENGTHS | {"format"}
_SILENT: Final = frozenset(
    {"type", "$defs", "title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"}
)
"""What refuses no scalar, or is looked at by name."""
_ANY: Final = r"^(0|-?[1-9][0-9]*)$"
_NOT_NEGATIVE: Final = r"^(0|[1-9][0-9]*)$"
_POSITIVE: Final = r"^[1-9][0-9]*$"
_NUMBERS: Final[Json] = {"type": "string", "pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"}
"""RFC 8259, section 6."""
_DECIMAL: Final = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"
"""The numbers among them that nobody takes for too large."""
_FROM: Final = {None: _ANY, 0: _NOT_NEGATIVE, 1: _POSITIVE}
_NONE: Final[Json] = {"enum": []}


def sent(schema: Json, *, null: bool = False) -> Json | None:
    """At least the texts that the sender of a value may write; None when they are not known.

    Args:
        schema: of the value.
        null: True to leave null aside: whoever reads it takes null too, however both write it.
    """
    return _Texts(schema, sends=True, null=null).of(schema, 0)


def expected(schema: Json) -> Json | None:
    """Only texts that surely stand for a value which the schema admits; None when they are not known."""
    return _Texts(schema, sends=False).of(schema, 0)


def text_of(value: Json) -> str | None:
    """The text of a listed value, None where it has none or several are usual."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    return None


class _Texts:
    """The texts of one self-contained schema."""

    def __init__(self, root: Json, *, sends: bool, null: bool = False) -> None:
        found = root.get("$defs") if isinstance(root, (dict, Mapping)) else None
        self._definitions: Mapping[str, Json] = found if isinstance(found, (dict, Mapping)) else {}
        self._sends = sends
        self._null = null

    def of(self, schema: Json, depth: int) -> Json | None:
        if not isinstance(schema, (dict, Mapping)) or depth > _DEEPEST:
            return None
        ref, said = schema.get("$ref"), set(schema) - _SILENT
        if isinstance(ref, str):
            name = ref.removeprefix("#/$defs/")
            return self.of(self._definitions.get(name), depth + 1) if said == {"$ref"} else None
        alone = said == {"allOf"} and "type" not in schema
        if alone and isinstance(schema["allOf"], list) and len(schema["allOf"]) == 1:
            return self.of(schema["allOf"][0], depth + 1)
        if "allOf" in said:
            schema = _bounded(schema, sends=self._sends)
            said = set(schema) - _SILENT
        branches = schema.get("anyOf") or (self._sends and schema.get("oneOf"))
        if isinstance(branches, list) and len(said) == 1 and "type" not in schema:
            return self._union([self.of(branch, depth + 1) for branch in branches])
        if "enum" in schema or "const" in schema:
            return self._listed(schema)
        types = schema.get("type")
        named = types if isinstance(types, list) else [types]
        return self._union([self._typed(schema, name, said) for name in named])

    def _listed(self, schema: Mapping[str, Json]) -> Json | None:
        values = schema.get("enum", [schema.get("const")])
        ask = PrimaryValidator().prepared({**schema, "$defs": dict(self._definitions)})
        if ask is None or not isinstance(values, list):
            return None
        admitted = [value for value in values if ask(value) == ()]
        listed: Json = {"enum": list(dict.fromkeys(text for text in map(text_of, admitted) if text is not None))}
        unsure = [value for value in admitted if text_of(value) is None] if self._sends else []
        unsure = [value for value in unsure if not (self._null and value is None)]
        if not unsure:
            return listed
        # 0.5 may be written as 5e-1, but surely as some number is.
        return {"anyOf": [listed, _NUMBERS]} if all(isinstance(value, float) for value in unsure) else None

    def _typed(self, schema: Mapping[str, Json], name: Json, said: set[str]) -> Json | None:
        """The texts of one type; what is said of other types does not matter to it."""
        match name:
            case "boolean":
                return {"enum": ["true", "false"]} if self._sends or said <= _LISTING | _STRINGS else None
            case "string":
                kept = {key: schema[key] for key in _STRINGS if key in schema}
                known = said <= _LISTING | _STRINGS and schema.get("format", "date") in ASSERTED_FORMATS
                return {"type": "string", **kept} if self._sends or known else None
            case "integer":
                return self._integers(schema) if self._sends or said <= _LISTING | _LENGTHS else None
            case "number":
                if self._sends:
                    return _NUMBERS
                return {"type": "string", "pattern": _DECIMAL} if said <= _LENGTHS else None
            case "null":
                return _NONE if self._null else None
        return None

    def _union(self, parts: list[Json | None]) -> Json | None:
        """What one of several sets holds; of the ones that are not known, an expecting side needs none."""
        known = [part for part in parts if part is not None]
        if (self._sends and len(known) < len(parts)) or (parts and not known):
            return None
        return {"anyOf": [*known]} if known else _NONE

    def _integers(self, schema: Mapping[str, Json]) -> Json | None:
        low, high = _low(schema), _high(schema)
        if low is not None and high is not None and high - low < _MOST:
            ask = PrimaryValidator().prepared({key: schema[key] for key in _LISTING if key in schema})
            if ask is not None:
                return {"enum": [str(value) for value in range(low, high + 1) if ask(value) == ()]}
        if self._sends:
            start = 1 if low is not None and low > 0 else 0 if low == 0 else None
            return {"type": "string", "pattern": _FROM[start]}
        if "multipleOf" in schema or high is not None or low not in _FROM:
            return None
        return {"type": "string", "pattern": _FROM[low]}


def _bounded(schema: Mapping[str, Json], *, sends: bool) -> Mapping[str, Json]:
    """A schema with the bounds that stand beside it in an `allOf`, where the format of a number is written out.

    What else stands there only takes texts away: who sends may leave it aside, who expects may not.
    """
    parts = schema["allOf"] if isinstance(schema["allOf"], list) else [None]
    bounds = [part for part in parts if isinstance(part, (dict, Mapping)) and _BOUNDS.issuperset(part)]
    if not sends and len(bounds) < len(parts):
        return schema
    kept = {key: value for key, value in schema.items() if key != "allOf"}
    for part in bounds:
        for key, value in part.items():
            kept[key] = _tighter(key, kept[key], value) if key in kept else value
    return kept


def _tighter(key: str, one: Json, other: Json) -> Json:
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return one
    return max(one, other) if key.endswith("inimum") else min(one, other)


def _low(schema: Mapping[str, Json]) -> int | None:
    """The least integer that both keywords admit."""
    least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    found = [math.ceil(least)] if isinstance(least, (int, float)) else []
    found += [math.floor(above) + 1] if isinstance(above, (int, float)) else []
    return max(found, default=None)


def _high(schema: Mapping[str, Json]) -> int | None:
    most, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    found = [math.floor(most)] if isinstance(most, (int, float)) else []
    found += [math.ceil(below) - 1] if isinstance(below, (int, float)) else []
    return min(found, default=None)


# Schemas and media types that say of a value no more than that it is octets.


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


def admits_binary_payload(node: Json, dialect: SchemaDialect) -> bool:
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


def is_binary_payload(content_type: str) -> bool:
    """True for a media type whose bodies are octets without a text or tree that a schema could describe."""
    kind = content_type.partition(";")[0].strip().lower()
    return "/" in kind and _STRUCTURED.fullmatch(kind) is None
