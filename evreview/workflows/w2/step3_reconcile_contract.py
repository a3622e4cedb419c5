"""Step 3 of W2: reconcile contract, handler, validator and tests. W2-F3 withholds what they disagree on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import UserText, listed, marked
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w2.facts import F3, W2Facts
from evreview.workflows.w2.matrix.test_results import UnmappedTest
from evreview.workflows.w2.reconcile.publication import waits
from evreview.workflows.w2.reconcile.reconcile import Reconciled, discrepancies_frame, reconcile, undecided_frame


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The discrepancy register; W2-F3 while one is not disposed of, which withholds its claims and goes on."""
    if facts.evidence is None:
        raise NotReached("step 3 needs the evidence of step 2")
    found = reconcile(
        replace(facts.evidence, coverage=facts.coverage),
        facts.operations,
        bundle.decisions.dispositions,
        owner_role=bundle.request.roles.api_owner or "API owner",
        as_of=bundle.request.as_of,
    )
    known = replace(
        facts,
        discrepancies=found.discrepancies,
        reconciled=True,
        points=found.undecided,
        undecided=tuple(_undecided(facts, found)),
        uncounted=frozenset(each.position for each in found.refused),
    )
    waiting = known.open_discrepancies
    tables = {
        "Contract discrepancy register": discrepancies_frame(found.discrepancies),
        "Undecided comparisons": undecided_frame(found.undecided),
    }
    return Outcome(
        state=StepState.ADVANCE,
        code=F3.code if waiting else "",
        facts=known,
        reasons=tuple(waits(waiting)),
        tables=tables,
    )


MOST_NAMED: Final = 6
"""Tests that one sentence names."""


def _undecided(facts: W2Facts, found: Reconciled) -> Iterator[Statement]:
    contract = cite(facts.item.id if facts.item else None)
    for each in found.undecided:
        where = UserText(f"{each.operation} {each.concern} {each.place}".strip())
        yield limited("Not decided whether contract and code agree at ", where, ": ", *marked(each.reason), ".",
                      on=each.citations or contract)  # fmt: skip
    for refused in found.refused:
        words = (UserText(refused.role), " on ", UserText(refused.subject), ": ", *marked(refused.reason), ".")
        yield limited("A recorded disposition does not count, by ", *words)
    yield from _unmapped(facts.coverage.unmapped if facts.coverage else ())


def _unmapped(tests: Iterable[UnmappedTest]) -> Iterator[Statement]:
    """What tests say that verifies nothing, by reason; the register of unmapped tests holds every one."""
    by_reason: dict[str, list[UnmappedTest]] = {}
    for each in tests:
        by_reason.setdefault(each.reason, []).append(each)
    for reason, alike in by_reason.items():
        names = listed(dict.fromkeys(each.case for each in alike[:MOST_NAMED]))
        more = f" and {len(alike) - MOST_NAMED} more" if len(alike) > MOST_NAMED else ""
        on = tuple(dict.fromkeys(each.citation for each in alike[:MOST_NAMED]))
        yield limited("Retained tests that verify nothing here: ", *names, f"{more}: {reason}.", on=on)
