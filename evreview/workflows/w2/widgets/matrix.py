"""The operation evidence matrix as a coloured grid, operation by concern; plain tables where nobody sits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import ipywidgets as w
import pandas as pd

from evreview.core.quoted_text import counted, plain
from evreview.core.vocabulary import Concern
from evreview.evidence.item import Bundle
from evreview.report import escape
from evreview.workflows.w2.facts import Cell, Discrepancy, Disposal, Source, Standing, W2Facts
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.renderables import (
    Clean,
    DisplayContext,
    Listing,
    Markup,
    Renderable,
    html_widget,
    joined,
    stylesheet,
    tag,
    text,
)
from evreview.workflows.widgets.table import CAP, Choice, Column, Query, TableRenderable, keep, recall

if TYPE_CHECKING:
    import ipywidgets


_COLUMNS: Final = (
    Column("operation", "Operation", 14, "code"),
    Column("concern", "Concern", 10),
    Column("contract", "Contract", 18),
    Column("implementation", "Implementation", 18),
    Column("test", "Tests", 18),
    Column("discrepancies", "Open discrepancies", 10, "code"),
    Column("evidence", "Evidence", 12, "code"),
)


def evidence_matrix(display: DisplayContext) -> Renderable:
    """The matrix of a W2 review: a grid whose cells open where somebody sits, tables elsewhere."""
    facts = display.review.facts
    if not isinstance(facts, W2Facts) or not facts.matrix:
        return Listing(title="There is no evidence matrix: step 2 was not reached.", headless=display.headless)
    return MatrixView(
        matrix_cells=matrix_cells(facts.matrix, facts.discrepancies),
        detail=partial(matrix_cell_detail, bundle=display.review.bundle, clean=display.clean),
        clean=display.clean,
        name=f"evidence matrix of {display.name}",
        headless=display.headless,
    )


@dataclass(kw_only=True)
class MatrixView(Renderable):
    """Operations by concerns.

    Attributes:
        matrix_cells: one per operation and concern.
        detail: what a cell opens.
        page_size: operations per page of the interactive renderable.
        name: under which the reader's choices are kept for the life of the kernel, "" to keep none.
        clean: redacts every text before it is shown.
        headless: see `Renderable`.
    """

    matrix_cells: Sequence[MatrixCell]
    detail: Callable[[MatrixCell], Renderable]
    page_size: int = 10
    name: str = ""
    title: str = "Operation evidence matrix"
    clean: Clean = str
    headless: bool | None = None
    _panel: GridPanel | None = field(default=None, repr=False)

    @property
    def operations(self) -> tuple[str, ...]:
        """In the order of the scope."""
        return tuple(dict.fromkeys(matrix_cell.operation for matrix_cell in self.matrix_cells))

    @property
    def concerns(self) -> tuple[Concern, ...]:
        """Those that any operation has, in the order of the vocabulary."""
        used = {matrix_cell.concern for matrix_cell in self.matrix_cells}
        return tuple(concern for concern in Concern if concern in used)

    def to_text(self) -> str:
        return f"{self.title}\n{legend()}\n" + "\n".join(
            self.clean(matrix_cell.says) for matrix_cell in self.matrix_cells
        )

    def to_markdown(self) -> str:
        by_place = self._by_place()
        head = " | ".join(escape.cell(str(concern)) for concern in self.concerns)
        rows = [
            f"| {escape.cell_code(self.clean(operation))} | "
            + " | ".join(" ".join(_signs(by_place.get((operation, concern)))) for concern in self.concerns)
            + " |"
            for operation in self.operations[:CAP]
        ]
        grid = "\n".join([f"| Operation | {head} |", "|---" * (len(self.concerns) + 1) + "|", *rows])
        title = f"**{escape.prose(self.title)}**"
        return "\n\n".join([title, str(escape.prose(legend())), grid, self._table().to_markdown()])

    def to_html(self) -> Markup:
        return joined([self.grid_html(self.operations[:CAP]), self._table().to_html()])

    def to_widget(self) -> ipywidgets.Widget:
        self._panel = GridPanel(self)
        return self._panel.root

    @property
    def panel(self) -> GridPanel:
        """The controls of the renderable shown last; made when none was shown yet."""
        if self._panel is None:
            self.to_widget()
        assert self._panel is not None
        return self._panel

    def grid_html(self, operations: Sequence[str]) -> Markup:
        """The grid as a table: signs with their words, coloured."""
        by_place = self._by_place()
        heads = joined(tag("th", text(str(concern)), scope="col") for concern in self.concerns)
        rows = joined(
            tag(
                "tr",
                tag("th", text(self.clean(operation), 200), scope="row", class_="evr-code"),
                *(tag("td", _marks(by_place.get((operation, concern)))) for concern in self.concerns),
            )
            for operation in operations
        )
        head = tag("thead", tag("tr", tag("th", text("Operation"), scope="col"), heads))
        table = tag("table", tag("caption", text(self.title)), head, tag("tbody", rows), class_="evr-matrix")
        return joined([tag("div", table, class_="evr-wide"), tag("p", text(legend()), class_="evr-muted")])

    def _by_place(self) -> dict[tuple[str, Concern], MatrixCell]:
        return {(matrix_cell.operation, matrix_cell.concern): matrix_cell for matrix_cell in self.matrix_cells}

    def _table(self) -> TableRenderable:
        """Every cell with what its sources say."""
        frame = pd.DataFrame(
            [_row(matrix_cell) for matrix_cell in self.matrix_cells], columns=[each.name for each in _COLUMNS]
        )
        title = "What each source says, and where"
        return TableRenderable(frame=frame, title=title, columns=_COLUMNS, clean=self.clean, headless=self.headless)


def legend() -> str:
    """The letters and signs, in words."""
    letters = ", ".join(f"{letter} {source}" for source, letter in LETTERS.items())
    signs = ", ".join(f"{sign} {standing}" for standing, sign in SIGNS.items())
    return f"{letters}; {signs}; {DIFFERS} a discrepancy is open"


def _signs(matrix_cell: MatrixCell | None) -> tuple[str, ...]:
    return matrix_cell.signs if matrix_cell else ()


def _marks(matrix_cell: MatrixCell | None) -> Markup:
    if matrix_cell is None:
        return text("")
    marks = [
        tag(
            "abbr",
            text(LETTERS[source] + SIGNS[matrix_cell.standing(source)]),
            title=f"{source} {matrix_cell.standing(source)}",
            class_=f"evr-mark evr-{TONES[matrix_cell.standing(source)]}",
        )
        for source in Source
    ]
    if matrix_cell.open:
        marks.append(tag("abbr", text(DIFFERS), title="a discrepancy is open", class_="evr-mark evr-bad"))
    return joined(marks, " ")


def _row(matrix_cell: MatrixCell) -> tuple[str, ...]:
    found = [matrix_cell.cells[source] for source in Source if source in matrix_cell.cells]
    evidence = dict.fromkeys(str(citation) for cell in found for citation in cell.citations)
    waiting = [str(each.id) for each in matrix_cell.differences if each.disposal == "open"]
    sides = [_said(matrix_cell.cells.get(source)) for source in Source]
    return (matrix_cell.operation, str(matrix_cell.concern), *sides, ", ".join(waiting), ", ".join(evidence))


def _said(cell: Cell | None) -> str:
    if cell is None:
        return "unmapped"
    told = "; ".join([*map(plain, cell.says), *([cell.reason] if cell.reason else [])])
    return f"{cell.standing}: {told}" if told else str(cell.standing)


# One cell, opened: what each source says, the cited lines quoted, the discrepancies about it.


@dataclass(frozen=True, slots=True)
class SourceSide:
    """One source's part: its standing, what it says or why it says nothing, and the quoted evidence."""

    source: Source
    standing: str
    tone: str
    lines: tuple[str, ...]
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, kw_only=True)
class MatrixCellDetail(Renderable):
    """One cell in full.

    Attributes:
        title: operation and concern.
        sides: contract, implementation, tests.
        differences: one line per discrepancy about it.
    """

    title: str
    sides: tuple[SourceSide, ...]
    differences: tuple[str, ...] = ()
    headless: bool | None = None

    def to_text(self) -> str:
        lines = [self.title]
        for side in self.sides:
            lines += [f"{side.source}: {side.standing}", *side.lines, *quotes_lines(side.quotes)]
        return "\n".join([*lines, *self.differences])

    def to_markdown(self) -> str:
        parts = [f"**{escape.prose(self.title)}**"]
        for side in self.sides:
            parts.append(f"{escape.prose(str(side.source).capitalize())}: {escape.prose(side.standing)}")
            parts += ["\n".join(f"- {escape.prose(line)}" for line in side.lines)] if side.lines else []
            parts += [quotes_markdown(side.quotes)] if side.quotes else []
        parts += ["\n".join(f"- {escape.prose(line)}" for line in self.differences)] if self.differences else []
        return "\n\n".join(parts)

    def to_html(self) -> Markup:
        columns = tag("div", *(_side(side) for side in self.sides), class_="evr-sides evr-three")
        parts = [tag("h4", text(self.title)), columns]
        if self.differences:
            lines = joined(tag("li", text(line)) for line in self.differences)
            parts += [tag("h5", text("Discrepancies")), tag("ul", lines, class_="evr-list")]
        return tag("section", *parts, class_="evr-card", aria_label=self.title)


