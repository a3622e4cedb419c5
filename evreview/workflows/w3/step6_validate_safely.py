"""Step 6 of W3: validate safely. Nothing runs here: what was run is read, what is to be run is proposed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, listed
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ExecutionPlan, same_revision
from evreview.evidence.records.test_runs import TestRun
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.gates import ACTIVE, GateState
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.abuse_cases.abuse_cases import settled
from evreview.workflows.w3.facts import F5, ProposedCheck, W3Facts
from evreview.workflows.w3.gates import active_gate, approves
from evreview.workflows.w3.model import Candidate, State, names_of
from evreview.workflows.w3.planned_actions import destinations
from evreview.workflows.w3.registers import proposed_frame, results_frame
from evreview.workflows.w3.triage.triage import by_cause, ungrouped
from evreview.workflows.w3.validation import (
    AREAS,
    absent_controls,
    executed,
    local_results,
    unread_outputs,
    unverified_controls,
    validate,
)


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """Executed and proposed checks; W3-F5 stops on a retained run that left its sandbox."""
    every = (*ungrouped(facts.challenged), *_by_inventory(bundle, facts))
    results = local_results(bundle, facts.revision)
    names = tuple(names_of(each, facts.by_lead) for each in every)
    checked = validate(every, names, results, bundle, facts.inventory.tests if facts.inventory is not None else ())
    cases = settled(facts.cases, checked)
    checked = by_cause(checked, facts.by_lead)
    known = replace(facts, challenged=checked, cases=cases, results=results, notes=(*facts.notes, *_unread(bundle)))
    known = replace(known, proposed=(*_planned(bundle), *_incomplete(known), *_checks_left(checked)))
    tables = {"Executed": results_frame(executed(known)), "Proposed": proposed_frame(known.proposed)}
    left = tuple(_violations(bundle))
    if left:
        return Outcome(state=StepState.STOP, code=F5.code, facts=known, reasons=left, tables=tables)
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)


UNVERIFIED: Final = "whether the control refuses whoever may not"
BEHAVIOUR: Final = "how the code behaves when it runs: reading it is what supports the finding"


def _by_inventory(bundle: Bundle, facts: W3Facts) -> tuple[Candidate, ...]:
    """Suspicions that no lead gives rise to: listed controls that are absent, and untested ones."""
    if facts.inventory is None:
        return ()
    absent = absent_controls(facts.inventory, bundle, ungrouped(facts.challenged))
    return (*absent, *unverified_controls(facts.inventory, bundle))


def _violations(bundle: Bundle) -> Iterator[Statement]:
    for run in records_of(bundle, TestRun):
        if run.record.violations and not _corrected(run.record, bundle):
            words = ("A retained run left what was approved: ", *listed(run.record.violations))
            yield observed(*words, "; its results count for nothing.", on=(run.at("/violations"), run.citation))


def _corrected(run: TestRun, bundle: Bundle) -> bool:
    """True once the plan behind a violation was replaced by another content and that one was approved."""
    plans = records_of(bundle, ExecutionPlan)
    digests = {f"sha256:{bundle.items[plan.citation.id].sha256}" for plan in plans}
    approved = bool(plans) and all(approves(bundle, plan) for plan in plans)
    return bool(run.plan) and run.plan not in digests and approved


def _unread(bundle: Bundle) -> Iterator[Statement]:
    for citation, why in unread_outputs(bundle):
        yield limited("A retained output can't be read: ", UserText(why), ".", on=(citation,))


def _planned(bundle: Bundle) -> Iterator[ProposedCheck]:
    """Execution plans without a retained run of theirs: the gate comes first."""
    for plan in records_of(bundle, ExecutionPlan):
        if not plan.record.tests or _has_run(plan.record, bundle):
            continue
        yield ProposedCheck(
            check=("plan ", UserText(plan.record.id), ", command ", UserText(shlex.join(plan.record.tests))),
            verifies=("what the planned tests assert, at the reviewed revision",),
            missing=_waits_for(plan, bundle),
            leaves=("everything that only this run would show",),
            citations=(plan.citation,),
        )


def _waits_for(plan: Cited[ExecutionPlan], bundle: Bundle) -> Text:
    """Decision rule 4 first: what would leave the machine is not run, whatever the gate says."""
    beyond = tuple(dict.fromkeys(host for _, host in destinations(plan.record)))
    if beyond:
        owner = bundle.request.roles.security_owner or "the security owner"
        says = ("not run, since it would contact ", *listed(beyond))
        return (*says, "; escalated to ", UserText(owner), ": a plan that stays on loopback")
    gate = active_gate(bundle, (plan,))
    waits = "; ".join(gate.missing) if gate.state is not GateState.APPROVED else ""
    return (f"the gate {ACTIVE.id}: ", UserText(waits)) if waits else ("a run whose result is retained",)


def _has_run(plan: ExecutionPlan, bundle: Bundle) -> bool:
    command = (shlex.join(plan.tests), " ".join(plan.tests))
    return any(
        run.record.produced_by and run.record.command in command and same_revision(run.record.revision, plan.revision)
        for run in records_of(bundle, TestRun)
    )


def _incomplete(facts: W3Facts) -> Iterator[ProposedCheck]:
    for each in facts.results:
        if each.lacks:
            yield ProposedCheck(
                check=(UserText(each.id),),
                verifies=each.what,
                missing=(f"retained evidence of its {', '.join(each.lacks)}",),
                leaves=("what it would show",),
                citations=each.citations,
            )


def _checks_left(candidates: tuple[Candidate, ...]) -> Iterator[ProposedCheck]:
    """The safe check of every suspicion that no retained result has settled, a supported one included."""
    for each in candidates:
        open_ = each.state is State.HYPOTHESIS or (each.state is State.SUPPORTED and not each.validated)
        if open_ and each.safe_verification:
            yield ProposedCheck(
                check=(UserText(each.id), ": ", *each.safe_verification),
                verifies=each.title,
                missing=_listed(each) or ("a retained result",),
                leaves=(_left(each),),
                citations=each.citations,
                about=each.id,
            )


def _left(candidate: Candidate) -> str:
    """What stays unverified until the check has run."""
    if candidate.state is State.SUPPORTED:
        return BEHAVIOUR
    return UNVERIFIED if candidate.control and candidate.area in AREAS else "whether the suspicion holds"


def _listed(candidate: Candidate) -> tuple[str | UserText, ...]:
    parts: list[str | UserText] = []
    for each in candidate.missing:
        parts += ["; ", *each] if parts else each
    return tuple(parts)
