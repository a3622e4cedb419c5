"""`review.yaml` and `decisions.yaml` as people write them, the plans in them, and what all typed bodies share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from evreview.core.vocabulary import Ask, ClosedVocabulary, ContractKind, EvidenceId, Technique, VersionPath

# What every typed body shares: unknown keys are refused, values are frozen.


NAMED = "x-value"
"""The key of a JSON Schema that says which value a field takes that names something else, in words."""


def named(words: str) -> FieldInfo:
    """That a text is the id or name of something, and where that stands: `id from actors`."""
    found: FieldInfo = Field(json_schema_extra={NAMED: words})
    return found


EvidenceIdText = Annotated[
    EvidenceId, StringConstraints(pattern=r"^E[1-9][0-9]*$"), named("evidence id from review.yaml")
]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]

RoleName = Annotated[Text, named("role, never a person")]
ClientId = Annotated[Text, named("id from clients of the client inventory")]


def _iso_day(text: str) -> str:
    """The same text when it is a calendar day."""
    if re.fullmatch(_DAY, text) is None:
        raise PydanticCustomError("bad_day", "this is not written as a day; write year, month and day as 2027-01-31")
    try:
        date.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("no_day", "the calendar has no such day; correct the month or the day") from None
    return text


_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
Day = Annotated[str, AfterValidator(_iso_day), Field(json_schema_extra={"pattern": _DAY})]


_ABBREVIATED = re.compile(r"[0-9a-f]{7,}")


def same_revision(left: str | None, right: str | None) -> bool:
    """True when both name one revision: equal in any case, or one abbreviates the other to 7 or more hex digits."""
    short, long = sorted(((left or "").strip().lower(), (right or "").strip().lower()), key=len)
    if not short:
        return False
    hexadecimal = bool(_ABBREVIATED.fullmatch(short) and _ABBREVIATED.fullmatch(long))
    return short == long or (hexadecimal and long.startswith(short))


def is_digest(revision: str) -> bool:
    """True for nothing, for a digest, and for a blob id: none of them says which commit it belongs to."""
    return not revision or ":" in revision or revision.startswith("blob ")


def same_words(left: str, right: str) -> bool:
    """True for the same words, in any case and with any spaces."""
    return " ".join(left.split()).casefold() == " ".join(right.split()).casefold()


class Record(BaseModel):
    """Base of the typed bodies. Field descriptions are the bundle documentation.

    `answer_fields` are those that hold a person's answer: a marker there waits for it, and is no gap in the record.
    """

    answer_fields: ClassVar[frozenset[str]] = frozenset()

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


# The steps of a plan: who does what, when, and what has to be there first.


class WaitsFor(Record):
    """One thing that has to be there before a step begins: exactly one of `step`, `adoption` and `gate`."""

    step: Annotated[Text, named("id from traffic_steps")] | None = None
    """An earlier step, by its id."""
    days: int | None = Field(default=None, ge=0)
    """With `step`: this many days after it."""
    observed: bool = False
    """With `step`: only once its observation window has passed without an abort."""
    adoption: ClientId | None = None
    """A client, by its id in the inventory: its owner has recorded that it requests the step's path."""
    gate: Literal["ship-breaking-change", "remove-deprecated"] | None = None
    """A gate of this review, approved."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.step, self.adoption, self.gate)) != 1:
            raise PydanticCustomError("waits_for_one", "name one of step, adoption and gate in each entry")
        if self.step is None and (self.days is not None or self.observed):
            raise PydanticCustomError("waits_for_step", "days and observed belong to an entry that names a step")
        return self


class PlanStep(Record):
    """One step of a plan."""

    id: Text
    """Its name, for the steps that wait for it."""
    who: Text
    """The role that does it."""
    what: Literal["open", "adopt", "route", "notify", "retire", "roll back"]
    """`open`: the path answers, and nobody is sent there. `adopt`: the owner of `client` lets it request the path.
    `route`: traffic of `client`, of everybody without one, is sent to the path. `notify`: notice is given.
    `retire`: the path stops to answer. `roll back`: traffic goes back to the path."""
    path: Text | None = None
    """The route or version, as the rollout record names it; every step but `notify` needs one."""
    client: ClientId | None = None
    """The client's id in the inventory; `adopt` needs one."""
    when: Day | None = None
    """The day on which it is planned."""
    waits_for: tuple[WaitsFor, ...] = ()
    """What has to be there before it begins."""
    note: Text | None = None
    """Free text; it shows nothing."""


# `review.yaml` without its evidence list: what is reviewed, for whom, what is asked, and how it is planned.


class Contracts(Record):
    """Which evidence items hold the two contracts."""

    released: EvidenceIdText
    """The contract that clients rely on today."""
    candidate: EvidenceIdText
    """The proposed contract."""


