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

_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_REAL_DAY: Final = r"(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
_TIME: Final = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
_REAL_TIME: Final = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?(Z|[+-](0[0-9]|1[0-2]):[0-5][0-9])"
_HEX: Final = "[0-9a-fA-F]"
_UUID: Final = f"^{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}$"
_BYTE: Final = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"

AROUND: Final[Mapping[str, str]] = {
    "date": f"^{_DAY}$",
    "date-time": f"^{_DAY}[Tt ]{_TIME}$",
    "time": f"^{_TIME}$",
    "uuid": _UUID,
    "ipv4": r"^[0-9]{1,3}(\.[0-9]{1,3}){3}$",
    "email": "^.+@.+$",
}
"""An expression that every value of a format matches."""

WITHIN: Final[Mapping[str, str]] = {
    "date": f"^{_REAL_DAY}$",
    "date-time": f"^{_REAL_DAY}T{_REAL_TIME}$",
    "time": f"^{_REAL_TIME}$",
    "uuid": _UUID,
    "ipv4": f"^({_BYTE}\\.){{3}}{_BYTE}$",
    "email": r"^[a-z]{1,20}@([a-z]{1,9}\.)*[a-z]{1,9}$",
    "uri": r"^[a-z]+://[a-z]+(\.[a-z]+)*(:[1-9][0-9]?)?(/[a-z0-9]*)*$",
    "hostname": r"^([a-z]{1,9}\.)*[a-z]{2,9}$",
}
"""An expression whose words are values of a format, as far as they are not too long for it."""

INVENTED: Final[Mapping[str, str]] = {**WITHIN, "email": r"^[a-z]{1,20}@([a-z]{1,9}\.)*test$"}
"""The same, with mail addresses that can be nobody's: asked first, so that a message may be shown whole."""

SURE: Final = frozenset({"date", "date-time", "time", "uuid", "ipv4"})
"""Where no such word is ever too long."""

WIDER: Final[Mapping[str, frozenset[str]]] = {
    "uri": frozenset({"uri-reference", "iri", "iri-reference"}),
    "uri-reference": frozenset({"iri-reference"}),
    "iri": frozenset({"iri-reference"}),
}
"""Formats that hold all values of another one: RFC 3986 and 3987. Validators do not agree which names of hosts are
international ones, too."""

PLAIN: Final = frozenset({"password"})
"""Hints for whoever displays the value; every string is one."""

NOT_TEXT: Final = frozenset(BOUNDS)
"""Formats of numbers. For numbers they are bounds (see `json_schema`), for strings names that nobody here knows."""


def lengths(name: str) -> tuple[int, int | None]:
    """The least and greatest length of a format's values."""
    return LENGTHS.get(name, (0, None))


def implied(narrow: str, wide: str) -> bool:
    """True when every value of one format is one of the other."""
    return narrow == wide or wide in WIDER.get(narrow, ())


def asserted(name: str) -> bool:
    """True when validators refuse strings that are no value of the format."""
    return name in ASSERTED_FORMATS
