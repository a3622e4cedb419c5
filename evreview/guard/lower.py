"""Lower case of the same length, and the words of a text, each once: what keywords are looked for in."""

from __future__ import annotations

from collections.abc import Iterator


def lowered(text: str) -> str:
    """The text in lower case, character by character, so that places stay the same."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def words_of(text: str) -> str:
    """What stands between blanks, each once, on a line of its own: a word is in it when it is in the text."""
    return "\n".join(dict.fromkeys(text.split()))


def found_at(text: str, word: str) -> Iterator[int]:
    """Where the word stands in the text."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
