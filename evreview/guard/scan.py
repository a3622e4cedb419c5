"""Runs the detectors over one text. A detector without one of its keywords in the text costs next to nothing."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.guard.catalogue import DETECTORS
from evreview.guard.lower import found_at, lowered, words_of
from evreview.guard.model import Detector, Hit, value_group

PLACEHOLDER: Final = re.compile(r"\[redacted: [a-z ]{4,40}\]")
_NEAR: Final = 4_200
_BACK: Final = 400
_ROOM: Final = 700


class Text:
    """One text with what is computed of it once: its lower case, its words, where keywords stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = lowered(text)
        self.words = words_of(self.lower)
        self._places: dict[str, tuple[int, ...]] = {}

    def holds(self, word: str) -> bool:
        """True when the lower-case word stands in the text."""
        return word in self.lower if any(map(str.isspace, word)) else word in self.words

    def places(self, word: str) -> tuple[int, ...]:
        """Where the lower-case word stands."""
        found = self._places.get(word)
        if found is None:
            found = self._places[word] = tuple(found_at(self.lower, word)) if self.holds(word) else ()
        return found

    def starts(self, words: Sequence[str]) -> Sequence[int]:
        """Where any of the lower-case words stands, sorted."""
        held = [places for word in words if (places := self.places(word))]
        return held[0] if len(held) == 1 else sorted({place for places in held for place in places})


def scan(text: str, around: Sequence[tuple[int, int]] | None = None) -> tuple[Hit, ...]:
    """Every place that a detector finds, in detector order; places inside a replacement don't count.

    Args:
        text: what is searched.
        around: sorted spans; only hits that touch one of them count.
    """
    read = Text(text)
    done = [match.span() for match in PLACEHOLDER.finditer(text)] if "[redacted" in read.lower else []
    return tuple(
        hit
        for detector in DETECTORS
        if not detector.keywords or any(map(read.holds, detector.keywords))
        for hit in _hits(detector, read, around)
        if not (done and _inside(done, hit))
    )


def _hits(detector: Detector, read: Text, around: Sequence[tuple[int, int]] | None) -> Iterator[Hit]:
    for match in _matches(detector, read, around):
        if detector.confirm(match):
            name = value_group(match)
            value = match[name]
            if "[redacted" not in value and (around is None or _touches(around, match.start(), match.end())):
                yield Hit(match.start(name), match.end(name), detector.kind, detector.id, value)


def _matches(detector: Detector, read: Text, around: Sequence[tuple[int, int]] | None) -> Iterator[re.Match[str]]:
    if not detector.starts:
        for begin, finish in ((0, len(read.text)),) if around is None else _widened(around, len(read.text)):
            yield from detector.pattern.finditer(read.text, begin, finish)
        return
    text, back, at = read.text, detector.back, detector.pattern.match
    end = 0
    for place in read.starts(detector.starts):
        if place < end or (around is not None and not _touches(around, place - _NEAR, place + _NEAR)):
            continue
        start = place
        if back is not None:
            before = back.match(text[max(end, place - _BACK) : place][::-1])
            start -= before.end() if before else 0
        match = at(text, start)
        if match is not None and match.end() > start:
            end = match.end()
            yield match


def _inside(spans: Sequence[tuple[int, int]], hit: Hit) -> bool:
    index = bisect_right(spans, (hit.start, len(hit.value) + hit.end + 1)) - 1
    return index >= 0 and spans[index][0] <= hit.start and hit.end <= spans[index][1]


def _touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """True when one of the sorted, disjoint spans shares a place with start..end."""
    index = bisect_left(spans, (end, -1))
    return index > 0 and spans[index - 1][1] > start


def _widened(spans: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """The spans with room on both sides, joined where they meet."""
    begin, finish = 0, 0
    for start, end in spans:
        if start - _ROOM > finish:
            if finish:
                yield begin, finish
            begin = start - _ROOM
        finish = min(length, end + _ROOM)
    if finish:
        yield max(0, begin), finish