class Roles(Record):
    """Roles, never persons."""

    api_owner: RoleName | None = None
    """The role that owns the API."""
    release_manager: RoleName | None = None
    """The role that approves traffic changes, and holds deployments (W3)."""
    security_owner: RoleName | None = None
    """The role that authorizes, and approves what is disclosed (W3)."""
    sandbox_owner: RoleName | None = None
    """The role that approves what is executed in isolation (W1, W2); nobody else's answer counts."""
    privacy_owner: RoleName | None = None
    """The role that, beside the security owner, approves examples from observed traffic (W2)."""
    reviewer: RoleName | None = None
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

    client: ClientId
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


class ReviewOrigin(Record):
    """Content of `origin.yaml`: the commits and paths that `evreview new` read a contract review from.

    It is no evidence. `evreview update` reads it, and compares what it names with what the review holds.
    """

    contract: Text
    """The contract's file or folder, from the repository's root."""
    contract_kind: ContractKind | None = None
    """Its kind, where it was stated."""
    code: tuple[Text, ...] = ()
    """Folders and files of the code behind it."""
    released: Text
    """The full commit that clients rely on."""
    released_ref: Text
    """As it was named."""
    candidate: Text
    """The full commit that is proposed."""
    candidate_ref: Text
    """As it was named."""


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
    recipients: tuple[RoleName, ...] = ()
    """The roles that shall receive the security review (W3)."""
    plan: Plan | None = None
    """The path that the team wants to take."""
    removals: tuple[Removal, ...] = ()
    """Deprecated elements that are asked to be removed."""


# `decisions.yaml`: what people decided. Append-only; each entry has a role, a time and what was reviewed.


class Approval(Record):
    """A gate's answer."""

    kind: Literal["approval"] = "approval"
    gate: Literal[
        "ship-breaking-change",
        "remove-deprecated",
        "publish-expanded-behaviour",
        "publish-observed-example",
        "execute-locally",
        "execute-mutating-example",
        "disclose-outside-team",
        "accept-reachable-vulnerability",
    ]
    """Which gate is answered."""
    role: Text
    """The approving role, e.g. `API owner`."""
    stands_for: Literal[
        "api-owner", "client-owner", "release-manager", "security-owner", "privacy-owner", "sandbox-owner"
    ]
    """In which capacity the role answers."""
    client: Text | None = None
    """For a client owner, the client's id in the inventory."""
    decision: Literal["approved", "rejected"]
    """The answer."""
    at: AwareDatetime
    """When it was given; a time zone is required."""
    reviewed: tuple[Text, ...] = ()
    """The items reviewed, by the gate's names for them (see the gate table), and in a security review what the answer
    is about, as the artifact lists it: the plan's id, the finding's with the digest of its acceptance, or the
    recipients and the report's digest."""
    of: Text | None = None
    """The digest of everything that the gate lists as reviewed, as the artifact prints it for the gate. An approval
    without it shows nothing; one about another digest has lapsed. A rejection stands without it."""
    evidence: tuple[EvidenceIdText, ...] = ()
    """Items that the approver looked at."""
    note: str = ""
    """Free text; printed escaped."""


class FindingState(ClosedVocabulary):
    """The four states that a security finding can be said to be in."""

    BLOCKING = "blocking"
    OPEN = "open"
    ACCEPTED = "accepted"
    CLOSED = "closed by evidence"


class Disposition(Record):
    """What the responsible role decided about one finding or one discrepancy."""

    kind: Literal["disposition"] = "disposition"
    subject: Text
    """The finding's id, the delta's id, the discrepancy's id, or an evidence id."""
    role: Text
    """The deciding role."""
    decision: Text
    """What was decided, e.g. `accepted until 2027-01-31`, `contract corrected`."""
    at: AwareDatetime
    """When; a time zone is required."""
    stance: Literal["consents", "objects"] | None = None
    """For the owner of a client whose field is removed: an objection is no consent, whichever of the client, the
    difference or the element is the `subject`, and stands until the same role consents. Words decide nothing."""
    publish: Literal["contract", "withhold"] | None = None
    """For a discrepancy of a reference, what to do with the claims that it holds back: publish what the contract says,
    with the discrepancy noted, or leave them out."""
    of: Text | None = None
    """For a discrepancy or a security finding, the digest of what was judged, as the register prints it."""
    state: FindingState | None = None
    """For a security finding, which of the four states it is in."""
    until: Day | None = None
    """For an accepted finding, the last day of the acceptance."""
    evidence: tuple[EvidenceIdText, ...] = ()
    """For a finding closed by evidence, the items that close it."""
    reviewed: tuple[Text, ...] = ()
    """What was looked at."""
    note: str = ""
    """Free text; printed escaped."""


class Note(Record):
    """A remark that explains, without deciding anything (the reason of a generated-only difference, say)."""

    kind: Literal["note"] = "note"
    subject: Text
    """What the note is about."""
    role: Text
    """Who wrote it, as a role."""
    at: AwareDatetime
    """When; a time zone is required."""
    text: Text
    """The remark."""
    reviewed: tuple[Text, ...] = ()
    """What was looked at."""


