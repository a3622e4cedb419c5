"""Runs the detectors over one text. A detector without one of its keywords in the text costs one substring search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.guard.catalogue import DETECTORS
from evreview.guard.model import Detector, Hit, value_group

PLACEHOLDER: Final = re.compile(r"\[redacted: [a-z ]{4,40}\]")
_DIGITS: Final = re.compile(r"\d{4}")
_WITHOUT: Final = frozenset(index for index, detector in enumerate(DETECTORS) if not detector.keywords)
_BY_KEYWORD: Final = tuple(
    (keyword, tuple(index for index, detector in enumerate(DETECTORS) if keyword in detector.keywords))
    for keyword in sorted({keyword for detector in DETECTORS for keyword in detector.keywords})
)


def scan(text: str) -> tuple[Hit, ...]:
    """Every place that a detector finds, in detector order; places inside a replacement don't count."""
    lower = text.lower()
    done = tuple((match.start(), match.end()) for match in PLACEHOLDER.finditer(text)) if "[redacted" in lower else ()
    return tuple(
        hit
        for detector in _worth(lower)
        for hit in _hits(detector, text)
        if not any(start <= hit.start and hit.end <= end for start, end in done)
    )


def _worth(lower: str) -> list[Detector]:
    """The detectors that one of their keywords calls, in order."""
    called = {index for keyword, indices in _BY_KEYWORD if keyword in lower for index in indices}
    if _DIGITS.search(lower):
        called |= _WITHOUT
    return [DETECTORS[index] for index in sorted(called)]


def _hits(detector: Detector, text: str) -> Iterator[Hit]:
    for match in detector.pattern.finditer(text):
        if detector.confirm(match):
            name = value_group(match)
            value = match[name]
            if "[redacted" not in value:
                yield Hit(match.start(name), match.end(name), detector.kind, detector.id, value)
