"""Where a schema node stands in whole messages: the way down to it, and the ancestors that may invert a change."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.contracts.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contracts.refs import Resolver
from evreview.ledger.pairing import pair_elements
from evreview.proof.edges import Edges, Step
from evreview.vocab import Json, Polarity

Key = tuple[str, str]
MANY: Final = 6
"""With more inverting ancestors than this, nothing is computed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a node is reached from the positions of one direction.

    Attributes:
        plain: whether a way exists on which the whole grows with the node.
        anchors: the topmost ancestors, on all other ways, below which that no longer holds, by file and pointer.
        known: False for a node that no position reaches, or with too many anchors.
    """

    plain: bool
    anchors: tuple[ValueSet, ...] = ()
    known: bool = True


@dataclass(frozen=True, slots=True)
class Trail:
    """The shortest monotone way from a position to a node: which root, then every node passed with the step taken."""

    root: int
    steps: tuple[tuple[ValueSet, Step], ...] = field(default=())


def paired_roots(released: Contract, candidate: Contract, polarity: Polarity) -> list[tuple[ValueSet, ValueSet]]:
    """The value sets of every position that both contracts have in one direction."""
    found = []
    todo = [(released.root, candidate.root)]
    while todo:
        old, new = todo.pop()
        if old.value is not None and new.value is not None and old.polarity is polarity:
            found.append((old.value, new.value))
        paired = pair_elements(old.children, new.children)
        todo += [*paired.both, *((one, other) for one, other, _, _ in paired.versions)]
    return found


class Contexts:
    """The standing of every node of one contract in one direction."""

    def __init__(self, contract: Contract, roots: Sequence[ValueSet], dialect: SchemaDialect) -> None:
        self.edges = Edges(Resolver(contract.documents), dialect)
        self._dialect = dialect
        self._from: dict[Key, tuple[ValueSet, Step] | int] = {}
        self._nodes: dict[Key, tuple[Place, Json]] = {}
        self._turns: dict[Key, list[Key]] = {}
        self._above: dict[Key, list[Key]] = {}
        self._inverted: set[Key] = set()
        self._standings: dict[Key, Standing] = {}
        self._grow(roots)
        self._invert()

    def standing(self, place: Place) -> Standing:
        """How the node at a place is reached."""
        key = (place.file, place.pointer)
        if key not in self._standings:
            self._standings[key] = self._stand(key)
        return self._standings[key]

    def trail(self, place: Place) -> Trail | None:
        """The shortest monotone way to a place, None when there is none."""
        steps: list[tuple[ValueSet, Step]] = []
        at = self._from.get((place.file, place.pointer))
        while isinstance(at, tuple):
            steps.append(at)
            above = at[0].place
            at = self._from[above.file, above.pointer]
        return Trail(at, tuple(reversed(steps))) if at is not None else None

    def _grow(self, roots: Sequence[ValueSet]) -> None:
        """Everything that monotone steps reach; the other steps are noted."""
        queue: deque[Key] = deque()
        for at, root in enumerate(roots):
            key = (root.place.file, root.place.pointer)
            if key not in self._from:
                self._from[key] = at
                self._nodes[key] = (root.place, root.node)
                queue.append(key)
        while queue:
            key = queue.popleft()
            place, node = self._nodes[key]
            for step in self.edges.below(place, node):
                target = (step.target.file, step.target.pointer)
                if not step.monotone:
                    self._turns.setdefault(target, []).append(key)
                    self._nodes.setdefault(target, (step.target, step.node))
                elif target not in self._from:
                    self._from[target] = (ValueSet(place, node, self._dialect), step)
                    self._nodes[target] = (step.target, step.node)
                    queue.append(target)

    def _invert(self) -> None:
        """Everything below a step that is not monotone, with the nodes right above each."""
        stack = list(self._turns)
        self._inverted = set(stack)
        while stack:
            key = stack.pop()
            place, node = self._nodes[key]
            for step in self.edges.below(place, node):
                target = (step.target.file, step.target.pointer)
                self._above.setdefault(target, []).append(key)
                if target not in self._inverted:
                    self._inverted.add(target)
                    self._nodes.setdefault(target, (step.target, step.node))
                    stack.append(target)

    def _stand(self, key: Key) -> Standing:
        plain = key in self._from
        if key not in self._inverted:
            return Standing(plain, known=plain)
        anchors: set[Key] = set()
        seen = {key}
        stack = [key]
        while stack:
            at = stack.pop()
            anchors.update(self._turns.get(at, ()))
            if len(anchors) > MANY:
                return Standing(plain, known=False)
            for above in self._above.get(at, ()):
                if above not in seen:
                    seen.add(above)
                    stack.append(above)
        sets = [ValueSet(*self._nodes[anchor], self._dialect) for anchor in sorted(anchors)]
        return Standing(plain, tuple(sets))
