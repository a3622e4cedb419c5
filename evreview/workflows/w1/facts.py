"""What a W1 run knows, growing from step to step; and what its steps share: sources, citations, failures, gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol

import pandas as pd

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.delta import Delta
from evreview.contract.citations import cited_place
from evreview.contract.model import Contract, Place
from evreview.core.vocabulary import Basis, DeltaId, EvidenceId, RuleId, SourceMatch, Tristate, Verdict
from evreview.evidence.citation import that_stands
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.compatibility import ClientInventory, Policy, RolloutRecord, UsageMetrics
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement
from evreview.workflows.engine.conclusions import Finding
from evreview.workflows.engine.gates import Gate, GateSpec, digest_of
from evreview.workflows.engine.registers import BoundaryRow
from evreview.workflows.engine.step import Failure, Load

if TYPE_CHECKING:
    from evreview.workflows.w1.checks import Checks
    from evreview.workflows.w1.clients.impact import Impact
    from evreview.workflows.w1.clients.migration import MigrationState
    from evreview.workflows.w1.clients.register import ClientRow
    from evreview.workflows.w1.policy.judgement import PolicyJudgement
    from evreview.workflows.w1.policy.monitoring import RolloutMonitor
    from evreview.workflows.w1.policy.removal import RemovalJudgement
    from evreview.workflows.w1.policy.version_path import PathChoice
    from evreview.workflows.w1.reconcile.sources import Reconciliation
    from evreview.workflows.w1.reconcile.unjoined import Unjoined
    from evreview.workflows.w1.usage_evidence import OwnershipGap, UnknownConsumers


@dataclass(frozen=True, slots=True, kw_only=True)
class W1Facts:
    """The facts of a W1 run; a field is None or empty until its step has run.

    Attributes:
        load, redactor: given at the start: how a contract item is opened, and what has been learnt to redact.
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
    redactor: Redactor
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
    controls: tuple[RolloutMonitor, ...] = ()
    findings: tuple[Finding, ...] = ()
    gates: tuple[Gate, ...] = ()

    @property
    def rows(self) -> tuple[JudgedRow, ...]:
        """The ledger's rows; empty before step 2."""
        return self.comparison.rows if self.comparison else ()

    @property
    def breaking(self) -> tuple[JudgedRow, ...]:
        """The rows whose verdict is breaking."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.BREAKING)

    @property
    def unruled(self) -> tuple[JudgedRow, ...]:
        """The breaking rows that no rule of the policy says anything about; none before they are judged by it."""
        known = self.judgements
        return tuple(row for row in self.breaking if row.delta.id in known and not known[row.delta.id].matched)


# One implementation branch or one recorded response, and which contract it agrees with.


Claim = Literal["released", "candidate", "unknown"]


@dataclass(frozen=True, slots=True)
class ContractPair:
    """Both contracts of a review."""

    released: Contract
    candidate: Contract


@dataclass(frozen=True, slots=True)
class ContractAgreement:
    """Whether a source agrees with one contract: yes, no, or None when it can't be told; with the reasons."""

    holds: bool | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of step 3.

    Attributes:
        id: the observation's id, or path and lines of the branch.
        kind: where it comes from.
        operation: what it is about, as the ledger names it; "" when that is not known.
        basis: observed for a recorded response, implementation-derived for a branch.
        match: which contracts it agrees with.
        claims: the side that it is said to belong to; unknown when neither a statement nor a revision tells.
        released_reasons, candidate_reasons: why it does not agree with that contract, or why that can't be told.
        delta_ids: the rows that it speaks about.
        by_revision: False when only the supplier's word says which side it is of; then it shows nothing of that side.
        citation: where it stands.
    """

    id: str
    kind: Literal["implementation", "observation"]
    operation: str
    basis: Basis
    match: SourceMatch
    claims: Claim
    released_reasons: tuple[str, ...] = ()
    candidate_reasons: tuple[str, ...] = ()
    delta_ids: tuple[DeltaId, ...] = ()
    by_revision: bool = True
    citation: Citation

    @property
    def shows_candidate(self) -> bool:
        """True for a recorded response of the candidate's revision that could be compared and agrees."""
        observed = self.kind == "observation" and self.claims == "candidate" and self.by_revision
        return observed and self.match in (SourceMatch.CANDIDATE, SourceMatch.BOTH)

    @property
    def contradicts(self) -> bool:
        """True when it belongs to the candidate and does not agree with the candidate contract (W1-F2)."""
        return self.claims == "candidate" and self.match in (SourceMatch.RELEASED, SourceMatch.NEITHER)

    @property
    def drifts(self) -> bool:
        """True for a response of the released side that does not agree with the released contract; no W1-F2."""
        observed = self.kind == "observation" and self.claims == "released"
        return observed and self.match in (SourceMatch.CANDIDATE, SourceMatch.NEITHER)


