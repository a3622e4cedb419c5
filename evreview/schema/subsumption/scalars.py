"""Scalars that some limits admit and others refuse: strings by length, expression, format and list; numbers exactly."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import ceil, floor, lcm
from typing import Final

from evreview.core.vocabulary import Json
from evreview.schema.boundary_values import FORMATS, missing, texts
from evreview.schema.formats import AROUND, INVENTED, SURE, WITHIN, asserted, formatted, implied, lengths, matches
from evreview.schema.regular_languages import (
    Automaton,
    Foreign,
    TextConstraints,
    automaton_of_words,
    demands,
    representatives,
    without_properties,
)
from evreview.schema.subsumption.constraint_set import ConstraintSet, holds
from evreview.schema.subsumption.interned_schema import Constraint, SchemaPool, concerns, exact
from evreview.schema.subsumption.result import YES, SubsumptionResult, UndecidedReason, no, unknown

_LONGEST: Final = 5000
_COUNTED: Final = 400
_PAIRS: Final = 3000
_WORK: Final = 200_000
_WAYS: Final = 16
"""How many ways to miss some expressions are looked at."""
_PLAIN: Final = ("", "a", "0", "!", " ", "A", "-", "\\", "[", "a b", "\u00e9")


@dataclass(slots=True)
class _Limits:
    """What a string has to be (matched, formats, a length) and must not be."""

    low: int = 0
    high: int | None = None
    matched: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    not_formats: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)

    def at_least(self, length: int) -> None:
        self.low = max(self.low, length)

    def at_most(self, length: int) -> None:
        self.high = length if self.high is None else min(self.high, length)

    @property
    def empty(self) -> bool:
        if self.high is not None and self.low > self.high:
            return True
        return any(implied(own, other) for own in self.formats for other in self.not_formats)

    def admits(self, text: str) -> bool:
        """True when the validators' reading of everything agrees."""
        if len(text) < self.low or (self.high is not None and len(text) > self.high) or text in self.words:
            return False
        if any(matches(each, text) is not True for each in self.matched):
            return False
        if any(matches(each, text) is not False for each in self.unmatched):
            return False
        if any(formatted(each, text) is not True for each in self.formats if asserted(each)):
            return False
        return all(formatted(each, text) is False for each in self.not_formats)


def string_between(demanded: Iterable[Constraint], broken: Sequence[Constraint]) -> tuple[str] | bool | None:
    """A string that meets all demands and breaks each of the others; False for none, None when that is not decided."""
    limits = _Limits()
    for constraint in demanded:
        _demand_text(limits, constraint)
    for constraint in broken:
        _break_text(limits, constraint)
    if limits.empty:
        return False
    found = _searched(limits, _widened(limits)) if limits.words or limits.matched or limits.unmatched else None
    if found is False or (isinstance(found, tuple) and limits.admits(found[0])):
        return found
    for expressions in _narrowed(limits):
        found = _searched(limits, expressions)
        if isinstance(found, tuple) and limits.admits(found[0]):
            return found
    return next(((text,) for text in _guesses(limits) if limits.admits(text)), None)


def _demand_text(limits: _Limits, constraint: Constraint) -> None:
    match constraint[0]:
        case "minLength":
            limits.at_least(constraint[1])
        case "maxLength":
            limits.at_most(constraint[1])
        case "pattern":
            limits.matched.append(constraint[1])
        case "format":
            low, high = lengths(constraint[1])
            limits.formats.append(constraint[1])
            limits.at_least(low)
            if high is not None:
                limits.at_most(high)


def _break_text(limits: _Limits, constraint: Constraint) -> None:
    match constraint[0]:
        case "minLength":
            limits.at_most(constraint[1] - 1)
        case "maxLength":
            limits.at_least(constraint[1] + 1)
        case "pattern":
            limits.unmatched.append(constraint[1])
        case "words":
            limits.words.update(constraint[1])
        case "format":
            limits.not_formats.append(constraint[1])


_Expressions = tuple[tuple[str, ...], tuple[str, ...]]


