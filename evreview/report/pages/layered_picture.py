"""A picture of boxes in layers, from left to right, with arrows between them: as one SVG in which nothing is loaded.

The same boxes and arrows always give the same bytes. Every text is escaped.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import wrap
from typing import Final

from evreview.report.escape import html


@dataclass(frozen=True, slots=True)
class Look:
    """How a box is drawn: its corners, what fills it, how thick its border is and how that is dashed."""

    corner: int = 2
    fill: str = "#ffffff"
    border: str = "1.2"
    dashes: str = ""


@dataclass(frozen=True, slots=True)
class PictureBox:
    """A box: its id, its name, what else is said of it, its layer, its look, and what is told when it is pointed at."""

    id: str
    name: str
    notes: tuple[str, ...]
    layer: int
    look: Look = Look()
    told: str = ""


@dataclass(frozen=True, slots=True)
class PictureArrow:
    """An arrow by the ids of its boxes: thick, dotted, and what stands on it."""

    source: str
    target: str
    thick: bool = False
    dotted: bool = False
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything that is drawn.

    Attributes:
        title, description: for whoever does not see it.
        boxes, arrows: what is drawn.
        headings: above the layers, from the left.
        legend: what lines mean: thickness, dashes, words.
    """

    title: str
    description: str
    boxes: tuple[PictureBox, ...]
    arrows: tuple[PictureArrow, ...]
    headings: tuple[str, ...] = ()
    legend: tuple[tuple[str, str, str], ...] = ()


def picture_svg(picture: Picture, name: str) -> str:
    """The picture as text; `name` begins the ids that it needs."""
    drawing = lay_out(picture.boxes, picture.arrows)
    return "\n".join(
        [*_head(picture, drawing, name), *_edge_shapes(drawing, name), *_boxes(drawing), *_on_arrows(drawing),
         *_legend(picture, drawing), "</svg>"])  # fmt: skip


# Where the boxes stand: layers from left to right, rows by what leads to them.


WIDTH: Final = 200
GAP: Final = 56
GAP_OF_WORDS: Final = 128
"""Between layers where something stands on the arrows."""
LINE: Final = 15
PADDING: Final = 8
BETWEEN: Final = 14
TOP: Final = 46
LEFT: Final = 12
BELOW: Final = 34
"""Room for arrows that lead back, below all boxes."""
COLUMNS: Final = 28
"""Signs in a line of a box; a wide sign counts twice."""
_PIXELS: Final = dict.fromkeys("iljI.,:;|!' ", 3.4) | dict.fromkeys("ftr()[]{}-/", 4.4) | dict.fromkeys("mwMW@%", 11.5)
"""Signs that are much narrower or wider than most."""
_MOST: Final = 2
"""Lines of a name, and of each note."""


