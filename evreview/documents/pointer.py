"""JSON pointers: written, read and followed. A pointer here is `/a/b~1c/0`; with `#` before it, it is a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evreview.core.vocabulary import MISSING, Form, Json

Step = str | int


def pointer(steps: Iterable[Step]) -> str:
    """The steps as a JSON pointer: `("a", "b/c", 0)` becomes `/a/b~1c/0`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def place(steps: Iterable[Step]) -> str:
    """The steps as the place of a problem: `#/a/b`."""
    return f"#{pointer(steps)}"


def steps_of(text: str) -> tuple[str, ...] | None:
    """The steps of a pointer, None when the text is not one."""
    if not text:
        return ()
    if not text.startswith("/"):
        return None
    if "~" not in text:
        return tuple(text[1:].split("/"))
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text[1:].split("/"))


def follow(value: Json, text: str) -> Form:
    """What stands at a pointer in a document, `MISSING` when nothing does."""
    steps = steps_of(text)
    if steps is None:
        return MISSING
    current: Form = value
    for step in steps:
        current = _child(current, step)
        if current is MISSING:
            return MISSING
    return current


_DIGITS: Final = frozenset("0123456789")


def _child(value: Form, step: str) -> Form:
    # Documents hold plain dicts; asking for the abstract type first takes four times as long.
    if isinstance(value, (dict, Mapping)):
        return value.get(step, MISSING)
    if isinstance(value, Sequence) and not isinstance(value, str):
        is_index = bool(step) and _DIGITS.issuperset(step) and (step == "0" or not step.startswith("0"))
        if is_index and len(step) < 10 and int(step) < len(value):
            return value[int(step)]
    return MISSING
