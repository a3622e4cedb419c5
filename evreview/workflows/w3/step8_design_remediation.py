"""Step 8 of W3: design remediation and verification."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import UserText, bare
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.registers import remediation_frame
from evreview.workflows.w3.supplied_remediation import remediate, remediations


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The remediation order; existing controls are preserved, and what hides a symptom is refused."""
    plans = remediations(bundle, facts)
    rows = remediate(facts.findings, bundle, plans)
    stray = tuple(
        limited(
            "A remediation names no finding: ", UserText(record.id), " names ", UserText(record.finding), ".", on=(at,)
        )
        for record, at in plans.unjoined(facts.challenged)
    )
    known = replace(facts, remediation=rows, remedied=True, notes=(*facts.notes, *stray))
    waiting = tuple(_waiting(known))
    return Outcome(
        state=StepState.REMAIN if waiting else StepState.ADVANCE,
        facts=known,
        reasons=waiting,
        tables={"Remediation order": remediation_frame(rows)},
    )


def _waiting(facts: W3Facts) -> Iterator[Statement]:
    for row in facts.remediation:
        if row.refused:
            yield observed("The remediation of ", UserText(row.finding), " is refused: ", *bare(row.refused), ".",
                           on=row.citations)  # fmt: skip
        elif not row.complete:
            yield limited("The remediation of ", UserText(row.finding), " is not supplied in full.", on=row.citations)
