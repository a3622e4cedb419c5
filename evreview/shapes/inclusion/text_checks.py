"""Whether a text has a pattern or a format, as the validator reads both; None where nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from evreview.schema.formats import disputed, unusable
from evreview.schema.validators import Unusable, validator
from evreview.shapes.inclusion.formats import asserted

Says = bool | None


def matches(pattern: str, text: str) -> Says:
    """Whether a text holds a match of an expression, as the validator reads it; None for one that another can't use."""
    admits = None if unusable(pattern) else _checker("pattern", pattern)
    return None if admits is None else bool(admits(text))


def formatted(name: str, text: str) -> Says:
    """Whether a text is a value of a format; None where validators may differ, or for a format nobody here knows."""
    admits = _checker("format", name) if asserted(name) else None
    said = None if admits is None else bool(admits(text))
    return None if said is None or disputed(name, text, admitted=said) else said


@lru_cache(maxsize=4096)
def _checker(keyword: str, argument: str) -> Callable[[str], bool] | None:
    try:
        return validator({keyword: argument}).is_valid
    except Unusable:
        return None
