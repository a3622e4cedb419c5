"""JSON Schema documents as contracts of their own.

Takes schema files.
Gives a contract; its rules are those of schemas.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords, Listing
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind, Json

if TYPE_CHECKING:
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files

ENDINGS: Final = (".json", ".yaml", ".yml")
HOST: Final = "json-schema.org/"
_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
SHARED: Final = ("$defs", "definitions")
CHOICES: Final = ("allOf", "anyOf", "oneOf")
_OTHERS: Final = ("openapi", "swagger", "asyncapi")
_AVRO: Final = frozenset({"fields", "symbols", "protocol", "namespace"})


class _JsonSchema(KindSpec):
    """JSON Schemas of events."""

    kind = ContractKind.JSON_SCHEMA
    title = "JSON Schema"
    opening = "a JSON Schema has `$schema`, `type`, `properties` or `$defs`"
    words = KindWords(listing=Listing.MEMBER, operation="event")
    operation_word = "message"
    data_only = True
    endings = ENDINGS
    says = re.compile(rb"""\$schema["']?\s*:\s*["']?https?://json-schema\.org/""")
    events = True
    json_values = True
    open_formats = True

    def recognises(self, files: Files) -> bool:
        if not files.is_folder:
            return is_schema(files.root)
        named = files.named(*ENDINGS)
        says = any(HOST.encode() in files.load(name) for name in named)
        return says or any(is_schema(_parsed(files, name)) for name in named)

    def read(self, files: Files) -> Contract:
        from evreview.kinds.jsonschema.reader import read

        return read(files)

    def rules(self) -> tuple[Rule, ...]:
        from evreview.comparison.rules import deprecation
        from evreview.comparison.rules.schema_values import SCHEMA_RULES
        from evreview.kinds.jsonschema.rules import RULES

        return (*RULES, *SCHEMA_RULES, *deprecation.RULES)


SPEC: Final = _JsonSchema()


def is_schema(root: Json) -> bool:
    """True for an object that names a draft, or that only a JSON Schema would be written as."""
    if not isinstance(root, dict) or any(key in root for key in _OTHERS):
        return False
    draft = root.get("$schema")
    if isinstance(draft, str):
        return HOST in draft
    if not _AVRO.isdisjoint(root):
        return False
    kinds = root.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    typed = bool(listed) and all(isinstance(name, str) and name in _TYPES for name in listed)
    named = any(isinstance(root.get(key), str) for key in ("$id", "$ref"))
    return typed or named or any(isinstance(root.get(key), (dict, list)) for key in ("properties", *SHARED, *CHOICES))


def _parsed(files: Files, name: str) -> Json:
    try:
        return parse_text(files.load(name), name)
    except BadInput:
        return None
