"""What the evidence names, led to the rows of the ledger; and what of it reaches none."""

from __future__ import annotations

from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRecord
from evreview.reconcile.spellings import Spellings, checks_as_rows
from evreview.reconcile.unjoined import Unjoined, unjoined
from evreview.workflow.w1.facts import W1Facts
from evreview.workflows.w1.facts import Sides


def spellings_of(facts: W1Facts) -> Spellings | None:
    """The names of operations of both contracts, None before they are read."""
    if facts.released is None or facts.candidate is None:
        return None
    return Spellings(Sides(facts.released, facts.candidate))


def tests_of(bundle: Bundle, facts: W1Facts) -> tuple[Cited[TestRecord], ...]:
    """The retained tests, each check under the name that rows have for its operation."""
    names, tests = spellings_of(facts), records_of(bundle, TestRecord)
    return tests if names is None else checks_as_rows(tests, names)


def unjoined_of(bundle: Bundle, facts: W1Facts) -> tuple[Unjoined, ...]:
    """What of the evidence reached no difference; nothing before the ledger of step 2."""
    if facts.released is None or facts.candidate is None or facts.comparison is None:
        return ()
    sides = Sides(facts.released, facts.candidate)
    return unjoined(bundle, facts.rows, sides, Spellings(sides), facts.reconciliation)
