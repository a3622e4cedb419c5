"""A concrete value that one schema admits and another refuses, smallest first. Two validators have the last word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.shapes.samples import Definition, Samples
from evreview.shapes.validate import Unusable, validator
from evreview.vocab import Json

_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a schema with keywords of the wrong type makes of guessing: then there is no guess, and no witness."""


def candidates(inside: Json, outside: Json, definition: Definition) -> Iterator[Json]:
    """Values aimed at the border, smallest first, that `outside` refuses. Whether `inside` admits them is not asked.

    Args:
        inside: may use references that `definition` looks up.
        outside: self-contained.
    """
    try:
        refused = validator(outside)
    except Unusable:
        return
    try:
        values = Samples(definition).values(inside, outside)
    except _MALFORMED:
        return
    yield from (value for value in values if not refused.is_valid(value))


def find_witness(inside: Json, outside: Json) -> tuple[Json] | None:
    """The smallest value found that `inside` admits and `outside` refuses, as a 1-tuple; None when none was found.

    Both schemas are self-contained.
    """
    definitions = inside.get("$defs", {}) if isinstance(inside, dict) else {}
    look_up: Definition = definitions.get if isinstance(definitions, dict) else (lambda name: None)
    try:
        admits = validator(inside)
    except Unusable:
        return None
    return next(((value,) for value in candidates(inside, outside, look_up) if admits.is_valid(value)), None)
