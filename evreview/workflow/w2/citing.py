"""What a statement of a W2 review cites when nothing narrower is known."""

from __future__ import annotations

from evreview.evidence.item import Bundle, Citation
from evreview.report.statement import cite
from evreview.workflows.w2.facts import W2Facts


def contract_citation(facts: W2Facts) -> tuple[Citation, ...]:
    """The contract item; nothing before it is known."""
    return cite(facts.item.id) if facts.item else ()


def read_items(bundle: Bundle, facts: W2Facts) -> tuple[Citation, ...]:
    """The contract and the publication scope; every item while these are not known."""
    found = cite(facts.item.id if facts.item else None, facts.scope.citation if facts.scope else None)
    return found if len(found) > 1 else cite(*bundle.items)
