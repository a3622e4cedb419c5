"""Step 9 of W1: package and approve. Findings, gates, and whether what is asked may happen."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.workflows.engine.conclusions import findings_frame
from evreview.workflows.engine.gates import unanswered
from evreview.workflows.engine.registers import gates_frame
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.ending.standing import standing
from evreview.workflows.w1.facts import W1Facts
from evreview.workflows.w1.findings import build_findings, exposure_findings
from evreview.workflows.w1.gates import removal_gate, ship_gate


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The registers and the gates; remains while an approval that is asked for is not recorded."""
    exposed = exposure_findings(bundle, facts.candidate) if facts.candidate else ()
    known = replace(facts, findings=(*build_findings(bundle, facts), *exposed))
    known = replace(known, gates=(ship_gate(bundle, known), removal_gate(bundle, known)))
    blocked = (*unanswered(known.gates), *(each.reason for each in standing(bundle, known)))
    return Outcome(
        state=StepState.REMAIN if blocked else StepState.ADVANCE,
        facts=known,
        reasons=blocked,
        tables={"Findings": findings_frame(known.findings), "Gates": gates_frame(known.gates)},
    )
