"""Schemas with so many branches that comparing them once for each of their rows would take as good as for ever."""

from __future__ import annotations

from typing import Final

from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import DeltaId
from evreview.ledger.delta import Delta
from evreview.proof.questions import Questions
from evreview.schema.view import Sub

TOO_WIDE: Final = "the schema has too many branches to compare them all for each of its rows"
_NARROW: Final = 100
"""Branches that every row may be held against."""
_MOST: Final = 8_000_000
"""How many pairs of branches the rows of wider schemas may ask about in one comparison: 200 rows of 200 branches."""
_COMPOSED: Final = ("allOf", "anyOf", "oneOf")


class Breadth:
    """Counts what the rows of wide schemas cost, in their order."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._left = _MOST
        self._known: dict[DeltaId, bool] = {}
        self._widths: dict[int, int] = {}

    def exceeded(self, delta: Delta) -> bool:
        """True for a row about values of a wide schema for which nothing is left."""
        if delta.id not in self._known:
            pairs = self._questions.ways.pairs(delta) if delta.id in self._questions.claims else ()
            width = max(map(self._width, pairs), default=0)
            cost = width * width if width > _NARROW else 0
            self._known[delta.id] = cost > self._left
            self._left -= 0 if self._known[delta.id] else cost
        return self._known[delta.id]

    def _width(self, pair: SchemaPair) -> int:
        if id(pair) not in self._widths:
            self._widths[id(pair)] = max(_branches(pair.released), _branches(pair.candidate))
        return self._widths[id(pair)]


def _branches(sub: Sub) -> int:
    nodes = [part.node for part in sub.parts if isinstance(part.node, dict)]
    listed = [node.get(keyword) for node in nodes for keyword in _COMPOSED]
    return sum(len(branches) for branches in listed if isinstance(branches, list))
