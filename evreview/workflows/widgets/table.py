"""A table of any size: searched, filtered, sorted and paged over a frame, and a page of it as Markdown, text and HTML.

Every answer names rows by key, never by position. Each column is factorised once, when it is first asked for: its
distinct texts and a code per row. So a search looks at distinct texts only, and 50,000 rows answer within a keystroke.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson
import pandas as pd

from evreview.report import escape
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable, joined, shortened, tag, text
from evreview.workflows.widgets.styles import TONES

Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a reader asks of a table.

    Attributes:
        search: words that must all occur somewhere in the row, in its key or any column, in any case.
        facets: for a column, the values of which a row must have one; an empty tuple asks nothing.
        sort: the column to sort by, "" for the frame's own order.
        descending: the other way round; empty cells stay last either way.
        page: from 1; a page past the end means the last one.
        page_size: rows per page.
    """

    search: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    page: int = 1
    page_size: int = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the answer.

    Attributes:
        keys: the rows of this page.
        rows: their texts, one tuple per key in the order of the columns.
        matched, total: rows that match, rows there are.
        number, pages: this page and how many there are, both at least 1.
    """

    keys: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    matched: int
    total: int
    number: int
    pages: int


def text_of(value: object) -> str:
    """The text that a reader sees and searches: "" for nothing, JSON for objects and lists, the words otherwise."""
    if value is None or (isinstance(value, float) and value != value) or value is pd.NaT or value is pd.NA:
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, tuple | set | frozenset):
        parts = [text_of(part) for part in value]
        return ", ".join(parts if isinstance(value, tuple) else sorted(parts))
    if isinstance(value, dict | list):
        return json_of(value)
    return str(value)


def json_of(value: object) -> str:
    """The value as compact JSON with sorted keys; a text as it is, without quotes."""
    if isinstance(value, str):
        return str(value)
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()
    except orjson.JSONEncodeError:
        # Integers beyond 64 bits are JSON, and contracts have them as bounds.
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str, separators=(",", ":"))


class _Column:
    """One column: a code per row, -1 for empty, and the distinct texts in order of first appearance."""

    def __init__(self, values: pd.Series[Any]) -> None:
        self._values = values
        if isinstance(values.dtype, pd.CategoricalDtype):
            seen = [text_of(value) for value in values.cat.categories]
            known = np.asarray(values.cat.codes, dtype=np.int64)
            texts = np.where(known < 0, "", np.asarray([*seen, ""], dtype=object)[known])
        else:
            texts = np.empty(len(values), dtype=object)
            # Most cells are plain texts: asking the type first halves the time of a first search.
            texts[:] = [value if type(value) is str else text_of(value) for value in values.tolist()]
        codes, distinct = pd.factorize(texts)
        self.codes: Codes = np.asarray(codes, dtype=np.int64)
        self.texts: list[str] = [str(text) for text in distinct]

    @cached_property
    def folded(self) -> list[str]:
        return [text.casefold() for text in self.texts]

    def matches(self, word: str) -> Mask:
        """Rows whose text has the case-folded word in it."""
        return self.pick([word in text for text in self.folded])

    def among(self, wanted: Sequence[str]) -> Mask:
        """Rows whose text is one of those wanted."""
        chosen = set(wanted)
        return self.pick([text in chosen for text in self.texts])

    def pick(self, chosen: Sequence[bool]) -> Mask:
        if not self.texts:
            return np.zeros(len(self.codes), dtype=np.bool_)
        return np.asarray(chosen, dtype=np.bool_)[self.codes]

    @cached_property
    def ranks(self) -> npt.NDArray[np.float64]:
        """The place of each row in ascending order, NaN for an empty cell; equal values share a rank."""
        plain = self._values.infer_objects()
        if isinstance(plain.dtype, pd.CategoricalDtype):
            codes: npt.NDArray[np.float64] = np.array(plain.cat.codes, dtype=np.float64)
            codes[codes < 0] = np.nan
            return codes
        if pd.api.types.is_numeric_dtype(plain) or pd.api.types.is_datetime64_any_dtype(plain):
            ranked: npt.NDArray[np.float64] = np.array(plain.rank(method="dense"), dtype=np.float64)
            return ranked
        order = {text: rank for rank, text in enumerate(sorted(set(self.folded)))}
        place = np.asarray([order[text] if text else np.nan for text in self.folded], dtype=np.float64)
        return place[self.codes] if len(place) else np.zeros(len(self.codes))


class TableQuery:
    """Answers queries over one frame.

    Args:
        frame: one row per `key`; it is not copied and must not change while it is shown.
        key: the column that names a row; its values are unique texts.
        columns: which columns are shown, all by default; they and the key are searched.
        clean: what redacts a text of a page before it is shown.

    Raises:
        ValueError: a column is missing, or two rows share a key.
    """

    def __init__(
        self, frame: pd.DataFrame, key: str, columns: Sequence[str] = (), clean: Callable[[str], str] = str
    ) -> None:
        self.columns: tuple[str, ...] = tuple(columns) or tuple(str(name) for name in frame.columns)
        lacking = [name for name in (key, *self.columns) if name not in frame.columns]
        if lacking:
            raise ValueError(f"the frame has no column {', '.join(lacking)}")
        self._frame = frame
        self._clean = clean
        self._keys = [str(value) for value in frame[key]]
        self._row_of = {name: row for row, name in enumerate(self._keys)}
        if len(self._row_of) != len(self._keys):
            raise ValueError(f"two rows share one {key}")
        self._searched = tuple(dict.fromkeys((key, *self.columns)))
        self._columns: dict[Hashable, _Column] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._row_of

    def page(self, query: Query) -> Page:
        """The page that the query asks for."""
        rows = self._order(query, np.flatnonzero(self._matching(query)))
        size = max(1, query.page_size)
        pages = max(1, -(-len(rows) // size))
        number = min(max(1, query.page), pages)
        shown = [int(row) for row in rows[(number - 1) * size : number * size]]
        return Page(
            keys=tuple(self._keys[row] for row in shown),
            rows=tuple(self._texts(row) for row in shown),
            matched=len(rows),
            total=len(self._keys),
            number=number,
            pages=pages,
        )

    def values(self, column: str) -> tuple[tuple[str, int], ...]:
        """The distinct texts of a column with their counts: most frequent first, then by name."""
        part = self._column(column)
        counts = np.bincount(part.codes, minlength=len(part.texts))
        found = [(text, int(count)) for text, count in zip(part.texts, counts, strict=True) if count]
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))

    def row(self, key: str) -> dict[str, str]:
        """The texts of one row by column.

        Raises:
            KeyError: there is no such row.
        """
        return dict(zip(self.columns, self._texts(self._row_of[key]), strict=True))

    def _column(self, name: str) -> _Column:
        if name not in self._columns:
            self._columns[name] = _Column(self._frame[name])
        return self._columns[name]

    def _texts(self, row: int) -> tuple[str, ...]:
        """The texts of one row, without factorising whole columns for it."""
        return tuple(self._clean(text_of(self._frame[name].iat[row])) for name in self.columns)

    def _matching(self, query: Query) -> Mask:
        found: Mask = np.ones(len(self._keys), dtype=np.bool_)
        for column, wanted in query.facets.items():
            if wanted:
                found &= self._column(column).among(wanted)
        for word in query.search.casefold().split():
            anywhere: Mask = np.zeros(len(self._keys), dtype=np.bool_)
            for column in self._searched:
                anywhere |= self._column(column).matches(word)
            found &= anywhere
        return found

    def _order(self, query: Query, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        if not query.sort:
            return rows
        ranks = self._column(query.sort).ranks[rows]
        # NaN sorts last in either direction, and a stable sort keeps the frame's order among equals.
        return rows[np.argsort(-ranks if query.descending else ranks, kind="stable")]


# What a reader chose in a view, kept for the life of the kernel, so that a rerun of the cell keeps it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The query and the opened row of one view."""

    query: Query = field(default_factory=Query)
    opened: str = ""


