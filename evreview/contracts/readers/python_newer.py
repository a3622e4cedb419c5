"""Syntax that is newer than the running Python, written in the older one: `type X = …`, `def f[T]()`, `class C[T]`.

Only where a text can't be parsed as it is; every line stays where it is. Source: PEP 695, PEP 696.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from typing import Final

ALIAS: Final = "type.TypeAlias"
"""What a `type` statement is annotated with instead; nobody writes it so."""
_OPENING: Final = frozenset({"(", "[", "{"})
_CLOSING: Final = frozenset({")", "]", "}"})
_BLANK: Final = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)


def in_older_syntax(code: str) -> str | None:
    """The text without type parameters and `type` statements; None where there are none, or it can't be told.

    What type parameters stand for is left to their names.
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return None
    edits = [*_edits(tokens)]
    if not edits:
        return None
    lines = code.split("\n")
    for (row, start), (last, end), text in reversed(edits):
        if row == last:
            lines[row - 1] = lines[row - 1][:start] + text + lines[row - 1][end:]
            continue
        lines[row - 1] = lines[row - 1][:start] + text + lines[last - 1][end:]
        lines[row:last] = [""] * (last - row)
    return "\n".join(lines)


_Edit = tuple[tuple[int, int], tuple[int, int], str]


def _edits(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[_Edit]:
    """What to replace, in order: from, to, and the text instead."""
    fresh = True
    for at, token in enumerate(tokens[:-2]):
        following, behind = tokens[at + 1], tokens[at + 2]
        if token.type == tokenize.NAME and following.type == tokenize.NAME:
            end = _closed(tokens, at + 2) if behind.string == "[" else None
            if token.string in ("def", "class") and end is not None:
                yield behind.start, tokens[end].end, ""
            elif token.string == "type" and fresh and (end is not None or behind.string == "="):
                yield (
                    token.start,
                    (tokens[end].end if end is not None else following.end),
                    f"{following.string}: {ALIAS}",
                )
        if token.type not in _BLANK:
            fresh = token.type == tokenize.NEWLINE or token.string in (";", ":")


def _closed(tokens: Sequence[tokenize.TokenInfo], at: int) -> int | None:
    """Where the bracket opened here is closed."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].string in _OPENING) - (tokens[place].string in _CLOSING)
        if depth == 0:
            return place
    return None
