"""Rows below a discriminator that changed: which branch a value is held against is no longer the same on both sides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evreview.comparison.proof.child_edges import Edges
from evreview.contract.model import ValueSet
from evreview.core.vocabulary import Change, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.position import Pair, Positions, direction

Key = tuple[str, str]

SELECTED: Final = "the discriminator above the row changed, so that another branch may be selected for the same value"
_MANY: Final = 20_000


class Selection:
    """Knows the nodes of both contracts that a changed discriminator selects among."""

    def __init__(self, positions: Positions, deltas: Iterable[Delta]) -> None:
        self._positions = positions
        self._changed = [delta for delta in deltas if delta.facet == "discriminator" and not self._is_plain(delta)]
        self._below: dict[Polarity, tuple[frozenset[Key], frozenset[Key]]] = {}

    def touches(self, pair: Pair, polarity: Polarity | None) -> bool:
        """True when a node of the pair stands at or below a discriminator that changed in this direction."""
        if not self._changed or polarity is None:
            return False
        if polarity not in self._below:
            self._below[polarity] = self._reached(polarity)
        keys = [(value.place.file, value.place.pointer) for value in pair]
        return any(key in below for key, below in zip(keys, self._below[polarity], strict=True))

    def _is_plain(self, delta: Delta) -> bool:
        """True when the value sets of both nodes say what the discriminator selects."""
        pair = self._positions.nodes(delta)
        return self.idle(delta) or (
            pair is not None
            and all(
                edges.decides(value.place, value.node) for edges, value in zip(self._positions.edges, pair, strict=True)
            )
        )

    def hides(self, delta: Delta) -> bool:
        """True for a branch or choice that came or went with a discriminator which no value set shows."""
        if not selects(delta):
            return False
        pair = self._positions.nodes(delta) if delta.change is Change.CHANGED else None
        return pair is None or not all(
            edges.spelled_out(value.place, value.node) or edges.decides(value.place, value.node)
            for edges, value in zip(self._positions.edges, pair, strict=True)
        )

    def idle(self, delta: Delta) -> bool:
        """True for a discriminator that comes or goes and demands nothing: the branches list what selects them."""
        pair = self._positions.nodes(delta)
        written = [isinstance(value.node, dict) and "discriminator" in value.node for value in pair or ()]
        return (
            pair is not None
            and written.count(True) == 1
            and all(
                edges.spelled_out(value.place, value.node)
                for edges, value in zip(self._positions.edges, pair, strict=True)
            )
        )

    def _reached(self, polarity: Polarity) -> tuple[frozenset[Key], frozenset[Key]]:
        pairs = [self._positions.nodes(delta) for delta in self._changed if direction(delta) is polarity]
        found = [pair for pair in pairs if pair is not None]
        edges = self._positions.edges
        released, candidate = (_under(side, [pair[at] for pair in found]) for at, side in enumerate(edges))
        return released, candidate


def selects(delta: Delta) -> bool:
    """True for a branch or choice that came or went with a discriminator of its own."""
    forms = (delta.released, delta.candidate)
    return delta.facet in ("anyOf", "oneOf") and any(
        isinstance(form, dict) and "discriminator" in form for form in forms
    )


def _under(edges: Edges, values: Iterable[ValueSet]) -> frozenset[Key]:
    found: set[Key] = set()
    waiting = [(value.place, value.node) for value in values]
    while waiting and len(found) < _MANY:
        place, node = waiting.pop()
        key = (place.file, place.pointer)
        if key not in found:
            found.add(key)
            waiting.extend((step.target, step.node) for step in edges.below(place, node))
    return frozenset(found)
