"""The kinds of discrepancy, by what they are about; ids are never reused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.reference.kinds import access, amounts, behaviour, bodies, observed, parameters, responses
from evreview.reference.kinds.kind import DiscrepancyKind

KINDS: Final[tuple[DiscrepancyKind, ...]] = (
    *access.KINDS,
    *parameters.KINDS,
    *bodies.KINDS,
    *responses.KINDS,
    *behaviour.KINDS,
    *amounts.KINDS,
    *observed.KINDS,
)

KIND: Final[Mapping[str, DiscrepancyKind]] = {kind.id: kind for kind in KINDS}
