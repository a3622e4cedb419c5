"""The JSON Schema keywords that decide which values are admitted, by the shape of what stands below them. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COPIED: Final = (
    "type",
    "format",
    "enum",
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "dependentRequired",
)
"""Keywords whose value holds no schema."""

SINGLE: Final = (
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
)
"""Keywords whose value is one schema."""

UNEVALUATED: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""Keywords that judge the members and items which nothing in place names."""

MAPPED: Final = ("properties", "patternProperties", "dependentSchemas")
"""Keywords whose value maps names to schemas."""

LISTED: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
"""Keywords whose value is a list of schemas."""

ASSERTED_FORMATS: Final = frozenset(
    {
        "date",
        "date-time",
        "time",
        "duration",
        "email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    }
)
"""String formats that are read as constraints: those of JSON Schema Validation 2020-12, section 7.3.

The two validators tell different strings of `idn-email` and `uri-template`; these, and all others, are names whose
values nobody here knows.
"""

BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "float": (-3.4028234663852886e38, 3.4028234663852886e38),
    "double": (-1.7976931348623157e308, 1.7976931348623157e308),
}
"""Number formats of the OpenAPI format registry, as the bounds they stand for."""
