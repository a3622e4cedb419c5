"""Where a line of a scanner or reviewer stands: the supplied file, the function around it, the routes that reach it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from evreview.security.leads.ids import plain_path
from evreview.security.leads.units import ALL_ROUTES, Reading
from evreview.sources.model import SourceText, Spot
from evreview.vocab import EvidenceId


@dataclass(frozen=True, slots=True)
class Around:
    """The innermost function or class around a line: qualified name, first and last line within the item."""

    name: str
    first: int
    last: int


def source_named(sources: tuple[SourceText, ...], uri: str) -> SourceText | None:
    """The supplied file that a scanner's address means, None when none or several may be meant."""
    wanted = path_in(uri)
    if not wanted:
        return None
    exact = [source for source in sources if plain_path(source.path) == wanted]
    alike = exact or [
        source
        for source in sources
        if f"/{plain_path(source.path)}".endswith(f"/{wanted}") or f"/{wanted}".endswith(f"/{plain_path(source.path)}")
    ]
    return alike[0] if len({source.path for source in alike}) == 1 else None


def path_in(uri: str) -> str:
    """The path of a file's address, without scheme and host; "" for none."""
    try:
        split = urlsplit(uri.replace("\\", "/"))
    except ValueError:
        return ""
    return plain_path(unquote(split.path)) if split.scheme in ("", "file") or len(split.scheme) == 1 else ""


def around(reading: Reading, spot: Spot) -> Around | None:
    """The innermost function or class around the first line of a spot, None at the top of a file or outside Python."""
    for module in reading.modules.all:
        if module.source.item == spot.item and module.source.path == spot.path:
            found = [one for one in _definitions(module.tree.body, "") if one.first <= spot.first <= one.last]
            return found[-1] if found else None
    return None


def _definitions(body: list[ast.stmt], outer: str) -> Iterator[Around]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{outer}.{node.name}" if outer else node.name
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield Around(name, first, node.end_lineno or node.lineno)
            yield from _definitions(node.body, name)


def named(reading: Reading, item: EvidenceId, path: str, symbol: str) -> Around | None:
    """The function or class of that qualified name in a file."""
    for module in reading.modules.all:
        if module.source.item == item and plain_path(module.source.path) == plain_path(path):
            for one in _definitions(module.tree.body, ""):
                if one.name == symbol:
                    return one
    return None


def routes_at(reading: Reading, spot: Spot) -> tuple[str, ...]:
    """The routes whose handler reaches the lines, in the order written; `*` for what runs around every route."""
    found: dict[str, None] = {}
    for unit in reading.units:
        for frame in unit.frames:
            at = frame.scope.spot(frame.scope.node)
            if at.item == spot.item and at.path == spot.path and at.first <= spot.first <= at.last:
                found.setdefault(unit.route)
    found.pop("", None)
    return (ALL_ROUTES,) if ALL_ROUTES in found else tuple(found)


def overlaps(one: Spot | None, other: Spot | None) -> bool:
    """True when both name lines of one item that have a line in common."""
    if one is None or other is None or one.item != other.item:
        return False
    return one.first <= other.last and other.first <= one.last
