"""The controls of a `LedgerView`, on ipywidgets alone. Only the rows of one page ever travel to the browser.

Controls come in reading order: search, facets, sort by column, rows, pages, the opened row. Each is a native input or
button with a label, so Tab walks through them in that order.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import ipywidgets as w

from evreview.workflows.widgets.renderables import Markup, html_widget, joined, stylesheet, tag, text
from evreview.workflows.widgets.styles import ROW
from evreview.workflows.widgets.table import Choice, Page, Query, body_table, keep, recall, said, shares

if TYPE_CHECKING:
    from evreview.workflows.widgets.row_table import LedgerView

FACET_VALUES: Final = 60
"""Values that a facet offers; the search box reaches the others."""
_KEY_WIDTH: Final = "168px"


class LedgerPanel:
    """One shown instance of a view: its widgets and the state that they set.

    Attributes:
        root: the widget to show.
        search, facets, headers, rows, earlier, later: the controls, for tests and for scripted use.
        forms: below the opened row, what its renderable asks a person.
        query, opened, page: what is asked, which row is open, what is shown.
    """

    def __init__(self, view: LedgerView) -> None:
        self.view = view
        choice = recall(view.name) or Choice(query=Query(page_size=view.page_size))
        self.query = self._possible(choice.query)
        self.opened = choice.opened if choice.opened in view.table else ""
        self.search = _search_box(self.query.search)
        self.facets = {name: self._facet(name) for name in view.facets}
        self.headers = [self._header(name) for name in (view.key, *(column.name for column in view.columns))]
        self.rows = [self._row_button() for _ in range(min(self.query.page_size, max(1, len(view.table))))]
        self.earlier = _button("Previous page", "140px")
        self.later = _button("Next page", "140px")
        self._status, self._body, self._detail = (html_widget(text("")) for _ in range(3))
        self.forms = w.VBox([], layout=w.Layout(width="100%"))
        self._body.layout.flex = "1 1 auto"
        self.page: Page = view.table.page(self.query)
        self._wire()
        self.root = self._layout()
        self._show()

    def open_row(self, key: str) -> None:
        """Open the row with that key, or close it when it is open."""
        self.opened = "" if key == self.opened else key
        self._show_rows()
        self._show_detail()
        self._remember()

    def ask(self, **changes: Any) -> None:
        """Change the query and show its first page, or the page asked for."""
        self.query = replace(self.query, **{"page": 1, **changes})
        self._show_page()
        self._remember()

    def sort_by(self, column: str) -> None:
        """Sort by the column: ascending, then descending, then in the frame's own order."""
        if self.query.sort != column:
            self.ask(sort=column, descending=False)
        elif not self.query.descending:
            self.ask(descending=True)
        else:
            self.ask(sort="", descending=False)

    def _possible(self, query: Query) -> Query:
        """The remembered query without what this frame no longer has."""
        known = {name: {value for value, _ in self.view.table.values(name)} for name in self.view.facets}
        facets = {
            name: tuple(value for value in wanted if value in known[name])
            for name, wanted in query.facets.items()
            if name in known
        }
        sort = query.sort if query.sort in (self.view.key, *self.view.table.columns) else ""
        return replace(query, facets=facets, sort=sort, page_size=max(1, self.view.page_size))

    def _facet(self, name: str) -> w.SelectMultiple:
        values = self.view.table.values(name)
        options = [
            (f"{self.view.clean(value) or '(empty)'} ({count:,})", value) for value, count in values[:FACET_VALUES]
        ]
        offered = {value for _, value in options}
        label = next((column.label for column in self.view.columns if column.name == name), name)
        chosen = tuple(value for value in self.query.facets.get(name, ()) if value in offered)
        box = w.SelectMultiple(options=options, value=chosen, rows=4, layout=w.Layout(width="auto", margin="0"))
        box.description = label
        box.tooltip = f"{label}: choose one or more values; none chosen means all"
        return box

    def _header(self, name: str) -> w.Button:
        button = _button("", "100%")
        button.add_class("evr-sort")
        button.on_click(lambda _: self.sort_by(name))
        return button

    def _row_button(self) -> w.Button:
        button = _button("", _KEY_WIDTH)
        button.layout.height = f"{ROW}px"
        button.add_class("evr-row")
        button.on_click(lambda pressed: self.open_row(pressed.description))
        return button

    def _wire(self) -> None:
        self.search.observe(lambda change: self.ask(search=change["new"]), names="value")
        for name, box in self.facets.items():
            box.observe(partial(self._facet_changed, name), names="value")
        self.earlier.on_click(lambda _: self.ask(page=self.page.number - 1))
        self.later.on_click(lambda _: self.ask(page=self.page.number + 1))

    def _facet_changed(self, name: str, change: dict[str, Any]) -> None:
        self.ask(facets={**self.query.facets, name: tuple(change["new"])})

    def _layout(self) -> w.VBox:
        view = self.view
        widths = " ".join(f"minmax(0,{share:.2f}fr)" for share in shares(view.columns))
        header = w.GridBox(self.headers[1:], layout=w.Layout(grid_template_columns=widths, width="100%"))
        header = w.HBox([self.headers[0], header], layout=w.Layout(min_width="900px", overflow="hidden"))
        self.headers[0].layout = w.Layout(width=_KEY_WIDTH, min_width=_KEY_WIDTH, margin="0", height=f"{ROW}px")
        buttons = w.VBox(self.rows, layout=w.Layout(width=_KEY_WIDTH, min_width=_KEY_WIDTH, overflow="hidden"))
        body = w.HBox([buttons, self._body], layout=w.Layout(min_width="900px", align_items="flex-start"))
        table = w.VBox([header, body], layout=w.Layout(width="100%", overflow="auto hidden"))
        pager = w.HBox([self.earlier, self.later, self._status], layout=w.Layout(align_items="center", margin="6px 0"))
        title = html_widget(joined([stylesheet(), tag("div", text(view.title), class_="evr evr-title")]))
        parts = [title, self.search, self._facet_row(), table, pager, self._detail, self.forms]
        return w.VBox(parts, layout=w.Layout(width="100%"))

    def _facet_row(self) -> w.Box:
        cells = []
        for box in self.facets.values():
            # The label stands above its list; ipywidgets ties it to the input either way.
            box.add_class("evr-facet")
            cells.append(box)
        grid = "repeat(auto-fit, minmax(180px, 1fr))"
        return w.GridBox(cells, layout=w.Layout(grid_template_columns=grid, grid_gap="8px", margin="4px 0 8px"))

    def _show(self) -> None:
        self._show_page()
        self._show_detail()

    def _show_page(self) -> None:
        self.page = self.view.table.page(self.query)
        self.query = replace(self.query, page=self.page.number)
        self._show_headers()
        self._show_rows()
        self.earlier.disabled = self.page.number <= 1
        self.later.disabled = self.page.number >= self.page.pages
        line = f"Page {self.page.number:,} of {self.page.pages:,}. {said(self.page)}"
        self._status.value = tag("div", text(line), class_="evr evr-muted", role="status", aria_live="polite")

    def _show_headers(self) -> None:
        labels = ["Row", *(column.label for column in self.view.columns)]
        names = [self.view.key, *(column.name for column in self.view.columns)]
        for button, name, label in zip(self.headers, names, labels, strict=True):
            arrow = "" if name != self.query.sort else (" ▼" if self.query.descending else " ▲")
            _set(button, description=label + arrow, tooltip=f"Sort by {label}")

    def _show_rows(self) -> None:
        for place, button in enumerate(self.rows):
            key = self.page.keys[place] if place < len(self.page.keys) else ""
            _set(button, description=key, tooltip=f"Open {key}" if key else "", disabled=not key)
            button.layout.display = "" if key else "none"
            (button.add_class if key and key == self.opened else button.remove_class)("evr-open")
        body = body_table(
            self.view.columns, self.page, label=self.view.title or "Rows", query=self.query, opened=self.opened
        )
        self._body.value = tag("div", body, class_="evr")

    def _show_detail(self) -> None:
        renderable = self.view.detail(self.opened) if self.opened and self.view.detail is not None else None
        widget = renderable.to_widget() if renderable else None
        shown: Markup = tag("div", renderable.to_html(), class_="evr", aria_live="polite") if renderable else text("")
        self._detail.value = shown
        self.forms.children = (widget,) if widget else ()

    def _remember(self) -> None:
        keep(self.view.name, Choice(query=self.query, opened=self.opened))


def _set(button: w.Button, **traits: object) -> None:
    """Set the traits in one message."""
    with button.hold_sync():
        for name, value in traits.items():
            setattr(button, name, value)


def _search_box(value: str) -> w.Text:
    return w.Text(
        value=value,
        description="Search",
        placeholder="words that occur anywhere in a row",
        layout=w.Layout(width="100%", max_width="640px", margin="0"),
        continuous_update=True,
    )


def _button(label: str, width: str) -> w.Button:
    return w.Button(description=label, layout=w.Layout(width=width, height=f"{ROW}px", margin="0"))
