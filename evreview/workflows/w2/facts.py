"""What a W2 run knows, growing from step to step; and what its steps share: values, claims, failures, gates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NewType

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.contract.model import Contract, Element, Place
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Concern, EvidenceId, Form, Json
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval, PublicationScope
from evreview.evidence.records.review import ExecutionPlan
from evreview.evidence.test_results.model import RetainedRun
from evreview.messages.message import Message, Pairs
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement, cite
from evreview.workflows.engine.gates import (
    MUTATE,
    Dated,
    Gate,
    GateSpec,
    GateState,
    Unmet,
    dates_of,
    digest_of,
    disposed_at,
    judge_gate,
    lacking,
    named_seats,
    party,
    plan_digest,
    started,
    unbound_files,
)
from evreview.workflows.engine.registers import BoundaryRow
from evreview.workflows.engine.retained_runs import read_runs
from evreview.workflows.engine.step import Failure, Load, StepResult

if TYPE_CHECKING:
    from evreview.workflows.w2.contract_rows import Entry
    from evreview.workflows.w2.examples.client_examples import JudgedExample
    from evreview.workflows.w2.matrix.assertions import TestSource
    from evreview.workflows.w2.matrix.routes import Matching
    from evreview.workflows.w2.matrix.test_results import Coverage
    from evreview.workflows.w2.reconcile.deviation import Undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class W2Facts:
    """The facts of a W2 run; a field is None or empty until its step has run.

    Attributes:
        load, redactor: given at the start: how the contract is opened, and what has been learnt to redact.
        boundary, item, scope, approval, plan, contract, operations, sources, runs: step 1.
        evidence, matching, coverage, matrix: step 2.
        gaps, proposed_tests: steps 2 and 4.
        discrepancies, points, undecided: step 3; `points` are comparisons that nothing decided, `undecided` says so.
        uncounted: step 3; positions of the recorded dispositions that count for nothing.
        entries, left_out, unaskable: step 4; everything that the contract says, without the withheld claims, these
            claims of the contract, and the operations of which these are what every request needs.
        examples, omitted, client_examples: step 5; the last are those that clients supplied, judged and not shown.
        report, unverified: step 6; `unverified` are the responses that no retained test covers.
        reviews: step 7.
        gates: step 8.
        criteria: step 9.
        marks: failure codes that mark and go on, beyond those of the steps.
    """

    load: Load
    redactor: Redactor
    boundary: tuple[BoundaryRow, ...] = ()
    item: EvidenceItem | None = None
    scope: Cited[PublicationScope] | None = None
    approval: Cited[ContractApproval] | None = None
    plan: Cited[ExecutionPlan] | None = None
    contract: Contract | None = None
    operations: tuple[Operation, ...] = ()
    sources: tuple[SourceText, ...] = ()
    runs: tuple[RetainedRun, ...] = ()
    evidence: ReferenceEvidence | None = None
    matching: Matching | None = None
    coverage: Coverage | None = None
    matrix: tuple[Cell, ...] = ()
    gaps: tuple[Gap, ...] = ()
    proposed_tests: tuple[ProposedTest, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    reconciled: bool = False
    points: tuple[Undecided, ...] = ()
    undecided: tuple[Statement, ...] = ()
    uncounted: frozenset[int] = frozenset()
    entries: tuple[Entry, ...] = ()
    left_out: frozenset[ClaimKey] = frozenset()
    unaskable: frozenset[str] = frozenset()
    examples: tuple[Example, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    client_examples: tuple[JudgedExample, ...] = ()
    report: tuple[Reported, ...] = ()
    unverified: frozenset[ClaimKey] = frozenset()
    reviews: tuple[Reviewed, ...] = ()
    gates: tuple[Gate, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    marks: tuple[str, ...] = ()

    @property
    def withheld(self) -> frozenset[ClaimKey]:
        """Every claim that a discrepancy withholds now."""
        return frozenset(
            key
            for each in self.discrepancies
            if each.disposal is not Disposal.PUBLISH_CONTRACT
            for key in each.withholds
        )

    @property
    def open_discrepancies(self) -> tuple[Discrepancy, ...]:
        """The discrepancies that nobody has disposed of."""
        return tuple(each for each in self.discrepancies if each.disposal is Disposal.OPEN)


# Everything that a reference is made from, read: the contract, the code facts, the retained runs.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceEvidence:
    """The read evidence of one reference; `item` holds the contract.

    Attributes:
        coverage: what the runs show of the contract, None before that is known; executed ones decide what the code
            leaves open about a framework's refusals.
    """

    contract: Contract
    item: EvidenceId
    code: CodeFacts
    runs: tuple[RetainedRun, ...]
    tests: tuple[TestSource, ...] = ()
    coverage: Coverage | None = None


# An example with everything that it rests on, or the reason why there is none.


ExampleId = NewType("ExampleId", str)


class Label(ClosedVocabulary):
    """Whether anybody saw such a message. PROPOSED: composed here. OBSERVED: the shape of a recorded one."""

    PROPOSED = "proposed"
    OBSERVED = "observed"


class Part(ClosedVocabulary):
    REQUEST = "request"
    RESPONSE = "response"


class Why(ClosedVocabulary):
    """Why an example is omitted.

    UNSATISFIABLE: proved, no value meets the schema. NOT_FOUND: none was found within the limits. TOO_LARGE: the
    schema demands more than an example shows. UNREAD: a part of the schema could not be read. NO_FORMAT: nothing here
    writes the media type, or the value cannot be written in it. UNDESCRIBED: the contract does not say what is sent.
    DISAGREED: the two validators did not both accept. GUARDED: every value found is one that the redactor reports.
    UNAPPROVED: taken from traffic, without approval. OTHERWISE: the exchange is not one that the contract describes.
    """

    UNSATISFIABLE = "unsatisfiable"
    NOT_FOUND = "not found"
    TOO_LARGE = "too large"
    UNREAD = "unread"
    NO_FORMAT = "no format"
    UNDESCRIBED = "undescribed"
    DISAGREED = "disagreed"
    GUARDED = "guarded"
    UNAPPROVED = "unapproved"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True)
class Subject:
    """What an example is of: an operation's key, the part, the response's key ("" of a request), the media type."""

    operation: str
    part: Part
    status: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example message.

    Attributes:
        id: the same for the same operation, part, status, media type and label, whatever the values.
        about: what it is of.
        label: proposed or observed.
        message: the whole message.
        url: of a request, with the base URL's shape; "" of a response.
        headers: as printed: content type, credentials as placeholders, cookies.
        body: as printed, "" without one.
        values: what each part carries, by part (`path id`, `query limit`, `header X-Total`, `body`).
        places: where values stand in the contract that were taken from there, by part.
        remarks: what a reader should know.
        accepted_by: the validators that accepted every value and the whole message.
    """

    id: ExampleId
    about: Subject
    label: Label
    message: Message
    url: str
    headers: Pairs
    body: str
    values: Mapping[str, Json]
    accepted_by: tuple[str, ...]
    places: Mapping[str, Place] = field(default_factory=dict)
    remarks: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """No example, and why. `part` names the part of the message that it fails on, "" for the whole."""

    about: Subject
    why: Why
    reason: str
    part: str = ""


