"""W3, defensive security review: its nine steps, as data, and the flow made of them. Spec, W3 steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd

from evreview.core.vocabulary import WorkflowId
from evreview.evidence.item import Bundle
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.run import EvidenceSlice
from evreview.workflows.engine.step import Flow, Step, StepResult
from evreview.workflows.w3 import (
    step1_verify_authorization,
    step2_map_boundaries,
    step3_inventory_controls,
    step4_develop_abuse_cases,
    step5_challenge_candidates,
    step6_validate_safely,
    step7_rate_findings,
    step8_design_remediation,
    step9_obtain_disclosure_approval,
)
from evreview.workflows.w3.authorization import authorized_lines
from evreview.workflows.w3.decision import decide
from evreview.workflows.w3.facts import FAILURES, W3Facts
from evreview.workflows.w3.inventory.listing import sensitive_frame
from evreview.workflows.w3.registers import (
    candidates_frame,
    cases_frame,
    controls_frame,
    findings_frame,
    gaps_frame,
    leads_frame,
    middleware_frame,
    proposed_frame,
    remediation_frame,
    results_frame,
    tests_frame,
    trust_frames,
)
from evreview.workflows.w3.validation import executed

# The W3 artifact's text: the frozen view through its template.


TEMPLATE = "security-review.md.j2"


def render_w3(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> str:
    """The Markdown of `security-review.md`, not yet redacted."""
    # Whoever only asks the steps, as `check` does, waits for no template.
    from evreview.report.template_environment import rendered
    from evreview.workflows.w3.view import build_view

    return rendered(TEMPLATE, build_view(bundle, steps, facts, decision))


# The registers of a W3 review as frames. Nothing of an item stands here before the authorization passed.


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


STEPS: Final[tuple[Step[W3Facts], ...]] = (
    Step(
        number=1,
        title="Verify the authorization",
        does="Approving role, allowed paths, revision, techniques, excluded targets, review period, disclosure "
        "boundary.",
        advance_when="Every planned action is covered",
        otherwise="Stop, F1",
        authorized=authorized_lines,
        reads=(
            EvidenceSlice.TERMS,
            EvidenceSlice.AUTHORIZATION,
        ),  # the answer holds what the actions were compared with
        run=step1_verify_authorization.run,
    ),
    Step(
        number=2,
        title="Map assets and trust boundaries",
        does="From entry point to asset; unsupported deployment assumptions are marked unknown.",
        advance_when="Paths for the requested controls are traceable",
        otherwise="Remain",
        reads=(EvidenceSlice.TRUST, EvidenceSlice.IMPLEMENTATION, EvidenceSlice.ROLLOUT),
        run=step2_map_boundaries.run,
    ),
    Step(
        number=3,
        title="Inventory controls and attack surfaces",
        does="Authentication, authorization, input handling, secrets, logging, error disclosure; route registration, "
        "middleware order, configuration and tests reconciled.",
        advance_when="Inventory supports a conclusion for each control",
        otherwise="Stop, F2; F4 on sensitive values",
        reads=(
            EvidenceSlice.ITEMS,
            EvidenceSlice.ACTIONS,
            EvidenceSlice.HANDLING,
        ),  # sensitive values may stand in any item
        run=step3_inventory_controls.run,
    ),
    Step(
        number=4,
        title="Develop bounded abuse cases",
        does="Attacker position, controlled input, preconditions, bypass attempted, consequence; excluded capabilities "
        "left out; each a hypothesis.",
        advance_when="Every relevant boundary covered",
        otherwise="Remain",
        reads=(),
        run=step4_develop_abuse_cases.run,
    ),
    Step(
        number=5,
        title="Challenge candidates",
        does="Against source and compensating controls; observed control behaviour apart from inferred reachability "
        "and impact.",
        advance_when="Unsupported claims removed or kept as unconfirmed hypotheses",
        otherwise="F3 when not safely validatable",
        reads=(),
        run=step5_challenge_candidates.run,
    ),
    Step(
        number=6,
        title="Validate safely",
        does="Static proof and supplied local tests; anything new waits for the security owner's gate.",
        advance_when="Command recorded as executed only with retained results",
        otherwise="Stop, F5 on unexpected network access or state change",
        reads=(EvidenceSlice.DECISIONS,),
        run=step6_validate_safely.run,
    ),
    Step(
        number=7,
        title="Rate findings and assign dispositions",
        does="Blocking, open, accepted with an expiry, or closed by evidence.",
        advance_when="Severity from rubric, confidence from completeness and validation",
        otherwise="Without a rubric, describe impact plainly",
        reads=(EvidenceSlice.POLICY, EvidenceSlice.DECISIONS),
        run=step7_rate_findings.run,
    ),
    Step(
        number=8,
        title="Design remediation and verification",
        does="Control change, owner role, negative and positive tests, deployment dependency, rollback, exit evidence.",
        advance_when="Existing controls preserved; symptom-hiding remediation rejected",
        otherwise="Remain",
        reads=(),
        run=step8_design_remediation.run,
    ),
    Step(
        number=9,
        title="Package, redact and obtain disclosure approval",
        does="The redacted artifact, its recipients, and the security owner's answer.",
        advance_when="Security owner approves redacted artifact and recipients",
        otherwise="No sharing outside the authorized team",
        reads=(),
        run=step9_obtain_disclosure_approval.run,
    ),
)

FLOW: Final[Flow[W3Facts]] = Flow(
    workflow=WorkflowId.W3,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, redactor: W3Facts(redactor=redactor),
    decide=decide,
    render=render_w3,
    registers=registers,
)
