"""Texts of which parts were left out, beside the whole ones."""

from __future__ import annotations

from collections.abc import Sequence


def fits(parts: Sequence[str], whole: str) -> bool:
    """True when the parts stand in the whole in their order, anything between them, and begin and end it."""
    if len(parts) == 1:
        return parts[0] == whole
    first, *between, last = parts
    at, end = len(first), len(whole) - len(last)
    if at > end or not (whole.startswith(first) and whole.endswith(last)):
        return False
    for part in between:
        found = whole.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