def example_id(about: Subject, label: Label) -> ExampleId:
    """The id of an example: `EX-` and ten hexadecimal digits."""
    parts = (about.operation, about.part, about.status, about.media_type, label)
    digest = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return ExampleId(f"EX-{digest[:10]}")


# The tables: operations, evidence matrix, discrepancies, gaps, proposed tests, reports.


DiscrepancyId = NewType("DiscrepancyId", str)
ClaimKey = NewType("ClaimKey", str)
"""Names one thing that the reference may say, e.g. `GET /v1/orders/{id} errors 404 application/json body`."""


class Source(ClosedVocabulary):
    """Where a cell of the matrix comes from."""

    CONTRACT = "contract"
    IMPLEMENTATION = "implementation"
    TEST = "test"


class Standing(ClosedVocabulary):
    """What one source says about one concern of one operation.

    STATED: it says something. ABSENT: it was read whole and says nothing. NOT_APPLICABLE: with the rule why.
    UNREAD: it may say something that could not be read. UNMAPPED: nothing supplied could say it.
    """

    STATED = "stated"
    ABSENT = "absent"
    NOT_APPLICABLE = "not applicable"
    UNREAD = "unread"
    UNMAPPED = "unmapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation in scope: `GET /v1/orders/{id}`, its operation id ("" without one), the contract's element."""

    id: str
    method: str
    path: str
    operation_id: str
    element: Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of the evidence matrix. Key: operation, concern, source.

    Attributes:
        says: what it states, in short.
        reason: why it is not applicable, unread or unmapped.
        citations: what it rests on.
    """

    operation: str
    concern: Concern
    source: Source
    standing: Standing
    says: tuple[Text, ...] = ()
    reason: str = ""
    citations: tuple[Citation, ...] = ()


class Disposal(ClosedVocabulary):
    """What the owner's recorded word does to the claims that a discrepancy holds back."""

    OPEN = "open"
    PUBLISH_CONTRACT = "publish the contract"
    WITHHOLD = "withhold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrepancy:
    """One point on which the sources disagree.

    Attributes:
        id: stable: the same for the same operation, concern, kind and place, whatever lines move.
        kind: the id of its rule in `reference.kinds`.
        operation, concern: what it is about.
        contract, implementation: both forms exactly, ABSENT where one side has none.
        observed: what a test saw, ABSENT when none did.
        impact: compatibility impact, by the kind's rule.
        witness: a value that one side accepts and the other refuses, ABSENT without one.
        owner_role: who has to dispose of it.
        digest: of both exact forms, for a disposition to name what it judged.
        disposal, disposition: what is recorded, and its words ("" when open).
        withholds: the claims that stay unpublished until it is disposed of.
        citations: both sides'.
    """

    id: DiscrepancyId
    kind: str
    operation: str
    concern: Concern
    place: str
    contract: Form
    implementation: Form
    impact: str
    owner_role: str
    citations: tuple[Citation, ...]
    observed: Form = ABSENT
    witness: Form = ABSENT
    digest: str = ""
    disposal: Disposal = Disposal.OPEN
    disposition: str = ""
    withholds: frozenset[ClaimKey] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that the evidence lacks and the reference therefore omits. `kind` is the id of its rule."""

    id: str
    kind: str
    operation: str
    concern: Concern
    says: Text
    citations: tuple[Citation, ...]
    blocks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedTest:
    """A named contract test that the evidence lacks, with assertions that a machine can decide."""

    id: str
    operation: str
    name: str
    asserts: tuple[str, ...]
    why: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """One row of the example execution report.

    Attributes:
        operation: the operation it is about.
        check: what was or would be checked.
        status: executed, recorded, unexecuted or proposed; a recorded exchange checks nothing.
        environment: where it ran; "" when it did not.
        result: how it ended, or the prerequisite that is missing.
        citations: the retained result, or what the check is derived from.
        command, revision, exit_status: of the run that executed the check.
    """

    operation: str
    check: Text
    status: str
    environment: str
    result: str
    citations: tuple[Citation, ...]
    command: str = ""
    revision: str = ""
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """One check of step 7: what was looked at, what was found, and what is made of it. `stops` keeps it in."""

    check: str
    found: Text
    disposition: str
    citations: tuple[Citation, ...]
    stops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One completion criterion of step 9, and the section of the artifact that meets it; `met` is False for none."""

    criterion: str
    section: str
    met: bool


