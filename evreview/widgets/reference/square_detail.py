"""One square, opened: what each source says, the cited lines quoted, the discrepancies about it."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.core.quoted_text import plain
from evreview.evidence.item import Bundle
from evreview.reference.model import Cell, Source
from evreview.report import escape
from evreview.widgets.reference.square import TONES, Square
from evreview.workflows.widgets.citation_card import Quote, quotes, quotes_html, quotes_lines, quotes_markdown
from evreview.workflows.widgets.faces import Clean, Face, Markup, joined, tag, text


@dataclass(frozen=True, slots=True)
class Side:
    """One source's part: its standing, what it says or why it says nothing, and the quoted evidence."""

    source: Source
    standing: str
    tone: str
    lines: tuple[str, ...]
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, kw_only=True)
class SquareDetail(Face):
    """One square in full.

    Attributes:
        title: operation and concern.
        sides: contract, implementation, tests.
        differences: one line per discrepancy about it.
    """

    title: str
    sides: tuple[Side, ...]
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


def square_detail(square: Square, bundle: Bundle, clean: Clean) -> SquareDetail:
    """The square with its evidence, everything redacted."""
    return SquareDetail(
        title=clean(f"{square.operation}: {square.concern}"),
        sides=tuple(_side_of(square.cells[source], bundle, clean) for source in Source if source in square.cells),
        differences=tuple(
            clean(f"{each.id}, {each.kind}: {each.disposal}{f', {each.disposition}' if each.disposition else ''}")
            for each in square.differences
        ),
    )


def _side_of(cell: Cell, bundle: Bundle, clean: Clean) -> Side:
    lines = (*map(plain, cell.says), *([cell.reason] if cell.reason else []))
    found = quotes(bundle, cell.citations, clean)
    return Side(cell.source, str(cell.standing), TONES[cell.standing], tuple(map(clean, lines)), found)


def _side(side: Side) -> Markup:
    standing = tag("span", text(side.standing), class_=f"evr-badge evr-{side.tone}")
    head = tag("h5", text(f"{str(side.source).capitalize()} "), standing)
    lines = joined(tag("li", text(line)) for line in side.lines)
    return tag("div", head, tag("ul", lines, class_="evr-list") if side.lines else text(""), quotes_html(side.quotes))
