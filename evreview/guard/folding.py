"""Texts with their encodings undone, and the way back to the places in the original.

URL escapes, HTML entities, backslashes of JSON, Markdown and quotes, and hard line breaks differ from sink to sink.
Undoing them once finds a value in every mixture of them.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
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
    """A text without its escapes, and where each of its characters came from."""

    text: str
    starts: tuple[int, ...]
    sources: tuple[tuple[int, int], ...]
    """For each piece that begins at `starts[i]`: the original's (start, end)."""

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that became `text[start:end]`; a piece is never cut."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        return self._at(first, start)[0], self._at(last, end - 1)[1]

    def _at(self, piece: int, offset: int) -> tuple[int, int]:
        begin, finish = self.sources[piece]
        length = (self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)) - self.starts[piece]
        if finish - begin != length:
            return begin, finish
        return begin + offset - self.starts[piece], begin + offset - self.starts[piece] + 1


def fold(text: str, *, breaks: bool) -> Folded | None:
    """The text with its escapes undone, twice encoded ones too; line breaks too if asked. None: nothing to undo."""
    pattern = _both() if breaks else _ESCAPE
    folded = _once(text, pattern)
    if folded is None:
        return None
    again = _once(folded.text, _ESCAPE)
    if again is None:
        return folded
    spans = tuple(folded.origin(*span) if span[1] > span[0] else (0, 0) for span in again.sources)
    return Folded(again.text, again.starts, spans)


@lru_cache(maxsize=1)
def _both() -> re.Pattern[str]:
    return re.compile(f"{_BREAK.pattern}|{_ESCAPE.pattern}")


def _once(text: str, pattern: re.Pattern[str]) -> Folded | None:
    pieces: list[str] = []
    starts: list[int] = []
    sources: list[tuple[int, int]] = []
    length = end = 0
    for match in pattern.finditer(text):
        for piece, source in ((text[end : match.start()], (end, match.start())), (_decoded(match[0]), match.span())):
            if piece:
                pieces.append(piece)
                starts.append(length)
                sources.append(source)
                length += len(piece)
        end = match.end()
    if not end:
        return None
    if end < len(text):
        pieces.append(text[end:])
        starts.append(length)
        sources.append((end, len(text)))
    return Folded("".join(pieces), tuple(starts), tuple(sources)) if pieces else None


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
