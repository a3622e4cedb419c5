"""A table of any size: searched, filtered, sorted and paged over a frame.

Every answer names rows by key, never by position. Each column is factorised once, when it is first asked for: its
distinct texts and a code per row. So a search looks at distinct texts only, and 50,000 rows answer within a keystroke.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pandas as pd

Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a reader asks of a table.

    Attributes:
        search: words that must all occur somewhere in the row, in its key or any column, in any case.
        facets: for a column, the values of which a row must have one; an empty tuple asks nothing. A cell that is a
            tuple has each of its members as a value.
        without: for a column, the values that no row may have.
        sort: the column to sort by, "" for the frame's own order.
        descending: the other way round; empty cells stay last either way.
        page: from 1; a page past the end means the last one.
        page_size: rows per page.
    """

    search: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    without: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sort: str = ""
    descending: bool = False
    page: int = 1
    page_size: int = 50


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

    @cached_property
    def members(self) -> dict[str, Codes]:
        """The rows of each value; a cell that is a tuple has each of its members."""
        found: dict[str, list[int]] = {}
        for row, value in enumerate(self._values.tolist()):
            for member in dict.fromkeys(map(text_of, value if isinstance(value, tuple) else (value,))):
                found.setdefault(member, []).append(row)
        return {name: np.asarray(rows, dtype=np.int64) for name, rows in found.items()}

    def among(self, wanted: Sequence[str]) -> Mask:
        """Rows that have one of the values wanted."""
        held: Mask = np.zeros(len(self._values), dtype=np.bool_)
        for name in wanted:
            held[self.members.get(name, [])] = True
        return held

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
        self._told: dict[int, tuple[str, ...]] = {}

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

    def count(self, query: Query) -> int:
        """How many rows the query matches, without the texts of any."""
        return int(np.count_nonzero(self._matching(query)))

    def values(self, column: str) -> tuple[tuple[str, int], ...]:
        """The distinct texts of a column with their counts: most frequent first, then by name."""
        found = [(name, len(rows)) for name, rows in self._column(column).members.items()]
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
        """The texts of one row, without factorising whole columns for it; each row is read and cleaned once."""
        if row not in self._told:
            self._told[row] = tuple(self._clean(text_of(each.iat[row])) for each in self._series)
        return self._told[row]

    @cached_property
    def _series(self) -> tuple[pd.Series[Any], ...]:
        return tuple(self._frame[name] for name in self.columns)

    def _matching(self, query: Query) -> Mask:
        found: Mask = np.ones(len(self._keys), dtype=np.bool_)
        for column, wanted in query.facets.items():
            if wanted:
                found &= self._column(column).among(wanted)
        for column, unwanted in query.without.items():
            found &= ~self._column(column).among(unwanted)
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
