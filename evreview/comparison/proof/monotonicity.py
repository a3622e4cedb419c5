"""Rows below a schema that may turn a change round, or swallow it: there a rule that knows its keyword can't tell.

What widens a branch of `oneOf` may narrow the whole; what narrows a branch of `anyOf` may be admitted by another
branch; `if` turns round; `contains` is counted; the names of members are texts, whatever else is said of them. What
stands below `not` only is turned round with its polarity, and its rules know that. What is written below such a schema
shows in the pointer of its place; what is reached through a reference shows in the uses of its pair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.proof.position import Ways, is_use
from evreview.comparison.schema_pairs import Link
from evreview.core.vocabulary import Polarity, Verdict
from evreview.ledger.delta import Delta
from evreview.proof.position import direction
from evreview.proof.standing import Standings

WHY: Final = "The row stands below a schema that may turn the change round, and comparing the whole decided nothing."
_SWALLOWING: Final = ("anyOf(", "if has ", "[contains]", "{names}")
"""Steps that carry growth up, and may hide a loss."""
_TURNING: Final = frozenset({"oneOf", "anyOf", "if", "contains", "propertyNames"})
_SET: Final = frozenset({"required", "discriminator"})
_COUNTS: Final = frozenset({"minProperties", "maxProperties"})
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf"})
_HIDDEN: Final = {"readOnly": Polarity.READ, "writeOnly": Polarity.WRITTEN}
_BRANCH: Final = re.compile(r"/(?:anyOf|oneOf)/\d+\Z")
_NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "schemas", "definitions"})


@dataclass(frozen=True, slots=True)
class Turning:
    """What the schemas above a row do to it.

    Attributes:
        turns: whether some use may turn a growth of the row's node into a loss.
        hides: whether no use surely shows a loss of it.
    """

    turns: bool = False
    hides: bool = False

    def forbids(self, verdict: Verdict) -> bool:
        """True when a rule that says this of the row's own node can't say it of the whole."""
        return self.hides if verdict is Verdict.BREAKING else self.turns


class Turnings:
    """Looks at every use of a row, across references."""

    def __init__(self, ways: Ways, standings: Standings) -> None:
        self._ways = ways
        self._standings = standings

    def of(self, delta: Delta) -> Turning:
        """What all the uses of a row in messages of its role do to it."""
        waiting = [(pair, False, True, True) for pair in self._ways.pairs(delta)]
        seen = {(id(pair), *how) for pair, *how in waiting}
        uses: set[tuple[bool, bool]] = set()
        while waiting:
            pair, flipped, grows, shows = waiting.pop()
            if any(is_use(root, delta, turned=flipped) for root in self._ways.tops.get(id(pair), ())):
                uses.add((grows, shows))
            for above, link in self._ways.users.get(id(pair), ()):
                kept = link.flips or self._standings.grows(above, link)
                state = (above, flipped is not link.flips, grows and kept, shows and kept and not _hides(link))
                if not above.selects and (id(above), *state[1:]) not in seen:
                    seen.add((id(above), *state[1:]))
                    waiting.append(state)
        return Turning(not all(grows for grows, _ in uses), bool(uses) and not any(shows for _, shows in uses))


def _hides(link: Link) -> bool:
    return link.required is None and link.step.startswith(_SWALLOWING)


def turned(delta: Delta, keywords: frozenset[str] = _TURNING, *, unserved: bool = False) -> bool:
    """True when a row is written below such a schema.

    Args:
        delta: the row.
        keywords: what may turn it.
        unserved: whether the row is about a branch whose messages have no case on the other side any more.
    """
    places = (place for place in (delta.released_place, delta.candidate_place) if place is not None)
    # A branch of `anyOf` that came or went widens or narrows the schema that it stands in; so does one of `oneOf`
    # whose messages no other branch is there for.
    own = _BRANCH if delta.facet == "anyOf" or (unserved and delta.facet == "oneOf") else None
    # Inclusion does not compare unevaluated items, and one kind of composition in the place of another is several rows.
    keywords = keywords | {"unevaluatedItems"} if delta.facet in _COMPOSED else keywords
    # How many members there are is also said by the member that such a schema depends on.
    keywords = keywords | {"dependentSchemas"} if delta.facet in _COUNTS else keywords
    return any(_turned(own.sub("", place.pointer) if own else place.pointer, keywords) for place in places)


def turned_by_rule(delta: Delta, *, above: bool) -> bool:
    """The same for a row that only its rule speaks about, where the rule speaks about values.

    Args:
        delta: the row.
        above: whether schemas above it, across references, forbid what its rule says.
    """
    if delta.facts.get(comparison_delta.OUTSIDE_DIRECTION) is True:
        return False
    speaks = delta.facet in _SET or _HIDDEN.get(delta.facet) is direction(delta)
    # Whether a member is hidden has no polarity of its own that `not` would turn.
    opposed = delta.facet in _HIDDEN and delta.facts.get(comparison_delta.UNDER_NOT) is True
    return speaks and (above or opposed or turned(delta, _TURNING | {"not"} if delta.facet in _HIDDEN else _TURNING))


def _turned(pointer: str, keywords: frozenset[str]) -> bool:
    named = False
    for step in pointer.split("/"):
        if not named and step in keywords:
            return True
        named = not named and step in _NAMED
    return False
