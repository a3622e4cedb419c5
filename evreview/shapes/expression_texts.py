"""One short text of a parsed expression, or one that only a look or a reference back refuses. Both are guesses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, Final

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
