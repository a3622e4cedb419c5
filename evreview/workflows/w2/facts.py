"""What a W2 run knows, growing from step to step. Each field is filled by the step named beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.codefacts.model import SourceText
from evreview.contract.model import Contract
from evreview.core.quoted_text import Text
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation, EvidenceItem
from evreview.evidence.records.reference import ContractApproval, PublicationScope
from evreview.evidence.records.review import ExecutionPlan
from evreview.evidence.test_results.model import RetainedRun
from evreview.redaction.redactor import Guard
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.examples.model import Example, Omitted
from evreview.reference.model import Cell, ClaimKey, Discrepancy, Disposal, Gap, Operation, ProposedTest
from evreview.report.statement import Statement
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.registers import BoundaryRow
from evreview.workflows.engine.step import Load

if TYPE_CHECKING:
    from evreview.reference.covered import Coverage
    from evreview.workflows.w2.contract_rows import Entry
    from evreview.workflows.w2.step2_routes import Matching
    from evreview.workflows.w2.step3_reconcile.deviation import Undecided
    from evreview.workflows.w2.step5_examples.client_examples import JudgedExample


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


@dataclass(frozen=True, slots=True, kw_only=True)
class W2Facts:
    """The facts of a W2 run; a field is None or empty until its step has run.

    Attributes:
        load, guard: given at the start: how the contract is opened, and what has been learnt to redact.
        boundary, item, scope, approval, plan, contract, operations, sources, runs: step 1.
        evidence, matching, coverage, matrix: step 2.
        gaps, proposed_tests: steps 2 and 4.
        discrepancies, points, undecided: step 3; `points` are comparisons that nothing decided, `undecided` says so.
        uncounted: step 3; positions of the recorded dispositions that count for nothing.
        entries, unaskable: step 4; everything that the contract says, withheld claims left out, and the operations of
            which these are what every request needs.
        examples, omitted, client_examples: step 5; the last are those that clients supplied, judged and not shown.
        report, unverified: step 6; `unverified` are the responses that no retained test covers.
        reviews: step 7.
        gates: step 8.
        criteria: step 9.
        marks: failure codes that mark and go on, beyond those of the steps.
    """

    load: Load
    guard: Guard
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
