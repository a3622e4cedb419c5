"""The view that admits what two views admit, when one view can say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.reader import tighter
from evreview.schema.view import SchemaView, Sub

_MARKED: Final = frozenset({"readOnly", "writeOnly", "deprecated", "uniqueItems"})
_FIRST_WINS: Final = frozenset({"default", "xml", "x-extensible-enum"})
_HIGHEST: Final = frozenset({"minLength", "minItems", "minProperties", "minContains"})
_LOWEST: Final = frozenset({"maxLength", "maxItems", "maxProperties", "maxContains"})


def merge(left: SchemaView, right: SchemaView) -> SchemaView | None:
    """The view that admits exactly what both admit; None when one view can't say it."""
    slots = _slots(left, right)
    types = _types_of_both(left.types, right.types)
    enum = _enum_of_both(left, right)
    keywords = _keywords_of_both(left.keywords, right.keywords)
    if slots is None or keywords is None or not (_closes_nothing(left, right) and _closes_nothing(right, left)):
        return None
    null = left.null and right.null
    return SchemaView(
        never=left.never or right.never or (types == frozenset() and not null),
        types=types,
        null=null,
        enum=enum,
        minimum=tighter(left.minimum, right.minimum, lower=True),
        maximum=tighter(left.maximum, right.maximum, lower=False),
        keywords=keywords,
        properties=_both(left.properties, right.properties),
        required=left.required | right.required,
        patterns=_both(left.patterns, right.patterns),
        dependent_required={
            name: left.dependent_required.get(name, frozenset()) | right.dependent_required.get(name, frozenset())
            for name in {**left.dependent_required, **right.dependent_required}
        },
        dependent_schemas=_both(left.dependent_schemas, right.dependent_schemas),
        all_of=_once(left.all_of, right.all_of),
        members=_once(left.members, right.members),
        annotations={**right.annotations, **left.annotations},
        **slots,
    )


_SLOTS: Final[tuple[tuple[str, object], ...]] = (
    ("additional", True), ("property_names", None), ("items", True), ("prefix", ()), ("contains", None),
    ("unevaluated_properties", True), ("unevaluated_items", True), ("any_of", ()), ("one_of", ()), ("negated", None),
    ("conditional", {}), ("discriminator", None),
)  # fmt: skip


def _slots(left: SchemaView, right: SchemaView) -> dict[str, Any] | None:
    """What only one of both may say: the one that says it, None when both do and differ."""
    found: dict[str, Any] = {}
    for name, idle in _SLOTS:
        mine, other = getattr(left, name), getattr(right, name)
        if name == "items" and isinstance(mine, Sub) and isinstance(other, Sub) and left.prefix == right.prefix:
            found[name] = _joined(mine, other)
            continue
        if mine != idle and other != idle and mine != other and name != "discriminator":
            return None
        found[name] = other if mine == idle else mine
    return found


def _closes_nothing(closing: SchemaView, other: SchemaView) -> bool:
    """True when `closing` does not judge members that only `other` names."""
    judges = closing.additional is not True or closing.unevaluated_properties is not True
    if not judges and closing.items is True:
        return True
    if judges and (other.patterns or not closing.properties.keys() >= other.properties.keys()):
        return False
    return closing.items is True or not other.prefix


def _types_of_both(left: frozenset[str] | None, right: frozenset[str] | None) -> frozenset[str] | None:
    if left is None or right is None:
        return left if right is None else right
    both = left & right
    if ("integer" in left and "number" in right) or ("number" in left and "integer" in right):
        both |= {"integer"}
    return both


def _enum_of_both(left: SchemaView, right: SchemaView) -> tuple[Json, ...] | None:
    if left.enum is None or right.enum is None:
        return left.enum if right.enum is None else right.enum
    kept = {repr(value) for value in right.enum}
    return tuple(value for value in left.enum if repr(value) in kept)


def _keywords_of_both(left: Mapping[str, Json], right: Mapping[str, Json]) -> dict[str, Json] | None:
    both = {**right, **left}
    for name in left.keys() & right.keys():
        mine, other = left[name], right[name]
        if mine == other or name in _FIRST_WINS or name in _MARKED:
            continue
        if not isinstance(mine, (int, float)) or not isinstance(other, (int, float)):
            return None
        if name in _HIGHEST:
            both[name] = max(mine, other)
        elif name in _LOWEST:
            both[name] = min(mine, other)
        else:
            return None
    return both


def _both(left: Mapping[str, Sub], right: Mapping[str, Sub]) -> dict[str, Sub]:
    found = dict(left)
    for name, sub in right.items():
        mine = found.get(name)
        if mine is None:
            found[name] = sub
        else:
            found[name] = _joined(mine, sub)
    return found


def _joined(left: Sub, right: Sub) -> Sub:
    """The position where both have to hold."""
    known = set(left.key)
    more = tuple(part for part in right.parts if id(part.node) not in known)
    return Sub((*left.parts, *more)) if more else left


def _once(left: tuple[Sub, ...], right: tuple[Sub, ...]) -> tuple[Sub, ...]:
    """Both, each position once: a fan of references to one schema stays linear."""
    return tuple({sub.key: sub for sub in (*left, *right)}.values())
