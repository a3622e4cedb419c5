"""Numbers with more digits than the fast parsers keep: whole ones are read again, fractions are marked as not kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from evreview.core.vocabulary import Json

_DIGITS: Final = bytes.maketrans(b".123456789", b"0000000000")
_LONG: Final = b"0" * 16
"""Fifteen digits survive in every double, and eighteen in 64 bits."""
_NUMBER: Final = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?=[\s,\]}]|\Z)")
_BEFORE: Final = b" \t\r\n:[,"
_BOUNDS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "enum"}
)


class Inexact(float):
    """A number that a schema demands and of which only the nearest double is known; its text tells it from others."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, value: float, written: str) -> Inexact:
        """The double nearest to the number, with the number's text."""
        made = super().__new__(cls, value)
        made.written = written
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inexact) and other.written == self.written

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.written)

    def __repr__(self) -> str:
        return self.written


def exactly(value: Json, data: bytes, again: Callable[[bytes], Json] | None = None) -> Json:
    """The value with the digits that its text has.

    Args:
        value: what a parser made of the text.
        data: the text; JSON, or YAML.
        again: a slower parser that keeps whole numbers of any size, where the first one does not.

    Returns:
        The value; fractions below a keyword of schemas that a double does not hold are `Inexact`.
    """
    lost: dict[float, str] = {}
    beyond = False
    for text in _long_numbers(data):
        exact = Decimal(text)
        if text.lstrip("-").isdigit():
            beyond = beyond or not -(2**63) <= exact < 2**64
        elif exact != Decimal(repr(float(text))):
            lost[float(text)] = " or ".join(sorted({*lost.get(float(text), text).split(" or "), text}))
    if beyond and again is not None:
        value = again(data)
    return _marked(value, lost) if lost else value


def _long_numbers(data: bytes) -> Iterator[str]:
    """Every number of many digits in a text, and a few that stand in prose."""
    digits = data.translate(_DIGITS)
    end = 0
    while (start := digits.find(_LONG, end)) >= 0:
        end = start + len(_LONG)
        begin = start - 1 if data[start - 1 : start] == b"-" else start
        if begin == 0 or data[begin - 1] in _BEFORE:
            found = _NUMBER.match(data, begin)
            if found is not None:
                yield found.group().decode()
                end = max(end, found.end())
                continue
        while end < len(digits) and digits[end] == _LONG[0]:
            end += 1


def _marked(value: Json, lost: Mapping[float, str]) -> Json:
    """The value, `Inexact` in the place of what its text has more digits for, below keywords of schemas alone."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            for key, member in node.items():
                if key in _BOUNDS and isinstance(member, (float, list)):
                    node[key] = _mark(member, lost)
                elif isinstance(member, (dict, list)):
                    stack.append(member)
        elif isinstance(node, list):
            stack += [member for member in node if isinstance(member, (dict, list))]
    return value


def _mark(value: Json, lost: Mapping[float, str]) -> Json:
    if isinstance(value, float) and value in lost:
        return Inexact(value, lost[value])
    return [_mark(member, lost) for member in value] if isinstance(value, list) else value


def whole(value: float) -> int:
    """The whole number that a double stands for: beyond 64 bits the one of its shortest text, as 10^23 for 1e23."""
    return int(value) if abs(value) < 2**64 or isinstance(value, int) else int(Decimal(repr(value)))


def spelled(value: Json) -> Json:
    """The value with the texts of what is `Inexact` in it."""
    if isinstance(value, Inexact):
        return value.written
    if isinstance(value, Mapping):
        return {key: spelled(member) for key, member in value.items()}
    return [spelled(member) for member in value] if isinstance(value, list) else value


def exact_json(data: bytes) -> Json:
    """The value of a JSON text that is known to be one, whole numbers of any size kept."""
    value: Json = json.loads(data)
    return value
