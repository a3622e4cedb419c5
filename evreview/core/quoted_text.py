"""Words of ours and words of the subject, kept apart in one text; and words quoted for a shell.

A `UserText` is always printed as code: no evidence text can pass for our prose, a heading or a citation.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final

from evreview.core.control_characters import visible
from evreview.core.frozen import frozen

WORD_END: Final = re.compile(r"\s")
MEMBER_END: Final = re.compile(r',(?=["\[{])')


@frozen
class UserText:
    """A token or text that comes from the evidence."""

    value: str

    def __str__(self) -> str:
        return self.value


Part = str | UserText
Text = tuple[Part, ...]


def text(*parts: Part) -> Text:
    """The parts as one text, empty ones left out."""
    return tuple(part for part in parts if str(part))


def listed(values: Iterable[str], most: int | None = None) -> Text:
    """Evidence words as a comma-separated list; of more than `most`, the first ones and how many more."""
    words = tuple(values)
    named = joined(((UserText(word),) for word in words[:most]), ", ")
    more = len(words) - len(words[:most])
    return (*named, f" and {more} more") if more else named


def joined(texts: Iterable[Text], between: str = "; ") -> Text:
    """Several texts as one, with our words between them."""
    parts: list[Part] = []
    for each in texts:
        parts += [between, *each] if parts else each
    return tuple(parts)


def marked(value: str) -> Text:
    """A sentence of ours whose `names` in backticks are words of the subject."""
    return tuple(UserText(part) if index % 2 else part for index, part in enumerate(value.split("`")) if part)


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 check`, `2 checks`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def bare(value: Text) -> Text:
    """The text without the full stop of ours at its end, to be continued."""
    *head, last = value or ("",)
    return (*head, last.rstrip(". ")) if isinstance(last, str) else value


def plain(value: Text) -> str:
    """The text without marks, for registers, JSON and messages."""
    return "".join(str(part) for part in value)


def begin_of(value: str, limit: int, *ends: re.Pattern[str]) -> str:
    """The begin of a text up to the limit, whole words or members of a JSON text only.

    Half of a secret would pass every detector, so what is cut before it is redacted ends where a secret can't go on.

    Args:
        limit: the most characters.
        ends: where it may end; without any, after a word or a member.
    """
    if len(value) <= limit:
        return value
    marks = ends or (WORD_END, MEMBER_END)
    return value[: max((found.start() for mark in marks for found in mark.finditer(value, 0, limit)), default=0)]


# Words as a command line that a shell reads back as the same words, whatever they hold.


_ALTERED: Final = re.compile(r"##(?=\[)|::|  |^ | $")
"""What those who show a command line may alter: commands to a build, and blanks that run together or end a text."""


def command_line(words: Iterable[str]) -> str:
    """The words quoted for a shell, on one line and without a sign that acts.

    Where a word holds such a sign, it is written as bash, zsh and POSIX 2024 read it: `$'new\\012line'`.
    """
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if all(map(_is_shown, word)) and not _ALTERED.search(word):
        return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(sign: str) -> str:
    if sign in "\\'":
        return f"\\{sign}"
    if _is_shown(sign) and sign not in " #:":
        return sign
    # An octal escape ends after three digits, so that no digit behind it is taken for a part of it.
    return "".join(f"\\{byte:03o}" for byte in sign.encode("utf-8", "surrogateescape"))


def _is_shown(sign: str) -> bool:
    return sign.isprintable() and visible(sign) == sign