# What a reference may say, by name: a discrepancy withholds exactly the claims that it names.


def claim(operation: str, concern: Concern, *place: str | int) -> ClaimKey:
    """The key of one claim: operation, concern, then the place from the outside in.

    Places: parameters and validation `query limit`; request body `application/json`, then the field, dotted; success
    responses and errors `404`, the media type, the field; headers `200 X-Total`; limits, idempotency, side effects,
    pagination and rate limits the name. A key withholds every key that it is a prefix of, word by word.
    """
    return ClaimKey(" ".join((operation, str(concern), *map(str, place))))


def withheld(key: ClaimKey, withholds: frozenset[ClaimKey]) -> bool:
    """True when `withholds` holds the key or a key that it is a part of; `a.b` and `a[]` are parts of the field `a`."""
    return any(key == outer or key.startswith((f"{outer} ", f"{outer}.", f"{outer}[]")) for outer in withholds)


# What a statement cites when nothing narrower is known.


def contract_citation(facts: W2Facts) -> tuple[Citation, ...]:
    """The contract item; nothing before it is known."""
    return cite(facts.item.id) if facts.item else ()


def read_items(bundle: Bundle, facts: W2Facts) -> tuple[Citation, ...]:
    """The contract and the publication scope; every item while these are not known."""
    found = cite(facts.item.id if facts.item else None, facts.scope.citation if facts.scope else None)
    return found if len(found) > 1 else cite(*bundle.items)


def codes_of(results: Sequence[StepResult], facts: W2Facts) -> tuple[str, ...]:
    """Every failure code of the run, in the order of the steps, those that only mark included."""
    return tuple(dict.fromkeys((*(result.code for result in results if result.code), *facts.marks)))


# Failure modes with their recoveries. Spec, Errors, failure modes and recovery.


