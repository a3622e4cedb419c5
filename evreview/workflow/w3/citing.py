"""What a statement of a W3 review cites when nothing narrower is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle, Citation
from evreview.report.statement import cite
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import W3Facts

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


def deciding_items(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts) -> tuple[Citation, ...]:
    """What the decision rests on: the authorization, what the last step waits for, and the findings."""
    last = steps[-1]
    open_ones = last.reasons if last.state is not StepState.ADVANCE else ()
    waits = tuple(on for reason in open_ones for on in reason.citations)
    found = finding_items(facts)
    return items_of(scope_items(bundle, facts)[:1], waits, found) if waits or found else scope_items(bundle, facts)


def finding_items(facts: W3Facts) -> tuple[Citation, ...]:
    """The items that the findings rest on, their rules included."""
    return items_of(*(each.citations for each in facts.findings))


def check_items(facts: W3Facts) -> tuple[Citation, ...]:
    """The items behind the retained and the proposed checks."""
    return items_of(*(each.citations for each in facts.results), *(each.citations for each in facts.proposed))


def items_of(*groups: Iterable[Citation]) -> tuple[Citation, ...]:
    """The items of the citations, each once, by number."""
    ids = {citation.id for group in groups for citation in group}
    return cite(*sorted(ids, key=lambda name: int(name[1:])))


def sealed_items(bundle: Bundle, facts: W3Facts) -> tuple[Citation, ...]:
    """The items that were not read because the authorization does not pass."""
    if facts.opened:
        return ()
    own = facts.authorization.citation.id if facts.authorization else None
    return cite(*(each for each in bundle.items if each != own))
