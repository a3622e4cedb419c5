"""What a picture of the trust map shows, nodes and edges: as text, and as one SVG in which nothing is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from evreview.core.control_characters import visible
from evreview.core.quoted_text import begin_of, counted
from evreview.core.vocabulary import ClosedVocabulary
from evreview.evidence.records.security import Boundary, EntryPoint, TrustModel
from evreview.redaction.redactor import Redactor
from evreview.report.pages.layered_picture import Look, Picture, PictureArrow, PictureBox, picture_svg
from evreview.workflows.w3.model import Backing, TrustMap, TrustPath

MAX_NODES: Final = 120
MAX_EDGES: Final = 400
_LONGEST: Final = 400
"""Characters of one text that are shown at all; the table has the rest."""
_NO_XML: Final = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
"""Signs that XML forbids; the other forbidden ones are controls, which are not shown anyway."""
Clean = Callable[[str], str]


class NodeKind(ClosedVocabulary):
    """What a box stands for, in the order in which the kinds are told."""

    ACTOR = "actor"
    ENTRY_POINT = "entry point"
    BOUNDARY = "boundary"
    ASSET = "asset"


@dataclass(frozen=True, slots=True)
class Node:
    """One box.

    Attributes:
        id: `a0`, `e3`, `b1`, `s2`: of ours, so that no text of the evidence becomes an identifier.
        kind: what it stands for.
        name: what it is called.
        notes: what else is said of it, one line each.
        layer: 0 for actors, 1 for entry points, then boundaries by how deep they lie, assets last.
        backing: of a boundary.
        attacker: an actor in whose position an attacker may be assumed.
    """

    id: str
    kind: NodeKind
    name: str
    notes: tuple[str, ...]
    layer: int
    backing: Backing | None = None
    attacker: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one box to the next. `reach`: an attacker may take it; `whole`: a path over it can be traced."""

    source: str
    target: str
    reach: bool
    whole: bool


