"""What a field's new type means: whether its values are among the old ones, and what documents can't select now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from graphql import (
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    is_composite_type,
)

from evreview.kinds.graphql.paths import possible

_AMONG: Final = {"Int": ("Float",), "ID": ("String",), "String": ("ID",)}
"""By type those of the language whose values hold all of its own in a response (section Scalars, Result Coercion)."""


def among(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> bool:
    """True when every value that comes for the new type may come for the old one, lists and null left out.

    For objects also: every document that selects something of the old type may select it of the new one.
    """
    one, other = _bare(old), _bare(new)
    while isinstance(one, GraphQLList) and isinstance(other, GraphQLList):
        one, other = _bare(one.of_type), _bare(other.of_type)
    if isinstance(one, GraphQLList) or isinstance(other, GraphQLList):
        return False
    if is_composite_type(one) and is_composite_type(other):
        return not _lost(released, candidate, one, other)
    return _leaf_among(one, other)


def _bare(kind: Any) -> Any:
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind


def _leaf_among(old: Any, new: Any) -> bool:
    if isinstance(new, GraphQLEnumType):
        return old.name in ("String", "ID") or (isinstance(old, GraphQLEnumType) and set(new.values) <= set(old.values))
    return old.name in _AMONG.get(new.name, ())


def _lost(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> bool:
    """True when something of the old type is not there, or differs, or may come besides."""
    if not possible(candidate, new.name) <= possible(released, old.name):
        return True
    before, after = getattr(old, "fields", {}), getattr(new, "fields", {})
    if any(name not in after or _signature(before[name]) != _signature(after[name]) for name in before):
        return True
    return any(True for _ in fragments(released, candidate, old, new))


def _signature(field: Any) -> tuple[str, dict[str, str]]:
    return str(field.type), {name: str(one.type) for name, one in field.args.items()}


def fragments(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> Iterator[str]:
    """The types that a fragment may name within the old type, and not within the new one."""
    own, its = possible(released, old.name), possible(candidate, new.name)
    for name, kind in released.type_map.items():
        if is_composite_type(kind) and own & possible(released, name) and not its & possible(candidate, name):
            yield name


def gone_fields(old: Any, new: Any) -> Iterator[str]:
    """The fields of the old type that the new one has not."""
    kept = getattr(new, "fields", {})
    yield from (name for name in getattr(old, "fields", {}) if name not in kept)