F1: Final = Failure(
    code="W2-F1",
    condition="Contract, implementation, validator or test evidence resolves to different revisions",
    recovery=(
        "Obtain matching immutable revisions",
        "Verify every source path",
        "Discard the mixed evidence matrix",
        "Restart from scope freezing, step 1",
    ),
    restart=1,
    supply="supply contract, implementation, validators and tests of one immutable revision",
)
F2: Final = Failure(
    code="W2-F2",
    condition="Authentication or a mutating example cannot be exercised safely",
    recovery=(
        "Substitute a validated mock or a synthetic unexecuted request",
        "Record the missing prerequisite",
        "Continue without claiming live execution",
    ),
    restart=6,
    supply="supply the evidence of the execution, or claim none",
    stops=False,
)
F3: Final = Failure(
    code="W2-F3",
    condition="Approved contract and implementation disagree on public behaviour",
    recovery=(
        "Record the exact mismatch and its compatibility impact",
        "Obtain the API owner's disposition",
        "Resume drafting only approved claims",
    ),
    restart=3,
    stops=False,
)
F4: Final = Failure(
    code="W2-F4",
    condition="Tests do not cover a material documented response or error",
    recovery=(
        "Mark the response unverified",
        "Request a named contract test with objective assertions",
        "Rerun verification before changing its status",
    ),
    restart=6,
    stops=False,
)
F5: Final = Failure(
    code="W2-F5",
    condition="Contract omits information needed for a usable example or operation description",
    recovery=(
        "Record the contract gap",
        "Omit the unsupported detail",
        "Request clarification from the API owner",
        "Resume only after the approved contract changes",
    ),
    restart=4,
    supply="supply an approved contract that states what it omits",
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4, F5)}


# The three gates. Spec, approval gates.


EXPAND: Final = GateSpec(
    id="publish-expanded-behaviour",
    title="Before publishing new or expanded public behaviour",
    reviewed=(
        "contract diff",
        "operation evidence matrix",
        "contract-test results",
        "compatibility impact",
        "discrepancy disposition",
    ),
    stages=(("api-owner",),),
)
TRAFFIC: Final = GateSpec(
    id="publish-observed-example",
    title="Before publishing an example derived from logs or observed traffic",
    reviewed=("provenance", "sanitization record", "synthetic substitutions", "intended audience"),
    stages=(("security-owner", "privacy-owner"),),
    any_one=True,
)

GATES: Final = (EXPAND, TRAFFIC, MUTATE)


# The gates in one run: who has to answer, what an answer is about, and what is recorded.


def gate(spec: GateSpec, bundle: Bundle, *, needed: bool) -> Gate:
    """The gate as recorded; not needed where nothing asks for it and nobody has said no."""
    roles = bundle.request.roles
    judged = judge_gate(
        spec,
        named_seats(spec, roles),
        bundle.answers,
        bundle.request.as_of,
        about(spec, bundle),
        party(roles),
        tuple(_dated(spec, bundle)),
    )
    judged = lacking(judged, _lacking(spec, bundle))
    if needed or judged.state is GateState.REJECTED:
        return judged
    return Gate(spec=spec, state=GateState.NOT_NEEDED, seats=())


def traffic_gate(bundle: Bundle) -> Gate:
    """The gate before an example from logs or observed traffic is published."""
    return gate(TRAFFIC, bundle, needed=True)


def about(spec: GateSpec, bundle: Bundle) -> str:
    """The digest of what a gate lists as reviewed.

    Of a mutating example it is that of the plan, which names the digest of each file that it copies; of the others it
    is over the evidence without plans, what is asked, and the recorded dispositions.
    """
    plan = first_of(bundle, ExecutionPlan)
    if spec is MUTATE:
        return plan_digest(bundle, plan) if plan else ""
    items = (item for item in bundle.items.values() if not isinstance(item.record, ExecutionPlan))
    asked = bundle.request.model_dump_json(include={"surface", "implementation_revision", "exclusions", "assumptions"})
    disposed = (entry.model_dump_json() for entry in bundle.decisions.dispositions)
    return digest_of(items, asked, *disposed)


def _dated(spec: GateSpec, bundle: Bundle) -> Iterator[Dated]:
    """The dates of what an answer to a gate is about; a plan has none."""
    if spec is MUTATE or not any(answer.gate == spec.id for answer in bundle.answers):
        return
    yield from dates_of(bundle.items.values())
    yield from disposed_at(bundle.decisions.dispositions)
    for run in read_runs(bundle)[0]:
        yield from started(f"the run in {run.record.record.output}", run.results.started)


def _lacking(spec: GateSpec, bundle: Bundle) -> Iterator[Unmet]:
    plan = first_of(bundle, ExecutionPlan)
    yield from map(Unmet, unbound_files(bundle, plan.record) if spec is MUTATE and plan else ())
