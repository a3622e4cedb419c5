"""Amounts that a text states: calls in a period, sizes in bytes, items on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import Form

_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_RATE: Final = re.compile(
    r"\b(?P<calls>\d[\d,]{0,11})(?:\s+[a-z]{1,20}){0,2}\s*(?:/|\b(?:per|an?|each|every)\b)\s*(?P<many>\d{1,6})?\s*"
    r"(?P<unit>sec(?:ond)?|s|min(?:ute)?|m|h(?:ou)?r|h|day|d)s?\b",
    re.IGNORECASE,
)
_SIZE: Final = re.compile(
    r"\b(?P<many>\d[\d,]{0,14}(?:\.\d{1,3})?)\s?(?P<unit>bytes?|octets?|[kmg]i?b|(?:kilo|mega|giga|kibi|mebi|gibi)bytes?)\b",
    re.IGNORECASE,
)
_PAGE: Final = re.compile(
    r"\b(?P<many>\d[\d,]{0,8})\s+(?:[a-z]{1,20}\s+){0,2}(?:per|an?|(?:on|in)\s+(?:each|every|an?))\s+page\b"
    r"|\bpage\s+size\s+(?:is|of)\s+(?P<size>\d[\d,]{0,8})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Rate:
    """So many calls in so many seconds."""

    calls: int
    seconds: int

    def refuses(self, other: Rate) -> bool:
        """True when someone who keeps to the other rate meets this one's end: in one burst, or in a longer period."""
        return self.calls < other.calls or other.calls * (self.seconds // other.seconds) > self.calls


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """So many bytes; from `least` to `most` where the unit is read both ways, 1000 and 1024."""

    least: int
    most: int


def rates(text: str) -> Iterator[Rate]:
    """Every rate that a text states."""
    for found in _RATE.finditer(text):
        seconds = _SECONDS[found["unit"][0].lower()] * int(found["many"] or 1)
        calls = _whole(found["calls"])
        if calls and seconds:
            yield Rate(calls, seconds)


def without_rates(text: str) -> str:
    """The text without the rates that it states."""
    return _RATE.sub(" ", text)


def rate_of(value: Form) -> Rate | None:
    """The one rate that a fact of the code states: `10/minute`, or times in seconds, minutes, hours, days."""
    if isinstance(value, str):
        found = list(rates(value))
        return found[0] if len(found) == 1 else None
    if not isinstance(value, Mapping):
        return None
    numbers = {name: part for name, part in value.items() if isinstance(part, int) and not isinstance(part, bool)}
    seconds = sum(_SECONDS[name[0]] * part for name, part in numbers.items() if name in _PERIODS)
    calls = numbers.get("times", 0)
    return Rate(calls, seconds) if calls > 0 and seconds > 0 else None


_PERIODS: Final = frozenset({"seconds", "minutes", "hours", "days"})


def sizes(text: str) -> Iterator[Size]:
    """Every size in bytes that a text states."""
    for found in _SIZE.finditer(text):
        number, unit = float(found["many"].replace(",", "")), found["unit"].lower()
        power = {"k": 1, "m": 2, "g": 3}.get(unit[0], 0)
        binary = "i" in unit[1:3] or unit.startswith(("kibi", "mebi", "gibi"))
        plain = unit.startswith(("kilo", "mega", "giga"))
        least = 1024 if binary and not plain else 1000
        yield Size(int(number * least**power), int(number * 1024**power))


def pages(text: str) -> Iterator[int]:
    """Every number of items on a page that a text states."""
    return (_whole(found["many"] or found["size"]) for found in _PAGE.finditer(text))


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))
