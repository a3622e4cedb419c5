"""The registers of a W3 review as frames. Nothing of an item stands here before the authorization passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from evreview.security.trust.frames import trust_frames
from evreview.workflow.w3.frames import candidates_frame, cases_frame, leads_frame, proposed_frame, results_frame
from evreview.workflow.w3.validating import executed
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.registers import controls_frame, gaps_frame, middleware_frame, tests_frame
from evreview.workflows.w3.step3_inventory.sensitive_values import sensitive_frame
from evreview.workflows.w3.step7_rating import findings_frame
from evreview.workflows.w3.step8_remediation import remediation_frame


def registers(steps: Sequence[StepResult], facts: W3Facts) -> Mapping[str, pd.DataFrame]:
    """Every register that the steps reached, by name."""
    reached = {step.number for step in steps}
    found: dict[str, pd.DataFrame] = {"steps": steps_frame(steps)}
    if facts.boundary and facts.opened:
        found["scope"] = boundary_frame(facts.boundary)
    if facts.trust is not None:
        found |= {f"trust-{name}": frame for name, frame in trust_frames(facts.trust).items()}
    if 3 in reached:
        found["sensitive-values"] = sensitive_frame(facts.sensitive)
    if facts.inventory is not None:
        found["controls"] = controls_frame(facts.inventory.cells)
        found["inventory-gaps"] = gaps_frame(facts.inventory.gaps)
        found["middleware"] = middleware_frame(facts.inventory.middleware)
        found["control-tests"] = tests_frame(facts.inventory.tests)
    if 4 in reached:
        found["leads"] = leads_frame(facts.leads)
        found["abuse-cases"] = cases_frame(facts.cases)
    if 5 in reached:
        found["candidates"] = candidates_frame(facts.challenged)
    if 6 in reached:
        found["executed"] = results_frame(executed(facts))
        found["proposed"] = proposed_frame(facts.proposed)
    if facts.rated:
        found["findings"] = findings_frame(facts.findings)
    if 8 in reached:
        found["remediation"] = remediation_frame(facts.remediation)
    if facts.gates:
        found["gates"] = gates_frame(facts.gates)
    return found
