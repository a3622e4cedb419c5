"""The trust map as one SVG element: no script, no style sheet, nothing loaded; title and description for readers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Final

from evreview.core.quoted_text import counted
from evreview.evidence.records.security import TrustModel
from evreview.workflows.w3.model import Backing, TrustMap
from evreview.workflows.w3.trust.trust_picture import Clean, Edge, Graph, Node, NodeKind, graph_of

# Where the boxes of a picture stand: layers from left to right, rows by what leads to them. Always the same.


WIDTH: Final = 200
GAP: Final = 56
LINE: Final = 15
PADDING: Final = 8
BETWEEN: Final = 14
TOP: Final = 46
LEFT: Final = 12
COLUMNS: Final = 28
"""Signs in a line of a box; a wide sign counts twice."""
_PIXELS: Final = dict.fromkeys("iljI.,:;|!' ", 3.4) | dict.fromkeys("ftr()[]{}-/", 4.4) | dict.fromkeys("mwMW@%", 11.5)
"""Signs that are much narrower or wider than most."""
_MOST: Final = {"name": 2, "note": 2}


@dataclass(slots=True)
class Box:
    """A box, or a point where an edge passes a layer (`node` None). `y` is its middle."""

    node: Node | None
    layer: int
    lines: tuple[str, ...]
    y: float = 0.0
    before: list[Box] = field(default_factory=list)

    @property
    def height(self) -> int:
        return LINE * len(self.lines) + 2 * PADDING if self.node else 4

    @property
    def x(self) -> int:
        return LEFT + self.layer * (WIDTH + GAP)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything with its place: boxes, edges as the points that they pass, and the size of the whole."""

    boxes: tuple[Box, ...]
    edges: tuple[tuple[Edge, tuple[Box, ...]], ...]
    width: int
    height: int
    layers: int


def lay_out(graph: Graph) -> Drawing:
    """The places of all boxes and edges."""
    boxes = {node.id: Box(node, node.layer, tuple(_lines(node))) for node in graph.nodes}
    edges = [(edge, _way(boxes[edge.source], boxes[edge.target])) for edge in graph.edges]
    points = [box for _, way in edges for box in way if box.node is None]
    for _, way in edges:
        for source, target in pairwise(way):
            if source.layer < target.layer:
                target.before.append(source)
    every = [*boxes.values(), *points]
    layers = 1 + max((box.layer for box in every), default=0)
    tallest = _place(every, layers)
    width = 2 * LEFT + layers * (WIDTH + GAP) - GAP
    return Drawing(tuple(boxes.values()), tuple((edge, tuple(way)) for edge, way in edges), width, tallest, layers)


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


def _lines(node: Node) -> Iterator[str]:
    yield from _wrapped(node.name or "(no name)", _MOST["name"])
    for note in node.notes:
        yield from _wrapped(note, _MOST["note"])


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


_LEGEND: Final = 64
_DASHES: Final = {Backing.VALIDATED: "", Backing.ASSUMPTION: "7 3", Backing.UNKNOWN: "2 3"}
_FILLS: Final = {
    NodeKind.ACTOR: "#ffffff",
    NodeKind.ENTRY_POINT: "#f2f2f2",
    NodeKind.BOUNDARY: "#ffffff",
    NodeKind.ASSET: "#e4e4e4",
}
_CORNERS: Final = {NodeKind.ACTOR: 16, NodeKind.ENTRY_POINT: 2, NodeKind.BOUNDARY: 8, NodeKind.ASSET: 2}
_MOST_PATHS: Final = 60
"""Paths told in the description; the table has all of them."""


def svg(model: TrustModel, found: TrustMap, clean: Clean | None = None) -> str:
    """The picture as text. Every text of the evidence is escaped.

    Args:
        model: gives names.
        found: gives paths and backings.
        clean: takes out of a text what may not leave, before it is wrapped; the detectors alone without one.
    """
    graph = graph_of(model, found, clean)
    drawing = lay_out(graph)
    return "\n".join([*_head(graph, drawing), *_edges(drawing), *_boxes(drawing), *_legend(drawing), "</svg>"])


def _head(graph: Graph, drawing: Drawing) -> Iterator[str]:
    width, height = max(drawing.width, 3 * (WIDTH + GAP)), drawing.height + _LEGEND
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="trust-title trust-desc" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="12" '
        f'fill="#111111" style="max-width:100%;height:auto">'
    )
    yield '<title id="trust-title">Trust map</title>'
    yield f'<desc id="trust-desc">{escape(_told(graph))}</desc>'
    yield (
        '<defs><marker id="trust-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0L8 4L0 8Z" fill="#333333"/></marker></defs>'
    )
    yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    for layer in range(drawing.layers):
        yield _text(LEFT + layer * (WIDTH + GAP), 24, _heading(layer, drawing.layers), weight="bold")


