"""Rows about values that containment left open: a value that one side admits and the other refuses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from evreview.contracts.model import ElementKind, ValueSet
from evreview.ledger import facts
from evreview.ledger.delta import Delta
from evreview.proof.claim import Claim, field_name
from evreview.proof.contained import Contained
from evreview.proof.member import NEIGHBOURS
from evreview.proof.outcome import UNCOMPUTED, Proof, unproven, witnessed
from evreview.proof.position import Pair, direction
from evreview.proof.questions import Questions
from evreview.proof.search import Search, admits
from evreview.proof.unread import UNREAD
from evreview.shapes.json_schema import Source
from evreview.shapes.witness import candidates
from evreview.vocab import Json, Polarity

NOT_FOUND: Final = "neither containment nor a value that one side refuses was found"
NO_PLACE: Final = "the schema that the row stands in could not be isolated"
INVERTED: Final = (
    "the row stands below a schema that may invert the change (oneOf, a condition, not, unevaluated members), "
    "and comparing that schema as a whole decided nothing for this row"
)
_TRIES: Final = 24
_SEARCHED: Final = frozenset({NEIGHBOURS, UNREAD})
"""Doubts that a whole value settles all the same."""


class Witnesses:
    """Looks for values, one row at a time."""

    def __init__(self, questions: Questions, contained: Contained) -> None:
        self._questions = questions
        self._contained = contained

    def proof(self, delta: Delta) -> Proof:
        """Witnessed by a value, or unproven with the reason."""
        claim, pair = self._questions.claims.get(delta.id), self._questions.nodes.get(delta.id)
        if claim is None:
            return UNCOMPUTED
        polarity = direction(delta)
        if pair is None or polarity is None:
            return unproven(NO_PLACE)
        doubt = self._contained.doubt(delta)
        if doubt and doubt not in _SEARCHED:
            return unproven(doubt)
        witness = next(self._found(delta, claim, pair), None)
        if witness is not None:
            return witnessed(witness[0], polarity)
        standing = self._questions.positions.anchors(pair, polarity)
        inverted = standing is not None and bool(standing[1])
        return unproven(doubt or claim.reason or (INVERTED if inverted else NOT_FOUND))

    def _found(self, delta: Delta, claim: Claim, pair: Pair) -> Iterator[tuple[Json]]:
        """Values of whole positions, aimed by the row's own node first and by its ancestors then."""
        polarity = direction(delta)
        if polarity is None:
            return
        standing = self._questions.positions.anchors(pair, polarity)
        if standing is None:
            return
        search = Search(self._questions.positions, polarity)
        if standing[0]:
            yield from search.carried(pair, self._locally(delta, claim, pair))
        # An ancestor's witness is this row's only when nothing else differs below the ancestor.
        for anchor in standing[1]:
            if self._alone(anchor, delta):
                yield from search.carried(anchor, search.between(anchor))

    def _alone(self, anchor: Pair, delta: Delta) -> bool:
        """True when `delta` is the only row that stands below an ancestor."""
        polarity = direction(delta)
        if polarity is None:
            return False
        for other in self._questions.deltas:
            if other.id == delta.id or direction(other) is not polarity:
                continue
            pair = self._questions.positions.nodes(other)
            if pair is None:
                continue
            standing = self._questions.positions.anchors(pair, polarity)
            if standing is None or anchor in standing[1] or pair == anchor:
                return False
        return True

    def _locally(self, delta: Delta, claim: Claim, pair: Pair) -> Iterator[Json]:
        """Values that the sent side's node admits and the expected side's refuses, because of this row."""
        sides = self._questions.positions.sides(delta.polarity)
        read = delta.polarity is Polarity.READ
        inside, outside = (sides.released, sides.candidate) if read else (sides.candidate, sides.released)
        sent, expected = (pair[0], pair[1]) if read else (pair[1], pair[0])
        border = claim.candidate if read else claim.released
        moved = self._contained.doubt(delta) == NEIGHBOURS
        if moved or (not claim.exact and isinstance(border, bool)):
            whole = self._questions.positions.whole(pair, delta.polarity)
            if whole is None:
                return
            border = whole[1] if read else whole[0]
        owed = delta.facts.get(facts.REQUIRED) is True
        name = field_name(delta) if moved and delta.element is ElementKind.PROPERTY and not owed else None
        for value in islice(candidates(inside.schema(sent), border, inside.definition), _TRIES):
            refused = admits(inside, sent, value) is True and admits(outside, expected, value) is False
            if refused and (name is None or _blames(outside, expected, value, name)):
                yield value


def _blames(source: Source, expected: ValueSet, value: Json, name: str) -> bool:
    """True when the member alone is why a value is refused: without it, it is not."""
    if not isinstance(value, dict) or name not in value:
        return False
    return admits(source, expected, {key: member for key, member in value.items() if key != name}) is True