@dataclass(slots=True)
class Box:
    """A box, or a point where an edge passes a layer (`shown` None). `x` is its left side, `y` its middle."""

    shown: PictureBox | None
    layer: int
    lines: tuple[tuple[str, str], ...]
    x: int = 0
    y: float = 0.0
    before: list[Box] = field(default_factory=list)

    @property
    def height(self) -> int:
        return LINE * len(self.lines) + 2 * PADDING if self.shown else 4


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything with its place: boxes, arrows as the points that they pass, and the size of the whole."""

    boxes: tuple[Box, ...]
    arrows: tuple[tuple[PictureArrow, tuple[Box, ...]], ...]
    width: int
    height: int
    gap: int


def lay_out(boxes: Sequence[PictureBox], arrows: Sequence[PictureArrow]) -> Drawing:
    """The places of all boxes and arrows."""
    placed = {each.id: Box(each, each.layer, tuple(_box_lines(each))) for each in boxes}
    ways = [(each, _way(placed[each.source], placed[each.target])) for each in arrows]
    points = [box for _, way in ways for box in way if box.shown is None]
    for _, way in ways:
        for source, target in pairwise(way):
            if source.layer < target.layer:
                target.before.append(source)
    every = [*placed.values(), *points]
    gap = GAP_OF_WORDS if any(each.says for each in arrows) else GAP
    layers = 1 + max((box.layer for box in every), default=0)
    for box in every:
        box.x = LEFT + box.layer * (WIDTH + gap)
    back = BELOW * any(way[-1].layer <= way[0].layer for _, way in ways)
    width = 2 * LEFT + layers * (WIDTH + gap) - gap
    height = _place(every, layers) + back
    return Drawing(tuple(placed.values()), tuple((each, tuple(way)) for each, way in ways), width, height, gap)


def _way(source: Box, target: Box) -> list[Box]:
    """The boxes and points that an edge passes, one per layer between its ends."""
    between = range(source.layer + 1, target.layer)
    return [source, *(Box(None, layer, ()) for layer in between), target]


def _place(boxes: Sequence[Box], layers: int) -> int:
    """Sets each box's middle: in a layer by the mean of what leads to it, then as stated. Returns the height."""
    columns: list[list[Box]] = [[] for _ in range(layers)]
    for box in boxes:
        columns[box.layer].append(box)
    heights = [sum(box.height for box in column) + BETWEEN * max(0, len(column) - 1) for column in columns]
    tallest = max(heights, default=0)
    for column, height in zip(columns, heights, strict=True):
        order = {id(box): place for place, box in enumerate(column)}
        column.sort(key=lambda box: (_mean(box, order), order[id(box)]))
        at = TOP + (tallest - height) / 2
        for box in column:
            box.y = at + box.height / 2
            at += box.height + BETWEEN
    return TOP + tallest + BETWEEN


def _mean(box: Box, order: Mapping[int, int]) -> float:
    if not box.before:
        return float("inf") if box.layer else float(order[id(box)])
    return sum(before.y for before in box.before) / len(box.before)


def _box_lines(box: PictureBox) -> Iterator[tuple[str, str]]:
    """The lines of a box, each with its weight."""
    yield from ((line, "bold") for line in _wrapped(box.name or "(no name)", _MOST))
    for note in box.notes:
        yield from ((line, "normal") for line in _wrapped(note, _MOST))


def _wrapped(text: str, most: int) -> list[str]:
    """The text in lines; what does not fit is left out, with a mark. The box's title has all of it."""
    lines: list[str] = []
    for word in text.split():
        if lines and _wide(f"{lines[-1]} {word}") <= COLUMNS:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    cut = [_cut(line) for line in lines[:most]]
    if len(lines) > most:
        cut[-1] = f"{_cut(cut[-1].removesuffix('…'), COLUMNS - 1)}…"
    return cut or ["(empty)"]


def _cut(line: str, most: int = COLUMNS) -> str:
    if _wide(line) <= most:
        return line
    kept = ""
    for sign in line:
        if _wide(kept + sign) >= most:
            break
        kept += sign
    return f"{kept}…" if most == COLUMNS else kept


def pixels(text: str, bold: bool) -> float:
    """About how wide a line of 12 points is drawn; fonts differ, so it is taken generously."""
    return sum(map(_pixels, text)) * (1.07 if bold else 1.0)


