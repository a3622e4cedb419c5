"""Whether a message grows with the node of a row, and the nodes above it for which that no longer holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.comparison.proof.child_edges import Edges
from evreview.comparison.proof.position import Ways
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.core.vocabulary import Json, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.levels import turns
from evreview.proof.position import direction
from evreview.schema.reader import UNEVALUATED
from evreview.schema.view import Part, Sub

_ONE_OF: Final = "oneOf("
_MATCHED: Final = "[contains]"


@dataclass(frozen=True, slots=True)
class Standing:
    """The uses of a row.

    Attributes:
        plain: whether a use exists on which the whole grows with the row's node.
        anchors: on all other uses the topmost pairs below which that no longer holds, in a fixed order.
    """

    plain: bool
    anchors: tuple[SchemaPair, ...]


class Standings:
    """Reads the ledger's pair graph upwards from each row."""

    def __init__(self, ways: Ways, edges: tuple[Edges, Edges]) -> None:
        self._ways = ways
        self._edges = edges
        self._monotone: dict[int, bool] = {}
        self._reached: dict[Polarity, Mapping[int, int]] = {}
        self._known: dict[tuple[Polarity, tuple[int, ...]], Standing | None] = {}

    def of(self, delta: Delta) -> Standing | None:
        """The standing of a row in messages of its role, None for one that no such message carries."""
        polarity, pairs = direction(delta), self._ways.pairs(delta)
        if polarity is None:
            return None
        key = (polarity, tuple(map(id, pairs)))
        if key not in self._known:
            self._known[key] = self._of(pairs, polarity)
        return self._known[key]

    def _of(self, pairs: tuple[SchemaPair, ...], polarity: Polarity) -> Standing | None:
        above = self._above(pairs)
        reached = self._below(polarity)
        if not above.keys() & reached.keys():
            return None
        anchors = {
            id(user): user
            for pair in above.values()
            for user, link in self._ways.users.get(id(pair), ())
            if id(user) in reached and not self.grows(user, link)
        }
        if anchors and any(pair.selects for pair in above.values()):
            return None  # the values of an anchor don't say which subtype a discriminator selects
        plain = any(id(pair) in reached for pair in pairs)
        return Standing(plain, tuple(sorted(anchors.values(), key=lambda pair: reached[id(pair)])))

    def _above(self, pairs: Iterable[SchemaPair]) -> dict[int, SchemaPair]:
        found = {id(pair): pair for pair in pairs}
        waiting = list(found.values())
        while waiting:
            for user, _ in self._ways.users.get(id(waiting.pop()), ()):
                if id(user) not in found:
                    found[id(user)] = user
                    waiting.append(user)
        return found

    def _below(self, polarity: Polarity) -> Mapping[int, int]:
        """Everything that the messages of one direction grow with, numbered from the top."""
        if polarity not in self._reached:
            waiting = [root.pair for root in self._ways.roots if root.position.released.polarity is polarity]
            found = {id(pair): at for at, pair in enumerate(waiting)}
            for pair in waiting:
                for link in pair.links:
                    if id(link.target) not in found and self.grows(pair, link):
                        found[id(link.target)] = len(found)
                        waiting.append(link.target)
            self._reached[polarity] = found
        return self._reached[polarity]

    def grows(self, pair: SchemaPair, link: Link) -> bool:
        """True when the pair above admits more (or the same) once the member does."""
        if id(link) not in self._monotone:
            sides = zip(self._edges, (pair.released, pair.candidate), strict=True)
            self._monotone[id(link)] = all(_follows(edges, sub, link) for edges, sub in sides)
        return self._monotone[id(link)]


def _follows(edges: Edges, sub: Sub, link: Link) -> bool:
    if turns(link) and not link.step.startswith(_ONE_OF):
        return False
    for part, node in _in_place(edges, sub.parts):
        if UNEVALUATED & node.keys() or (link.step == _MATCHED and "maxContains" in node):
            return False
        branches = node.get("oneOf")
        if link.step.startswith(_ONE_OF) and isinstance(branches, list) and not edges.apart(part.place, branches):
            return False
    return True


def _in_place(edges: Edges, parts: Iterable[Part]) -> Iterator[tuple[Part, Mapping[str, Json]]]:
    for part in parts:
        for place, node in edges.conjoined(part.place, part.node):
            yield Part(node, place), node
