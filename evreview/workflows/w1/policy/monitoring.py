"""One monitoring control per material change; what is not covered keeps its traffic blocked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import pandas as pd

from evreview.core.vocabulary import DeltaId
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import (
    Baseline,
    MonitoringPolicy,
    Policy,
    RolloutRecord,
    Signal,
    window_end,
)
from evreview.workflows.w1.policy.version_path import PathChoice
from evreview.workflows.w1.usage_evidence import FORMULA, lint_signal

MissingPart = Literal[
    "signal",
    "privacy",
    "baseline",
    "abort-threshold",
    "observation-window",
    "traffic-steps",
    "rollback-boundary",
    "approval",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutMonitor:
    """How one material change is watched while traffic moves. Texts are "" where nothing was supplied.

    Attributes:
        delta_id, operation: the change; a finding's id where the change is no row.
        signal: the signal's name.
        counters: how its rate is computed from which counters.
        baseline: the normal rate with method, window, tags, resolution and exclusions.
        threshold: when to abort.
        window, resolution, tags: of the observation, per client-adoption step.
        traffic_steps, rollback: from the chosen path, a typed step by its id; only what the rollout record supports.
        approved: True when the record says that signal and threshold are approved.
        faults: what the signal would keep that it must not keep.
        missing: what keeps traffic to this change blocked, in a fixed order.
        citations: the signal, the policy's monitoring section.
    """

    delta_id: DeltaId
    operation: str
    signal: str = ""
    counters: str = ""
    baseline: str = ""
    threshold: str = ""
    window: str = ""
    resolution: str = ""
    tags: tuple[str, ...] = ()
    traffic_steps: tuple[str, ...] = ()
    rollback: str = ""
    approved: bool = False
    faults: tuple[str, ...] = ()
    missing: tuple[MissingPart, ...] = ()
    citations: tuple[Citation, ...] = ()

    @property
    def covered(self) -> bool:
        """True when traffic may move to the change."""
        return not self.missing


class MonitoredChange(Protocol):
    """What a control asks about a change: a ledger row's delta, or a finding that no row has."""

    @property
    def id(self) -> str: ...
    @property
    def operation(self) -> str: ...
    @property
    def operations(self) -> tuple[str, ...]: ...


class HasMonitoredChange(Protocol):
    """A row of the ledger is one; so is anything with such a `delta`."""

    @property
    def delta(self) -> MonitoredChange: ...


def controls(
    rows: Iterable[HasMonitoredChange],
    rollout: Cited[RolloutRecord] | None,
    policy: Cited[Policy] | None,
    path: PathChoice | None,
    as_of: str = "",
) -> tuple[RolloutMonitor, ...]:
    """One control per row, in the rows' order. Give the material rows.

    A material change that is no row (a default that only the implementation changes) is watched too: give an object
    whose `delta` has the finding's id, its operation, and the operations that it reaches.

    Numbers come from the rollout record and the policy only. A change without a signal, or whose signal needs bodies,
    personal data or internal errors, gets a control that names what is missing; so does one whose baseline ends after
    `as_of`, the review's date: it was not measured yet.
    """
    return tuple(_control(row.delta, rollout, policy, path, as_of) for row in rows)


def controls_frame(found: Sequence[RolloutMonitor]) -> pd.DataFrame:
    """One row per material change, key `delta_id`.

    Columns: delta_id, operation, signal, counters, baseline, abort_threshold, observation_window, resolution, tags,
    traffic_steps, rollback_boundary (texts, "; " between several, "" where nothing was supplied), approved (bool),
    traffic ("may move" or "blocked"), missing (codes), evidence (citations, ", " between them).
    """
    cells = [
        {
            "delta_id": control.delta_id,
            "operation": control.operation,
            "signal": control.signal,
            "counters": control.counters,
            "baseline": control.baseline,
            "abort_threshold": control.threshold,
            "observation_window": control.window,
            "resolution": control.resolution,
            "tags": "; ".join(control.tags),
            "traffic_steps": "; ".join(control.traffic_steps),
            "rollback_boundary": control.rollback,
            "approved": control.approved,
            "traffic": "may move" if control.covered else "blocked",
            "missing": "; ".join(control.missing),
            "evidence": ", ".join(str(citation) for citation in control.citations),
        }
        for control in found
    ]
    frame = pd.DataFrame(cells, columns=list(_COLUMNS))
    return frame.astype({name: "bool" if name == "approved" else "string" for name in _COLUMNS})


