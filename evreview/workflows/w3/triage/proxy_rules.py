"""What a piece of wiring does, and what is asked of it. The readers of each form return these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

Effect = Literal["network", "authentication", "header", "address", "errors", "unclear"]
"""What a piece of wiring does; `unclear` may stand between, for whom or for which routes can't be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyQuestion:
    """What is asked: the route's path, and the header that a decision rests on ("" for none)."""

    path: str
    header: str = ""


@dataclass(frozen=True, slots=True)
class WiredControl:
    """A piece of wiring: its effect, the rule, its line (0 for the whole text)."""

    effect: Effect
    rule: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRule:
    """One piece of wiring of another form than nginx configuration.

    Attributes:
        form: whose configuration it is.
        example, counter_example: configurations in which it is, and is not, found for the route `/internal/report`
            and the header `X-Role`.
    """

    id: str
    form: str
    effect: Effect
    why: str
    example: str
    counter_example: str


Reader = Callable[[str, ProxyQuestion], "tuple[WiredControl, ...] | None"]
"""Reads one form to its end; None for a text of another form, or one that is not read."""


def line_of(content: str, *told: str) -> int:
    """The first line that holds all the words, 0 for none."""
    found: Iterator[int] = (
        number for number, line in enumerate(content.splitlines(), 1) if all(word in line for word in told)
    )
    return next(found, 0)


def below(path: str, prefix: str) -> bool:
    """True when a path is the prefix or lies below it, by whole segments."""
    bare = prefix.rstrip("/")
    return path == bare or path.startswith(f"{bare}/")
