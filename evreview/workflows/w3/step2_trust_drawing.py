"""The trust map as one SVG element: no script, no style sheet, nothing loaded; title and description for readers."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

from evreview.core.quoted_text import counted
from evreview.evidence.records.security import TrustModel
from evreview.security.trust.picture.layout import GAP, LEFT, LINE, PADDING, WIDTH, Box, Drawing, lay_out, pixels
from evreview.workflows.w3.model import Backing, TrustMap
from evreview.workflows.w3.step2_trust_picture import KINDS, Clean, Edge, Graph, Node, graph_of

_LEGEND: Final = 64
_DASHES: Final = {Backing.VALIDATED: "", Backing.ASSUMPTION: "7 3", Backing.UNKNOWN: "2 3"}
_FILLS: Final = {"actor": "#ffffff", "entry point": "#f2f2f2", "boundary": "#ffffff", "asset": "#e4e4e4"}
_CORNERS: Final = {"actor": 16, "entry point": 2, "boundary": 8, "asset": 2}
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
    counts = ", ".join(_counted(sum(node.kind == kind for node in graph.nodes), kind) for kind in KINDS)
    left = f" {graph.left_out} boxes or steps are left out here; the table has them." if graph.left_out else ""
    told = "; ".join(graph.paths[:_MOST_PATHS])
    more = f"; and {len(graph.paths) - _MOST_PATHS} more in the table" if len(graph.paths) > _MOST_PATHS else ""
    return f"{counts}.{left} Paths: {told or 'none'}{more}."


def _counted(number: int, kind: str) -> str:
    return f"{number} boundaries" if kind == "boundary" and number != 1 else counted(number, kind)


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
        width, dash = _stroke(edge)
        yield f'<path d="{_curve(way)}" stroke-width="{width}"{dash} marker-end="url(#trust-arrow)"/>'
    yield "</g>"


def _stroke(edge: Edge) -> tuple[str, str]:
    return "2.4" if edge.reach else "1.2", "" if edge.whole else ' stroke-dasharray="2 3"'


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
    heavy = "3" if node.attacker or node.kind == "boundary" else "1.2"
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
