"""Ways out that no writer redactors: frames, representations of objects in a notebook, log records.

pandas is imported by whoever made the table.
"""

from __future__ import annotations

import logging
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from evreview.redaction.redactor import Redactor

if TYPE_CHECKING:
    import pandas as pd


class RedactedFrames(Mapping[str, "pd.DataFrame"]):
    """Frames by name; each is redacted when it is first asked for. `raw_frames` has them as they were made."""

    def __init__(self, raw: Mapping[str, pd.DataFrame], redactor: Redactor) -> None:
        self.raw_frames = raw
        self._redactor = redactor
        self._known: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._known:
            self._known[name] = redacted_frame(self.raw_frames[name], self._redactor)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw_frames)

    def __len__(self) -> int:
        return len(self.raw_frames)

    def __repr__(self) -> str:
        return f"RedactedFrames({', '.join(self.raw_frames)})"


def redacted_frame(frame: pd.DataFrame, redactor: Redactor) -> pd.DataFrame:
    """The frame without anything that may not leave; without such a value it stays the object that it is."""
    import pandas as pd

    changed: dict[Any, pd.Series[Any]] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
            continue
        cells = column.tolist()
        clean = _cleaned(cells, redactor)
        if any(new is not old for new, old in zip(clean, cells, strict=True)):
            changed[name] = pd.Series(clean, index=column.index, dtype=object)
    return frame.assign(**changed) if changed else frame


def _cleaned(cells: Sequence[Any], redactor: Redactor) -> list[Any]:
    """The cells; one that stays as it was is the same object, whatever its type."""
    texts = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str)))
    shown = redactor.clean_json(texts)
    assert isinstance(shown, list)
    known = dict(zip(texts, shown, strict=True))
    return [_cell(cell, known, redactor) for cell in cells]


def _cell(cell: Any, known: Mapping[str, Any], redactor: Redactor) -> Any:
    if isinstance(cell, str):
        clean = known[cell]
        return cell if clean == cell else clean
    if isinstance(cell, Mapping | list | tuple):
        plain = dict(cell) if isinstance(cell, Mapping) else list(cell)
        clean = redactor.clean_json(plain)
        if clean == plain:
            return cell
        return tuple(clean) if isinstance(cell, tuple) and isinstance(clean, list) else clean
    return cell


# What a notebook shows when an object is merely named; it keeps that, so all that holds words of the evidence passes.


_REMEMBERED: Final = 8
_KNOWN: Final[deque[Callable[[], Redactor]]] = deque(maxlen=_REMEMBERED)
"""What was learnt from the last bundles and contracts that this process opened."""
_SHOWING: Final[list[object]] = []
_VEILED: Final[set[str]] = set()
_OURS: Final = "evreview."
_INNER: Final = "evreview.schema"


def remember(learn: Callable[[], Redactor]) -> None:
    """From now on what is shown passes this redactor too; it is made when something is shown for the first time."""
    _KNOWN.append(cache(learn))


def shown(text: str) -> str:
    """The text without anything that the detectors or a remembered redactor find."""
    for redactor in [learn() for learn in _KNOWN] or [Redactor()]:
        text = redactor.clean(text)
    return text


def veil() -> None:
    """Lets the representations of what is loaded of evreview pass the redactor; what the objects hold stays as it is.

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


# Log records: message, arguments and traceback.


_FORMAT = logging.Formatter()


class CleanRecords(logging.Filter):
    """Rewrites every record so that no handler sees more than the redactor lets through."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Cleans the record in place; every record is kept."""
        record.msg, record.args = str(self._redactor.clean(record.getMessage())), ()
        if record.exc_info:
            record.exc_text = str(self._redactor.clean(_FORMAT.formatException(record.exc_info)))
            record.exc_info = None
        if record.stack_info:
            record.stack_info = str(self._redactor.clean(record.stack_info))
        return True


def redact_logs(redactor: Redactor, logger: logging.Logger | None = None) -> CleanRecords:
    """Puts the filter on every handler of the `evreview` logger (and on the logger itself); returns it."""
    target = logger or logging.getLogger("evreview")
    found = CleanRecords(redactor)
    for holder in (target, *target.handlers):
        for old in [kept for kept in holder.filters if isinstance(kept, CleanRecords)]:
            holder.removeFilter(old)
        holder.addFilter(found)
    return found