@dataclass(frozen=True, slots=True)
class Graph:
    """The picture before it is laid out. `left_out` counts what would not fit."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    paths: tuple[str, ...]
    left_out: int


def graph_of(model: TrustModel, found: TrustMap, clean: Clean | None = None) -> Graph:
    """Everything that is drawn, every text cleaned and on one line.

    Args:
        model: gives names.
        found: gives paths and backings.
        clean: takes out of a text what may not leave; the detectors alone without one.
    """
    words = _Words(clean or Redactor().clean)
    ids = _ids(model)
    every = [
        *_actors(model, words, ids),
        *_entries(model, words, ids),
        *_boundaries(model, found, words, ids),
        *_assets(model, found, words, ids),
    ]
    nodes = tuple(every[:MAX_NODES])
    drawn = {node.id for node in nodes}
    edges = [edge for edge in _edges(found.paths, ids) if edge.source in drawn and edge.target in drawn]
    left_out = len(every) - len(nodes) + max(0, len(edges) - MAX_EDGES)
    names = {node.id: node.name for node in every}
    paths = tuple(_told(path, ids, names) for path in found.paths[:MAX_EDGES])
    return Graph(nodes, tuple(edges[:MAX_EDGES]), paths, left_out)


class _Words:
    """Texts made fit for one line of a picture."""

    def __init__(self, clean: Clean) -> None:
        self._clean = clean

    def __call__(self, text: str | None) -> str:
        flat = " ".join(visible(str(self._clean(text or ""))).translate(_NO_XML).split())
        return flat if len(flat) <= _LONGEST else f"{begin_of(flat, _LONGEST)}…"


Ids = Mapping[tuple[NodeKind, str], str]


def _ids(model: TrustModel) -> Ids:
    """Our id of each described thing; of several with one id the first counts, as in the paths."""
    found: dict[tuple[NodeKind, str], str] = {}
    lists: tuple[tuple[NodeKind, str, Sequence[object]], ...] = (
        (NodeKind.ACTOR, "a", model.actors or ()),
        (NodeKind.ENTRY_POINT, "e", model.entry_points or ()),
        (NodeKind.BOUNDARY, "b", model.boundaries or ()),
        (NodeKind.ASSET, "s", model.assets or ()),
    )
    for kind, letter, entries in lists:
        for place, entry in enumerate(entries):
            found.setdefault((kind, str(getattr(entry, "id", ""))), f"{letter}{place}")
    return found


def _actors(model: TrustModel, words: _Words, ids: Ids) -> Iterator[Node]:
    for place, actor in enumerate(model.actors or ()):
        attacker = actor.id in (model.attacker_positions or ())
        notes = [words(actor.position)] if actor.position else []
        notes += ["assumed attacker position"] if attacker else []
        if ids[NodeKind.ACTOR, actor.id] == f"a{place}":
            yield Node(f"a{place}", NodeKind.ACTOR, words(actor.name), tuple(notes), 0, attacker=attacker)


def _entries(model: TrustModel, words: _Words, ids: Ids) -> Iterator[Node]:
    for place, entry in enumerate(model.entry_points or ()):
        notes = [*([words(_way_in(entry))] if _way_in(entry) else []), *_changes(model, entry.id, words)]
        if ids[NodeKind.ENTRY_POINT, entry.id] == f"e{place}":
            yield Node(f"e{place}", NodeKind.ENTRY_POINT, words(entry.id), tuple(notes), 1)


def _way_in(entry: EntryPoint) -> str:
    return entry.route or entry.function or entry.describes or ""


def _changes(model: TrustModel, place: str, words: _Words) -> Iterator[str]:
    """Identity transitions at a place."""
    for transition in model.identity_transitions or ():
        if transition.at == place:
            yield f"identity: {words(transition.before)} → {words(transition.after)}"


def _boundaries(model: TrustModel, found: TrustMap, words: _Words, ids: Ids) -> Iterator[Node]:
    depths = _depths(found.paths)
    backings = {row.id: row.backing for row in reversed(found.backings)}
    for place, boundary in enumerate(model.boundaries or ()):
        backing = backings.get(boundary.id, Backing.UNKNOWN)
        notes = (_zones(boundary, words), str(backing), *_changes(model, boundary.id, words))
        if ids[NodeKind.BOUNDARY, boundary.id] == f"b{place}":
            layer = 2 + depths.get(boundary.id, 0)
            yield Node(f"b{place}", NodeKind.BOUNDARY, words(boundary.name), notes, layer, backing)


def _zones(boundary: Boundary, words: _Words) -> str:
    return f"{words(boundary.outside)} → {words(boundary.inside)}"


def _depths(paths: Sequence[TrustPath]) -> dict[str, int]:
    """How many boundaries lie before each, at most."""
    found: dict[str, int] = {}
    for path in paths:
        for depth, boundary in enumerate(path.boundaries):
            found[boundary] = max(depth, found.get(boundary, 0))
    ranks = {depth: rank for rank, depth in enumerate(sorted(set(found.values())))}
    return {boundary: ranks[depth] for boundary, depth in found.items()}


def _assets(model: TrustModel, found: TrustMap, words: _Words, ids: Ids) -> Iterator[Node]:
    described = {boundary.id for boundary in model.boundaries or ()}
    depths = [depth for boundary, depth in _depths(found.paths).items() if boundary in described]
    layer = 3 + max(depths, default=0)
    for place, asset in enumerate(model.assets or ()):
        notes = (words(asset.classification),) if asset.classification else ("not classified",)
        if ids[NodeKind.ASSET, asset.id] == f"s{place}":
            yield Node(f"s{place}", NodeKind.ASSET, words(asset.name), notes, layer)


def _edges(paths: Sequence[TrustPath], ids: Ids) -> list[Edge]:
    """Each step once; it is in reach, and whole, when one path over it is."""
    reach: dict[tuple[str, str], tuple[bool, bool]] = {}
    for path in paths:
        for step in pairwise(_steps(path, ids)):
            before = reach.get(step, (False, False))
            reach[step] = (before[0] or path.in_reach, before[1] or not path.gaps)
    return [Edge(source, target, *flags) for (source, target), flags in reach.items() if source != target]


def _steps(path: TrustPath, ids: Ids) -> list[str]:
    """The boxes of a path; what nothing describes has none."""
    named = [
        (NodeKind.ACTOR, path.actor),
        (NodeKind.ENTRY_POINT, path.entry_point),
        *((NodeKind.BOUNDARY, boundary) for boundary in path.boundaries),
        (NodeKind.ASSET, path.asset),
    ]
    return [ids[step] for step in named if step in ids]


def _told(path: TrustPath, ids: Ids, names: Mapping[str, str]) -> str:
    """One path in words, for whoever does not see the picture."""
    way = " → ".join(names[step] for step in _steps(path, ids))
    return (
        f"{way}{', in reach of the assumed attacker' if path.in_reach else ''}{', not traceable' if path.gaps else ''}"
    )


# The trust map as a Mermaid flowchart. Texts of the evidence stand in quoted labels, every other sign as a number.


_SHAPES: Final = {
    NodeKind.ACTOR: ('(["', '"])'),
    NodeKind.ENTRY_POINT: ('["', '"]'),
    NodeKind.BOUNDARY: ('{{"', '"}}'),
    NodeKind.ASSET: ('[("', '")]'),
}
_HEADINGS: Final = {
    NodeKind.ACTOR: "Outside",
    NodeKind.ENTRY_POINT: "Entry points",
    NodeKind.BOUNDARY: "Boundaries",
    NodeKind.ASSET: "Assets",
}
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
    for kind in NodeKind:
        own = [node for node in graph.nodes if node.kind is kind]
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
    counts = ", ".join(f"{sum(node.kind is kind for node in graph.nodes)} of kind {kind}" for kind in NodeKind)
    left = f"; {graph.left_out} boxes or steps are left out, the table has them" if graph.left_out else ""
    return (
        f"{counts}, {len(graph.edges)} steps; bold is in reach of the assumed attacker, dotted can not be traced{left}"
    )


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


# The trust map as one SVG.


_FILLS: Final = {NodeKind.ENTRY_POINT: "#f2f2f2", NodeKind.ASSET: "#e4e4e4"}
_CORNERS: Final = {NodeKind.ACTOR: 16, NodeKind.BOUNDARY: 8}
_DASHES: Final = {Backing.VALIDATED: "", Backing.ASSUMPTION: "7 3", Backing.UNKNOWN: "2 3"}
_LEGEND: Final = (
    ("1.2", "", "step of a path"),
    ("2.4", "", "in reach of the assumed attacker"),
    ("1.2", "2 3", "path that can't be traced"),
    ("3", "", "boundary, validated"),
    ("3", _DASHES[Backing.ASSUMPTION], "boundary, assumption"),
    ("3", _DASHES[Backing.UNKNOWN], "boundary, unknown"),
)
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
    layers = 1 + max((node.layer for node in graph.nodes), default=0)
    return picture_svg(
        Picture(
            title="Trust map",
            description=_told_apart(graph),
            boxes=boxes_of(graph),
            arrows=arrows_of(graph),
            headings=tuple(_heading(layer, layers) for layer in range(layers)),
            legend=_LEGEND,
        ),
        "trust",
    )


def boxes_of(graph: Graph) -> tuple[PictureBox, ...]:
    """The nodes as boxes, each in the look of its kind."""
    return tuple(
        PictureBox(node.id, node.name, node.notes, node.layer, _look(node),
                   "; ".join((f"{node.kind}: {node.name}", *node.notes)))
        for node in graph.nodes
    )  # fmt: skip


def arrows_of(graph: Graph) -> tuple[PictureArrow, ...]:
    """The steps as arrows: thick in reach of an attacker, dotted where the path can't be traced."""
    return tuple(PictureArrow(edge.source, edge.target, edge.reach, not edge.whole) for edge in graph.edges)


def _look(node: Node) -> Look:
    return Look(
        corner=_CORNERS.get(node.kind, 2),
        fill=_FILLS.get(node.kind, "#ffffff"),
        border="3" if node.attacker or node.kind is NodeKind.BOUNDARY else "1.2",
        dashes=_DASHES.get(node.backing, "") if node.backing else "",
    )


def _told_apart(graph: Graph) -> str:
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
