"""A page of a table as Markdown, text and HTML: one look for every frame. Evidence is escaped in every position.

Widths are fixed per column kind, a cell has at most two lines, and a row's card holds the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import pandas as pd

from evreview.report import escape
from evreview.workflows.widgets.renderables import Markup, joined, scroller, shortened, tag, text
from evreview.workflows.widgets.styles import TONES
from evreview.workflows.widgets.table import Page, Query

MOST: Final = 8
"""Columns that a table shows, its key among them; the row's card has the rest."""
CAP: Final = 100
"""Rows that a static face shows; the count of the others is said."""
TALL: Final = 12
"""More rows than this keep their header in sight."""
ROOM: Final = 1150
"""Pixels of a notebook's output."""
_CELL: Final = 300
_LINES: Final = 2
_SIGN: Final = 7.2
_EDGE: Final = 16
_SHORT: Final = 18
"""The most characters of an id."""


class Look(StrEnum):
    """What kind of column it is, which gives its width."""

    ID = "id"
    BADGE = "badge"
    DATE = "date"
    NUMBER = "number"
    CODE = "code"
    WORDS = "words"


_FIXED: Final = {Look.ID: 130, Look.BADGE: 104, Look.DATE: 100, Look.NUMBER: 72}
"""Pixels of 14, 10, 11 and 6 characters with the cell's edges; numbers leave room for their header."""
_LEAST: Final = {Look.CODE: 110, Look.WORDS: 130}
_SHARE: Final = {Look.CODE: 1.0, Look.WORDS: 1.5}


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is shown: its name in the frame, what the reader sees, its kind."""

    name: str
    label: str
    look: Look = Look.WORDS


def columns_of(names: Sequence[str], frame: pd.DataFrame | None = None) -> tuple[Column, ...]:
    """Columns labelled by their names; numbers and dates of the frame get the width of such."""
    return tuple(
        Column(name, name.replace("_", " ").capitalize(), Look.WORDS if frame is None else _look(frame[name]))
        for name in names
    )


def _look(values: pd.Series) -> Look:
    if pd.api.types.is_bool_dtype(values) or values.empty:
        return Look.WORDS
    if pd.api.types.is_numeric_dtype(values):
        return Look.NUMBER
    first = next((each for each in values.head(20) if isinstance(each, str) and each), "")
    return Look.DATE if re.fullmatch(r"\d{4}-\d\d-\d\d", first) else Look.WORDS


def widths(columns: Sequence[Column]) -> tuple[float, ...]:
    """The columns' widths in pixels, where the output has `ROOM`."""
    left = ROOM - sum(_FIXED.get(column.look, 0) for column in columns)
    shares = sum(_SHARE.get(column.look, 0) for column in columns) or 1
    return tuple(_FIXED.get(column.look) or left * _SHARE[column.look] / shares for column in columns)


def least_width(columns: Sequence[Column]) -> int:
    """Pixels below which the table scrolls instead of shrinking."""
    return sum(_FIXED.get(column.look) or _LEAST[column.look] for column in columns)


def is_cut(columns: Sequence[Column], row: Sequence[str]) -> bool:
    """True where a cell of the row may need more than its lines."""
    room = zip(row, widths(columns), strict=True)
    return any(
        len(value) > _LINES * (width - _EDGE) / _SIGN * 0.9 or value.count("\n") >= _LINES for value, width in room
    )


def said(page: Page) -> str:
    """How many rows are shown of how many, in words."""
    shown = len(page.keys)
    if shown == page.matched == page.total:
        return f"{page.total:,} row{'' if page.total == 1 else 's'}."
    part = f", page {page.number:,} of {page.pages:,}" if page.pages > 1 else ""
    if page.matched == page.total:
        return f"{shown:,} of {page.total:,} rows{part}."
    of = f" of {page.matched:,} that match" if shown < page.matched else ""
    return f"{shown:,}{of} of {page.total:,} rows{part}."


def badge(word: str, before: str = "") -> Markup:
    """The word, coloured by its tone when it has one; the word itself is always there, a count may stand before it."""
    tone = TONES.get(word, "plain")
    return tag("span", text(f"{before}{word}"), class_=f"evr-badge evr-{tone}") if word else text("")


def markdown_table(columns: Sequence[Column], page: Page) -> str:
    """The page as a GitHub-flavoured table, followed by how many rows there are."""
    head = "| " + " | ".join(escape.cell(column.label) for column in columns) + " |"
    rule = "|" + "".join("---:|" if column.look is Look.NUMBER else "---|" for column in columns)
    rows = ["| " + " | ".join(escape.own_id(shortened(value, _CELL)) for value in row) + " |" for row in page.rows]
    return "\n".join([head, rule, *rows, "", said(page)])


def text_table(columns: Sequence[Column], page: Page) -> str:
    """The page as tab-separated lines, followed by how many rows there are."""
    lines = ["\t".join(column.label for column in columns)]
    lines += ["\t".join(" ".join(shortened(value, _CELL).split()) for value in row) for row in page.rows]
    return "\n".join([*lines, said(page)])


