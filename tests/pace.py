"""How slow this machine is: bounds in processor seconds are written for an idle one, and stretched by this."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Final

_IDLE: Final = 0.18
"""Processor seconds of the loop below on such a machine."""
_SLOWEST: Final = 6.0
"""Beyond that a bound would no longer find anything."""


@lru_cache
def pace() -> float:
    """1 on the machine that the bounds are written for and on any faster one, above that on a slower one."""
    return min(max(1.0, min(_loop() for _ in range(3)) / _IDLE), _SLOWEST)


def _loop() -> float:
    started = time.process_time()
    number = 0
    for step in range(2_000_000):
        number = (number * 31 + step) % 1_000_003
    return time.process_time() - started
