"""Where any of many words stands in a text: one pass over the text, however many words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

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
