"""The trust map as a Mermaid flowchart. Texts of the evidence stand in quoted labels, every other sign as a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.evidence.records.security import TrustModel
from evreview.workflows.w3.model import Backing, TrustMap
from evreview.workflows.w3.step2_trust_picture import KINDS, Clean, Edge, Graph, Node, graph_of

_SHAPES: Final = {
    "actor": ('(["', '"])'),
    "entry point": ('["', '"]'),
    "boundary": ('{{"', '"}}'),
    "asset": ('[("', '")]'),
}
_HEADINGS: Final = {"actor": "Outside", "entry point": "Entry points", "boundary": "Boundaries", "asset": "Assets"}
_PLAIN: Final = frozenset(" ,/_→…")
_JOINING: Final = frozenset(".-")
"""Signs that stay where a letter or digit follows; before a blank they would begin a list."""


def mermaid(model: TrustModel, found: TrustMap, clean: Clean | None = None) -> str:
    """The flowchart's text, without a fence. Labels hold no sign that could end them.

    Args:
        model: gives names.
        found: gives paths and backings.
        clean: takes out of a text what may not leave, before it is escaped; the detectors alone without one.
    """
    return "\n".join(_lines(graph_of(model, found, clean)))


def _lines(graph: Graph) -> Iterator[str]:
    yield "flowchart LR"
    yield "  accTitle: Trust map"
    yield f"  accDescr: {_summary(graph)}"
    for kind in KINDS:
        own = [node for node in graph.nodes if node.kind == kind]
        if own:
            yield f'  subgraph {kind.replace(" ", "_")}_zone["{_HEADINGS[kind]}"]'
            yield from (f"    {node.id}{_label(node)}" for node in own)
            yield "  end"
    yield from (f"  {edge.source} {_arrow(edge)} {edge.target}" for edge in graph.edges)
    yield "  classDef assumption stroke-dasharray:6 3"
    yield "  classDef unknown stroke-dasharray:2 3"
    yield "  classDef attacker stroke-width:3px"
    for name, ids in _classes(graph).items():
        if ids:
            yield f"  class {','.join(ids)} {name}"


def _summary(graph: Graph) -> str:
    counts = ", ".join(f"{sum(node.kind == kind for node in graph.nodes)} of kind {kind}" for kind in KINDS)
    left = f"; {graph.left_out} boxes or steps are left out, the table has them" if graph.left_out else ""
    return f"{counts}, {len(graph.edges)} steps{left}"


def _label(node: Node) -> str:
    begin, end = _SHAPES[node.kind]
    return f"{begin}{'<br/>'.join(map(escaped, (node.name, *node.notes)))}{end}"


def _arrow(edge: Edge) -> str:
    return "-.->" if not edge.whole else "==>" if edge.reach else "-->"


def _classes(graph: Graph) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"assumption": [], "unknown": [], "attacker": []}
    for node in graph.nodes:
        if node.backing in (Backing.ASSUMPTION, Backing.UNKNOWN):
            found[str(node.backing)].append(node.id)
        if node.attacker:
            found["attacker"].append(node.id)
    return found


def escaped(text: str) -> str:
    """A text for a quoted label: letters, digits and a few signs stay, all else is a numeric entity of Mermaid's."""
    return "".join(_sign(text, place) for place in range(len(text))) or "(empty)"


def _sign(text: str, place: int) -> str:
    sign = text[place]
    if sign.isalnum() or sign in _PLAIN:
        return sign
    if sign in _JOINING and text[place + 1 : place + 2].isalnum():
        return sign
    return f"#{ord(sign)};"
