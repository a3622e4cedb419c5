"""W2, evidence-backed API reference: its nine steps, as data, and the flow made of them. Spec, W2 steps."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import WorkflowId
from evreview.workflow.w2.agreement import reconcile_fields
from evreview.workflow.w2.artifact import render_w2
from evreview.workflow.w2.decide import decide
from evreview.workflow.w2.draft import draft_reference
from evreview.workflow.w2.failures import FAILURES
from evreview.workflow.w2.registers import registers
from evreview.workflows.engine.run import Slice
from evreview.workflows.engine.step import Flow, Step
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step1_scope import freeze_scope
from evreview.workflows.w2.step2_matrix import map_evidence
from evreview.workflows.w2.step5_examples.construct import make_examples
from evreview.workflows.w2.step6_verification import verify_examples
from evreview.workflows.w2.step7_safety import review_safety
from evreview.workflows.w2.step8_approvals import obtain_approvals
from evreview.workflows.w2.step9_delivery import deliver

STEPS: Final[tuple[Step[W2Facts], ...]] = (
    Step(
        number=1,
        title="Freeze the publication scope",
        does="Revision, API version, base URL shape, audience, included operations and exclusions.",
        advance_when="Every operation identifier resolves in the approved contract",
        otherwise="Stop on any mismatch, F1",
        reads=(Slice.REQUEST, Slice.CONTRACTS, Slice.IMPLEMENTATION, Slice.RESULTS),
        run=freeze_scope,
    ),
    Step(
        number=2,
        title="Build the operation evidence matrix",
        does="Every concern of every operation mapped to contract, implementation and test evidence.",
        advance_when="Each concern has attributable evidence or an explicit non-applicable status",
        otherwise="Stop if a material concern is unmapped",
        reads=(),
        run=map_evidence,
    ),
    Step(
        number=3,
        title="Reconcile contract, handler, validator and tests",
        does="Field by field; each disagreement exactly, with owner, compatibility impact and disposition.",
        advance_when="Each discrepancy has an owner and disposition or is marked a publication blocker",
        otherwise="Affected claims stay unpublished, F3",
        reads=(Slice.DECISIONS,),
        run=reconcile_fields,
    ),
    Step(
        number=4,
        title="Draft the reference",
        does="The contract for public semantics, implementation evidence for operational notes.",
        advance_when="Every claim maps to the matrix",
        otherwise="Stop on any unsupported endpoint, field, status, limit or note, F5",
        reads=(),
        run=draft_reference,
    ),
    Step(
        number=5,
        title="Construct synthetic examples",
        does="Requests and responses, each labelled proposed or observed.",
        advance_when="Every value validates against the documented schema",
        otherwise="Stop if synthetic data cannot represent the contract",
        reads=(),
        run=make_examples,
    ),
    Step(
        number=6,
        title="Verify examples",
        does="Retained results of an isolated fixture, with command, environment, exit status and response.",
        advance_when="Retained execution evidence, or an unexecuted label naming the missing prerequisite",
        otherwise="Stop if an execution claim lacks evidence, F2",
        reads=(),
        run=verify_examples,
    ),
    Step(
        number=7,
        title="Review security and compatibility",
        does="Redaction, authentication wording, internal errors, pagination, idempotency, rate limits, versioning, "
        "side effects.",
        advance_when="Each check has a disposition",
        otherwise="Stop on undocumented public expansion or unsafe disclosure",
        reads=(),
        run=review_safety,
    ),
    Step(
        number=8,
        title="Obtain approvals",
        does="For new or expanded behaviour, for examples from observed traffic, for mutating examples.",
        advance_when="All applicable approvals recorded or marked non-applicable",
        otherwise="Stop while an approval is pending or denied",
        reads=(Slice.DECISIONS,),
        run=obtain_approvals,
    ),
    Step(
        number=9,
        title="Deliver and reconcile",
        does="Reference, execution report, discrepancy register, traceability, assumptions, limitations, approval "
        "state.",
        advance_when="Every completion criterion maps to the artifact",
        otherwise="Stop the handoff",
        reads=(),
        run=deliver,
    ),
)

FLOW: Final[Flow[W2Facts]] = Flow(
    workflow=WorkflowId.W2,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, guard: W2Facts(load=load, guard=guard),
    decide=decide,
    render=render_w2,
    registers=registers,
)
