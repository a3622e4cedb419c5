"""[I/O] What the widgets take from the outside: the clock, and whether anybody sits in front of the screen."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import Final

HEADLESS: Final = "EVREVIEW_HEADLESS"
"""The environment variable that a headless runner sets to `1`."""


def now() -> datetime:
    """The present time, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


def is_headless(asked: bool | None = None) -> bool:
    """True when no widget may be made: asked for, set by the runner, or no notebook kernel is running.

    Args:
        asked: an explicit wish, which wins over everything else.
    """
    if asked is not None:
        return asked
    if os.environ.get(HEADLESS, "") not in ("", "0"):
        return True
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    return running is None or not hasattr(running, "kernel")
