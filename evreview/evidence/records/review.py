"""`review.yaml`: what is reviewed, for whom, and what is asked."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from evreview.core.vocabulary import Ask, Technique, VersionPath
from evreview.evidence.records.base import Day, EvidenceIdText, Record, Text
from evreview.evidence.records.steps import PlanStep


class Contracts(Record):
    """Which evidence items hold the two contracts."""

    released: EvidenceIdText
    """The contract that clients rely on today."""
    candidate: EvidenceIdText
    """The proposed contract."""


class Roles(Record):
    """Roles, never persons."""

    api_owner: Text | None = None
    """The role that owns the API."""
    release_manager: Text | None = None
    """The role that approves traffic changes, and holds deployments (W3)."""
    security_owner: Text | None = None
    """The role that authorizes, and approves what is disclosed (W3)."""
    sandbox_owner: Text | None = None
    """The role that approves what is executed in isolation (W1, W2); nobody else's answer counts."""
    privacy_owner: Text | None = None
    """The role that, beside the security owner, approves examples from observed traffic (W2)."""
    reviewer: Text | None = None
    """The role that carries out this review."""


class PolicyInForce(Record):
    """That the supplied policy applies to what is reviewed, as the supplier confirms it."""

    version: Text
    """The policy's version."""
    surface: Text
    """The surface that the policy names for itself, word by word."""


class PlannedMechanism(Record):
    """A rollout mechanism that the plan wants to use."""

    kind: Literal["route-version", "percentage", "cohort", "client-identity", "feature-flag", "deployment"]
    """What traffic is separated by; it must exist in the rollout record."""
    name: Text
    """The mechanism's name in the rollout record (a gateway, a flag, a deployment)."""


class Migration(Record):
    """What one client has to do under the plan."""

    client: Text
    """The client's id in the client inventory."""
    instruction: Text
    """What its owner changes."""


class Plan(Record):
    """The path that the team wants to take; without it evreview proposes one from what exists."""

    path: VersionPath
    """One of the five supported paths."""
    mechanisms: tuple[PlannedMechanism, ...] = ()
    """What the rollout uses."""
    rollback: Text | None = None
    """The rollback boundary that the plan relies on, as named in the rollout record."""
    traffic_steps: tuple[PlanStep | Text, ...] = ()
    """The steps in which traffic moves and the released path ends, in order. A step in words alone shows nothing, and
    keeps shipping closed on a path that moves clients."""
    migrations: tuple[Migration, ...] = ()
    """One row per affected client."""
    support_window: Text | None = None
    """How long the released form stays available."""
    retention: Text | None = None
    """What is kept until which gate."""


class Removal(Record):
    """A deprecated element that is asked to be removed."""

    address: Text
    """The element, as the ledger addresses it or a suffix of that."""
    notice_given: Day | None = None
    """The ISO date on which notice was given."""
    notice_evidence: EvidenceIdText | None = None
    """The item that shows the notice."""


class PlannedAction(Record):
    """One thing that the security review does; each is compared with the authorization before anything is read."""

    id: Text
    """The action's name."""
    technique: Technique
    """How it looks."""
    items: tuple[EvidenceIdText, ...] = ()
    """The evidence items that it looks into."""
    paths: tuple[Text, ...] = ()
    """The paths of the repository that these items come from."""
    targets: tuple[Text, ...] = ()
    """Hosts or systems that it touches; none for an inspection, `loopback` for a local fixture."""
    uses: tuple[Literal["production credentials", "production data", "network traffic"], ...] = ()
    """What it needs; each of these words stops the review."""
    purpose: Text | None = None
    """What it is for, in words."""


class ReviewRequest(Record):
    """`review.yaml` without its evidence list."""

    evreview: Literal[1] = 1
    """Version of the bundle format."""
    workflow: Literal["w1", "w2", "w3"]
    """Which of the three workflows this is."""
    title: Text
    """Title of the review; becomes the artifact's heading."""
    as_of: Day
    """The ISO date for which windows and periods are judged; there is no other clock."""
    asks: tuple[Ask, ...] = Field(default=(Ask.ASSESS,), min_length=1)
    """What is asked: assess, ship, remove."""
    contracts: Contracts | None = None
    """Where the two contracts are (W1)."""
    protocol: Text | None = None
    """The transport protocol and its version."""
    surface: Text | None = None
    """The API surface under review, in words."""
    implementation_revision: Text | None = None
    """The immutable revision of the implementation under review."""
    runtime_conclusion: bool = False
    """True when runtime behaviour is part of the conclusion asked for; then observations are required."""
    policy: PolicyInForce | None = None
    """That the policy applies here (W1). Not needed where the policy names the same surface as `surface`, or routes
    that every operation lies under; without either nothing is shipped or removed."""
    surface_complete: bool = False
    """True when the supplier confirms that both contracts are complete for the reviewed surface; until then nothing is
    shipped or removed."""
    roles: Roles = Roles()
    """Who owns, who releases."""
    exclusions: tuple[Text, ...] = ()
    """What this review leaves out."""
    assumptions: tuple[Text, ...] = ()
    """What the supplier assumes; printed as assumptions, never as facts."""
    actions: tuple[PlannedAction, ...] = ()
    """Everything that the security review does (W3)."""
    recipients: tuple[Text, ...] = ()
    """The roles that shall receive the security review (W3)."""
    plan: Plan | None = None
    """The path that the team wants to take."""
    removals: tuple[Removal, ...] = ()
    """Deprecated elements that are asked to be removed."""
