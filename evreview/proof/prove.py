"""Verdicts about values, computed: contained, refuted by a concrete value, or openly unproven."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final

from evreview.contracts.model import Contract
from evreview.ledger.delta import Delta
from evreview.proof.claim import SCALARS, Claim, claim_of
from evreview.proof.position import Pair, Positions
from evreview.shapes.containment import compare_sets
from evreview.shapes.json_schema import Source, closed
from evreview.shapes.validate import accepts
from evreview.shapes.witness import candidates
from evreview.vocab import Answer, DeltaId, Json, Missing, Polarity, ProofMethod, ProofStatus

BY_RULE: Final = "the row is about no set of values; the rule speaks"
NOT_FOUND: Final = "neither containment nor a value that one side refuses was found"
NO_PLACE: Final = "the schema that the row stands in could not be isolated"
_TRIES: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """How a verdict is known.

    Attributes:
        status: proved, witnessed, unproven, or n/a where values are not concerned.
        method: what decided.
        witness: `value`, who accepts it and who refuses it, as two validators found; {} without one.
        command: the command that repeats the check, "" while there is none.
        reason: what was found, or why nothing was.
    """

    status: ProofStatus
    method: ProofMethod
    witness: Json
    command: str
    reason: str


class Finding(StrEnum):
    """What computing the value sets says about a row."""

    NOT_VALUES = "not about values"
    EQUAL = "equal"
    SAFE = "contained in the safe direction"
    OPEN = "not contained, or not decided"


UNCOMPUTED: Final = Proof(
    status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=BY_RULE
)
CONTAINED: Final = Proof(
    status=ProofStatus.PROVED,
    method=ProofMethod.CONTAINMENT,
    witness={},
    command="",
    reason="the side that is sent is contained in the side that is expected",
)


class Prover:
    """Decides the rows of one comparison; witnesses are looked for when somebody asks."""

    def __init__(self, released: Contract, candidate: Contract, deltas: Iterable[Delta]) -> None:
        self._positions = Positions(released, candidate)
        self._claims: dict[DeltaId, Claim] = {}
        self._nodes: dict[DeltaId, Pair | None] = {}
        self._whole: dict[tuple[str, ...], Finding] = {}
        self._proofs: dict[DeltaId, Proof] = {}
        self._groups: dict[tuple[str, ...], int] = defaultdict(int)
        for delta in deltas:
            claim = claim_of(delta)
            if claim is not None:
                self._claims[delta.id] = claim
                self._nodes[delta.id] = self._positions.nodes(delta)
                self._groups[self._group(delta)] += 1

    def finding(self, delta: Delta) -> Finding:
        """What containment says about a row; quick, no value is looked for."""
        claim = self._claims.get(delta.id)
        if claim is None:
            return Finding.NOT_VALUES
        own = self._by_claim(delta, claim)
        if own is not Finding.OPEN:
            return own
        together = self._groups[self._group(delta)] > 1 or claim.reason != ""
        return self._together(delta) if together else Finding.OPEN

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row that containment left open: a witness, or unproven with the reason."""
        if delta.id not in self._proofs:
            self._proofs[delta.id] = self._searched(delta)
        return self._proofs[delta.id]

    def _by_claim(self, delta: Delta, claim: Claim) -> Finding:
        if claim.reason:
            return Finding.OPEN
        found = compare_sets(claim.released, claim.candidate)
        if claim.exact and found.equal is Answer.YES:
            return Finding.EQUAL
        safe = found.released_in_candidate if delta.polarity is Polarity.READ else found.candidate_in_released
        return Finding.SAFE if safe is Answer.YES else Finding.OPEN

    def _group(self, delta: Delta) -> tuple[str, ...]:
        pair = self._nodes.get(delta.id)
        polarity = str(delta.polarity)
        return (polarity, str(pair[0].place), str(pair[1].place)) if pair else (polarity, delta.id)

    def _together(self, delta: Delta) -> Finding:
        """What the whole nodes say, all their rows taken together."""
        key, pair = self._group(delta), self._nodes.get(delta.id)
        if pair is None or not _stands_in(delta, pair):
            return Finding.OPEN
        if key not in self._whole:
            self._whole[key] = self._compared(pair, delta.polarity)
        return self._whole[key]

    def _compared(self, pair: Pair, polarity: Polarity | None) -> Finding:
        whole = self._positions.whole(pair, polarity)
        if whole is None or whole[0] == whole[1]:
            # The same text on both sides: what differs stands in another part of the position.
            return Finding.OPEN
        found = compare_sets(*whole)
        if found.equal is Answer.YES:
            return Finding.EQUAL
        safe = found.released_in_candidate if polarity is Polarity.READ else found.candidate_in_released
        return Finding.SAFE if safe is Answer.YES else Finding.OPEN

    def _searched(self, delta: Delta) -> Proof:
        claim, pair = self._claims.get(delta.id), self._nodes.get(delta.id)
        if claim is None:
            return UNCOMPUTED
        if pair is None:
            return unproven(NO_PLACE)
        witness = next(self._witnesses(delta, claim, pair), None)
        if witness is None:
            return unproven(claim.reason or NOT_FOUND)
        return witnessed(witness[0], delta.polarity)

    def _witnesses(self, delta: Delta, claim: Claim, pair: Pair) -> Iterator[tuple[Json]]:
        """Values that the sent side admits and the expected side refuses, because of this row."""
        sides = self._positions.sides(delta.polarity)
        read = delta.polarity is Polarity.READ
        inside, outside = (sides.released, sides.candidate) if read else (sides.candidate, sides.released)
        sent, expected = (pair[0], pair[1]) if read else (pair[1], pair[0])
        border = claim.candidate if read else claim.released
        if not claim.exact and isinstance(border, bool):
            whole = self._positions.whole(pair, delta.polarity)
            if whole is None:
                return
            border = whole[1] if read else whole[0]
        for value in islice(candidates(inside.schema(sent), border, inside.definition), _TRIES):
            if _admits(inside, sent, value) is True and _admits(outside, expected, value) is False:
                yield (value,)


