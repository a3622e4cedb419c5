"""A configuration in braces as blocks with directives. What does not close, or is no such text, is None."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

MAX_LENGTH: Final = 400_000
MAX_BLOCKS: Final = 5_000
_TOKEN: Final = re.compile(r"""#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};\n]|[^\s{};#"']+|[ \t\r]+""")


@dataclass(frozen=True, slots=True)
class Directive:
    """The words of one directive, and its line."""

    words: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Block:
    """One block: its name and words (`location /x {`), its own directives, the blocks in it. The root has no name."""

    name: str
    words: tuple[str, ...] = ()
    directives: list[Directive] = field(default_factory=list)
    inner: list[Block] = field(default_factory=list)

    def every(self) -> Iterator[Block]:
        """The block and all in it."""
        waiting = [self]
        while waiting:
            at = waiting.pop(0)
            yield at
            waiting += at.inner


@lru_cache(maxsize=32)
def blocks_of(content: str) -> Block | None:
    """The blocks of a text whose directives end with `;` and whose blocks close."""
    root = Block("")
    if len(content) > MAX_LENGTH:
        return None
    stack, written, line, begun, count = [root], "", 1, 1, 0
    at = 0
    while at < len(content):
        token = _TOKEN.match(content, at)
        if token is None:
            return None
        at, text = token.end(), token[0]
        if text in "{;}" and len(text) == 1:
            words = _words(written)
            count += 1
            if count > MAX_BLOCKS or not _take(stack, text, words, begun):
                return None
            written = ""
        elif not text.startswith("#"):
            begun = begun if written.strip() else line
            written += text
        line += text.count("\n")
    return root if len(stack) == 1 and not written.strip() else None


def _take(stack: list[Block], sign: str, words: tuple[str, ...], line: int) -> bool:
    """Takes one directive, opening or closing; False where it does not fit."""
    if sign == "}":
        stack.pop()
        return not words and bool(stack)
    if not words:
        return False
    if sign == ";":
        stack[-1].directives.append(Directive(words, line))
        return True
    block = Block(words[0], words[1:])
    stack[-1].inner.append(block)
    stack.append(block)
    return True


def _words(written: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(written))
    except ValueError:
        return tuple(written.split())
