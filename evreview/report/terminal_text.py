"""Text in the columns of a terminal: measured, cut, wrapped and coloured; wide characters count as two."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.core.frozen import frozen
from evreview.core.quoted_text import Text, command_line, plain

NARROWEST: Final = 60
USUAL: Final = 120
MARGIN: Final = 2
_COLOURS: Final = {"bad": "31", "unsure": "33", "good": "32", "strong": "1"}
_ASCII: Final = re.compile(r"[ -~]*")
_SPACE: Final = re.compile(r"[\s⏎]+")


@frozen
class Screen:
    """Where text goes: so many columns, coloured or not."""

    columns: int = USUAL
    colour: bool = False

    @property
    def width(self) -> int:
        """The longest line."""
        return max(self.columns, NARROWEST) - MARGIN

    def tinted(self, words: str, tone: str) -> str:
        """The words in a tone; the tone never says anything that the words do not."""
        return f"\x1b[{_COLOURS[tone]}m{words}\x1b[0m" if self.colour and tone in _COLOURS else words


def flat(value: Text | str) -> str:
    """A text on one line."""
    return _SPACE.sub(" ", value if isinstance(value, str) else plain(value)).strip()


def columns(value: str) -> int:
    """The columns that a text takes."""
    return len(value) if _ASCII.fullmatch(value) else sum(map(_width, value))


def _width(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def begin(value: str, room: int) -> str:
    """As much of the begin as there is room for, a cut marked."""
    return value if columns(value) <= room else f"{_fitting(value, room - 1)}…"


def end(value: str, room: int) -> str:
    """As much of the end as there is room for, a cut marked."""
    return value if columns(value) <= room else f"…{_fitting(value[::-1], room - 1)[::-1]}"


def middle(value: str, room: int) -> str:
    """Begin and end as far as there is room for, with the cut between them marked."""
    half = room * 3 // 5
    return value if columns(value) <= room else f"{begin(value, half)}{end(value, room - half + 1)[1:]}"


def _fitting(value: str, room: int) -> str:
    for at, sign in enumerate(value):
        room -= _width(sign)
        if room < 0:
            return value[:at]
    return value


def padded(value: str, room: int) -> str:
    """The text, filled with blanks to so many columns."""
    return value + " " * (room - columns(value))


def wrapped(value: str, room: int) -> Iterator[str]:
    """The text on lines between words; a word that would leave most of a line empty is broken. Indentation stays."""
    line = value
    while columns(line) > room:
        part = _fitting(line, room)
        cut = part.rfind(" ", len(part) - len(part.lstrip()) + 1)
        cut = cut if cut > len(part) // 3 else len(part)
        yield line[:cut].rstrip()
        line = line[cut:].lstrip()
    yield line


def listed_within(names: Sequence[str], room: int) -> str:
    """Names with commas, as many as there is room for, and how many more; at least the first, cut."""
    shown: list[str] = []
    for at, name in enumerate(names):
        more = len(names) - at - 1
        rest = f" and {more} more" if more else ""
        if shown and columns(", ".join([*shown, name])) + len(rest) > room:
            return f"{', '.join(shown)} and {len(names) - at} more"
        shown.append(begin(name, room - (len(rest) if not shown else 0)))
    return ", ".join(shown)


def command_lines(words: Iterable[str], comment: str, screen: Screen, indent: int) -> Iterator[str]:
    """A command that a shell reads as printed, broken between its words where it is too long, and what it shows."""
    room = screen.width - indent
    lines = [""]
    for word in _kept_together(words):
        if lines[-1] and columns(lines[-1]) + 1 + columns(word) > room - 2:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    if columns(lines[-1]) + len(comment) + 5 <= room:
        lines[-1] = f"{lines[-1]}   # {comment}"
    yield from lines


def _kept_together(words: Iterable[str]) -> Iterator[str]:
    """The words quoted for a shell, an option with its value."""
    option = ""
    for word in words:
        quoted = command_line([word])
        if option or not word.startswith("-"):
            yield f"{option} {quoted}".strip()
            option = ""
        else:
            option = quoted
    if option:
        yield option
