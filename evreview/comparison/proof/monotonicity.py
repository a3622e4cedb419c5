"""Rows below a schema that may turn a change round, or swallow it: there a rule that knows its keyword can't tell.

What widens a branch of `oneOf` may narrow the whole; what narrows a branch of `anyOf` may be admitted by another
branch; `if` turns round; `contains` is counted; the names of members are texts, whatever else is said of them. What
stands below `not` only is turned round with its direction, and its rules know that. What is written below such a schema
shows in the pointer of its place; what is reached through a reference shows in the uses of its pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.proof.child_edges import ChildEdges
from evreview.comparison.proof.position import UsagePaths, direction_of, is_use, turns
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json, Verdict
from evreview.schema.reader import UNEVALUATED
from evreview.schema.view import Branch, Part, Sub, branch_of

# Whether a message grows with the node of a row, and the nodes above it for which that no longer holds.


_MATCHED: Final = "[contains]"


@frozen
class Monotonicity:
    """The uses of a row.

    Attributes:
        plain: whether a use exists on which the whole grows with the row's node.
        anchors: on all other uses the topmost pairs below which that no longer holds, in a fixed order.
    """

    plain: bool
    anchors: tuple[SchemaPair, ...]


class MonotonicityFinder:
    """Reads the ledger's pair graph upwards from each row."""

    def __init__(self, usage_paths: UsagePaths, edges: tuple[ChildEdges, ChildEdges]) -> None:
        self._usage_paths = usage_paths
        self._edges = edges
        self._monotone: dict[int, bool] = {}
        self._reached: dict[Direction, Mapping[int, int]] = {}
        self._known: dict[tuple[Direction, tuple[int, ...]], Monotonicity | None] = {}

    def of(self, delta: Delta) -> Monotonicity | None:
        """The standing of a row in messages of its role, None for one that no such message carries."""
        direction, pairs = direction_of(delta), self._usage_paths.pairs(delta)
        if direction is None:
            return None
        key = (direction, tuple(map(id, pairs)))
        if key not in self._known:
            self._known[key] = self._of(pairs, direction)
        return self._known[key]

    def _of(self, pairs: tuple[SchemaPair, ...], direction: Direction) -> Monotonicity | None:
        above = self._above(pairs)
        reached = self._below(direction)
        if not above.keys() & reached.keys():
            return None
        anchors = {
            id(user): user
            for pair in above.values()
            for user, link in self._usage_paths.users.get(id(pair), ())
            if id(user) in reached and not self.grows(user, link)
        }
        if anchors and any(pair.selects for pair in above.values()):
            return None  # the values of an anchor don't say which subtype a discriminator selects
        plain = any(id(pair) in reached for pair in pairs)
        return Monotonicity(plain, tuple(sorted(anchors.values(), key=lambda pair: reached[id(pair)])))

    def _above(self, pairs: Iterable[SchemaPair]) -> dict[int, SchemaPair]:
        found = {id(pair): pair for pair in pairs}
        waiting = list(found.values())
        while waiting:
            for user, _ in self._usage_paths.users.get(id(waiting.pop()), ()):
                if id(user) not in found:
                    found[id(user)] = user
                    waiting.append(user)
        return found

    def _below(self, direction: Direction) -> Mapping[int, int]:
        """Everything that the messages of one direction grow with, numbered from the top."""
        if direction not in self._reached:
            waiting = [root.pair for root in self._usage_paths.roots if root.position.released.direction is direction]
            found = {id(pair): at for at, pair in enumerate(waiting)}
            for pair in waiting:
                for link in pair.links:
                    if id(link.target) not in found and self.grows(pair, link):
                        found[id(link.target)] = len(found)
                        waiting.append(link.target)
            self._reached[direction] = found
        return self._reached[direction]

    def grows(self, pair: SchemaPair, link: Link) -> bool:
        """True when the pair above admits more (or the same) once the member does."""
        if id(link) not in self._monotone:
            sides = zip(self._edges, (pair.released, pair.candidate), strict=True)
            self._monotone[id(link)] = all(_follows(edges, sub, link) for edges, sub in sides)
        return self._monotone[id(link)]