_KEPT: dict[str, Choice] = {}


def recall(name: str) -> Choice | None:
    """What the reader chose last in the view of that name; None for a view without a name or without a history."""
    return _KEPT.get(name) if name else None


def keep(name: str, choice: Choice) -> None:
    """Remember the choice under the view's name; a view without a name is not remembered."""
    if name:
        _KEPT[name] = choice


def forget() -> None:
    """Drop every remembered choice."""
    _KEPT.clear()


# The columns of a table that is shown.


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is shown.

    Attributes:
        name: its name in the frame.
        label: what the reader sees.
        share: its part of the table's width, relative to the others.
        look: `plain`, `code` for ids and addresses, `badge` for a closed vocabulary's words.
    """

    name: str
    label: str
    share: int = 10
    look: str = "plain"


def columns_of(names: Sequence[str]) -> tuple[Column, ...]:
    """Plain columns of equal width, labelled by their names."""
    return tuple(Column(name, name.replace("_", " ").capitalize()) for name in names)


# Which columns of a wide table are shown, and how wide each one is: what nobody can read is no renderable.


MANY: Final = 8
"""Up to so many columns a table shows those without a value too."""
ROOM: Final = 960
"""Pixels that a notebook has for a table; a wider one scrolls."""
_LEAST, _MOST, _SIGN, _EDGE = 56, 280, 8, 18
_LINES: Final = 4
"""Lines over which a long text may run."""
SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "Wire difference ledger": (*("delta_id", "address", "role", "change", "aspect", "facet", "released", "candidate"),),
    "Producer direction": (
        *("delta_id", "address", "rule", "verdict", "accepts_old_requests", "emits_old_compatible", "proof_status"),
        "why",
    ),
}
"""Of a step's table by its title, the columns that the step is about; the register has them all."""


def without_empty(columns: Sequence[Column], page: Page) -> tuple[tuple[Column, ...], Page, tuple[str, ...]]:
    """The columns and page without columns that no row has a value in, and the labels of those.

    Args:
        columns: of the page.
        page: every row of the table.
    """
    if len(columns) <= MANY or not page.rows or len(page.rows) < page.total:
        return tuple(columns), page, ()
    held = [any(row[at] for row in page.rows) for at in range(len(columns))]
    if all(held):
        return tuple(columns), page, ()
    kept = tuple(column for column, keep in zip(columns, held, strict=True) if keep)
    rows = tuple(tuple(cell for cell, keep in zip(row, held, strict=True) if keep) for row in page.rows)
    empty = tuple(column.label for column, keep in zip(columns, held, strict=True) if not keep)
    return kept, replace(page, rows=rows), empty


def fitted(columns: Sequence[Column], page: Page) -> tuple[Column, ...]:
    """The columns with the pixels that their texts need as their shares."""
    return tuple(
        replace(column, share=_pixels([column.label, *(row[at] for row in page.rows)]))
        for at, column in enumerate(columns)
    )


def _pixels(texts: Sequence[str]) -> int:
    longest = max(len(text) for text in texts)
    word = max((len(word) for text in texts[:40] for word in text.split()), default=0)
    return max(_LEAST, min(_MOST, _EDGE + _SIGN * max(min(word, 24), -(-longest // _LINES))))


# A page of a table as Markdown, text and HTML; evidence is escaped in every position.


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
class TableRenderable(Renderable):
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
