"""The function, method or class that each line of a hunk stands in, as far as the diff shows it.

The hunk's heading tells what its first lines stand in; definitions in its lines tell the rest, by their indentation. A
changed line at the top of a file belongs to the name that it assigns, or to none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.workflows.w1.step3_implementation_diff import DiffLine, Hunk

_DEFINED: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:export|public|private|protected|static|async|default|pub|abstract|final)\s+)*"
    r"(?:def|class|func|function|fn|interface|struct|trait|impl|module)\s+(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_$][\w$]*)"
)
_ASSIGNED: Final = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)\s*(?::[^=]+)?=(?!=)")
_LISTING: Final = re.compile(r"=__\w+__")
_CLOSING: Final = re.compile(r"\s*[)\]}]")
Stack = list[tuple[int, str]]


def symbols(hunk: Hunk) -> dict[int, str]:
    """By the line of the diff the dotted name of what it stands in; at the top "", or `=` and what it assigns."""
    stacks: dict[bool, Stack] = {old: _heading(hunk) for old in (True, False)}
    found: dict[int, str] = {}
    for at, line in enumerate(hunk.lines):
        sides = {"-": (True,), "+": (False,)}.get(line.mark, (True, False))
        for old in sides:
            _enter(stacks[old], line, _following(hunk.lines, at))
        stack = stacks[sides[-1]]
        assigned = _ASSIGNED.match(line.text) if not stack else None
        found[line.at] = ".".join(name for _, name in stack) or (f"={assigned['name']}" if assigned else "")
    return found


def names(symbol: str, wanted: str) -> bool:
    """True when a symbol is the one that a reviewer names, with or without its module before it."""
    symbol = symbol.removeprefix("=")
    return bool(symbol) and (f".{symbol}".endswith(f".{wanted}") or f".{wanted}".endswith(f".{symbol}"))


def _heading(hunk: Hunk) -> Stack:
    match = _DEFINED.match(hunk.heading.strip())
    return [(-1, match["name"])] if match is not None else []


def _following(lines: Sequence[DiffLine], at: int) -> str:
    """The first line behind a decorator or a blank that says how deep it stands."""
    return next((line.text for line in lines[at:] if line.text.strip() and not line.text.lstrip().startswith("@")), "")


def _enter(stack: Stack, line: DiffLine, following: str) -> None:
    """Leaves what ended before a line, and enters what it defines."""
    text = following if line.text.lstrip().startswith("@") else line.text
    if not text.strip() or _CLOSING.match(text):
        return
    indent = len(text) - len(text.lstrip())
    match = _DEFINED.match(text)
    while stack and (stack[-1][0] >= indent or (stack[-1][0] < 0 and indent == 0)):
        stack.pop()
    if match is not None:
        stack.append((indent, match["name"]))


def parts(run: Sequence[DiffLine], of: dict[int, str]) -> Iterator[tuple[DiffLine, ...]]:
    """A run of changed lines by the functions and classes that they stand in, or the names that they assign, in order.

    Imports and names like `__all__`, which list what stands elsewhere, are one part. Blank lines and further lines of a
    value go with what is before them. What got another name, and nothing else beside it, is one part.
    """
    grouped: dict[str, list[DiffLine]] = {}
    last = next((owner(of[line.at]) for line in run if line.text.strip()), "")
    for line in run:
        last = owner(of[line.at]) if _begins(line, of) else last
        grouped.setdefault(last, []).append(line)
    sides = [{line.mark for line in part} for part in grouped.values()]
    yield from [tuple(run)] if sides == [{"-"}, {"+"}] else map(tuple, grouped.values())


def owner(symbol: str) -> str:
    """The function, class or assigned name that a line belongs to, "" for what lists other things."""
    return "" if _LISTING.fullmatch(symbol) else symbol


def _begins(line: DiffLine, of: dict[int, str]) -> bool:
    """False for a blank line, and for one that goes on with the value above it."""
    going_on = not of[line.at] and (line.text[:1] in " \t" or bool(_CLOSING.match(line.text)))
    return bool(line.text.strip()) and not going_on
