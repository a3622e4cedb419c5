"""A page of a table as Markdown, text and HTML; evidence is escaped in every position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from evreview.report import escape
from evreview.widgets.columns import Column, columns_of
from evreview.widgets.fitting import ROOM, SHOWN, fitted, without_empty
from evreview.widgets.markup import Markup, joined, shortened, tag, text
from evreview.workflows.widgets.faces import Clean, Face
from evreview.workflows.widgets.styles import TONES
from evreview.workflows.widgets.table import Page, Query, TableQuery

CAP: Final = 100
"""Rows that a static face shows; the count of the others is said."""
_CELL: Final = 300


def badge(word: str) -> Markup:
    """The word, coloured by its tone when it has one; the word itself is always there."""
    return tag("span", text(word), class_=f"evr-badge evr-{TONES.get(word, 'plain')}") if word else text("")


def said(page: Page) -> str:
    """How many rows are shown of how many, in words."""
    shown = len(page.keys)
    if shown == page.matched == page.total:
        return f"{page.total:,} row{'' if page.total == 1 else 's'}."
    if page.matched == page.total:
        return f"{shown:,} of {page.total:,} rows shown."
    return f"{shown:,} of {page.matched:,} matching rows shown, {page.total:,} in all."


def markdown_table(columns: Sequence[Column], page: Page) -> str:
    """The page as a GitHub-flavoured table, followed by how many rows there are."""
    head = "| " + " | ".join(escape.cell(column.label) for column in columns) + " |"
    rule = "|" + "---|" * len(columns)
    rows = ["| " + " | ".join(escape.cell(shortened(value, _CELL)) for value in row) + " |" for row in page.rows]
    return "\n".join([head, rule, *rows, "", said(page)])


def text_table(columns: Sequence[Column], page: Page) -> str:
    """The page as tab-separated lines, followed by how many rows there are."""
    lines = ["\t".join(column.label for column in columns)]
    lines += ["\t".join(" ".join(shortened(value, _CELL).split()) for value in row) for row in page.rows]
    return "\n".join([*lines, said(page)])


def html_table(columns: Sequence[Column], page: Page, caption: str, *, least: int = 0) -> Markup:
    """The page as a table with a caption, column headers with a scope, and how many rows there are.

    Args:
        columns, page, caption: what is shown.
        least: pixels that the table needs; it scrolls where the notebook has fewer.
    """
    head = joined(tag("th", text(column.label), scope="col") for column in columns)
    body = joined(tag("tr", joined(_cells(columns, row))) for row in page.rows)
    parts = [_widths(columns), tag("thead", tag("tr", head)), tag("tbody", body)]
    if caption:
        parts.insert(0, tag("caption", text(caption)))
    table = tag("table", *parts, class_="evr-grid evr-wrap", style=f"min-width:{least}px" if least > ROOM else "")
    table = tag("div", table, class_="evr-wide") if least > ROOM else table
    return joined([table, tag("p", text(said(page)), class_="evr-muted")])


def body_table(columns: Sequence[Column], page: Page, *, label: str, query: Query, opened: str) -> Markup:
    """The page beside its row buttons: rows of one height, headers for screen readers, the open row marked."""
    head = joined(tag("th", text(column.label), scope="col", aria_sort=_direction(column, query)) for column in columns)
    head = joined([tag("th", text("Row"), scope="col"), head])
    rows = joined(
        tag(
            "tr",
            tag("th", tag("span", text(key), class_="evr-hidden"), scope="row", style="width:0;padding:0"),
            joined(_cells(columns, row, whole=True)),
            class_="evr-open" if key == opened else "",
        )
        for key, row in zip(page.keys, page.rows, strict=True)
    )
    widths = joined([tag("col", style="width:0"), _widths(columns)])
    return tag(
        "table",
        widths,
        tag("thead", tag("tr", head), class_="evr-hidden"),
        tag("tbody", rows),
        class_="evr-grid",
        aria_label=label,
    )


def _cells(columns: Sequence[Column], row: Sequence[str], *, whole: bool = False) -> list[Markup]:
    """The cells of one row; `whole` repeats the text as a tool tip, for cells that are cut by their width."""
    made = []
    for column, value in zip(columns, row, strict=True):
        hint = shortened(value, _CELL) if whole else ""
        if column.look == "badge":
            made.append(tag("td", badge(value), class_="evr-word"))
        else:
            shown = text(value, _CELL)
            inside = tag("div", shown, class_="evr-two") if whole else shown
            made.append(tag("td", inside, class_="evr-code" if column.look == "code" else "", title=hint))
    return made


def _widths(columns: Sequence[Column]) -> Markup:
    return joined(tag("col", style=f"width:{share:.2f}%") for share in shares(columns))


def shares(columns: Sequence[Column]) -> tuple[float, ...]:
    """The columns' widths in per cent."""
    whole = sum(column.share for column in columns) or 1
    return tuple(100 * column.share / whole for column in columns)


def _direction(column: Column, query: Query) -> str:
    if column.name != query.sort:
        return "none"
    return "descending" if query.descending else "ascending"


@dataclass(frozen=True, kw_only=True)
class TableFace(Face):
    """A small table that needs no searching; at most `CAP` rows are shown, and the others are counted.

    Of a wide table whose columns nobody chose, those that hold nothing, and of a step's ledger those that the step is
    not about, are named below it.
    """

    frame: pd.DataFrame
    title: str = ""
    columns: tuple[Column, ...] = ()
    clean: Clean = str
    headless: bool | None = None

    def to_text(self) -> str:
        columns, page, rest = self._page()
        return "\n".join(part for part in (self.title, text_table(columns, page), rest) if part)

    def to_markdown(self) -> str:
        columns, page, rest = self._page()
        heading = f"**{escape.prose(self.title)}**\n\n" if self.title else ""
        return heading + markdown_table(columns, page) + (f" {escape.prose(rest)}" if rest else "")

    def to_html(self) -> Markup:
        columns, page, rest = self._page()
        least = 0 if self.columns else sum(column.share for column in columns)
        table = html_table(columns, page, caption=self.title, least=least)
        return joined([table, tag("p", text(rest), class_="evr-muted")]) if rest else table

    def _page(self) -> tuple[tuple[Column, ...], Page, str]:
        names = [str(name) for name in self.frame.columns]
        told = [name for name in SHOWN.get(self.title, ()) if name in names]
        columns = self.columns or columns_of(told or names)
        numbered = self.frame.assign(**{"": range(len(self.frame))})
        page = TableQuery(numbered, "", [column.name for column in columns], self.clean).page(Query(page_size=CAP))
        if self.columns:
            return columns, page, ""
        kept, page, empty = without_empty(columns, page)
        further = [column.label for column in columns_of([name for name in names if told and name not in told])]
        return fitted(kept, page), page, _rest(empty, further)


def _rest(empty: Sequence[str], further: Sequence[str]) -> str:
    parts = [f"Columns without a value: {', '.join(empty)}."] if empty else []
    parts += [f"Further columns, in the register: {', '.join(further)}."] if further else []
    return " ".join(parts)
