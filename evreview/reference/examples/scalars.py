"""Readable texts and numbers that a plain schema node admits: by format, by name, then by its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.boundary_values import numbers, texts
from evreview.workflows.w2.step5_examples.scalar_values import FORMATS, PLAIN, preferred, snake_case

Node = dict[str, Any]
Admits = Callable[[Json, Json], bool | None]
LONGEST: Final = 4096
_FILLER: Final = "example "
_KNOWN_LENGTHS: Final = 200


def scalar_values(node: Node, name: str, admits: Admits) -> Iterator[Json]:
    """Values of one of a node's scalar types in the order of preference; distinct, and each asked for.

    Args:
        node: without references, `allOf` and unions; its `type` is one scalar.
        name: of the field, "" without one.
        admits: whether a schema admits a value.
    """
    kind = node["type"][0]
    guesses = _numbers(node, name) if kind in ("integer", "number") else _texts(node, name)
    passed: list[Json] = []
    for guess in guesses:
        if not any(guess == one for one in passed) and admits(node, guess) is True:
            passed.append(guess)
            yield guess


def _numbers(node: Node, name: str) -> Iterator[Json]:
    whole = node["type"] == ["integer"]
    liked = preferred(name, numeric=True)
    yield from (value for value in liked if not (whole and isinstance(value, float)))
    if not whole and not liked:
        yield from (1.5, 1)
    yield from (1, 2, 10, 100)
    yield from (value for value in _within(node) if not whole or isinstance(value, int))
    yield from numbers(node, {}, whole=whole)
    yield from range(3, 12)


def _within(node: Node) -> Iterator[Json]:
    """A number in the middle of both bounds, and steps up from the lower one."""
    low, high = node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum", node.get("exclusiveMaximum"))
    step = node.get("multipleOf")
    if isinstance(step, (int, float)) and not isinstance(step, bool) and step > 0:
        start = -(-low // step) * step if isinstance(low, (int, float)) else step
        yield from (start, start + step)
    if isinstance(low, (int, float)) and abs(low) < 2**31:
        yield from (low, low + 1, low + 0.5)
    if isinstance(high, (int, float)) and abs(high) < 2**31:
        yield from (high, high - 1)
        if isinstance(low, (int, float)):
            yield (low + high) / 2


def _texts(node: Node, name: str) -> Iterator[Json]:
    liked = _liked(node, name)
    yield from liked
    size = _size_of(node)
    if "pattern" in node:
        yield from PLAIN
        yield from islice(texts(node, {}, LONGEST), _KNOWN_LENGTHS)
    for word in (*liked, *PLAIN):
        if isinstance(word, str):
            yield from _fitted(word, *size)
    yield from texts(node, {}, LONGEST)
    yield from (f"example-{at}" for at in range(2, 12))


def _liked(node: Node, name: str) -> Sequence[Json]:
    by_format = FORMATS.get(str(node.get("format")), ())
    return by_format or preferred(name) or _worded(name)


def _worded(name: str) -> tuple[str, ...]:
    """`example nick name` for a field whose name is made of words."""
    words = snake_case(name).replace("_", " ")
    plain = words.replace(" ", "").isalpha() and 2 < len(words) <= 24
    return (f"example {words}", "example") if plain else ("example",)


def _size_of(node: Node) -> tuple[int, int]:
    low, high = node.get("minLength", 0), node.get("maxLength", LONGEST)
    return int(low) if isinstance(low, (int, float)) else 0, int(high) if isinstance(high, (int, float)) else LONGEST


def _fitted(word: str, low: int, high: int) -> Iterator[str]:
    """The word cut or filled up to a length."""
    if len(word) > high >= 0:
        yield word[:high]
    if len(word) < low <= LONGEST:
        filled = f"{word} {_FILLER * (low // len(_FILLER) + 1)}"[:low]
        yield filled if not filled.endswith(" ") else f"{filled[:-1]}s"
        yield (word * (low // max(1, len(word)) + 1))[:low]
