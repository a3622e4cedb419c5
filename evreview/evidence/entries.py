"""Entries of a YAML list as text: one line per field, which leaves everything else in the file as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Json

_UNPRINTABLE: Final = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def as_yaml(stated: Mapping[str, Json]) -> str:
    """One line per field, in the order of the mapping; values are written as JSON, which YAML reads alike."""
    return "\n".join(f"{key}: {_scalar(value)}" for key, value in stated.items())


def indented(entry: str, width: int, end: bytes) -> bytes:
    """The entry as one list entry at an indentation."""
    lines = [f"{' ' * width}{'  ' if index else '- '}{line}" for index, line in enumerate(entry.split("\n"))]
    return b"".join(line.encode() + end for line in lines)


def _scalar(value: Json) -> str:
    return _UNPRINTABLE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))
