"""Values of whole positions that one contract admits and the other refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from evreview.contracts.model import ValueSet
from evreview.proof.lift import lifted
from evreview.proof.position import Pair, Positions
from evreview.shapes.json_schema import Source, closed, gaps
from evreview.shapes.validate import accepts
from evreview.shapes.witness import candidates
from evreview.vocab import Json, Polarity

_LOCAL = 6
_BETWEEN = 60


class Search:
    """Looks for witnesses in one direction."""

    def __init__(self, positions: Positions, polarity: Polarity) -> None:
        self._positions = positions
        self._polarity = polarity
        sides = positions.sides(polarity)
        read = polarity is Polarity.READ
        self._sent, self._expected = (0, 1) if read else (1, 0)
        self._sources = (sides.released, sides.candidate)

    def carried(self, pair: Pair, values: Iterable[Json]) -> Iterator[tuple[Json]]:
        """Values of a node as values of a position: the sent side admits the whole, the expected side refuses it."""
        trail = self._positions.contexts(self._polarity)[self._sent].trail(pair[self._sent].place)
        if trail is None:
            return
        root = self._positions.roots(self._polarity)[trail.root]
        for value in islice(values, _LOCAL):
            for whole in lifted(self._sources[self._sent], trail, value):
                if self._parts(root, whole):
                    yield (whole,)

    def between(self, pair: Pair) -> Iterator[Json]:
        """Values that the sent side's node admits and the expected side's refuses."""
        whole = self._positions.full(pair, self._polarity)
        if whole is None:
            return
        source = self._sources[self._sent]
        found = candidates(source.schema(pair[self._sent]), whole[self._expected], source.definition)
        yield from (value for value in islice(found, _BETWEEN) if self._parts(pair, value))

    def _parts(self, pair: Pair, value: Json) -> bool:
        sent, expected = self._sent, self._expected
        return (
            admits(self._sources[sent], pair[sent], value) is True
            and admits(self._sources[expected], pair[expected], value) is False
        )


def admits(source: Source, value: ValueSet, instance: Json) -> bool | None:
    """Whether a value set holds an instance; only what the instance has a member for is looked at.

    None also when an unread part of the schema has a say.
    """
    names = frozenset(_names(instance))
    schema = closed(source.schema(value), source.definition, names.__contains__)
    return None if gaps(schema) else accepts(schema, instance)


def _names(instance: Json) -> Iterator[str]:
    stack = [instance]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield from node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