def _told(graph: Graph) -> str:
    counts = ", ".join(_counted(sum(node.kind is kind for node in graph.nodes), kind) for kind in NodeKind)
    left = f" {graph.left_out} boxes or steps are left out here; the table has them." if graph.left_out else ""
    told = "; ".join(graph.paths[:_MOST_PATHS])
    more = f"; and {len(graph.paths) - _MOST_PATHS} more in the table" if len(graph.paths) > _MOST_PATHS else ""
    return f"{counts}.{left} Paths: {told or 'none'}{more}."


def _counted(number: int, kind: NodeKind) -> str:
    return f"{number} boundaries" if kind is NodeKind.BOUNDARY and number != 1 else counted(number, kind)


def _heading(layer: int, layers: int) -> str:
    if layer == layers - 1 and layers > 2:
        return "Assets"
    return ("Outside: actors", "Entry points")[layer] if layer < 2 else f"Boundary {layer - 1}"


def _text(x: float, y: float, text: str, *, weight: str = "normal", most: int = 0) -> str:
    """A line of text; one that may be wider than `most` is drawn as wide as that."""
    narrow = most and pixels(text, weight == "bold") > most
    fit = f' textLength="{most}" lengthAdjust="spacingAndGlyphs"' if narrow else ""
    return f'<text x="{x:g}" y="{y:g}" font-weight="{weight}"{fit}>{escape(text)}</text>'


def _edges(drawing: Drawing) -> Iterator[str]:
    yield '<g fill="none" stroke="#333333" aria-hidden="true">'
    for edge, way in drawing.edges:
        width, dash = "2.4" if edge.reach else "1.2", "" if edge.whole else ' stroke-dasharray="2 3"'
        yield f'<path d="{_curve(way)}" stroke-width="{width}"{dash} marker-end="url(#trust-arrow)"/>'
    yield "</g>"


def _curve(way: tuple[Box, ...]) -> str:
    """From the right side of the first box to the left side of the last, through the points between."""
    first = way[0]
    parts = [f"M{first.x + WIDTH} {first.y:g}"]
    for source, target in pairwise(way):
        begin, end, half = source.x + WIDTH, target.x, GAP / 2
        parts.append(f"C{begin + half:g} {source.y:g} {end - half:g} {target.y:g} {end} {target.y:g}")
        if target.node is None:
            parts.append(f"H{target.x + WIDTH}")
    return "".join(parts)


def _boxes(drawing: Drawing) -> Iterator[str]:
    for box in drawing.boxes:
        if box.node is not None:
            yield from _box(box, box.node)


def _box(box: Box, node: Node) -> Iterator[str]:
    top = box.y - box.height / 2
    dash = _DASHES.get(node.backing, "") if node.backing else ""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    heavy = "3" if node.attacker or node.kind is NodeKind.BOUNDARY else "1.2"
    yield f"<g><title>{escape('; '.join((f'{node.kind}: {node.name}', *node.notes)))}</title>"
    yield (
        f'<rect x="{box.x}" y="{top:g}" width="{WIDTH}" height="{box.height}" rx="{_CORNERS[node.kind]}" '
        f'fill="{_FILLS[node.kind]}" stroke="#111111" stroke-width="{heavy}"{dashed}/>'
    )
    for number, line in enumerate(box.lines):
        baseline = top + PADDING + LINE * number + 11
        yield _text(box.x + 9, baseline, line, weight="normal" if number else "bold", most=WIDTH - 18)
    yield "</g>"


def _legend(drawing: Drawing) -> Iterator[str]:
    """What the lines mean, in words beside each."""
    rows = (
        (("1.2", ""), "step of a path"),
        (("2.4", ""), "in reach of the assumed attacker"),
        (("1.2", "2 3"), "path that can't be traced"),
        (("3", ""), "boundary, validated"),
        (("3", _DASHES[Backing.ASSUMPTION]), "boundary, assumption"),
        (("3", _DASHES[Backing.UNKNOWN]), "boundary, unknown"),
    )
    for number, ((width, dash), says) in enumerate(rows):
        x, y = LEFT + number % 3 * (WIDTH + GAP), drawing.height + 22 + number // 3 * 22
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        yield f'<path d="M{x} {y - 4}H{x + 34}" stroke="#111111" stroke-width="{width}"{dashed}/>'
        yield _text(x + 42, y, says)
