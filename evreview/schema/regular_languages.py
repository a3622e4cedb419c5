"""Whether one regular expression matches all that another one matches, decided on automata, within limits.

Only what every dialect of regular expressions reads alike is understood; `\\d`, `\\w`, `\\s` and `.` mean what ECMA
262 says. Whatever else an expression holds makes the answer None. A word that only one side matches is a guess for
`witness`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from evreview.core.control_characters import visible

Ranges = tuple[tuple[int, int], ...]
_LAST: Final = 0x10FFFF
_LONGEST: Final = 200
_NODES: Final = 600
_PAIRS: Final = 3000
_CLASSES: Final = 60
_WORK: Final = 200_000
_FOREIGN: Final = re.compile(
    r"\\(?![dDwWsSbBnrtfv./\\^$*+?()\[\]{}|\-]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[1-9](?![0-9]))"
    r"|\(\?(?!:|<?[=!])|\{,|\[\^?\]|\[(?:[^\]\\]|\\.)*\\[1-9]"
)
"""What Python reads differently from ECMA 262, or one of them not at all."""
_DIGITS: Final[Ranges] = ((48, 57),)
_WORDS: Final[Ranges] = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACES: Final[Ranges] = (
    *((9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
    *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
)
"""White space and ends of lines, ECMA 262, section 22.2.2.9 CharacterClassEscape; libraries differ beyond ASCII."""
_ENDS: Final[Ranges] = ((10, 10), (13, 13), (0x2028, 0x2029))
_START, _END = "start", "end"


_PROPERTIES: Final = {
    **dict.fromkeys(("L", "Letter", "Alphabetic", "Alpha"), "A-Za-z"),
    **dict.fromkeys(("Lu", "Uppercase_Letter"), "A-Z"),
    **dict.fromkeys(("Ll", "Lowercase_Letter"), "a-z"),
    **dict.fromkeys(("N", "Number", "Nd", "Decimal_Number"), "0-9"),
}
"""The ASCII signs that have a property of Unicode; which others have one, each edition says anew."""
_BEYOND: Final = f"{chr(0x80)}-{chr(_LAST)}"
_SPANS: Final = re.compile(r"-\\p\{|\\p\{[A-Za-z_]+\}-(?!\])")
"""What reads as a range with a property at its end, which is none."""
_PART: Final = re.compile(r"\\[pP]\{([A-Za-z_]+)\}|\\.|\[\^?|\]|[^\\\[\]]+", re.DOTALL)


class Foreign(Exception):
    """The expression holds something that is not understood here."""


@dataclass(slots=True)
class Automaton:
    """States with free steps, steps at the start or end of the text only, and steps over one sign."""

    free: list[list[tuple[str, int]]] = field(default_factory=list)
    signs: list[list[tuple[Ranges, int]]] = field(default_factory=list)
    first: int = 0
    last: int = 0

    def state(self) -> int:
        if len(self.free) >= _NODES:
            raise Foreign
        self.free.append([])
        self.signs.append([])
        return len(self.free) - 1

    def closure(self, states: Iterable[int], *, start: bool, end: bool) -> frozenset[int]:
        """All states that free steps reach."""
        found = set(states)
        stack = list(found)
        while stack:
            for kind, target in self.free[stack.pop()]:
                if target not in found and (not kind or (kind == _START and start) or (kind == _END and end)):
                    found.add(target)
                    stack.append(target)
        return frozenset(found)

    def matched(self, states: frozenset[int], *, start: bool) -> bool:
        """True when a text that ends in these states holds a match."""
        return self.last in self.closure(states, start=start, end=True)

    def after(self, states: frozenset[int], sign: int) -> frozenset[int]:
        """The states after one more sign; a match may begin anywhere, and stays one."""
        if self.last in states:
            return states
        reached = {target for at in states for ranges, target in self.signs[at] if _holds(ranges, sign)}
        return self.closure((*reached, self.first), start=False, end=False)


def without_properties(pattern: str, *, wider: bool) -> str:
    """An expression whose properties of signs are written as ranges, so that it matches more, or less, than it did.

    As it is where that can't be said: under a negation, in a look, with a property that is not known here.
    """
    if "\\p{" not in pattern or "(?" in pattern or _SPANS.search(pattern):
        return pattern
    made, inside = "", ""
    for part in _PART.finditer(pattern):
        text, name = part[0], part[1]
        if name is not None:
            if text[1] == "P" or inside == "[^" or name not in _PROPERTIES:
                return pattern
            ranges = _PROPERTIES[name] + (_BEYOND if wider else "")
            text = ranges if inside else f"[{ranges}]"
        elif text in ("[", "[^") and not inside:
            inside = text
        elif text == "]":
            inside = ""
        made += text
    return made


def contained(narrow: str, wide: str) -> bool | None:
    """Whether every text with a match of `narrow` has one of `wide`; None when that is not decided here."""
    found = _compared(narrow, wide)
    return None if found is None else not found


def words_between(narrow: str, wide: str) -> tuple[str, ...]:
    """A shortest text that `narrow` matches and `wide` does not, () when there is none or none was found."""
    return _compared(narrow, wide) or ()


@lru_cache(maxsize=1024)
def _compared(narrow: str, wide: str) -> tuple[str, ...] | None:
    try:
        left, right = automaton(narrow), automaton(wide)
        return _searched(left, right, representatives(left, right))
    except (Foreign, re.error, OverflowError, RecursionError):
        return None


def _searched(left: Automaton, right: Automaton, signs: list[int]) -> tuple[str, ...]:
    """Breadth first through both automata at once."""
    opening = (left.closure((left.first,), start=True, end=False), right.closure((right.first,), start=True, end=False))
    seen = {(*opening, True)}
    waiting: deque[tuple[frozenset[int], frozenset[int], bool, str]] = deque([(*opening, True, "")])
    work = 0
    while waiting:
        one, other, start, text = waiting.popleft()
        if left.matched(one, start=start) and not right.matched(other, start=start):
            return (text,)
        work += (len(one) + len(other)) * len(signs)
        if work > _WORK:
            raise Foreign
        for sign in signs:
            key = (left.after(one, sign), right.after(other, sign), False)
            if key not in seen:
                if len(seen) > _PAIRS:
                    raise Foreign
                seen.add(key)
                waiting.append((*key, text + chr(sign)))
    return ()


def representatives(*automata: Automaton) -> list[int]:
    """One sign of every class of signs that no step of any automaton tells apart, readable ones where possible."""
    steps = [ranges for made in automata for row in made.signs for ranges, _ in row]
    borders = sorted({0, 0xD800, 0xE000, *(at for ranges in steps for low, high in ranges for at in (low, high + 1))})
    liked = [ord(sign) for sign in "a0A-_ !b1B"]
    chosen: dict[int, int] = {}
    for sign in [*liked, *borders]:
        chosen.setdefault(bisect_right(borders, sign), sign)
    kept: dict[tuple[bool, ...], int] = {}
    written = [sign for sign in chosen.values() if sign <= _LAST and not 0xD800 <= sign < 0xE000]
    for sign in sorted(written, key=lambda at: (at not in liked, _acts(at), at)):
        kept.setdefault(tuple(_holds(ranges, sign) for ranges in steps), sign)
    if len(kept) > _CLASSES:
        raise Foreign
    return list(kept.values())


def _acts(sign: int) -> bool:
    """True for a sign that no output shows as it is."""
    return visible(chr(sign)) != chr(sign)


def _holds(ranges: Ranges, sign: int) -> bool:
    return any(low <= sign <= high for low, high in ranges)


@lru_cache(maxsize=512)
def automaton(pattern: str) -> Automaton:
    """The automaton that finds matches of an expression.

    Raises:
        Foreign: the expression holds something that is not understood, or is too large.
    """
    return automaton_of(parsed(pattern))


def parsed(pattern: str) -> Any:
    """An expression taken apart, as the parser of `re` does it.

    Raises:
        Foreign: the expression means something else to other engines, or is too long.
    """
    if len(pattern) > _LONGEST or _FOREIGN.search(pattern):
        raise Foreign
    return parser.parse(pattern)


def automaton_of(tree: Any) -> Automaton:
    """The same automaton from the parsed expression."""
    made = Automaton()
    made.first = made.state()
    made.last = _added(made, tree, made.first)
    return made


@lru_cache(maxsize=256)
def automaton_of_words(words: tuple[str, ...]) -> Automaton:
    """The automaton of a text that is one of some words.

    Raises:
        Foreign: there are too many.
    """
    made = Automaton()
    made.first, made.last = made.state(), made.state()
    begin = made.state()
    made.free[made.first].append((_START, begin))
    for word in words:
        at = begin
        for sign in word:
            reached = made.state()
            made.signs[at].append((((ord(sign), ord(sign)),), reached))
            at = reached
        made.free[at].append((_END, made.last))
    return made


def _added(made: Automaton, tree: Any, at: int) -> int:
    """The state in which the parsed expression ends that begins in state `at`."""
    for operation, argument in tree:
        at = _piece(made, operation, argument, at)
    return at


def _piece(made: Automaton, operation: Any, argument: Any, at: int) -> int:
    if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        return _repeated(made, argument, at)
    if operation is sre.SUBPATTERN:
        return _added(made, argument[3], at)
    end = made.state()
    if operation is sre.BRANCH:
        for branch in argument[1]:
            made.free[_added(made, branch, _from(made, at))].append(("", end))
    elif operation is sre.AT and argument in (sre.AT_BEGINNING, sre.AT_END):
        made.free[at].append((_START if argument is sre.AT_BEGINNING else _END, end))
    else:
        made.signs[at].append((_signs(operation, argument), end))
    return end


def _from(made: Automaton, at: int) -> int:
    begin = made.state()
    made.free[at].append(("", begin))
    return begin


def _repeated(made: Automaton, argument: Any, at: int) -> int:
    low, high, inner = argument
    for _ in range(low):
        at = _added(made, inner, _from(made, at))
    begin, end = _from(made, at), made.state()
    made.free[begin].append(("", end))
    if high is sre.MAXREPEAT:
        made.free[_added(made, inner, begin)].append(("", begin))
        return end
    at = begin
    for _ in range(high - low):
        at = _from(made, _added(made, inner, at))
        made.free[at].append(("", end))
    return end


def _signs(operation: Any, argument: Any) -> Ranges:
    if operation is sre.LITERAL:
        return ((argument, argument),)
    if operation is sre.NOT_LITERAL:
        return _others(((argument, argument),))
    if operation is sre.ANY:
        return _others(_ENDS)
    if operation is sre.RANGE:
        return (tuple(argument),)
    if operation is sre.CATEGORY:
        return _category(argument)
    if operation is not sre.IN:
        raise Foreign
    negated = bool(argument) and argument[0][0] is sre.NEGATE
    found = tuple(part for one in argument[negated:] for part in _signs(*one))
    return _others(found) if negated else found


def _category(name: Any) -> Ranges:
    known = {sre.CATEGORY_DIGIT: _DIGITS, sre.CATEGORY_WORD: _WORDS, sre.CATEGORY_SPACE: _SPACES}
    refused = {
        sre.CATEGORY_NOT_DIGIT: _DIGITS,
        sre.CATEGORY_NOT_WORD: _WORDS,
        sre.CATEGORY_NOT_SPACE: _SPACES,
    }
    if name in known:
        return known[name]
    if name in refused:
        return _others(refused[name])
    raise Foreign


def _others(ranges: Ranges) -> Ranges:
    """All signs outside of some ranges."""
    found, low = [], 0
    for begin, end in sorted(ranges):
        if begin > low:
            found.append((low, begin - 1))
        low = max(low, end + 1)
    return (*found, (low, _LAST)) if low <= _LAST else tuple(found)
