"""Rows about values decided by containment alone: equal, safe in the direction of the message, or open."""

from __future__ import annotations

from collections import Counter
from typing import Final

from evreview.contracts.model import ElementKind
from evreview.ledger import facts
from evreview.ledger.delta import Delta
from evreview.proof.claim import SCALARS, Claim, field_name
from evreview.proof.edges import refers
from evreview.proof.member import member_in_map, objection
from evreview.proof.outcome import Finding
from evreview.proof.position import Pair, direction
from evreview.proof.questions import Questions
from evreview.proof.selection import SELECTED, Selection
from evreview.proof.unread import UNREAD, gaps_concerning
from evreview.shapes.containment import compare_sets
from evreview.shapes.json_schema import gaps
from evreview.vocab import Answer, Change, DeltaId, Json, Missing, Polarity

NO_CONTEXT: Final = "too many uses, or uses that differ between both sides, stand around the row to compare them"
CONGRUENT: Final = SCALARS | {"type", "nullable", "enum", "format", "required", "minContains", "maxContains"}
"""Where equal values of the part mean equal values of the whole, whatever stands around it."""


class Contained:
    """Decides rows by comparing value sets; no value is looked for."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._whole: dict[tuple[str, ...], Finding] = {}
        self._doubts: dict[DeltaId, str] = {}
        self._selection = Selection(questions.positions, questions.deltas)
        self._groups = Counter(self._group(delta) for delta in questions.deltas if delta.id in questions.claims)

    def finding(self, delta: Delta) -> Finding:
        """What containment says about a row; quick, no value is looked for."""
        claim, pair = self._questions.claims.get(delta.id), self._questions.nodes.get(delta.id)
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
        sides = self._questions.positions.sides(direction(delta))
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
        standing = (
            self._questions.positions.anchors(pair, polarity) if pair is not None and polarity is not None else None
        )
        if standing is None or polarity is None:
            self._doubts.setdefault(delta.id, NO_CONTEXT)
            return Finding.OPEN
        plain, anchors = standing
        findings = [*([own] if plain else []), *(self._anchored(anchor, polarity) for anchor in anchors)]
        found = _weakest(findings)
        # A member that is declared or no longer declared is a fact, also when no value changes sides by it.
        declared = delta.element is ElementKind.PROPERTY and delta.facet == ""
        return Finding.SAFE if found is Finding.EQUAL and declared else found

    def _own(self, delta: Delta, claim: Claim) -> Finding:
        """What the row's own node says, as if the whole grew and shrank with it."""
        own = self._by_claim(delta, claim)
        pair = self._questions.nodes.get(delta.id)
        objected = ""
        if own is not Finding.OPEN and pair is not None and direction(delta) is not None:
            contexts = self._questions.positions.contexts(direction(delta))  # type: ignore[arg-type]
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
        sets = self._questions.positions.full(both, polarity)
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
        pair = self._questions.nodes.get(delta.id)
        polarity = str(delta.polarity)
        return (polarity, str(pair[0].place), str(pair[1].place)) if pair else (polarity, delta.id)

    def _together(self, delta: Delta) -> Finding:
        """What the whole nodes say, all their rows taken together."""
        key, pair = self._group(delta), self._questions.nodes.get(delta.id)
        if pair is None or not _stands_in(delta, pair):
            return Finding.OPEN
        if key not in self._whole:
            self._whole[key] = _compared(self._sets(pair, delta.polarity), delta.polarity)
        return self._whole[key]

    def _sets(self, pair: Pair, polarity: Polarity | None) -> tuple[Json, Json] | None:
        """Both nodes; rows about what they refer to in place are shown here, so that then nothing may be shared."""
        if polarity is not None and any(refers(value.node) for value in pair):
            return self._questions.positions.full(pair, polarity)
        return self._questions.positions.whole(pair, polarity)

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same."""
        pair = self._questions.positions.nodes(delta)
        polarity = direction(delta)
        whole = self._questions.positions.full(pair, polarity) if pair is not None and polarity is not None else None
        if whole is None or gaps(whole[0]) or gaps(whole[1]):
            return False
        return compare_sets(*whole).equal is Answer.NO

    def _anchored(self, pair: Pair, polarity: Polarity) -> Finding:
        """What an ancestor that may invert changes says, everything below it taken together."""
        key = ("anchor", polarity, str(pair[0].place), str(pair[1].place))
        if key not in self._whole:
            self._whole[key] = _compared(self._questions.positions.full(pair, polarity), polarity)
        return self._whole[key]


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
