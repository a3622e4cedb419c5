"""What a statement of a W3 review cites when nothing narrower is known."""

from __future__ import annotations

from itertools import islice
from typing import Final

from evreview.evidence.item import Bundle, Citation
from evreview.findings.statement import cite
from evreview.workflow.w3.facts import W3Facts

LEAST: Final = 2
"""How many items an artifact cites at least."""


def scope_items(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    """The authorization, and beside it what the review rests on; while there is none, the first items' ids.

    An id says nothing of an item's content, so it may be named before the item may be read.
    """
    own = facts.authorization.citation if facts.authorization else None
    if not facts.opened:
        return cite(own) if own else cite(*islice(bundle.items, LEAST))
    model = facts.model.citation if facts.model else None
    stated = facts.stated.citation if facts.stated else None
    return cite(own, model, stated)


def sealed_items(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    """The items that were not read because the authorization does not pass."""
    if facts.opened:
        return ()
    own = facts.authorization.citation.id if facts.authorization else None
    return cite(*(each for each in bundle.items if each != own))
