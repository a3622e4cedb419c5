"""Confidence, computed from evidence completeness and validation state by the table below and by nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from evreview.core.vocabulary import Confidence


class Completeness(StrEnum):
    """COMPLETE: both contracts and the implementation are cited for the row. PARTIAL: the contracts alone."""

    COMPLETE = "contracts and implementation"
    PARTIAL = "contracts alone"


class Validation(StrEnum):
    """EXECUTED: a retained result verifies the row. PROVED: the verdict is computed. NONE: neither."""

    EXECUTED = "a retained result"
    PROVED = "a computed proof"
    NONE = "no validation"


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
