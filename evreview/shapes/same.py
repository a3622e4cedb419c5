"""When two JSON values are one and the same: numbers by value, booleans apart from numbers."""

from __future__ import annotations

from evreview.vocab import Json


def same(one: Json, other: Json) -> bool:
    """True for equal JSON values, as JSON Schema compares them."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and one == other
