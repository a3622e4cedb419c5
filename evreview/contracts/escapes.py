"""Percent escapes of a path in one spelling: two texts that RFC 3986 calls equivalent are one."""

from __future__ import annotations

import re
from typing import Final

_ESCAPED: Final = re.compile("%([0-9A-Fa-f]{2})")


def respelled(path: str) -> str:
    """The path without escapes of signs that need none, all others in upper case: RFC 3986, section 6.2.2."""
    return _ESCAPED.sub(_sign, path) if "%" in path else path


def _sign(found: re.Match[str]) -> str:
    sign = chr(int(found[1], 16))
    return sign if sign.isascii() and (sign.isalnum() or sign in "-._~") else found[0].upper()
