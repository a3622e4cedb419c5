"""Typed bodies of W3: trust model, authorization, suspicions and remediations, inventory of controls, rubric."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AwareDatetime

from evreview.core.vocabulary import Area, ClosedVocabulary, Technique
from evreview.evidence.records.review import Day, EvidenceIdText, Record, RoleName, Text, named

ActorId = Annotated[Text, named("id from actors of the trust model")]
AssetId = Annotated[Text, named("id from assets of the trust model")]
BoundaryId = Annotated[Text, named("id from boundaries of the trust model")]
ControlId = Annotated[Text, named("id from controls of the inventory")]


class Excerpt(Record):
    """Text of an item that shows something. The quote is checked against the lines."""

    item: EvidenceIdText
    """The item that shows it."""
    lines: Text
    """Lines of that item, `12` or `12-20`."""
    quote: Text
    """Text that stands there."""


class Actor(Record):
    """Who acts."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    position: Text | None = None
    """Where the actor stands, e.g. `any network`, `allowed network`, `operator`."""


class Asset(Record):
    """What is worth protecting."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    classification: Text | None = None
    """The data classification, as the owner names it."""


class EntryPoint(Record):
    """Where something comes in."""

    id: Text
    """Usable as a locator."""
    route: Text | None = None
    """Method and path as the code registers it, `GET /orders/{id}`; None for one that is no route. Any other text is
    taken for the name of a function."""
    function: Text | None = None
    """For one that is no route, the function where it comes in: `desk/files.py::read`, `desk.files.read`, or
    `python -m desk.tool` for a module's `main`. Whoever comes in chooses its arguments."""
    describes: Text | None = None
    """In words, for one that is no route."""
    actors: tuple[ActorId, ...] = ()
    """Ids of the actors that reach it."""
    boundaries: tuple[BoundaryId, ...] = ()
    """Ids of the boundaries that are crossed, in order."""
    assets: tuple[AssetId, ...] = ()
    """Ids of the assets behind it."""


class IdentityTransition(Record):
    """Where one identity becomes another: a token becomes a principal, a principal becomes a service account."""

    id: Text
    """Usable as a locator."""
    before: Text
    """The identity before it."""
    after: Text
    """The identity after it."""
    at: Annotated[Text, named("id from entry_points or boundaries")] | None = None
    """The id of the entry point or boundary where it happens."""
    shown_by: Excerpt | None = None
    """What shows it; without it the transition is an assumption."""


class BackedBy(ClosedVocabulary):
    """What a trust boundary is validated against."""

    ROUTE = "route"
    CONFIGURATION = "configuration"
    DEPLOYMENT = "deployment record"
    ASSUMPTION = "assumption"


class Boundary(Record):
    """A trust boundary, and what it is validated against."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    outside: Text
    """The zone before it."""
    inside: Text
    """The zone behind it."""
    backed_by: BackedBy | None = None
    """What it is validated against; None is unknown."""
    shown_by: Excerpt | None = None
    """The configuration or deployment record that shows it; of an assumption the lines that it is about."""
    route: Text | None = None
    """The route that shows it, as method and path."""
    assumption: Text | None = None
    """The assumption, in words: who may come in there, or what stands before it."""


class TrustModel(Record):
    """Content of an evidence item of type `data-flow description`. What is missing keeps step 2 from advancing."""

    kind: Literal["trust-model"] = "trust-model"
    revision: Text | None = None
    """The revision that the model describes."""
    actors: tuple[Actor, ...] | None = None
    """Who acts."""
    entry_points: tuple[EntryPoint, ...] | None = None
    """Where something comes in."""
    identity_transitions: tuple[IdentityTransition, ...] | None = None
    """Where identities change; an empty list says that they do not."""
    assets: tuple[Asset, ...] | None = None
    """What is worth protecting."""
    boundaries: tuple[Boundary, ...] | None = None
    """The trust boundaries; at least one."""
    attacker_positions: tuple[ActorId, ...] | None = None
    """Ids of the actors whose position an attacker may be assumed in."""
    excluded_capabilities: tuple[Text, ...] | None = None
    """What the assumed attacker can't do; abuse cases that need it are left out."""