def matrix_cell_detail(matrix_cell: MatrixCell, bundle: Bundle, clean: Clean) -> MatrixCellDetail:
    """The cell with its evidence, everything redacted."""
    return MatrixCellDetail(
        title=clean(f"{matrix_cell.operation}: {matrix_cell.concern}"),
        sides=tuple(
            _side_of(matrix_cell.cells[source], bundle, clean) for source in Source if source in matrix_cell.cells
        ),
        differences=tuple(
            clean(f"{each.id}, {each.kind}: {each.disposal}{f', {each.disposition}' if each.disposition else ''}")
            for each in matrix_cell.differences
        ),
    )


def _side_of(cell: Cell, bundle: Bundle, clean: Clean) -> SourceSide:
    lines = (*map(plain, cell.says), *([cell.reason] if cell.reason else []))
    found = quotes(bundle, cell.citations, clean)
    return SourceSide(cell.source, str(cell.standing), TONES[cell.standing], tuple(map(clean, lines)), found)


def _side(side: SourceSide) -> Markup:
    standing = tag("span", text(side.standing), class_=f"evr-badge evr-{side.tone}")
    head = tag("h5", text(f"{str(side.source).capitalize()} "), standing)
    lines = joined(tag("li", text(line)) for line in side.lines)
    return tag("div", head, tag("ul", lines, class_="evr-list") if side.lines else text(""), quotes_html(side.quotes))


