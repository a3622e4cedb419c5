"""Where the boxes of a picture stand: layers from left to right, rows by what leads to them. Always the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from evreview.workflows.w3.step2_trust_picture import Edge, Graph, Node

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
    heights = [_stack_height(column) for column in columns]
    tallest = max(heights, default=0)
    for column, height in zip(columns, heights, strict=True):
        order = {id(box): place for place, box in enumerate(column)}
        column.sort(key=lambda box: (_mean(box, order), order[id(box)]))
        at = TOP + (tallest - height) / 2
        for box in column:
            box.y = at + box.height / 2
            at += box.height + BETWEEN
    return TOP + tallest + BETWEEN


def _stack_height(column: Sequence[Box]) -> int:
    return sum(box.height for box in column) + BETWEEN * max(0, len(column) - 1)


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
