"""Whether the branches of a composition exclude each other: only then is "exactly one of them" the same as "any"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import orjson

from evreview.shapes.reading import json_type
from evreview.shapes.view import SchemaView, Sub
from evreview.vocab import Json

_NULL = "null"


def token(value: Json) -> str:
    """One text per JSON value: 1 and 1.0 share it, `true` and 1 do not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"number:{float(value)!r}" if abs(value) < 2**53 else f"number:{value!r}"
    try:
        return f"{json_type(value)}:{orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()}"
    except (TypeError, orjson.JSONEncodeError):
        return f"{json_type(value)}:{value!r}"


def excluding(views: Sequence[SchemaView], read: Callable[[Sub], SchemaView]) -> bool:
    """True when no value can meet two of the branches: by type, by listed values, or by a field that each one fixes.

    Args:
        views: the branches.
        read: gives the view of a member.
    """
    return all(_exclude(left, right, read) for left, right in combinations(views, 2))


def _exclude(left: SchemaView, right: SchemaView, read: Callable[[Sub], SchemaView]) -> bool:
    if left.never or right.never or _types_exclude(left, right):
        return True
    mine, theirs = _values(left), _values(right)
    if mine is not None and theirs is not None:
        return not mine & theirs
    return _fields_exclude(left, right, read)


def _types_exclude(left: SchemaView, right: SchemaView) -> bool:
    if left.types is None or right.types is None or (left.null and right.null):
        return False
    return not _widened(left.types) & _widened(right.types)


def _widened(types: Iterable[str]) -> frozenset[str]:
    return frozenset("number" if name == "integer" else name for name in types)


def _values(view: SchemaView) -> frozenset[str] | None:
    if view.enum is None:
        return None
    return frozenset(map(token, view.enum)) | ({_NULL} if view.null else frozenset())


def _fields_exclude(left: SchemaView, right: SchemaView, read: Callable[[Sub], SchemaView]) -> bool:
    """True for two objects that both demand a field whose listed values have nothing in common."""
    objects = [view.types == frozenset({"object"}) and not view.null for view in (left, right)]
    if not all(objects):
        return False
    return any(
        _apart(_listed(left.properties, name, read), _listed(right.properties, name, read))
        for name in left.required & right.required
    )


def _listed(members: Mapping[str, Sub], name: str, read: Callable[[Sub], SchemaView]) -> frozenset[str] | None:
    return _values(read(members[name])) if name in members else None


def _apart(left: frozenset[str] | None, right: frozenset[str] | None) -> bool:
    return left is not None and right is not None and not left & right