class DeploymentRecord(Record):
    """Content of a `rollout record` or `configuration excerpt`: what runs, and from which revision."""

    kind: Literal["deployment-record"] = "deployment-record"
    id: Text
    """Usable as a locator."""
    environment: Text
    """Where it runs, in words; never an address."""
    revision: Text | None = None
    """The immutable revision that runs there."""
    wiring: tuple[Text, ...] = ()
    """What stands before and around the service there (proxies, network policies), in words."""


# The written authorization. A field that is missing is named by W3-F1, so all are optional.


class Period(Record):
    """First and last day on which the review may take place, both included."""

    since: Day
    """The first day."""
    until: Day
    """The last day."""


class ActivePermission(Record):
    """Whether anything may be executed. Permission here does not replace the gate before execution."""

    permitted: bool
    """False: nothing may be executed, not even a local fixture."""
    environment: Text | None = None
    """The isolated environment, when permitted."""


class Authorization(Record):
    """Content of an evidence item of type `authorization record`. Spec, W3 required inputs and F1's recovery."""

    kind: Literal["authorization"] = "authorization"
    approving_role: Annotated[Text, named("role, that of roles.security_owner in review.yaml")] | None = None
    """The security-owner role that approves, never a person."""
    decision: Literal["approved", "rejected"] | None = None
    """The explicit answer; consent is never implied."""
    at: AwareDatetime | None = None
    """When it was given; a time zone is required."""
    form: Literal["written", "spoken", "implied"] | None = None
    """In which form it was given; a spoken or implied one authorizes nothing, one that does not say no active test."""
    channel: Text | None = None
    """The approved channel through which it was received and its provenance verified."""
    revision: Annotated[Text, named("full commit, or sha256: and the digest of the archive")] | None = None
    """The immutable commit, or `sha256:…` of the archive, under review."""
    owns: Text | None = None
    """The system that the approving role owns, in words."""
    environment: Text | None = None
    """The environment under review, in words."""
    paths: tuple[Text, ...] | None = None
    """Allowed paths of the repository; `src/**` stands for everything below `src`."""
    techniques: tuple[Technique, ...] | None = None
    """Allowed techniques."""
    prohibited_targets: tuple[Text, ...] | None = None
    """Hosts, systems and paths that nothing may touch; an empty list does not count as written."""
    prohibited_actions: tuple[Text, ...] | None = None
    """Actions that are excluded whatever the target."""
    period: Period | None = None
    """When the review may take place."""
    exclusions: tuple[Text, ...] | None = None
    """What is left out; an empty list says that there is nothing."""
    active_testing: ActivePermission | None = None
    """Whether anything may be executed."""
    recipients: tuple[RoleName, ...] | None = None
    """The roles that may receive the review; anybody else needs the disclosure gate."""
    stop_conditions: tuple[Text, ...] | None = None
    """When the review stops."""
    cleanup: Text | None = None
    """What is cleaned up afterwards, and how."""
    rollback: Text | None = None
    """What is rolled back, and how."""
    secret_digests: bool = False
    """True when a keyed digest of a found secret may be kept."""


# What a reviewer suspects, and what shall be done about it. Candidates become findings only by evidence.


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
    control: ControlId | None = None
    """The id of the control in the inventory."""
    asset: AssetId | None = None
    """The id of the protected asset in the trust model."""
    attacker: ActorId | None = None
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
    removes: tuple[ControlId, ...] = ()
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


# The security-relevant inventory: per control its code, middleware, wiring and tests. Spec, W3 required inputs.


class ControlTest(Record):
    """A test of a control."""

    item: EvidenceIdText
    """The test source, test inventory or test record that holds it."""
    test: Text
    """Its id there (a function, a node id, a check's id)."""
    run: EvidenceIdText | None = None
    """The test record with its retained result; None when it was not executed."""


class Surrounding(Record):
    """A file that was searched for another control that does the same work."""

    path: Text
    """Its path in the repository."""
    item: EvidenceIdText | None = None
    """The item that holds it; None when it was not supplied, which leaves the question open."""
    control: Excerpt | None = None
    """The alternate control that stands there; None when there is none."""
    says: Text | None = None
    """What was found, in words."""


