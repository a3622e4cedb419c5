"""The supplied compatibility, deprecation and severity policy. evreview has no policy of its own."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evreview.core.vocabulary import Answer, Aspect, Change, Role, Verdict
from evreview.evidence.records.base import Record, Text


class When(Record):
    """Conditions on one row; all that are given must hold, an empty list of a field does not restrict."""

    aspects: tuple[Aspect, ...] = ()
    """Any of these aspects."""
    changes: tuple[Change, ...] = ()
    """Any of these changes."""
    roles: tuple[Role, ...] = ()
    """Any of these roles."""
    rules: tuple[Text, ...] = ()
    """Any of these rule ids."""
    verdicts: tuple[Verdict, ...] = ()
    """Any of these verdicts."""
    in_error: bool | None = None
    """True: only inside error responses; false: only outside."""
    required: bool | None = None
    """True: only where the element is required."""
    emits_old_compatible: Answer | None = None
    """The answer of that direction."""
    accepts_old_requests: Answer | None = None
    """The answer of that direction."""
    client_evidence: Literal["declared-incompatible", "executed-failure", "unknown-consumers"] | None = None
    """What is known about clients: a declared incompatibility without executed failure, an executed failure of a
    released client, or consumers that no inventory lists."""


class PolicyRule(Record):
    """One rule of the policy. Its `text` is what an artifact quotes."""

    id: Text
    """The policy's own name for the rule."""
    text: Text
    """The sentence of the policy, quoted where the rule applies."""
    when: When = When()
    """Which rows it applies to."""
    classification: Literal["consumer-breaking", "producer-breaking"] | None = None
    """What the rule calls the change."""
    severity: Text | None = None
    """One of `severities`."""
    blocks: tuple[Literal["in-place release", "release", "removal"], ...] = ()
    """What an open finding under this rule blocks."""
    closes_by: tuple[
        Literal[
            "removed",
            "safely versioned",
            "compatibility window",
            "retained parser execution",
            "usage evidence",
            "migration evidence",
        ],
        ...,
    ] = ()
    """What ends the block."""


class RemovalConditions(Record):
    """What must hold before deprecated behaviour is removed."""

    text: Text
    """The policy's sentence."""
    notice_days: int = Field(ge=0)
    """Days of notice."""
    zero_use_evidence: bool
    """True when privacy-safe zero-use evidence is needed too."""


class MonitoringPolicy(Record):
    """Numbers for monitoring; used only as supplied."""

    text: Text
    """The policy's sentence."""
    abort_margin_percentage_points: float = Field(gt=0)
    """Abort when the rate exceeds the baseline by more than this."""
    window_minutes: int = Field(gt=0)
    """Observation window per client-adoption step."""
    resolution_minutes: int = Field(gt=0)
    """Counter resolution."""
    tags: tuple[Text, ...] = ()
    """Tags of the counters."""


class ClientStatuses(Record):
    """Which statuses clients take that their contract does not list: RFC 9110, section 15, asks them to take all of a
    class as its first one."""

    text: Text
    """The policy's sentence."""
    any_of: tuple[Literal["2XX", "3XX", "4XX", "5XX"], ...]
    """The classes of which clients take any status."""


class Policy(Record):
    """Content of an evidence item of type `policy`."""

    kind: Literal["policy"] = "policy"
    policy_version: Text
    """The policy's version."""
    surface: Text
    """The API surface it applies to."""
    producer_rules: tuple[Text, ...] = ()
    """Producer compatibility rules, as sentences."""
    consumer_rules: tuple[Text, ...] = ()
    """Consumer compatibility rules, as sentences."""
    severities: tuple[Text, ...] = ()
    """The policy's severity words, gravest first."""
    disposition_per_severity: dict[str, str] = {}
    """Release disposition per severity, e.g. `High: blocks in-place release`."""
    rules: tuple[PolicyRule, ...] = ()
    """Severity and disposition rules. For each client the first matching rule with a severity counts, and of these the
    gravest; the first match gives the classification; the blocks of every match hold."""
    support_window_days: int | None = Field(default=None, ge=0)
    """Minimum support window for a superseded version."""
    client_statuses: ClientStatuses | None = None
    """Statuses that clients take though their contract does not list them. Without it a status that may come now, and
    could not before, counts against the change."""
    removal: RemovalConditions | None = None
    """Removal conditions."""
    monitoring: MonitoringPolicy | None = None
    """Monitoring numbers."""
