"""Finds the aliases that stand for nothing. The YAML reader puts null where an alias stands inside its own anchor."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_ALIAS: Final = re.compile(r"(?<![^\s\[{,:-])\*([^\s\[\]{},'\"]+)")
_ANCHOR: Final = re.compile(r"&([^\s\[\]{},'\"]+)")
_WORD: Final = re.compile(r"[\w-]*")
_MARK: Final = "evreview-alias-"


def may_hold_aliases(text: str) -> bool:
    """False when no alias can stand in this text: prose is full of asterisks, but none of them names an anchor."""
    anchors = {_begin(match[1]) for match in _ANCHOR.finditer(text)}
    return bool(anchors) and any(_begin(match[1]) in anchors for match in _ALIAS.finditer(text))


def _begin(name: str) -> str:
    """How a name begins. Readers differ in the signs that a name may hold further on."""
    match = _WORD.match(name)
    return match.group() if match is not None else ""


def empty_alias(text: str, value: object, parse: Callable[[str], object]) -> tuple[str, int] | None:
    """Name and line of an alias whose value is null, None when there is none.

    Every alias is replaced by a mark of its own; where a mark appears in the parsed text, the value tells what the
    alias stood for. Marks inside longer strings never equal a whole value and don't count.

    Args:
        text, value: the text and what it was parsed to.
        parse: the parser.
    """
    found = list(_ALIAS.finditer(text))
    pieces, end = [], 0
    for number, match in enumerate(found):
        pieces += [text[end : match.start()], f"{_MARK}{number}"]
        end = match.end()
    marked = parse("".join([*pieces, text[end:]]))
    empty = _marks(marked, value)
    if not empty:
        return None
    match = found[min(empty)]
    return match[1], text.count("\n", 0, match.start()) + 1


def _marks(marked: object, value: object) -> list[int]:
    """The numbers of the marks whose counterpart in the value is null."""
    empty: list[int] = []
    stack = [(marked, value)]
    while stack:
        mark, real = stack.pop()
        if isinstance(mark, str):
            if real is None and mark.startswith(_MARK):
                empty.append(int(mark.removeprefix(_MARK)))
        elif isinstance(mark, dict) and isinstance(real, dict):
            stack.extend((member, real.get(key, key)) for key, member in mark.items())
        elif isinstance(mark, list) and isinstance(real, list):
            stack.extend(zip(mark, real, strict=False))
    return empty
