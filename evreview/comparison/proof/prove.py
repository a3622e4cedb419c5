"""Verdicts about values, computed: contained, refuted by a concrete value, or openly unproven."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.claim import Breadth, Questions
from evreview.comparison.proof.containment import Contained
from evreview.comparison.proof.content_types import PartTypes
from evreview.comparison.proof.enclosing_applicators import Spelling
from evreview.comparison.proof.monotonicity import Reversal, Reversals
from evreview.comparison.proof.outcome import (
    CONTAINED,
    CONTAINED_AS_TEXT,
    CONTAINED_DECLARED,
    UNCOMPUTED,
    ContainmentResult,
    Doubt,
    Proof,
    ProofReason,
    RefusedValue,
    unproven,
    with_overruled_verdict,
    witnessed,
)
from evreview.comparison.proof.position import Leg, direction_of
from evreview.comparison.proof.value_sets import Meant, Sets
from evreview.comparison.proof.witness_search import WitnessSearch
from evreview.core.vocabulary import DeltaId, Direction, ProofStatus, Tristate
from evreview.schema.subsumption.result import UndecidedReason

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import KindSpec
    from evreview.comparison.proof.outcome import WholeMessages


# A check of many proofs by one: where every row of a schema pair is contained, the pair as a whole has to be.


Key = tuple[int, Direction]


def contradicted(
    questions: Questions, sets: Sets, meant: Meant, rows: Iterable[tuple[Delta, bool]]
) -> frozenset[DeltaId]:
    """The proved rows of schema pairs that a verified value refutes as a whole.

    Args:
        questions: the rows and where they stand.
        sets: compares whole schemas by the letter.
        meant: compares what peers write.
        rows: every row, with True for one that is compatible and proved by value sets. A pair with any other row at or
            below it is not asked about.
    """
    proved: dict[Key, list[Delta]] = {}
    open_pairs: set[Key] = set()
    for delta, safe in rows:
        direction = direction_of(delta)
        for pair in questions.usage_paths.pairs(delta):
            if safe and direction is not None and direction is delta.direction:
                proved.setdefault((id(pair), direction), []).append(delta)
            else:
                open_pairs.update((id(pair), each) for each in Direction if direction in (each, None))
    tainted = _above(open_pairs, questions.usage_paths.users)
    found: set[DeltaId] = set()
    for key, deltas in proved.items():
        if key in tainted:
            continue
        pair = next(each for each in questions.usage_paths.pairs(deltas[0]) if id(each) == key[0])
        schemas = sets.of_subs((pair.released, pair.candidate), key[1])
        if sets.contained(schemas, key[1]).answer is Tristate.YES or meant.contained(schemas, key[1]):
            continue
        if sets.safe(schemas, key[1]).answer is Tristate.NO:
            found.update(delta.id for delta in deltas)
    return frozenset(found)


def _above(keys: set[Key], users: Mapping[int, list[Leg]]) -> set[Key]:
    """The pairs, and all pairs that lead to them."""
    seen, waiting = set(keys), list(keys)
    while waiting:
        at, direction = waiting.pop()
        for above, _ in users.get(at, ()):
            key = (id(above), direction)
            if key not in seen:
                seen.add(key)
                waiting.append(key)
    return seen


__all__ = [
    "UNCOMPUTED",
    "ContainmentResult",
    "Proof",
    "Prover",
    "RefusedValue",
    "unproven",
    "with_overruled_verdict",
    "witnessed",
]


class Prover:
    """Decides the rows of one comparison; witnesses are looked for when somebody asks.

    Args:
        ledger: the rows and where they stand.
        witnesses: False to look for values only where a verdict rests on one, and then briefly.
    """

    def __init__(self, ledger: Ledger, *, witnesses: bool = True) -> None:
        self._asked = witnesses
        self._ledger = ledger
        questions = self._questions = Questions(ledger)
        self._contained = Contained(questions)
        self._spelling = Spelling(questions, self._contained.sets)
        self._witnesses = WitnessSearch(questions, self._contained, brief=not witnesses)
        self._reversals = Reversals(questions.usage_paths, questions.standings)
        self._part_types = PartTypes(questions)
        self._breadth = Breadth(questions)
        self._proofs: dict[DeltaId, Proof] = {}

    @property
    def spec(self) -> KindSpec:
        """The kind of both contracts."""
        return self._ledger.spec

    @cached_property
    def _whole(self) -> WholeMessages:
        """The maker of messages, loaded for the first one."""
        return self.spec.whole_messages(self._ledger.released, self._ledger.candidate)

    def finding(self, delta: Delta) -> ContainmentResult:
        """What containment says about a row; quick, no value is looked for."""
        if self._breadth.exceeded(delta):
            self._contained.give_up(delta, ProofReason.TOO_WIDE)
            return ContainmentResult.OPEN
        try:
            found = self._contained.finding(delta)
        except RecursionError:
            self._contained.give_up(delta, UndecidedReason.TOO_DEEP)
            return ContainmentResult.OPEN
        settled = found is ContainmentResult.NOT_VALUES or (
            found is ContainmentResult.OPEN and self._contained.doubt(delta)
        )
        if settled or not self._part_types.changed(delta):
            return found
        self._contained.give_up(delta, ProofReason.RETYPED)
        return ContainmentResult.OPEN

    def contradicted(self, rows: Iterable[tuple[Delta, bool]]) -> frozenset[DeltaId]:
        """The rows said to be safe (true beside them) that stand in a schema which a value refutes as a whole."""
        judged = ((delta, safe and self._by_values(delta)) for delta, safe in rows)
        return contradicted(self._questions, self._contained.sets, self._contained.meant, judged)

    def _by_values(self, delta: Delta) -> bool:
        """True when the values of the row's own node count: not their texts, and no schema that turns them round."""
        standing = self._questions.standings.of(delta)
        grows = standing is not None and standing.plain
        return (
            grows
            and not self._contained.as_text(delta)
            and delta.facts.get(comparison_delta.OUTSIDE_DIRECTION) is not True
        )

    def containment(self, delta: Delta) -> Proof:
        """The proof of a row that `finding` called safe."""
        if self._contained.as_text(delta):
            return CONTAINED_AS_TEXT
        return CONTAINED_DECLARED if self._contained.assumed(delta) else CONTAINED

    def equality(self, delta: Delta) -> str:
        """Why a row that `finding` called equal changes no message."""
        return self._contained.equality(delta)

    def doubt(self, delta: Delta) -> Doubt:
        """What stands against deciding a row by its value sets, once `finding` was asked; `NONE` for nothing."""
        return self._contained.doubt(delta)

    def refuses(self, delta: Delta) -> bool:
        """True when the member of a row is sent with values that are refused, once `finding` was asked."""
        return self._contained.refuses(delta)

    def reversing(self, delta: Delta) -> Reversal:
        """What the schemas above a row, across references, do to a change of its own node."""
        return self._reversals.of(delta)

    def unserved(self, delta: Delta) -> bool:
        """True for a branch that only the sending side has, unless the other is shown to have a case for it."""
        return self._contained.unserved(delta)

    def closed(self, delta: Delta) -> bool:
        """True when a schema in place around the row judges what the row begins or ceases to name."""
        return self._contained.closed(delta)

    def refuted(self, delta: Delta) -> bool:
        """True when the engine has a value that breaks what the row says, found by no search."""
        try:
            return self._contained.refuted(delta)
        except RecursionError:
            return False

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same, or those around them."""
        return self._spelling.differs(delta)

    def unsettled(self, delta: Delta) -> bool:
        """True for two nodes read as the same whose unevaluated rest is judged, and not proved to be judged alike."""
        return self._spelling.unsettled(delta)

    def both_usage_paths(self, delta: Delta) -> bool:
        """True when what a row is about travels in both directions."""
        return len(self._questions.usage_paths.directions(delta)) > 1

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row that containment left open or that is about no values: a message, or why there is none."""
        if self._asked or delta.id in self._proofs:
            return self.deciding(delta)
        return self._witnesses.unasked(delta)

    def deciding(self, delta: Delta) -> Proof:
        """The same for a row whose verdict rests on its proof: a value is looked for, if only briefly."""
        if delta.id not in self._proofs:
            try:
                self._proofs[delta.id] = self._searched(delta)
            except RecursionError:
                self._proofs[delta.id] = unproven(UndecidedReason.TOO_DEEP)
        return self._proofs[delta.id]

    def _searched(self, delta: Delta) -> Proof:
        if self._breadth.exceeded(delta):
            return unproven(ProofReason.TOO_WIDE)
        found = self._witnesses.proof(delta)
        if found.status is ProofStatus.WITNESSED:
            return self._whole.carried(delta, found, self._witnesses.found(delta))
        return self._whole.structural(delta) if found.status is ProofStatus.NOT_APPLICABLE else found

    def found(self, delta: Delta) -> Iterator[RefusedValue]:
        """Every value found for a row, the best first; each position at most twice."""
        return self._witnesses.found(delta)
