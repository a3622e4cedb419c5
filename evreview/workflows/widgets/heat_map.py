"""A heat map: rows by columns, a word in each square, a colour behind it; one that leads somewhere is a button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.report import escape
from evreview.workflows.widgets.renderables import Clean, Markup, joined, scroller, tag, text
from evreview.workflows.widgets.styles import TONES

NONE: Final = "none"
"""Stands in a square without a row, which is no gap."""
_NAME: Final = 160
_WORD: Final = 78
"""Pixels of a row's name and of a square, below which the map scrolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """One square.

    Attributes:
        word: what stands in it.
        looks: classes that colour it.
        says: the same with its row and column, for who does not see them; the name of the button.
        do, of: what the browser sends when it is pressed; "" for a square that leads nowhere.
        chosen: whether it is pressed now.
    """

    word: str = ""
    looks: tuple[str, ...] = ()
    says: str = ""
    do: str = ""
    of: str = ""
    chosen: bool = False


def heat_table(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Square]]], *, caption: str) -> Markup:
    """The squares as a table: the first head names the rows. One button is a tab stop, arrow keys reach the others."""
    first = next((each for _, squares in rows for each in squares if each.chosen), None) or next(
        (each for _, squares in rows for each in squares if each.do), None
    )
    head = tag("thead", tag("tr", *(tag("th", text(each), scope="col", class_="evr-head") for each in heads)))
    body = joined(
        tag(
            "tr",
            tag("th", text(name, 200), scope="row", class_="evr-code"),
            *(tag("td", _drawn(each, stop=each is first)) for each in squares),
        )
        for name, squares in rows
    )
    said = tag("caption", text(caption)) if caption else text("")
    least = f"min-width:{_NAME + _WORD * (len(heads) - 1)}px"
    return tag("table", said, head, tag("tbody", body), class_="evr-matrix", style=least)


def _drawn(square: Square, *, stop: bool) -> Markup:
    looks = " ".join(("evr-square", *square.looks))
    if not square.do:
        named = {"role": "img", "aria_label": square.says, "title": square.says} if square.says else {}
        return tag("span", text(square.word), class_=looks, **named) if square.word else text(NONE)
    return tag("button", text(square.word), type="button", class_=looks, data_do=square.do, data_of=square.of,
               title=square.says, aria_label=square.says, aria_pressed="true" if square.chosen else "false",
               tabindex="0" if stop else "-1")  # fmt: skip


# The heat map of a table: a square filters the rows to those that it stands for.


LEAST: Final = 3
"""Squares with a word, without which a map is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatLine:
    """One row of a map.

    Attributes:
        label: what a reader sees.
        values: of the row's facet; several where the line sums the rest.
        words: one per column, "" for none.
        short: the same in what a narrow square has room for; the words by default.
        looks: the word of each that `TONES` knows.
    """

    label: str
    values: tuple[str, ...]
    words: tuple[str, ...]
    looks: tuple[str, ...]
    short: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """Two facets of a table against each other.

    Attributes:
        title: the sentence that says what a square is.
        facets: of the rows, of the columns.
        corner: what the rows are.
        heads: of the columns.
        columns: the values of the columns' facet that each stands for; its head by default.
        lines: the rows, worst first.
    """

    title: str
    facets: tuple[str, str]
    corner: str
    heads: tuple[str, ...]
    lines: tuple[HeatLine, ...]
    columns: tuple[tuple[str, ...], ...] = ()

    @property
    def is_told(self) -> bool:
        """False for a map of too few words to show."""
        return sum(bool(word) for line in self.lines for word in line.words) >= LEAST

    def asked(self, of: str) -> dict[str, tuple[str, ...]]:
        """The facets that a square stands for; none for what is no square."""
        row, _, column = of.partition(":")
        if not (
            row.isdecimal() and column.isdecimal() and int(row) < len(self.lines) and int(column) < len(self.heads)
        ):
            return {}
        columns = self.columns or tuple((head,) for head in self.heads)
        return {self.facets[0]: self.lines[int(row)].values, self.facets[1]: columns[int(column)]}

    def to_markdown(self, clean: Clean) -> str:
        rows = [
            (self.corner, *self.heads),
            *((line.label, *(word or NONE for word in line.words)) for line in self.lines),
        ]
        head, *body = (f"| {' | '.join(str(escape.cell(clean(each))) for each in row)} |" for row in rows)
        table = "\n".join([head, f"|{' --- |' * len(rows[0])}", *body])
        return f"**{escape.prose(self.title)}**\n\n{table}"

    def to_html(
        self,
        clean: Clean,
        leads: Callable[[str], bool] = lambda _: False,
        chosen: Callable[[str], bool] = lambda _: False,
    ) -> Markup:
        """The map; a square that leads to rows is a button."""
        rows = []
        for at, line in enumerate(self.lines):
            drawn = []
            told_by = zip(line.words, line.short or line.words, line.looks, strict=True)
            for place, (word, short, look) in enumerate(told_by):
                of, told = f"{at}:{place}", clean(f"{line.label}, {self.heads[place]}: {word}")
                drawn.append(Square(word=clean(short), looks=(f"evr-{TONES.get(look, 'plain')}",) if word else (),
                                    says=told if word else "", do="filter" if word and leads(of) else "", of=of,
                                    chosen=chosen(of)))  # fmt: skip
            rows.append((clean(line.label), drawn))
        heads = (self.corner, *map(clean, self.heads))
        return scroller(heat_table(heads, rows, caption=self.title), self.title)
