"""The operation evidence matrix as a coloured grid, operation by concern; plain tables where nobody sits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd

from evreview.core.quoted_text import counted, plain
from evreview.core.vocabulary import Concern
from evreview.evidence.item import Bundle
from evreview.report import escape
from evreview.workflows.w2.facts import Cell, Discrepancy, Disposal, Source, Standing, W2Facts
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.heat_map import Square, heat_table
from evreview.workflows.widgets.renderables import (
    Clean,
    DisplayContext,
    Listing,
    Markup,
    Renderable,
    joined,
    scroller,
    tag,
    text,
)
from evreview.workflows.widgets.row_table import TableRenderable
from evreview.workflows.widgets.table_markup import CAP, Column, Look

if TYPE_CHECKING:
    import ipywidgets

    from evreview.workflows.w2.widgets.matrix_panel import GridPanel


_COLUMNS: Final = (
    Column("operation", "Operation", Look.CODE),
    Column("concern", "Concern"),
    Column("contract", "Contract"),
    Column("implementation", "Implementation"),
    Column("test", "Tests"),
    Column("discrepancies", "Open discrepancies", Look.CODE),
    Column("evidence", "Evidence", Look.CODE),
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
        from evreview.workflows.w2.widgets.matrix_panel import GridPanel

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
        """The grid as a table that nobody presses, with what its signs mean."""
        return joined([scroller(self.drawn(operations), self.title), tag("p", text(legend()), class_="evr-muted")])

    def drawn(self, operations: Sequence[str], *, live: bool = False, opened: str = "") -> Markup:
        """The squares of these operations; live, each opens its evidence."""
        by_place = self._by_place()

        def drawn_cell(found: MatrixCell | None) -> Square:
            if found is None:
                return Square()
            return Square(word=" ".join(found.signs), looks=tuple(_looks(found)), says=self.clean(found.says),
                          do="open" if live else "", of=found.key, chosen=found.key == opened)  # fmt: skip

        rows = [(self.clean(each), [drawn_cell(by_place.get((each, concern))) for concern in self.concerns])
                for each in operations]  # fmt: skip
        return heat_table(("Operation", *map(str, self.concerns)), rows, caption=self.title)

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


def _looks(found: MatrixCell) -> Iterator[str]:
    """The classes that colour one band per source, in the order of the signs, and mark a discrepancy."""
    yield "evr-bands"
    yield from (f"evr-in-{LETTERS[source]}-{TONES[found.standing(source)]}" for source in Source)
    if found.open:
        yield "evr-differs"


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
        parts = [tag("h3", text(self.title)), columns]
        if self.differences:
            lines = joined(tag("li", text(line)) for line in self.differences)
            parts += [tag("h4", text("Discrepancies")), tag("ul", lines, class_="evr-list")]
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
    head = tag("h4", text(f"{str(side.source).capitalize()} "), standing)
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
