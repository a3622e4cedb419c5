"""Scalar schema keywords: the aspect of each, and the types of value it says anything about. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Aspect

_STRING: Final = ("string",)
_NUMBER: Final = ("number", "integer")
_ARRAY: Final = ("array",)
_OBJECT: Final = ("object",)

ASPECTS: Final[Mapping[str, Aspect]] = {
    "multipleOf": Aspect.NUMERIC_RANGES,
    "minLength": Aspect.LENGTHS,
    "maxLength": Aspect.LENGTHS,
    "pattern": Aspect.PATTERNS,
    "format": Aspect.FORMATS,
    "minItems": Aspect.LENGTHS,
    "maxItems": Aspect.LENGTHS,
    "uniqueItems": Aspect.CONTENT_MODEL,
    "minContains": Aspect.LENGTHS,
    "maxContains": Aspect.LENGTHS,
    "minProperties": Aspect.LENGTHS,
    "maxProperties": Aspect.LENGTHS,
    "readOnly": Aspect.ACCESS,
    "writeOnly": Aspect.ACCESS,
    "deprecated": Aspect.DEPRECATION,
    "default": Aspect.DEFAULTS,
    "contentEncoding": Aspect.ENCODINGS,
    "contentMediaType": Aspect.ENCODINGS,
    "contentSchema": Aspect.ENCODINGS,
    "collectionFormat": Aspect.SERIALISATION,
    "xml": Aspect.SERIALISATION,
    "$dynamicRef": Aspect.COMPOSITION,
    "$recursiveRef": Aspect.COMPOSITION,
    "$ref": Aspect.COMPOSITION,
    "x-extensible-enum": Aspect.ENUMS,
}

RELEVANT: Final[Mapping[str, tuple[str, ...]]] = {
    "multipleOf": _NUMBER,
    "minLength": _STRING,
    "maxLength": _STRING,
    "pattern": _STRING,
    "format": (*_STRING, *_NUMBER),
    "contentEncoding": _STRING,
    "contentMediaType": _STRING,
    "contentSchema": _STRING,
    "minItems": _ARRAY,
    "maxItems": _ARRAY,
    "uniqueItems": _ARRAY,
    "minContains": _ARRAY,
    "maxContains": _ARRAY,
    "collectionFormat": _ARRAY,
    "minProperties": _OBJECT,
    "maxProperties": _OBJECT,
}
