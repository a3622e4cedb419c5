"""Characters that act instead of being read, made visible: terminal escapes, direction overrides, zero-width signs."""

from __future__ import annotations

import re
from typing import Final

_ANSI: Final = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]"
_HIDDEN: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0"
)
_ACTING: Final = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_HIDDEN}\u2028\u2029\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_GONE: Final = frozenset(_HIDDEN) | {chr(code) for code in range(0xE0000, 0xE0080)} | {"\ufff9", "\ufffa", "\ufffb"}
_LINE_ENDS: Final = frozenset("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


def visible(text: str) -> str:
    """The text as a reader should see it.

    Terminal escapes, direction and zero-width characters are removed; every line end is `\\n`; other controls and
    broken surrogates are shown as U+FFFD. Applying it twice changes nothing.
    """
    if _ACTING.search(text) is None:
        return text
    return _ACTING.sub(_shown, re.sub(_ANSI, "", text).replace("\r\n", "\n"))


def _shown(match: re.Match[str]) -> str:
    found = match[0]
    if found in _GONE:
        return ""
    return "\n" if found in _LINE_ENDS else "\ufffd"


def marked(text: str) -> str:
    """The text with U+FFFD in the place of everything that acts, so that two values that differ in it differ."""
    return _ACTING.sub("\ufffd", text)


def escaped(text: str) -> str:
    """A text of JSON with JSON's escape in the place of everything that acts: the same value, and nothing acts."""
    return _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


_COMMAND: Final = re.compile(r"(?<![^\n\r])[^\S\n\r]*::|##(?=\[)")


def without_commands(text: str) -> str:
    """The text without a line that GitHub Actions takes for a command: `::` where it begins, or `##[` anywhere."""
    return _COMMAND.sub(lambda found: f"{found[0][:-1]} {found[0][-1]}", text)


def lowered(text: str) -> str:
    """The text in lower case, character by character, so that places stay the same."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)
