"""Texts with their encodings undone, and the way back to the places in the original.

URL escapes, HTML entities, backslashes of JSON, Markdown and quotes, and hard line breaks differ from sink to sink.
Undoing them once finds a value in every mixture of them.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

_ESCAPE: Final = re.compile(
    r"(?:%[89A-Fa-f][0-9A-Fa-f])+|%[2-7][0-9A-Fa-f]|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}\d{0,2});"
    r"|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[!-/:-@\[-`{-~]"
)
_BREAK: Final = re.compile(
    r"[\"'][ \t]{0,40}(?:[+\\]?[ \t]{0,4}(?:\n|\\n)|\+)[ \t]{0,80}[\"']|[ \t]{0,40}\\?(?:(?:\\r)?\\n|\n|<br ?/?>)(?:[ \t]{0,80}(?:[>#*|][ \t]{1,8})?)"  # noqa: E501
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text without its escapes, and where each of its characters came from.

    Attributes:
        text: what a reader sees.
        places: where each undone escape stands in `text`; its end is the next one's start or earlier.
        sources: for each of them the (start, end) in what it was folded from, and its length in `text`.
        inner: what it was folded from, when that was folded too.
    """

    text: str
    places: tuple[int, ...]
    sources: tuple[tuple[int, int, int], ...]
    inner: Folded | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that became `text[start:end]`; an escape is never cut."""
        span = self._before(start), self._after(end)
        return self.inner.origin(*span) if self.inner is not None else span

    def changed(self) -> tuple[tuple[int, int], ...]:
        """The spans of `text` that were escapes, sorted and disjoint."""
        own = {(place, place + max(1, source[2])) for place, source in zip(self.places, self.sources, strict=True)}
        if self.inner is not None:
            own |= {(self._ahead(start), self._ahead(end - 1) + 1) for start, end in self.inner.changed()}
        out: list[tuple[int, int]] = []
        for start, end in sorted(own):
            if out and start <= out[-1][1]:
                out[-1] = (out[-1][0], max(end, out[-1][1]))
            else:
                out.append((start, end))
        return tuple(out)

    def _before(self, at: int) -> int:
        """Where the character at `at` begins in the source."""
        index = bisect_right(self.places, at) - 1
        if index < 0:
            return at
        begin, finish, length = self.sources[index]
        over = at - self.places[index] - length
        return begin if over < 0 else finish + over

    def _after(self, at: int) -> int:
        """Where the character before `at` ends in the source."""
        index = bisect_left(self.places, at) - 1
        if index < 0:
            return at
        _, finish, length = self.sources[index]
        return finish + max(0, at - self.places[index] - length)

    def _ahead(self, at: int) -> int:
        """Where a character of the source stands in `text`."""
        index = bisect_right(self.sources, at, key=lambda source: source[0]) - 1
        if index < 0:
            return at
        _, finish, length = self.sources[index]
        return self.places[index] + (max(0, length - 1) if at < finish else length + at - finish)


def fold(text: str, *, breaks: bool) -> Folded | None:
    """The text with its escapes undone, twice encoded ones too; line breaks too if asked. None: nothing to undo."""
    if not breaks and not any(mark in text for mark in "%&\\"):
        return None
    folded = _once(text, _both() if breaks else _ESCAPE, None)
    if folded is None:
        return None
    return _once(folded.text, _ESCAPE, folded) or folded


@lru_cache(maxsize=1)
def _both() -> re.Pattern[str]:
    return re.compile(f"{_BREAK.pattern}|{_ESCAPE.pattern}")


def _once(text: str, pattern: re.Pattern[str], inner: Folded | None) -> Folded | None:
    pieces: list[str] = []
    places: list[int] = []
    sources: list[tuple[int, int, int]] = []
    length = end = 0
    for match in pattern.finditer(text):
        start, finish = match.span()
        shown = _decoded(match[0])
        pieces += (text[end:start], shown)
        length += start - end
        places.append(length)
        sources.append((start, finish, len(shown)))
        length += len(shown)
        end = finish
    if not sources:
        return None
    return Folded("".join((*pieces, text[end:])), tuple(places), tuple(sources), inner)


def _decoded(unit: str) -> str:
    match unit[0]:
        case "%":
            return unquote(unit, errors="replace")
        case "&":
            return html.unescape(unit)
        case "\\" if len(unit) in (4, 6) and unit[1] in "ux":
            char = chr(int(unit[2:], 16))
            return "\ufffd" if "\ud800" <= char <= "\udfff" else char
        case "\\" if len(unit) == 2 and not unit[1].isalnum() and unit[1] != "\n":
            return unit[1]
    return ""
