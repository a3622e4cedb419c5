"""The one table of the notebook: rows to search, filter, sort, page and open; static where nobody sits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import pandas as pd

from evreview.report import escape
from evreview.workflows.widgets.citation_card import Card
from evreview.workflows.widgets.heat_map import HeatMap
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable, fold, joined, tag, text
from evreview.workflows.widgets.table import Page, Query, TableQuery, text_of
from evreview.workflows.widgets.table_markup import (
    CAP,
    MOST,
    Column,
    Look,
    columns_of,
    is_cut,
    markdown_table,
    static_table,
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
        key_label: its header.
        facets: columns to filter by value; they need not be shown.
        folded: a column and the value of it whose rows are shown when they are asked for; ("", "") shows all at once.
        detail: what a row opens, by its key; None when rows don't open.
        page_size: rows per page of the interactive renderable.
        columns: what is shown beside the key, at most `MOST` with it; by default the first columns of the frame.
        name: under which the reader's choices are kept for the life of the kernel, "" to keep none.
        title: printed above.
        caption: the sentence that says what one row is; the title by default.
        role: what the table is for, as `data-role`: `matrix`, or "".
        heat: a map of two facets above the rows; a square filters them.
        clean: redacts every text before it is shown.
        headless: see `Renderable`.
    """

    frame: pd.DataFrame
    key: str = "delta_id"
    key_label: str = "Row"
    facets: tuple[str, ...] = ()
    folded: tuple[str, str] = ("", "")
    detail: Callable[[str], Renderable] | None = None
    page_size: int = 50
    columns: tuple[Column, ...] = ()
    name: str = ""
    title: str = ""
    caption: str = ""
    role: str = ""
    heat: HeatMap | None = None
    clean: Clean = str
    headless: bool | None = None
    _panel: LedgerPanel | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.columns:
            names = [str(name) for name in self.frame.columns if name != self.key]
            self.columns = columns_of(names[: MOST - 1], self.frame)
        lacking = [name for name in (*self.facets, *filter(None, self.folded[:1])) if name not in self.frame.columns]
        if lacking:
            raise ValueError(f"the frame has no column {', '.join(lacking)} for a facet")
        if len(self.columns) >= MOST:
            raise ValueError(f"a table shows at most {MOST} columns with its key; the rest stands in the row's card")

    @property
    def shown(self) -> tuple[Column, ...]:
        """The key and the columns beside it."""
        return (Column(self.key, self.key_label, Look.ID), *self.columns)

    def to_text(self) -> str:
        lines = text_table(self.shown, self.table.page(Query(page_size=CAP)))
        return f"{self.title}\n{lines}" if self.title else lines

    def to_markdown(self) -> str:
        table = markdown_table(self.shown, self.table.page(Query(page_size=CAP)))
        title = f"**{escape.prose(self.title)}**" if self.title else ""
        heat = self.heat.to_markdown(self.clean) if self.heat and self.heat.is_told else ""
        return "\n\n".join(filter(None, (title, heat, table)))

    def to_html(self) -> Markup:
        column, value = self.folded
        parts = [tag("div", text(self.title), class_="evr-title")] if self.title else []
        parts += [self.heat.to_html(self.clean)] if self.heat and self.heat.is_told else []
        some = self.table.page(Query(page_size=CAP, without=self.hidden()))
        parts.append(self._static(some))
        if self.hidden():
            rest = self.table.page(Query(page_size=CAP, facets={column: (value,)}))
            parts.append(fold(f"{rest.matched:,} {value}", self._static(rest)))
        return tag("div", *parts, data_role=self.role)

    def _static(self, page: Page) -> Markup:
        if not page.keys:
            return nothing()
        detail = self.detail
        card = None if detail is None else lambda key: detail(key).to_html()
        return static_table(self.shown, page, caption=self.caption or self.title, card=card)

    def hidden(self) -> dict[str, tuple[str, ...]]:
        """What is left out at first; nothing where no other row would be left."""
        column, value = self.folded
        if not column or len(self.table) in (dict(self.table.values(column)).get(value, 0), 0):
            return {}
        return {column: (value,)} if value in dict(self.table.values(column)) else {}

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
        return TableQuery(self.frame, self.key, [column.name for column in self.shown], self.clean)


def nothing() -> Markup:
    """What a table without a row shows."""
    return tag("p", text("No row."), class_="evr-muted")


# A frame without a key of its own: its rows are numbered.


NUMBER: Final = "no."
"""The key of a frame whose rows have no name."""


@dataclass(frozen=True, kw_only=True)
class TableRenderable(Renderable):
    """A frame whose rows are named by their numbers; a row that is not shown whole opens.

    Attributes:
        frame: any frame.
        title: printed above.
        columns: what is shown; by default the first that hold anything.
    """

    frame: pd.DataFrame
    title: str = ""
    columns: tuple[Column, ...] = ()
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        return self._view().to_text()

    def to_markdown(self) -> str:
        return self._view().to_markdown()

    def to_html(self) -> Markup:
        view = self._view()
        if not len(view.table):
            return joined([tag("div", text(self.title), class_="evr-title"), nothing()])
        page = view.table.page(Query(page_size=CAP))
        cards = {key for key, row in zip(page.keys, page.rows, strict=True) if self._is_more(view, row)}
        return static_table(view.shown, page, caption=self.title,
                             card=lambda key: self._card(key).to_html() if key in cards else text(""))  # fmt: skip

    def to_widget(self) -> ipywidgets.Widget:
        return self._view().to_widget()

    def _view(self) -> LedgerView:
        names = [str(name) for name in self.frame.columns]
        chosen = self.columns or columns_of(self._telling(names)[: MOST - 1], self.frame)
        numbered = self.frame.assign(**{NUMBER: [str(at) for at in range(1, len(self.frame) + 1)]})
        return LedgerView(
            frame=numbered, key=NUMBER, key_label="No.", columns=chosen, detail=self._card, title=self.title,
            clean=self.clean, headless=self.headless,
        )  # fmt: skip

    def _telling(self, names: list[str]) -> list[str]:
        """The columns that the table is about, of a wide one those that hold something."""
        told = [name for name in SHOWN.get(self.title, ()) if name in names]
        if told or len(names) < MOST:
            return told or names
        return [name for name in names if any(text_of(value) for value in self.frame[name].head(CAP))] or names

    def _is_more(self, view: LedgerView, row: tuple[str, ...]) -> bool:
        return len(view.columns) < len(self.frame.columns) or is_cut(view.shown, row)

    def _card(self, key: str) -> Card:
        row = self.frame.iloc[int(key) - 1]
        columns = columns_of([str(name) for name in self.frame.columns])
        facts = tuple((column.label, text_of(row[column.name])) for column in columns)
        return Card(title=f"Row {key}", facts=facts, clean=self.clean)


SHOWN: Final = {
    "Wire difference ledger": ("delta_id", "address", "change", "aspect", "facet", "released", "candidate"),
    "Producer direction": ("delta_id", "address", "rule", "verdict", "accepts_old_requests", "emits_old_compatible",
                           "proof_status"),
}  # fmt: skip
"""Of a step's table by its title, the columns that the step is about; the card has them all."""
