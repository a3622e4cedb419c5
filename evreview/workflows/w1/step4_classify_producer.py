"""Step 4 of W1: classify producer compatibility, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evreview.comparison.comparison import JudgedRow
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Ask, StepState
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import Policy
from evreview.report.statement import Statement, cite, limited, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.facts import W1Facts, contract_item
from evreview.workflows.w1.policy.judgement import policy_gaps, taken


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """Both producer directions of every row; remains while a row has no rule, no citation, or no policy governs it."""
    contracts = cite(*(item.id for side in ("released", "candidate") if (item := contract_item(bundle, side))))
    reasons = (*_policy_reasons(bundle), *_unclassified(facts.rows, contracts))
    comparison, decided = facts.comparison, facts.by_policy
    if comparison is not None:
        comparison, decided = taken(comparison, first_of(bundle, Policy))
    frame = comparison.raw_frame if comparison else None
    return Outcome(
        state=StepState.REMAIN if reasons else StepState.ADVANCE,
        facts=replace(facts, classified=True, comparison=comparison, by_policy=decided),
        reasons=reasons,
        tables={} if frame is None else {"Producer direction": frame},
    )


def _policy_reasons(bundle: Bundle) -> Iterable[Statement]:
    policy = first_of(bundle, Policy)
    for gap in policy_gaps(policy, removal_asked=Ask.REMOVE in bundle.request.asks):
        if gap.code in ("no-policy", "no-compatibility-rules"):
            yield limited("Classification is refused: ", gap.text, on=cite(policy.citation if policy else None))


def _unclassified(rows: Iterable[JudgedRow], contracts: tuple[Citation, ...]) -> Iterable[Statement]:
    for row in rows:
        if row.judgement.rule is None:
            head = "No rule classifies "
            yield observed(head, UserText(row.delta.id), " at ", UserText(row.delta.address), ".", on=contracts)
