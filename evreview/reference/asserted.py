"""What the tests of a run assert: as the output says it, and as the run's wrapper adds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import AssertedFact
from evreview.evidence.test_results.model import Assertion, Case, RetainedRun

Added = Mapping[str, list[tuple[Citation, AssertedFact]]]


def added(run: RetainedRun) -> Added:
    """The facts that a wrapper adds, by the test that they are about, each with its place in the wrapper."""
    found: dict[str, list[tuple[Citation, AssertedFact]]] = {}
    for at, fact in enumerate(run.record.record.asserts):
        found.setdefault(fact.test, []).append((run.record.at(f"/asserts/{at}"), fact))
    return found


def asserted(run: RetainedRun, case: Case, facts: Added) -> Iterator[tuple[Assertion, tuple[Citation, ...]]]:
    """Every assertion of a case with the place of the test, and with the wrapper's line where the wrapper states it."""
    here = run.at(case.locator)
    for assertion in case.assertions:
        yield assertion, (here,)
    for place, fact in facts.get(case.id, ()):
        yield _as_assertion(fact, case), (here, place)


def _as_assertion(fact: AssertedFact, case: Case) -> Assertion:
    """A fact of the wrapper; how it ended is how its test ended, whatever the wrapper says."""
    return Assertion(
        operation=fact.operation,
        outcome=case.outcome,
        status=fact.status,
        media_type=fact.media_type or "",
        field=fact.field or "",
        concern=fact.concern,
        expects=fact.expects,
    )