def match_of(released: ContractAgreement, candidate: ContractAgreement) -> SourceMatch:
    """What a source agrees with. A contract that is silent neither agrees nor is contradicted.

    A source that the candidate contradicts is `neither` even when the released contract is silent.
    """
    return _MATCHES.get((released.holds, candidate.holds), SourceMatch.UNKNOWN)


_MATCHES: Final[Mapping[tuple[bool | None, bool | None], SourceMatch]] = {
    (True, True): SourceMatch.BOTH,
    (True, False): SourceMatch.RELEASED,
    (False, True): SourceMatch.CANDIDATE,
    (None, True): SourceMatch.CANDIDATE,
    (False, False): SourceMatch.NEITHER,
    (None, False): SourceMatch.NEITHER,
}


def sources_frame(sources: Iterable[Source]) -> pd.DataFrame:
    """One row per source, key (`source`, `evidence`).

    Columns, all text: source, kind ("implementation", "observation"), operation, basis, claims ("released",
    "candidate", "unknown"), match ("released", "candidate", "both", "neither", "unknown"), released_reasons,
    candidate_reasons ("; " between several), deltas (", " between them), evidence (a citation).
    """
    columns = ["source", "kind", "operation", "basis", "claims", "match", "released_reasons", "candidate_reasons"]
    cells = [
        (
            *(source.id, source.kind, source.operation, str(source.basis), source.claims, str(source.match)),
            *("; ".join(source.released_reasons), "; ".join(source.candidate_reasons)),
            *(", ".join(source.delta_ids), str(source.citation)),
        )
        for source in sources
    ]
    return pd.DataFrame(cells, columns=[*columns, "deltas", "evidence"], dtype="string")


# What the judgement stages ask of a ledger row: the fact, and what the rules said about it.


class DeltaClassification(Protocol):
    """The rules' answer about one delta."""

    @property
    def rule(self) -> RuleId | None: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def accepts_old_requests(self) -> Tristate: ...
    @property
    def emits_old_compatible(self) -> Tristate: ...
    @property
    def why(self) -> str: ...


class ClassifiedRow(Protocol):
    """One row of the comparison; `compare.JudgedRow` is one."""

    @property
    def delta(self) -> Delta: ...
    @property
    def judgement(self) -> DeltaClassification: ...


def material(row: ClassifiedRow) -> bool:
    """True unless the rules found the row compatible: unknown is material too."""
    return row.judgement.verdict is not Verdict.COMPATIBLE


# Which evidence a ledger row rests on, with locators that resolve inside the items.


def contract_citations(bundle: Bundle, row: JudgedRow) -> tuple[Citation, ...]:
    """Both contract items, each with the pointer of the element where it stands in the item itself."""
    named = bundle.request.contracts
    if named is None:
        return ()
    return (
        _located(bundle, named.released, row.delta.released_place),
        _located(bundle, named.candidate, row.delta.candidate_place),
    )


def row_citations(bundle: Bundle, facts: W1Facts, row: JudgedRow) -> tuple[Citation, ...]:
    """The contracts, then the implementation and observations mapped to the row."""
    return tuple(dict.fromkeys((*contract_citations(bundle, row), *facts.implementation.get(row.delta.id, ()))))


def read_contracts(bundle: Bundle) -> tuple[Citation, ...]:
    """Both contract items; every item when the bundle names no contracts."""
    named = bundle.request.contracts
    ids = (named.released, named.candidate) if named else tuple(bundle.items)
    return tuple(Citation(found) for found in ids if found in bundle.items)


def _located(bundle: Bundle, item_id: EvidenceId, place: Place | None) -> Citation:
    """The place in the item itself or in a file that belongs to it; the whole item where there is none."""
    item = bundle.items.get(item_id)
    if item is None or place is None:
        return Citation(item_id)
    entry = item.file or place.file
    cited = cited_place(item_id, entry, place) if place.file in (entry, *item.parts) else Citation(item_id)
    return that_stands(bundle, cited)


# What an answer to a gate is about: everything that the gate lists as reviewed, by one digest.
#
# Recorded answers and dispositions are no part of it: they come one after the other, each seeing those before it.


_UNSEEN: Final = frozenset({"title", "as_of", "asks", "roles", "evreview", "workflow", "removals"})
"""What of the request an answer is not about: who answers, on which day it is judged, what is asked beside."""


