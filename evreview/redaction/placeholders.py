"""What passes: values that are invented by convention, and what measures whether a value looks random."""

# ruff: noqa: E501

from __future__ import annotations

import ipaddress
import math
import re
from collections import Counter
from functools import lru_cache
from typing import Final

from evreview.redaction.detector import Words, compiled

_RESERVED_NAME: Final = r"(?i)(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid|localhost|noreply\.github\.com)\.?\Z|\A(?:host|gateway|kubernetes)\.docker\.internal\Z"
_RESERVED_NETS: Final = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "127.0.0.0/8", "::1/128")
_MARKS: Final = Words(
    (
        *("synthetic", "example", "sample", "placeholder", "dummy", "redacted", "changeme", "change_me", "change-me"),
        *(
            "changeit",
            "replace_me",
            "replace-me",
            "replaceme",
            "your_",
            "your-",
            "insert_",
            "insert-",
            "fixme",
            "todo",
            "lorem",
            "foobar",
            "fake",
        ),
        *(f"my{gap}{what}" for gap in "_-" for what in ("token", "secret", "key", "pass")),
        *(f"not{left}a{right}real" for left in ("", "_", "-") for right in ("", "_", "-")),
        *("xxxx", "***", "...", "00000000", "${", "{{", "%(", "$("),
    )
)
"""What a value holds that says of itself that it is none."""
_STANDS_IN: Final = "<[^>]*>|\\A[%\ufffd]\\w+%\\Z"
_WORDS: Final = frozenset(
    [
        "string",
        "integer",
        "number",
        "boolean",
        "object",
        "array",
        "null",
        "none",
        "true",
        "false",
        "undefined",
        "required",
        "optional",
        "apikey",
        "oauth2",
        "bearer",
        "basic",
        "header",
        "query",
        "cookie",
        "secret",
        "password",
        "token",
        "passwd",
        "passphrase",
        "credential",
        "uuid",
        "base64",
        "sha256",
        "binary",
        "default",
        "unknown",
        "insecure",
        "unsafe",
    ]
)


@lru_cache(maxsize=4096)
def reserved_host(host: str) -> bool:
    """True for names and addresses that are reserved for documentation, and for this machine."""
    bare = host.strip("[]").split("%")[0]
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return bool(compiled(_RESERVED_NAME).search(host))
    return any(address in ipaddress.ip_network(net) for net in _RESERVED_NETS)


@lru_cache(maxsize=8192)
def stands_in(value: str) -> bool:
    """True for a value that says of itself that it is none: `SYNTHETIC-TOKEN`, `<token>`, `${TOKEN}`, `xxxx`."""
    lower = value.lower()
    if _monotonous(value) or lower in _WORDS or _MARKS.places(lower):
        return True
    return ("<" in value or value.endswith("%")) and compiled(_STANDS_IN).search(value) is not None


def _monotonous(value: str) -> bool:
    """True for few characters over and over; four are enough for a short word that repeats nothing in order."""
    if len(set(value)) != 4:
        return len(set(value)) < 4
    kinds = (str.islower, str.isupper, str.isdigit)
    mixed = all(any(map(kind, value)) for kind in kinds)
    turned = (value + value).find(value, 1) < len(value) or list(value) == sorted(value)
    return not mixed and (turned or not value.isalpha() or not 6 <= len(value) <= 10)


@lru_cache(maxsize=8192)
def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values()) if total else 0.0


def opaque(value: str, *, least: int = 16) -> bool:
    """True for a value that looks generated: long enough, letters and digits, spread out, no stand-in.

    A long one may have no digits: then its capitals are as many as no name has.
    """
    if len(value) < least or stands_in(value):
        return False
    digits = sum(map(str.isdigit, value))
    if digits < 2 and not shuffled(value):
        return False
    return any(map(str.isalpha, value)) and entropy(value) >= 3.0


def shuffled(value: str) -> bool:
    """True for a long text whose capitals are as many as no name has."""
    upper, lower = (sum(map(case, value)) for case in (str.isupper, str.islower))
    return len(value) >= 20 and bool(upper + lower) and 0.3 <= upper / (upper + lower) <= 0.7


def luhn(digits: str) -> bool:
    """True when the check digit of a card number is right."""
    total = 0
    for index, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + index % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def iban(text: str) -> bool:
    """True when the check digits of an IBAN are right."""
    bare = re.sub(r"\s", "", text).upper()
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", bare):
        return False
    return int("".join(str(int(char, 36)) for char in bare[4:] + bare[:4])) % 97 == 1
