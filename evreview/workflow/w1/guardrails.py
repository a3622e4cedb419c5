"""W1 guardrail: public API responses do not expose internal errors. Looks at the candidate's error bodies."""

from __future__ import annotations

import hashlib

from evreview.contract.model import Contract, Place
from evreview.core.quoted_text import Subject, text
from evreview.core.vocabulary import NOT_RATED, FindingId
from evreview.evidence.item import Bundle, Citation
from evreview.report.statement import inferred, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Completeness, Finding, Validation, confidence
from evreview.workflows.engine.internal_errors import internal_error_fields


def exposure_findings(bundle: Bundle, candidate: Contract) -> tuple[Finding, ...]:
    """One finding per internal field that the candidate's error responses declare."""
    named = bundle.request.contracts
    if named is None:
        return ()
    item = bundle.items[named.candidate]
    return tuple(
        _exposure(name, place, Citation(item.id, f"#{place.pointer}"))
        for name, place in internal_error_fields(candidate)
    )


def _exposure(name: str, place: Place, citation: Citation) -> Finding:
    level, why = confidence(Completeness.PARTIAL, Validation.NONE)
    digest = hashlib.sha256(f"internal-error {place.pointer}".encode()).hexdigest()[:12]
    on = (citation,)
    return Finding(
        id=FindingId(f"F-{digest}"),
        delta_id=None,
        severity=NOT_RATED,
        severity_why="no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=text("Public error response declares the internal field ", Subject(name)),
        citations=on,
        impact=(
            observed("An error body of the candidate contract declares ", Subject(name), ".", on=on),
            inferred("A caller that provokes the error could learn internals of the service.", on=on),
        ),
        preconditions="The implementation fills the field in an error response",
        recommendation=recommended("Remove the field from the public error body.", on=on),
        verification=proposed("Provoke the error in an isolated fixture and assert that the field is absent.", on=on),
        disposition="blocks release",
        blocks=("release",),
        producer="not a difference",
        consumer="not a difference",
    )
