"""W1, API contract review: its nine steps, as data, and the flow made of them. Spec, W1 steps."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import WorkflowId
from evreview.workflow.w1.artifact import render_w1
from evreview.workflow.w1.classification import classify_producer
from evreview.workflow.w1.consumers import classify_consumers
from evreview.workflow.w1.decide import decide
from evreview.workflow.w1.facts import W1Facts
from evreview.workflow.w1.failures import FAILURES
from evreview.workflow.w1.path import choose
from evreview.workflow.w1.reconciliation import reconcile_sources
from evreview.workflow.w1.registers import registers
from evreview.workflow.w1.rollout import design_rollout
from evreview.workflows.engine.run import Slice
from evreview.workflows.engine.step import Flow, Step
from evreview.workflows.w1.step1_boundary import freeze_boundary
from evreview.workflows.w1.step2_ledger import build_ledger
from evreview.workflows.w1.step6_verification import verify
from evreview.workflows.w1.step9_decision import package

STEPS: Final[tuple[Step[W1Facts], ...]] = (
    Step(
        number=1,
        title="Freeze the comparison boundary",
        does="Identifiers, protocol, surface, implementation revision, policies and exclusions; both contracts parsed.",
        advance_when="Provenance and syntax both pass",
        otherwise="Stop, F1",
        reads=(Slice.REQUEST, Slice.CONTRACTS, Slice.POLICY),
        run=freeze_boundary,
    ),
    Step(
        number=2,
        title="Build the wire-difference ledger",
        does="Every difference between the contracts becomes a row, noise is explained, unread parts stay visible.",
        advance_when="Every delta has a stable identifier and no generated-only noise is unexplained",
        otherwise="Remain at step 2",
        reads=(Slice.NOTES,),
        run=build_ledger,
    ),
    Step(
        number=3,
        title="Reconcile implementation and observed behaviour",
        does="Per source: it matches the released contract, the candidate, both or neither.",
        advance_when="Candidate contract and implementation agree",
        otherwise="Stop, F2",
        reads=(Slice.IMPLEMENTATION, Slice.RESULTS),
        run=reconcile_sources,
    ),
    Step(
        number=4,
        title="Classify producer compatibility",
        does="Whether the new producer accepts old requests and emits old-compatible responses, row by row.",
        advance_when="Every delta classified",
        otherwise="Remain",
        reads=(Slice.POLICY,),
        run=classify_producer,
    ),
    Step(
        number=5,
        title="Classify consumer compatibility",
        does="Each known parser, version selector, field assumption and owner; unlisted consumers stay unknown.",
        advance_when="Every known client mapped",
        otherwise="F3 when ownership or usage is unknown",
        reads=(Slice.CLIENTS, Slice.RESULTS, Slice.ROLLOUT),
        run=classify_consumers,
    ),
    Step(
        number=6,
        title="Validate both directions",
        does="Checks with retained results are executed, all others proposed and what depends on them unverified.",
        advance_when="Missing checks labelled proposed and dependent classifications unverified",
        otherwise="Remain",
        reads=(Slice.RESULTS,),
        run=verify,
    ),
    Step(
        number=7,
        title="Choose a supported path",
        does="In-place, additive, explicit version, deprecation window or rejection; migrations, notice, retention.",
        advance_when="Path uses only existing routing mechanisms",
        otherwise="F4, reject strategy",
        reads=(Slice.ROLLOUT, Slice.POLICY),
        run=choose,
    ),
    Step(
        number=8,
        title="Design rollout, observation and rollback",
        does="Baselines, signals, abort thresholds, windows, traffic steps and the rollback boundary.",
        advance_when="Every material change has an approved signal and threshold",
        otherwise="Traffic to the uncovered change stays blocked",
        reads=(Slice.ROLLOUT, Slice.POLICY),
        run=design_rollout,
    ),
    Step(
        number=9,
        title="Package and approve",
        does="Matrix, registers, verification, plan, monitoring, rollback, assumptions, limitations, traceability.",
        advance_when="Approvals recorded",
        otherwise="Shipment or removal blocked",
        reads=(Slice.DECISIONS,),
        run=package,
    ),
)

FLOW: Final[Flow[W1Facts]] = Flow(
    workflow=WorkflowId.W1,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, guard: W1Facts(load=load, guard=guard),
    decide=decide,
    render=render_w1,
    registers=registers,
)
