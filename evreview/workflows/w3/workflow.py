"""W3, defensive security review: its nine steps, as data, and the flow made of them. Spec, W3 steps."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import WorkflowId
from evreview.workflow.w3.artifact import render_w3
from evreview.workflow.w3.doubting import challenge_candidates
from evreview.workflow.w3.failures import FAILURES
from evreview.workflow.w3.mapping import map_trust
from evreview.workflow.w3.rating import rate_findings
from evreview.workflow.w3.registers import registers
from evreview.workflow.w3.remedying import design_remediation
from evreview.workflow.w3.stocktaking import take_stock
from evreview.workflow.w3.suspecting import develop_cases
from evreview.workflow.w3.validating import validate_safely
from evreview.workflows.engine.run import Slice
from evreview.workflows.engine.step import Flow, Step
from evreview.workflows.w3.decision import decide
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.step1_authorization import authorized_lines, verify_authorization
from evreview.workflows.w3.step9_disclosure import obtain_disclosure

STEPS: Final[tuple[Step[W3Facts], ...]] = (
    Step(
        number=1,
        title="Verify the authorization",
        does="Approving role, allowed paths, revision, techniques, excluded targets, review period, disclosure "
        "boundary.",
        advance_when="Every planned action is covered",
        otherwise="Stop, F1",
        authorized=authorized_lines,
        reads=(Slice.TERMS, Slice.AUTHORIZATION),  # the answer holds what the actions were compared with
        run=verify_authorization,
    ),
    Step(
        number=2,
        title="Map assets and trust boundaries",
        does="From entry point to asset; unsupported deployment assumptions are marked unknown.",
        advance_when="Paths for the requested controls are traceable",
        otherwise="Remain",
        reads=(Slice.TRUST, Slice.IMPLEMENTATION, Slice.ROLLOUT),
        run=map_trust,
    ),
    Step(
        number=3,
        title="Inventory controls and attack surfaces",
        does="Authentication, authorization, input handling, secrets, logging, error disclosure; route registration, "
        "middleware order, configuration and tests reconciled.",
        advance_when="Inventory supports a conclusion for each control",
        otherwise="Stop, F2; F4 on sensitive values",
        reads=(Slice.ITEMS, Slice.ACTIONS, Slice.HANDLING),  # sensitive values may stand in any item
        run=take_stock,
    ),
    Step(
        number=4,
        title="Develop bounded abuse cases",
        does="Attacker position, controlled input, preconditions, bypass attempted, consequence; excluded capabilities "
        "left out; each a hypothesis.",
        advance_when="Every relevant boundary covered",
        otherwise="Remain",
        reads=(),
        run=develop_cases,
    ),
    Step(
        number=5,
        title="Challenge candidates",
        does="Against source and compensating controls; observed control behaviour apart from inferred reachability "
        "and impact.",
        advance_when="Unsupported claims removed or kept as unconfirmed hypotheses",
        otherwise="F3 when not safely validatable",
        reads=(),
        run=challenge_candidates,
    ),
    Step(
        number=6,
        title="Validate safely",
        does="Static proof and supplied local tests; anything new waits for the security owner's gate.",
        advance_when="Command recorded as executed only with retained results",
        otherwise="Stop, F5 on unexpected network access or state change",
        reads=(Slice.DECISIONS,),
        run=validate_safely,
    ),
    Step(
        number=7,
        title="Rate findings and assign dispositions",
        does="Blocking, open, accepted with an expiry, or closed by evidence.",
        advance_when="Severity from rubric, confidence from completeness and validation",
        otherwise="Without a rubric, describe impact plainly",
        reads=(Slice.POLICY, Slice.DECISIONS),
        run=rate_findings,
    ),
    Step(
        number=8,
        title="Design remediation and verification",
        does="Control change, owner role, negative and positive tests, deployment dependency, rollback, exit evidence.",
        advance_when="Existing controls preserved; symptom-hiding remediation rejected",
        otherwise="Remain",
        reads=(),
        run=design_remediation,
    ),
    Step(
        number=9,
        title="Package, redact and obtain disclosure approval",
        does="The redacted artifact, its recipients, and the security owner's answer.",
        advance_when="Security owner approves redacted artifact and recipients",
        otherwise="No sharing outside the authorized team",
        reads=(),
        run=obtain_disclosure,
    ),
)

FLOW: Final[Flow[W3Facts]] = Flow(
    workflow=WorkflowId.W3,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, guard: W3Facts(guard=guard),
    decide=decide,
    render=render_w3,
    registers=registers,
)
