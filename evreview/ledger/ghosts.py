"""Released uses of a schema that have no counterpart: an operation, a field or a branch that went.

An address is the smallest released use. Without these, removing one use would rename the differences of all others.
"""

from __future__ import annotations

from collections.abc import Sequence

from evreview.comparison.delta_ids import child_anchor, entered
from evreview.comparison.elements import Position, Root
from evreview.comparison.schema_pairs import Link, SchemaPair, kept_back, reaching
from evreview.comparison.wire_forms import value_sub
from evreview.contract.model import Element
from evreview.ledger.addresses import element_step
from evreview.ledger.node_pair import Side
from evreview.schema.view import Edge, Key, Sub
from evreview.schema.views import Views


class Ghosts:
    """The released-only part of the graph, as far as it leads to pairs that differ.

    Attributes:
        roots: value sets of elements that went.
        live: ids of the ghosts that lead to a pair that differs.
    """

    def __init__(self, old: Side, pairs: Sequence[SchemaPair], live: set[int]) -> None:
        self._old = old
        self._pairs: dict[Key, list[SchemaPair]] = {}
        for pair in pairs:
            if id(pair) in live:
                self._pairs.setdefault(pair.released.key, []).append(pair)
        self._made: dict[Key, SchemaPair] = {}
        self._links: dict[int, list[Link]] = {}
        self.roots: list[Root] = []
        self.live: set[int] = set()

    def grow(self, lost: Sequence[Position], pairs: Sequence[SchemaPair]) -> None:
        """Adds the uses below elements that went, and below the fields and branches that pairs lost."""
        if not self._pairs:
            return
        for position in lost:
            self._elements(position)
        for pair in pairs:
            links = [self._link(pair, step, sub) for step, sub in pair.lost]
            if links:
                self._links[id(pair)] = links
        self.live = reaching(list(self._made.values()), [pair for known in self._pairs.values() for pair in known])

    @property
    def views(self) -> Views:
        """The released contract's."""
        return self._old.views

    def links(self, pair: SchemaPair) -> Sequence[Link]:
        """The steps from a pair to released members without counterpart."""
        return self._links.get(id(pair), ())

    def _elements(self, top: Position) -> None:
        todo = [top]
        while todo:
            position = todo.pop()
            if position.released.value is not None:
                self.roots.append(Root(position, self._ghost(value_sub(position.released))))
            todo += [_child(position, element) for element in position.released.children]

    def _ghost(self, sub: Sub) -> SchemaPair:
        start = self._enter(sub)
        todo = [start]
        while todo:
            ghost = todo.pop()
            if ghost.links or ghost.released.key not in self._made:
                continue
            for edge in self._old.views.edges(ghost.released):
                known = len(self._made)
                ghost.links.append(self._link_to(ghost, edge, self._enter(edge.sub)))
                if len(self._made) > known:
                    todo.append(ghost.links[-1].target)
        return start

    def _enter(self, sub: Sub) -> SchemaPair:
        """The pair that a released use stands for; one that leads to all of them when the schema has several.

        Taking one of several would let a reworded description choose: it makes a pair of equal schemas differ.
        """
        target = self._old.views.resolve(sub)
        known = self._pairs.get(target.key, [])
        if len(known) == 1:
            return known[0]
        if target.key not in self._made:
            links = [Link("", False, pair) for pair in known]
            self._made[target.key] = SchemaPair(target, target, links=links)
        return self._made[target.key]

    def _link(self, pair: SchemaPair, step: str, sub: Sub) -> Link:
        return self._link_to(pair, Edge(step, False, sub), self._ghost(sub))

    def _link_to(self, start: SchemaPair, edge: Edge, target: SchemaPair) -> Link:
        view = self._old.view(edge.sub)
        members = self._old.views.view(start.released).members
        anchor = entered(edge.sub, target.released, edge.step, members)
        unsent = kept_back(view, view)[0] if edge.name else frozenset()
        return Link(edge.step, edge.flips, target, unsent, anchor=anchor)


def _child(position: Position, element: Element) -> Position:
    step = element_step(element)
    anchor = child_anchor(position.released, position.anchor, element, step)
    return Position(position.operation, (*position.steps, step), element, element, anchor=anchor)