# One cell of the grid: what three sources say about one concern of one operation, in words and signs.


LETTERS: Final[Mapping[Source, str]] = {Source.CONTRACT: "C", Source.IMPLEMENTATION: "I", Source.TEST: "T"}
SIGNS: Final[Mapping[Standing, str]] = {
    Standing.STATED: "✓",
    Standing.ABSENT: "–",
    Standing.NOT_APPLICABLE: "·",
    Standing.UNREAD: "?",
    Standing.UNMAPPED: "✗",
}
DIFFERS: Final = "≠"
TONES: Final[Mapping[Standing, str]] = {
    Standing.STATED: "good",
    Standing.ABSENT: "plain",
    Standing.NOT_APPLICABLE: "none",
    Standing.UNREAD: "unsure",
    Standing.UNMAPPED: "bad",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """One concern of one operation.

    Attributes:
        cells: what each source says.
        differences: the discrepancies about it.
    """

    operation: str
    concern: Concern
    cells: Mapping[Source, Cell]
    differences: tuple[Discrepancy, ...] = ()

    @property
    def key(self) -> str:
        """Names the cell: no other of the review has the same."""
        return f"{self.operation} {self.concern}"

    @property
    def open(self) -> int:
        """How many discrepancies wait for the owner."""
        return sum(each.disposal is Disposal.OPEN for each in self.differences)

    def standing(self, source: Source) -> Standing:
        """Where the source stands."""
        return self.cells[source].standing if source in self.cells else Standing.UNMAPPED

    @property
    def signs(self) -> tuple[str, ...]:
        """One letter and sign per source, then a sign when a discrepancy is open."""
        marks = tuple(LETTERS[source] + SIGNS[self.standing(source)] for source in Source)
        return (*marks, DIFFERS) if self.open else marks

    @property
    def says(self) -> str:
        """The same in words."""
        parts = [f"{source} {self.standing(source)}" for source in Source]
        told = counted(self.open, "open discrepancy").replace("discrepancys", "discrepancies")
        return f"{self.operation}, {self.concern}: {', '.join([*parts, told] if self.open else parts)}"


def matrix_cells(matrix: Iterable[Cell], discrepancies: Iterable[Discrepancy]) -> tuple[MatrixCell, ...]:
    """The matrix by operation and concern, in its own order."""
    cells: dict[tuple[str, Concern], dict[Source, Cell]] = {}
    for cell in matrix:
        cells.setdefault((cell.operation, cell.concern), {})[cell.source] = cell
    differences: dict[tuple[str, Concern], tuple[Discrepancy, ...]] = {}
    for each in discrepancies:
        place = (each.operation, each.concern)
        differences[place] = (*differences.get(place, ()), each)
    return tuple(
        MatrixCell(operation=place[0], concern=place[1], cells=by_source, differences=differences.get(place, ()))
        for place, by_source in cells.items()
    )


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
        parts = [title, self.search, table, pager, html_widget(self._legend), self._detail]
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
