"""The controls of an `MatrixView`, on ipywidgets alone: each cell is a button that opens its evidence.

A button's background has one band of colour per source, in the order of its signs; its tool tip says all in words.
The import of ipywidgets is why this stands apart: a headless run has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import ipywidgets as w

from evreview.workflows.w2.facts import Source
from evreview.workflows.w2.widgets.matrix import LETTERS, TONES, MatrixCell, legend
from evreview.workflows.widgets.key_guard import KeyGuard
from evreview.workflows.widgets.renderables import html_widget, joined, stylesheet, tag, text
from evreview.workflows.widgets.table import Choice, Query, keep, recall

if TYPE_CHECKING:
    from evreview.workflows.w2.widgets.matrix import MatrixView

_HEIGHT = "34px"
_LABEL = "minmax(170px,2fr)"


class GridPanel:
    """One shown instance of a grid.

    Attributes:
        root: the widget to show.
        search, earlier, later: the controls besides the cells, for tests and for scripted use.
        buttons: one list of buttons per row of the page, one button per concern.
        opened: the key of the open cell, "" for none.
        page: the number of the page, from 1.
    """

    def __init__(self, grid: MatrixView) -> None:
        self.grid = grid
        self._matrix_cells = {
            (matrix_cell.operation, matrix_cell.concern): matrix_cell for matrix_cell in grid.matrix_cells
        }
        self._keys = {matrix_cell.key: matrix_cell for matrix_cell in grid.matrix_cells}
        choice = recall(grid.name) or Choice()
        self.opened = choice.opened if choice.opened in self._keys else ""
        self.page = choice.query.page
        self.search = w.Text(
            value=choice.query.search,
            description="Operations",
            placeholder="words of a method or path",
            layout=w.Layout(width="100%", max_width="640px", margin="0 0 6px"),
        )
        self.earlier, self.later = (w.Button(description=name) for name in ("Previous page", "Next page"))
        rows = min(max(1, grid.page_size), max(1, len(grid.operations)))
        self._shapes = [w.Layout(width="100%", height=_HEIGHT, margin="0") for _ in range(rows)]
        self._labels = [html_widget(text("")) for _ in range(rows)]
        self.buttons = [[self._button(row, column) for column in range(len(grid.concerns))] for row in range(rows)]
        self._status, self._detail = html_widget(text("")), html_widget(text(""))
        self._legend = tag("p", text(legend()), class_="evr evr-muted")
        self.root = self._layout()
        self.search.observe(lambda _: self.turn(1), names="value")
        self.earlier.on_click(lambda _: self.turn(self.page - 1))
        self.later.on_click(lambda _: self.turn(self.page + 1))
        self._show()

    def open_matrix_cell(self, key: str) -> None:
        """Open the cell with that key, or close it when it is open."""
        self.opened = "" if key == self.opened else key
        self._show()

    def turn(self, page: int) -> None:
        """Show that page."""
        self.page = page
        self._show()

    @property
    def shown(self) -> tuple[str, ...]:
        """The operations of the page."""
        found = self._found()
        size = len(self.buttons)
        return found[(self.page - 1) * size : self.page * size]

    def _found(self) -> tuple[str, ...]:
        words = self.search.value.casefold().split()
        return tuple(each for each in self.grid.operations if all(word in each.casefold() for word in words))

    def _button(self, row: int, column: int) -> w.Button:
        button = w.Button(layout=self._shapes[row])
        button.on_click(lambda _: self._pressed(row, column))
        return button

    def _pressed(self, row: int, column: int) -> None:
        if row < len(self.shown):
            self.open_matrix_cell(f"{self.shown[row]} {self.grid.concerns[column]}")

    def _layout(self) -> w.VBox:
        grid = self.grid
        heads = [
            html_widget(tag("div", text(str(name)), class_="evr evr-head")) for name in ("Operation", *grid.concerns)
        ]
        cells = [part for label, row in zip(self._labels, self.buttons, strict=True) for part in (label, *row)]
        columns = f"{_LABEL} repeat({len(grid.concerns)},minmax(82px,1fr))"
        shape = w.Layout(grid_template_columns=columns, grid_gap="3px", min_width="1180px", align_items="center")
        table = w.Box([w.GridBox([*heads, *cells], layout=shape)], layout=w.Layout(width="100%", overflow="auto"))
        pager = w.HBox([self.earlier, self.later, self._status], layout=w.Layout(align_items="center", margin="6px 0"))
        title = html_widget(joined([stylesheet(), tag("div", text(grid.title), class_="evr evr-title")]))
        parts = [title, KeyGuard(), self.search, table, pager, html_widget(self._legend), self._detail]
        return w.VBox(parts, layout=w.Layout(width="100%"))

    def _show(self) -> None:
        size, found = len(self.buttons), self._found()
        pages = max(1, -(-len(found) // size))
        self.page = min(max(1, self.page), pages)
        for row in range(size):
            self._show_row(row, self.shown[row] if row < len(self.shown) else "")
        self.earlier.disabled, self.later.disabled = self.page <= 1, self.page >= pages
        line = f"Page {self.page:,} of {pages:,}. {len(found):,} of {len(self.grid.operations):,} operations."
        self._status.value = tag("div", text(line), class_="evr evr-muted", role="status", aria_live="polite")
        matrix_cell = self._keys.get(self.opened)
        shown = (
            tag("div", self.grid.detail(matrix_cell).to_html(), class_="evr", aria_live="polite")
            if matrix_cell
            else text("")
        )
        self._detail.value = shown
        keep(self.grid.name, Choice(query=Query(search=self.search.value, page=self.page), opened=self.opened))

    def _show_row(self, row: int, operation: str) -> None:
        self._shapes[row].display = "" if operation else "none"
        self._labels[row].layout.display = "" if operation else "none"
        name = text(self.grid.clean(operation), 200)
        self._labels[row].value = tag("div", name, class_="evr evr-code evr-name", title=self.grid.clean(operation))
        for button, concern in zip(self.buttons[row], self.grid.concerns, strict=True):
            self._dress(button, self._matrix_cells.get((operation, concern)))

    def _dress(self, button: w.Button, matrix_cell: MatrixCell | None) -> None:
        with button.hold_sync():
            button.description = " ".join(matrix_cell.signs) if matrix_cell else ""
            button.tooltip = self.grid.clean(matrix_cell.says) if matrix_cell else ""
            button.disabled = matrix_cell is None
            button._dom_classes = ("evr-square", *(_looks(matrix_cell, self.opened) if matrix_cell else ()))


def _looks(matrix_cell: MatrixCell, opened: str) -> Iterator[str]:
    """The classes that colour one band per source, and mark a discrepancy and the open cell."""
    yield from (f"evr-in-{LETTERS[source]}-{TONES[matrix_cell.standing(source)]}" for source in Source)
    if matrix_cell.open:
        yield "evr-differs"
    if matrix_cell.key == opened:
        yield "evr-open"
