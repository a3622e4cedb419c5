"""Whether one regular expression matches all that another one matches, decided on automata, within limits.

Only what every dialect of regular expressions reads alike is understood; `\\d`, `\\w`, `\\s` and `.` mean what ECMA
262 says. Whatever else an expression holds makes the answer None. A word that only one side matches is a guess for
`witness`.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

import jsonschema_rs

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
    refused = {sre.CATEGORY_NOT_DIGIT: _DIGITS, sre.CATEGORY_NOT_WORD: _WORDS, sre.CATEGORY_NOT_SPACE: _SPACES}
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


# What an expression demands of a whole text: expressions that have a match in it, and others that have none.
#
# A look ahead right behind `^`, or a look behind right before `$`, asks something of the text by itself, beside the
# rest. What no automaton reads (other looks, edges of words, references back) is left out where that only ever admits
# more.


_BEGINNING: Final = (sre.AT, sre.AT_BEGINNING)
_ENDING: Final = (sre.AT, sre.AT_END)
_LOOKS: Final = frozenset({sre.ASSERT, sre.ASSERT_NOT})
_REPEATS: Final = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT})
_AHEAD: Final = 1
_BEHIND: Final = -1
Piece = tuple[Any, Any]
Tree = list[Piece]


class TextConstraints(NamedTuple):
    """What a text with a match of an expression has to meet.

    Attributes:
        matched: each has a match in the text.
        refused: none has one.
        exact: False when a text may meet all of it and yet hold no match of the expression.
    """

    matched: tuple[Automaton, ...]
    refused: tuple[Automaton, ...] = ()
    exact: bool = True

    @property
    def misses(self) -> list[TextConstraints]:
        """The ways in which a text without a match misses them; one that asks nothing where that is not known."""
        if not self.exact:
            return [TextConstraints(())]
        return [
            *(TextConstraints((), (one,)) for one in self.matched),
            *(TextConstraints((one,)) for one in self.refused),
        ]


@lru_cache(maxsize=512)
def demands(pattern: str) -> TextConstraints:
    """The demands of an expression.

    Raises:
        Foreign: the expression holds something that is not understood, or is too large.
    """
    try:
        return TextConstraints((automaton(pattern),))
    except Foreign:
        return _taken_apart(parsed(pattern))


def _taken_apart(tree: Any) -> TextConstraints:
    groups = dict(_groups(tree))
    pieces = list(_inlined(tree, set(_references(tree))))
    looks = [*_taken(pieces, _BEGINNING, _AHEAD, 0), *_taken(pieces, _ENDING, _BEHIND, -1)]
    read = [part for positive, part in looks if not positive and not _odd(part)]
    asked = [part for positive, part in looks if positive]
    unread = [part for positive, part in looks if not positive and _odd(part)]
    return TextConstraints(
        tuple(automaton_of(_widened(part, groups, set())) for part in (pieces, *asked)),
        tuple(automaton_of(part) for part in read),
        exact=not unread and not any(map(_odd, (pieces, *asked))),
    )


def _inlined(tree: Iterable[Any], kept: set[int]) -> Iterator[Piece]:
    """The pieces of a sequence, groups that merely hold a part of it dissolved; not those that are referred to."""
    for operation, argument in tree:
        if operation is sre.SUBPATTERN and not any(argument[1:3]) and argument[0] not in kept:
            yield from _inlined(argument[3], kept)
        else:
            yield operation, argument


def _references(tree: Iterable[Any]) -> Iterator[int]:
    for operation, argument in tree:
        if operation is sre.GROUPREF:
            yield argument
        for inner in _inside(operation, argument):
            yield from _references(inner)


def _groups(tree: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The content of each numbered group."""
    for operation, argument in tree:
        if operation is sre.SUBPATTERN and argument[0] is not None:
            yield argument[0], argument[3]
        for inner in _inside(operation, argument):
            yield from _groups(inner)


def _inside(operation: Any, argument: Any) -> Iterator[Any]:
    """The trees that a piece holds."""
    if operation is sre.SUBPATTERN:
        yield argument[3]
    elif operation in _REPEATS:
        yield argument[2]
    elif operation is sre.BRANCH:
        yield from argument[1]
    elif operation in _LOOKS:
        yield argument[1]


def _taken(pieces: Tree, edge: Piece, way: int, end: int) -> list[tuple[bool, Tree]]:
    """Takes the looks beside an edge of the text out of the pieces: whether each has to match, and with its edge."""
    run: Tree = []
    while pieces and (pieces[end] == edge or (pieces[end][0] in _LOOKS and pieces[end][1][0] == way)):
        run.append(pieces.pop(end))
    if edge not in run:
        pieces[:] = [*run, *pieces] if way == _AHEAD else [*pieces, *reversed(run)]
        return []
    pieces.insert(0 if way == _AHEAD else len(pieces), edge)
    looks = [(kind is sre.ASSERT, list(argument[1])) for kind, argument in run if kind in _LOOKS]
    return [(positive, [edge, *part] if way == _AHEAD else [*part, edge]) for positive, part in looks]


def _odd(tree: Iterable[Any]) -> bool:
    """True for what holds a piece that no automaton reads."""
    return any(_left_out(one) or one[0] is sre.GROUPREF or any(map(_odd, _inside(*one))) for one in tree)


def _left_out(piece: Piece) -> bool:
    """True for a piece that takes no sign and that automata don't read."""
    return piece[0] in _LOOKS or (piece[0] is sre.AT and tuple(piece) not in (_BEGINNING, _ENDING))