class Handling(Record):
    """How the security owner wants sensitive values handled that stand in the evidence (W3-F4)."""

    kind: Literal["handling"] = "handling"
    subject: EvidenceIdText
    """The item in which they stand."""
    of: Text | None = None
    """`sha256:…` of the item's content: the entry is about the values that stood there. Without it nothing counts."""
    role: Text
    """The security owner's role."""
    at: AwareDatetime
    """When; a time zone is required."""
    instructions: Text
    """What is done with them."""


def day_of(at: datetime) -> str:
    """The day of a time, ISO, in UTC."""
    return at.astimezone(UTC).date().isoformat()


Entry = Approval | Disposition | Note | Handling


class Decisions(Record):
    """`decisions.yaml`."""

    decisions: tuple[Annotated[Entry, Field(discriminator="kind")], ...] = ()
    """In the order recorded; new ones are appended. Of two entries about one thing the later time counts."""

    def until(self, day: str) -> Decisions:
        """The entries of this day (ISO, UTC) and before; nothing recorded later counts."""
        return self.model_copy(
            update={"decisions": tuple(entry for entry in self.decisions if day_of(entry.at) <= day)}
        )

    def after(self, day: str) -> Decisions:
        """The entries of later days."""
        return self.model_copy(update={"decisions": tuple(entry for entry in self.decisions if day_of(entry.at) > day)})

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """The answers to gates, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Approval))

    @property
    def dispositions(self) -> tuple[Disposition, ...]:
        """The dispositions, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Disposition))

    @property
    def handlings(self) -> tuple[Handling, ...]:
        """The handlings, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Handling))

    @property
    def _in_time(self) -> list[Entry]:
        return sorted(self.decisions, key=lambda entry: entry.at)


# What may be executed: the local fixture, the examples or tests, the cleanup. Nothing runs without its gate.


class WorkFile(Record):
    """A file of the bundle that is copied into the work folder."""

    item: EvidenceIdText
    """The item whose content it is."""
    path: Text
    """Its path in the work folder, relative."""
    sha256: Text | None = None
    """The digest of that content: who approves the plan approves this file. Without it nothing is executed."""


class Fixture(Record):
    """The local process that answers on loopback."""

    start: tuple[Text, ...]
    """The command, one word each; `{port}` stands for the port."""
    ready_path: Text = "/"
    """A path that answers with any status once the fixture is up."""
    environment: dict[str, str] = {}
    """Environment variables; synthetic values only."""
    describes: Text
    """The environment in words, for the report."""


class RoutesAsked(Record):
    """The application that is asked for its own route table: it is imported in the sandbox, and serves nothing."""

    framework: Literal["fastapi", "starlette", "flask", "django", "aiohttp"]
    """Whose table it is."""
    application: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.\w+)*(:[A-Za-z_]\w*(\.\w+)*(\(\))?)?$")]
    """`package.module:application`, `package.module:make_application()`; of Django the module of its settings."""
    environment: dict[str, str] = {}
    """Environment variables; synthetic values only."""


class ExecutionPlan(Record):
    """Content of an evidence item of type `execution and approval record`: what `evreview execute` may run."""

    kind: Literal["execution-plan"] = "execution-plan"
    id: Text
    """Usable as a locator."""
    revision: Text
    """The revision of the code that is started."""
    files: tuple[WorkFile, ...]
    """What the work folder holds."""
    fixture: Fixture | None = None
    """The process that answers the examples; None when only `tests` run."""
    tests: tuple[Text, ...] = ()
    """A test command, one word each, run beside the fixture."""
    examples: tuple[Text, ...] = ()
    """Operations whose request examples are sent; `*` for every read-only one."""
    routes: RoutesAsked | None = None
    """The application that is asked for its routes, with what stands before each."""
    mutating: tuple[Text, ...] = ()
    """Operations that change state and whose examples are sent too; each needs the sandbox owner's gate."""
    cleanup: tuple[Text, ...] = ()
    """The command that undoes the changes; required for mutating operations."""
    cleanup_describes: Text | None = None
    """The cleanup procedure in words."""
    seconds: Annotated[int, Field(ge=1, le=600)] = 60
    """Wall-clock limit of the whole run."""


# What review.yaml has to name before the comparison boundary of W1 is frozen. Spec, W1 step 1.


def unnamed(request: ReviewRequest) -> Iterator[str]:
    """What the request leaves unnamed, in words."""
    needed = {
        "The transport protocol": request.protocol,
        "The API owner's role": request.roles.api_owner,
        "The release manager's role": request.roles.release_manager,
        "The implementation revision": request.implementation_revision,
        "The API surface under review": request.surface,
    }
    return (what for what, value in needed.items() if not value)
