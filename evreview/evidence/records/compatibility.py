"""Typed bodies of W1: policy, clients, notices and drills, rollout and usage. evreview has no policy of its own."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field
from pydantic_core import PydanticCustomError

from evreview.core.vocabulary import Aspect, Change, DeltaId, Json, Role, Tristate, Verdict
from evreview.evidence.records.review import ClientId, Day, EvidenceIdText, Record, RoleName, Text


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
    emits_old_compatible: Tristate | None = None
    """The answer of that direction."""
    accepts_old_requests: Tristate | None = None
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
    owner_role: RoleName | None = None
    """The role that owns the policy and puts it in force."""
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


# The known-client inventory: what each client says its parser accepts. Declared, never executed.


class Uses(Record):
    """One operation that a client calls or a message that it consumes."""

    operation: Text
    """`GET /v1/orders/{id}`, the operation's id, the address or name of a channel, the name of a
    message, or the operation as the ledger shows it (`query orders`)."""
    fields: tuple[Text, ...] | None = None
    """Fields and arguments that it reads or sends, dotted, arrays as `items[].id`; fields of named types with their
    type, as `Order.total`; null when not known."""
    statuses: tuple[Text, ...] | None = None
    """Statuses that it handles; null when not known."""


class KnownClient(Record):
    """One listed consumer."""

    id: Text
    """Its id in the inventory."""
    name: Text
    """What it is called."""
    released: bool = True
    """True for a released client, false for one in development."""
    versions: tuple[Text, ...] = ()
    """Its versions in use."""
    version_selector: Text | None = None
    """How it selects the API version, e.g. `route prefix /v1`."""
    accepted_content_types: tuple[Text, ...] | None = None
    """Content types that its parser accepts; null when not known."""
    uses: tuple[Uses, ...] | None = None
    """Operations and fields used; null when usage is not known."""
    accepts_null: tuple[Text, ...] | Literal["all", "none"] | None = None
    """Fields for which null is accepted, dotted; null when not known."""
    unknown_fields: Literal["ignored", "rejected"] | None = None
    """What its parser does with a field that it does not know."""
    unknown_enum_values: Literal["tolerated", "rejected"] | None = None
    """What its parser does with an enum value that it does not know."""
    owner_role: Text | None = None
    """The owning role; null when unknown, which is W1-F3."""
    migration_status: Text | None = None
    """Free text, as recorded."""
    adopted_path: Text | None = None
    """The version path it requests, once its owner has changed it."""
    adoption_evidence: EvidenceIdText | None = None
    """The item that shows the adoption."""


class ClientInventory(Record):
    """Content of an evidence item of type `client inventory`."""

    kind: Literal["client-inventory"] = "client-inventory"
    clients: tuple[KnownClient, ...]
    """Every known client."""
    complete: bool = False
    """True only when the owner states that no unlisted consumer exists; even then it is a statement."""


# What happened: a notice, an adoption, a rollback drill. Plain text of the same shows none of it.


class DeprecationNotice(Record):
    """Content of an evidence item of type `execution and approval record`: one notice of a removal."""

    kind: Literal["deprecation-notice"] = "deprecation-notice"
    surface: Text
    """The API that it is about, as `surface` of `review.yaml` names it."""
    api_version: Text | None = None
    """The released version that it is about, as the released contract calls it; needed where that names one."""
    elements: tuple[Text, ...]
    """What will be removed, as the ledger addresses it or a suffix of that; what encloses an element counts for it."""
    state: Literal["draft", "sent", "withdrawn"]
    """Only a notice that was sent counts."""
    given: Day | None = None
    """The day on which it was sent."""
    sent_to: tuple[Text, ...] = ()
    """The roles that it was sent to, and where it was published; a notice sent to nobody, or to the provider's own
    roles alone, does not count."""
    text: Text | None = None
    """What it says."""


class Adoption(Record):
    """What the owner of one client says about the path that the client requests."""

    client: ClientId
    """The client's id in the inventory."""
    path: Text
    """The route or version that it requests."""
    state: Literal["planned", "adopted", "withdrawn"]
    """Only `adopted` counts; of several entries about one client and path the last one."""
    role: Text
    """Who says so: the client's owner."""
    at: AwareDatetime
    """When; a time zone is required."""
    note: str = ""
    """Free text; printed escaped."""


class AdoptionRecord(Record):
    """Content of an evidence item of type `execution and approval record`: adoptions as their owners recorded them."""

    kind: Literal["adoption-record"] = "adoption-record"
    adoptions: tuple[Adoption, ...]
    """In the order recorded."""


class RollbackDrill(Record):
    """Content of an evidence item of type `execution and approval record`: one time that a rollback was exercised."""

    kind: Literal["rollback-drill"] = "rollback-drill"
    boundary: Text
    """What it went back to, as the rollout record names it."""
    result: Literal["succeeded", "failed", "aborted"]
    """Only one that succeeded counts, and only while every drill of the last day of this boundary succeeded."""
    on: Day
    """The day on which it took place."""
    environment: Text
    """Where it took place."""
    text: Text | None = None
    """What was done and seen."""


# Rollout capability and usage: the mechanisms that exist, and privacy-safe counts.


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


DELTA_ID: Final = r"^D-[0-9a-f]{12}(?:[0-9a-f]{4})*$"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_NAME: Final = "accept.yaml"


def _delta_id(text: str) -> DeltaId:
    """The same text when it has the shape of a row's id."""
    if re.fullmatch(DELTA_ID, text) is None:
        said = (
            "it is not the id of a row, which is D- and at least 12 hexadecimal digits; `evreview diff` prints the ids"
        )
        raise PydanticCustomError("bad_delta_id", said)
    return DeltaId(text)


class AcceptedDelta(Record):
    """What is accepted until a day: one difference by its id, or those of one rule at listed operations."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["id"], "not": {"required": ["rule"]}},
                {"required": ["rule", "operations"], "not": {"required": ["id"]}},
            ]
        }
    )

    id: Annotated[str, AfterValidator(_delta_id), Field(json_schema_extra={"pattern": DELTA_ID})] = ""
    """The row's id, as `evreview diff` prints it. A difference that changes has another id and is not covered."""
    rule: Text = ""
    """In place of an id: the rule, as `evreview rules` lists it. Every row of it is covered that reaches `operations`
    and nothing else."""
    reason: Text
    """Why it is accepted. Printed wherever the row is."""
    owner: Text
    """Who answers for it, as a role or a team."""
    expires: Day
    """The last day on which it holds, in UTC, e.g. `2027-01-31`. From the next day on the row counts again."""
    operations: tuple[Text, ...] | None = None
    """The operations that the row may reach, as it lists them; a row that reaches another one is not covered. Without
    the list the id alone decides; a rule needs it."""
    content: Text | None = None
    """What stood below the row, as `--format accept` writes it where the row takes in a whole schema; with another
    content it is not covered. Without it the id alone decides."""
    note: str = ""
    """The row's rule and address, for readers of the file; nothing is decided by it."""


class AcceptFile(Record):
    """A file that `evreview diff --accept` reads."""

    accept: tuple[AcceptedDelta, ...]
    """The accepted differences, in any order; an id stands once."""


def accept_schema() -> dict[str, Json]:
    """The JSON Schema of an accept file."""
    return {"$schema": DIALECT, **AcceptFile.model_json_schema()}