def _pixels(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WF":
        return 12.0
    return _PIXELS.get(sign) or (8.2 if sign.isupper() else 6.8)


def _wide(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


# The shapes.


_SMALL: Final = 12
"""Pixels of a line of what stands on an arrow."""
_LEGEND: Final = 22
"""Pixels of a line of the legend."""


def _head(picture: Picture, drawing: Drawing, name: str) -> Iterator[str]:
    width = max(drawing.width, 3 * (WIDTH + GAP)) if picture.legend else drawing.width
    height = drawing.height + _LEGEND * (-(-len(picture.legend) // 3)) + (20 if picture.legend else 0)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{name}-title {name}-desc" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12" '
        'fill="#111111">'
    )
    yield f'<title id="{name}-title">{html(picture.title)}</title>'
    yield f'<desc id="{name}-desc">{html(picture.description)}</desc>'
    yield (
        f'<defs><marker id="{name}-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0L8 4L0 8Z" fill="#333333"/></marker></defs>'
    )
    yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    for layer, heading in enumerate(picture.headings):
        yield _text(LEFT + layer * (WIDTH + drawing.gap), 24, heading, weight="bold")


def _text(x: float, y: float, text: str, *, weight: str = "normal", most: int = 0) -> str:
    """A line of text; one that may be wider than `most` is drawn as wide as that."""
    narrow = most and pixels(text, weight == "bold") > most
    fit = f' textLength="{most}" lengthAdjust="spacingAndGlyphs"' if narrow else ""
    return f'<text x="{x:g}" y="{y:g}" font-weight="{weight}"{fit}>{html(text)}</text>'


def _edge_shapes(drawing: Drawing, name: str) -> Iterator[str]:
    yield '<g fill="none" stroke="#333333" aria-hidden="true">'
    for arrow, way in drawing.arrows:
        width, dash = "2.4" if arrow.thick else "1.2", ' stroke-dasharray="2 3"' if arrow.dotted else ""
        shape = _curve(way) if way[0].layer < way[-1].layer else _back(way[0], way[-1], drawing.height)
        yield f'<path d="{shape}" stroke-width="{width}"{dash} marker-end="url(#{name}-arrow)"/>'
    yield "</g>"


def _curve(way: tuple[Box, ...]) -> str:
    """From the right side of the first box to the left side of the last, through the points between."""
    first = way[0]
    parts = [f"M{first.x + WIDTH} {first.y:g}"]
    for source, target in pairwise(way):
        begin, end = source.x + WIDTH, target.x
        half = (end - begin) / 2
        parts.append(f"C{begin + half:g} {source.y:g} {end - half:g} {target.y:g} {end} {target.y:g}")
        if target.shown is None:
            parts.append(f"H{target.x + WIDTH}")
    return "".join(parts)


def _back(source: Box, target: Box, bottom: int) -> str:
    """From below the first box to below the other one, which stands further left or beneath the same heading."""
    begin, end = source.x + WIDTH // 2, target.x + WIDTH // 3
    tops = source.y + source.height / 2, target.y + target.height / 2
    return f"M{begin} {tops[0]:g}C{begin} {bottom} {end} {bottom} {end} {tops[1]:g}"


def _boxes(drawing: Drawing) -> Iterator[str]:
    for box in drawing.boxes:
        if box.shown is not None:
            yield from _box(box, box.shown)


def _box(box: Box, shown: PictureBox) -> Iterator[str]:
    top, look = box.y - box.height / 2, shown.look
    dashed = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
    yield f"<g><title>{html(shown.told or '; '.join((shown.name, *shown.notes)))}</title>"
    yield (
        f'<rect x="{box.x}" y="{top:g}" width="{WIDTH}" height="{box.height}" rx="{look.corner}" '
        f'fill="{look.fill}" stroke="#111111" stroke-width="{look.border}"{dashed}/>'
    )
    for number, (line, weight) in enumerate(box.lines):
        yield _text(box.x + 9, top + PADDING + LINE * number + 11, line, weight=weight, most=WIDTH - 18)
    yield "</g>"


def _on_arrows(drawing: Drawing) -> Iterator[str]:
    """What stands on the arrows, below their heads; of several that lead to one box below each other."""
    taken: Counter[int] = Counter()
    told = {(way[-1].x, way[-1].y, arrow.says): way[-1] for arrow, way in drawing.arrows if arrow.says}
    for (_, _, says), box in told.items():
        for line in wrap(says, 21):
            taken[id(box)] += 1
            y = box.y + 3 + _SMALL * taken[id(box)]
            yield f'<text x="{box.x - 8}" y="{y:g}" text-anchor="end" font-size="11">{html(line)}</text>'


def _legend(picture: Picture, drawing: Drawing) -> Iterator[str]:
    """What the lines mean, in words beside each."""
    for number, (width, dashes, says) in enumerate(picture.legend):
        x, y = LEFT + number % 3 * (WIDTH + GAP), drawing.height + _LEGEND + number // 3 * _LEGEND
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<path d="M{x} {y - 4}H{x + 34}" stroke="#111111" stroke-width="{width}"{dashed}/>'
        yield _text(x + 42, y, says)
