"""Small bundles and candidates made in memory, for tests of rating and remediation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from evreview.core.vocabulary import Area, EvidenceId, EvidenceType, Integrity, WorkflowId
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import Decisions, Record, ReviewRequest
from evreview.workflows.w3.model import Candidate, ControlCandidate, Reach, Standing, State

REVISION = "4be1c07d92f35a86e0d4b7c91f6a2358c0de9471"
OWNER = "Tickets security owner"
AS_OF = "2026-11-20"

Part = tuple[EvidenceType, Record | str]


def item(number: int, kind: EvidenceType, body: Record | str) -> EvidenceItem:
    """One item; a record is its own content."""
    content = body if isinstance(body, str) else body.model_dump_json()
    return EvidenceItem(
        id=EvidenceId(f"E{number}"),
        type=kind,
        content=content,
        integrity=REVISION,
        establishes="What it says.",
        file="",
        sha256=hashlib.sha256(content.encode()).hexdigest(),
        integrity_state=Integrity.VERIFIED,
        revision=REVISION,
        record=None if isinstance(body, str) else body,
    )


def bundle(parts: Iterable[Part] = (), decisions: Sequence[dict[str, Any]] = (), **request: Any) -> Bundle:
    """A bundle with the parts as E1, E2, ..., and recorded decisions."""
    asked = {"workflow": "w3", "title": "Tickets", "as_of": AS_OF, "roles": {"security_owner": OWNER}} | request
    items = [item(place, kind, body) for place, (kind, body) in enumerate(parts, 1)]
    return Bundle(
        workflow=WorkflowId.W3,
        title="Tickets",
        request=ReviewRequest.model_validate(asked),
        items={each.id: each for each in items},
        decisions=Decisions.model_validate({"decisions": list(decisions)}),
        warnings=(),
        root="",
        digest="",
    )


CANDIDATE = Candidate(
    id="S-0123456789ab",
    kind="caller-controlled-decision",
    area=Area.AUTHORIZATION,
    title=("a header decides",),
    leads=("L-0123456789ab",),
    route="GET /tickets/{id}",
    control="C-ROLE",
    asset="A-TICKETS",
    attacker="P-CALLER",
    reach=Reach.SHOWN,
    reach_why=("the route is registered",),
    challenges=(ControlCandidate(place=("middleware",), standing=Standing.ABSENT, why=("none",), citations=()),),
    state=State.SUPPORTED,
    missing=(),
    preconditions=(("an account",),),
    impact_observed=("a header decides",),
    impact_inferred=("tickets of others are readable",),
    safe_verification=("a negative test",),
    slice="5" * 64,
    citations=(Citation(EvidenceId("E1")),),
)


def candidate(**changes: Any) -> Candidate:
    """The candidate with some attributes changed."""
    return replace(CANDIDATE, **changes)
