"""The matrix, the gaps, the middleware and the tests as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.core.quoted_text import plain
from evreview.evidence.item import Citation
from evreview.security.mapped import MiddlewareRow, TestRow
from evreview.workflows.w3.model import ControlCell, InventoryGap

if TYPE_CHECKING:
    from pandas import DataFrame

CONTROL_COLUMNS: Final[Mapping[str, str]] = {
    "area": "the kind of control",
    "control": "id of the control, or the area's name where none is listed for the route",
    "route": "method and path; `*` for an area that is not in scope, or where no route is known",
    "standing": "`present`, `absent`, `unread`, `unknown`, `not applicable` or `not in scope`",
    "odd": "`yes` for an unguarded route beside guarded ones",
    "why": "what shows it",
    "evidence": "citations",
}
"""The columns of `controls_frame`."""
INVENTORY_GAP_COLUMNS: Final[Mapping[str, str]] = {
    "area": "the kind of control",
    "control": "id of the control, the area's name, or `*` for what concerns all",
    "lacks": "what is not there",
    "decides": "`yes` when nothing can be concluded without it",
    "request": "the artifact to ask for",
    "evidence": "citations",
}
"""The columns of `gaps_frame`."""
MIDDLEWARE_COLUMNS: Final[Mapping[str, str]] = {
    "application": "how the code calls it, and its file",
    "kind": "`middleware`, `before request`, `dependency` or `error handler`",
    "place": "1 runs first; 0 where there is no order",
    "name": "in the code's own words",
    "area": "the kind of control that it is, empty where the code does not tell",
    "evidence": "citations",
}
"""The columns of `middleware_frame`."""
TEST_COLUMNS: Final[Mapping[str, str]] = {
    "control": "id of the control",
    "test": "id of the test, as listed",
    "listed_as": "`positive` or `negative`",
    "shown": "how it was found, empty when it was not",
    "asserts": "route and status of each assertion",
    "outcome": "of a retained run, empty when none is retained",
    "evidence": "citations",
}
"""The columns of `tests_frame`."""


def controls_frame(cells: Iterable[ControlCell]) -> DataFrame:
    """One row per cell with the columns of `CONTROL_COLUMNS`, all of them text. Key: `control`, `route`."""
    rows = [
        (
            str(cell.area),
            cell.control,
            cell.route,
            str(cell.standing),
            _yes(cell.odd),
            plain(cell.why),
            _on(cell.citations),
        )
        for cell in cells
    ]
    return _frame(rows, CONTROL_COLUMNS)


def gaps_frame(gaps: Iterable[InventoryGap]) -> DataFrame:
    """One row per gap with the columns of `GAP_COLUMNS`, all of them text."""
    rows = [
        (str(gap.area), gap.control, gap.lacks, _yes(gap.decides), plain(gap.request), _on(gap.citations))
        for gap in gaps
    ]
    return _frame(rows, INVENTORY_GAP_COLUMNS)


def middleware_frame(rows: Iterable[MiddlewareRow]) -> DataFrame:
    """One row per thing around the handlers with the columns of `MIDDLEWARE_COLUMNS`, all of them text."""
    lines = [
        (row.application, row.kind, str(row.place), row.name, str(row.area or ""), _on(row.citations)) for row in rows
    ]
    return _frame(lines, MIDDLEWARE_COLUMNS)


def tests_frame(rows: Iterable[TestRow]) -> DataFrame:
    """One row per listed test with the columns of `TEST_COLUMNS`, all of them text."""
    lines = [
        (
            row.control,
            row.test,
            "negative" if row.negative else "positive",
            row.shown,
            "; ".join(f"{operation} {status}" for operation, status in row.asserts),
            row.outcome,
            _on(row.citations),
        )
        for row in rows
    ]
    return _frame(lines, TEST_COLUMNS)


def _frame(rows: Sequence[tuple[str, ...]], columns: Mapping[str, str]) -> DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns)).astype("string")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _on(citations: Iterable[Citation]) -> str:
    return ", ".join(map(str, citations))