def _widened(tree: Iterable[Any], groups: dict[int, Any], sure: set[int], *, floating: bool = False) -> Tree:
    """The tree without what automata don't read, matching all that it did and more.

    Args:
        tree: what an expression or a part of it is.
        groups: the content of each numbered group.
        sure: the groups that took part before; those of the tree that always do are added.
        floating: whether the tree stands anywhere in a text.
    """
    made: Tree = []
    for operation, argument in tree:
        if _left_out((operation, argument)) or (floating and operation is sre.AT):
            continue
        if operation is sre.GROUPREF:
            same = _widened(groups[argument], groups, set(sure), floating=True)
            operation, argument = sre.BRANCH, (None, [same] if argument in sure else [same, []])
        elif operation is sre.SUBPATTERN:
            argument = (*argument[:3], _widened(argument[3], groups, sure, floating=floating))
            sure.add(argument[0])
        elif operation in _REPEATS:
            often = sure if argument[0] else set(sure)
            argument = (*argument[:2], _widened(argument[2], groups, often, floating=floating))
        elif operation is sre.BRANCH:
            argument = (None, [_widened(branch, groups, set(sure), floating=floating) for branch in argument[1]])
        made.append((operation, argument))
    return made


# One short text of a parsed expression, or one that only a look or a reference back refuses. Both are guesses.


_WHATEVER: Final = "a"
_CATEGORIES: Final = {sre.CATEGORY_DIGIT: "0", sre.CATEGORY_WORD: "a", sre.CATEGORY_SPACE: " "}
_BESIDE: Final = {sre.AT_BOUNDARY: "a", sre.AT_NON_BOUNDARY: "!"}
"""What stands where no edge of a word, or nothing but one, may be."""


@dataclass(slots=True)
class Writer:
    """Writes one text of an expression.

    Attributes:
        last: whether the last sign of a class and the last branch are taken, not the first ones.
        refused: whether what a look must not find is there, and what is referred back to is something else.
    """

    last: bool = False
    refused: bool = False
    _groups: dict[int, tuple[str, Any]] = field(default_factory=dict)

    def text(self, tree: Iterable[Any], extra: int = 0) -> str | None:
        """The text, every repeat `extra` rounds longer than it must be; None where nothing here writes one."""
        made = ""
        looks: list[tuple[int, int, str]] = []
        for operation, argument in tree:
            if operation is sre.ASSERT_NOT and self.refused:
                looks.append((len(made), argument[0], self.text(argument[1]) or ""))
                continue
            piece = self._piece(operation, argument, extra)
            if piece is None:
                return None
            made += piece
        for at, way, found in looks:
            begin = at if way > 0 else max(0, at - len(found))
            made = made[:begin] + found + made[begin + len(found) if way > 0 else at :]
        return made

    def _piece(self, operation: Any, argument: Any, extra: int) -> str | None:
        if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, inner = argument
            piece = self.text(inner)
            return None if piece is None else piece * min(low + extra, int(high))
        if operation is sre.BRANCH:
            found = [text for text in (self.text(branch, extra) for branch in argument[1]) if text is not None]
            ordered = sorted(found, key=lambda text: (len(text), text))
            return ordered[-1 if self.last else 0] if ordered else None
        if operation is sre.SUBPATTERN:
            text = self.text(argument[3], extra)
            self._groups[argument[0]] = (text or "", argument[3])
            return text
        if operation is sre.GROUPREF:
            return self._again(argument)
        if operation is sre.AT:
            return _BESIDE.get(argument, "") if self.refused else ""
        return "" if operation in (sre.ASSERT, sre.ASSERT_NOT) else _sign(operation, argument, self.last)

    def _again(self, group: int) -> str | None:
        text, tree = self._groups.get(group, ("", ()))
        return Writer(not self.last).text(tree) if self.refused else text


def _sign(operation: Any, argument: Any, last: bool) -> str | None:
    if operation is sre.LITERAL:
        return chr(argument)
    if operation is sre.NOT_LITERAL:
        return _WHATEVER if argument != ord(_WHATEVER) else "b"
    if operation is sre.ANY:
        return _WHATEVER
    return _from_class(argument, last) if operation is sre.IN else None


def _from_class(items: Any, last: bool) -> str | None:
    """One character of a class, the first or last that the class names."""
    if items and items[0][0] is sre.NEGATE:
        refused = re.compile("[" + "".join(_spelled(item) for item in items[1:]) + "]")
        return next((sign for sign in "a0A_ -b1B!" if not refused.match(sign)), None)
    for operation, argument in reversed(items) if last else items:
        if operation is sre.LITERAL:
            return chr(argument)
        if operation is sre.RANGE:
            return chr(argument[-1 if last else 0])
        if operation is sre.CATEGORY:
            return _CATEGORIES.get(argument, "!")
    return None


def _spelled(item: Any) -> str:
    operation, argument = item
    if operation is sre.LITERAL:
        return re.escape(chr(argument))
    if operation is sre.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    names = {
        sre.CATEGORY_DIGIT: r"\d",
        sre.CATEGORY_NOT_DIGIT: r"\D",
        sre.CATEGORY_WORD: r"\w",
        sre.CATEGORY_NOT_WORD: r"\W",
        sre.CATEGORY_SPACE: r"\s",
        sre.CATEGORY_NOT_SPACE: r"\S",
    }
    return names.get(argument, "")


# Whether anybody here reads a regular expression: Python's engine, the one for ECMA-262, or the validator.


@lru_cache(maxsize=4096)
def is_readable(pattern: str) -> bool:
    """True for an expression that one of the engines compiles; one that none does says nothing about texts."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return _by_others(pattern)
    return True


def _by_others(pattern: str) -> bool:
    # Loaded for the few expressions that the standard library does not know.
    from evreview.schema.cross_check_validator import NoPattern, compiled

    try:
        compiled(pattern)
    except NoPattern:
        try:
            jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
        except (ValueError, jsonschema_rs.ReferencingError):
            return False
    return True