# HTML. The first column is the key. Static, a row's key is a summary that opens the row below without a script;
# shown live, keys and headers are buttons, which `row_table.js` wires.


def static_table(
    columns: Sequence[Column], page: Page, *, caption: str, card: Callable[[str], Markup] | None = None
) -> Markup:
    """The page as a table that needs no script, followed by how many rows there are.

    Args:
        columns, page: what is shown; the first column is the key.
        caption: the sentence that says what one row is, and the name of the region.
        card: what a row opens; a row that it has nothing for does not open.
    """
    heads = joined(tag("th", text(column.label), scope="col", class_=_class(column)) for column in columns)
    rows = []
    for key, row in zip(page.keys, page.rows, strict=True):
        opened = card(key) if card else text("")
        shown = text(row[0], _CELL)
        first = tag("details", tag("summary", shown, aria_label=f"Open {row[0]}"[:_CELL])) if opened else shown
        rows.append(tag("tr", _head_cell(columns[0], first), joined(_cells(columns[1:], row[1:]))))
        if opened:
            rows.append(_card_row(opened, len(columns)))
    table = _table(columns, heads, rows, caption)
    # Without a script nobody knows whether it overflows: what may is reached by keyboard.
    return joined(
        [
            scroller(table, caption, "evr-tall" if len(page.rows) > TALL else ""),
            tag("p", text(said(page)), class_="evr-muted"),
        ]
    )


def live_table(  # noqa: PLR0913  one page is drawn from all of it
    columns: Sequence[Column],
    page: Page,
    *,
    caption: str,
    query: Query,
    opened: str = "",
    card: Markup | None = None,
    opens: bool = True,
) -> Markup:
    """The page as a table of buttons: headers sort, keys open the card below their row."""
    heads = joined(_sorter(column, query) for column in columns)
    rows = []
    for key, row in zip(page.keys, page.rows, strict=True):
        is_open = opens and key == opened
        first = _opener(key, row[0], is_open=is_open) if opens else text(row[0], _CELL)
        rows.append(
            tag(
                "tr",
                _head_cell(columns[0], first),
                joined(_cells(columns[1:], row[1:])),
                class_="evr-open" if is_open else "",
            )
        )
        if is_open and card is not None:
            rows.append(_card_row(card, len(columns), id_=CARD))
    return _table(columns, heads, rows, caption)


CARD: Final = "evr-card"
"""Stands for the id of the opened row; the script makes it unique on the page."""


def _opener(key: str, label: str, *, is_open: bool) -> Markup:
    controls = CARD if is_open else ""
    state = "true" if is_open else "false"
    return tag("button", text(label, _CELL), type="button", class_="evr-key", data_do="open", data_of=key,
               aria_label=f"Open {label}"[:_CELL], aria_expanded=state, aria_controls=controls)  # fmt: skip


def _sorter(column: Column, query: Query) -> Markup:
    sorted_ = column.name == query.sort
    way = ("descending" if query.descending else "ascending") if sorted_ else "none"
    arrow = (" ▼" if query.descending else " ▲") if sorted_ else ""
    mark = tag("span", text(arrow), aria_hidden="true") if arrow else text("")
    button = tag(
        "button", text(column.label), mark, type="button", class_="evr-sort", data_do="sort", data_of=column.name
    )
    return tag("th", button, scope="col", aria_sort=way, class_=_class(column))


def _table(columns: Sequence[Column], heads: Markup, rows: Sequence[Markup], caption: str) -> Markup:
    cols = joined(tag("col", style=style) for style in _column_styles(columns))
    parts = [cols, tag("thead", tag("tr", heads)), tag("tbody", *rows)]
    if caption:
        parts.insert(0, tag("caption", text(caption)))
    return tag("table", *parts, class_="evr-grid", style=f"min-width:{least_width(columns)}px")


def _column_styles(columns: Sequence[Column]) -> Iterator[str]:
    """An id, a badge, a date and a number are as wide as they are written, whatever the room; the others share it."""
    shares = {_SHARE[column.look] for column in columns if column.look in _SHARE}
    for column, width in zip(columns, widths(columns), strict=True):
        if column.look in _FIXED:
            yield f"width:{width}px"
        else:
            # A column without a width takes an equal part of what is left.
            yield f"width:{100 * width / ROOM:.2f}%" if _SHARE[column.look] < max(shares) else ""


def _card_row(card: Markup, columns: int, **attributes: str) -> Markup:
    return tag("tr", tag("td", card, colspan=str(columns)), class_="evr-below", **attributes)


def _head_cell(column: Column, content: Markup) -> Markup:
    return tag("th", content, scope="row", class_=_class(column))


def _cells(columns: Sequence[Column], row: Sequence[str]) -> list[Markup]:
    return [
        tag("td", badge(shortened(value, _CELL)), class_="evr-word")
        if column.look is Look.BADGE
        else tag("td", tag("div", text(value, _CELL), class_="evr-two"), class_=_class(column))
        for column, value in zip(columns, row, strict=True)
    ]


def _class(column: Column) -> str:
    return {Look.CODE: "evr-code", Look.ID: "evr-code", Look.NUMBER: "evr-number"}.get(column.look, "")
