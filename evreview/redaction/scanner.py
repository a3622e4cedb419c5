"""Runs the detectors over one text; a detector without one of its keywords in the text costs nothing.

`without_lines` withholds the lines of what cannot be replaced in place.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from evreview.core.control_characters import lowered
from evreview.redaction.detector import Clean, Detector, Kind, SecretMatch, Words, compiled, value_group
from evreview.redaction.detectors import DETECTORS

PLACEHOLDER: Final = re.compile(r"\[redacted: [a-z ]{4,40}\]")
Spans = Sequence[tuple[int, int]]
_NEAR: Final = 4_200
_BACK: Final = 400
_ROOM: Final = 700
_WORDS: Final = Words(word for detector in DETECTORS for word in (*detector.keywords, *detector.starts))
_NUMBERS: Final = {word: number for number, word in enumerate(_WORDS.words)}
_KEYWORDS: Final = tuple(frozenset(map(_NUMBERS.__getitem__, detector.keywords)) for detector in DETECTORS)
_STARTS: Final = tuple(tuple(map(_NUMBERS.__getitem__, detector.starts)) for detector in DETECTORS)
_LONGEST: Final = max(map(len, _WORDS.words))


class Text:
    """One text, and where the words of the detectors stand in it.

    With `around`, only words near one of its spans are looked for, if that is less work.
    """

    def __init__(self, text: str, around: Spans | None = None) -> None:
        self.text = text
        windows = list(_widened(around, len(text), _NEAR + _LONGEST)) if around is not None else []
        self._whole = around is None or sum(end - start for start, end in windows) > len(text) // 2
        self._places = _WORDS.found(lowered(text)) if self._whole else {}
        self._starts: dict[tuple[int, ...], Sequence[int]] = {}
        for start, end in windows if not self._whole else ():
            for number, places in _WORDS.found(lowered(text[start:end])).items():
                self._places.setdefault(number, []).extend(place + start for place in places)

    @cached_property
    def lower(self) -> str:
        """The text in lower case."""
        return lowered(self.text)

    def asked(self) -> tuple[int, ...]:
        """The detectors that may find something, by what is known: a start stands there, and a keyword."""
        return (_asked if self._whole else _startable)(frozenset(self._places))

    def holds(self, number: int) -> bool:
        """True when a keyword of a detector that was asked stands in the text."""
        keywords = _KEYWORDS[number]
        return (
            self._whole
            or not keywords
            or not keywords.isdisjoint(self._places)
            or any(word in self.lower for word in DETECTORS[number].keywords)
        )

    def starts(self, number: int) -> Sequence[int]:
        """Where any start of the detector stands, sorted."""
        words = _STARTS[number]
        if words not in self._starts:
            held = [places for word in words if (places := self._places.get(word))]
            self._starts[words] = held[0] if len(held) == 1 else sorted({place for places in held for place in places})
        return self._starts[words]


@lru_cache(maxsize=4096)
def _asked(held: frozenset[int]) -> tuple[int, ...]:
    return tuple(
        number for number in _startable(held) if not _KEYWORDS[number] or not _KEYWORDS[number].isdisjoint(held)
    )


@lru_cache(maxsize=4096)
def _startable(held: frozenset[int]) -> tuple[int, ...]:
    return tuple(number for number, starts in enumerate(_STARTS) if not starts or any(map(held.__contains__, starts)))


def scan(text: str, around: Spans | None = None) -> tuple[SecretMatch, ...]:
    """Every place that a detector finds, in detector order; places inside a replacement don't count.

    Args:
        text: what is searched.
        around: sorted spans; only hits that touch one of them count.
    """
    read = Text(text, around)
    found = (hit for number in read.asked() for hit in _hits(number, read, around))
    return outside(found, text)


def outside(hits: Iterable[SecretMatch], text: str) -> tuple[SecretMatch, ...]:
    """The hits that lie in no replacement that stands in the text already."""
    done = [match.span() for match in PLACEHOLDER.finditer(text)] if "[redacted: " in text else []
    return tuple(hit for hit in hits if not _inside(done, hit)) if done else tuple(hits)


def _hits(number: int, read: Text, around: Spans | None) -> Iterator[SecretMatch]:
    detector = DETECTORS[number]
    if detector.find is not None:
        for start, end in detector.find(read.text, read.starts(number)) if read.holds(number) else ():
            value = read.text[start:end]
            if "[redacted" not in value and (around is None or _touches(around, start, end)):
                yield SecretMatch(start, end, detector.kind, detector.id, value)
        return
    for match in _matches(number, read, around):
        if detector.starts or detector.confirm(match):
            name = value_group(match)
            value = match[name]
            near = around is None or _touches(around, match.start(), match.end())
            if near and "[redacted" not in value and read.holds(number):
                yield SecretMatch(match.start(name), match.end(name), detector.kind, detector.id, value)


def _matches(number: int, read: Text, around: Spans | None) -> Iterator[re.Match[str]]:
    detector = DETECTORS[number]
    if detector.needs and compiled(detector.needs).search(read.text) is None:
        return
    if not detector.starts:
        for begin, finish in _searched(detector, read.text, around):
            yield from detector.pattern.finditer(read.text, begin, finish)
        return
    text, at = read.text, detector.pattern.match
    back = compiled(detector.back) if detector.back else None
    end = 0
    for place in read.starts(number):
        if place < end or (around is not None and not _touches(around, place - _NEAR, place + _NEAR)):
            continue
        start = place
        if back is not None:
            before = back.match(text[max(end, place - _BACK) : place][::-1])
            start -= before.end() if before else 0
        match = at(text, start)
        if match is not None and match.end() > start and detector.confirm(match):
            end = match.end()  # what is no value hides none that stands in it
            yield match


def _searched(detector: Detector, text: str, around: Spans | None) -> Iterable[tuple[int, int]]:
    """The parts of a text that a detector without starts is tried on."""
    if around is not None:
        return _widened(around, len(text), _ROOM)
    if not detector.reach:
        return ((0, len(text)),)
    needed = [match.span() for match in compiled(detector.needs).finditer(text)]
    return _widened(needed, len(text), detector.reach)


def _inside(spans: Spans, hit: SecretMatch) -> bool:
    index = bisect_right(spans, (hit.start, len(hit.value) + hit.end + 1)) - 1
    return index >= 0 and spans[index][0] <= hit.start and hit.end <= spans[index][1]


def _touches(spans: Spans, start: int, end: int) -> bool:
    """True when one of the sorted, disjoint spans shares a place with start..end."""
    index = bisect_left(spans, (end, -1))
    return index > 0 and spans[index - 1][1] > start


def _widened(spans: Spans, length: int, room: int) -> Iterator[tuple[int, int]]:
    """The spans with room on both sides, joined where they meet."""
    begin, finish = 0, 0
    for start, end in spans:
        if start - room > finish:
            if finish:
                yield begin, finish
            begin = start - room
        finish = min(length, end + room)
    if finish:
        yield max(0, begin), finish


# What cleaning can't take out goes with its whole lines: better a gap that is said than a value that is out.


WITHHELD: Final = "[withheld: redaction incomplete]"
_LEAD: Final = r"[ \t]{0,40}(?:#{1,6} |[*-] (?:\*\*[A-Z][a-z ]{3,20}:\*\* )?|\d{1,4}\. |> ?)?"
_BAR: Final = r"(?<!\\)\|"
_ITEM: Final = r"(?:\A|(?<=, ))E[1-9]\d{0,4}(?=[:#,]|\Z)"
_CITED: Final = r"E[1-9]\d{0,4}(?:[:#]\S{1,400})?(?:, E[1-9]\d{0,4}(?:[:#]\S{1,400})?){0,400}"


class CleanedText(NamedTuple):
    """A text that may leave, and what it could not be rid of in place.

    Attributes:
        text: without any such value.
        withheld: kind and detector of what went with its lines; empty when redaction is complete.
    """

    text: Clean
    withheld: frozenset[tuple[Kind, str]] = frozenset()


def without_lines(text: str, hits: Iterable[SecretMatch]) -> str:
    """The text with every line that a hit touches withheld; as many lines as before."""
    lines = text.split("\n")
    ends = list(accumulate(len(line) + 1 for line in lines))
    for hit in hits:
        for number in range(bisect_right(ends, hit.start), bisect_right(ends, max(hit.start, hit.end - 1)) + 1):
            lines[number] = _frame(lines[number])
    return "\n".join(lines)


def _frame(line: str) -> str:
    """The line's frame around the notice: mark and label of a list, cells of a row, ids of the evidence cited last."""
    if line.startswith("| "):
        last = line.removesuffix(" |").rpartition(" | ")[2]
        cells = [WITHHELD] * max(1, len(compiled(_BAR).findall(line)) - 1)
        cells[-1] = _items(last) or WITHHELD
        return f"| {' | '.join(cells)} |"
    lead = compiled(_LEAD).match(line)
    items = _items(line.removesuffix("]").rpartition(" [")[2]) if line.endswith("]") else ""
    return f"{lead[0] if lead else ''}{WITHHELD}" + (f" [{items}]" if items else "")


def _items(cited: str) -> str:
    """The ids of cited items without their locators, "" for anything but citations."""
    if compiled(_CITED).fullmatch(cited) is None:
        return ""
    return ", ".join(dict.fromkeys(compiled(_ITEM).findall(cited)))
