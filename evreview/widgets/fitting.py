"""Which columns of a wide table are shown, and how wide each one is: what nobody can read is no face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.widgets.columns import Column
from evreview.workflows.widgets.table import Page

MANY: Final = 8
"""Up to so many columns a table shows those without a value too."""
ROOM: Final = 960
"""Pixels that a notebook has for a table; a wider one scrolls."""
_LEAST, _MOST, _SIGN, _EDGE = 56, 280, 8, 18
_LINES: Final = 4
"""Lines over which a long text may run."""
SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "Wire difference ledger": (*("delta_id", "address", "role", "change", "aspect", "facet", "released", "candidate"),),
    "Producer direction": (
        *("delta_id", "address", "rule", "verdict", "accepts_old_requests", "emits_old_compatible", "proof_status"),
        "why",
    ),
}
"""Of a step's table by its title, the columns that the step is about; the register has them all."""


def without_empty(columns: Sequence[Column], page: Page) -> tuple[tuple[Column, ...], Page, tuple[str, ...]]:
    """The columns and page without columns that no row has a value in, and the labels of those.

    Args:
        columns: of the page.
        page: every row of the table.
    """
    if len(columns) <= MANY or not page.rows or len(page.rows) < page.total:
        return tuple(columns), page, ()
    held = [any(row[at] for row in page.rows) for at in range(len(columns))]
    if all(held):
        return tuple(columns), page, ()
    kept = tuple(column for column, keep in zip(columns, held, strict=True) if keep)
    rows = tuple(tuple(cell for cell, keep in zip(row, held, strict=True) if keep) for row in page.rows)
    empty = tuple(column.label for column, keep in zip(columns, held, strict=True) if not keep)
    return kept, replace(page, rows=rows), empty


def fitted(columns: Sequence[Column], page: Page) -> tuple[Column, ...]:
    """The columns with the pixels that their texts need as their shares."""
    return tuple(
        replace(column, share=_pixels([column.label, *(row[at] for row in page.rows)]))
        for at, column in enumerate(columns)
    )


def _pixels(texts: Sequence[str]) -> int:
    longest = max(len(text) for text in texts)
    word = max((len(word) for text in texts[:40] for word in text.split()), default=0)
    return max(_LEAST, min(_MOST, _EDGE + _SIGN * max(min(word, 24), -(-longest // _LINES))))
