"""Rows about values, judged: a proof that contradicts its rule wins, and a rule that can't know says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import diff_contracts
from evreview.comparison.comparison import SCHEMA, Comparison, JudgedRow
from evreview.comparison.delta import Delta, Noise
from evreview.comparison.kind_spec import Decision, JudgedComparison, KindProver, KindSpec, Specs
from evreview.comparison.ledger import Ledger
from evreview.comparison.noise import NoiseReason
from evreview.comparison.proof.claim import OPENNESS
from evreview.comparison.proof.enclosing_applicators import WHY as AROUND
from evreview.comparison.proof.enclosing_applicators import selects
from evreview.comparison.proof.monotonicity import WHY as REVERSED
from evreview.comparison.proof.monotonicity import reversed, reversed_by_rule
from evreview.comparison.proof.outcome import (
    UNCOMPUTED,
    UNRULED,
    ContainmentResult,
    Proof,
    ProofReason,
    by_letter,
    unproven,
    with_overruled_verdict,
)
from evreview.comparison.proof.position import direction_of
from evreview.comparison.proof.prove import Prover
from evreview.comparison.rules.classifier import Classification
from evreview.comparison.rules.variance import producer_answers
from evreview.comparison.value_nodes import names_branch
from evreview.contract.model import Contract, ElementKind
from evreview.core.errors import bad_input
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Direction, ProofStatus, Realism, Tristate, Verdict
from evreview.schema.reader import ASSERTED_FORMATS, BOUNDS
from evreview.schema.subsumption.result import UndecidedReason

EQUIVALENT: Final = NoiseReason.SAME_VALUES
_EMPTY_VALUE: Final = "allowEmptyValue"
_SHOWN_BY_MESSAGES: Final = frozenset({comparison_delta.TAKES_OVER, comparison_delta.SENT_IN})
"""Facts of rows whose rule leaves the verdict to the messages that are tried."""
_SHOWN: Final = {ProofStatus.WITNESSED: Verdict.BREAKING, ProofStatus.PROVED: Verdict.COMPATIBLE}
_REFUSED: Final = "The object describes members without a name, and not all of those are expected under this one."


def classified_values(ledger: Ledger, *, witnesses: bool) -> tuple[tuple[JudgedRow, ...], tuple[Noise, ...]]:
    """The rows of a ledger whose values are JSON, and its noise.

    Rows whose value sets are proved equal become noise. A proof that contradicts its rule wins, and says so.
    """
    prover = Prover(ledger, witnesses=witnesses)
    rows: list[JudgedRow] = []
    noise: list[Noise] = []
    safe: set[str] = set()
    for said in ledger.noise:
        doubt = _misread(said.delta, prover) if said.reason is NoiseReason.RESPELLED else ProofReason.NONE
        if doubt:
            # One row stands for the spelling, whatever the directions it is met in: all of them are open.
            shown = replace(said.delta, direction=None) if prover.both_usage_paths(said.delta) else said.delta
            rows.append(JudgedRow(shown, ledger.spec.classify(shown), prover, unproven(doubt)))
        else:
            noise.append(said)
    for delta in ledger.deltas:
        finding = prover.finding(delta)
        if finding is ContainmentResult.SAFE:
            safe.add(delta.id)
        if finding is ContainmentResult.EQUAL:
            noise.append(Noise(delta=delta, reason=prover.equality(delta)))
        else:
            rows.append(_value_row(delta, finding, prover))
    kept, told = _by_value(ledger, _agreeing(rows, safe, prover))
    return kept, (*noise, *told)


def _misread(delta: Delta, prover: Prover) -> ProofReason:
    """Why two nodes that were read as the same may differ, `NONE` when nothing says so."""
    if prover.differs(delta):
        return ProofReason.MISREAD
    return ProofReason.UNSETTLED if prover.unsettled(delta) else ProofReason.NONE


def _by_value(ledger: Ledger, rows: tuple[JudgedRow, ...]) -> tuple[tuple[JudgedRow, ...], list[Noise]]:
    """The rows, without alternatives that come or go with a value of their discriminator whose row says the same."""
    values = [row for row in rows if row.delta.facet == "discriminator"]
    documents = ledger.released.documents, ledger.candidate.documents
    told = {
        row.delta.id
        for row in rows
        for value in values
        if row.judgement.verdict is value.judgement.verdict and names_branch(documents, value.delta, row.delta)
    }
    return (
        tuple(row for row in rows if row.delta.id not in told),
        [Noise(delta=row.delta, reason=NoiseReason.SELECTED_BY_VALUE) for row in rows if row.delta.id in told],
    )


def _agreeing(rows: list[JudgedRow], safe: set[str], prover: Prover) -> tuple[JudgedRow, ...]:
    """The rows; proofs that a value of the whole schema refutes are taken back."""
    doubted = prover.contradicted((row.delta, row.delta.id in safe) for row in rows)
    if not doubted:
        return tuple(rows)
    return tuple(
        JudgedRow(
            row.delta,
            _withheld(row.delta, row.judgement, f"{ProofReason.CONTRADICTED.capitalize()}."),
            prover,
            unproven(ProofReason.CONTRADICTED),
        )
        if row.delta.id in doubted
        else row
        for row in rows
    )


def _value_row(delta: Delta, finding: ContainmentResult, prover: Prover) -> JudgedRow:
    judgement = prover.spec.classify(delta)
    shown = not _SHOWN_BY_MESSAGES.isdisjoint(delta.facts) or delta.facet == _EMPTY_VALUE
    if finding is ContainmentResult.NOT_VALUES and shown:
        return _by_messages(delta, judgement, prover)
    if finding is ContainmentResult.NOT_VALUES:
        above = prover.reversing(delta).forbids(judgement.verdict)
        judgement = _withheld(delta, judgement, REVERSED if reversed_by_rule(delta, above=above) else "")
        if judgement.verdict is Verdict.BREAKING:
            return JudgedRow(delta, judgement, prover)
        return JudgedRow(delta, judgement, prover, UNRULED if judgement.rule is None else UNCOMPUTED)
    if finding is ContainmentResult.SAFE:
        return _overruled(delta, judgement, (Verdict.COMPATIBLE, prover.containment(delta)), prover)
    why = _unheard(delta, prover) if judgement.verdict is Verdict.COMPATIBLE else ""
    unserved = judgement.verdict is Verdict.BREAKING and prover.unserved(delta)
    why = why or _undecided(delta, prover, unserved=unserved) or (AROUND if prover.closed(delta) else "")
    why = why or (REVERSED if prover.reversing(delta).forbids(judgement.verdict) else "")
    if judgement.verdict is Verdict.BREAKING and (not why or prover.refuted(delta)):
        return JudgedRow(delta, judgement, prover)
    proof = prover.deciding(delta)
    if proof.status is ProofStatus.WITNESSED:
        return _witnessed(delta, judgement, proof, prover)
    if proof.reason is ProofReason.CUT_SHORT:
        why = why or "Containment decided nothing, and values were looked for only briefly: ask for witnesses."
    reason = ProofReason.PARTED if prover.doubt(delta) is ProofReason.PARTED else proof.reason
    return JudgedRow(delta, _withheld(delta, judgement, why), prover, unproven(reason))


def _witnessed(delta: Delta, judgement: Classification, proof: Proof, prover: Prover) -> JudgedRow:
    """A row that a value stands against: it breaks unless nobody would send the value, and the rule says no more."""
    # A row about what objects may carry: members that the sender's contract doesn't name are its matter.
    sent = delta.candidate if direction_of(delta) is Direction.WRITTEN else delta.released
    opened = delta.facet in OPENNESS and sent is not False  # else its sender carries nothing more
    told = opened or _forbids_a_member(delta)
    if proof.realism in (None, Realism.DECLARED) or judgement.verdict is Verdict.BREAKING or told:
        return _overruled(delta, judgement, (Verdict.BREAKING, proof), prover)
    shown = by_letter(proof, proof.realism)
    free = proof.realism is Realism.FREE_FORM or judgement.verdict is Verdict.UNKNOWN
    said = f"{shown.reason.capitalize()}." if free else ""
    return JudgedRow(delta, _withheld(delta, judgement, said), prover, shown)


def _forbids_a_member(delta: Delta) -> bool:
    """True for a member whose schema is one that nothing meets: it says that the member does not come."""
    member = delta.element is ElementKind.PROPERTY and not delta.facet
    return member and any(side is False or side == {"not": {}} for side in (delta.released, delta.candidate))


def _by_messages(delta: Delta, judgement: Classification, prover: Prover) -> JudgedRow:
    """A row about no set of values that the messages concerned decide, if they do."""
    if judgement.verdict is Verdict.COMPATIBLE:
        return JudgedRow(delta, judgement, prover, UNCOMPUTED)
    proof = prover.deciding(delta)
    verdict = _SHOWN.get(proof.status)
    if verdict is not None:
        return _overruled(delta, judgement, (verdict, proof), prover)
    why = f"{proof.reason.capitalize()}." if proof.status is ProofStatus.UNPROVEN else ""
    return JudgedRow(delta, _withheld(delta, judgement, why), prover, proof)


def _unheard(delta: Delta, prover: Prover) -> str:
    """What a rule that says compatible has not heard of, "" for nothing."""
    if prover.refuses(delta):
        return _REFUSED
    doubt = prover.doubt(delta)
    return f"{doubt.capitalize()}." if doubt in (ProofReason.BESIDE, ProofReason.RETYPED) else ""


def _undecided(delta: Delta, prover: Prover, *, unserved: bool) -> str:
    """Why nothing but a value or a containment may decide the row, "" when its rule may."""
    doubt = prover.doubt(delta)
    if doubt is UndecidedReason.GAP:
        return "A part of the schema could not be read: what it admits is not known."
    if doubt in (UndecidedReason.TOO_DEEP, ProofReason.TOO_WIDE, ProofReason.PARTED):
        return f"{doubt.capitalize()}."
    member = (
        delta.element is ElementKind.PROPERTY
        and delta.facet == ""
        and delta.facts.get(comparison_delta.REQUIRED) is not True
    )
    if doubt is ProofReason.NEIGHBOURS and member:
        return "The object describes members without a name, and comparing both descriptions decided nothing."
    if doubt is ProofReason.NEIGHBOURS and delta.facet == "prefixItems":
        return "What holds for the other items changes with the row, and comparing both arrays decided nothing."
    if delta.facet == "pattern" and isinstance(delta.released, str) and isinstance(delta.candidate, str):
        return "Whether one expression matches all that the other one matches could not be decided."
    if prover.spec.open_formats and delta.facet == "format" and _named_alone(delta):
        return "JSON Schema leaves a format that it does not define to its readers, and nothing here knows this one."
    if doubt is ProofReason.SELECTED and selects(delta):
        return "The branch has a discriminator of its own, and which value selects which schema is no set of values."
    if delta.facet == "patternProperties":
        return "Which members the expressions bind together could not be decided."
    if delta.facts.get(comparison_delta.UNDER_NOT) is True and delta.facet in ("type", "enum", "nullable"):
        return "Whether null is admitted turns below `not`, and comparing both sides decided nothing."
    return REVERSED if reversed(delta, unserved=unserved) else ""


def _named_alone(delta: Delta) -> bool:
    """True for a format that is a name and nothing more to whoever reads it."""
    return not any(form in ASSERTED_FORMATS or form in BOUNDS for form in (delta.released, delta.candidate))


def _withheld(delta: Delta, judgement: Classification, why: str) -> Classification:
    """The judgement of a rule that can't know, turned into openly unknown."""
    if not why or judgement.verdict is Verdict.UNKNOWN:
        return judgement
    accepts, emits = producer_answers(Verdict.UNKNOWN, direction_of(delta))
    return replace(
        judgement,
        verdict=Verdict.UNKNOWN,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        why=f"{why} The rule by itself says {judgement.verdict.value}.",
    )


