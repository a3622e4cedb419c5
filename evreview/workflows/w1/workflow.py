"""W1, API contract review: its nine steps as data, its text, its end, its registers, and the flow made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd

from evreview.core.quoted_text import counted
from evreview.core.vocabulary import Ask, StepState, WorkflowId
from evreview.evidence.item import Bundle
from evreview.workflows.engine.conclusions import Decision, DecisionState, findings_frame
from evreview.workflows.engine.gates import GateState
from evreview.workflows.engine.halt import headline
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.run import EvidenceSlice
from evreview.workflows.engine.step import Flow, Step, StepResult
from evreview.workflows.w1 import (
    step1_freeze_boundary,
    step2_build_ledger,
    step3_reconcile_behaviour,
    step4_classify_producer,
    step5_classify_consumer,
    step6_validate_directions,
    step7_choose_path,
    step8_design_rollout,
    step9_package_and_approve,
)
from evreview.workflows.w1.checks import checks_frame
from evreview.workflows.w1.clients.impact import impacts_frame
from evreview.workflows.w1.clients.register import register_frame
from evreview.workflows.w1.ending.next_actions import next_actions
from evreview.workflows.w1.facts import FAILURES, REMOVE, SHIP, W1Facts, sources_frame
from evreview.workflows.w1.policy.judgement import judgements_frame
from evreview.workflows.w1.policy.monitoring import controls_frame
from evreview.workflows.w1.policy.removal import removals_frame
from evreview.workflows.w1.reconcile.unjoined import unjoined_frame

# The artifact's text: the frozen view through its template.


TEMPLATE = "api-contract-review.md.j2"


def render_w1(bundle: Bundle, steps: Sequence[StepResult], facts: W1Facts, decision: Decision) -> str:
    """The Markdown of `api-contract-review.md`, not yet redacted."""
    # Whoever only asks the steps, as `check` does, waits for no template.
    from evreview.report.template_environment import rendered
    from evreview.workflows.w1.view import build_view

    return rendered(TEMPLATE, build_view(bundle, steps, facts, decision))


# How a run ends: one decision from its last step, its marks and its gates.


LAST_STEP: Final = 9


def decide(bundle: Bundle, results: Sequence[StepResult], facts: W1Facts) -> Decision:
    """The decision that the steps permit, and nothing beyond it."""
    last = results[-1]
    codes = tuple(result.code for result in results if result.code)
    state, told = _ending(bundle, last, facts)
    return Decision(
        state=state,
        headline=told,
        path=facts.path.path if facts.path else None,
        reasons=last.reasons if last.state is not StepState.ADVANCE else (),
        next_actions=tuple(next_actions(bundle, results, facts, is_halted=state.is_halted)),
        codes=codes,
    )


def _ending(bundle: Bundle, last: StepResult, facts: W1Facts) -> tuple[DecisionState, str]:
    if last.state is StepState.STOP and last.code:
        return DecisionState.STOPPED, headline(last)
    if last.state is StepState.STOP:
        return DecisionState.NO_EFFECT, headline(last, "no observable contract effect")
    if last.state is StepState.REMAIN and last.number < LAST_STEP:
        return DecisionState.INCOMPLETE, headline(last)
    asked = " and ".join({Ask.SHIP: "shipment", Ask.REMOVE: "removal"}[ask] for ask in _asked(bundle))
    if last.state is StepState.REMAIN:
        return DecisionState.BLOCKED, f"{asked} blocked{_approved(facts)}".strip()
    if asked:
        path = facts.path.path if facts.path else "unknown"
        return DecisionState.PERMITTED, f"{asked} permitted on the path: {path}{_silence(facts)}"
    if any(finding.blocks for finding in facts.findings):
        return DecisionState.BLOCKED, "assessed; open findings block a release"
    if facts.breaking:
        verb = "breaks" if len(facts.breaking) == 1 else "break"
        return (
            DecisionState.BLOCKED,
            f"assessed; {counted(len(facts.breaking), 'difference')} {verb} an old client{_silence(facts)}",
        )
    return DecisionState.UNASKED, "assessed; neither shipment nor removal was asked"


def _approved(facts: W1Facts) -> str:
    """The gates that are answered while another keeps the review, for the headline."""
    nouns = {SHIP.id: "shipment", REMOVE.id: "removal"}
    found = [nouns[gate.spec.id] for gate in facts.gates if gate.state is GateState.APPROVED]
    return f"; the gate of the {' and of the '.join(found)} is approved" if found else ""


def _silence(facts: W1Facts) -> str:
    """What the policy is silent about, for the headline: a proved break is never passed over."""
    return f"; the policy says nothing about {counted(len(facts.unruled), 'break')}" if facts.unruled else ""


def _asked(bundle: Bundle) -> tuple[Ask, ...]:
    return tuple(ask for ask in (Ask.SHIP, Ask.REMOVE) if ask in bundle.request.asks)


# The registers as frames: what analysts group and filter, and what is written as JSON and CSV.


def registers(steps: Sequence[StepResult], facts: W1Facts) -> Mapping[str, pd.DataFrame]:
    """Every register that the steps reached, by name.

    `compatibility-matrix` has one row per delta, key `delta_id`; the others are documented where they are made.
    """
    found: dict[str, pd.DataFrame] = {"steps": steps_frame(steps)}
    if facts.boundary:
        found["scope"] = boundary_frame(facts.boundary)
    if facts.comparison is not None:
        found["compatibility-matrix"] = facts.comparison.raw_frame
    if facts.reconciliation is not None:
        found["sources"] = sources_frame(facts.reconciliation.sources)
        found["unjoined"] = unjoined_frame(facts.unjoined)
    if facts.unknown_consumers is not None:
        found["impacts"] = impacts_frame(facts.impacts)
        found["client-impact"] = register_frame(facts.clients, facts.unknown_consumers)
    if facts.checks is not None:
        found["checks"] = checks_frame(facts.checks)
    if facts.path is not None:
        found["policy-judgements"] = judgements_frame(tuple(facts.judgements.values()))
        found["removals"] = removals_frame(facts.removals)
        found["monitoring"] = controls_frame(facts.controls)
    if facts.gates:
        found["findings"] = findings_frame(facts.findings)
        found["gates"] = gates_frame(facts.gates)
    return found


# The nine steps, in order. Spec, W1 steps.


STEPS: Final[tuple[Step[W1Facts], ...]] = (
    Step(
        number=1,
        title="Freeze the comparison boundary",
        does="Identifiers, protocol, surface, implementation revision, policies and exclusions; both contracts parsed.",
        advance_when="Provenance and syntax both pass",
        otherwise="Stop, F1",
        reads=(EvidenceSlice.REQUEST, EvidenceSlice.CONTRACTS, EvidenceSlice.POLICY),
        run=step1_freeze_boundary.run,
    ),
    Step(
        number=2,
        title="Build the wire-difference ledger",
        does="Every difference between the contracts becomes a row, noise is explained, unread parts stay visible.",
        advance_when="Every delta has a stable identifier and no generated-only noise is unexplained",
        otherwise="Remain at step 2",
        reads=(EvidenceSlice.NOTES,),
        run=step2_build_ledger.run,
    ),
    Step(
        number=3,
        title="Reconcile implementation and observed behaviour",
        does="Per source: it matches the released contract, the candidate, both or neither.",
        advance_when="Candidate contract and implementation agree",
        otherwise="Stop, F2",
        reads=(EvidenceSlice.IMPLEMENTATION, EvidenceSlice.RESULTS),
        run=step3_reconcile_behaviour.run,
    ),
    Step(
        number=4,
        title="Classify producer compatibility",
        does="Whether the new producer accepts old requests and emits old-compatible responses, row by row.",
        advance_when="Every delta classified",
        otherwise="Remain",
        reads=(EvidenceSlice.POLICY,),
        run=step4_classify_producer.run,
    ),
    Step(
        number=5,
        title="Classify consumer compatibility",
        does="Each known parser, version selector, field assumption and owner; unlisted consumers stay unknown.",
        advance_when="Every known client mapped",
        otherwise="F3 when ownership or usage is unknown",
        reads=(EvidenceSlice.CLIENTS, EvidenceSlice.RESULTS, EvidenceSlice.ROLLOUT),
        run=step5_classify_consumer.run,
    ),
    Step(
        number=6,
        title="Validate both directions",
        does="Checks with retained results are executed, all others proposed and what depends on them unverified.",
        advance_when="Missing checks labelled proposed and dependent classifications unverified",
        otherwise="Remain",
        reads=(EvidenceSlice.RESULTS,),
        run=step6_validate_directions.run,
    ),
    Step(
        number=7,
        title="Choose a supported path",
        does="In-place, additive, explicit version, deprecation window or rejection; migrations, notice, retention.",
        advance_when="Path uses only existing routing mechanisms",
        otherwise="F4, reject strategy",
        reads=(EvidenceSlice.ROLLOUT, EvidenceSlice.POLICY),
        run=step7_choose_path.run,
    ),
    Step(
        number=8,
        title="Design rollout, observation and rollback",
        does="Baselines, signals, abort thresholds, windows, traffic steps and the rollback boundary.",
        advance_when="Every material change has an approved signal and threshold",
        otherwise="Traffic to the uncovered change stays blocked",
        reads=(EvidenceSlice.ROLLOUT, EvidenceSlice.POLICY),
        run=step8_design_rollout.run,
    ),
    Step(
        number=9,
        title="Package and approve",
        does="Matrix, registers, verification, plan, monitoring, rollback, assumptions, limitations, traceability.",
        advance_when="Approvals recorded",
        otherwise="Shipment or removal blocked",
        reads=(EvidenceSlice.DECISIONS,),
        run=step9_package_and_approve.run,
    ),
)

FLOW: Final[Flow[W1Facts]] = Flow(
    workflow=WorkflowId.W1,
    steps=STEPS,
    failures=FAILURES,
    start=lambda load, redactor: W1Facts(load=load, redactor=redactor),
    decide=decide,
    render=render_w1,
    registers=registers,
)