def ship_digest(bundle: Bundle) -> str:
    """Contracts, implementation, observations, clients, policy, checks, rollout, rollback, and the plan."""
    return digest_of(ship_items(bundle), bundle.request.model_dump_json(exclude=set(_UNSEEN)))


def ship_items(bundle: Bundle) -> tuple[EvidenceItem, ...]:
    """The items of the gate before shipping.

    Left out is what only the gate before removing lists: notices and usage counts.
    """
    only_removal = {removal.notice_evidence for removal in bundle.request.removals}
    only_removal |= {cited.citation.id for cited in records_of(bundle, UsageMetrics)}
    only_removal -= _adoptions(bundle) | _rollbacks(bundle)
    return tuple(item for item in bundle.items.values() if item.id not in only_removal)


def removal_digest(bundle: Bundle) -> str:
    """Contracts, policy, notices, usage counts, clients with their adoption, rollback, and what is to be removed."""
    request = bundle.request.model_dump_json(include={"surface", "implementation_revision", "removals", "plan"})
    return digest_of(removal_items(bundle), request)


def removal_items(bundle: Bundle) -> tuple[EvidenceItem, ...]:
    """The items of the gate before removing."""
    wanted: set[EvidenceId | None] = {citation.id for citation in read_contracts(bundle)}
    for kind in (Policy, UsageMetrics, ClientInventory, RolloutRecord):
        wanted |= {cited.citation.id for cited in records_of(bundle, kind)}
    wanted |= {removal.notice_evidence for removal in bundle.request.removals}
    wanted |= _adoptions(bundle) | _rollbacks(bundle)
    return tuple(item for item in bundle.items.values() if item.id in wanted)


def _adoptions(bundle: Bundle) -> set[EvidenceId | None]:
    listed = records_of(bundle, ClientInventory)
    return {client.adoption_evidence for cited in listed for client in cited.record.clients}


def _rollbacks(bundle: Bundle) -> set[EvidenceId | None]:
    back = (cited.record.rollback for cited in records_of(bundle, RolloutRecord))
    return {each.evidence for each in back if each is not None}


# Failure modes with their recoveries. Spec, Errors, failure modes and recovery.


F1: Final = Failure(
    code="W1-F1",
    condition="Previous contract unavailable",
    recovery=(
        "Recover the released schema, examples and version selector from immutable release artifacts or retained tests",
        "Verify the provenance of what was recovered",
        "Restart at step 1",
    ),
    restart=1,
    supply="supply both contracts, whole and of verified provenance",
)
F2: Final = Failure(
    code="W1-F2",
    condition="Candidate implementation or retained runtime behaviour contradicts the proposed schema",
    recovery=(
        "Halt approval",
        "Verify the provenance and the environment of the retained observation",
        "Decide with the API owner whether the contract, the implementation or the observation boundary is wrong",
        "Align the authoritative artifacts",
        "Restart at step 2 and rerun the producer and consumer contract tests",
    ),
    restart=2,
    supply="correct the contract, the implementation or the observation, so that they agree",
)
F3: Final = Failure(
    code="W1-F3",
    condition="Client ownership or usage unknown",
    recovery=(
        "Preserve the old behaviour",
        "Assign an owner-discovery action",
        "Collect approved privacy-safe version or field usage evidence",
        "Resume at step 5 with unknown consumers kept explicit",
    ),
    restart=5,
    stops=False,
)
F4: Final = Failure(
    code="W1-F4",
    condition="Selected rollout or rollback mechanism does not exist",
    recovery=(
        "Reject the strategy",
        "Inventory the actual version, gateway, deployment and feature-flag boundaries",
        "Restart at step 7 with a mechanism that has retained rollback evidence",
    ),
    restart=7,
    supply="supply a mechanism that exists and whose rollback was exercised",
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4)}


# The two gates. Spec, approval gates.


SHIP: Final = GateSpec(
    id="ship-breaking-change",
    title="Before shipping a breaking change",
    reviewed=(
        "wire-difference evidence",
        "migration instructions",
        "support window",
        "verification results",
        "rollout",
        "rollback",
    ),
    stages=(("api-owner", "client-owner"), ("release-manager",)),
)

REMOVE: Final = GateSpec(
    id="remove-deprecated",
    title="Before removing a deprecated field",
    reviewed=(
        "completed notice",
        "elapsed deprecation window",
        "privacy-safe zero-use evidence",
        "client-owner dispositions",
        "rollback boundary",
    ),
    stages=(("api-owner",),),
)

GATES: Final = (SHIP, REMOVE)


def contract_item(bundle: Bundle, side: str) -> EvidenceItem | None:
    """The evidence item of one side, None when the bundle names none."""
    named = bundle.request.contracts
    return bundle.items.get(EvidenceId(getattr(named, side))) if named else None
