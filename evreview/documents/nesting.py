"""How deep a YAML text nests, told before the native parser sees it: that one recurses per block level without a limit.

Flow style is not looked at, the parser limits it itself. Pure; the parser is an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from evreview.core.limits import MAX_DEPTH

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SUSPECT: Final = re.compile(r"(?:\A|[\r\n])[ \t?:-]{100}")
"""Each level takes at least one such character, and a column holds two levels at most; 100 are less than 250 levels."""
_PREFIX: Final = re.compile(r" *(?P<marks>(?:[-?:](?:[ \t]+|$))*)")
_MARK: Final = re.compile(r"[-?:]")
_HEADER: Final = re.compile(r"(?:^|.*[ \t])(?P<sign>[|>][+-]?)[ \t]*(?:#.*)?")
_STAND_IN: Final = "evreview-block-"


def is_too_deep(text: str, parse: Callable[[str], object]) -> bool:
    """True when block collections nest, or may nest, deeper than `MAX_DEPTH`.

    Text inside a block scalar (`|`, `>`) may look deep. Such scalars are replaced by one word each; only when the
    parser gives every word back as a block scalar of its own, what stood there was text and nothing else.

    Args:
        text: the document.
        parse: the parser; it gets a text that does not nest too deep, its errors pass through.
    """
    if _SUSPECT.search(text) is None:
        return False
    lines = _LINE_END.split(text)
    if not _exceeds(lines):
        return False
    words = _without_block_scalars(lines)
    if not words or _exceeds(lines):
        return True
    return not words <= _texts(parse("\n".join(lines)))


def _exceeds(lines: list[str]) -> bool:
    """True when the block collections that are open on some line are more than the limit. Never counts too few."""
    # (column, 0) is a mapping or a scalar, (column, 1) a list, which may stand below its key in the same column.
    levels: list[tuple[int, int]] = []
    for line in lines:
        for level in _levels(line):
            while levels and levels[-1] > level:
                levels.pop()
            if not levels or levels[-1] < level:
                levels.append(level)
        # What stands innermost is a scalar.
        if len(levels) > MAX_DEPTH + 1:
            return True
    return False


def _levels(line: str) -> Iterator[tuple[int, int]]:
    prefix = _PREFIX.match(line)
    assert prefix is not None
    for mark in _MARK.finditer(line, prefix.start("marks"), prefix.end()):
        yield mark.start(), int(mark.group() == "-")
    rest = line[prefix.end() :].lstrip()
    if rest and not rest.startswith("#"):
        yield prefix.end(), 0


def _without_block_scalars(lines: list[str]) -> frozenset[str]:
    """The words that now stand in `lines` for block scalars that look deep; the count of lines stays."""
    words: set[str] = set()
    at = 0
    while at < len(lines):
        header = _HEADER.fullmatch(lines[at])
        at += 1
        if header is None:
            continue
        end, indent = _extent(lines, at)
        if _SUSPECT.search("\n".join(["", *lines[at:end]])) is None:
            continue
        word = f"{_STAND_IN}{len(words)}"
        words.add(word + "\n")
        start, stop = header.span("sign")
        lines[at - 1] = f"{lines[at - 1][:start]}|{lines[at - 1][stop:]}"
        lines[at:end] = [" " * indent + word, *[""] * (end - at - 1)]
        at = end
    return frozenset(words)


def _extent(lines: list[str], start: int) -> tuple[int, int]:
    """Where the lines end that belong to a block scalar beginning at `start`, and its indentation."""
    indent = -1
    for at in range(start, len(lines)):
        text = lines[at].lstrip(" ")
        if not text:
            continue
        column = len(lines[at]) - len(text)
        if indent < 0:
            indent = column
        if column < indent:
            return at, indent
    return len(lines), max(indent, 0)


def _texts(value: object) -> frozenset[str]:
    """Every text in a parsed value, keys too."""
    found: set[str] = set()
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            found.add(node)
        elif isinstance(node, dict):
            stack.extend(node)
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return frozenset(found)