def _widened(limits: _Limits) -> _Expressions:
    """What has to match and what must not, formats at least as wide as they are: where no word is left, none is."""
    around = [AROUND[name] for name in limits.formats if name in AROUND]
    matched = (without_properties(each, wider=True) for each in limits.matched)
    unmatched = (without_properties(each, wider=False) for each in limits.unmatched)
    return (*matched, *around), (*unmatched, *(WITHIN[name] for name in sorted(SURE.intersection(limits.not_formats))))


def _narrowed(limits: _Limits) -> Iterator[_Expressions]:
    """The same with words that surely are values of the formats, invented ones first."""
    tables = (INVENTED, WITHIN) if limits.formats else ()
    named = sorted(limits.formats)
    for within in dict.fromkeys(tuple(table[name] for name in named if name in table) for table in tables):
        yield (*limits.matched, *within), tuple(limits.unmatched)


def _searched(limits: _Limits, expressions: _Expressions) -> tuple[str] | bool | None:
    """A shortest word by automata: False is a proof where the formats were widened, a word only a guess."""
    low, high = _counted_lengths(limits)
    matched, unmatched = expressions
    try:
        return _shortest(matched, (unmatched, tuple(sorted(limits.words))), low, high)
    except (Foreign, re.error, OverflowError, RecursionError):
        return None


def _counted_lengths(limits: _Limits) -> tuple[int, int | None]:
    """The lengths worth counting: limits far away are left aside, which only ever admits more."""
    low = limits.low if limits.low <= _COUNTED else 0
    return low, limits.high if limits.high is not None and limits.high <= _COUNTED else None


@lru_cache(maxsize=2048)
def _shortest(
    matched: tuple[str, ...], refused: tuple[tuple[str, ...], tuple[str, ...]], low: int, high: int | None
) -> tuple[str] | bool:
    """Breadth first through all automata at once; False when no word is left.

    Raises:
        Foreign: an expression is not understood, or there are too many states.
    """
    asked = [demands(pattern) for pattern in matched]
    listed = [automaton_of_words(refused[1])] if refused[1] else []
    ways = list(islice(product(*(demands(pattern).misses for pattern in refused[0])), _WAYS + 1))
    if len(ways) > _WAYS:
        raise Foreign
    found = (_walk([*asked, *missed], listed, low, high) for missed in ways)
    return min((one for one in found if isinstance(one, tuple)), key=lambda one: (len(one[0]), one), default=False)


def _walk(parts: list[TextConstraints], listed: list[Automaton], low: int, high: int | None) -> tuple[str] | bool:
    wanted = [each for part in parts for each in part.matched]
    unwanted = [*(each for part in parts for each in part.refused), *listed]
    made = [*wanted, *unwanted]
    signs = representatives(*made) or [ord("a")]
    counted = (high + 1) if high is not None else low
    opening = tuple(each.closure((each.first,), start=True, end=False) for each in made)
    waiting: deque[tuple[tuple[frozenset[int], ...], int, str]] = deque([(opening, 0, "")])
    seen = {(opening, 0)}
    work = 0
    while waiting:
        states, count, text = waiting.popleft()
        fits = len(text) >= low and (high is None or len(text) <= high)
        if fits and _accepted(wanted, unwanted, states, start=not text):
            return (text,)
        if high is not None and len(text) >= high:
            continue
        work += sum(map(len, states)) * len(signs)
        if work > _WORK:
            raise Foreign
        for sign in signs:
            after = tuple(each.after(at, sign) for each, at in zip(made, states, strict=True))
            key = (after, min(count + 1, counted))
            if key not in seen:
                if len(seen) > _PAIRS:
                    raise Foreign
                seen.add(key)
                waiting.append((*key, text + chr(sign)))
    return False


def _accepted(
    wanted: list[Automaton], unwanted: list[Automaton], states: tuple[frozenset[int], ...], *, start: bool
) -> bool:
    cut = len(wanted)
    return all(each.matched(at, start=start) for each, at in zip(wanted, states[:cut], strict=True)) and not any(
        each.matched(at, start=start) for each, at in zip(unwanted, states[cut:], strict=True)
    )


