"""Whether what peers write who know the contracts is expected, where the letter of open objects decides nothing.

Sent is what one way of each choice names, and what the letter admits too; expected is what the letter admits.
"""

from __future__ import annotations

from typing import Final

from evreview.comparison.proof.value_sets import Schemas
from evreview.core.vocabulary import Answer, Json, Polarity
from evreview.proof.position import Positions
from evreview.schema.evaluator import Evaluator
from evreview.schema.subsumption.relation import Inclusions
from evreview.schema.written_values import Reader, Written, chosen, objects_of, one_case, without_objects

_STEPS: Final = 4_000
"""Questions per decision: a choice that is compared way by way asks more than one compared by the letter."""
_BRANCHES: Final = 32
_PAIRS: Final = 1_000
"""How many ways of both sides are held against each other at most."""


class Meant:
    """Compares what is written, each question once."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._sides: dict[Polarity, tuple[Written, Written]] = {}
        self._engines: dict[Polarity, Inclusions] = {}
        self._known: dict[tuple[int, int, Polarity], tuple[Schemas, bool]] = {}
        self._closed: dict[Polarity, tuple[Written, Evaluator]] = {}
        self._own: dict[Polarity, Inclusions] = {}

    def contained(self, schemas: Schemas, polarity: Polarity) -> bool:
        """True when all that is written on the side that sends is expected; asks nothing where no choice is made.

        Args:
            schemas: released first.
            polarity: the direction.
        """
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        key = (id(sent), id(expected), polarity)
        if key not in self._known:
            self._known[key] = (schemas, self._contained(sent, expected, polarity))
        return self._known[key][1]

    def _contained(self, sent: Json, expected: Json, polarity: Polarity) -> bool:
        mine, theirs = self._pair(polarity)
        ways, cases = mine.ways(sent), theirs.ways(expected)
        if ways is None or cases is None or max(len(ways), len(cases)) < 2:
            return False
        engine = self._engine(polarity)
        for way in mine.each(sent, Reader(theirs, expected)):
            sends = {"allOf": [way, sent]}
            if engine.contained(sends, expected).answer is Answer.YES or self._refused(way, sent, polarity):
                continue
            return False
        return True

    def _refused(self, way: Json, sent: Json, polarity: Polarity) -> bool:
        """True when the letter refuses all of one way to write a schema, for it meets two branches of a `oneOf`."""
        mine, _ = self._pair(polarity)
        if polarity not in self._own:
            self._own[polarity] = Inclusions(mine.definition, mine.definition, steps=_STEPS)
        for branches in chosen(sent, mine.definition, "oneOf"):
            found = (self._own[polarity].contained(way, branch) for branch in branches[:_BRANCHES])
            if sum(each.answer is Answer.YES and not each.assumed for each in found) > 1:
                return True
        return False

    def served(self, schemas: Schemas, polarity: Polarity, part: Json = None) -> bool:
        """True when each kind of message that is sent has its own case on the side that expects it.

        A branch that only takes a message because its objects are open, and names other members, is no case of it.

        Args:
            schemas: released first.
            polarity: the direction.
            part: a branch of the side that sends, None for all that is sent.
        """
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        mine, theirs = self._pair(polarity)
        ways, cases = mine.ways(sent if part is None else part), theirs.ways(expected)
        if ways is None or cases is None or len(ways) * len(cases) > _PAIRS:
            return False
        engine = self._engine(polarity)
        plain = [node for way in ways if (node := without_objects(way)) is not None]
        others: Json = {"anyOf": list(cases)}
        if not all(engine.contained(node, others).answer is Answer.YES for node in plain):
            return False
        takers = objects_of(cases)
        return all(
            any(one_case(way, case) and engine.contained(way, case).answer is Answer.YES for case in takers)
            and not self._twice(way, expected, polarity)
            for way in objects_of(ways)
        )

    def _twice(self, way: Json, expected: Json, polarity: Polarity) -> bool:
        """True when all of one way to write a message meets two branches of a `oneOf` that expects it."""
        engine, (_, theirs) = self._engine(polarity), self._pair(polarity)
        for branches in chosen(expected, theirs.definition, "oneOf", within=True):
            found = (engine.contained(way, branch) for branch in branches[:_BRANCHES])
            if sum(each.answer is Answer.YES for each in found) > 1:
                return True
        return False

    def writes(self, polarity: Polarity, sent: Json, value: Json) -> bool:
        """True when a value has the members of one way to meet the schema that it is sent by, and no others."""
        if polarity not in self._closed:
            sides = self._positions.sides(polarity)
            source = sides.released if polarity is Polarity.READ else sides.candidate
            written = Written(source.definition, closed=True)
            self._closed[polarity] = (written, Evaluator(written.definition))
        written, evaluator = self._closed[polarity]
        return evaluator.admits(written.one_of(sent), value) is not False

    def _pair(self, polarity: Polarity) -> tuple[Written, Written]:
        """What is written on the side that sends, and on the one that expects."""
        if polarity not in self._sides:
            sides = self._positions.sides(polarity)
            both = Written(sides.released.definition), Written(sides.candidate.definition)
            self._sides[polarity] = both if polarity is Polarity.READ else both[::-1]
        return self._sides[polarity]

    def _engine(self, polarity: Polarity) -> Inclusions:
        if polarity not in self._engines:
            mine, theirs = self._pair(polarity)
            self._engines[polarity] = Inclusions(mine.definition, theirs.definition, steps=_STEPS)
        return self._engines[polarity]
