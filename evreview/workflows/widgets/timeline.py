"""Dates in their order, and after them what has none yet: as one picture, and as a list that says the same."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.report import escape
from evreview.workflows.widgets.renderables import Clean, Markup, Renderable, joined, scroller, shortened, tag, text

LEAST: Final = 3
"""Marks that are worth a picture."""
MOST: Final = 24
"""Marks that are drawn; the list counts the others."""
WIDTH: Final = 1136
"""Pixels of the whole picture, where its marks have room in them."""
_SLOT: Final = 142
_SIGN: Final = 6.4
_LINE: Final = 13
_LINES: Final = 6
_AXIS: Final = 22
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One thing on the line.

    Attributes:
        what: what happens.
        day: its ISO date, "" where none is known.
        waits: what it waits for.
        here: the day of the review.
    """

    what: str
    day: str = ""
    waits: tuple[str, ...] = ()
    here: bool = False

    @property
    def when(self) -> str:
        """The date in words."""
        return self.day or "no date"

    @property
    def behind(self) -> str:
        """What it waits for, in words."""
        return f"waits for {', '.join(self.waits)}" if self.waits else ""


@dataclass(frozen=True, kw_only=True)
class Timeline(Renderable):
    """Marks with a date by their dates, then those without in the order given.

    Attributes:
        marks: what is drawn; with fewer than `LEAST` nothing is.
        clean: redacts every text before it is shown.
    """

    marks: Sequence[Mark]
    clean: Clean = str
    headless: bool | None = None

    @property
    def ordered(self) -> tuple[Mark, ...]:
        """In the order of the line."""
        dated = sorted((mark for mark in self.marks if mark.day), key=lambda mark: (mark.day, mark.here))
        return (*dated, *(mark for mark in self.marks if not mark.day))

    @property
    def lines(self) -> tuple[str, ...]:
        """One line per mark, with everything that the picture says of it."""
        if len(self.marks) < LEAST:
            return ()
        shown = self.ordered[:MOST]
        told = [self._clean("; ".join(filter(None, (f"{mark.when}: {mark.what}", mark.behind)))) for mark in shown]
        more = len(self.marks) - len(shown)
        return (*told, f"{more} more") if more else tuple(told)

    def to_text(self) -> str:
        return "\n".join([TITLE, *(f"- {line}" for line in self.lines)]) if self.lines else ""

    def to_markdown(self) -> str:
        items = "\n".join(f"- {escape.prose(line)}" for line in self.lines)
        return f"**{TITLE}**\n\n{items}" if items else ""

    def to_html(self) -> Markup:
        if not self.lines:
            return text("")
        told = tag("ul", *(tag("li", text(line)) for line in self.lines), class_="evr-hidden")
        name = tag("figcaption", text(f"{TITLE}, in order and not to scale. Dashed: no date is known."),
                   class_="evr-muted")  # fmt: skip
        return tag("figure", name, scroller(self._picture(), TITLE), told, class_="evr-timeline", data_role="timeline")

    def _clean(self, value: str) -> str:
        return shortened(self.clean(value), _LONGEST)

    def _picture(self) -> Markup:
        shown = self.ordered[:MOST]
        slot = max(_SLOT, WIDTH // len(shown))
        wide = slot * len(shown)
        wrapped = [tuple(self._wrapped(mark, int((slot - 8) / _SIGN))) for mark in shown]
        tall = _AXIS + 3 + _LINE * max(map(len, wrapped))
        known = sum(bool(mark.day) for mark in shown)
        edge = known * slot if known < len(shown) else wide
        parts = [_line(0, edge, "evr-known"), _line(edge, wide, "evr-open-end")]
        for at, (mark, lines) in enumerate(zip(shown, wrapped, strict=True)):
            parts.append(_drawn(mark, lines, at * slot + 10))
        sizes = {"width": str(wide), "height": str(tall), "viewBox": f"0 0 {wide} {tall}"}
        return tag("svg", *parts, aria_hidden="true", **sizes)

    def _wrapped(self, mark: Mark, room: int) -> Iterator[str]:
        lines = [line for part in (mark.what, mark.behind) for line in textwrap.wrap(self._clean(part), room)]
        yield from lines[:_LINES] if len(lines) <= _LINES else (*lines[: _LINES - 1], "…")


TITLE: Final = "Rollout and deprecation"


def _line(start: int, end: int, look: str) -> Markup:
    if start == end:
        return text("")
    return tag("line", x1=str(start), x2=str(end), y1=str(_AXIS - 4), y2=str(_AXIS - 4), class_=look)


def _drawn(mark: Mark, lines: Sequence[str], x: int) -> Markup:
    look = "evr-here" if mark.here else "evr-known" if mark.day else "evr-open-end"
    dot = tag("circle", cx=str(x), cy=str(_AXIS - 4), r="5", class_=look)
    when = tag("text", text(mark.when), x=str(x - 6), y="10", class_=look)
    told = [tag("text", text(line), x=str(x - 6), y=str(_AXIS + 11 + _LINE * row)) for row, line in enumerate(lines)]
    return joined([dot, when, *told])