def _guesses(limits: _Limits) -> Iterable[str]:
    """Strings that may do where automata don't: of formats, of lengths, of one expression."""
    for name in limits.formats:
        yield from FORMATS.get(name, ())
    for name in limits.not_formats:
        yield from _PLAIN
        yield from (text for other, listed in FORMATS.items() for text in listed if other != name)
    size = {"minLength": limits.low, **({"maxLength": limits.high} if limits.high is not None else {})}
    if limits.low <= _LONGEST:
        yield "a" * limits.low
        yield "0" * limits.low
    for pattern in limits.unmatched:
        yield from missing(pattern)
    for pattern in [*limits.matched, *limits.unmatched] or [""]:
        for text in texts({"pattern": pattern, **size}, {}, _LONGEST):
            if isinstance(text, str):
                yield text
    yield from _PLAIN


# Numbers: an interval, a grid, and what is to be left out.


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


def number_between(demanded: Iterable[Constraint], broken: Sequence[Constraint]) -> tuple[Fraction] | bool | None:
    """A number that meets all demands and breaks each of the others; False for none, None when that is not decided.

    Args:
        demanded: constraints about numbers.
        broken: constraints about numbers or `enum`; each of them has to refuse the number.
    """
    made = _Range()
    for constraint in demanded:
        _demand_number(made, constraint)
    for constraint in broken:
        if not _break_number(made, constraint):
            return None
    return _found(made)


def _demand_number(made: _Range, constraint: Constraint) -> None:
    match constraint[0]:
        case "min":
            made.above(constraint[1], constraint[2])
        case "max":
            made.below(constraint[1], constraint[2])
        case "step":
            made.on(constraint[1])
        case "types" if constraint[2]:
            made.on(Fraction(1))


def _break_number(made: _Range, constraint: Constraint) -> bool:
    match constraint[0]:
        case "min":
            made.below(constraint[1], not constraint[2])
        case "max":
            made.above(constraint[1], not constraint[2])
        case "step":
            made.not_steps.append(constraint[1])
        case "types":
            made.not_steps.append(Fraction(1))
        case "numbers":
            made.without.update(constraint[1])
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
    for tries, at in enumerate(_whole_numbers(low, high)):
        if made.holds(at * step):
            return (at * step,)
        if tries > _TRIES:
            return None
    return False


def _whole_numbers(low: int | None, high: int | None) -> Iterator[int]:
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


# Values of one plain type that meet some constraints and break others.


def few(values: Iterable[Json], broken: list[Constraint], pool: SchemaPool) -> SubsumptionResult:
    """The first of some values that breaks all constraints; yes when there is none."""
    form = [pool.of(constraint) for constraint in broken]
    for value in values:
        said = [holds(each, value) for each in form]
        if all(one is False for one in said):
            return no(value)
        if None in said:
            return unknown(UndecidedReason.UNDECIDED)
    return YES


def number(constraint_set: ConstraintSet, broken: list[Constraint]) -> SubsumptionResult:
    """A number that meets what is given and breaks all constraints; yes when there is none."""
    demanded = [constraint for constraint in constraint_set.constraints if concerns(constraint, "number")]
    if any(constraint[0] == "format" for constraint in broken):
        return unknown(UndecidedReason.FORMAT)
    found = number_between(demanded, [_named(constraint, "numbers") for constraint in broken])
    if isinstance(found, tuple):
        return no(written(found[0]))
    return YES if found is False else unknown(UndecidedReason.UNDECIDED)


def string(constraint_set: ConstraintSet, broken: list[Constraint]) -> SubsumptionResult:
    """A string that meets what is given and breaks all constraints; yes when there is none."""
    demanded = [constraint for constraint in constraint_set.constraints if concerns(constraint, "string")]
    found = string_between(demanded, [_named(constraint, "words") for constraint in broken])
    if isinstance(found, tuple):
        return no(found[0])
    formats = any(constraint[0] == "format" for constraint in (*demanded, *broken))
    return YES if found is False else unknown(UndecidedReason.FORMAT if formats else UndecidedReason.PATTERN)


def _named(constraint: Constraint, kind: str) -> Constraint:
    """An `enum` constraint as what it means for one type."""
    if constraint[0] != "enum":
        return constraint
    values = constraint[1].by_token.values()
    return (kind, tuple(value for value in values if isinstance(value, str)) if kind == "words" else finite(values))
