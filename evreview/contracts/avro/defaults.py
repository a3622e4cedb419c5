"""Whether a field's default is a value of its type: one that is none gives a reader nothing.

Source: Avro 1.12, complex types, records: the JSON encoding of defaults; of a union any branch counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.contracts.avro.model import REFERENCE, Field, Named, Type
from evreview.core.vocabulary import Form, Json, Missing

_RANGES: Final[Mapping[str, int]] = {"int": 31, "long": 63}
_LATIN_1: Final = 255


def gives_default(field: Field, names: Mapping[str, Named]) -> bool:
    """True when the field has a default that is a value of its type.

    Args:
        field: a reader's field.
        names: the named types of the reader's schema.
    """
    return not isinstance(field.default, Missing) and fits(field.default, field.type, names)


def fits(value: Form, type_: Type, names: Mapping[str, Named]) -> bool:
    """True when the value, as JSON, is one of the type."""
    match type_.sort:
        case "union":
            return any(fits(value, part, names) for part in type_.parts)
        case "array":
            return isinstance(value, list) and all(fits(each, type_.parts[0], names) for each in value)
        case "map":
            return isinstance(value, Mapping) and all(fits(each, type_.parts[0], names) for each in value.values())
        case sort if sort == REFERENCE:
            named = names.get(type_.name)
            return named is None or _of_named(value, named, names)
        case sort:
            return _primitive(value, sort)


def _primitive(value: Form, sort: str) -> bool:
    if sort == "null":
        return value is None
    if sort == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if sort in _RANGES:
        return isinstance(value, int) and -(2 ** _RANGES[sort]) <= value < 2 ** _RANGES[sort]
    if sort in ("float", "double"):
        return isinstance(value, int | float) or value in ("NaN", "INF", "-INF", "Infinity", "-Infinity")
    return isinstance(value, str) and (sort == "string" or _is_bytes(value))


def _of_named(value: Json | Missing, named: Named, names: Mapping[str, Named]) -> bool:
    """A default is as deep as its text, so that types which hold themselves end here too."""
    if named.sort == "enum":
        return isinstance(value, str) and value in named.symbols
    if named.sort == "fixed":
        return isinstance(value, str) and len(value) == named.size and _is_bytes(value)
    if not isinstance(value, Mapping):
        return False
    held = {each.name: value.get(each.name, each.default) for each in named.fields}
    return all(
        not isinstance(held[each.name], Missing) and (each.name not in value or fits(held[each.name], each.type, names))
        for each in named.fields
    )


def _is_bytes(text: str) -> bool:
    return all(ord(sign) <= _LATIN_1 for sign in text)