def _stands_in(delta: Delta, pair: Pair) -> bool:
    """False when a keyword's row is written in another part of the position than the nodes found for it."""
    if delta.facet not in SCALARS and delta.facet not in ("enum", "format"):
        return True
    for form, value in zip((delta.released, delta.candidate), pair, strict=True):
        node = value.node
        if isinstance(node, dict) and not isinstance(form, Missing):
            known = {delta.facet, "$ref", "allOf", "oneOf", "anyOf", "const"}
            if not known & node.keys() and not delta.facet.startswith(("minimum", "maximum", "exclusive")):
                return False
    return True


def _admits(source: Source, value: object, instance: Json) -> bool | None:
    """Whether a value set holds an instance; only what the instance has a member for is looked at."""
    names = frozenset(_names(instance))
    return accepts(closed(source.schema(value), source.definition, names.__contains__), instance)  # type: ignore[arg-type]


def _names(instance: Json) -> Iterator[str]:
    stack = [instance]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield from node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def unproven(reason: str) -> Proof:
    """The proof of a verdict that rests on its rule alone."""
    return Proof(status=ProofStatus.UNPROVEN, method=ProofMethod.RULE, witness={}, command="", reason=reason)


def witnessed(value: Json, polarity: Polarity | None) -> Proof:
    """The proof by a value that one side admits and the other refuses."""
    accepted, refused = ("released", "candidate") if polarity is Polarity.READ else ("candidate", "released")
    return Proof(
        status=ProofStatus.WITNESSED,
        method=ProofMethod.VALIDATION,
        witness={"value": value, "accepted_by": accepted, "refused_by": refused},
        command="",
        reason=f"a value that the {accepted} contract admits and the {refused} contract refuses",
    )


def agreeing(proof: Proof, overruled: str) -> Proof:
    """The same proof, saying which verdict of the rule it overruled."""
    return replace(proof, reason=f"{proof.reason}; the rule by itself says {overruled}")
