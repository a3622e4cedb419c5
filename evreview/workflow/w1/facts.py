"""What a W1 run knows, growing from step to step. Each field is filled by the step named beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evreview.comparison.comparison import Comparison, Row
from evreview.contract.model import Contract
from evreview.core.vocabulary import DeltaId, Verdict
from evreview.evidence.item import Citation
from evreview.redaction.redactor import Guard
from evreview.report.statement import Statement
from evreview.workflows.engine.conclusions import Finding
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.registers import BoundaryRow
from evreview.workflows.engine.step import Load

if TYPE_CHECKING:
    from evreview.clients.impact import Impact
    from evreview.clients.migration import MigrationState
    from evreview.clients.register import ClientRow
    from evreview.clients.unknown import OwnershipGap, UnknownConsumers
    from evreview.policy.path import PathChoice
    from evreview.reconcile.unjoined import Unjoined
    from evreview.workflows.w1.checks import Checks
    from evreview.workflows.w1.step3_reconciliation import Reconciliation
    from evreview.workflows.w1.step4_classification import PolicyJudgement
    from evreview.workflows.w1.step7_removal import RemovalJudgement
    from evreview.workflows.w1.step8_rollout import Control


@dataclass(frozen=True, slots=True, kw_only=True)
class W1Facts:
    """The facts of a W1 run; a field is None or empty until its step has run.

    Attributes:
        load, guard: given at the start: how a contract item is opened, and what has been learnt to redact.
        boundary, released, candidate, gaps: step 1.
        comparison: step 2; the ledger with verdicts and proofs.
        reconciliation, implementation: step 3; what the sources match, and their citations per delta id.
        classified, by_policy: step 4; True once the rows are classified; citations of the policy's own verdicts.
        impacts, clients, unknown_consumers, ownership_gaps, migrations: step 5.
        unjoined: steps 3 and 6; what of the evidence reached no difference.
        checks: step 6.
        judgements, path, removals: step 7.
        controls: step 8.
        findings, gates: step 9.
    """

    load: Load
    guard: Guard
    boundary: tuple[BoundaryRow, ...] = ()
    released: Contract | None = None
    candidate: Contract | None = None
    gaps: tuple[Statement, ...] = ()
    comparison: Comparison | None = None
    reconciliation: Reconciliation | None = None
    implementation: Mapping[DeltaId, tuple[Citation, ...]] = field(default_factory=dict)
    classified: bool = False
    by_policy: Mapping[DeltaId, Citation] = field(default_factory=dict)
    impacts: tuple[Impact, ...] = ()
    clients: tuple[ClientRow, ...] = ()
    unknown_consumers: UnknownConsumers | None = None
    ownership_gaps: tuple[OwnershipGap, ...] = ()
    migrations: tuple[MigrationState, ...] = ()
    checks: Checks | None = None
    unjoined: tuple[Unjoined, ...] = ()
    judgements: Mapping[DeltaId, PolicyJudgement] = field(default_factory=dict)
    path: PathChoice | None = None
    removals: tuple[RemovalJudgement, ...] = ()
    controls: tuple[Control, ...] = ()
    findings: tuple[Finding, ...] = ()
    gates: tuple[Gate, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The ledger's rows; empty before step 2."""
        return self.comparison.rows if self.comparison else ()

    @property
    def breaking(self) -> tuple[Row, ...]:
        """The rows whose verdict is breaking."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.BREAKING)
