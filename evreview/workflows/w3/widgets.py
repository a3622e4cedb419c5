"""Controls by routes as a grid of signs, and every cell of it as a table that opens its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import pandas as pd

from evreview.core.quoted_text import plain
from evreview.report import escape
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import ControlCell, Standing
from evreview.workflows.widgets.citation_card import Card, quotes
from evreview.workflows.widgets.faces import Clean, Face, Listing, Markup, Scene, Stack, joined, tag, text
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import CAP, Column

SIGNS: Final[Mapping[Standing, str]] = {
    Standing.PRESENT: "✓",
    Standing.ABSENT: "✗",
    Standing.UNREAD: "?",
    Standing.UNKNOWN: "?",
    Standing.NOT_APPLICABLE: "·",
    Standing.NOT_IN_SCOPE: "·",
}
TONES: Final[Mapping[Standing, str]] = {
    Standing.PRESENT: "good",
    Standing.ABSENT: "bad",
    Standing.UNREAD: "unsure",
    Standing.UNKNOWN: "unsure",
    Standing.NOT_APPLICABLE: "none",
    Standing.NOT_IN_SCOPE: "none",
}
ODD: Final = "!"
CONTROL_COLUMNS: Final = (
    Column("standing", "Standing", 12, "badge"),
    Column("odd", "Beside guarded", 9),
    Column("area", "Area", 13),
    Column("control", "Control", 15, "code"),
    Column("route", "Route", 22, "code"),
    Column("why", "Why", 30),
    Column("evidence", "Evidence", 16, "code"),
)


def control_grid(scene: Scene) -> Face:
    """The control x route matrix of a W3 review; unguarded routes beside guarded ones stand out."""
    facts = scene.review.facts
    if not isinstance(facts, W3Facts) or facts.inventory is None:
        return Listing(title="There is no control matrix: step 3 was not reached.", headless=scene.headless)
    cells = {f"{number}": cell for number, cell in enumerate(facts.inventory.cells, 1)}
    rows = [
        (key, str(each.standing), "yes" if each.odd else "", str(each.area), each.control, each.route, plain(each.why),
         ", ".join(map(str, each.citations)))
        for key, each in cells.items()
    ]  # fmt: skip
    table = LedgerView(
        frame=pd.DataFrame(rows, columns=["cell", *(column.name for column in CONTROL_COLUMNS)]),
        key="cell",
        columns=CONTROL_COLUMNS,
        facets=("standing", "odd", "area", "control", "route"),
        detail=partial(_control_card, scene, cells),
        clean=scene.clean,
        name=f"controls of {scene.name}",
        title="What each cell rests on",
        headless=scene.headless,
    )
    grid = ControlGrid(cells=tuple(cells.values()), clean=scene.clean, headless=scene.headless)
    return Stack(parts=[grid, table], headless=scene.headless)


@dataclass(frozen=True, kw_only=True)
class ControlGrid(Face):
    """Controls by routes, a sign and its words in each square."""

    cells: Sequence[ControlCell]
    clean: Clean = str
    headless: bool | None = None

    @property
    def routes(self) -> tuple[str, ...]:
        """In the order of the code."""
        return tuple(dict.fromkeys(cell.route for cell in self.cells))[:CAP]

    @property
    def controls(self) -> tuple[tuple[str, str], ...]:
        """Area and control, in the order of the inventory."""
        return tuple(dict.fromkeys((str(cell.area), cell.control) for cell in self.cells))[:CAP]

    def to_text(self) -> str:
        rows = (f"{each.area} {each.control}, {each.route}: {_words(each)}" for each in self.cells)
        return "\n".join(["Controls by routes", *map(self.clean, rows)])

    def to_markdown(self) -> str:
        by_place = self._by_place()
        head = " | ".join(escape.cell_code(self.clean(route)) for route in self.routes)
        rows = [
            f"| {escape.cell(self.clean(area))} | {escape.cell_code(self.clean(control))} | "
            + " | ".join(_sign(by_place.get((control, route))) for route in self.routes)
            + " |"
            for area, control in self.controls
        ]
        grid = "\n".join([f"| Area | Control | {head} |", "|---" * (len(self.routes) + 2) + "|", *rows])
        return f"**Controls by routes**\n\n{escape.prose(legend())}\n\n{grid}"

    def to_html(self) -> Markup:
        by_place = self._by_place()
        names = (*("Area", "Control"), *map(self.clean, self.routes))
        heads = joined(tag("th", text(name, 80), scope="col", class_="evr-code") for name in names)
        rows = joined(
            tag(
                "tr",
                tag("td", text(self.clean(area))),
                tag("th", text(self.clean(control), 200), scope="row", class_="evr-code"),
                *(tag("td", _mark(by_place.get((control, route)))) for route in self.routes),
            )
            for area, control in self.controls
        )
        caption = tag("caption", text("Controls by routes"))
        table = tag("table", caption, tag("thead", tag("tr", heads)), tag("tbody", rows), class_="evr-matrix")
        return joined([tag("div", table, class_="evr-wide"), tag("p", text(legend()), class_="evr-muted")])

    def _by_place(self) -> dict[tuple[str, str], ControlCell]:
        return {(cell.control, cell.route): cell for cell in self.cells}


def legend() -> str:
    """The signs, in words."""
    signs: dict[str, list[str]] = {}
    for standing, sign in SIGNS.items():
        signs.setdefault(sign, []).append(str(standing))
    told = ", ".join(f"{sign} {' or '.join(words)}" for sign, words in signs.items())
    return f"{told}; {ODD} unguarded beside guarded routes"


def _words(cell: ControlCell) -> str:
    return f"{cell.standing}, beside guarded routes" if cell.odd else str(cell.standing)


def _sign(cell: ControlCell | None) -> str:
    return "" if cell is None else SIGNS[cell.standing] + (ODD if cell.odd else "")


def _mark(cell: ControlCell | None) -> Markup:
    if cell is None:
        return text("")
    tone = "bad" if cell.odd else TONES[cell.standing]
    sign = tag("span", text(_sign(cell)), aria_hidden="true", title=_words(cell), class_=f"evr-mark evr-{tone}")
    return joined([sign, tag("span", text(_words(cell)), class_="evr-hidden")])


def _control_card(scene: Scene, cells: Mapping[str, ControlCell], key: str) -> Card:
    """KeyError for a key that no cell has."""
    each = cells[key]
    facts = (("Area", str(each.area)), ("Route", each.route), ("Standing", _words(each)), ("Why", plain(each.why)))
    return Card(
        title=f"{each.control} on {each.route}",
        facts=facts,
        quotes=quotes(scene.review.bundle, each.citations, scene.clean),
        clean=scene.clean,
        headless=scene.headless,
    )
