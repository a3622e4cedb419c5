"""Step 8 of W1: design rollout, observation and rollback. Traffic to an uncovered change stays blocked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import DeltaId, StepState, VersionPath
from evreview.evidence.cited_records import first_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import Policy, RolloutRecord
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w1.facts import W1Facts
from evreview.workflows.w1.findings import is_material, runtime_id
from evreview.workflows.w1.policy.monitoring import HasMonitoredChange, RolloutMonitor, controls, controls_frame


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """One monitoring control per material change; remains while one lacks an approved signal or threshold."""
    if facts.path is None:
        raise NotReached("step 8 needs the path of step 7")
    only = facts.reconciliation.runtime_only if facts.reconciliation else ()
    rows: tuple[HasMonitoredChange, ...] = (
        *(row for row in facts.rows if is_material(row, facts)),
        *(_Change(_MonitoredRow(runtime_id(branch), operation_key(branch.element.split(" > ")[0]))) for branch in only),
    )
    rejected = facts.path.path is VersionPath.REJECTION
    known = (first_of(bundle, RolloutRecord), first_of(bundle, Policy), facts.path)
    designed = () if rejected else controls(rows, *known, bundle.request.as_of)
    uncovered = tuple(_uncovered(bundle, designed))
    return Outcome(
        state=StepState.REMAIN if uncovered else StepState.ADVANCE,
        facts=replace(facts, controls=designed),
        reasons=uncovered,
        tables={"Monitoring controls": controls_frame(designed)},
    )


@dataclass(frozen=True, slots=True)
class _MonitoredRow:
    """A change that no ledger row shows, by its finding's id."""

    id: DeltaId
    operation: str

    @property
    def operations(self) -> tuple[str, ...]:
        return (self.operation,)


@dataclass(frozen=True, slots=True)
class _Change:
    delta: _MonitoredRow


def _uncovered(bundle: Bundle, designed: Iterable[RolloutMonitor]) -> Iterable[Statement]:
    named = bundle.request.contracts
    fallback = (Citation(named.candidate),) if named else ()
    for control in designed:
        if control.missing:
            lacks = ", ".join(control.missing)
            head = "Traffic stays blocked to "
            yield limited(head, UserText(control.delta_id), f": missing {lacks}.", on=control.citations or fallback)
