"""Answers about the supplied files that many routes ask again, found once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from evreview.codefacts.names import Modules

Kept = TypeVar("Kept")


def remembered(modules: Modules, key: str, find: Callable[[], Kept]) -> Kept:
    """What `find` gives, asked once per key for as long as the modules are read."""
    if key not in modules.memo:
        modules.memo[key] = find()
    return modules.memo[key]  # type: ignore[return-value]
