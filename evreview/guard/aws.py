"""Secret keys of Amazon Web Services: they have no prefix, so only the key id beside them tells what they are."""

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.placeholders import entropy, stands_in

_KEY_ID: Final = "A[KS]IA[A-Z0-9]{16}"
_ALONE: Final = rf"(?<![A-Za-z0-9]){_KEY_ID}(?![A-Za-z0-9])"
_RUN: Final = "[A-Za-z0-9+/]"
_LINES: Final = 6
_NEAR: Final = 500
_OBJECT: Final = 2_000
_LEAST: Final = 4.2
"""Bits per character. Of random keys one in forty thousand has less; names and paths of that length have."""


def _secret(match: re.Match[str]) -> bool:
    """True for what looks drawn by lot and stands near a key id, before or after it."""
    value = match["value"]
    drawn = (
        any(map(str.islower, value))
        and any(map(str.isupper, value))
        and any(char.isdigit() or char == "+" for char in value)
        and compiled("[0-9a-fA-F]+").fullmatch(value) is None
    )
    return drawn and entropy(value) >= _LEAST and not stands_in(value) and _near(match)


def _near(match: re.Match[str]) -> bool:
    text, (start, end) = match.string, match.span("value")
    before = text[max(0, start - _OBJECT) : start].rpartition("\0")[2]
    after = text[end : end + _OBJECT].partition("\0")[0]
    ids = compiled(_ALONE)
    return any(_beside(before[found.end() :]) for found in ids.finditer(before)) or any(
        _beside(after[: found.start()]) for found in ids.finditer(after)
    )


def _beside(between: str) -> bool:
    """True when that little stands between them, or nothing but members of one JSON object."""
    lines = between.split("\n")
    if len(between) <= _NEAR and len(lines) <= _LINES:
        return True
    members = '":' in between and "{" not in between and "}" not in between
    return members and all(line.lstrip().startswith('"') for line in lines[1:])


AWS: Final[tuple[Detector, ...]] = (
    Detector(
        id="aws-secret-key",
        kind=Kind.SECRET,
        why="With the key id beside it, the secret key signs requests in its owner's name.",
        keywords=("akia", "asia"),
        needs=_KEY_ID,
        reach=_OBJECT + 100,
        named=True,
        # What stands in front is part of the match: where it was an escape, the text without escapes is searched there.
        expression=(
            rf"(?:\A|[^A-Za-z0-9+/]|\\[nrt]|%0[9ADad]|(?<={_KEY_ID})[+/])(?P<value>{_RUN}{{40}})(?![A-Za-z0-9+/=])"
        ),
        example=("AKIA", "QYLPMN5HFIQR7XYA and ", "hR7+vQ2mLx9/TzK4bWcY", "pD8sNf3uGj6EaVo1Xi5q"),
        counter_example=("AKIAIOSFODNN7EXAMPLE", " of 3f786850e387550fdab836ed7e6dc881de23001b"),
        confirm=_secret,
    ),
)
