"""Numbers that some limits admit and others refuse, exactly: an interval, a grid, and what is to be left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Final

from evreview.core.vocabulary import Json
from evreview.schema.subsumption.interned_schema import Literal, exact

_TRIES: Final = 2000
_NEAR: Final = (0, 1, -1, 2, -2, 3, -3)
_EXACT: Final = 2**64
"""Beyond it some readers keep the nearest double of a number, and others its digits."""


@dataclass(slots=True)
class _Range:
    low: Fraction | None = None
    low_open: bool = False
    high: Fraction | None = None
    high_open: bool = False
    step: Fraction | None = None
    not_steps: list[Fraction] = field(default_factory=list)
    without: set[Fraction] = field(default_factory=set)

    def above(self, bound: Fraction, open_end: bool) -> None:
        if self.low is None or bound > self.low or (bound == self.low and open_end):
            self.low, self.low_open = bound, open_end

    def below(self, bound: Fraction, open_end: bool) -> None:
        if self.high is None or bound < self.high or (bound == self.high and open_end):
            self.high, self.high_open = bound, open_end

    def on(self, step: Fraction) -> None:
        self.step = step if self.step is None else _common(self.step, step)

    def holds(self, number: Fraction) -> bool:
        if self.low is not None and (number < self.low or (number == self.low and self.low_open)):
            return False
        if self.high is not None and (number > self.high or (number == self.high and self.high_open)):
            return False
        if number in self.without or (self.step is not None and (number / self.step).denominator != 1):
            return False
        return not any((number / step).denominator == 1 for step in self.not_steps)


def number_between(demanded: Iterable[Literal], broken: Sequence[Literal]) -> tuple[Fraction] | bool | None:
    """A number that meets all demands and breaks each of the others; False for none, None when that is not decided.

    Args:
        demanded: literals about numbers.
        broken: literals about numbers or `enum`; each of them has to refuse the number.
    """
    made = _Range()
    for literal in demanded:
        _demand(made, literal)
    for literal in broken:
        if not _break(made, literal):
            return None
    return _found(made)


def _demand(made: _Range, literal: Literal) -> None:
    match literal[0]:
        case "min":
            made.above(literal[1], literal[2])
        case "max":
            made.below(literal[1], literal[2])
        case "step":
            made.on(literal[1])
        case "types" if literal[2]:
            made.on(Fraction(1))


def _break(made: _Range, literal: Literal) -> bool:
    match literal[0]:
        case "min":
            made.below(literal[1], not literal[2])
        case "max":
            made.above(literal[1], not literal[2])
        case "step":
            made.not_steps.append(literal[1])
        case "types":
            made.not_steps.append(Fraction(1))
        case "numbers":
            made.without.update(literal[1])
        case _:
            return False
    return True


def _found(made: _Range) -> tuple[Fraction] | bool | None:
    if made.low is not None and made.high is not None:
        if made.low > made.high or (made.low == made.high and (made.low_open or made.high_open)):
            return False
        if made.low == made.high:
            return (made.low,) if made.holds(made.low) else False
    far = next(((number,) for number in _beyond(made) if made.holds(number) and is_written(number)), None)
    if far is not None:
        return far
    if made.step is not None:
        return _on_grid(made, made.step)
    return next(((number,) for number in _between(made) if made.holds(number) and is_written(number)), None)


def _beyond(made: _Range) -> Iterator[Fraction]:
    """Numbers so far from large limits that every reader tells them apart: powers of ten, or the next on the grid."""
    for end in (made.low, made.high):
        if end is not None and abs(end) > _EXACT:
            power = Fraction(10 ** len(str(int(abs(end)))))
            away = power if made.step is None else ceil(power / made.step) * made.step
            yield away if end > 0 else -away


def _on_grid(made: _Range, step: Fraction) -> tuple[Fraction] | bool | None:
    if any((step / other).denominator == 1 for other in made.not_steps):
        return False
    low = None if made.low is None else ceil(made.low / step)
    high = None if made.high is None else floor(made.high / step)
    if low is not None and high is not None and low > high:
        return False
    for tries, at in enumerate(_counted(low, high)):
        if made.holds(at * step):
            return (at * step,)
        if tries > _TRIES:
            return None
    return False


def _counted(low: int | None, high: int | None) -> Iterator[int]:
    """The whole numbers of an interval, the one nearest to zero first."""
    start = max(low, 0) if low is not None else 0
    start = min(start, high) if high is not None else start
    yield start
    away = 1
    while (low is None or start - away >= low) or (high is None or start + away <= high):
        if high is None or start + away <= high:
            yield start + away
        if low is None or start - away >= low:
            yield start - away
        away += 1


def _between(made: _Range) -> Iterator[Fraction]:
    """Plain numbers first, then some close to the limits."""
    for plain in _NEAR:
        yield Fraction(plain)
    yield Fraction(1, 2)
    ends = [end for end in (made.low, made.high) if end is not None]
    for end in ends:
        yield from (end, end + 1, end - 1, end + Fraction(1, 2), end - Fraction(1, 2))
    if len(ends) == 2:
        width = ends[1] - ends[0]
        for parts in (2, 3, 4, 5, 7, 10, 11, 13, 100, 1000):
            yield from (ends[0] + width * at / parts for at in range(1, min(parts, 12)))
    for end in ends or [Fraction(0)]:
        for tail in (Fraction(1, 10), Fraction(1, 7), Fraction(1, 1000), Fraction(1, 10**6)):
            yield from (end + tail, end - tail)


def _common(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(
        lcm(one.numerator * other.denominator, other.numerator * one.denominator), one.denominator * other.denominator
    )


def written(number: Fraction) -> Json:
    """A number as JSON writes it: whole where it can be."""
    return number.numerator if number.denominator == 1 else float(number)


def is_written(number: Fraction) -> bool:
    """True when JSON can write the number exactly."""
    return exact(written(number)) == number


def finite(values: Iterable[Json]) -> tuple[Fraction, ...]:
    """The numbers among some values."""
    found = [exact(value) for value in values]
    return tuple(number for number in found if number is not None)
