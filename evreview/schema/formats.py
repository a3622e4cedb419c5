"""Where the two validators may tell different strings of one format or pattern, told without loading the second one.

A text is disputed unless both surely say the same of it: no witness may hang on it. What `jsonschema` says is what
its checkers and the packages behind them do; tests hold this file against them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

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