def _follows(edges: ChildEdges, sub: Sub, link: Link) -> bool:
    if turns(link) and branch_of(link.step) is not Branch.ONE_OF:
        return False
    for part, node in _in_place(edges, sub.parts):
        if UNEVALUATED & node.keys() or (link.step == _MATCHED and "maxContains" in node):
            return False
        branches = node.get("oneOf")
        if (
            branch_of(link.step) is Branch.ONE_OF
            and isinstance(branches, list)
            and not edges.disjoint(part.place, branches)
        ):
            return False
    return True


def _in_place(edges: ChildEdges, parts: Iterable[Part]) -> Iterator[tuple[Part, Mapping[str, Json]]]:
    for part in parts:
        for place, node in edges.conjoined(part.place, part.node):
            yield Part(node, place), node


WHY: Final = "The row stands below a schema that may turn the change round, and comparing the whole decided nothing."
_SWALLOWING: Final = (Branch.ANY_OF, Branch.IF_HAS)
_HIDING: Final = ("[contains]", "{names}")
"""Steps that carry growth up, and may hide a loss."""
_REVERSING: Final = frozenset({"oneOf", "anyOf", "if", "contains", "propertyNames"})
_SET: Final = frozenset({"required", "discriminator"})
_COUNTS: Final = frozenset({"minProperties", "maxProperties"})
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf"})
_HIDDEN: Final = {"readOnly": Direction.READ, "writeOnly": Direction.WRITTEN}
_BRANCH: Final = re.compile(r"/(?:anyOf|oneOf)/\d+\Z")
_NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "schemas", "definitions"})


@frozen
class Reversal:
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


class Reversals:
    """Looks at every use of a row, across references."""

    def __init__(self, usage_paths: UsagePaths, standings: MonotonicityFinder) -> None:
        self._usage_paths = usage_paths
        self._standings = standings

    def of(self, delta: Delta) -> Reversal:
        """What all the uses of a row in messages of its role do to it."""
        waiting = [(pair, False, True, True) for pair in self._usage_paths.pairs(delta)]
        seen = {(id(pair), *how) for pair, *how in waiting}
        uses: set[tuple[bool, bool]] = set()
        while waiting:
            pair, reversed, grows, shows = waiting.pop()
            if any(is_use(root, delta, reversed=reversed) for root in self._usage_paths.tops.get(id(pair), ())):
                uses.add((grows, shows))
            for above, link in self._usage_paths.users.get(id(pair), ()):
                kept = link.reverses or self._standings.grows(above, link)
                state = (above, reversed is not link.reverses, grows and kept, shows and kept and not _hides(link))
                if not above.selects and (id(above), *state[1:]) not in seen:
                    seen.add((id(above), *state[1:]))
                    waiting.append(state)
        return Reversal(not all(grows for grows, _ in uses), bool(uses) and not any(shows for _, shows in uses))


def _hides(link: Link) -> bool:
    return link.required is None and (branch_of(link.step) in _SWALLOWING or link.step in _HIDING)


def reversed(delta: Delta, keywords: frozenset[str] = _REVERSING, *, unserved: bool = False) -> bool:
    """True when a row is written below such a schema.

    Args:
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
    return any(_reversed(own.sub("", place.pointer) if own else place.pointer, keywords) for place in places)


def reversed_by_rule(delta: Delta, *, above: bool) -> bool:
    """The same for a row that only its rule speaks about, where the rule speaks about values.

    Args:
        above: whether schemas above it, across references, forbid what its rule says.
    """
    if delta.facts.get(comparison_delta.OUTSIDE_DIRECTION) is True:
        return False
    speaks = delta.facet in _SET or _HIDDEN.get(delta.facet) is direction_of(delta)
    # Whether a member is hidden has no direction of its own that `not` would turn.
    opposed = delta.facet in _HIDDEN and delta.facts.get(comparison_delta.UNDER_NOT) is True
    return speaks and (
        above or opposed or reversed(delta, _REVERSING | {"not"} if delta.facet in _HIDDEN else _REVERSING)
    )


def _reversed(pointer: str, keywords: frozenset[str]) -> bool:
    named = False
    for step in pointer.split("/"):
        if not named and step in keywords:
            return True
        named = not named and step in _NAMED
    return False
