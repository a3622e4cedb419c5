"""JSON values by themselves: when two are one and the same, their text, and which names a value holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from evreview.core.vocabulary import Json

sorted_text: Final[Callable[[Json], str]] = json.JSONEncoder(sort_keys=True).encode
"""One text per value, whatever the order of keys. `json.dumps` would make such an encoder anew for each of them."""


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


def names_in(instance: Json) -> Iterator[str]:
    """The names of all members in a value, at any depth."""
    stack = [instance]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield from node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def list_or_empty(value: Json) -> list[Json]:
    """A list as it is, an empty one for anything else."""
    return value if isinstance(value, list) else []


def texts_of(value: Json) -> list[str]:
    """The items of a list as texts, none of anything else."""
    return [str(each) for each in list_or_empty(value)]


def mapping(value: object) -> Mapping[str, Json]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[Json]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def word(value: object) -> str:
    """The value when it is a string, else ""."""
    return value if isinstance(value, str) else ""
