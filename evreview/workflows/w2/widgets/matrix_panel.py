"""The controls of a `MatrixView`: each square is a button that opens its evidence.

The import of ipywidgets, which its parts need, is why this stands apart: a headless run has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evreview.workflows.w2.widgets.matrix import legend
from evreview.workflows.widgets.key_guard import KeyGuard
from evreview.workflows.widgets.renderables import Markup, column, html_widget, joined, stylesheet, tag, text
from evreview.workflows.widgets.row_table_panel import TableWidget, pager
from evreview.workflows.widgets.table import Choice, Query, keep, recall

if TYPE_CHECKING:
    from evreview.workflows.w2.widgets.matrix import MatrixView


class GridPanel:
    """One shown instance of a grid.

    Attributes:
        root: the widget to show.
        widget: the grid in it.
        detail: below the grid, what the opened square shows.
        search: the words that an operation must have.
        opened: the key of the open cell, "" for none.
        page: the number of the page, from 1.
    """

    def __init__(self, grid: MatrixView) -> None:
        self.grid = grid
        self._keys = {each.key: each for each in grid.matrix_cells}
        choice = recall(grid.name) or Choice()
        self.opened = choice.opened if choice.opened in self._keys else ""
        self.search, self.page = choice.query.search, choice.query.page
        self.widget = TableWidget(label=grid.title)
        self.widget.on_msg(lambda _, content, __: self.receive(content))
        self.detail = html_widget(text(""))
        self.root = column([html_widget(stylesheet()), KeyGuard(), self.widget, self.detail])
        self._show()

    def receive(self, said: Any) -> None:
        """Do what the browser sent; what it may not send changes nothing."""
        what, of = str(said.get("do", "")), str(said.get("of", ""))
        if what == "search":
            self.search, self.page = of, 1
        elif what == "page" and of in ("earlier", "later"):
            self.page += 1 if of == "later" else -1
        elif what == "open" and of in self._keys:
            self.opened = "" if of == self.opened else of
        elif what == "close":
            self.opened = ""
        self._show()

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-len(self._found()) // self._size))

    @property
    def shown(self) -> tuple[str, ...]:
        """The operations of the page."""
        return self._found()[(self.page - 1) * self._size : self.page * self._size]

    @property
    def _size(self) -> int:
        return max(1, self.grid.page_size)

    def _found(self) -> tuple[str, ...]:
        words = self.search.casefold().split()
        return tuple(each for each in self.grid.operations if all(word in each.casefold() for word in words))

    def _show(self) -> None:
        self.page = min(max(1, self.page), self.pages)
        opened = self._keys.get(self.opened)
        with self.widget.hold_sync():
            self.widget.opened = self.opened
            self.widget.controls = self._controls()
            self.widget.table = self._drawn() if self.shown else tag("p", text("No operation."), class_="evr-muted")
            self.widget.pager = pager(self.page, self.pages)
            self.widget.line = (f"Page {self.page:,} of {self.pages:,}. {len(self._found()):,} of "
                                f"{len(self.grid.operations):,} operations.")  # fmt: skip
        card = self.grid.detail(opened).to_html() if opened else text("")
        self.detail.value = tag("div", card, class_="evr", aria_live="polite") if opened else ""
        keep(self.grid.name, Choice(query=Query(search=self.search, page=self.page), opened=self.opened))

    def _controls(self) -> Markup:
        title = tag("div", text(self.grid.title), class_="evr-title")
        box = tag("input", type="search", data_do="search", value=self.search, autocomplete="off",
                  placeholder="words of a method or path")  # fmt: skip
        asks = tag("div", tag("label", tag("span", text("Operations")), box), class_="evr-asks")
        return joined([title, asks, tag("p", text(legend()), class_="evr-muted")])

    def _drawn(self) -> Markup:
        return self.grid.drawn(self.shown, live=True, opened=self.opened)
