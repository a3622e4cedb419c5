"""What a reader may take a value for: validators of web frameworks read `"5"` as 5, and a query string has no types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from evreview.core.vocabulary import Json

Leaf = Callable[[Json], Json]

_INTEGER: Final = re.compile(r"\s*[+-]?[0-9]{1,300}\s*")
_NUMBER: Final = re.compile(r"\s*[+-]?([0-9]{1,300}(\.[0-9]{0,300})?|\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?\s*")
_TRUE: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
_FALSE: Final = frozenset({"0", "false", "f", "no", "n", "off"})


def readings(value: Json, *, text: bool) -> Iterator[Json]:
    """The value, and every other one that it may be read as.

    Args:
        value: as a client means it.
        text: True where it travels as text: then it is read from its text alone.
    """
    ways: list[Leaf] = [_same, _number, _truth, _moment, _day]
    start = _mapped(value, _text) if text else value
    for way in ways:
        yield _mapped(start, way)
    if text and not isinstance(start, list):
        for way in ways:
            yield [_mapped(start, way)]


def _mapped(value: Json, leaf: Leaf) -> Json:
    if isinstance(value, dict):
        return {name: _mapped(member, leaf) for name, member in value.items()}
    if isinstance(value, list):
        return [_mapped(member, leaf) for member in value]
    return leaf(value)


def _same(value: Json) -> Json:
    return value


def _text(value: Json) -> Json:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


def _number(value: Json) -> Json:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def _truth(value: Json) -> Json:
    word = str(value).strip().lower() if isinstance(value, (str, int, float)) else ""
    return True if word in _TRUE else False if word in _FALSE else value


def _moment(value: Json) -> Json:
    return "1970-01-01T00:00:00Z" if _is_number(value) else value


def _day(value: Json) -> Json:
    return "1970-01-01" if _is_number(value) else value


def _is_number(value: Json) -> bool:
    """True for a number, and for its text: dates are read from both."""
    number = _number(value)
    return isinstance(number, (int, float)) and not isinstance(value, bool)
