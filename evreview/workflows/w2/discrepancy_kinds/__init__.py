"""The kinds of discrepancies as values.

Takes a pair of facts.
Gives the kind that it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.workflows.w2.discrepancy_kinds import behaviour, requests, responses
from evreview.workflows.w2.discrepancy_kinds import behaviour as discrepancy_kinds_behaviour
from evreview.workflows.w2.discrepancy_kinds import requests as discrepancy_kinds_requests
from evreview.workflows.w2.discrepancy_kinds import responses as discrepancy_kinds_responses
from evreview.workflows.w2.discrepancy_kinds.kind import DiscrepancyKind

KINDS: Final[tuple[DiscrepancyKind, ...]] = (
    *discrepancy_kinds_requests.AUTHENTICATION_KINDS,
    *discrepancy_kinds_requests.PARAMETER_KINDS,
    *requests.REQUEST_BODY_KINDS,
    *responses.RESPONSE_KINDS,
    *behaviour.BEHAVIOUR_KINDS,
    *discrepancy_kinds_behaviour.AMOUNT_KINDS,
    *discrepancy_kinds_responses.OBSERVED_KINDS,
)

KIND: Final[Mapping[str, DiscrepancyKind]] = {kind.id: kind for kind in KINDS}
