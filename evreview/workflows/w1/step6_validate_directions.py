"""Step 6 of W1: validate both directions. What has a retained result is executed; everything else is proposed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle
from evreview.evidence.records.test_runs import TestRecord
from evreview.report.statement import Statement, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w1.checks import Checks, checks_frame, collect
from evreview.workflows.w1.facts import W1Facts, contract_item
from evreview.workflows.w1.reconcile.unjoined import tests_of, unjoined_of


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The executed and the proposed checks; remains while a check has two results, or one that its output denies."""
    tests = tests_of(bundle, facts)
    checks = collect(tests, facts.rows, _candidate_revisions(bundle))
    reasons = (*_ambiguous(checks), *_contradicted(tests))
    return Outcome(
        state=StepState.REMAIN if reasons else StepState.ADVANCE,
        facts=replace(facts, checks=checks, unjoined=unjoined_of(bundle, facts)),
        reasons=reasons,
        tables={"Checks": checks_frame(checks)},
    )


def _candidate_revisions(bundle: Bundle) -> tuple[str, ...]:
    """The implementation's revision under review, and the one that the candidate contract is of."""
    item = contract_item(bundle, "candidate")
    stated = (bundle.request.implementation_revision, item.revision if item else "")
    return tuple(each for each in stated if each)


def _contradicted(tests: Iterable[Cited[TestRecord]]) -> Iterable[Statement]:
    """A check that passed while the output retained with it says that something failed."""
    for cited in tests:
        for place, check in enumerate(cited.record.checks):
            if check.contradicted:
                words = (UserText(check.id), " is said to have passed, and its own output says: ")
                yield observed(*words, UserText(check.contradicted), ".", on=(cited.at(f"/checks/{place}"),))


def _ambiguous(checks: Checks) -> Iterable[Statement]:
    """A check whose retained results contradict each other can't be labelled executed with a result."""
    seen: dict[tuple[str, str, str, str], str] = {}
    for check in checks.executed:
        key = (check.id, check.command, check.revision, check.fixture)
        if seen.setdefault(key, check.result) != check.result:
            where = UserText(check.id)
            yield observed("One check has two different retained results: ", where, ".", on=(check.citation,))