def _overruled(delta: Delta, judgement: Classification, found: tuple[Verdict, Proof], prover: Prover) -> JudgedRow:
    """A row whose proof decides, whatever its rule says."""
    verdict, proof = found
    if judgement.verdict is verdict:
        return JudgedRow(delta, judgement, prover, proof)
    accepts, emits = producer_answers(verdict, direction_of(delta))
    why = f"{judgement.why} The proof overrules this: {proof.reason}."
    changed = replace(judgement, verdict=verdict, accepts_old_requests=accepts, emits_old_compatible=emits, why=why)
    return JudgedRow(delta, changed, prover, with_overruled_verdict(proof, judgement.verdict.value))


# Rows of kinds whose types are no JSON schemas, judged: what computing both sides says wins over the rule.


def classified_types(ledger: Ledger, prover: KindProver) -> tuple[JudgedRow, ...]:
    """The rows of a ledger, each judged by its rule and, where both sides can be computed, by what was found."""
    return tuple(_computed_row(delta, ledger.spec, prover) for delta in ledger.deltas)


def _computed_row(delta: Delta, spec: KindSpec, prover: KindProver) -> JudgedRow:
    judgement = spec.classify(delta)
    found = prover.decision(delta)
    if found is None:
        return JudgedRow(delta, judgement, prover)
    verdict = verdict_of(found)
    if verdict is judgement.verdict:
        return JudgedRow(delta, _answering(judgement, found), prover, found.proof)
    why = f"{judgement.why} The proof overrules this: {found.proof.reason}."
    overruled = replace(_answering(judgement, found), verdict=verdict, why=why)
    return JudgedRow(delta, overruled, prover, with_overruled_verdict(found.proof, judgement.verdict.value))


