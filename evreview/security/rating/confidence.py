"""Confidence of a security finding: evidence completeness x validation state, by the table below and by nothing else.

It says how well the finding is supported, never how grave it is; severity comes from the rubric alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Confidence, Word
from evreview.workflows.w3.model import Candidate, Reach, Standing


class Completeness(Word):
    """COMPLETE: nothing about the way there and the controls on it is unknown. PATTERN: all of it is."""

    COMPLETE = "lines, reachability, asset and every place of a compensating control are shown"
    PARTIAL = "lines, reachability, the asset or a place of a compensating control are unknown"
    PATTERN = "a matched pattern alone"


class Validation(Word):
    """RETAINED: a local result with revision, isolated environment, command and result says so."""

    RETAINED = "a retained local result"
    NONE = "no retained local result"


CONFIDENCE: Final[Mapping[tuple[Completeness, Validation], Confidence]] = {
    (Completeness.COMPLETE, Validation.RETAINED): Confidence.HIGH,
    (Completeness.COMPLETE, Validation.NONE): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.RETAINED): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.NONE): Confidence.LOW,
    (Completeness.PATTERN, Validation.RETAINED): Confidence.LOW,
    (Completeness.PATTERN, Validation.NONE): Confidence.LOW,
}


def completeness(candidate: Candidate) -> Completeness:
    """How much of what decides the candidate the evidence shows."""
    decided = [each for each in candidate.challenges if each.standing is not Standing.UNKNOWN]
    known = candidate.reach is not Reach.UNKNOWN
    whole = bool(decided) and len(decided) == len(candidate.challenges)
    if known and whole and candidate.asset and not candidate.missing:
        return Completeness.COMPLETE
    return Completeness.PARTIAL if known or decided else Completeness.PATTERN


def confidence(candidate: Candidate) -> tuple[Confidence, str]:
    """The confidence and its reason in words."""
    evidence = completeness(candidate)
    state = Validation.RETAINED if candidate.validated else Validation.NONE
    return CONFIDENCE[evidence, state], f"{evidence}; {state}"
