"""The uses of a row on both sides: every way from the position of a message down to the schema pair that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.elements import Root
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.core.vocabulary import Polarity
from evreview.ledger.delta import Delta
from evreview.ledger.ledger import Ledger
from evreview.proof.position import direction

_VISITS: Final = 3
"""How often one pair is passed; more ways through it differ further up."""
_STEPS: Final = 4000
_ROOTS: Final = 3
Leg = tuple[SchemaPair, Link]
_Legs = tuple["_Legs | None", Leg] | None


@dataclass(frozen=True, slots=True)
class Way:
    """One use: the position, and the links from its pair down to the row's."""

    root: Root
    legs: tuple[Leg, ...]
    pair: SchemaPair


class Ways:
    """Walks the ledger's pair graph upwards."""

    def __init__(self, ledger: Ledger) -> None:
        self._pairs = ledger.pairs
        self.roots = ledger.roots

    def pairs(self, delta: Delta) -> tuple[SchemaPair, ...]:
        """The schema pairs that show a row."""
        return self._pairs.get(delta.id, ())

    def roots_above(self, delta: Delta) -> list[Root]:
        """Every position of a message in the row's direction that carries it, in the ledger's order.

        None for a row below a subtype that a discriminator selects: no value set of a whole position knows of it.
        """
        found, selected = self._above(delta)
        return [] if selected else sorted(found.values(), key=lambda root: self._ranks[id(root)])

    def selected(self, delta: Delta) -> bool:
        """True for a row with a use below a subtype that a discriminator selects by name alone."""
        return self._above(delta)[1]

    def polarities(self, delta: Delta) -> frozenset[Polarity]:
        """The directions of all messages that lead to the pairs of a row, whatever its own direction is."""
        waiting = list(self.pairs(delta))
        seen = {id(pair) for pair in waiting}
        found: set[Polarity] = set()
        for pair in waiting:
            said = (root.position.released.polarity for root in self.tops.get(id(pair), ()))
            found.update(polarity for polarity in said if polarity is not None)
            above = [user for user, _ in self.users.get(id(pair), ()) if id(user) not in seen]
            seen.update(map(id, above))
            waiting += above
        return frozenset(found)

    def _above(self, delta: Delta) -> tuple[dict[int, Root], bool]:
        seen = {id(pair) for pair in self.pairs(delta)}
        waiting = list(self.pairs(delta))
        found: dict[int, Root] = {}
        selected = False
        while waiting:
            pair = waiting.pop()
            found.update((id(root), root) for root in self.tops.get(id(pair), ()) if carries(root, delta))
            for above, _ in self.users.get(id(pair), ()):
                selected = selected or above.selects
                if id(above) not in seen:
                    seen.add(id(above))
                    waiting.append(above)
        return found, selected

    def to(self, delta: Delta, skipped: list[SchemaPair] | None = None) -> Iterator[Way]:
        """The uses of a row in messages of its role, the simplest first, those of its own operation before others.

        Args:
            delta: the row.
            skipped: takes the pairs that were not passed once more, so that uses may be missing.
        """
        heap: list[tuple[int, tuple[str, ...], int, SchemaPair, _Legs]] = []
        for at, pair in enumerate(self.pairs(delta)):
            heappush(heap, (0, (), at, pair, None))
        visits: dict[int, int] = {}
        count = len(heap)
        while heap:
            cost, steps, _, pair, legs = heappop(heap)
            visits[id(pair)] = visits.get(id(pair), 0) + 1
            if visits[id(pair)] > _VISITS or count >= _STEPS:
                if skipped is not None:
                    skipped.append(pair)
                continue
            yield from self._here(delta, pair, legs)
            for above, link in self.users.get(id(pair), ()):
                if above.selects:
                    continue  # validators don't follow a discriminator: no value would be refused for this row
                count += 1
                heappush(heap, (cost + _price(link), (link.step, *steps), count, above, (legs, (above, link))))

    def _here(self, delta: Delta, pair: SchemaPair, legs: _Legs) -> Iterator[Way]:
        way = tuple(_downward(legs))
        end = way[-1][1].target if way else pair
        turned = sum(link.flips for _, link in way) % 2 == 1
        if turned is not (delta.facts.get(comparison_delta.UNDER_NOT) is True):
            return
        found = [root for root in self.tops.get(id(pair), ()) if is_use(root, delta, turned=turned)]
        found.sort(key=lambda root: (root.position.operation != delta.operation, _order(root)))
        yield from (Way(root, way, end) for root in found[:_ROOTS])

    @cached_property
    def _ranks(self) -> Mapping[int, int]:
        return {id(root): at for at, root in enumerate(self.roots)}

    @cached_property
    def tops(self) -> Mapping[int, list[Root]]:
        """The positions that a pair is at the top of, by identity of the pair."""
        found: dict[int, list[Root]] = {}
        for root in self.roots:
            found.setdefault(id(root.pair), []).append(root)
        return found

    @cached_property
    def users(self) -> Mapping[int, list[Leg]]:
        """The links that lead to a pair, with the pair that each starts at, by identity."""
        found: dict[int, list[Leg]] = {}
        waiting = [root.pair for root in self.roots]
        seen = {id(pair) for pair in waiting}
        while waiting:
            pair = waiting.pop()
            for link in pair.links:
                found.setdefault(id(link.target), []).append((pair, link))
                if id(link.target) not in seen:
                    seen.add(id(link.target))
                    waiting.append(link.target)
        return found


def _price(link: Link) -> int:
    """Simple messages first: unions, conditions and `not` are passed only where nothing else leads to the row."""
    step = link.step
    if not step:
        return 0
    if link.flips or step in ("if", "then", "else"):
        return 6
    return {"a": 2, "o": 3}.get(step[0], 1) if step.startswith(("allOf(", "anyOf(", "oneOf(")) else 1


def _downward(legs: _Legs) -> Iterator[Leg]:
    while legs is not None:
        below, leg = legs
        yield leg
        legs = below


def is_use(root: Root, delta: Delta, *, turned: bool) -> bool:
    """True when a row is about messages of a position; `turned`: an odd number of `not` lies between both."""
    element = root.position.released
    polarity = element.polarity.flipped if turned and element.polarity is not None else element.polarity
    return element.role is delta.role and polarity is delta.polarity and element.in_error is delta.in_error


def carries(root: Root, delta: Delta) -> bool:
    """True for a position of the messages that a row is about."""
    element = root.position.released
    return element.role is delta.role and element.polarity is direction(delta) and element.in_error is delta.in_error


def _order(root: Root) -> tuple[str, int, tuple[str, ...]]:
    return (root.position.operation, len(root.position.steps), root.position.steps)
