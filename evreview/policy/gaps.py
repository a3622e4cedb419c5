"""What a supplied policy leaves out that a conclusion would need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import Policy

GapCode = Literal[
    "no-policy",
    "no-compatibility-rules",
    "no-window",
    "no-removal-conditions",
    "no-dispositions",
    "severity-without-disposition",
    "unknown-severity",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyGap:
    """One thing that the policy does not say, and what follows from that."""

    code: GapCode
    text: str
    citation: Citation | None = None


def policy_gaps(policy: Cited[Policy] | None, *, removal_asked: bool = False) -> tuple[PolicyGap, ...]:
    """What the policy leaves out, in a fixed order; empty for a complete one.

    `no-removal-conditions` is reported only when a removal is asked, the others always.
    """
    if policy is None:
        return (PolicyGap(code="no-policy", text="No policy was supplied: nothing is rated and no window is known."),)
    record = policy.record
    checks: tuple[tuple[GapCode, bool, str], ...] = (
        (
            "no-compatibility-rules",
            not (record.producer_rules or record.consumer_rules or record.rules),
            "The policy states no producer or consumer compatibility rule.",
        ),
        (
            "no-window",
            record.support_window_days is None and record.removal is None,
            "The policy states neither a notice period nor a support window.",
        ),
        (
            "no-removal-conditions",
            removal_asked and record.removal is None,
            "A removal is asked and the policy states no removal conditions: the removal is blocked.",
        ),
        (
            "no-dispositions",
            not record.disposition_per_severity and not any(rule.blocks for rule in record.rules),
            "The policy states no release disposition: none is derived from a severity.",
        ),
        ("severity-without-disposition", bool(_undisposed(record)), _without_disposition(record)),
        ("unknown-severity", bool(_unlisted(record)), _not_listed(record)),
    )
    return tuple(PolicyGap(code=code, text=text, citation=policy.citation) for code, holds, text in checks if holds)


def _undisposed(record: Policy) -> list[str]:
    stated = record.disposition_per_severity
    return [word for word in record.severities if stated and word not in stated]


def _without_disposition(record: Policy) -> str:
    return f"The policy states no release disposition for: {', '.join(_undisposed(record))}."


def _unlisted(record: Policy) -> list[str]:
    used = {rule.severity for rule in record.rules if rule.severity}
    return sorted(word for word in used if word not in record.severities)


def _not_listed(record: Policy) -> str:
    return f"Rules of the policy use severities that its own list does not hold: {', '.join(_unlisted(record))}."
