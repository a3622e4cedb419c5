"""A heat map: rows by columns, a word in each square, a colour behind it; one that leads somewhere is a button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evreview.workflows.widgets.renderables import Markup, joined, tag, text

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
        return tag("span", text(square.word), class_=looks, **named) if square.word else text("")
    return tag("button", text(square.word), type="button", class_=looks, data_do=square.do, data_of=square.of,
               title=square.says, aria_label=square.says, aria_pressed="true" if square.chosen else "false",
               tabindex="0" if stop else "-1")  # fmt: skip
