"""Room for schemas within schemas: how deep the code may call itself, and what is said where that is not enough."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

TOO_DEEP: Final = "the schemas are nested too deeply to compare"
_FRAMES: Final = 12_000


@contextmanager
def deep_stack() -> Iterator[None]:
    """Room for questions inside questions; frames of Python code take no room on the machine's stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
