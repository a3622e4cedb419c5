"""Verdicts about values, computed: contained, refuted by a concrete value, or openly unproven."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final

from evreview.contracts.model import Contract, ElementKind, ValueSet
from evreview.ledger import facts
from evreview.ledger.delta import Delta
from evreview.proof.claim import SCALARS, Claim, claim_of, field_name
from evreview.proof.edges import refers
from evreview.proof.member import NEIGHBOURS, member_in_map, objection
from evreview.proof.position import Pair, Positions, direction
from evreview.proof.search import Search, admits
from evreview.proof.selection import SELECTED, Selection
from evreview.proof.unread import UNREAD, gaps_concerning
from evreview.shapes.containment import compare_sets
from evreview.shapes.json_schema import Source, gaps
from evreview.shapes.witness import candidates
from evreview.vocab import Answer, Change, DeltaId, Json, Missing, Polarity, ProofMethod, ProofStatus

BY_RULE: Final = "the row is about no set of values; the rule speaks"
NOT_FOUND: Final = "neither containment nor a value that one side refuses was found"
NO_PLACE: Final = "the schema that the row stands in could not be isolated"
NO_CONTEXT: Final = "too many uses, or uses that differ between both sides, stand around the row to compare them"
INVERTED: Final = (
    "the row stands below a schema that may invert the change (oneOf, a condition, not, unevaluated members), "
    "and comparing that schema as a whole decided nothing for this row"
)
CONGRUENT: Final = SCALARS | {"type", "nullable", "enum", "format", "required", "minContains", "maxContains"}
"""Where equal values of the part mean equal values of the whole, whatever stands around it."""
_TRIES: Final = 24
_SEARCHED: Final = frozenset({NEIGHBOURS, UNREAD})
"""Doubts that a whole value settles all the same."""


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
        self._doubts: dict[DeltaId, str] = {}
        self._groups: Counter[tuple[str, ...]] = Counter()
        self._deltas = tuple(deltas)
        self._selection = Selection(self._positions, self._deltas)
        for delta in self._deltas:
            claim = claim_of(delta)
            if claim is not None:
                self._claims[delta.id] = claim
                self._nodes[delta.id] = self._positions.nodes(delta)
                self._groups[self._group(delta)] += 1

    def finding(self, delta: Delta) -> Finding:
        """What containment says about a row; quick, no value is looked for."""
        claim, pair = self._claims.get(delta.id), self._nodes.get(delta.id)
        if claim is None:
            return Finding.NOT_VALUES
        old, new = self._gaps(delta, pair)
        found = self._contained(delta, claim, pair) if old == new else Finding.OPEN
        if found is Finding.OPEN and (old or new):
            self._doubts[delta.id] = UNREAD
        if found is Finding.SAFE and pair is not None and self._selection.touches(pair, direction(delta)):
            self._doubts[delta.id] = SELECTED
            return Finding.OPEN
        return found

    def doubt(self, delta: Delta) -> str:
        """What stands against deciding a row by its value sets, once `finding` was asked; "" for nothing."""
        return self._doubts.get(delta.id, "")

    def _gaps(self, delta: Delta, pair: Pair | None) -> tuple[frozenset[str], frozenset[str]]:
        """The unread parts that the row depends on, on both sides."""
        if pair is None:
            return frozenset(), frozenset()
        sides = self._positions.sides(direction(delta))
        member = field_name(delta) if delta.element is ElementKind.PROPERTY and delta.facet == "" else None
        old, new = (
            gaps_concerning(source, value, delta.facet, member)
            for source, value in zip((sides.released, sides.candidate), pair, strict=True)
        )
        return old, new

    def _contained(self, delta: Delta, claim: Claim, pair: Pair | None) -> Finding:
        own = self._own(delta, claim)
        if own is Finding.EQUAL and delta.facet in CONGRUENT:
            return own
        polarity = direction(delta)
        standing = self._positions.anchors(pair, polarity) if pair is not None and polarity is not None else None
        if standing is None or polarity is None:
            self._doubts.setdefault(delta.id, NO_CONTEXT)
            return Finding.OPEN
        plain, anchors = standing
        findings = [*([own] if plain else []), *(self._anchored(anchor, polarity) for anchor in anchors)]
        found = _weakest(findings)
        # A member that is declared or no longer declared is a fact, also when no value changes sides by it.
        declared = delta.element is ElementKind.PROPERTY and delta.facet == ""
        return Finding.SAFE if found is Finding.EQUAL and declared else found

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row that containment left open: a witness, or unproven with the reason."""
        if delta.id not in self._proofs:
            self._proofs[delta.id] = self._searched(delta)
        return self._proofs[delta.id]

    def _own(self, delta: Delta, claim: Claim) -> Finding:
        """What the row's own node says, as if the whole grew and shrank with it."""
        own = self._by_claim(delta, claim)
        pair = self._nodes.get(delta.id)
        objected = ""
        if own is not Finding.OPEN and pair is not None and direction(delta) is not None:
            contexts = self._positions.contexts(direction(delta))  # type: ignore[arg-type]
            objected = objection(delta, pair, (contexts[0].edges, contexts[1].edges))
        if own is not Finding.OPEN and not objected:
            return own
        if self._groups[self._group(delta)] > 1 or claim.reason or objected:
            own = self._together(delta)
            own = self._described(delta, pair) if own is Finding.OPEN and objected and pair else own
        elif own is not Finding.OPEN:
            own = Finding.OPEN
        if own is Finding.OPEN and objected:
            self._doubts[delta.id] = objected
        return own

    def _described(self, delta: Delta, pair: Pair) -> Finding:
        """A member of a map against what the map says of members without a name, where that is the same all along."""
        at = 0 if delta.change is Change.ADDED else 1
        polarity, member = direction(delta), member_in_map(delta, (pair[at], pair[1 - at]))
        if member is None or polarity is None or delta.facts.get(facts.REQUIRED) is True:
            return Finding.OPEN
        both = (member[0], member[1]) if at == 0 else (member[1], member[0])
        sets = self._positions.full(both, polarity)
        alike = sets is not None and sets[0] == sets[1]
        return Finding.SAFE if alike and not gaps(sets[0]) else _compared(sets, polarity)  # type: ignore[index]

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
            self._whole[key] = _compared(self._sets(pair, delta.polarity), delta.polarity)
        return self._whole[key]

    def _sets(self, pair: Pair, polarity: Polarity | None) -> tuple[Json, Json] | None:
        """Both nodes; rows about what they refer to in place are shown here, so that then nothing may be shared."""
        if polarity is not None and any(refers(value.node) for value in pair):
            return self._positions.full(pair, polarity)
        return self._positions.whole(pair, polarity)

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same."""
        pair = self._positions.nodes(delta)
        polarity = direction(delta)
        whole = self._positions.full(pair, polarity) if pair is not None and polarity is not None else None
        if whole is None or gaps(whole[0]) or gaps(whole[1]):
            return False
        return compare_sets(*whole).equal is Answer.NO

    def _anchored(self, pair: Pair, polarity: Polarity) -> Finding:
        """What an ancestor that may invert changes says, everything below it taken together."""
        key = ("anchor", polarity, str(pair[0].place), str(pair[1].place))
        if key not in self._whole:
            self._whole[key] = _compared(self._positions.full(pair, polarity), polarity)
        return self._whole[key]

    def _searched(self, delta: Delta) -> Proof:
        claim, pair = self._claims.get(delta.id), self._nodes.get(delta.id)
        if claim is None:
            return UNCOMPUTED
        polarity = direction(delta)
        if pair is None or polarity is None:
            return unproven(NO_PLACE)
        doubt = self.doubt(delta)
        if doubt and doubt not in _SEARCHED:
            return unproven(doubt)
        witness = next(self._found(delta, claim, pair), None)
        if witness is not None:
            return witnessed(witness[0], polarity)
        standing = self._positions.anchors(pair, polarity)
        inverted = standing is not None and bool(standing[1])
        return unproven(doubt or claim.reason or (INVERTED if inverted else NOT_FOUND))

    def _found(self, delta: Delta, claim: Claim, pair: Pair) -> Iterator[tuple[Json]]:
        """Values of whole positions, aimed by the row's own node first and by its ancestors then."""
        polarity = direction(delta)
        if polarity is None:
            return
        standing = self._positions.anchors(pair, polarity)
        if standing is None:
            return
        search = Search(self._positions, polarity)
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
        for other in self._deltas:
            if other.id == delta.id or direction(other) is not polarity:
                continue
            pair = self._positions.nodes(other)
            if pair is None:
                continue
            standing = self._positions.anchors(pair, polarity)
            if standing is None or anchor in standing[1] or pair == anchor:
                return False
        return True

    def _locally(self, delta: Delta, claim: Claim, pair: Pair) -> Iterator[Json]:
        """Values that the sent side's node admits and the expected side's refuses, because of this row."""
        sides = self._positions.sides(delta.polarity)
        read = delta.polarity is Polarity.READ
        inside, outside = (sides.released, sides.candidate) if read else (sides.candidate, sides.released)
        sent, expected = (pair[0], pair[1]) if read else (pair[1], pair[0])
        border = claim.candidate if read else claim.released
        moved = self.doubt(delta) == NEIGHBOURS
        if moved or (not claim.exact and isinstance(border, bool)):
            whole = self._positions.whole(pair, delta.polarity)
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


def _compared(whole: tuple[Json, Json] | None, polarity: Polarity | None) -> Finding:
    if whole is None or whole[0] == whole[1] or gaps(whole[0]) or gaps(whole[1]):
        # The same text on both sides: what differs stands in another part of the position.
        return Finding.OPEN
    found = compare_sets(*whole)
    if found.equal is Answer.YES:
        return Finding.EQUAL
    safe = found.released_in_candidate if polarity is Polarity.READ else found.candidate_in_released
    return Finding.SAFE if safe is Answer.YES else Finding.OPEN


def _weakest(findings: list[Finding]) -> Finding:
    for weak in (Finding.OPEN, Finding.SAFE):
        if weak in findings or not findings:
            return weak
    return Finding.EQUAL


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
