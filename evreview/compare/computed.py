"""Rows of kinds whose types are no JSON schemas, judged: what computing both sides says wins over the rule."""

from __future__ import annotations

from dataclasses import replace

from evreview.comparison.comparison import Row
from evreview.comparison.kind_spec import Decision, KindProver
from evreview.comparison.proof.outcome import with_overruled_verdict
from evreview.comparison.rules.classifier import Judgement, classify
from evreview.core.vocabulary import Answer, Verdict
from evreview.ledger.delta import Delta
from evreview.ledger.ledger import Ledger


def judged_types(ledger: Ledger, prover: KindProver) -> tuple[Row, ...]:
    """The rows of a ledger, each judged by its rule and, where both sides can be computed, by what was found."""
    return tuple(_row(delta, prover) for delta in ledger.deltas)


def _row(delta: Delta, prover: KindProver) -> Row:
    judgement = classify(delta)
    found = prover.decision(delta)
    if found is None:
        return Row(delta, judgement, prover)
    verdict = verdict_of(found)
    if verdict is judgement.verdict:
        return Row(delta, _answering(judgement, found), prover, found.proof)
    why = f"{judgement.why} The proof overrules this: {found.proof.reason}."
    overruled = replace(_answering(judgement, found), verdict=verdict, why=why)
    return Row(delta, overruled, prover, with_overruled_verdict(found.proof, judgement.verdict.value))


def _answering(judgement: Judgement, found: Decision) -> Judgement:
    return replace(
        judgement,
        accepts_old_requests=found.accepts_old_requests,
        emits_old_compatible=found.emits_old_compatible,
        planes=found.planes or judgement.planes,
    )


def verdict_of(found: Decision) -> Verdict:
    """Breaking when one direction breaks, unknown when one is not known, else compatible."""
    answers = (found.accepts_old_requests, found.emits_old_compatible)
    if Answer.NO in answers:
        return Verdict.BREAKING
    return Verdict.UNKNOWN if Answer.UNKNOWN in answers else Verdict.COMPATIBLE
