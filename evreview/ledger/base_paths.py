"""One URL in two spellings: a path that the servers share, or the same path in front of every path of the document.

Where the base paths of two contracts differ and most operations have the same whole URL, the candidate is read as if
it wrote the released base path: its operations and servers get the keys that they would have then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evreview.comparison.delta import Difference
from evreview.comparison.noise import SAME_URLS
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.core.vocabulary import Aspect, Change

_BASE = "basePath"


def aligned(released: Contract, candidate: Contract) -> tuple[Contract, Difference | None]:
    """The candidate under the released base path, and the noise that says so; itself and None where that is no match.

    Args:
        released: the contract whose spelling stays.
        candidate: the contract that may spell the same URLs in another way.
    """
    old, new = _base(released.root), _base(candidate.root)
    if old is None or new is None or old == new:
        return candidate, None
    known = {operation.key for operation in released.operations}
    moved = {operation.key: _moved(operation.key, old, new) for operation in candidate.operations}
    keys = list(moved.values())
    if len(set(keys)) < len(keys) or len(known & set(keys)) <= len(known & set(moved)):
        return candidate, None
    children = tuple(_child(child, moved, old, new) for child in candidate.root.children)
    difference = Difference(
        aspect=Aspect.SERVERS,
        facet="base path",
        released=old or "/",
        candidate=new or "/",
        released_place=_first_server(released.root.children),
        candidate_place=_first_server(candidate.root.children),
        element=ElementKind.SERVER,
        change=Change.CHANGED,
        reason=SAME_URLS,
    )
    return replace(candidate, root=replace(candidate.root, children=children)), difference


def _base(root: Element) -> str | None:
    """The path that all servers share, "" for none; None when they differ, vary, or an operation has its own."""
    servers = [child for child in root.children if child.kind is ElementKind.SERVER]
    bases = {str(server.facet(_BASE) or "/").rstrip("/") for server in servers}
    own = any(
        child.kind is ElementKind.SERVER
        for operation in root.children
        if operation.kind is ElementKind.OPERATION
        for child in operation.children
    )
    if len(bases) != 1 or own:
        return None
    base = bases.pop()
    return None if "{" in base else base


def _moved(key: str, old: str, new: str) -> str:
    """An operation's key as the released base path makes it; itself for one that is outside, or no path at all."""
    method, sign, path = key.partition(" ")
    whole = new + path
    inside = path.startswith("/") and (not old or whole.startswith(old + "/"))
    return f"{method}{sign}{whole.removeprefix(old)}" if inside else key


def _child(child: Element, moved: dict[str, str], old: str, new: str) -> Element:
    if child.kind is ElementKind.OPERATION:
        return replace(child, key=moved[child.key])
    if child.kind is not ElementKind.SERVER:
        return child
    facets = tuple(facet._replace(value=old or "/") if facet.name == _BASE else facet for facet in child.facets)
    host = child.key.removesuffix(new) if child.key != "/" else ""
    return replace(child, key=host + old or "/", facets=facets)


def _first_server(children: Iterable[Element]) -> Place | None:
    return next((child.place for child in children if child.kind is ElementKind.SERVER), None)