_COLUMNS = (
    *("delta_id", "operation", "signal", "counters", "baseline", "abort_threshold", "observation_window"),
    *("resolution", "tags", "traffic_steps", "rollback_boundary", "approved", "traffic", "missing", "evidence"),
)


def _control(
    delta: MonitoredChange,
    rollout: Cited[RolloutRecord] | None,
    policy: Cited[Policy] | None,
    path: PathChoice | None,
    as_of: str,
) -> RolloutMonitor:
    numbers = policy.record.monitoring if policy else None
    signal, at = _signal_for(delta, rollout)
    steps = path.step_names if path else ()
    rollback = path.rollback if path else ""
    faults = lint_signal(signal) if signal else ()
    threshold = _threshold(signal, numbers)
    window = f"{numbers.window_minutes} minutes per client-adoption step" if numbers else ""
    lacks: tuple[tuple[MissingPart, bool], ...] = (
        ("signal", signal is None),
        ("privacy", bool(faults)),
        ("baseline", signal is None or not _measured(signal.baseline, as_of)),
        ("abort-threshold", not threshold),
        ("observation-window", not window),
        ("traffic-steps", not steps),
        ("rollback-boundary", not rollback),
        ("approval", signal is None or not signal.approved),
    )
    cited = [at, policy.at("/monitoring") if policy and numbers else None]
    return RolloutMonitor(
        delta_id=DeltaId(delta.id),
        operation=delta.operation,
        signal=signal.name if signal else "",
        counters=_counters(signal),
        baseline=_baseline(signal.baseline) if signal and signal.baseline else "",
        threshold=threshold,
        window=window,
        resolution=_resolution(signal, numbers),
        tags=_tags(signal, numbers),
        traffic_steps=steps,
        rollback=rollback,
        approved=bool(signal and signal.approved),
        faults=tuple(f"{fault.kind} in {fault.where}: {fault.text}" for fault in faults),
        missing=tuple(code for code, holds in lacks if holds),
        citations=tuple(citation for citation in cited if citation),
    )


def _signal_for(delta: MonitoredChange, rollout: Cited[RolloutRecord] | None) -> tuple[Signal | None, Citation | None]:
    """The first signal that covers every operation the change reaches; one without privacy faults first."""
    if rollout is None:
        return None, None
    reached = {operation_key(operation) for operation in delta.operations or (delta.operation,) if operation}
    covering = [
        (signal, rollout.at(f"/signals/{place}"))
        for place, signal in enumerate(rollout.record.signals)
        if "*" in signal.covers or (reached and reached <= {operation_key(name) for name in signal.covers})
    ]
    return min(covering, key=lambda found: bool(lint_signal(found[0])), default=(None, None))


def _counters(signal: Signal | None) -> str:
    return f"{signal.numerator} / {signal.denominator}: {FORMULA}" if signal else ""


def _measured(baseline: Baseline | None, as_of: str) -> bool:
    """True for a baseline whose window had ended by the review's date, or names no day."""
    return baseline is not None and (not as_of or window_end(baseline.window) <= as_of)


def _baseline(baseline: Baseline) -> str:
    tags = ", ".join(baseline.tags)
    return (
        f"{baseline.value_percent} %; method: {baseline.method}; window: {baseline.window}; tags: {tags}; "
        f"resolution: {baseline.resolution}; exclusions: {baseline.exclusions}"
    )


def _threshold(signal: Signal | None, numbers: MonitoringPolicy | None) -> str:
    """The abort rule: the signal's own margin, else the policy's, over the baseline."""
    if signal is None or signal.baseline is None:
        return ""
    own = signal.abort_margin_percentage_points
    margin = own if own is not None else numbers.abort_margin_percentage_points if numbers else None
    if margin is None:
        return ""
    return f"over {signal.baseline.value_percent} % by more than {margin} percentage points"


def _resolution(signal: Signal | None, numbers: MonitoringPolicy | None) -> str:
    if numbers:
        return f"{numbers.resolution_minutes} minute{'' if numbers.resolution_minutes == 1 else 's'}"
    return signal.baseline.resolution if signal and signal.baseline else ""


def _tags(signal: Signal | None, numbers: MonitoringPolicy | None) -> tuple[str, ...]:
    if numbers and numbers.tags:
        return numbers.tags
    return signal.baseline.tags if signal and signal.baseline else ()
