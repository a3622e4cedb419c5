"""What a review is about, frozen in its first step: one row per fact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from evreview.core.quoted_text import Text, plain
from evreview.evidence.item import Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryRow:
    """One frozen fact of the comparison boundary."""

    what: str
    value: Text
    citations: tuple[Citation, ...]


def judged_for(as_of: str) -> BoundaryRow:
    """The day for which everything that lapses is judged: windows, authorizations, answers, acceptances."""
    return BoundaryRow(what="judged for the day", value=(as_of,), citations=())


def boundary_frame(rows: Iterable[BoundaryRow]) -> pd.DataFrame:
    """One row per fact. Columns: what, value, evidence."""
    return pd.DataFrame(
        [(row.what, plain(row.value), ", ".join(map(str, row.citations))) for row in rows],
        columns=["what", "value", "evidence"],
    )
