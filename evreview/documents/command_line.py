"""Words as a command line that a shell reads back as the same words, whatever they hold."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final

from evreview.core.control_characters import visible

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
