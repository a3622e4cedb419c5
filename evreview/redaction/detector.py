"""What the redactor looks for (`Detector`) and reports (`RedactionFinding`, never a value); parts of patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple, NewType

from ahocorasick_rs import AhoCorasick, Implementation

from evreview.core.frozen import frozen

Clean = NewType("Clean", str)
"""Text that passed the guard; the only text that a sink takes."""


class Kind(StrEnum):
    """What kind of value was found; also the word in its replacement, `[redacted: token]`."""

    SECRET = "secret"
    CREDENTIAL = "credential"
    TOKEN = "token"
    PERSONAL_DATA = "personal data"
    CUSTOMER_IDENTIFIER = "customer identifier"
    STACK_DETAIL = "internal stack detail"
    FILE_PATH = "file path"
    PRIVATE_ENDPOINT = "private endpoint"
    EXPLOIT = "exploit material"
    CONTROL = "control characters"


def always(match: re.Match[str]) -> bool:
    """Every match counts."""
    return True


def value_group(match: re.Match[str]) -> str | int:
    """The group that holds the value: the first of `value`, `value_b`, ... that took part, else the whole match."""
    for name in match.re.groupindex:
        if name.startswith("value") and match[name]:
            return name
    return 0


@cache
def compiled(expression: str) -> re.Pattern[str]:
    """The regular expression, compiled when it is first needed: most are not, for most texts."""
    return re.compile(expression)


@frozen(kw_only=True)
class Detector:
    """One thing to look for.

    Attributes:
        id: kebab-case; never reused.
        kind: what a match is.
        why: why it may not be printed.
        keywords: lower-case; the expression is tried only on texts that hold one of them, or always when there is none.
        starts: lower-case; a match begins at one of them, or before it as far as `back` reads; () searches everywhere.
        back: what may stand in front of a start, matched on the text in reverse.
        expression: linear; the group `value` (or `value_b`, ...) is what is redacted, the whole match without one.
        needs: what every match holds and is found fast; the expression is tried only then.
        find: instead of an expression, where more than one line tells: the spans in a text, by where starts stand.
        reach: within how many characters of that a match lies, where that can be said; 0 for anywhere.
        named: whether a match may begin in the name of a member and reach over `": "` to its value.
        confirm: what a regular expression can't say (checksum, entropy, placeholder).
        example: in parts, so that this file holds no value that a secret scanner reports; `sample` joins them.
        counter_example: looks alike and passes; in parts for the same reason.
    """

    id: str
    kind: Kind
    why: str
    keywords: tuple[str, ...]
    expression: str = ""
    find: Callable[[str, Sequence[int]], Iterable[tuple[int, int]]] | None = None
    example: tuple[str, ...] = field(repr=False)
    counter_example: tuple[str, ...] = field(repr=False)
    confirm: Callable[[re.Match[str]], bool] = always
    starts: tuple[str, ...] = ()
    back: str = ""
    needs: str = ""
    reach: int = 0
    named: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return compiled(self.expression)

    @property
    def sample(self) -> str:
        """An invented text that it finds."""
        return "".join(self.example)

    @property
    def look_alike(self) -> str:
        """A text that it leaves alone."""
        return "".join(self.counter_example)


class SecretMatch(NamedTuple):
    """One place in one text. Never leaves this package."""

    start: int
    end: int
    kind: Kind
    detector: str
    value: str

    def __repr__(self) -> str:
        return f"Hit(start={self.start}, end={self.end}, kind={self.kind!r}, detector={self.detector!r})"


@dataclass(frozen=True, slots=True, order=True)
class RedactionFinding:
    """What was found and where, without the value.

    Attributes:
        kind, detector: what it is and who saw it.
        location: as the caller named the text.
        lines: 1-based lines of that text, sorted.
        count: how often.
    """

    location: str
    kind: Kind
    detector: str
    lines: tuple[int, ...]
    count: int


def placeholder(kind: Kind) -> str:
    """What stands in the value's place."""
    return f"[redacted: {kind}]"


# Texts of which parts were left out, beside the whole ones.


def fits(parts: Sequence[str], whole: str) -> bool:
    """True when the parts stand in the whole in their order, anything between them, and begin and end it."""
    if len(parts) == 1:
        return parts[0] == whole
    first, *between, last = parts
    at, end = len(first), len(whole) - len(last)
    if at > end or not (whole.startswith(first) and whole.endswith(last)):
        return False
    for part in between:
        found = whole.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


# The end of a value that has none of its own: where the text around it goes on.


STOP: Final = r" (?!\| |\[E\d)|`(?![.,;:)\]]{0,3}(?:\s|\Z))"
"""A blank that ends no cell of a table and stands before no citation; a backtick that closes no code span."""


def rest(most: int) -> str:
    """A pattern for up to so many characters of a line, up to the quote, cell, code span or statement's end."""
    return rf"(?:[^\n\" `]|{STOP}){{0,{most}}}"


REST: Final = rest(400)


# Where any of many words stands in a text: one pass over the text, however many words.


_BROKEN: Final = re.compile("[\ud800-\udfff]")


class Words:
    """Words to look for. Each has a number, its index in `words`; all their places count, overlapping ones too."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))
        self._machine = AhoCorasick(self.words, implementation=Implementation.ContiguousNFA)

    def places(self, lower: str) -> list[tuple[int, int]]:
        """The number and the place of every word that stands in a text in lower case."""
        try:
            matches = self._machine.find_matches_as_indexes(lower, overlapping=True)
        except UnicodeEncodeError:
            # Half a pair of surrogates is in no word, and the machine reads well-formed text only.
            matches = self._machine.find_matches_as_indexes(_BROKEN.sub("\ufffd", lower), overlapping=True)
        return [(number, start) for number, start, _ in matches]

    def found(self, lower: str) -> dict[int, list[int]]:
        """The places of every word that stands in a text in lower case, ascending, by the word's number."""
        places: dict[int, list[int]] = {}
        for number, start in self.places(lower):
            if number in places:
                places[number].append(start)
            else:
                places[number] = [start]
        return places
