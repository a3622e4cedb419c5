"""What a review concludes: findings, how confident they are, and the decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Text, plain
from evreview.core.vocabulary import Confidence, DeltaId, ExitStatus, FindingId, Tristate, VersionPath
from evreview.evidence.item import Citation
from evreview.report.statement import Statement
from evreview.workflows.engine.next_actions import NextAction


class Completeness(StrEnum):
    """COMPLETE: both contracts and the implementation are cited for the row. PARTIAL: the contracts alone."""

    COMPLETE = "contracts and implementation"
    PARTIAL = "contracts alone"


class Validation(StrEnum):
    """EXECUTED: a retained result verifies the row. PROVED: the verdict is computed. NONE: neither."""

    EXECUTED = "a retained result"
    PROVED = "a computed proof"
    NONE = "no validation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One row of the finding register.

    Attributes:
        id: `F-` and the hex of its delta's id; survives rewording.
        delta_id: the difference it is about; "" for a finding about no single difference.
        severity: a word of the policy, or "not rated (no rubric)".
        severity_why: the policy's sentence, quoted, or why there is none.
        confidence, confidence_why: from the confidence table.
        validation: what validates it; None for a finding outside that table.
        title: what was found.
        short_title: the same without its place, where rows of the artifact say less.
        citations: contract, implementation, client and policy evidence.
        impact: labelled statements; observation and inference apart.
        preconditions: what must hold for the impact to happen.
        recommendation, verification: labelled statements.
        disposition: what the policy and the recorded decisions make of it.
        blocks: what it blocks while it stands: `in-place release`, `release`, `removal`.
        producer, consumer: the classification in both directions.
    """

    id: FindingId
    delta_id: DeltaId | None
    severity: str
    severity_why: str
    confidence: Confidence
    confidence_why: str
    title: Text
    citations: tuple[Citation, ...]
    impact: tuple[Statement, ...]
    preconditions: str
    recommendation: Statement
    verification: Statement
    disposition: str
    blocks: tuple[str, ...] = ()
    producer: str = Tristate.UNKNOWN
    consumer: str = Tristate.UNKNOWN
    validation: Validation | None = None
    short_title: Text = ()


COLUMNS = (
    "finding_id", "delta_id", "severity", "confidence", "finding", "evidence", "impact", "preconditions",
    "recommendation", "verification", "disposition", "blocks", "producer", "consumer", "severity_why", "confidence_why",
)  # fmt: skip


def findings_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """The finding register.

    Grain: one row per finding. Key: `finding_id`. Columns: `COLUMNS`; `evidence` holds citations, comma-separated;
    `impact` holds labelled statements, one per line; `confidence` is High, Medium or Low.
    """
    rows = [
        (
            finding.id,
            finding.delta_id or "",
            finding.severity,
            str(finding.confidence),
            plain(finding.title),
            ", ".join(map(str, finding.citations)),
            "\n".join(map(str, finding.impact)),
            finding.preconditions,
            str(finding.recommendation),
            str(finding.verification),
            finding.disposition,
            ", ".join(finding.blocks),
            finding.producer,
            finding.consumer,
            finding.severity_why,
            finding.confidence_why,
        )
        for finding in findings
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


# Confidence, computed from evidence completeness and validation state by the table below and by nothing else.


CONFIDENCE: Final[Mapping[tuple[Completeness, Validation], Confidence]] = {
    (Completeness.COMPLETE, Validation.EXECUTED): Confidence.HIGH,
    (Completeness.COMPLETE, Validation.PROVED): Confidence.MEDIUM,
    (Completeness.COMPLETE, Validation.NONE): Confidence.LOW,
    (Completeness.PARTIAL, Validation.EXECUTED): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.PROVED): Confidence.LOW,
    (Completeness.PARTIAL, Validation.NONE): Confidence.LOW,
}


def confidence(completeness: Completeness, validation: Validation) -> tuple[Confidence, str]:
    """The confidence and its reason in words."""
    return CONFIDENCE[completeness, validation], f"{completeness}, {validation}"


# The decision: what is permitted, what blocks it, and what happens next.


class DecisionState(StrEnum):
    """How a review ends."""

    PERMITTED = "permitted"
    ASSESSED = "assessed"
    UNASKED = "assessed, nothing asked"
    BLOCKED = "blocked"
    INCOMPLETE = "incomplete"
    STOPPED = "stopped"
    NO_EFFECT = "no observable contract effect"

    @property
    def is_halted(self) -> bool:
        """True where a step ended the run before everything was judged."""
        return self in (DecisionState.INCOMPLETE, DecisionState.STOPPED, DecisionState.NO_EFFECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The end of a review.

    Attributes:
        state: how it ends.
        headline: one sentence, ours, e.g. `no permission; stopped at step 3, W1-F2`.
        path: the chosen path, None when step 7 was not reached.
        reasons: what blocks or stops it, labelled and cited.
        next_actions: what to do and who does it, in order.
        codes: the failure codes raised, in order.
        internal: nothing of the review may leave the authorized team (W3).
        unredacted: a value could not be taken out of an output, so that its lines are withheld.
    """

    state: DecisionState
    headline: str
    path: VersionPath | None
    reasons: tuple[Statement, ...]
    next_actions: tuple[NextAction, ...]
    codes: tuple[str, ...] = ()
    internal: bool = False
    unredacted: bool = False

    @property
    def exit_status(self) -> int:
        """0 when it permits, 3 when the run stopped, 4 when it is no permission, 7 when redaction is incomplete."""
        if self.unredacted:
            return ExitStatus.REDACTION_INCOMPLETE
        if self.state in (DecisionState.STOPPED, DecisionState.NO_EFFECT):
            return ExitStatus.STOPPED
        if self.state in (DecisionState.BLOCKED, DecisionState.INCOMPLETE, DecisionState.UNASKED):
            return ExitStatus.BLOCKED
        return ExitStatus.DONE
