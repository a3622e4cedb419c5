"""What a document may weigh, and how deep code may call itself for it.

Published contracts stay far below; hostile ones are refused before they cost anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MAX_BYTES: Final = 64 * 1024 * 1024
"""The largest published contract known here has 13 MB."""

MAX_NODES: Final = 8_000_000
"""Values in one document, an alias counted as often as it is used."""

MAX_DEPTH: Final = 250
"""Nesting of mappings and lists; below the recursion limits of orjson's writer and of Python."""

MAX_ALIAS_EVENTS: Final = 1_000_000
"""Parser events that YAML aliases may replay in one document."""

MAX_ALIAS_DEPTH: Final = 64
"""Aliases inside anchors inside aliases."""


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
