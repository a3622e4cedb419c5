"""Tables without anything that may not leave. pandas is imported by whoever made the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evreview.redaction.redactor import Guard

if TYPE_CHECKING:
    import pandas as pd


class RedactedFrames(Mapping[str, "pd.DataFrame"]):
    """Frames by name; each is redacted when it is first asked for. `raw_frames` has them as they were made."""

    def __init__(self, raw: Mapping[str, pd.DataFrame], guard: Guard) -> None:
        self.raw_frames = raw
        self._guard = guard
        self._known: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._known:
            self._known[name] = redacted_frame(self.raw_frames[name], self._guard)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw_frames)

    def __len__(self) -> int:
        return len(self.raw_frames)

    def __repr__(self) -> str:
        return f"RedactedFrames({', '.join(self.raw_frames)})"


def redacted_frame(frame: pd.DataFrame, guard: Guard) -> pd.DataFrame:
    """The frame without anything that may not leave; without such a value it stays the object that it is."""
    import pandas as pd

    changed: dict[Any, pd.Series[Any]] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
            continue
        cells = column.tolist()
        clean = _cleaned(cells, guard)
        if any(new is not old for new, old in zip(clean, cells, strict=True)):
            changed[name] = pd.Series(clean, index=column.index, dtype=object)
    return frame.assign(**changed) if changed else frame


def _cleaned(cells: Sequence[Any], guard: Guard) -> list[Any]:
    """The cells; one that stays as it was is the same object, whatever its type."""
    texts = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str)))
    shown = guard.clean_json(texts)
    assert isinstance(shown, list)
    known = dict(zip(texts, shown, strict=True))
    return [_cell(cell, known, guard) for cell in cells]


def _cell(cell: Any, known: Mapping[str, Any], guard: Guard) -> Any:
    if isinstance(cell, str):
        clean = known[cell]
        return cell if clean == cell else clean
    if isinstance(cell, Mapping | list | tuple):
        plain = dict(cell) if isinstance(cell, Mapping) else list(cell)
        clean = guard.clean_json(plain)
        if clean == plain:
            return cell
        return tuple(clean) if isinstance(cell, tuple) and isinstance(clean, list) else clean
    return cell
