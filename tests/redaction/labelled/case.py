"""One labelled text, and how invented values are made: the same ones every time, and none of them written down here."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass, field
from typing import Final

LETTERS: Final = string.ascii_letters
WORD: Final = LETTERS + string.digits
URLSAFE: Final = WORD + "-_"
HEX: Final = "0123456789abcdef"
BASE32: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
LOWER: Final = string.ascii_lowercase + string.digits
UPPER: Final = string.ascii_uppercase + string.digits
BASE64: Final = WORD + "+/"


@dataclass(frozen=True, slots=True)
class Case:
    """A text with its label.

    Attributes:
        group: what the table counts it under.
        name: says which one it is, within the group.
        text: what the redactor reads.
        value: what has to be gone afterwards; "" when nothing may change.
    """

    group: str
    name: str
    text: str = field(repr=False)
    value: str = field(repr=False, default="")


class Maker:
    """Draws values; two makers with the same seed draw the same."""

    def __init__(self, *seed: object) -> None:
        self._lot = random.Random(":".join(map(str, seed)))

    def of(self, alphabet: str, length: int) -> str:
        """So many characters of the alphabet, with digits and letters among them where it has both."""
        while True:
            made = "".join(self._lot.choices(alphabet, k=length))
            mixed = length < 8 or len({char.isdigit() for char in made}) == len({char.isdigit() for char in alphabet})
            if mixed and len(set(made)) >= min(length, len(set(alphabet)), 5) and not _unlucky(made):
                return made

    def digits(self, length: int) -> str:
        """So many digits, the first of them not 0, not all alike."""
        first = self._lot.choice("123456789")
        rest = "".join(self._lot.choices(string.digits, k=length - 1))
        return first + rest if len(set(rest)) > 2 or length < 6 else self.digits(length)

    def number(self, least: int, most: int) -> int:
        """A number between two others, both included."""
        return self._lot.randint(least, most)

    def pick(self, *among: str) -> str:
        """One of them."""
        return self._lot.choice(among)

    def uuid(self) -> str:
        """A random UUID, version 4."""
        raw = self.of(HEX, 32)
        return f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-{self.pick('8', '9', 'a', 'b')}{raw[17:20]}-{raw[20:]}"


def _unlucky(made: str) -> bool:
    """True for what says by accident that it stands in for something."""
    low = made.lower()
    return any(word in low for word in ("xxxx", "0000", "todo", "test", "fake"))
