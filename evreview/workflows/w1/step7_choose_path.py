"""Step 7 of W1: choose a supported path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Ask, EvidenceType, StepState, Tristate
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.element_mentions import is_suffix
from evreview.evidence.item import Bundle
from evreview.evidence.records.compatibility import DeprecationNotice, Policy, RolloutRecord, UsageMetrics
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.engine.gates import party
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w1.facts import F4, W1Facts, read_contracts
from evreview.workflows.w1.policy.judgement import judge
from evreview.workflows.w1.policy.removal import RemovalEvidence, RemovalJudgement, judge_removal
from evreview.workflows.w1.policy.rollout_mechanisms import check_plan, drill_faults, mechanisms_frame
from evreview.workflows.w1.policy.version_path import choose_path


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The path and its conditions; F4 when the plan relies on a mechanism that the rollout record does not show."""
    policy, rollout = first_of(bundle, Policy), first_of(bundle, RolloutRecord)
    tables = {"Mechanisms": mechanisms_frame(rollout)}
    refused = tuple(_refusals(bundle))
    if refused:
        return Outcome(state=StepState.STOP, code=F4.code, facts=facts, reasons=refused, tables=tables)
    if facts.unknown_consumers is None:
        raise NotReached("step 7 needs the consumers of step 5")
    removal_asked = Ask.REMOVE in bundle.request.asks
    path = choose_path(facts.rows, policy, rollout, bundle.request.plan, removal_asked=removal_asked)
    if rollout is not None and drill_faults(rollout.record, bundle.items, bundle.request.as_of):
        path = replace(path, rollback="")
    judgements = {row.delta.id: judge(row, facts.impacts, facts.unknown_consumers, policy) for row in facts.rows}
    known = replace(facts, path=path, judgements=judgements, removals=tuple(_removals(bundle, facts)))
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables | {"Path": _path_frame(known)})


def _refusals(bundle: Bundle) -> Iterable[Statement]:
    plan, rollout = bundle.request.plan, first_of(bundle, RolloutRecord)
    if plan is None:
        return
    items = bundle.of_type(EvidenceType.ROLLOUT_RECORD)
    on = (rollout.citation,) if rollout else cite(*(item.id for item in items)) or read_contracts(bundle)
    for refusal in check_plan(plan, rollout):
        yield observed(refusal.text, on=on)
    back = rollout.record.rollback if rollout else None
    if rollout is None or back is None or plan.rollback is None:
        return
    for fault in drill_faults(rollout.record, bundle.items, bundle.request.as_of):
        shown = cite(rollout.at("/rollback"), *dict.fromkeys((back.evidence, fault.item)))
        yield observed("That the rollback to ", UserText(back.boundary), " works is not shown: ",
                       UserText(fault.clause), ".", on=shown)  # fmt: skip


def _removals(bundle: Bundle, facts: W1Facts) -> Iterable[RemovalJudgement]:
    adopted = {state.client for state in facts.migrations if state.adopted}
    for removal in bundle.request.removals:
        removed = {row.delta.id for row in facts.rows if is_suffix(removal.address, row.delta.address)}
        waiting = {
            impact.client
            for impact in facts.impacts
            if impact.delta_id in removed and impact.touched is not Tristate.NO and impact.client not in adopted
        }
        evidence = RemovalEvidence(
            policy=first_of(bundle, Policy),
            metrics=records_of(bundle, UsageMetrics),
            waiting_clients=tuple(sorted(waiting)),
            owners_unknown=bool(facts.ownership_gaps),
            notices={cited.citation.id: cited.record for cited in records_of(bundle, DeprecationNotice)},
            surface=bundle.request.surface or "",
            release=facts.released.release if facts.released else "",
            provider=party(bundle.request.roles),
            owners=frozenset(state.owner_role for state in facts.migrations),
        )
        yield judge_removal(removal, bundle.request.as_of, facts.rows, evidence)


def _path_frame(facts: W1Facts) -> pd.DataFrame:
    path = facts.path
    if path is None:
        return pd.DataFrame(columns=["what", "value"])
    rows = [
        ("path", str(path.path)),
        ("proposed by", path.proposed_by),
        ("why", path.why),
        ("mechanisms", ", ".join(mechanism.name for mechanism in path.mechanisms)),
        ("rollback", path.rollback),
        ("retention", path.retention),
        ("support window", path.support_window),
        ("notice", path.notice),
    ]
    return pd.DataFrame([(what, value or "not supplied") for what, value in rows], columns=["what", "value"])
