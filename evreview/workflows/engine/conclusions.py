"""A finding: one material conclusion about one difference, with what it rests on and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from evreview.core.quoted_text import Text, plain
from evreview.core.vocabulary import Answer, Confidence, DeltaId, FindingId
from evreview.evidence.item import Citation
from evreview.report.statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One row of the finding register.

    Attributes:
        id: `F-` and the hex of its delta's id; survives rewording.
        delta_id: the difference it is about; "" for a finding about no single difference.
        severity: a word of the policy, or "not rated (no rubric)".
        severity_why: the policy's sentence, quoted, or why there is none.
        confidence, confidence_why: from the confidence table.
        title: what was found.
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
    producer: str = Answer.UNKNOWN
    consumer: str = Answer.UNKNOWN


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