def _answering(judgement: Classification, found: Decision) -> Classification:
    return replace(
        judgement,
        accepts_old_requests=found.accepts_old_requests,
        emits_old_compatible=found.emits_old_compatible,
        planes=found.planes or judgement.planes,
    )


def verdict_of(found: Decision) -> Verdict:
    """Breaking when one direction breaks, unknown when one is not known, else compatible."""
    answers = (found.accepts_old_requests, found.emits_old_compatible)
    if Tristate.NO in answers:
        return Verdict.BREAKING
    return Verdict.UNKNOWN if Tristate.UNKNOWN in answers else Verdict.COMPATIBLE


# Two contracts compared: the ledger's facts, each with a judgement and the proof of it.


__all__ = ["EQUIVALENT", "SCHEMA", "Comparison", "JudgedRow", "compare"]


@deep_stack()
def compare(released: Contract, candidate: Contract, specs: Specs, *, witnesses: bool = True) -> Comparison:
    """Every difference of two contracts of one kind, judged.

    A proof that contradicts its rule wins, and says so.
    Without witnesses, what containment leaves open rests on its rule and is unproven.

    Raises:
        BadInput: `contract-kinds-differ`.
    """
    require_one_kind(released, candidate)
    spec = specs(released.kind)
    ledger = diff_contracts(released, candidate, spec)
    prover = spec.prover(ledger, witnesses=witnesses)
    if prover is not None:
        return Comparison(ledger=ledger, rows=classified_types(ledger, prover), noise=ledger.noise, witnesses=witnesses)
    judged = JudgedComparison(ledger, *classified_values(ledger, witnesses=witnesses))
    found = spec.with_payloads(judged, specs, witnesses=witnesses)
    return Comparison(ledger=found.ledger, rows=_by_realism(found.rows), noise=found.noise, witnesses=witnesses)


def require_one_kind(released: Contract, candidate: Contract) -> None:
    """Nothing when both contracts are of one kind.

    Raises:
        BadInput: `contract-kinds-differ`.
    """
    if released.kind is not candidate.kind:
        found = f"the released contract is {released.kind}, the candidate is {candidate.kind}"
        advice = "name two contracts of one kind"
        raise bad_input("contract-kinds-differ", found, file=candidate.path, advice=advice)


def _by_realism(rows: tuple[JudgedRow, ...]) -> tuple[JudgedRow, ...]:
    """The rows in their order, those last whose witness nobody is known to send."""
    return tuple(sorted(rows, key=lambda row: row.contested and row.proof.realism not in (None, Realism.DECLARED)))
