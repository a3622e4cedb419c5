"""What the limitations of every artifact end with: what was redacted, and what the supplier assumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evreview.core.quoted_text import Subject
from evreview.evidence.item import Bundle
from evreview.redaction.redactor import Guard
from evreview.report.statement import Statement, assumed, limited


def closing(bundle: Bundle, guard: Guard, also: str = "") -> Iterator[Statement]:
    """How many values of each kind were redacted, then the assumptions, or that there is none.

    Args:
        bundle: its request holds the assumptions.
        guard: what was learnt to redact.
        also: what is said of the redacted values besides.
    """
    kinds = Counter(str(finding.kind) for finding in guard.findings)
    if kinds:
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield limited(f"Values were redacted from the evidence: {told}{also}.")
    for assumption in bundle.request.assumptions:
        yield assumed("The supplier assumes: ", Subject(assumption))
    if not bundle.request.assumptions:
        yield assumed("None was supplied, and none is made.")
