"""What a W3 run knows, growing from step to step. Each field is filled by the step named beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Authorization, SecurityInventory, SeverityRubric, TrustModel
from evreview.redaction.detector import RedactionFinding as Hit
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement, cite
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.registers import BoundaryRow
from evreview.workflows.engine.step import Failure, StepResult
from evreview.workflows.w3.model import (
    AbuseCase,
    Authorized,
    Candidate,
    Inventory,
    Lead,
    RemediationRow,
    SecurityFinding,
    TrustMap,
)

if TYPE_CHECKING:
    from evreview.workflows.w3.validation import LocalResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveValue:
    """A value that the redactor found in an item: where and what, never the value itself.

    Attributes:
        hit: kind, item and lines.
        handling: what the security owner laid down, () while nothing is recorded.
        citations: the item, by line.
    """

    hit: Hit
    handling: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCheck:
    """A check without a retained result.

    Attributes:
        check: its name.
        verifies: what it would verify.
        missing: what is missing to execute it.
        leaves: what stays unverified.
        about: the candidate that it settles, "" for none.
    """

    check: Text
    verifies: Text
    missing: Text
    leaves: Text
    citations: tuple[Citation, ...]
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class W3Facts:
    """The facts of a W3 run; a field is None or empty until its step has run.

    Attributes:
        redactor: given at the start: what has been learnt to redact.
        boundary, authorization, authorized: step 1.
        model, sources, code, trust: step 2.
        sensitive, stated, inventory: step 3; `stated` is the record, `inventory` what was made of it.
        leads, cases, left_out, uncovered: step 4; `left_out` are cases that need an excluded capability.
        challenged: step 5, and again step 6 with what retained results confirm; refuted ones included.
        results, proposed: step 6.
        rubric, findings: step 7.
        remediation: step 8.
        gates: step 9.
        notes: limitations that a step wants said although it advanced.
        marks: failure codes that mark and go on.
    """

    redactor: Redactor
    boundary: tuple[BoundaryRow, ...] = ()
    authorization: Cited[Authorization] | None = None
    authorized: Authorized | None = None
    model: Cited[TrustModel] | None = None
    sources: tuple[SourceText, ...] = ()
    code: CodeFacts | None = None
    trust: TrustMap | None = None
    sensitive: tuple[SensitiveValue, ...] = ()
    stated: Cited[SecurityInventory] | None = None
    inventory: Inventory | None = None
    leads: tuple[Lead, ...] = ()
    cases: tuple[AbuseCase, ...] = ()
    left_out: tuple[Statement, ...] = ()
    uncovered: tuple[Statement, ...] = ()
    challenged: tuple[Candidate, ...] = ()
    results: tuple[LocalResult, ...] = ()
    proposed: tuple[ProposedCheck, ...] = ()
    rubric: Cited[SeverityRubric] | None = None
    rated: bool = False
    findings: tuple[SecurityFinding, ...] = ()
    remediation: tuple[RemediationRow, ...] = ()
    remedied: bool = False
    gates: tuple[Gate, ...] = ()
    notes: tuple[Statement, ...] = ()

    @property
    def opened(self) -> bool:
        """True once the authorization passed; before that no other item may be spoken of."""
        return self.authorized is not None and self.authorized.passed

    @property
    def revision(self) -> str:
        """The revision under review, "" while no authorization names one."""
        return (self.authorization.record.revision or "") if self.authorization else ""

    @property
    def by_lead(self) -> Mapping[str, Lead]:
        """The leads by id."""
        return {lead.id: lead for lead in self.leads}

    @property
    def holding(self) -> tuple[SecurityFinding, ...]:
        """The unresolved findings that hold the deployment."""
        return tuple(each for each in self.findings if each.blocks)


# What a statement of a W3 review cites when nothing narrower is known.


def scope_items(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    """The authorization, and beside it what the review rests on: nothing that was not read."""
    own = facts.authorization.citation if facts.authorization else None
    if not facts.opened:
        return cite(own)
    model = facts.model.citation if facts.model else None
    stated = facts.stated.citation if facts.stated else None
    return cite(own, model, stated)


def deciding_items(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts) -> tuple[Citation, ...]:
    """What the decision rests on: the authorization, what the last step waits for, and the findings."""
    last = steps[-1]
    open_ones = last.reasons if last.state is not StepState.ADVANCE else ()
    waits = tuple(on for reason in open_ones for on in reason.citations)
    found = finding_items(facts)
    return items_of(scope_items(bundle, facts)[:1], waits, found) if waits or found else scope_items(bundle, facts)


def finding_items(facts: W3Facts) -> tuple[Citation, ...]:
    """The items that the findings rest on, their rules included."""
    return items_of(*(each.citations for each in facts.findings))


def check_items(facts: W3Facts) -> tuple[Citation, ...]:
    """The items behind the retained and the proposed checks."""
    return items_of(*(each.citations for each in facts.results), *(each.citations for each in facts.proposed))


def items_of(*groups: Iterable[Citation]) -> tuple[Citation, ...]:
    """The items of the citations, each once, by number."""
    ids = {citation.id for group in groups for citation in group}
    return cite(*sorted(ids, key=lambda name: int(name[1:])))


def sealed_items(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    """The items that were not read because the authorization does not pass."""
    if facts.opened:
        return ()
    own = facts.authorization.citation.id if facts.authorization else None
    return cite(*(each for each in bundle.items if each != own))


# W3's failure modes with their recoveries. Spec, Errors, failure modes and recovery.


F1: Final = Failure(
    code="W3-F1",
    condition="Authorization cannot be confirmed",
    recovery=(
        "Stop sensitive inspection and all active work",
        "Request a written authorization record naming approving role, immutable revision, allowed paths and "
        "environment, techniques, review period, excluded targets and actions, active-test permission, disclosure "
        "recipients, stop conditions, cleanup and rollback requirements",
        "Verify provenance through the approved channel",
        "Retain its immutable identifier or digest",
        "Compare every planned action to the scope",
        "Restart at step 1 only when all fields and ownership are confirmed",
    ),
    restart=1,
    supply="supply a current written authorization that states every term and covers every planned action",
)
F2: Final = Failure(
    code="W3-F2",
    condition="Inventory of security-relevant source or configuration incomplete",
    recovery=(
        "Request the exact missing route, middleware, deployment or test artifact",
        "Keep affected findings unconfirmed",
        "Resume at step 3 after provenance is verified",
    ),
    restart=3,
    supply="supply the missing route, middleware, deployment or test artifact that the reason names",
)
F3: Final = Failure(
    code="W3-F3",
    condition="Suspected issue cannot be validated safely",
    recovery=(
        "Keep it as an unconfirmed hypothesis",
        "Design a bounded local validation plan",
        "Resume at step 6 once approved, or stop without an exploitability claim",
    ),
    restart=6,
    stops=False,
)
F4: Final = Failure(
    code="W3-F4",
    condition="Sensitive evidence found in review material",
    recovery=(
        "Stop reading or copying the value",
        "Redact it",
        "Keep only location, type and, if approved, a non-reversible digest",
        "Notify the security owner",
        "Resume after handling instructions are recorded",
    ),
    restart=3,
    supply="record how the value is to be handled",
)
F5: Final = Failure(
    code="W3-F5",
    condition="Approved local validation attempts unexpected network access or modifies unapproved state",
    recovery=(
        "Terminate validation",
        "Preserve sanitized logs",
        "Remove approved disposable state",
        "Notify the security owner",
        "Restart at step 6 only with a corrected, newly approved isolation plan",
    ),
    restart=6,
    supply="approve a corrected isolation plan",
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4, F5)}
