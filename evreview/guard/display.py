"""What a notebook shows when an object is merely named: nothing that a guard of this process knows.

A notebook keeps what it shows. So the representation of everything that holds words of the evidence passes here.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any, Final

from evreview.redaction.redactor import Guard

_REMEMBERED: Final = 8
_KNOWN: Final[deque[Callable[[], Guard]]] = deque(maxlen=_REMEMBERED)
"""What was learnt from the last bundles and contracts that this process opened."""
_SHOWING: Final[list[object]] = []
_VEILED: Final[set[str]] = set()
_OURS: Final = "evreview."
_INNER: Final = "evreview.shapes"


def remember(learn: Callable[[], Guard]) -> None:
    """From now on what is shown passes this guard too; it is made when something is shown for the first time."""
    _KNOWN.append(cache(learn))


def shown(text: str) -> str:
    """The text without anything that the detectors or a remembered guard find."""
    for guard in [learn() for learn in _KNOWN] or [Guard()]:
        text = guard.clean(text)
    return text


def veil() -> None:
    """Lets the representations of what is loaded of evreview pass the guard; what the objects hold stays as it is.

    Every data class and every record that a review or a comparison gives out is loaded when that is made. Schemas are
    left out: their representations tell them apart.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith(_OURS) and not name.startswith(_INNER) and name not in _VEILED:
            _VEILED.add(name)
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    _veil(value)


def _veil(cls: type) -> None:
    if is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        _pass(cls, "__repr__")
    elif hasattr(cls, "__pydantic_fields__"):
        _pass(cls, "__repr__")
        _pass(cls, "__str__")


def _pass(cls: type, method: str) -> None:
    plain: Callable[[Any], str] = getattr(cls, method)

    def veiled(self: object) -> str:
        if _SHOWING:
            # The outermost object cleans the whole: a part alone has lost the name in front of its value.
            return plain(self)
        _SHOWING.append(self)
        try:
            text = plain(self)
        finally:
            _SHOWING.clear()
        return shown(text)

    setattr(cls, method, veiled)
