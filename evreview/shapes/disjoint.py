"""Whether the branches of a composition exclude each other: only then is "exactly one of them" the same as "any"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import orjson

from evreview.core.vocabulary import Json
from evreview.schema.reader import json_type
from evreview.schema.view import SchemaView, Sub

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
    said = [_Said(view, read) for view in views]
    if _apart_at_once([one.values for one in said]) or _by_one_field(said):
        return True
    return all(_exclude(left, right) for left, right in combinations(said, 2))


class _Said:
    """What one branch says, sorted out once for all the others that it is held against."""

    def __init__(self, view: SchemaView, read: Callable[[Sub], SchemaView]) -> None:
        self._read = read
        self._members: Mapping[str, Sub] = view.properties
        self._listed: dict[str, frozenset[str] | None] = {}
        self.never = view.never
        self.null = view.null
        self.types = _widened(view.types) if view.types is not None else None
        self.values = _values(view)
        self.required = view.required
        self.is_object = view.types == frozenset({"object"}) and not view.null

    def listed(self, name: str) -> frozenset[str] | None:
        """The values that a member lists, None for any other member."""
        if name not in self._listed:
            self._listed[name] = _values(self._read(self._members[name])) if name in self._members else None
        return self._listed[name]


def _apart_at_once(values: Sequence[frozenset[str] | None]) -> bool:
    """True when every branch lists its values and none is listed twice: thousands of branches are no pairs then."""
    listed = [each for each in values if each is not None]
    return len(listed) == len(values) and sum(map(len, listed)) == len(frozenset().union(*listed))


def _by_one_field(said: Sequence[_Said]) -> bool:
    """True when all branches are objects that demand one field, and no two list the same value for it."""
    if not said or not all(one.is_object and one.values is None for one in said):
        return False
    common = frozenset(said[0].required).intersection(*(one.required for one in said))
    return any(_apart_at_once([one.listed(name) for one in said]) for name in sorted(common))


def _exclude(left: _Said, right: _Said) -> bool:
    if left.never or right.never or _types_exclude(left, right):
        return True
    if left.values is not None and right.values is not None:
        return left.values.isdisjoint(right.values)
    return _fields_exclude(left, right)


def _types_exclude(left: _Said, right: _Said) -> bool:
    if left.types is None or right.types is None or (left.null and right.null):
        return False
    return left.types.isdisjoint(right.types)


def _widened(types: Iterable[str]) -> frozenset[str]:
    return frozenset("number" if name == "integer" else name for name in types)


def _values(view: SchemaView) -> frozenset[str] | None:
    if view.enum is None:
        return None
    return frozenset(map(token, view.enum)) | ({_NULL} if view.null else frozenset())


def _fields_exclude(left: _Said, right: _Said) -> bool:
    """True for two objects that both demand a field whose listed values have nothing in common."""
    if not (left.is_object and right.is_object):
        return False
    return any(_apart(left.listed(name), right.listed(name)) for name in left.required & right.required)


def _apart(left: frozenset[str] | None, right: frozenset[str] | None) -> bool:
    return left is not None and right is not None and left.isdisjoint(right)
