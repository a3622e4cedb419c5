"""Step 7 of W3: rate findings and assign dispositions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Acceptance, SeverityRubric
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.gates import accept_lacks
from evreview.workflows.w3.rating import Grounds, rate
from evreview.workflows.w3.registers import findings_frame
from evreview.workflows.w3.supplied_remediation import remediations


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The finding register: severity by the rubric, confidence by the table, dispositions as recorded."""
    rubric = first_of(bundle, SeverityRubric)
    grounds = Grounds(
        bundle=bundle,
        rubric=rubric,
        results=facts.results,
        plans=remediations(bundle, facts),
        approved=lambda finding, digest: accept_lacks(bundle, finding, digest),
    )
    findings = rate(facts.challenged, grounds)
    stray = tuple(_stray(bundle, {each.candidate.id for each in findings}))
    known = replace(facts, rubric=rubric, rated=True, findings=findings, notes=(*facts.notes, *stray))
    return Outcome(state=StepState.ADVANCE, facts=known, tables={"Findings": findings_frame(findings)})


def _stray(bundle: Bundle, known: set[str]) -> Iterator[Statement]:
    """Recorded words on findings that there are not, or not any more."""
    for entry in bundle.decisions.dispositions:
        if entry.subject.startswith("S-") and entry.subject not in known:
            yield limited("A recorded disposition names no finding: ", UserText(entry.subject), ".")
    for each in records_of(bundle, Acceptance):
        if each.record.finding not in known:
            yield limited("An acceptance record names no finding: ", UserText(each.record.finding), ".",
                          on=(each.citation,))  # fmt: skip
