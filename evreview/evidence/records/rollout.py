"""Rollout capability and usage: the mechanisms that exist, and privacy-safe counts."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, Literal

from pydantic import AwareDatetime, Field

from evreview.evidence.records.base import EvidenceIdText, Record, Text


class RouteSeparation(Record):
    """A boundary at which traffic can be separated."""

    name: Text
    """Its name, e.g. `gateway`."""
    separates: tuple[Text, ...]
    """The routes or versions it separates, e.g. `/v1`, `/v2`."""


class Rollback(Record):
    """What can be undone, and how far."""

    atomic: bool
    """True when it happens in one step."""
    boundary: Text
    """What it goes back to, e.g. `the previous deployment`."""
    evidence: EvidenceIdText | None = None
    """The item that shows it was exercised."""


class Selector(Record):
    """A way to select part of the traffic."""

    kind: Literal["percentage", "cohort", "client-identity", "feature-flag"]
    """What it selects by."""
    name: Text
    """Its name."""
    selected_by: Text
    """How membership is decided; a cohort without this is not one."""


class Signal(Record):
    """A monitoring signal with its baseline and threshold."""

    name: Text
    """The signal's name."""
    covers: tuple[Text, ...]
    """Operations it watches (`GET /v1/orders/{id}`), or `*` for all."""
    numerator: Text
    """The failure counter."""
    denominator: Text
    """The attempt counter."""
    retains: tuple[Text, ...] = ()
    """What it keeps; bodies, personal data and internal errors are refused."""
    baseline: Baseline | None = None
    """What normal is; without it traffic stays blocked."""
    abort_margin_percentage_points: float | None = None
    """Abort margin over the baseline; without it the policy's, and without both traffic stays blocked."""
    approved: bool = False
    """True when the release manager approved signal and threshold."""


class Baseline(Record):
    """How normal was measured."""

    value_percent: float
    """The baseline rate in percent."""
    method: Text
    """How it was measured."""
    window: Text
    """Over which window."""
    tags: tuple[Text, ...]
    """By which tags."""
    resolution: Text
    """At which resolution."""
    exclusions: Text
    """What was left out, `none` included."""


class RolloutApproval(Record):
    """The answer to a rollout record."""

    state: Literal["approved", "rejected", "pending"]
    """Only `approved` counts."""
    role: Text
    """Who answered: the release manager."""
    at: AwareDatetime
    """When; a time zone is required."""


class RolloutRecord(Record):
    """Content of an evidence item of type `rollout record`."""

    kind: Literal["rollout-record"] = "rollout-record"
    separations: tuple[RouteSeparation, ...] = ()
    """Which routes or versions the gateway separates."""
    rollback: Rollback | None = None
    """Whether and how rollback works; null when there is none."""
    selectors: tuple[Selector, ...] = ()
    """Percentage, cohort, client-identity or flag selectors that exist."""
    signals: tuple[Signal, ...] = ()
    """Baselines and thresholds."""
    approval_state: Text = "not recorded"
    """What was approved, in words; they open nothing."""
    approval: RolloutApproval | None = None
    """The record's own approval; without it none is shown, and nothing is shipped by this record."""


class UsageMetrics(Record):
    """Sanitized usage counts; used only when all three controls are documented."""

    kind: Literal["usage-metrics"] = "usage-metrics"
    environment: Literal["production", "other"] | None = None
    """Where was counted; only production shows that nobody uses something, and without it nothing is shown."""
    aggregation: Text | None = None
    """How counts are aggregated."""
    retention: Text | None = None
    """How long they are kept."""
    privacy_controls: Text | None = None
    """What keeps personal data out."""
    counts: tuple[UsageCount, ...] = ()
    """The counts."""


class UsageCount(Record):
    """Use of one element in one period."""

    element: Text
    """An operation, or an operation and a field: `GET /v1/orders/{id} items[].sku`."""
    since: date
    """First day counted."""
    until: date
    """Last day counted."""
    uses: int = Field(ge=0)
    """How often it was used."""
    consumers: Literal["all", "known"] = "known"
    """Whether every consumer is counted, or only known ones."""


Signal.model_rebuild()
UsageMetrics.model_rebuild()


_DAY: Final = re.compile(r"(?<![0-9-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])")


def window_end(window: str) -> str:
    """The last day that a window names, "" where it names none."""
    return max(_DAY.findall(window), default="")
