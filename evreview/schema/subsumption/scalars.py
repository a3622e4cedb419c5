"""Strings that some limits admit and others refuse: lengths, expressions, formats and listed words together."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import Final

from evreview.schema.regular_languages import (
    Automaton,
    Foreign,
    automaton_of_words,
    representatives,
    without_properties,
)
from evreview.schema.subsumption.interned_schema import Literal
from evreview.shapes.demands import Demands, demands
from evreview.shapes.inclusion.formats import AROUND, INVENTED, SURE, WITHIN, asserted, implied, lengths
from evreview.shapes.inclusion.text_checks import formatted, matches
from evreview.shapes.texts import FORMATS, missing, texts

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


def string_between(demanded: Iterable[Literal], broken: Sequence[Literal]) -> tuple[str] | bool | None:
    """A string that meets all demands and breaks each of the others; False for none, None when that is not decided."""
    limits = _Limits()
    for literal in demanded:
        _demand_text(limits, literal)
    for literal in broken:
        _break_text(limits, literal)
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


def _demand_text(limits: _Limits, literal: Literal) -> None:
    match literal[0]:
        case "minLength":
            limits.at_least(literal[1])
        case "maxLength":
            limits.at_most(literal[1])
        case "pattern":
            limits.matched.append(literal[1])
        case "format":
            low, high = lengths(literal[1])
            limits.formats.append(literal[1])
            limits.at_least(low)
            if high is not None:
                limits.at_most(high)


def _break_text(limits: _Limits, literal: Literal) -> None:
    match literal[0]:
        case "minLength":
            limits.at_most(literal[1] - 1)
        case "maxLength":
            limits.at_least(literal[1] + 1)
        case "pattern":
            limits.unmatched.append(literal[1])
        case "words":
            limits.words.update(literal[1])
        case "format":
            limits.not_formats.append(literal[1])


_Expressions = tuple[tuple[str, ...], tuple[str, ...]]


def _widened(limits: _Limits) -> _Expressions:
    """What has to match and what must not, formats at least as wide as they are: where no word is left, none is."""
    around = [AROUND[name] for name in limits.formats if name in AROUND]
    matched = (without_properties(each, wider=True) for each in limits.matched)
    unmatched = (without_properties(each, wider=False) for each in limits.unmatched)
    return (*matched, *around), (
        *unmatched,
        *(WITHIN[name] for name in sorted(SURE.intersection(limits.not_formats))),
    )


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


def _walk(parts: list[Demands], listed: list[Automaton], low: int, high: int | None) -> tuple[str] | bool:
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
