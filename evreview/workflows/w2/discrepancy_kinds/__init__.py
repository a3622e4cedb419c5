"""The kinds of discrepancy, by what they are about; ids are never reused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.reference.kinds import access, amounts, observed, parameters
from evreview.workflows.w2.discrepancy_kinds import behaviour, requests, responses
from evreview.workflows.w2.discrepancy_kinds.kind import DiscrepancyKind

KINDS: Final[tuple[DiscrepancyKind, ...]] = (
    *access.KINDS,
    *parameters.KINDS,
    *requests.REQUEST_BODY_KINDS,
    *responses.RESPONSE_KINDS,
    *behaviour.BEHAVIOUR_KINDS,
    *amounts.KINDS,
    *observed.KINDS,
)

KIND: Final[Mapping[str, DiscrepancyKind]] = {kind.id: kind for kind in KINDS}
