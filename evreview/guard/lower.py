"""Lower case of the same length."""

from __future__ import annotations


def lowered(text: str) -> str:
    """The text in lower case, character by character, so that places stay the same."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)
