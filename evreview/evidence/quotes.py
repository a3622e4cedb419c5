"""Whether a quote stands on the lines that it is said to stand on. Blanks and line ends in it do not matter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

_LINES: Final = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines of a text, and why the quote does not stand there.

    Attributes:
        first, last: the lines, counted from 1; 0 where the text has no such lines.
        fault: `lines`, `wordless`, `elsewhere`, `nowhere`, or "" for a quote that stands.
        found: for a quote that stands elsewhere, where, in words.
        windows: for a quote that stands, the lines that it itself takes up, each place of it.
    """

    first: int
    last: int
    fault: str = ""
    found: str = ""
    windows: tuple[tuple[int, int], ...] = ()


def check_quote(content: str, lines: str, quote: str) -> Quoted:
    """Where the quote stands: on these lines, elsewhere or nowhere.

    Args:
        content: the text.
        lines: `12` or `12-20`.
        quote: the words; one word at least.
    """
    written = content.splitlines()
    span = _span(lines, len(written))
    if span is None:
        return Quoted(0, 0, "lines")
    words = _plain(quote)
    if not re.search(r"\w", words):
        return Quoted(*span, "wordless")
    if words in _plain("\n".join(written[span[0] - 1 : span[1]])):
        return Quoted(*span, windows=_windows(words, written, span))
    elsewhere = _elsewhere(words, written)
    return Quoted(*span, "elsewhere" if elsewhere else "nowhere", elsewhere)


def _windows(words: str, lines: Sequence[str], span: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The first and last line of each place within the span where the quote stands."""
    parts = [(number, _plain(lines[number - 1])) for number in range(span[0], span[1] + 1)]
    parts = [(number, part) for number, part in parts if part]
    begins = [0, *accumulate(len(part) + 1 for _, part in parts)]
    whole = " ".join(part for _, part in parts)
    found: list[tuple[int, int]] = []
    at = whole.find(words)
    while at >= 0:
        first, last = (parts[bisect_right(begins, place) - 1][0] for place in (at, at + len(words) - 1))
        found.append((first, last))
        at = whole.find(words, at + len(words))
    return tuple(dict.fromkeys(found))


def _span(lines: str, count: int) -> tuple[int, int] | None:
    found = _LINES.fullmatch(lines.strip())
    if found is None:
        return None
    first, last = int(found[1]), int(found[2] or found[1])
    return (first, last) if first <= last <= count else None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _elsewhere(words: str, lines: Sequence[str]) -> str:
    """The first line on which the quote stands, "" when it stands nowhere."""
    for number, line in enumerate(lines, 1):
        if words in _plain(line):
            return f"line {number}"
    return "other lines of it" if words in _plain("\n".join(lines)) else ""
