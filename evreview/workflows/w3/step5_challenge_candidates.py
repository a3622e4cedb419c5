"""Step 5 of W3: challenge candidates against source and compensating controls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.codefacts.model import CodeFacts
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Candidates
from evreview.report.statement import Statement, limited, proposed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.abuse_cases.abuse_cases import settled
from evreview.workflows.w3.facts import F3, W3Facts
from evreview.workflows.w3.model import Candidate, Inventory
from evreview.workflows.w3.planned_actions import harm_of, plain_candidate
from evreview.workflows.w3.registers import candidates_frame
from evreview.workflows.w3.triage.lead_groups import TriageInput
from evreview.workflows.w3.triage.triage import by_cause, challenge, is_unsafe, local_plan, ungrouped


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The candidates with everything for and against them; W3-F3 marks those that nothing can validate safely."""
    assert facts.trust is not None
    challenged = challenge(
        TriageInput(
            leads=facts.leads,
            code=facts.code or CodeFacts(routes=()),
            sources=facts.sources,
            model=facts.model,
            trust=facts.trust,
            inventory=facts.stated,
            taken=facts.inventory or Inventory(cells=(), gaps=()),
            bundle=bundle,
            suspected=records_of(bundle, Candidates),
        )
    )
    found = by_cause(map(plain_candidate, challenged), facts.by_lead)
    refused = tuple(_refused(challenged))
    known = replace(
        facts, challenged=found, cases=settled(facts.cases, ungrouped(found)), notes=(*facts.notes, *refused)
    )
    unsafe = tuple(each for each in found if is_unsafe(each))
    return Outcome(
        state=StepState.ADVANCE,
        code=F3.code if unsafe else "",
        facts=known,
        reasons=tuple(_marked(unsafe)),
        tables={"Candidates": candidates_frame(found)},
    )


def _refused(challenged: tuple[Candidate, ...]) -> Iterator[Statement]:
    """Verifications that were stated as safe and are not; they are not repeated."""
    for each in challenged:
        if why := harm_of(each):
            words = ("The verification stated for ", UserText(each.id), " is refused: ")
            yield limited(*words, *why, ".", on=each.citations)


def _marked(unsafe: tuple[Candidate, ...]) -> Iterator[Statement]:
    for each in unsafe:
        words = (UserText(each.id), " can't be validated safely as it is stated; it stays an unconfirmed hypothesis.")
        yield limited(*words, on=each.citations)
        for step in local_plan(each):
            yield proposed("Bounded local plan for ", UserText(each.id), ": ", *step, on=each.citations)
