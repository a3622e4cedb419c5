"""When the small claim of a row about members, patterns or tuples really is a conjunct of the whole node.

An open object admits a member before anybody declares it, so a declaration that comes is no pure widening of what is
read, and one that goes is no pure narrowing of what is written. Rules call both compatible; no proof can.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.comparison.proof.child_edges import Edges, trivial, watches
from evreview.contract.model import ElementKind, ValueSet
from evreview.core.vocabulary import Change, Json, Polarity
from evreview.ledger.delta import Delta

ASSUMED: Final = "contained only as long as nobody sends members that the open side does not declare"
NEIGHBOURS: Final = "what the row changes also moves values between other keywords of the same schema"
REFUSED: Final = "values of the member that are sent are refused"
_WATCHED: Final = frozenset({"additionalProperties", "items", "allOf", "anyOf", "patternProperties", "prefixItems"})
_WATCHED_TOO: Final = frozenset({"contains", "dependentSchemas", "not"})


def objection(delta: Delta, pair: tuple[ValueSet, ValueSet], edges: tuple[Edges, Edges]) -> str:
    """Why containment of the claim does not carry over to the node, "" when it does."""
    parts = [
        [node for _, node in side.conjoined(value.place, value.node)] for side, value in zip(edges, pair, strict=True)
    ]
    watched = any(watches(node) for side in parts for node in side)
    if delta.element is ElementKind.PROPERTY and delta.facet == "":
        return _member(delta, parts, watched)
    if watched and delta.facet in _WATCHED | _WATCHED_TOO:
        return NEIGHBOURS
    if delta.facet == "patternProperties":
        return "" if all(_open(node) for side in parts for node in side) else NEIGHBOURS
    if delta.facet == "prefixItems":
        return "" if all(_endless(node) for side in parts for node in side) else NEIGHBOURS
    return ""


def _member(delta: Delta, parts: list[list[Mapping[str, Json]]], watched: bool) -> str:
    released, candidate = parts
    grows = (delta.change is Change.ADDED) == (delta.polarity is Polarity.READ)
    judge, other = (released, candidate) if delta.change is Change.ADDED else (candidate, released)
    if grows:
        # Only an object that refused the member before (or refuses it now) makes this row safe by itself.
        first = judge[0] if judge else {}
        if _shut(first) and not watched:
            return ""
        return ASSUMED if not watched and all(_silent(node) for node in judge) else NEIGHBOURS
    lone = all(_open(node) for node in judge) and all(_open(node) or _shut(node) for node in other)
    return "" if lone and not watched else NEIGHBOURS


def _open(node: Mapping[str, Json]) -> bool:
    return trivial(node.get("additionalProperties", True))


def _shut(node: Mapping[str, Json]) -> bool:
    return node.get("additionalProperties") is False and not node.get("patternProperties")


def _silent(node: Mapping[str, Json]) -> bool:
    """True when the node neither refuses nor describes members that it does not name."""
    return _open(node) and not node.get("patternProperties")


def _endless(node: Mapping[str, Json]) -> bool:
    items = node.get("items", True)
    rest = node.get("additionalItems", True)
    return (isinstance(items, list) or trivial(items)) and trivial(rest)
