"""The compatibility matrix as a table to search, filter, sort, page and open; static where nobody sits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from evreview.report import escape
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable
from evreview.workflows.widgets.table import (
    CAP,
    Column,
    Page,
    Query,
    TableQuery,
    columns_of,
    html_table,
    markdown_table,
    text_table,
)

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.widgets.row_table_panel import LedgerPanel


@dataclass(kw_only=True)
class LedgerView(Renderable):
    """A table of rows that are named by a stable key.

    Attributes:
        frame: one row per `key`; not copied, not changed.
        key: the column that names a row.
        facets: columns to filter by value.
        detail: what a row opens, by its key; None when rows don't open.
        page_size: rows per page of the interactive renderable.
        columns: what is shown, all columns but the key by default.
        name: under which the reader's choices are kept for the life of the kernel, "" to keep none.
        title: printed above.
        clean: redacts every text before it is shown.
        headless: see `Renderable`.
    """

    frame: pd.DataFrame
    key: str = "delta_id"
    facets: tuple[str, ...] = ()
    detail: Callable[[str], Renderable] | None = None
    page_size: int = 25
    columns: tuple[Column, ...] = ()
    name: str = ""
    title: str = ""
    clean: Clean = str
    headless: bool | None = None
    _panel: LedgerPanel | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.columns:
            self.columns = columns_of([str(name) for name in self.frame.columns if name != self.key])
        lacking = [name for name in self.facets if name not in self.frame.columns]
        if lacking:
            raise ValueError(f"the frame has no column {', '.join(lacking)} for a facet")

    def to_text(self) -> str:
        lines = text_table(*self._static())
        return f"{self.title}\n{lines}" if self.title else lines

    def to_markdown(self) -> str:
        table = markdown_table(*self._static())
        return f"**{escape.prose(self.title)}**\n\n{table}" if self.title else table

    def to_html(self) -> Markup:
        return html_table(*self._static(), caption=self.title)

    def to_widget(self) -> ipywidgets.Widget:
        from evreview.workflows.widgets.row_table_panel import LedgerPanel

        self._panel = LedgerPanel(self)
        return self._panel.root

    @property
    def panel(self) -> LedgerPanel:
        """The controls of the renderable shown last; made when none was shown yet."""
        if self._panel is None:
            self.to_widget()
        assert self._panel is not None
        return self._panel

    @cached_property
    def table(self) -> TableQuery:
        """The rows, ready to be asked."""
        return TableQuery(self.frame, self.key, [column.name for column in self.columns], self.clean)

    def _static(self) -> tuple[tuple[Column, ...], Page]:
        keyed = (Column(self.key, "Row", 8, "code"), *self.columns)
        with_key = TableQuery(self.frame, self.key, [column.name for column in keyed], self.clean)
        return keyed, with_key.page(Query(page_size=CAP))
