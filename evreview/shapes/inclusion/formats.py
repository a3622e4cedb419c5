"""What `format` means when value sets are compared: one table, each name with its reason.

A name that is not here is one whose values nobody here knows. Written alike on both sides it is equal; anything else
about it stays undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.shapes.keywords import ASSERTED_FORMATS, BOUNDS

LENGTHS: Final[Mapping[str, tuple[int, int | None]]] = {
    "date": (10, 10),  # RFC 3339 full-date: four digits, two, two
    "date-time": (20, None),  # full-date, T, partial-time and at least Z; fractions are unlimited
    "time": (9, None),
    "duration": (3, None),  # P1D is the shortest
    "uuid": (36, 36),
    "ipv4": (7, 15),
    "ipv6": (2, 45),
    "hostname": (1, 255),
    "email": (3, None),
    "uri": (2, None),
}
"""Between which lengths all values of a format lie. Only ever as wide as the grammar of its standard allows."""

WIDER: Final[Mapping[str, frozenset[str]]] = {"uri": frozenset({"uri-reference"})}
"""Formats that hold all values of another one."""

PLAIN: Final = frozenset({"password"})
"""Hints for whoever displays the value; every string is one."""

NOT_TEXT: Final = frozenset(BOUNDS)
"""Formats of numbers. Beside a type they are bounds (see `json_schema`); alone they are names nobody here knows."""


def lengths(name: str) -> tuple[int, int | None]:
    """The least and greatest length of a format's values."""
    return LENGTHS.get(name, (0, None))


def implied(narrow: str, wide: str) -> bool:
    """True when every value of one format is one of the other."""
    return narrow == wide or wide in WIDER.get(narrow, ())


def asserted(name: str) -> bool:
    """True when validators refuse strings that are no value of the format."""
    return name in ASSERTED_FORMATS