class Control(Record):
    """One control. A list that is missing is unknown (W3-F2); an empty one says that there is nothing of the kind."""

    id: Text
    """Usable as a locator."""
    area: Area
    """What kind of control it is."""
    name: Text
    """In words."""
    routes: tuple[Text, ...] = ("*",)
    """The routes that it shall protect, as method and path; `*` for all of them."""
    assets: tuple[AssetId, ...] = ()
    """Ids of the assets that it protects, in the trust model."""
    boundaries: tuple[BoundaryId, ...] = ()
    """Ids of the boundaries where it stands."""
    sensitive: bool = True
    """False for a control that protects nothing sensitive."""
    source: tuple[Excerpt, ...] | None = None
    """Where the control stands in the code."""
    middleware: tuple[Excerpt, ...] | None = None
    """The middleware that it depends on."""
    deployment: tuple[Excerpt, ...] | None = None
    """The deployment wiring that it depends on."""
    positive_tests: tuple[ControlTest, ...] | None = None
    """Tests that show that whoever may, can."""
    negative_tests: tuple[ControlTest, ...] | None = None
    """Tests that show that whoever may not, can't."""
    surrounding: tuple[Surrounding, ...] | None = None
    """Files that were searched for alternate controls."""


class OutOfScope(Record):
    """An area that the review leaves out."""

    area: Area
    """Which."""
    why: Text
    """The reason."""


class SecurityInventory(Record):
    """Content of a `test inventory`, `source excerpt` or `execution and approval record`: the controls under review."""

    kind: Literal["security-inventory"] = "security-inventory"
    revision: Text | None = None
    """The immutable revision of everything listed."""
    controls: tuple[Control, ...]
    """The controls."""
    not_in_scope: tuple[OutOfScope, ...] = ()
    """Areas without a control here, each with the reason; any other area without a control is a gap."""


# The supplied severity rubric. evreview has none of its own.


GRAVE: Final = ("high", "critical")
"""What the specification calls the severities that hold a deployment, folded."""


class RubricWhen(Record):
    """Conditions on one finding; all that are given must hold, an empty list does not restrict."""

    kinds: tuple[Text, ...] = ()
    """Any of these kinds of weakness (lead rule ids, scanner rule ids, or candidate ids of the reviewer)."""
    areas: tuple[Area, ...] = ()
    """Any of these areas."""
    classifications: tuple[Text, ...] = ()
    """Any of these data classifications of the protected asset."""
    attackers: tuple[Text, ...] = ()
    """Any of these actors, by id or position."""
    states: tuple[Literal["supported", "hypothesis"], ...] = ()
    """Supported by reachability and control evidence, or still a hypothesis."""
    verified: bool | None = None
    """True: only where a retained negative test verifies the control; false: only where none does."""


class RubricRule(Record):
    """One rule. Its `text` is what an artifact quotes."""

    id: Text
    """The rubric's own name for the rule."""
    text: Text
    """The sentence of the rubric, quoted where the rule applies."""
    when: RubricWhen = RubricWhen()
    """Which findings it applies to."""
    severity: Text
    """One of `severities`."""
    blocks_deployment: bool = False
    """True when an unresolved finding under this rule blocks the deployment."""


class SeverityRubric(Record):
    """Content of an evidence item of type `policy`: the rubric that rates findings."""

    kind: Literal["severity-rubric"] = "severity-rubric"
    policy_version: Text
    """The rubric's version."""
    severities: tuple[Text, ...]
    """The severity words, gravest first."""
    rules: tuple[RubricRule, ...]
    """Rules; of those that match, the gravest counts."""
    holds_deployment: tuple[Text, ...] = ()
    """Severities of which an unresolved finding holds the deployment, beside those called High and Critical, which
    always do. A rubric with other words has to name them. Spec, W3 decision rule 7."""

    @property
    def holding(self) -> tuple[str, ...]:
        """The severities of which an unresolved finding holds the deployment."""
        return tuple(word for word in self.severities if word in self.holds_deployment or word.casefold() in GRAVE)
