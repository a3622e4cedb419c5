"""What a reviewer suspects, and what shall be done about it. Candidates become findings only by evidence."""

from __future__ import annotations

from typing import Literal

from evreview.core.vocabulary import Area
from evreview.evidence.records.base import Day, EvidenceIdText, Record, Text
from evreview.evidence.records.security import Excerpt


class Candidate(Record):
    """A suspected weakness, as the reviewer states it. Reachability and severity are not the reviewer's to state."""

    id: Text
    """Usable as a locator."""
    area: Area
    """Which kind of control is concerned."""
    title: Text
    """What is suspected, in one sentence without payload."""
    route: Text | None = None
    """The route through which it would be reached, as method and path."""
    control: Text | None = None
    """The id of the control in the inventory."""
    asset: Text | None = None
    """The id of the protected asset in the trust model."""
    attacker: Text | None = None
    """The id of the actor whose position is assumed."""
    preconditions: tuple[Text, ...] = ()
    """What must hold besides."""
    shown_by: tuple[Excerpt, ...] = ()
    """The lines that show it."""
    safe_verification: Text | None = None
    """How it can be checked without harm: statically, or in an isolated fixture."""
    impact: Text | None = None
    """What would follow, in plain words."""


class Candidates(Record):
    """Content of a `source excerpt`, `test inventory` or `execution and approval record`: the reviewer's suspicions."""

    kind: Literal["security-candidates"] = "security-candidates"
    candidates: tuple[Candidate, ...]
    """One per suspected weakness."""


class PlannedTest(Record):
    """A test that a remediation asks for."""

    name: Text
    """Its name."""
    asserts: Text
    """What it asserts."""


class Remediation(Record):
    """What changes, who does it, and how one sees that it is done. Spec, W3 remediation row."""

    id: Text
    """Usable as a locator."""
    finding: Text
    """The finding's id (`S-…`), the candidate's or lead's that it came from, or its kind with the route, control or
    file that it is about: `secret-in-source service/settings.py`."""
    control_change: Text
    """The change to the control."""
    owner_role: Text | None = None
    """The role that carries it out."""
    positive_tests: tuple[PlannedTest, ...] = ()
    """Tests that whoever may, still can."""
    negative_tests: tuple[PlannedTest, ...] = ()
    """Tests that whoever may not, can't."""
    deployment_dependency: Text | None = None
    """What has to be deployed with it, or `none`."""
    rollback: Text | None = None
    """How it is taken back."""
    exit_evidence: Text | None = None
    """The objective evidence that it is done."""
    weakens: tuple[Literal["authentication", "authorization", "auditability", "confidentiality"], ...] = ()
    """What it weakens elsewhere, as its author states; such a remediation is refused."""
    removes: tuple[Text, ...] = ()
    """Ids of controls that it takes away."""
    hides_symptom: bool = False
    """True when it hides the effect and leaves the cause."""


class RemediationPlan(Record):
    """Content of an `execution and approval record`: the proposed remediations."""

    kind: Literal["remediation-plan"] = "remediation-plan"
    remediations: tuple[Remediation, ...]
    """One per change."""


class Acceptance(Record):
    """Content of an `execution and approval record`: a finding whose risk is borne for a time."""

    kind: Literal["risk-acceptance"] = "risk-acceptance"
    id: Text
    """Usable as a locator."""
    finding: Text
    """The finding's id."""
    compensating_controls: tuple[Text, ...] = ()
    """What holds meanwhile."""
    accountable_owner: Text | None = None
    """The role that bears it."""
    expires: Day | None = None
    """The last day of the acceptance."""
    revalidate_on: Day | None = None
    """When it is looked at again."""
    evidence: tuple[EvidenceIdText, ...] = ()
    """Items that show the compensating controls."""
