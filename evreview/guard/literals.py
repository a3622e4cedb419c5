"""Secrets that code writes down as bytes, and numbers of people that prose names without a sign between."""

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.placeholders import entropy, stands_in

_BEFORE: Final = (
    r"(?i)(?:key|secret|token|seed|passw\w{0,6}|pepper|credential)\w{0,20}(?::[ \t]?bytes)?[\"']?\]?\s{0,8}[:=]\s{0,8}"
    r"(?:[\w.]{1,30}\.)?\Z"
)
_LEAST: Final = 2.5


def _named(match: re.Match[str]) -> bool:
    """True for bytes that look drawn, given to a name that says that they are secret."""
    before = match.string[max(0, match.start() - 120) : match.start()]
    value = match["value"]
    return not stands_in(value) and entropy(value) >= _LEAST and compiled(_BEFORE).search(before) is not None


def _numbered(match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match["value"])
    return len(digits) >= 5 and len(set(digits)) > 3 and digits not in "01234567890123456789"


LITERALS: Final[tuple[Detector, ...]] = (
    Detector(
        id="secret-bytes",
        kind=Kind.SECRET,
        why="The name that the decoded bytes are given to says that they are secret.",
        keywords=("fromhex(", "unhexlify(", "b64decode("),
        starts=("fromhex(", "unhexlify(", "b64decode("),
        expression=r"\w{7,9}\(\s{0,8}b?\\?[\"'](?P<value>[A-Za-z0-9+/_-]{16,512}={0,2})\\?[\"']",
        example=('SECRET = bytes.fromhex("', "9f3a7c1e5b2d8046", 'af17c3e95d20b864")'),
        counter_example=('DIGEST = bytes.fromhex("', "9f3a7c1e5b2d8046", 'af17c3e95d20b864")'),
        confirm=_named,
    ),
    Detector(
        id="secret-escapes",
        kind=Kind.SECRET,
        why="The name that the bytes are given to says that they are secret.",
        keywords=("\\x",),
        starts=('b"\\x', "b'\\x"),
        expression=r"b[\"'](?P<value>(?:\\x[0-9a-fA-F]{2}){8,256})[\"']",
        example=('hmac_key = b"', "\\x9f\\x3a\\x7c\\x1e", '\\x5b\\x2d\\x80\\x46"'),
        counter_example=('MAGIC = b"', "\\x9f\\x3a\\x7c\\x1e", '\\x5b\\x2d\\x80\\x46"'),
        confirm=_named,
    ),
    Detector(
        id="told-national-number",
        kind=Kind.PERSONAL_DATA,
        why="The words in front of the value say that a state gave it to one person.",
        keywords=("ssn", "social security", "passport"),
        starts=("ssn", "social security", "passport"),
        expression=(
            r"(?i)(?<![A-Za-z])(?:ssn|social security (?:number|no\.?)|passport (?:number|no\.?))(?: is)? "
            r"(?P<value>\d{3}-\d{2}-\d{4}|[A-Z0-9]{0,3}\d{5,9}|\d{2}[A-Z]{2}\d{5})(?![\w-])"
        ),
        example=("SSN 482-", "91-7364"),
        counter_example=("SSN 000-00-0000",),
        confirm=_numbered,
    ),
)
