"""Failure rates, and the refusal of signals that would keep what must not be kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from evreview.evidence.records.compatibility import Signal

FORMULA: Final = "failure-counter delta / attempt-counter delta * 100"

FaultKind = Literal["body", "personal-data", "internal-error"]

VOCABULARY: Final[tuple[tuple[FaultKind, str], ...]] = (
    ("body", r"\b(bod(y|ies)|payloads?)\b"),
    ("body", r"\b(full|raw|captured|sampled|logged|recorded) (requests?|responses?|messages?)\b"),
    ("personal-data", r"\bpersonal (data|information)\b"),
    ("personal-data", r"\be-?mails?\b"),
    ("personal-data", r"\b(user|customer|account|person|subscriber)[ _-]?(ids?|identifiers?|names?|numbers?)\b"),
    ("personal-data", r"\b(ip|postal|home|mail)[ _-]?address(es)?\b"),
    ("personal-data", r"\b(phone|session[ _-]?ids?|access[ _-]?tokens?|passwords?|cookies?)\b"),
    ("internal-error", r"\bstack[ _-]?traces?\b|\btracebacks?\b|\bstack frames?\b"),
    ("internal-error", r"\bexception (messages?|texts?|class(es)?|names?|details?)\b"),
    ("internal-error", r"\b(internal error|error (message|detail)|sql (text|statement|error))s?\b"),
)
"""What a signal may not need: kind of fault, and the pattern of the words that show it."""

_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in VOCABULARY)
_DENIAL: Final = re.compile(r"^\s*(and\s+|or\s+)?(no|not|none|never|without|nothing)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalFault:
    """One reason why a signal must be redesigned: what it would keep, and which part of it says so."""

    kind: FaultKind
    where: str
    text: str


def failure_rate(failures: int, attempts: int) -> float | None:
    """The failure rate in percent from two counter deltas; None for zero attempts, which give no rate.

    Raises:
        ValueError: a delta is negative, or more failed than was attempted.
    """
    if failures < 0 or attempts < 0 or failures > attempts:
        raise ValueError(f"counter deltas must satisfy 0 <= failures <= attempts, got {failures} and {attempts}")
    return None if attempts == 0 else float(Fraction(failures * 100, attempts))


def exceeds(rate: float | None, baseline: float, margin: float) -> bool:
    """True when `rate` is above `baseline + margin`, strictly; decimal values are compared exactly. No rate: False."""
    return rate is not None and _exact(rate) - _exact(baseline) > _exact(margin)


def lint_signal(signal: Signal) -> tuple[SignalFault, ...]:
    """Why `signal` must be redesigned: every body, personal datum or internal error that it would need or keep."""
    parts = [("name", signal.name), ("numerator", signal.numerator), ("denominator", signal.denominator)]
    parts.extend(("retains", text) for text in signal.retains)
    parts.extend(("tags", text) for text in (signal.baseline.tags if signal.baseline else ()))
    return tuple(fault for where, text in parts for fault in lint_text(text, where))


def lint_text(text: str, where: str = "text") -> tuple[SignalFault, ...]:
    """What a sentence would keep that must not be kept; a clause that starts with a denial (`no bodies`) is none."""
    clauses = (clause for clause in re.split(r"[;,.]|\bbut\b", text) if not _DENIAL.match(clause))
    found = _matches(clauses)
    return tuple(SignalFault(kind=kind, where=where, text=word) for kind, word in dict.fromkeys(found))


def _matches(clauses: Iterable[str]) -> list[tuple[FaultKind, str]]:
    return [
        (kind, match.group(0))
        for clause in clauses
        for kind, pattern in _PATTERNS
        for match in [pattern.search(clause.replace("_", " "))]
        if match
    ]


def _exact(value: float) -> Fraction:
    return Fraction(str(value))
