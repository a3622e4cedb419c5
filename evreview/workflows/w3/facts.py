"""What a W3 run knows, growing from step to step. Each field is filled by the step named beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.core.quoted_text import Text
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.security import Authorization, SecurityInventory, SeverityRubric, TrustModel
from evreview.redaction.detector import Finding as Hit
from evreview.redaction.redactor import Guard
from evreview.report.statement import Statement
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.registers import BoundaryRow
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
    from evreview.workflows.w3.step6_validation import LocalResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitiveValue:
    """A value that the guard found in an item: where and what, never the value itself.

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
    """

    check: Text
    verifies: Text
    missing: Text
    leaves: Text
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class W3Facts:
    """The facts of a W3 run; a field is None or empty until its step has run.

    Attributes:
        guard: given at the start: what has been learnt to redact.
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

    guard: Guard
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
