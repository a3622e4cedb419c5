"""Behaviour that changed in the implementation alone: no contract declares it, so no ledger row can show it.

A changed default counts as wire behaviour although the schemas are equal. Spec, W1 ledger entry, producer direction.
"""

from __future__ import annotations

import hashlib

from evreview.core.quoted_text import Subject, text
from evreview.core.vocabulary import NOT_RATED, Answer, Basis, DeltaId, FindingId
from evreview.evidence.item import Citation
from evreview.report.statement import inferred, observed, proposed, recommended
from evreview.workflows.engine.conclusions import Completeness, Finding, Validation, confidence
from evreview.workflows.w1.step3_diff_mapping import Branch


def runtime_id(branch: Branch) -> DeltaId:
    """The id of the finding about a branch, which stands where a delta's id would: there is no delta."""
    text = f"runtime-only {branch.element} {branch.facet} {branch.quote}"
    return DeltaId(f"F-{hashlib.sha256(text.encode()).hexdigest()[:12]}")


def runtime_finding(branch: Branch, contracts: tuple[Citation, ...], clients: tuple[str, ...]) -> Finding:
    """The finding about one implementation branch; its behaviour is implementation-derived, never observed.

    Args:
        branch: the changed branch.
        contracts: both contracts, which are silent about it.
        clients: the known clients that use the operation.
    """
    on = (branch.citation, branch.mapping_citation)
    level, why = confidence(Completeness.COMPLETE, Validation.NONE)
    basis = f" ({Basis.IMPLEMENTATION})"
    what = (Subject(branch.facet), " at ", Subject(branch.element))
    return Finding(
        id=FindingId(runtime_id(branch)),
        delta_id=None,
        severity=NOT_RATED,
        severity_why="no rule of the supplied policy rates it",
        confidence=level,
        confidence_why=why,
        title=text("Neither contract declares the runtime ", *what, basis),
        citations=(*contracts, *on),
        impact=(
            observed("Neither contract declares ", *what, ".", on=contracts),
            observed(
                "The implementation changes ", *what, f" ({Basis.IMPLEMENTATION}): ", Subject(branch.quote), on=on
            ),
            inferred(
                "A caller that relies on the former behaviour gets another one without sending anything new.", on=on
            ),
        ),
        preconditions=f"A caller leaves the {branch.facet} to the service",
        recommendation=recommended(
            "Declare it in the contract and announce it, or restore the former behaviour.", on=on
        ),
        verification=proposed(
            "Call the operation without the value on both revisions and compare. Not executed; it stays unverified.",
            on=on,
        ),
        disposition="open",
        producer=f"accepts old requests: {Answer.YES}; emits old-compatible: {Answer.UNKNOWN}",
        consumer=f"unknown for {', '.join(clients) or 'known clients'}; unlisted consumers: unknown",
    )
