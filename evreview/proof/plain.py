"""Lists and objects of which every item and member is judged by its own schema alone, read from schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import Json
from evreview.schema.wire_text import text_of

_OBJECT: Final = frozenset(
    {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "dependentRequired",
    }
)
"""What an expected object may be told besides its members; no other keyword looks into a member."""
_LIST: Final = frozenset({"type", "items", "minItems", "maxItems", "uniqueItems", "$defs", "title", "description"})
_DISTINCT: Final = frozenset({"string", "integer", "number", "boolean"})
"""Types whose different values have different texts."""
_MANY: Final = 10**9
_DEEPEST: Final = 8


@dataclass(frozen=True, slots=True)
class PlainList:
    """What a schema says that describes a list and nothing more: its items, and how many there may be."""

    item: Json
    least: int
    most: int
    unique: bool


def plain_list(schema: Json) -> PlainList | None:
    """What a schema says that describes a list and nothing more, None for any other."""
    found, definitions = _resolved(schema)
    if not isinstance(found, Mapping) or found.get("type") != "array" or found.keys() - _LIST:
        return None
    least, most, item = found.get("minItems", 0), found.get("maxItems", _MANY), found.get("items", True)
    if not isinstance(least, int) or not isinstance(most, int):
        return None
    held = {**item, "$defs": dict(definitions)} if isinstance(item, Mapping) else item
    return PlainList(held, least, most, found.get("uniqueItems") is True)


def stays_unique(given: PlainList | None, wanted: PlainList) -> bool:
    """True when a list that is sent surely has items that differ as they are read, or when nobody asks that."""
    if not wanted.unique:
        return True
    return given is not None and given.unique and _has_distinct_texts(given.item) and _reads_one_by_one(wanted.item)


def _reads_one_by_one(schema: Json) -> bool:
    """True when different texts are surely read as different values; the number 1 may be written 1.0."""
    item, _ = _resolved(schema)
    if not isinstance(item, Mapping) or item.keys() & {"anyOf", "oneOf", "allOf"}:
        return False
    listed, named = item.get("enum"), item.get("type")
    if isinstance(listed, list):
        return not any(isinstance(value, float) for value in listed)
    return isinstance(named, str) and named in _DISTINCT - {"number"}


def _has_distinct_texts(schema: Json) -> bool:
    item, _ = _resolved(schema)
    if not isinstance(item, Mapping):
        return False
    listed = item.get("enum")
    if isinstance(listed, list):
        texts = [text_of(value) for value in listed]
        return None not in texts and len(set(texts)) == len(texts)
    named = item.get("type")
    return isinstance(named, str) and named in _DISTINCT


def is_plain_object(whole: Json) -> bool:
    """True for an object, one of several nodes too, whose members are judged by their own schemas alone."""
    schema, definitions = _resolved(whole)
    if not isinstance(schema, Mapping):
        return False
    parts = schema.get("allOf")
    if schema.keys() - {"$defs"} != {"allOf"} or not isinstance(parts, (list, tuple)):
        return not schema.keys() - _OBJECT - {"$defs"}
    found = [_followed(part, definitions) for part in parts]
    return all(isinstance(one, Mapping) and not one.keys() - _OBJECT and _names_its_own(one) for one in found)


def _names_its_own(schema: Mapping[str, Json]) -> bool:
    """True when nothing is said of members that another node may name."""
    return not isinstance(schema.get("additionalProperties"), Mapping)


def _resolved(schema: Json) -> tuple[Json, Mapping[str, Json]]:
    """A self-contained schema with the reference that it is followed, and its definitions."""
    found = schema.get("$defs") if isinstance(schema, Mapping) else None
    definitions: Mapping[str, Json] = found if isinstance(found, Mapping) else {}
    return _followed(schema, definitions), definitions


def _followed(schema: Json, definitions: Mapping[str, Json]) -> Json:
    for _ in range(_DEEPEST):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(schema, Mapping) or not isinstance(ref, str) or schema.keys() - {"$ref", "$defs"}:
            break
        schema = definitions.get(ref.removeprefix("#/$defs/"))
    return schema
