"""Nodes that were read as the same: whether a value, or what is left unevaluated around them, says otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.comparison.proof.value_sets import Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import Answer, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.closing import evaluate_otherwise, judges
from evreview.proof.position import Pair, direction
from evreview.proof.questions import Questions
from evreview.schema.reader import UNEVALUATED
from evreview.schema.to_json_schema import gaps


class Spelling:
    """Compares both spellings, with the schemas around them where these judge what a spelling leaves."""

    def __init__(self, questions: Questions, sets: Sets) -> None:
        self._questions = questions
        self._sets = sets

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same, or those around them."""
        pair, polarity = self._questions.positions.nodes(delta), direction(delta)
        if pair is None or polarity is None:
            return False
        around = self._judging(delta, pair)
        return any(self._refuted_as(pair, around, way) for way in (polarity, polarity.flipped))

    def unsettled(self, delta: Delta) -> bool:
        """True for two nodes read as the same whose unevaluated rest is judged, and not proved to be judged alike."""
        pair, polarity = self._questions.positions.nodes(delta), direction(delta)
        if pair is None or polarity is None:
            return False
        subs = [(each.released, each.candidate) for each in self._judging(delta, pair)]
        judged = [self._sets.of_subs(each, polarity) for each in subs]
        judged += [self._sets.of_nodes(pair, polarity)] if judges(pair[0].node, pair[1].node) else []
        return not all(self._sets.equal(schemas, polarity) for schemas in judged)

    def _judging(self, delta: Delta, pair: Pair) -> list[SchemaPair]:
        """The schemas around two nodes that judge what these leave unevaluated, where that may differ untold."""
        standing = self._questions.standings.of(delta) if evaluate_otherwise(*pair) else None
        anchors = standing.anchors if standing is not None else ()
        return [
            each
            for each in anchors
            if judges(*(part.node for part in (*each.released.parts, *each.candidate.parts))) and not _told(each)
        ]

    def _refuted_as(self, pair: Pair, anchors: Iterable[SchemaPair], polarity: Polarity) -> bool:
        """True when a value refutes in one direction that two nodes, or schemas around them, admit the same."""
        around = (self._sets.of_subs((each.released, each.candidate), polarity) for each in anchors)
        return any(
            self._sets.safe(schemas, polarity).answer is Answer.NO
            for schemas in (self._sets.of_nodes(pair, polarity), *around)
            if not (gaps(schemas[0]) or gaps(schemas[1]))
        )


def _told(around: SchemaPair) -> bool:
    """True when a row of a schema says that nothing is left for it to judge on one side: then that row is the edit."""
    return any(
        row.facet in UNEVALUATED and not row.reason and (row.released is True or row.candidate is True)
        for row in around.differences
    )
