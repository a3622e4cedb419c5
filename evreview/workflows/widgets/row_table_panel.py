"""The live table: Python holds the rows and draws one page of them, the browser sends what the reader does.

The markup is that of `table_markup`; `row_table.js` only wires it. Only the rows of one page ever travel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from evreview.workflows.widgets.key_guard import KeyGuard
from evreview.workflows.widgets.renderables import (
    Markup,
    Renderable,
    column,
    html_widget,
    joined,
    stylesheet,
    tag,
    text,
)
from evreview.workflows.widgets.styles import TONES
from evreview.workflows.widgets.table import Choice, Page, Query, keep, recall
from evreview.workflows.widgets.table_markup import Look, badge, live_table, said

if TYPE_CHECKING:
    from evreview.workflows.widgets.row_table import LedgerView

FACET_VALUES: Final = 60
"""Values that a filter offers; the search reaches the others."""
_WORST_FIRST: Final = ("bad", "unsure", "good", "plain")


class TableWidget(anywidget.AnyWidget):
    """What the browser shows of a table, as finished markup, and what it sends."""

    _esm = Path(__file__).with_name("row_table.js")
    controls = traitlets.Unicode().tag(sync=True)
    table = traitlets.Unicode().tag(sync=True)
    pager = traitlets.Unicode().tag(sync=True)
    line = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    role = traitlets.Unicode().tag(sync=True)
    opened = traitlets.Unicode().tag(sync=True)
    rows = traitlets.Int().tag(sync=True)


def button(label: str, pressed: Callable[[], None]) -> TableWidget:
    """A button that Enter presses in JupyterLab too, which takes that key from a button of ipywidgets."""
    made = TableWidget(controls=tag("button", text(label), type="button", data_do="press", class_="evr-button evr-go"))
    made.on_msg(lambda _, content, __: pressed() if content.get("do") == "press" else None)
    return made


class LedgerPanel:
    """One shown instance of a view: its widget and the state that a reader sets.

    Attributes:
        root: the widget to show.
        widget: the table in it.
        forms: below the table, what the opened row asks a person.
        query, opened, page: what is asked, which row is open, what is shown.
    """

    def __init__(self, view: LedgerView) -> None:
        self.view = view
        choice = recall(view.name) or Choice(query=Query(without=view.hidden()))
        self.query = self._possible(choice.query)
        self.opened = choice.opened if choice.opened in view.table else ""
        self.page: Page = view.table.page(self.query)
        self.widget = TableWidget(label=view.caption or view.title or "Rows", role=view.role)
        self.widget.on_msg(lambda _, content, __: self.receive(content))
        self.forms = column([])
        self.root = column([html_widget(stylesheet()), KeyGuard(), self.widget, self.forms])
        self._show()

    def receive(self, said_: Any) -> None:
        """Do what the browser sent; what it may not send changes nothing."""
        what, of = str(said_.get("do", "")), str(said_.get("of", ""))
        if what == "search":
            self.ask(search=of)
        elif what == "facet" and of in self.view.facets:
            chosen = str(said_.get("value", ""))
            self.ask(facets={**self.query.facets, of: self._chosen(of, chosen)}, without=self._without(of, chosen))
        elif what == "sort" and of in (column.name for column in self.view.shown):
            self.sort_by(of)
        elif what == "page" and of in ("earlier", "later"):
            self.ask(page=self.page.number + (1 if of == "later" else -1))
        elif what == "fold":
            self.ask(without={} if self.query.without else self.view.hidden(), facets={})
        elif what == "filter":
            self.ask_square(of)
        elif what in ("open", "close"):
            self.open_row(of if what == "open" else "")

    def open_row(self, key: str) -> None:
        """Open the row with that key, or close it when it is open; no other stays open."""
        self.opened = "" if key == self.opened or key not in self.view.table else key
        self._show()

    def ask(self, **changes: Any) -> None:
        """Change the query and show its first page, or the page asked for."""
        self.query = replace(self.query, **{"page": 1, **changes})
        self._show()

    def ask_square(self, of: str) -> None:
        """Show the rows of a square, also folded ones where it has no other; pressed again, all."""
        asked = self.view.heat.asked(of) if self.view.heat else {}
        if not asked or self._is_chosen(of):
            self.ask(facets={}, without=self.view.hidden())
        else:
            seen = self.view.table.count(Query(facets=asked, without=self.view.hidden()))
            self.ask(facets=asked, without=self.view.hidden() if seen else {})

    def _is_chosen(self, of: str) -> bool:
        asked = self.view.heat.asked(of) if self.view.heat else {}
        return bool(asked) and {name: each for name, each in self.query.facets.items() if each} == asked

    def _heat(self) -> Markup:
        heat, table = self.view.heat, self.view.table
        if heat is None or not heat.is_told:
            return text("")
        return heat.to_html(self.view.clean, lambda of: table.count(Query(facets=heat.asked(of))) > 0, self._is_chosen)

    def sort_by(self, column: str) -> None:
        """Sort by the column: ascending, then descending, then in the frame's own order."""
        if self.query.sort != column:
            self.ask(sort=column, descending=False)
        elif not self.query.descending:
            self.ask(descending=True)
        else:
            self.ask(sort="", descending=False)

    def _chosen(self, name: str, value: str) -> tuple[str, ...]:
        """A filter's values by the place that the browser names: evidence is never sent back and forth as markup."""
        values = self.view.table.values(name)
        return (values[int(value)][0],) if value.isdecimal() and int(value) < len(values) else ()

    def _without(self, name: str, value: str) -> dict[str, tuple[str, ...]]:
        column, folded = self.view.folded
        asked_for = name == column and self._chosen(name, value) == (folded,)
        return {} if asked_for else dict(self.query.without)

    def _possible(self, query: Query) -> Query:
        """The remembered query without what this frame no longer has."""
        known = {name: {value for value, _ in self.view.table.values(name)} for name in self.view.facets}
        facets = {
            name: tuple(value for value in wanted if value in known[name])
            for name, wanted in query.facets.items()
            if name in known
        }
        sort = query.sort if query.sort in self.view.table.columns else ""
        without = self.view.hidden() if query.without else {}
        return replace(query, facets=facets, sort=sort, without=without, page_size=max(1, self.view.page_size))

    def _show(self) -> None:
        view = self.view
        self.page = view.table.page(self.query)
        self.query = replace(self.query, page=self.page.number)
        opened = view.detail(self.opened) if self.opened and view.detail is not None else None
        form = opened.to_widget() if opened is not None and self.opened in self.page.keys else None
        table = live_table(
            view.shown, self.page, caption=view.caption or view.title, query=self.query, opened=self.opened,
            card=tag("div", opened.to_html(), _copies(opened), class_="evr") if opened else None,
            opens=view.detail is not None,
        )  # fmt: skip
        with self.widget.hold_sync():
            self.widget.rows = len(self.page.keys)
            self.widget.opened = self.opened
            self.widget.controls = self._controls()
            self.widget.table = table if self.page.keys else tag("p", text("No row."), class_="evr-muted")
            self.widget.pager = pager(self.page.number, self.page.pages)
            self.widget.line = f"{said(self.page)} {HINT if self.page.keys and view.detail else ''}".strip()
        self.forms.children = (form,) if form else ()
        keep(view.name, Choice(query=self.query, opened=self.opened))

    def _controls(self) -> Markup:
        view = self.view
        counts = next((view.table.values(name) for name in view.facets if self._is_badge(name)), ())
        worst = sorted(counts, key=lambda each: _WORST_FIRST.index(TONES.get(each[0], "plain")))
        title = tag("div", text(view.title), *(self._count(value, count) for value, count in worst[:6]),
                    class_="evr-title") if view.title else text("")  # fmt: skip
        box = tag("input", type="search", data_do="search", value=self.query.search, autocomplete="off")
        asks = [tag("label", tag("span", text("Search")), box), *(self._facet(name) for name in view.facets)]
        hidden = view.hidden()
        if hidden:
            ((column, (value,)),) = hidden.items()
            many = dict(view.table.values(column))[value]
            words = f"{'Show' if self.query.without else 'Hide'} {value} ({many:,})"
            asks.append(tag("button", text(view.clean(words)), type="button", data_do="fold", class_="evr-button"))
        return joined([title, self._heat(), tag("div", *asks, class_="evr-asks")])

    def _is_badge(self, name: str) -> bool:
        return any(column.name == name and column.look is Look.BADGE for column in self.view.columns)

    def _count(self, value: str, count: int) -> Markup:
        return joined([text(" "), badge(self.view.clean(value), f"{count:,} ")])

    def _facet(self, name: str) -> Markup:
        label = next((column.label for column in self.view.columns if column.name == name), name.capitalize())
        chosen = self.query.facets.get(name, ())
        options = [tag("option", text("all"), value="all")]
        for at, (value, count) in enumerate(self.view.table.values(name)[:FACET_VALUES]):
            words = f"{self.view.clean(value)[:80] or '(empty)'} ({count:,})"
            options.append(tag("option", text(words), value=str(at), selected="selected" if value in chosen else ""))
        choice = tag("select", *options, data_do="facet", data_of=name)
        return tag("label", tag("span", text(self.view.clean(label))), choice)


def pager(number: int, pages: int) -> Markup:
    """Buttons to the pages before and behind; nothing where there is one page."""
    if pages <= 1:
        return text("")
    ends = (("earlier", "Previous page", number <= 1), ("later", "Next page", number >= pages))
    return joined(
        tag("button", text(label), type="button", data_do="page", data_of=of, class_="evr-button",
            disabled="disabled" if ends_here else "")
        for of, label, ends_here in ends
    )  # fmt: skip


def _copies(card: Renderable) -> Markup:
    """Buttons that copy what the card says, as Markdown for a ticket, what accepts it, and each of its commands."""
    offered = [("Copy for a ticket", card.to_markdown())]
    offered += [(f"Copy the command: {shows}", command) for shows, command in getattr(card, "commands", ())]
    accepting = getattr(card, "acceptance", "")
    offered += [("Copy an accept file: reason, owner and last day to fill in", accepting)] if accepting else []
    return tag("div", *(tag("button", text(label), type="button", class_="evr-button", data_do="copy", data_of=value)
                        for label, value in offered), class_="evr-copies")  # fmt: skip


HINT: Final = "↑ ↓ move, Enter opens, Esc closes, / searches."
