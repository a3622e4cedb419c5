"""W2, evidence-backed API reference: its nine steps, as data, and the flow made of them. Spec, W2 steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Final

import pandas as pd

from evreview.core.vocabulary import StepState, WorkflowId
from evreview.evidence.item import Bundle
from evreview.workflows.engine.conclusions import Decision, DecisionState
from evreview.workflows.engine.halt import headline
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.run import EvidenceSlice
from evreview.workflows.engine.step import Flow, Step, StepResult
from evreview.workflows.w2 import (
    step1_freeze_scope,
    step2_build_matrix,
    step3_reconcile_contract,
    step4_draft_reference,
    step5_construct_examples,
    step6_verify_examples,
    step7_review_security,
    step8_obtain_approvals,
    step9_deliver_and_reconcile,
)
from evreview.workflows.w2.ending.next_actions import next_actions
from evreview.workflows.w2.facts import FAILURES, W2Facts, codes_of
from evreview.workflows.w2.matrix.evidence_matrix import gaps_frame, matrix_frame
from evreview.workflows.w2.reconcile.publication import holds_example
from evreview.workflows.w2.reconcile.reconcile import discrepancies_frame, undecided_frame
from evreview.workflows.w2.registers import (
    client_examples_frame,
    criteria_frame,
    examples_frame,
    names_of,
    operations_frame,
    report_frame,
    reviews_frame,
    tests_frame,
    unmapped_frame,
)

# The W2 artifact's text: the frozen view through its template.


TEMPLATE = "api-reference.md.j2"


def render_w2(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> str:
    """The Markdown of `api-reference.md`, not yet redacted."""
    # Whoever only asks the steps, as `check` does, waits for no template.
    from evreview.report.template_environment import environment
    from evreview.workflows.w2.view import build_view

    view = build_view(bundle, steps, facts, decision)
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    return environment().get_template(TEMPLATE).render(values)


# How a W2 run ends: one decision from its last step, its marks and its gates.


LAST: Final = 9
WHY: Final = {
    1: "scope not frozen",
    2: "a concern is unmapped",
    5: "no synthetic data fits",
    7: "unsafe disclosure",
    8: "an approval is missing",
    9: "a criterion is not met",
}
"""What a step that stops without a failure code says."""
WITHHELD: Final = "publication blocked; withheld claims wait for the API owner"
UNDECIDED: Final = "publication blocked; who may call or what is refused is undecided"


def decide(bundle: Bundle, results: Sequence[StepResult], facts: W2Facts) -> Decision:
    """The decision that the steps permit, and nothing beyond it."""
    last = results[-1]
    state, told = _ending(last, facts)
    return Decision(
        state=state,
        headline=told,
        path=None,
        reasons=last.reasons if last.state is not StepState.ADVANCE else (),
        next_actions=tuple(next_actions(bundle, results, facts, is_halted=state.is_halted)),
        codes=codes_of(results, facts),
    )


def _ending(last: StepResult, facts: W2Facts) -> tuple[DecisionState, str]:
    if last.state is StepState.STOP:
        return DecisionState.STOPPED, headline(last, WHY.get(last.number, ""))
    if last.state is StepState.REMAIN and last.number < LAST:
        return DecisionState.INCOMPLETE, headline(last)
    if last.state is StepState.REMAIN:
        return DecisionState.BLOCKED, WITHHELD if facts.open_discrepancies else UNDECIDED
    return DecisionState.PERMITTED, "publication permitted at the one revision named"


# The registers of a W2 review as frames: what analysts group and filter, and what is written as JSON and CSV.


def registers(steps: Sequence[StepResult], facts: W2Facts) -> Mapping[str, pd.DataFrame]:
    """Every register that the steps reached, by name."""
    found: dict[str, pd.DataFrame] = {"steps": steps_frame(steps)}
    if facts.boundary:
        found["scope"] = boundary_frame(facts.boundary)
    if facts.operations:
        found["operations"] = operations_frame(facts.operations)
    if facts.matrix:
        found["evidence-matrix"] = matrix_frame(facts.matrix)
        found["gaps"] = gaps_frame(facts.gaps)
    if facts.coverage and facts.coverage.unmapped:
        found["unmapped-tests"] = unmapped_frame(facts.coverage.unmapped)
    if facts.reconciled or facts.discrepancies:
        found["discrepancies"] = discrepancies_frame(facts.discrepancies)
        found["undecided"] = undecided_frame(facts.points)
    if facts.examples or facts.omitted:
        held = frozenset(each.id for each in facts.examples if holds_example(facts, each))
        found["examples"] = examples_frame((*facts.examples, *facts.omitted), names_of(facts), held)
    if facts.client_examples:
        found["client-examples"] = client_examples_frame(facts.client_examples)
    if facts.report:
        found["execution"] = report_frame(facts.report)
        found["proposed-tests"] = tests_frame(facts.proposed_tests)
    if facts.reviews:
        found["reviews"] = reviews_frame(facts.reviews)
    if facts.gates:
        found["gates"] = gates_frame(facts.gates)
    if facts.criteria:
        found["criteria"] = criteria_frame(facts.criteria)
    return found


STEPS: Final[tuple[Step[W2Facts], ...]] = (
    Step(
        number=1,
        title="Freeze the publication scope",
        does="Revision, API version, base URL shape, audience, included operations and exclusions.",
        advance_when="Every operation identifier resolves in the approved contract",
        otherwise="Stop on any mismatch, F1",
        reads=(EvidenceSlice.REQUEST, EvidenceSlice.CONTRACTS, EvidenceSlice.IMPLEMENTATION, EvidenceSlice.RESULTS),
        run=step1_freeze_scope.run,
    ),
    Step(
        number=2,
        title="Build the operation evidence matrix",
        does="Every concern of every operation mapped to contract, implementation and test evidence.",
        advance_when="Each concern has attributable evidence or an explicit non-applicable status",
        otherwise="Stop if a material concern is unmapped",
        reads=(),
        run=step2_build_matrix.run,
    ),
    Step(
        number=3,
        title="Reconcile contract, handler, validator and tests",
        does="Field by field; each disagreement exactly, with owner, compatibility impact and disposition.",
        advance_when="Each discrepancy has an owner and disposition or is marked a publication blocker",
        otherwise="Affected claims stay unpublished, F3",
        reads=(EvidenceSlice.DECISIONS,),
        run=step3_reconcile_contract.run,
    ),
    Step(
        number=4,
        title="Draft the reference",
        does="The contract for public semantics, implementation evidence for operational notes.",
        advance_when="Every claim maps to the matrix",
        otherwise="Stop on any unsupported endpoint, field, status, limit or note, F5",
        reads=(),
        run=step4_draft_reference.run,
    ),
    Step(
        number=5,
        title="Construct synthetic examples",
        does="Requests and responses, each labelled proposed or observed.",
        advance_when="Every value validates against the documented schema",
        otherwise="Stop if synthetic data cannot represent the contract",
        reads=(),
        run=step5_construct_examples.run,
    ),
    Step(
        number=6,
        title="Verify examples",
        does="Retained results of an isolated fixture, with command, environment, exit status and response.",
        advance_when="Retained execution evidence, or an unexecuted label naming the missing prerequisite",
        otherwise="Stop if an execution claim lacks evidence, F2",
        reads=(),
        run=step6_verify_examples.run,
    ),
    Step(
        number=7,
        title="Review security and compatibility",
        does="Redaction, authentication wording, internal errors, pagination, idempotency, rate limits, versioning, "
        "side effects.",
        advance_when="Each check has a disposition",
        otherwise="Stop on undocumented public expansion or unsafe disclosure",
        reads=(),
        run=step7_review_security.run,
    ),
    Step(
        number=8,
        title="Obtain approvals",
        does="For new or expanded behaviour, for examples from observed traffic, for mutating examples.",
        advance_when="All applicable approvals recorded or marked non-applicable",
        otherwise="Stop while an approval is pending or denied",
        reads=(EvidenceSlice.DECISIONS,),
        run=step8_obtain_approvals.run,
    ),
    Step(
        number=9,
        title="Deliver and reconcile",
        does="Reference, execution report, discrepancy register, traceability, assumptions, limitations, approval "
        "state.",
        advance_when="Every completion criterion maps to the artifact",
        otherwise="Stop the handoff",
        reads=(),
        run=step9_deliver_and_reconcile.run,
    ),
)
FLOW: Final[Flow[W2Facts]] = Flow(
    workflow=WorkflowId.W2,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, redactor: W2Facts(load=load, redactor=redactor),
    decide=decide,
    render=render_w2,
    registers=registers,
)
