"""Formats: what they mean when value sets are compared, and where the two validators may differ about one.

Told without loading the second one: a text is disputed unless both surely say the same of it, and no witness may hang
on it. What `jsonschema` says is what its checkers and the packages behind them do; tests hold this file against them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from evreview.schema.reader import ASSERTED_FORMATS, BOUNDS
from evreview.schema.validators import Unusable, validator

_CLOCK: Final = r"[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
_LABEL: Final = "[A-Za-z][A-Za-z0-9]{0,62}"
_REST: Final = r"[A-Za-z0-9._~/-]*(\?[A-Za-z0-9=&._~/-]*)?(#[A-Za-z0-9._~/-]*)?"
_SCHEME: Final = r"[A-Za-z][A-Za-z0-9+.-]*:"
_HOST: Final = f"(//[A-Za-z0-9]+([.-][A-Za-z0-9]+)*(:[0-9]{{1,5}})?(?![^/?#]))?(?!//){_REST}"
_FURTHER: Final = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_INTERNATIONAL: Final = _HOST.replace("~/-]", f"~/{_FURTHER}-]")
_OPTIONS: Final = re.compile(r"\(\?[a-zA-Z-]+\)")
_BOTH: Final[Mapping[str, str]] = {
    "date": "(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "date-time": f"(?!0000)[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[Tt]{_CLOCK}",
    "time": _CLOCK,
    "duration": r"P(?=.)([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T(?=.)([0-9]+H)?([0-9]+M)?([0-9]+S)?)?|P[0-9]+W",
    "email": ".*",
    "idn-email": "[a-z]+@[a-z]+[.][a-z]+",
    "hostname": rf"(?=.{{1,250}}\Z){_LABEL}(\.{_LABEL})*",
    "idn-hostname": "(?=.{1,60}\\Z)[a-z\u00e0-\u00f6\u00f8-\u00ff]+(\\.[a-z]+)*",
    "uri": _SCHEME + _HOST,
    "uri-reference": f"{_SCHEME}{_HOST}|{_HOST}",
    "iri": _SCHEME + _INTERNATIONAL,
    "iri-reference": f"{_SCHEME}{_INTERNATIONAL}|{_INTERNATIONAL}",
    "uri-template": r"([A-Za-z0-9/._~-]|\{[A-Za-z0-9_]+\})*",
    "uuid": ".*",
    "relative-json-pointer": r"(0|[1-9]+0?)(#|(/[^~/]*)*)",
}
"""Of the texts that the first validator admits, those that the second one surely does."""
_NEVER: Final = "(?!)"
_NO_LINK: Final = r"(?s:.*[\x00-\x09\x0b-\x20\"<>\\^`{|}].*)"
_NEITHER: Final[Mapping[str, str]] = {
    "date": r"(?s:.*)",
    "date-time": r"(?s:(?![0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]).{0,10}|(?![0-9]).*)",
    "time": r"(?s:(?!\d).*|.{0,7})",
    "duration": r"(?s:[^Pp+-].*)?",
    "email": "[^@]*",
    "idn-email": "[^@]*",
    "hostname": r"(?s:.*[^A-Za-z0-9.\-\n].*)?",
    "idn-hostname": r"(?s:.*[ !@].*)?",
    "uri": f"(?s:[^:]*)|(?s:.*[^\\x00-\\x7f].*)|{_NO_LINK}",
    "uri-reference": f"(?s:.*[^\\x00-\\x7f].*)|{_NO_LINK}",
    "iri": f"(?s:[^:]*)|{_NO_LINK}",
    "iri-reference": _NO_LINK,
    "uri-template": _NEVER,
    "uuid": r"(?s:(?!.{8}-.{4}-.{4}-.{4}-).*)",
    "relative-json-pointer": r"(?s:\D.*)?",
}
"""Of the texts that the first validator refuses, those that the second one surely does."""


def disputed(name: str, text: str, *, admitted: bool) -> bool:
    """True unless both validators surely say the same, False for a name that is no format here.

    Args:
        name: of the format.
        text: the string.
        admitted: what the first validator says.
    """
    exact = _EXACT.get(name)
    if exact is not None:
        return exact(text) is not admitted
    told = (_BOTH if admitted else _NEITHER).get(name)
    return told is not None and re.fullmatch(told, text) is None


def unusable(pattern: str) -> bool:
    """True for an expression with options inside it, as `^(?i)a`: ECMA-262 knows none, and `re` refuses it."""
    return _OPTIONS.search(pattern, 1) is not None


def _expression(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _pointer(text: str) -> bool:
    return text[:1] in ("", "/") and not re.search(r"~[^01]|~$", text)


def _fourth(text: str) -> bool:
    from ipaddress import AddressValueError, IPv4Address

    try:
        return bool(IPv4Address(text))
    except AddressValueError:
        return False


def _sixth(text: str) -> bool:
    from ipaddress import AddressValueError, IPv6Address

    try:
        return not getattr(IPv6Address(text), "scope_id", "")
    except AddressValueError:
        return False


_EXACT: Final[Mapping[str, Callable[[str], bool]]] = {
    "regex": _expression,
    "json-pointer": _pointer,
    "ipv4": _fourth,
    "ipv6": _sixth,
}


# What `format` means when value sets are compared: one table, each name with its reason.
#
# A name that is not here is one whose values nobody here knows. Written alike on both sides it is equal; anything else
# about it stays undecided.


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


# Whether a text has a pattern or a format, as the validator reads both; None where nobody knows.


Says = bool | None


def matches(pattern: str, text: str) -> Says:
    """Whether a text holds a match of an expression, as the validator reads it; None for one that another can't use."""
    admits = None if unusable(pattern) else _checker("pattern", pattern)
    return None if admits is None else bool(admits(text))


def formatted(name: str, text: str) -> Says:
    """Whether a text is a value of a format; None where validators may differ, or for a format nobody here knows."""
    admits = _checker("format", name) if asserted(name) else None
    said = None if admits is None else bool(admits(text))
    return None if said is None or disputed(name, text, admitted=said) else said


@lru_cache(maxsize=4096)
def _checker(keyword: str, argument: str) -> Callable[[str], bool] | None:
    try:
        return validator({keyword: argument}).is_valid
    except Unusable:
        return None
