"""What schemas above a position say of it aside, over all of its uses at once; found once for a direction.

Uses are walked one by one only as far as there are few; this says whether one of the others might declare more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from evreview.comparison.proof.position import Ways
from evreview.comparison.proof.value_sets import Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import Polarity
from evreview.proof.levels import hole_of
from evreview.schema.subsumption.relation import Told

LOOKING: Final = frozenset(
    {"contains", "anyOf", "oneOf", "allOf", "if", "not", "dependentSchemas", "dependencies", "$ref"}
)
"""Keywords by which a schema may look at members beside the one that describes them."""
_ASIDE: Final = LOOKING | {"patternProperties"}
_NOTHING: Final[Told] = frozenset()


class Besides:
    """Carries what is said aside down the ledger's pair graph."""

    def __init__(self, ways: Ways, sets: Sets) -> None:
        self._ways = ways
        self._sets = sets
        self._told: dict[Polarity, Mapping[int, Told]] = {}

    def tells(self, pairs: Iterable[SchemaPair], polarity: Polarity, name: str | None) -> bool:
        """True when a use of a position may declare a member of a name beside it; without a name, any member."""
        if polarity not in self._told:
            self._told[polarity] = self._found(polarity)
        told = _NOTHING.union(*(self._told[polarity].get(id(pair), _NOTHING) for pair in pairs))
        return bool(told) and (name is None or self._sets.told(told, polarity, name))

    def _found(self, polarity: Polarity) -> Mapping[int, Told]:
        waiting = [root.pair for root in self._ways.roots if root.position.released.polarity is polarity]
        found: dict[int, Told] = {id(pair): _NOTHING for pair in waiting}
        while waiting:
            pair = waiting.pop()
            above = found[id(pair)]
            plain = not above and not any(sub.writes(_ASIDE) for sub in (pair.released, pair.candidate))
            for link in pair.links:
                below = link.target
                told = _NOTHING if plain else self._below(pair, above, (hole_of(link), below), polarity)
                known = found.get(id(below))
                if known is None or not told <= known:
                    found[id(below)] = told if known is None else known | told
                    waiting.append(below)
        return found

    def _below(
        self, pair: SchemaPair, told: Told, to: tuple[tuple[str, str] | None, SchemaPair], polarity: Polarity
    ) -> Told:
        hole, target = to
        own, under = (self._sets.of_subs((each.released, each.candidate), polarity) for each in (pair, target))
        return self._sets.carried((own, told), polarity, hole, under)
