"""Media types that contracts state, held against media types that were seen."""

from __future__ import annotations


def media_fits(stated: str, seen: str) -> bool:
    """True when a documented media type or range covers one that was seen, parameters aside."""
    kind, _, sub = stated.partition(";")[0].strip().lower().partition("/")
    there, _, other = seen.partition(";")[0].strip().lower().partition("/")
    return kind in ("*", there) and sub in ("*", other)
